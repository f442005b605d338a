"""A function's cases as a table: what is called, what must come of it, and why one may believe that."""

from __future__ import annotations

from typing import Final

from tdgen.types.cases import Case, Check, ExpectedException, Property, Suite, Value
from tdgen.types.record import FunctionResult
from tdgen.types.runs import Verdict
from tdgen.types.story.code import block
from tdgen.types.story.markup import Markup, breakable, join, tag

ORIGINS: Final = {
    "instruction": "your words",
    "user": "your own test",
    "model": "the test author",
    "property": "a property",
    "survivor": "a mutant that survived",
    "caller": "a function that calls it",
}


def cases(result: FunctionResult) -> Markup:
    """The suite's cases with their verdicts on the best attempt, and its properties."""
    verdicts = {verdict.case: verdict for verdict in result.best.verdicts} if result.best else {}
    head = tag("tr", *(tag("th", title, scope="col") for title in ("", "case", "call", "must", "on whose word")))
    rows = [_row(case, result.suite, verdicts.get(case.name)) for case in result.suite.cases]
    table = tag("table", tag("thead", head), tag("tbody", *rows), class_="cases")
    frame = tag("div", table, class_="wide", tabindex="0", role="region", aria_label=f"Cases of {result.function}")
    return join([frame, *map(_property, result.suite.properties)])


def expectation(case: Case) -> Markup:
    """What must come of a case's call, in a few words and its source."""
    match case.expectation:
        case Value(source=source):
            return join(["return ", tag("code", source)])
        case ExpectedException(type=name, match=pattern):
            return join(["raise ", tag("code", name), *([" with ", tag("code", pattern)] if pattern else [])])
        case Check(source=source):
            return join(["satisfy ", tag("code", source)])


def _row(case: Case, suite: Suite, verdict: Verdict | None) -> Markup:
    state = "waiting" if verdict is None else "green" if verdict.passed else "red"
    told = {"waiting": "not run", "green": "passes", "red": "fails"}[state]
    setup = tag("code", case.setup, class_="setup") if case.setup else None
    return tag(
        "tr",
        tag("td", tag("span", told, class_=f"badge {state}")),
        tag("td", breakable(case.name), tag("small", case.kind)),
        tag("td", setup, tag("code", case.expression)),
        tag("td", expectation(case)),
        tag("td", *_word(case, suite)),
        class_="law" if case.is_law else None,
    )


def _word(case: Case, suite: Suite) -> list[object]:
    """On whose word it stands, and what has borne it out since."""
    notes = [*(f"confirmed by {who}" for who in case.confirmed)]
    if case.is_law:
        notes.append("law: never changed")
    if case.name in suite.held_out:
        notes.append("held out: no prompt shows it")
    return [ORIGINS[case.provenance], *(tag("small", note) for note in notes)]


def _property(one: Property) -> Markup:
    why = tag("p", "Because: ", tag("q", one.why)) if one.why else None
    return tag("details", tag("summary", f"property {one.name}"), why, block(one.source, f"Property {one.name}"))
