"""What packages are installed for: the interpreter that will import them, here or in an image, and what fits it.

Wheels are chosen by tags (https://packaging.python.org/specifications/platform-compatibility-tags/). Where the target
is not the Python that runs pip, pip is told the tags; the markers of dependencies it reads as for its own Python all
the same, so what those leave out for the target is found here (`unmet`).
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tdgen.sandbox.interpreter import Interpreter, find

if TYPE_CHECKING:
    from packaging.requirements import Requirement

_OLDEST_GLIBC: Final = 5
_LEGACY: Final = {5: "manylinux1", 12: "manylinux2010", 17: "manylinux2014"}
_MUSL: Final = ("musllinux_1_2", "musllinux_1_1")
_TAGS: Final = {"cpython": "cp", "pypy": "pp"}
_COMPILE_S: Final = 600.0
COMPILE: Final = ("-I", "-S", "-m", "compileall", "-q", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash")
"""What has a Python compile a folder; nothing of it is run. The bytecode counts whatever becomes of the source."""


class Target(NamedTuple):
    """An interpreter to install for, and what compiles a folder with it; that may fail without a word."""

    interpreter: Interpreter
    compile: Callable[[Path], None]

    @property
    def version(self) -> str:
        """Its version without the patch: `3.12`."""
        return self.interpreter.target[1]


Supply = Callable[[Target], str]
"""The folder of packages for a target, made where need be; empty where there is nothing in it."""


def here(interpreter: Interpreter) -> Target:
    """The target that an interpreter of this machine is."""

    def compiled(folder: Path) -> None:
        command = [interpreter.program, *COMPILE, str(folder)]
        subprocess.run(command, capture_output=True, timeout=_COMPILE_S, umask=0o022, check=False)  # noqa: S603

    return Target(interpreter, compiled)


def is_pips_own(target: Target) -> bool:
    """Whether pip, which runs in this process' Python, chooses for the target as for itself."""
    return find("").target == target.interpreter.target


def tags(target: Target) -> Iterator[str]:
    """Options that tell pip of the target; none where it is pip's own."""
    if is_pips_own(target):
        return
    interpreter = target.interpreter
    short = _TAGS.get(interpreter.implementation, interpreter.implementation)
    numbers = "".join(str(part) for part in interpreter.version[:2])
    yield from (f"--python-version={target.version}", f"--implementation={short}")
    if short == "cp":
        yield f"--abi=cp{numbers}{interpreter.abi_flags}"
    yield from (f"--platform={libc}_{interpreter.machine}" for libc in _libraries(interpreter.libc))


def _libraries(libc: str) -> Iterator[str]:
    """The C libraries whose wheels run with this one, the newest first."""
    name, _, version = libc.partition(" ")
    if name != "glibc":
        yield from _MUSL
        return
    for minor in range(int(version.split(".")[1]), _OLDEST_GLIBC - 1, -1):
        yield f"manylinux_2_{minor}"
        if minor in _LEGACY:
            yield _LEGACY[minor]


def unmet(wanted: Iterable[str], folder: Path, target: Target) -> set[str]:
    """Requirements that hold for the target and whose distributions are not in the folder."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    there = {canonicalize_name(found.metadata["Name"]): found for found in distributions(path=[str(folder)])}
    missing: set[str] = set()
    seen: set[str] = set()
    waiting = [Requirement(text) for text in wanted]
    while waiting:
        asked = waiting.pop()
        if str(asked) in seen:
            continue
        seen.add(str(asked))
        found = there.get(canonicalize_name(asked.name))
        if found is None:
            asked.marker = None
            missing.add(str(asked))
            continue
        needed = (Requirement(text) for text in found.requires or ())
        waiting += [each for each in needed if _holds(each, asked.extras, target)]
    return missing


def _holds(requirement: Requirement, extras: Iterable[str], target: Target) -> bool:
    """Whether a requirement's marker holds for the target, with one of these extras or none."""
    if requirement.marker is None:
        return True
    interpreter = target.interpreter
    full = ".".join(str(part) for part in interpreter.version)
    environment = {
        "implementation_name": interpreter.implementation,
        "implementation_version": full,
        "os_name": "posix",
        "platform_machine": interpreter.machine,
        "platform_python_implementation": {"cpython": "CPython", "pypy": "PyPy"}.get(interpreter.implementation, ""),
        "platform_system": "Linux",
        "python_full_version": full,
        "python_version": target.version,
        "sys_platform": interpreter.system,
    }
    return any(requirement.marker.evaluate({**environment, "extra": extra}) for extra in ("", *extras))


def running() -> Target:
    """The target that this process' own Python is."""
    return here(find(sys.executable))
