"""The library's headers as g++ has read them, once for this machine: no line of code of anybody's but the library's.

A candidate is compiled in a third of the time with them. Where they can't be kept, the compiler reads them each time.
What an earlier compiler or other flags have read goes when they are read anew.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from shutil import rmtree, which

from tdgen.types import digest

_SECONDS = 180


class Precompiled:
    """A header's text as one compiler with one set of flags has read it, in a cache's folder."""

    def __init__(self, folder: Path, compiler: str, flags: tuple[str, ...], text: str) -> None:
        program = Path(which(compiler) or compiler).resolve()
        compiler_file = (program.stat().st_size, program.stat().st_mtime_ns) if program.exists() else ()
        key = digest(repr((compiler, compiler_file, flags, text))).removeprefix("sha256:")
        self.path = folder.resolve() / "headers" / key[:16] / "library.hpp"
        self._text, self._words = text, [compiler, *flags, "-x", "c++-header", self.path.name]

    def is_there(self) -> bool:
        """Whether it is there; it is made where it is not."""
        folder = self.path.parent
        if not folder.exists():
            try:
                folder.parent.mkdir(parents=True, exist_ok=True)
                self._make(Path(tempfile.mkdtemp(dir=folder.parent)))
            except OSError:
                pass
        return folder.exists()

    def _make(self, folder: Path) -> None:
        """Make it in a folder that takes its place then; it may be that another process was faster, or nobody can."""
        try:
            (folder / self.path.name).write_text(self._text)
            words = [*self._words, "-o", f"{self.path.name}.gch"]
            subprocess.run(words, cwd=folder, capture_output=True, timeout=_SECONDS, check=True)  # noqa: S603
            folder.chmod(0o755)
            folder.rename(self.path.parent)
            for other in self.path.parent.parent.iterdir():
                if other != self.path.parent and not other.name.startswith("tmp"):  # which others are being made
                    rmtree(other, ignore_errors=True)
        except (OSError, subprocess.SubprocessError):
            rmtree(folder, ignore_errors=True)
