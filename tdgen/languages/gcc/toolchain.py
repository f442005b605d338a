"""The compiler that code in C and C++ is made by, gcc or clang: what it starts and is told, and headers it has read."""

from __future__ import annotations

import platform
import subprocess
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from shutil import rmtree, which
from typing import Final, NamedTuple

from tdgen.types import digest

_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_FLAGS: Final = (
    *("-O0", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"),
    *("-Werror=return-type", "-pipe", "-fdiagnostics-color=never"),
)
"""Those that hold for every language: nothing that goes wrong is optimized away, and it is compiled in less time."""
_FILLED: Final = "-ftrivial-auto-var-init=pattern"
"""Since gcc 12. No sanitizer of either tells of a variable that is read before it is set, and by chance it is 0."""
_HEADER: Final = "/usr/include/stdio.h"
_READ: Final = ".hpp.gch"


class Toolchain(NamedTuple):
    """A compiler: its name and path, its version, and the programs that have to be here, what lacks among them."""

    name: str
    path: str
    is_clang: bool
    version: str
    programs: tuple[str, ...]
    flags: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()


@cache
def toolchain(wanted: str, known: tuple[str, ...], front: str, library: str) -> Toolchain:
    """The compiler that is `wanted`, else the first of those `known` that is here, or one that lacks.

    `front` is what gcc starts for the language, `library` what its programs are linked to.
    """
    name = wanted or next((one for one in known if which(one, path=_PATH)), known[0])
    path = which(name, path=_PATH)
    if path is None:
        return Toolchain(name, name, is_clang=False, version=name, programs=(wanted or " or ".join(known),))
    linker = "ld.gold" if which("ld.gold", path=_PATH) else "ld"  # gold takes a third of the other one's time
    programs = [name, *dict.fromkeys(("ld", linker)), *[_HEADER] * (not Path(_HEADER).exists())]
    sanitizers, flags, libraries = ["libasan.so", "libubsan.so"], ["-w"], ["-lm", *["-fuse-ld=gold"] * (linker != "ld")]
    is_clang = "clang" in _printed(path, "--version")
    if is_clang:
        sanitizers = [f"libclang_rt.asan-{platform.machine()}.so"]
        runtime = Path(_printed(path, f"-print-file-name={sanitizers[0]}"))
        # gold ends by a fault of its own where it tells a place in what clang writes by default, DWARF 5
        flags = ["-Wno-everything", "-shared-libasan", "-fdebug-default-version=4"]
        libraries.append(f"-Wl,-rpath,{runtime.parent}")
    else:
        programs += ["as", *(_printed(path, f"-print-prog-name={part}") for part in (front, "collect2"))]
    lacking = [one for one in (*sanitizers, library) if "/" not in _printed(path, f"-print-file-name={one}")]
    if _printed(path, _FILLED, "-E", "-x", "c", "/dev/null"):
        flags.append(_FILLED)
    version = f"{name} {_printed(path, '-dumpversion' if is_clang else '-dumpfullversion')}"
    return Toolchain(
        name,
        path,
        is_clang,
        version,
        (*programs, *lacking),
        (*flags, *_FLAGS),
        tuple(libraries),
    )


def _printed(path: str, *words: str) -> str:
    """What the compiler prints, nothing where it fails."""
    done = subprocess.run([path, *words], capture_output=True, text=True, timeout=60, check=False)  # noqa: S603 - this machine's own
    return "" if done.returncode else done.stdout.strip()


class Precompiled:
    """A header's text as one compiler with one set of flags has read it, in a cache's folder.

    No line of it is code of anybody's but the library's. A candidate is compiled in a third of the time with it. Where
    it can't be kept, the compiler reads the text each time. What the same compiler has read before it changed, or with
    other flags, goes when it is read anew. clang looks for the text where it was first: it is made where it stays.
    """

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
                    (Path(folder) / "text").write_text(self._text)
                    with suppress(FileExistsError):  # another process was faster
                        self.path.hardlink_to(Path(folder) / "text")
                    words = [*self._words, "-o", "read"]
                    subprocess.run(words, cwd=folder, capture_output=True, timeout=180, check=True)  # noqa: S603
                    (Path(folder) / "read").rename(self.path.with_suffix(_READ))
                own = self.path.parent
                for other in own.parent.iterdir():
                    is_made = (other / self.path.name).with_suffix(_READ).exists()
                    if is_made and other != own and other.name.rpartition("-")[0] in ("", own.name.rpartition("-")[0]):
                        rmtree(other, ignore_errors=True)
        except (OSError, subprocess.SubprocessError):
            return False
        return True
