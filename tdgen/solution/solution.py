"""The solution: the record of what came of an instruction, and the ways out of it.

A solution in three lines, as `print` shows it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from tdgen.files.saving import Place
from tdgen.solution.as_dict import solution_dict
from tdgen.solution.layouts import Layout
from tdgen.solution.package import package_files, write_package
from tdgen.types.record import SolutionRecord


class Solution(SolutionRecord):
    """Everything that came of one instruction; what `tdgen.solve` gives back."""

    def __str__(self) -> str:
        """What came of it, what it cost, and its key: three lines."""
        return brief(self)

    def to_dict(self) -> dict[str, Any]:
        """The solution as plain JSON data, in the shape that the documentation promises."""
        return solution_dict(self)

    def files(self, layout: Layout = "package", *, readme: bool = False) -> dict[str, str]:
        """The files of a folder with the solution by their paths: the module, its tests, what makes them importable."""
        return package_files(self, layout, readme=readme)

    def to_html(self) -> str:
        """The story of the solution as one HTML document that needs nothing beside itself, and runs no script."""
        from tdgen.solution.story import story_html

        return story_html(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from tdgen.solution.story import story_frame

        return story_frame(self)

    def save(
        self,
        folder: str | Path,
        *,
        layout: Layout | None = None,
        readme: bool = False,
        force: bool = False,
        overwrite: bool = False,
    ) -> Path:
        """Write the solution's files into `folder`, all or none, formatted as the user's settings there say.

        InputError where something would be lost: `force` writes beside what others put there, and `overwrite` also
        replaces what tdgen wrote there and somebody changed. The record in `.tdgen/` is what `tdgen verify` reads.
        """
        write_package(self, Place(Path(folder), force=force, overwrite=overwrite), layout, readme=readme)
        return Path(folder)


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
