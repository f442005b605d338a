"""A solution, told in lines on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from tdgen.terminal.output import Line, Style, count, one_line, spending, spent_lines

if TYPE_CHECKING:
    from tdgen.solution import Solution
    from tdgen.types import FunctionResult, Verdict

MOST = 400


def detail_lines(solution: Solution) -> Iterator[Line]:
    """For each function its attempts, the mutants that survived and the cases that were confirmed; then the notes."""
    for result in solution.results:
        yield Line(f"{result.function}:", "strong")
        yield from (Line(f"    {one_line(text, MOST)}") for text in _details(result))
    yield from (Line(one_line(f"note: {note}", MOST), "faint") for note in solution.notes)


def _details(result: FunctionResult) -> Iterator[str]:
    for one in result.history:
        mended = f"; put right without asking: {', '.join(one.mended)}" if one.mended else ""
        objections = len(one.findings) + len(one.vetoes)
        against = f"; {count(objections, 'objection')}" if objections else ""
        text = f"{one.passed} of {count(len(one.verdicts), 'case')}" if one.verdicts else "not run"
        yield f"attempt {one.number} ({one.rung}): {text}{against}{mended}"
    if result.strength is not None:
        yield f"strength: {result.strength.sentence or 'no mutant could be told apart'}"
        reach = {"lines": result.strength.lines, "branches": result.strength.branches}
        if text := " and ".join(f"{share:.0%} of its {what}" for what, share in reach.items() if share is not None):
            yield f"coverage: {text}"
        for mutant in result.strength.survivors:
            yield f"survived: line {mutant.line}: `{mutant.before}` as `{mutant.after}`"
    for case in result.suite.cases:
        if case.confirmed:
            yield f"confirmed: {case.name} by {', '.join(case.confirmed)}"


SHORT_KEY: Final = 12
MOST_FAILURES: Final = 3  # of a function, that a summary shows; a judgement
LONGEST_VALUE: Final = 300


def short(key: str) -> str:
    """A key as people copy it."""
    return key.removeprefix("sha256:")[:SHORT_KEY]


def summary(solution: Solution, *, verbose: bool = False) -> Iterator[Line]:
    """The lines that tell of a solution; what was spent where is for who wants to know more."""
    width = max((len(result.function) for result in solution.results), default=0)
    for result in solution.results:
        yield from _result(result, width)
    yield from doubt_lines(solution)
    if verbose:
        yield from detail_lines(solution)
        yield from spent_lines(solution.spent)
    yield _bottom_line(solution)
    yield Line(one_line(cost(solution)), "faint")


def doubt_lines(solution: Solution) -> Iterator[Line]:
    """Cases that were changed or set aside, and what is unclear."""
    for revision in solution.revisions:
        text = f"{revision.function}: the case {revision.case} was {revision.sentence}"
        yield Line(one_line(text, MOST), "faint")
    for question in solution.questions or solution.plan.questions:
        word = "You answered" if question.answered else "Assumed"
        yield Line(one_line(f"unclear: {question.question} {word}: {question.assumption}", MOST))


def failures(result: FunctionResult) -> list[str]:
    """What stands against a function's best attempt, the smallest case first; a few lines at most."""
    best = result.best
    if best is None:
        return []
    calls = {case.name: case.done.text for case in result.suite.cases}
    failed = [verdict for verdict in best.verdicts if not verdict.passed]
    failed.sort(key=lambda verdict: (len(calls.get(verdict.case, "")), verdict.case))
    lines = [failure_line(verdict, calls.get(verdict.case, verdict.case)) for verdict in failed[:MOST_FAILURES]]
    if len(failed) > MOST_FAILURES:
        lines.append(f"and {count(len(failed) - MOST_FAILURES, 'failing case')} more")
    return [*map(_cut, best.findings), *lines, *map(_cut, best.vetoes)]


def failure_line(verdict: Verdict, call: str) -> str:
    """What a call should have done and what it did, in a line."""
    what = verdict.differences[0].sentence if verdict.differences else verdict.detail or verdict.status
    return _cut(f"{call}: {what}")


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
    functions = solution.plan.counted
    if solution.all_tests_passed:
        cached = " (from the cache)" if solution.cached else ""
        return Line(f"all green: {functions}{cached}", "good")
    stopped = f"; stopped: {solution.stopped}" if solution.stopped else ""
    return Line(one_line(f"not all green: {green} of {functions}{stopped}"), "bad")


def cost(solution: Solution) -> str:
    """What it cost, how it was checked, and its key, in a line."""
    spent = f"{spending(solution.usage, 'model call')}, {solution.seconds:.1f} s"
    when = "when it was made: " if solution.cached else ""
    return f"{when}{spent} · trust {solution.trust} · {solution.model} · key {short(solution.key)}"
