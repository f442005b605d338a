"""A function's cases: what is called, what is expected, what came of it, and on whose word; a table, or cards."""

from __future__ import annotations

from tdgen.solution.story.code import block, folded
from tdgen.solution.story.markup import Markup, breakable, join, tag
from tdgen.solution.story.words import ORIGINS, STATE_MARKS
from tdgen.types.cases import Case, Check, Exits, ExpectedException, Pattern, Property, Suite, Value
from tdgen.types.record import FunctionResult
from tdgen.types.runs import Verdict


def cases(result: FunctionResult) -> Markup:
    """The suite's cases with their verdicts on the best attempt, and its properties."""
    verdicts = {verdict.case: verdict for verdict in result.best.verdicts} if result.best else {}
    head = tag("tr", *(tag("th", title, scope="col") for title in ("case", "call", "expected", "actual")))
    rows = [_row(case, result.suite, verdicts.get(case.name)) for case in result.suite.cases]
    table = tag("table", tag("thead", head), tag("tbody", *rows), class_="cases")
    return join([tag("div", table, class_="cases-frame"), *map(_property, result.suite.properties)])


def expectation(case: Case) -> Markup:
    """What must come of a case's call, in a few words and its source."""
    streams = {"print ": case.stdout, "print to stderr ": case.stderr}
    texts = {what: text for what, text in streams.items() if isinstance(text, str)}
    texts |= {f"{what}what matches ": text.match for what, text in streams.items() if isinstance(text, Pattern)}
    texts |= {f"leave {path} with ": text for path, text in case.files.items() if text is not None}
    lines = [tag("div", what, folded(repr(text))) for what, text in texts.items()]
    lines += [tag("div", "log ", one.level, " ", folded(repr(one.message))) for one in case.logs or ()]
    gone = [tag("div", "leave no file ", tag("code", path)) for path, text in case.files.items() if text is None]
    after = [tag("div", "afterwards ", folded(one.expression), " is ", folded(one.source)) for one in case.after]
    return join([*_outcome(case), *lines, *gone, *after])


def _outcome(case: Case) -> list[object]:
    match case.expectation:
        case Value(source=source):
            return ["return ", folded(source)]
        case ExpectedException(type=name, match=pattern):
            return ["raise ", tag("code", name), *([" with ", tag("code", pattern)] if pattern else [])]
        case Check(source=source):
            return ["satisfy ", folded(source)]
        case Exits(code=code):
            return ["exit with code ", tag("code", str(code))]


def _row(case: Case, suite: Suite, verdict: Verdict | None) -> Markup:
    state = "waiting" if verdict is None else "green" if verdict.passed else "red"
    told = {"waiting": "not run", "green": "passes", "red": "fails"}[state]
    mark = tag("span", STATE_MARKS[state], class_=f"mark {state}", title=told, role="img", aria_label=told)
    setup = tag("code", case.setup, class_="setup") if case.setup else None
    name = tag("strong", breakable(case.name))
    return tag(
        "tr",
        tag("td", mark, tag("div", name, tag("small", _word(case, suite))), class_="case"),
        tag("td", setup, folded(case.done.text), data_label="call"),
        tag("td", expectation(case), data_label="expected"),
        tag("td", _actual(verdict), data_label="actual"),
        class_="pinned" if case.is_pinned else None,
    )


def _actual(verdict: Verdict | None) -> object:
    """What came of it, where that is not what was expected."""
    if verdict is None:
        return tag("span", "not run", class_="faint")
    if verdict.passed:
        return tag("span", "as expected", class_="faint")
    return folded(verdict.actual) if verdict.actual else tag("span", verdict.detail or verdict.status)


def _word(case: Case, suite: Suite) -> str:
    """Its kind, on whose word it stands, and what has borne it out since."""
    pinned = ["pinned: never changed"] if case.is_pinned else []
    held_out = ["held out of every prompt"] if case.name in suite.held_out else []
    confirmed = [f"confirmed by {who}" for who in case.confirmed]
    return " · ".join([case.kind, ORIGINS[case.provenance], *pinned, *held_out, *confirmed])


def _property(one: Property) -> Markup:
    why = tag("p", "Because: ", tag("q", one.why)) if one.why else None
    return tag("details", tag("summary", f"property {one.name}"), why, block(one.source, f"Property {one.name}"))
