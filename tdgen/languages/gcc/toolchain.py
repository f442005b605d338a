"""The compiler that code in C and C++ is made by, gcc or clang, with what it starts, reads and is told."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from pathlib import Path
from shutil import which
from typing import Final, NamedTuple

_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_FLAGS: Final = (
    *("-O0", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"),
    *("-Werror=return-type", "-pipe", "-fdiagnostics-color=never"),
)
"""Those that hold for every language: nothing that goes wrong is optimized away, and it is compiled in less time."""
_FILLED: Final = "-ftrivial-auto-var-init=pattern"
"""Since gcc 12. No sanitizer of either tells of a variable that is read before it is set, and by chance it is 0."""
_HEADER: Final = "/usr/include/stdio.h"


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
    sanitizers, programs = ["libasan.so", "libubsan.so"], [name, *dict.fromkeys(("ld", linker))]
    flags, libraries = ["-w"], ["-lm", *["-fuse-ld=gold"] * (linker != "ld")]
    is_clang = "clang" in _printed(path, "--version")
    if is_clang:
        sanitizers = [f"libclang_rt.asan-{platform.machine()}.so"]
        runtime = Path(_printed(path, f"-print-file-name={sanitizers[0]}"))
        flags, libraries = ["-Wno-everything", "-shared-libasan"], [*libraries, f"-Wl,-rpath,{runtime.parent}"]
    else:
        programs += ["as", *(_printed(path, f"-print-prog-name={part}") for part in (front, "collect2"))]
    lacking = [one for one in (*sanitizers, library) if "/" not in _printed(path, f"-print-file-name={one}")]
    lacking += [] if Path(_HEADER).exists() else [_HEADER]
    if _printed(path, _FILLED, "-E", "-x", "c", "/dev/null"):
        flags.append(_FILLED)
    version = _printed(path, "-dumpversion" if is_clang else "-dumpfullversion")
    return Toolchain(
        name, path, is_clang, f"{name} {version}", (*programs, *lacking), (*flags, *_FLAGS), tuple(libraries)
    )


def _printed(path: str, *words: str) -> str:
    """What the compiler prints, nothing where it fails."""
    done = subprocess.run([path, *words], capture_output=True, text=True, timeout=60, check=False)  # noqa: S603 - this machine's own
    return "" if done.returncode else done.stdout.strip()
