"""Third-party packages that the user allows: which there are to be, and for which interpreter.

What installs them is found by its entry point: `tdgen.sandbox.wheels`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

from tdgen.errors import InputError
from tdgen.sandbox.interpreter import Interpreter

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


_SPECIFIER: Final = r"(?:===?|~=|!=|<=?|>=?)\s*[A-Za-z0-9.*+!_-]+"
_REQUIREMENT: Final = re.compile(
    rf"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(\[[A-Za-z0-9,._\s-]*\])?\s*((?:{_SPECIFIER}\s*,?\s*)*)"
)


class Packages(NamedTuple):
    """The folder that a sandbox shows, empty where it needs none, and the names that code may import besides.

    Modules of the standard library that were named are among them.
    """

    folder: str = ""
    imports: frozenset[str] = frozenset()


_WRITTEN_WITH: Final = {
    "fastapi": ("httpx", "httpx2", "pydantic", "starlette"),
    "starlette": ("httpx", "httpx2"),
    "flask": ("werkzeug",),
}
"""What code and tests for a package import beside it, by its documentation: models, and what its test client needs."""


def requirements(allowed: Iterable[str]) -> tuple[str, ...]:
    """Those of `allowed` that are no module of the standard library, sorted: `numpy`, `python-dateutil>=2`.

    InputError for what is no distribution's name with an optional version.
    """
    wanted = set()
    for text in allowed:
        if text.partition(".")[0] in sys.stdlib_module_names:
            continue
        match = _REQUIREMENT.fullmatch(text.strip())
        if match is None:
            raise InputError(f"--allow {text}: that is no package: name it as on PyPI, such as numpy or 'numpy>=2,<3'")
        name, extras, versions = match.groups()
        wanted.add(normalised(name) + "".join((extras or "").split()) + "".join(versions.split()).strip(","))
    named = {distribution_of(text) for text in wanted}
    return tuple(sorted(wanted.union(*(_WRITTEN_WITH.get(name, ()) for name in named))))


def standard(allowed: Iterable[str]) -> Packages:
    """Those of `allowed` that are modules of the standard library: there is nothing to install."""
    return Packages(imports=frozenset(name for name in allowed if name.partition(".")[0] in sys.stdlib_module_names))


def normalised(name: str) -> str:
    """A distribution's name in the one form that all its spellings have in common (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def distribution_of(requirement: str) -> str:
    """The name in a requirement."""
    match = _REQUIREMENT.fullmatch(requirement)
    return match[1] if match else requirement
