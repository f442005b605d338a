"""What stands behind an outcome: attempts, how hard the suite is to deceive, and what confirmed its cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tdgen.cli.speaking import Line, count, one_line

if TYPE_CHECKING:
    from tdgen.solution import Solution
    from tdgen.types import Attempt, Case, FunctionResult, Strength

MOST = 400


def detail_lines(solution: Solution) -> Iterator[Line]:
    """For each function its attempts, the mutants that survived and the cases that were confirmed; then the notes."""
    for result in solution.results:
        yield Line(f"{result.function}:", "strong")
        yield from (Line(f"    {one_line(text, MOST)}") for text in _details(result))
    yield from (Line(one_line(f"note: {note}", MOST), "faint") for note in solution.notes)


def _details(result: FunctionResult) -> Iterator[str]:
    yield from map(_attempt, result.history)
    if result.strength is not None:
        yield from _strength(result.strength)
    yield from map(_confirmed, (case for case in result.suite.cases if case.confirmed))


def _attempt(attempt: Attempt) -> str:
    mended = f"; put right without asking: {', '.join(attempt.mended)}" if attempt.mended else ""
    objections = len(attempt.findings) + len(attempt.vetoes)
    against = f"; {count(objections, 'objection')}" if objections else ""
    told = f"{attempt.passed} of {count(len(attempt.verdicts), 'case')}" if attempt.verdicts else "not run"
    return f"attempt {attempt.number} ({attempt.rung}): {told}{against}{mended}"


def _strength(strength: Strength) -> Iterator[str]:
    yield f"strength: {strength.sentence or 'no mutant could be told apart'}"
    reach = {"lines": strength.lines, "branches": strength.branches}
    if told := " and ".join(f"{share:.0%} of its {what}" for what, share in reach.items() if share is not None):
        yield f"coverage: {told}"
    for one in strength.survivors:
        yield f"survived: line {one.line}: `{one.before}` as `{one.after}`"


def _confirmed(case: Case) -> str:
    return f"confirmed: {case.name} by {', '.join(case.confirmed)}"
