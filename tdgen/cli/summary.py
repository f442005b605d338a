"""What came of an instruction, told in lines: outcomes first, then why, then what it cost and where it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from tdgen.cli.details import detail_lines
from tdgen.cli.speaking import Line, Style, count, one_line
from tdgen.cli.spending import spent_lines, told

if TYPE_CHECKING:
    from tdgen.solution import Solution
    from tdgen.types import FunctionResult, Verdict

SHORT_KEY: Final = 12
MOST_FAILURES: Final = 3
LONGEST_VALUE: Final = 300


def short(key: str) -> str:
    """A key as people copy it."""
    return key.removeprefix("sha256:")[:SHORT_KEY]


def summary(solution: Solution, *, verbose: bool = False) -> Iterator[Line]:
    """The lines that tell of a solution; what was spent where is for who wants to know more."""
    width = max((len(result.function) for result in solution.results), default=0)
    for result in solution.results:
        yield from _result(result, width)
    for revision in solution.revisions:
        text = f"{revision.function}: the case {revision.case} was {revision.sentence}"
        yield Line(one_line(text, 400), "faint")
    for question in solution.questions or solution.plan.questions:
        word = "You answered" if question.answered else "Assumed"
        yield Line(one_line(f"unclear: {question.question} {word}: {question.assumption}", 400))
    if verbose:
        yield from detail_lines(solution)
        yield from spent_lines(solution.spent)
    yield _bottom_line(solution)
    yield Line(one_line(_cost(solution)), "faint")


def failures(result: FunctionResult) -> list[str]:
    """What stands against a function's best attempt, the smallest case first; a few lines at most."""
    best = result.best
    if best is None:
        return []
    calls = {case.name: case.done.text for case in result.suite.cases}
    failed = [verdict for verdict in best.verdicts if not verdict.passed]
    failed.sort(key=lambda verdict: (len(calls.get(verdict.case, "")), verdict.case))
    lines = [failure_told(verdict, calls.get(verdict.case, verdict.case)) for verdict in failed[:MOST_FAILURES]]
    if len(failed) > MOST_FAILURES:
        lines.append(f"and {count(len(failed) - MOST_FAILURES, 'failing case')} more")
    return [*map(_cut, best.findings), *lines, *map(_cut, best.vetoes)]


def failure_told(verdict: Verdict, call: str) -> str:
    """What a call should have done and what it did, in a line."""
    found = verdict.differences[0].sentence if verdict.differences else verdict.detail or verdict.status
    return _cut(f"{call}: {found}")


def _result(result: FunctionResult, width: int) -> Iterator[Line]:
    cases = count(len(result.suite.cases), "case")
    attempts = count(len(result.history), "attempt")
    style: Style = "good" if result.outcome == "green" else "bad"
    reason = f": {one_line(result.reason, 400)}" if result.reason else ""
    strength = f", {result.strength.sentence}" if result.strength and result.strength.sentence else ""
    yield Line(f"{result.outcome:<9} {result.function:<{width}}  {cases}, {attempts}{strength}{reason}", style)
    if result.outcome != "green":
        yield from (Line("          " + line) for line in failures(result))


def _cut(text: str) -> str:
    return one_line(text, LONGEST_VALUE)


def _bottom_line(solution: Solution) -> Line:
    green = sum(result.outcome == "green" for result in solution.results)
    functions = count(len(solution.results), "function")
    if solution.all_tests_passed:
        cached = " (from the cache)" if solution.cached else ""
        return Line(f"all green: {functions}{cached}", "good")
    stopped = f"; stopped: {solution.stopped}" if solution.stopped else ""
    return Line(one_line(f"not all green: {green} of {functions}{stopped}"), "bad")


def _cost(solution: Solution) -> str:
    spent = f"{told(solution.usage, 'model call')}, {solution.seconds:.1f} s"
    when = "when it was made: " if solution.cached else ""
    return f"{when}{spent} · trust {solution.trust} · {solution.model} · key {short(solution.key)}"
