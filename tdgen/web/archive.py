"""A solution as one zip file; what is not all green says so in its name, in its module and in a file of its own."""

from __future__ import annotations

import io
import zipfile
from typing import Final, NamedTuple

from tdgen.solution import Solution
from tdgen.solution.package import with_record

MARK: Final = "NOT-ALL-GREEN.txt"
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)


class Archive(NamedTuple):
    """A zip file's name and content."""

    name: str
    content: bytes


def archive(solution: Solution) -> Archive:
    """The package's files in one folder, its record among them. The same solution is the same bytes."""
    module = solution.plan.module
    files = with_record(solution, solution.files(readme=True))
    if not solution.all_tests_passed:
        told = "".join(f"{r.function}: {r.outcome} {r.reason}".rstrip() + "\n" for r in solution.results)
        files[MARK] = f"Not all of this is right: it holds the best attempts.\n\n{told}"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{module}/{name}", _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, text.encode("utf-8", "backslashreplace"))
    return Archive(f"{module}{'' if solution.all_tests_passed else '-not-all-green'}.zip", buffer.getvalue())
