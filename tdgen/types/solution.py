"""The solution: the record of what came of an instruction, and the ways out of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tdgen.types.brief import brief
from tdgen.types.contract import solution_dict
from tdgen.types.readme import readme
from tdgen.types.record import SolutionRecord
from tdgen.types.saving import save_files


class Solution(SolutionRecord):
    """Everything that came of one instruction; what `tdgen.solve` gives back."""

    def __str__(self) -> str:
        """What came of it, what it cost, and its key: three lines."""
        return brief(self)

    def to_dict(self) -> dict[str, Any]:
        """The solution as plain JSON data, in the shape that the documentation promises."""
        return solution_dict(self)

    def files(self) -> dict[str, str]:
        """The package's files by name: the module, its tests, a README, and `tdgen.json` to verify it by."""
        return {
            f"{self.plan.module}.py": self.module_source,
            **self.test_files,
            "README.md": readme(self),
            "tdgen.json": self.model_dump_json(indent=1) + "\n",
        }

    def to_html(self) -> str:
        """The story of the solution as one HTML document that needs nothing beside itself, and runs no script."""
        from tdgen.types.story import story_html

        return story_html(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from tdgen.types.story import story_frame

        return story_frame(self)

    def save(self, folder: str | Path, *, force: bool = False) -> Path:
        """Write the package into `folder`, whole or not at all; InputError where it holds what would be lost."""
        save_files(Path(folder), self.files(), force=force)
        return Path(folder)
