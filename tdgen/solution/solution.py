"""The solution: the record of what came of an instruction, and the ways out of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tdgen.saving import Place
from tdgen.solution.as_dict import solution_dict
from tdgen.solution.layouts import Layout
from tdgen.solution.package import package_files, write_package
from tdgen.solution.summary import brief
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
