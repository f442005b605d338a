"""What was found as a line that an editor's problem matcher reads, and in files for a code host: SARIF, Markdown."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from tdgen.errors import InputError
from tdgen.terminal.output import Line, one_line

if TYPE_CHECKING:
    from tdgen.outputs.notices import Notice

LONGEST = 400  # characters of one notice; a judgement


class Reports(NamedTuple):
    """The files that a command is asked for, None for none, and the folder of the cache, which tells tdgen's own."""

    sarif: str | None
    markdown: str | None
    cache: Path

    def checked(self) -> Self:
        """These; InputError where a file can't be written: before anything is paid for."""
        from tdgen.cache.disk import written_record
        from tdgen.files.saving import check_file

        if self.sarif is not None:
            check_file(Path(self.sarif), record=written_record(self.cache, Path(self.sarif)))
        if self.markdown is not None and not Path(self.markdown).absolute().parent.is_dir():
            raise InputError(f"{self.markdown} can't be written: its folder is not there")
        return self

    def write(
        self,
        command: str,
        of: Path,
        notices: Sequence[Notice],
        table: tuple[Sequence[str], Iterable[Sequence[str]], str],
    ) -> None:
        """Write what `tdgen COMMAND` found in a folder; `table` is a head, rows and a last line.

        A Markdown file is added to, not replaced.
        """
        from tdgen import __version__
        from tdgen.cache.disk import written_record
        from tdgen.files.saving import save_file
        from tdgen.outputs.notices import markdown_table, sarif_text

        if self.sarif is not None:
            path = Path(self.sarif)
            save_file(path, sarif_text(command, of, notices, __version__), record=written_record(self.cache, path))
        if self.markdown is not None:
            try:
                with Path(self.markdown).open("a", encoding="utf-8") as file:
                    file.write(markdown_table(f"tdgen {command}", *table) + "\n")
            except OSError as error:
                raise InputError(f"{self.markdown} can't be written: {error.strerror}") from None


def place_of(file: Path, line: int) -> str:
    """`path:line` from the working folder, as editors and their problem matchers read it."""
    return f"{os.path.relpath(file)}:{line}"


def notice_line(notice: Notice) -> Line:
    """A notice as a line of its own."""
    text = f"{place_of(notice.file, notice.line)}: {notice.unit}: {notice.message}"
    return Line(one_line(text, LONGEST), "bad")
