"""Progress as plain lines: of one instruction, and of a batch."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from tdgen.cli.speaking import Line, count, dollars, is_terminal, one_line, say
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
from tdgen.types import Attempt, FunctionSpec, Usage

if TYPE_CHECKING:
    from tdgen.batch.results import Row
    from tdgen.batch.running import OnRow


ROLES = {"plan": "planner", "cases": "tester", "implement": "developer", "repair": "developer", "trial": "trial"}
WIDTH = max(map(len, ROLES.values())) + 1
MOST_METHODS: Final = 8
"""Of a class in the line of the plan."""


def lines_of(event: Event, *, verbose: bool = False) -> Iterator[Line]:
    """The lines that tell of an event; none where it only matters to who wants to know more."""
    match event:
        case PlanMade():
            yield _line("planner", plan_told(event))
            for question in event.plan.questions:
                yield _line("planner", f"unclear: {question.question} Assumed: {question.assumption}")
        case SuiteWritten(suite=suite):
            yield _line("tester", f"{suite.function}: {count(len(suite.cases), 'case')}")
        case RedSeen(function=function, red=red, cases=cases):
            yield _line("red", f"{function}: {red} of {count(cases, 'case')} fail while nothing is written")
        case AttemptJudged(attempt=attempt):
            is_there = attempt.rung == "existing"
            text = f"{attempt.function}: {'' if is_there else f'attempt {attempt.number}: '}{attempt_told(attempt)}"
            yield _line("code" if is_there else "developer", text)._replace(style="good" if attempt.green else "plain")
        case FunctionEnded():
            yield from _ended(event)
        case CaseRevised(revision=revision):
            yield _line("case", f"{revision.function}: {revision.case} {revision.action}: {revision.reason}")
        case _:
            yield from _aside(event, verbose=verbose)


def plan_told(event: PlanMade) -> str:
    """The plan in a line: how many units there are, and in which order they are built, a class with its methods."""
    shown = {spec.name: _shown(spec) for spec in event.plan.functions}
    order = " → ".join(", ".join(shown.get(name, name) for name in names) for names in event.generations)
    return f"{event.plan.module}: {event.plan.counted}: {order}"


def _shown(spec: FunctionSpec) -> str:
    names = spec.interface.offered if spec.interface else ()
    more = f" and {len(names) - MOST_METHODS} more" if len(names) > MOST_METHODS else ""
    return f"{spec.name} ({', '.join(names[:MOST_METHODS])}{more})" if names else spec.name


def attempt_told(attempt: Attempt) -> str:
    """How an attempt fared, in a few words."""
    cases = len(attempt.verdicts)
    if attempt.findings:
        return f"not run: {attempt.findings[0]}"
    if attempt.vetoes:
        return f"{count(cases, 'case')} pass, but {attempt.vetoes[0]}"
    if attempt.passed == cases:
        return f"all {count(cases, 'case')} pass" if cases != 1 else "its case passes"
    return f"{attempt.passed} of {count(cases, 'case')} pass"


def _ended(event: FunctionEnded) -> Iterator[Line]:
    why = f": {event.reason}" if event.reason else ""
    text = f"{event.function}: {event.outcome}{why}" + (" (as it was kept)" if event.reused else "")
    yield _line("developer", text)._replace(style="good" if event.outcome == "green" else "bad")


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


DRAW_S: Final = 0.2
TELL_S: Final = 30.0


@contextmanager
def watched(*, quiet: bool = False) -> Iterator[OnRow]:
    """What hears the rows while the block runs."""
    if quiet:
        yield lambda row, ended, total: None
        return
    watch = Watch(live=is_terminal(sys.stderr))
    try:
        yield watch.take
    finally:
        watch.close()


class Watch:
    """Tells of each line that did not end green, and of the whole as often as one can read it."""

    def __init__(self, *, live: bool) -> None:
        from tdgen.batch.limits import Pace

        self._live = live
        self._pace = Pace()
        self._outcomes: Counter[str] = Counter()
        self._spent = Usage()
        self._told = time.monotonic()

    def take(self, row: Row, ended: int, total: int) -> None:
        """A line has ended."""
        self._pace.tick()
        self._outcomes[row.outcome] += 1
        self._spent += row.usage
        if row.outcome != "green":
            self._erase()
            say(one_line(f"{row.outcome:<9} line {row.line} {row.id}: {row.reason}", 400), "bad")
        now = time.monotonic()
        if now - self._told >= (DRAW_S if self._live else TELL_S):
            self._told = now
            self._tell(
                status(self._outcomes, self._spent, self._pace.rate, ended, total, self._pace.to_go(total - ended))
            )

    def close(self) -> None:
        """Leave no half-told line behind."""
        self._erase()

    def _tell(self, text: str) -> None:
        if not self._live:
            say(text, "faint")
            return
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()

    def _erase(self) -> None:
        if self._live:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def status(outcomes: Counter[str], spent: Usage, rate: float, ended: int, total: int, to_go: float | None) -> str:
    """`120 of 1,000 · 117 green, 3 red · 2.1 lines/s · $0.42 · 7:00 to go`."""
    counts = ", ".join(f"{number:,} {name}" for name, number in outcomes.items())
    money = dollars(spent.cost) if spent.cost is not None else f"{spent.tokens:,} tokens"
    parts = [f"{ended:,} of {total:,}", counts, f"{rate:.3g} lines/s", money]
    if to_go is not None and total > ended:
        parts.append(f"{clock(to_go)} to go")
    return " · ".join(filter(None, parts))


def clock(seconds: float) -> str:
    """`0:07`, `12:40`, `3:02:11`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
