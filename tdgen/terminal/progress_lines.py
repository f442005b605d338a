"""Progress as plain lines: what happens while one instruction is solved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tdgen.events import (
    AttemptJudged,
    CaseRevised,
    Event,
    FunctionEnded,
    ModelAnswered,
    ModelAsked,
    Noted,
    PlanMade,
    RedSeen,
    StageFinished,
    SuiteWritten,
)
from tdgen.terminal.output import Line, count, dollars, one_line
from tdgen.types import Attempt

ROLES = {"plan": "planner", "cases": "tester", "implement": "developer", "repair": "developer", "trial": "trial"}
WIDTH = max(map(len, ROLES.values())) + 1
MOST_METHODS: Final = 8
"""Of a class in the line of the plan."""


def lines_of(event: Event, *, verbose: bool = False) -> Iterator[Line]:
    """The lines that tell of an event; none where it only matters to who wants to know more."""
    match event:
        case PlanMade():
            yield _line("planner", plan_line(event))
            for question in event.plan.questions:
                yield _line("planner", f"unclear: {question.question} Assumed: {question.assumption}")
        case SuiteWritten(suite=suite):
            yield _line("tester", f"{suite.function}: {count(len(suite.cases), 'case')}")
        case RedSeen(function=function, red=red, cases=cases):
            yield _line("red", f"{function}: {red} of {count(cases, 'case')} fail while nothing is written")
        case AttemptJudged(attempt=attempt):
            is_there = attempt.rung == "existing"
            text = f"{attempt.function}: {'' if is_there else f'attempt {attempt.number}: '}{attempt_line(attempt)}"
            yield _line("code" if is_there else "developer", text)._replace(style="good" if attempt.green else "plain")
        case FunctionEnded(outcome=outcome):
            why = f": {event.reason}" if event.reason else ""
            text = f"{event.function}: {outcome}{why}" + (" (as it was kept)" if event.reused else "")
            yield _line("developer", text)._replace(style="good" if outcome == "green" else "bad")
        case CaseRevised(revision=revision):
            yield _line("case", f"{revision.function}: {revision.case} {revision.action}: {revision.reason}")
        case _:
            yield from _aside(event, verbose=verbose)


def plan_line(event: PlanMade) -> str:
    """The plan in a line: how many units there are, and in which order they are built, a class with its methods."""
    shown: dict[str, str] = {}
    for spec in event.plan.functions:
        names = spec.interface.offered if spec.interface else ()
        more = f" and {len(names) - MOST_METHODS} more" if len(names) > MOST_METHODS else ""
        shown[spec.name] = f"{spec.name} ({', '.join(names[:MOST_METHODS])}{more})" if names else spec.name
    order = " → ".join(", ".join(shown.get(name, name) for name in names) for names in event.generations)
    return f"{event.plan.module}: {event.plan.counted}: {order}"


def attempt_line(attempt: Attempt) -> str:
    """How an attempt fared, in a few words."""
    cases = len(attempt.verdicts)
    if attempt.findings:
        return f"not run: {attempt.findings[0]}"
    if attempt.vetoes:
        return f"{count(cases, 'case')} pass, but {attempt.vetoes[0]}"
    if attempt.passed == cases:
        return f"all {count(cases, 'case')} pass" if cases != 1 else "its case passes"
    return f"{attempt.passed} of {count(cases, 'case')} pass"


def _aside(event: Event, *, verbose: bool) -> Iterator[Line]:
    """What happens beside the stages."""
    match event:
        case Noted(text=text):
            yield _line("note", text)
        case ModelAsked(purpose="plan", subject="", attempt=1):
            yield _line("planner", "asked for the plan")
        case ModelAsked() | ModelAnswered() | StageFinished() if verbose:
            yield _detail(event)


def _detail(event: ModelAsked | ModelAnswered | StageFinished) -> Line:
    if isinstance(event, StageFinished):
        return _line(event.stage, f"done in {event.seconds:.1f} s")._replace(style="faint")
    about = f" of {event.subject}" if event.subject else ""
    what = f"{event.purpose}{about}, attempt {event.attempt}"
    if isinstance(event, ModelAsked):
        return _line("model", f"asked for {what}")._replace(style="faint")
    usage = event.usage
    money = f"{dollars(usage.cost)}, " if usage.cost is not None else ""
    cost = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens, {money}{event.seconds:.1f} s"
    return _line("model", f"answered {what}: {'from the unfinished run' if event.replayed else cost}")._replace(
        style="faint"
    )


def _line(who: str, text: str) -> Line:
    return Line(f"{who:<{WIDTH}}{one_line(text, 400)}")
