"""A row of `results.jsonl`: how one line ended, in a form that programs read and that a later run goes on from."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from tdgen.batch.lines import Line, Malformed
from tdgen.errors import Contradicted, OutOfScope, TdgenError, UnreachableError
from tdgen.metrics import Task
from tdgen.solution import Solution
from tdgen.types import Attempt, Frozen, FunctionResult, Usage

Ending = Literal["green", "red", "undecided", "stopped", "declined", "contradicted", "failed", "malformed"]
BUG: Final = 70
LONGEST_REASON: Final = 2000
"""A refusal quotes two places of the instruction, whole."""
_ANSWERS: Final = frozenset({"repair", "trace", "fresh", "helpers"})
"""The rungs on which a model answers with code after the first."""


class Row(Frozen):
    """How one line ended.

    `outcome` is `green` where every function is; `stopped` where a budget ended it; `undecided` where no function is
    red or blocked, but not all are green; `declined` where the planner found it out of scope, `contradicted` where the
    instruction demands two things that can't both be; `failed` where another error ended it (`exit_code` is what
    `tdgen solve` would have ended with), `malformed` where the line can't be used.
    `usage` and `seconds` are what it cost in this run: nothing for what came from the cache, or from the line `twin_of`
    that asks for the same. `cases`, `first_failed` and `last_failed` count its own cases, and how many of them the
    first and the last code fail; `repairs` are the model's answers with code after the first. `mark` and `twin` tell
    the line and what it asks for from others.
    """

    line: int
    id: str
    outcome: Ending
    reason: str = ""
    exit_code: int = 0
    key: str = ""
    functions: dict[str, str] = Field(default_factory=dict)
    module: str = ""
    source: str = ""
    folder: str = ""
    trust: str = ""
    cached: bool = False
    twin_of: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0
    cases: int = 0
    first_failed: int = 0
    last_failed: int = 0
    repairs: int = 0
    promotions: int = 0
    notes: tuple[str, ...] = ()
    mark: int = 0
    twin: str = ""

    @property
    def is_final(self) -> bool:
        """Whether trying the line again could only end alike: nobody being reachable is no end."""
        return self.exit_code != UnreachableError.exit_code

    def task(self) -> Task:
        """The row as the figures count it, measured by its own cases."""
        return Task(
            self.id,
            self.cases,
            self.first_failed,
            self.last_failed,
            self.repairs,
            self.outcome == "green",
            self.usage.calls,
            self.usage.tokens,
            self.seconds,
        )


def solved_row(line: Line, solution: Solution, seconds: float, notes: tuple[str, ...] = ()) -> Row:
    """The row of a line that came to a solution, green or not."""
    results = solution.results
    reasons = [f"{r.function}: {r.reason or r.outcome}" for r in results if r.outcome != "green"]
    return Row(
        line=line.number,
        id=line.id,
        outcome=_ending(solution),
        reason=(solution.stopped or "; ".join(reasons))[:500],
        key=solution.key,
        functions={result.function: result.outcome for result in results},
        module=solution.plan.module,
        source=solution.module_source,
        trust=solution.trust,
        cached=solution.cached,
        usage=Usage() if solution.cached else solution.usage,
        seconds=round(seconds, 3),
        cases=sum(len(result.suite.cases) for result in results),
        first_failed=sum(_failed(result, result.history[0] if result.history else None) for result in results),
        last_failed=sum(_failed(result, result.best) for result in results),
        repairs=sum(attempt.rung in _ANSWERS for result in results for attempt in result.history),
        promotions=solution.promotions,
        notes=notes,
        mark=line.mark,
    )


def failed_row(line: Line, error: Exception, seconds: float = 0.0) -> Row:
    """The row of a line that an error ended."""
    if isinstance(error, TdgenError):
        reason, code = str(error), error.exit_code
    else:
        reason, code = f"this is a bug in tdgen: {type(error).__name__}: {error}", BUG
    return Row(
        line=line.number,
        id=line.id,
        outcome=_refused(error),
        reason=reason[:LONGEST_REASON],
        exit_code=code,
        seconds=round(seconds, 3),
        mark=line.mark,
    )


def _refused(error: Exception) -> Ending:
    if isinstance(error, OutOfScope):
        return "declined"
    return "contradicted" if isinstance(error, Contradicted) else "failed"


def malformed_row(found: Malformed) -> Row:
    """The row of a line that can't be used."""
    return Row(
        line=found.number, id=found.id, outcome="malformed", reason=found.reason[:500], exit_code=2, mark=found.mark
    )


def twin_row(line: Line, first: Row) -> Row:
    """The row of a line that asks for what another one asked for before."""
    spent = {"usage": Usage(), "seconds": 0.0, "twin_of": first.twin_of or first.id, "notes": ()}
    return first.model_copy(update={"line": line.number, "id": line.id, "mark": line.mark, **spent})


def _ending(solution: Solution) -> Ending:
    if solution.all_tests_passed:
        return "green"
    if solution.stopped:
        return "stopped"
    return "red" if any(result.outcome in ("red", "blocked") for result in solution.results) else "undecided"


def _failed(result: FunctionResult, attempt: Attempt | None) -> int:
    """How many of the function's cases that attempt fails: all where there is none, or it could not be run."""
    cases = len(result.suite.cases)
    if attempt is None or attempt.findings or not attempt.verdicts:
        return cases
    return min(cases, len(attempt.verdicts) - attempt.passed)
