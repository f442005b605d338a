"""Attempts at a function, one after the other: what changed from the last, and what each case saw instead."""

from __future__ import annotations

from tdgen.solution.story.code import block, changes, folded
from tdgen.solution.story.markup import Markup, breakable, join, tag
from tdgen.solution.story.words import RUNGS, STATE_MARKS
from tdgen.types.cases import Suite
from tdgen.types.record import Attempt, FunctionResult
from tdgen.types.runs import Raised, Verdict


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
        tag("li", tag("code", f"{frame.function}, line {frame.line}: {frame.text.strip()}"), _locals(frame.locals))
        for frame in raised.frames
    ]
    return tag("div", tag("p", tag("code", said)), tag("ol", *frames) if frames else None, class_="raised")


def _locals(values: dict[str, str]) -> Markup | None:
    return tag("small", ", ".join(f"{name} = {value}" for name, value in values.items())) if values else None


def _listed(title: str, lines: tuple[str, ...] | list[str]) -> Markup | None:
    return join([tag("h5", title), tag("ul", *(tag("li", line) for line in lines))]) if lines else None
