"""The library's headers as a compiler has read them, once for this machine: no line of code but the library's.

A candidate is compiled in a third of the time with them. Where they can't be kept, the compiler reads them each time.
What the same compiler has read before it changed, or with other flags, goes when they are read anew.
"""

from __future__ import annotations

import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from shutil import rmtree, which

from tdgen.types import digest

_SECONDS = 180
_READ = ".hpp.gch"


class Precompiled:
    """A header's text as one compiler with one set of flags has read it, in a cache's folder."""

    def __init__(self, folder: Path, compiler: str, flags: tuple[str, ...], text: str) -> None:
        program = Path(which(compiler) or compiler).resolve()
        compiler_file = (program.stat().st_size, program.stat().st_mtime_ns) if program.exists() else ()
        key = digest(repr((compiler, compiler_file, flags, text))).removeprefix("sha256:")
        self.path = folder.resolve() / "headers" / f"{Path(compiler).name}-{key[:16]}" / "library.hpp"
        self._text, self._words = text, [compiler, *flags, "-x", "c++-header", str(self.path)]

    def is_there(self) -> bool:
        """Whether it is there; it is made where it is not, if it can be."""
        try:
            if not self.path.with_suffix(_READ).exists():
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self.path.parent.chmod(0o755)
                with tempfile.TemporaryDirectory(dir=self.path.parent) as folder:
                    self._make(Path(folder))
        except (OSError, subprocess.SubprocessError):
            return False
        return True

    def _make(self, folder: Path) -> None:
        """Make it in a folder, from where it goes to its place; clang looks there for the text, as it was first."""
        (folder / "text").write_text(self._text)
        with suppress(FileExistsError):  # another process was faster
            self.path.hardlink_to(folder / "text")
        subprocess.run([*self._words, "-o", "read"], cwd=folder, capture_output=True, timeout=_SECONDS, check=True)  # noqa: S603
        (folder / "read").rename(self.path.with_suffix(_READ))
        own = self.path.parent
        for other in own.parent.iterdir():
            is_made = (other / self.path.name).with_suffix(_READ).exists()
            if is_made and other != own and other.name.rpartition("-")[0] in ("", own.name.rpartition("-")[0]):
                rmtree(other, ignore_errors=True)
