"""The parts of a page about functions: the instruction, one function, its attempts, its cases."""

from __future__ import annotations

import ast
from collections.abc import Collection

from tdgen.solution_html.code import block, changes, folded
from tdgen.solution_html.layout import ORIGINS, RUNGS, STATE_MARKS, Markup, breakable, join, tag
from tdgen.source.syntax import methods_of, parse, walk
from tdgen.terminal.output import count
from tdgen.types.cases import Case, Check, Exits, ExpectedException, Pattern, Suite, Value
from tdgen.types.interface import ClassInterface, file_of_tests
from tdgen.types.plan import FunctionSpec
from tdgen.types.record import Attempt, FunctionResult, Revision, SolutionRecord, Strength
from tdgen.types.runs import Raised, Verdict


def asked(solution: SolutionRecord, anchor: str = "function-") -> Markup:
    """The user's words; `anchor` begins the ids of a solution's functions."""
    text = solution.instruction.strip()
    suites = {result.function: result.suite for result in solution.results}
    bound: dict[str, list[str]] = {passage: [] for passage in solution.plan.unassigned}
    for spec in solution.plan.functions:
        for passage in spec.passages:
            bound.setdefault(passage, []).append(spec.name)
    parts, done = list[object](), 0
    for passage in sorted(bound, key=text.find):
        start = text.find(passage, done)
        if start < 0:
            continue
        links: list[Markup] = []
        for name in bound[passage]:
            suite = suites.get(name)
            cases = suite.showing(passage) if suite else None
            number = "" if cases is None else " no case" if not cases else f" {len(cases)}"
            title = "" if cases is None else ", ".join(case.name for case in cases) or "no case shows it"
            links.append(tag("a", f"{name}{number}", href=f"#{anchor}{name}", title=title or None))
        marks = join(links, " ") if links else tag("em", "no function")
        parts += [text[done:start], tag("span", passage, class_="passage"), " ", tag("small", marks, class_="bound")]
        done = start + len(passage)
    return tag("blockquote", *parts, text[done:])


def attempts(result: FunctionResult) -> Markup:
    """All attempts at a function, the last one that was wrong opened."""
    parts: list[Markup] = []
    before: Attempt | None = None
    for attempt in result.history:
        parts.append(_attempt(attempt, before, result.suite, is_open=attempt is result.history[-1]))
        before = attempt
    return join(parts)


def _attempt(attempt: Attempt, before: Attempt | None, suite: Suite, *, is_open: bool) -> Markup:
    failed = [verdict for verdict in attempt.verdicts if not verdict.passed]
    state = "green" if attempt.green else "red"
    counts = f"{attempt.passed} of {len(attempt.verdicts)} cases pass" if attempt.verdicts else "not run"
    heading = tag(
        "summary",
        tag("span", f"{STATE_MARKS[state]} attempt {attempt.number}", class_=f"badge {state}"),
        f" {counts}: {RUNGS[attempt.rung]}",
    )
    against = [*attempt.findings, *attempt.vetoes]
    label = f"Attempt {attempt.number} at {attempt.function}"
    source = changes(before.source, attempt.source, f"{label}, changes") if before else block(attempt.source, label)
    return tag(
        "details",
        heading,
        _listed("Stands against it", against),
        _listed("Put right without asking again", attempt.mended),
        *(failing(verdict, suite) for verdict in failed),
        tag("h5", f"Changed since attempt {before.number}" if before else "Its source"),
        source,
        open=is_open and not attempt.green,
        class_="attempt",
    )


def failing(verdict: Verdict, suite: Suite) -> Markup:
    """A case that failed: its call, and what was expected against what was seen."""
    call = next((case.done.text for case in suite.cases if case.name == verdict.case), "")
    rows = [
        tag(
            "tr",
            tag("td", one.where or "result"),
            tag("td", folded(one.expected)),
            tag("td", folded(one.actual)),
        )
        for one in verdict.differences
    ]
    head = tag("tr", *(tag("th", title, scope="col") for title in ("where", "expected", "actual")))
    table = tag("table", tag("thead", head), tag("tbody", *rows), class_="difference") if rows else None
    return tag(
        "div",
        tag("h5", breakable(verdict.case)),
        tag("div", folded(call), class_="call") if call else None,
        table,
        tag("p", verdict.detail) if verdict.detail else None,
        tag("div", "It did this: ", folded(verdict.actual)) if verdict.actual and not rows else None,
        _raised(verdict.raised) if verdict.raised else None,
        class_="failing",
    )


def _raised(raised: Raised) -> Markup:
    said = f"{raised.type}: {raised.message}" if raised.message else raised.type
    frames = [
        tag(
            "li",
            tag("code", f"{frame.function}, line {frame.line}: {frame.text.strip()}"),
            tag("small", ", ".join(f"{name} = {value}" for name, value in frame.locals.items()))
            if frame.locals
            else None,
        )
        for frame in raised.frames
    ]
    return tag("div", tag("p", tag("code", said)), tag("ol", *frames) if frames else None, class_="raised")


def _listed(title: str, lines: tuple[str, ...] | list[str]) -> Markup | None:
    return join([tag("h5", title), tag("ul", *(tag("li", line) for line in lines))]) if lines else None


def cases(result: FunctionResult) -> Markup:
    """The suite's cases with their verdicts on the best attempt, and its properties."""
    verdicts = {verdict.case: verdict for verdict in result.best.verdicts} if result.best else {}
    head = tag("tr", *(tag("th", title, scope="col") for title in ("case", "call", "expected", "actual")))
    rows = [_row(case, result.suite, verdicts.get(case.name)) for case in result.suite.cases]
    table = tag("table", tag("thead", head), tag("tbody", *rows), class_="cases")
    properties = []
    for one in result.suite.properties:
        why = tag("p", "Because: ", tag("q", one.why)) if one.why else None
        text = block(one.source, f"Property {one.name}")
        properties.append(tag("details", tag("summary", f"property {one.name}"), why, text))
    return join([tag("div", table, class_="cases-frame"), *properties])


def expectation(case: Case) -> Markup:
    """What must come of a case's call, in a few words and its source."""
    streams = {"print ": case.stdout, "print to stderr ": case.stderr}
    texts: dict[str, str | bytes] = {what: text for what, text in streams.items() if isinstance(text, str)}
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
    text = {"waiting": "not run", "green": "passes", "red": "fails"}[state]
    mark = tag("span", STATE_MARKS[state], class_=f"mark {state}", title=text, role="img", aria_label=text)
    setup = tag("code", case.setup, class_="setup") if case.setup else None
    name = tag("strong", breakable(case.name))
    pinned = ["pinned: never changed"] if case.is_pinned else []
    held_out = ["held out of every prompt"] if case.name in suite.held_out else []
    confirmed = [f"confirmed by {who}" for who in case.confirmed]
    standing = " · ".join([case.kind, ORIGINS[case.provenance], *pinned, *held_out, *confirmed])
    return tag(
        "tr",
        tag("td", mark, tag("div", name, tag("small", standing)), class_="case"),
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


def function(solution: SolutionRecord, result: FunctionResult, anchor: str = "function-") -> Markup:
    """All there is to say of a function; `anchor` begins the ids of a solution's functions."""
    spec = solution.plan.spec(result.function)
    revised = [revision for revision in solution.revisions if revision.function == result.function]
    return tag(
        "section",
        tag("h3", breakable(spec.name), " ", badge(result.outcome, result.outcome)),
        tag("p", result.reason, class_="reason") if result.reason else None,
        _contract(spec, [other.name for other in solution.plan.functions if spec.name in other.dependencies], anchor),
        _calls(spec, result),
        tag("h4", count(len(result.suite.cases), "case")),
        cases(result),
        tag("h4", "Cases that were changed or set aside") if revised else None,
        tag("ul", *map(_revision, revised), class_="revisions") if revised else None,
        _strength(result.strength) if result.strength else None,
        _sources(solution, result),
        tag("h4", count(len(result.history), "attempt")),
        attempts(result),
        id=f"{anchor}{spec.name}",
        class_="function",
    )


def badge(outcome: str, text: str) -> Markup:
    """A state in its colour, with its mark."""
    return tag("span", f"{STATE_MARKS[outcome]} {text}", class_=f"badge {outcome}")


def _contract(spec: FunctionSpec, users: list[str], anchor: str) -> Markup:
    said = [tag("li", f"returns {spec.returns.description}")] if spec.returns.description else []
    said += [tag("li", "raises ", tag("code", one.type), f" when {one.when}") for one in spec.raises]
    said += [
        tag("li", f"{relation} ", join([tag("a", tag("code", name), href=f"#{anchor}{name}") for name in names], ", "))
        for relation, names in (("needs", spec.dependencies), ("is needed by", users))
        if names
    ]
    said += [tag("li", "corrected: ", one.sentence) for one in spec.corrections]
    return tag(
        "div",
        tag("p", tag("code", spec.signature), class_="signature"),
        tag("p", spec.purpose),
        _methods(spec.interface) if spec.interface else None,
        tag("ul", *said) if said else None,
        class_="contract",
    )


def _methods(interface: ClassInterface) -> Markup:
    """A class's attributes and methods, a line each."""
    items = [tag("li", tag("code", f"@{decorator}")) for decorator in interface.decorators]
    items += [tag("li", tag("code", one.told), f" {one.description}") for one in interface.attributes]
    items += [tag("li", tag("code", method.told), f" {method.purpose}") for method in interface.methods]
    return tag("ul", *items, class_="methods")


def _calls(spec: FunctionSpec, result: FunctionResult) -> Markup | None:
    """Which methods of a class use which, and which of its dependencies, as its code says."""
    if not spec.interface or result.best is None:
        return None
    try:
        used = _uses_of_methods(parse(result.best.source), spec.name, spec.dependencies)
    except SyntaxError:
        return None
    items = [
        tag("li", tag("code", name), " uses ", join([tag("code", other) for other in others], ", "))
        for name, others in used.items()
    ]
    return join([tag("h4", "Its methods use"), tag("ul", *items, class_="methods")]) if items else None


def _sources(solution: SolutionRecord, result: FunctionResult) -> Markup:
    """The code, and beside it the test file."""
    tests = solution.test_files.get(file_of_tests(result.function), "")
    code = result.source
    title = "Code" if result.outcome == "green" else "Best attempt"
    shown = [
        block(source, f"{label} of {result.function}", head)
        for source, label, head in ((code, "Code", title), (tests, "Tests", file_of_tests(result.function)))
        if source
    ]
    return tag("div", *shown, class_="beside") if shown else tag("p", "No code.", class_="faint")


def _revision(one: Revision) -> Markup:
    changed = tag("p", tag("del", one.before), " → ", tag("ins", one.after)) if one.before or one.after else None
    quoted = tag("p", "Because: ", tag("q", one.quote)) if one.quote else None
    return tag("li", tag("code", one.case), f" was {one.action}: {one.reason}", changed, quoted)


def _strength(strength: Strength) -> Markup:
    text = f"{strength.killed} of {strength.mutants} small changes to the code make a case fail ({strength.score:.0%})"
    reach = f"; the cases reach {strength.lines:.0%} of its lines" if strength.lines is not None else ""
    survived = [
        tag("li", f"line {one.line}: ", tag("del", one.before), " → ", tag("ins", one.after))
        for one in strength.survivors
    ]
    return join(
        [
            tag("h4", "Mutants"),
            tag("p", text + reach),
            tag("ul", *survived) if survived else None,
        ]
    )


def _uses_of_methods(tree: ast.Module, name: str, others: Collection[str]) -> dict[str, tuple[str, ...]]:
    """What each method of the class `name` uses: methods of the class by `self` or `cls`, and those of `others`.

    In the order of the text, by the method's name; a method that uses none is left out.
    """
    uses: dict[str, dict[str, None]] = {}
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    methods = [method for one in classes for method in methods_of(one)]
    own = {method.name for method in methods}
    for method in methods:
        used = uses.setdefault(method.name, {})
        for node in (node for statement in method.body for node in walk(statement)):
            match node:
                case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=attr) if attr in own - {method.name}:
                    used.setdefault(attr)
                case ast.Name(id=read) if read in others:
                    used.setdefault(read)
    return {method: tuple(used) for method, used in uses.items() if used}
