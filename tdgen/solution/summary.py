"""A solution in three lines, as `print` shows it."""

from __future__ import annotations

from typing import Final

from tdgen.types.record import SolutionRecord

MOST_NAMES: Final = 6


def brief(solution: SolutionRecord) -> str:
    """How it ended function by function, what it cost, and where it is kept."""
    outcomes: dict[str, list[str]] = {}
    for result in solution.results:
        outcomes.setdefault(result.outcome, []).append(result.function)
    told = "; ".join(f"{outcome}: {_names(functions)}" for outcome, functions in outcomes.items())
    ended = "all green" if solution.all_tests_passed else "not all green"
    stopped = f"; stopped: {solution.stopped}" if solution.stopped else ""
    cases = sum(len(result.suite.cases) for result in solution.results)
    usage = solution.usage
    spent = [
        f"{cases:,} cases",
        f"{usage.calls:,} model calls",
        f"{usage.tokens:,} tokens",
        f"{solution.seconds:.1f} s",
    ]
    made = f"{', '.join(spent)}, {solution.trust}, {solution.model}{', from the cache' if solution.cached else ''}"
    lines = (f"{solution.plan.module}: {ended} ({told}){stopped}", made, f"key {solution.key}")
    return "\n".join(" ".join(line.split()) for line in lines)


def _names(functions: list[str]) -> str:
    more = len(functions) - MOST_NAMES
    return ", ".join(functions[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
