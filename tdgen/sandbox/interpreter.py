"""A Python interpreter's facts: which program it really is, and which folders it must be able to read.

Only the base installation counts: a virtual environment's packages are not visible inside.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from tdgen.errors import SandboxError

OLDEST = (3, 9)
_SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache")
QUESTION = """
import json, os, sys
print(json.dumps({
    "program": getattr(sys, "_base_executable", None) or sys.executable, "version": sys.version_info[:3],
    "prefixes": [sys.base_prefix, sys.base_exec_prefix], "library": os.path.dirname(os.__file__),
}))
"""


class Interpreter(BaseModel):
    """An interpreter: its real program, its version, and the paths it reads from."""

    model_config = ConfigDict(frozen=True)

    program: str
    version: tuple[int, int, int]
    readable: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its version as people write it."""
        return "Python " + ".".join(str(part) for part in self.version)


def find(python: str) -> Interpreter:
    """The facts of `python`: a path, a command's name, or a version such as `3.12`; empty for the one running.

    SandboxError where there is none, it does not start, or it is older than OLDEST.
    """
    if python in ("", sys.executable):
        return _here(from_answer(_own_answer()))
    program = _program(python)
    try:
        done = subprocess.run(  # noqa: S603 - the user's own interpreter, asked for its facts
            [program, "-I", "-S", "-c", QUESTION], capture_output=True, timeout=20, check=True, text=True, cwd="/"
        )
        interpreter = _here(from_answer(json.loads(done.stdout)))
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise SandboxError(f"{python} doesn't start as a Python interpreter: name another one") from error
    if interpreter.version < OLDEST:
        raise SandboxError(f"{python} is {interpreter.name}: the sandbox needs 3.9 or later")
    return interpreter


def _program(python: str) -> str:
    """The path of the program that `python` names."""
    named = f"python{python}" if python[:1].isdigit() else python
    program = shutil.which(named)
    if program is None:
        raise SandboxError(f"there is no {named} here: install it, or name the path of another Python")
    return str(Path(program).absolute())


def _own_answer() -> dict[str, Any]:
    """The answer to QUESTION of the interpreter that runs this."""
    return {
        "program": getattr(sys, "_base_executable", None) or sys.executable,
        "version": sys.version_info[:3],
        "prefixes": [sys.base_prefix, sys.base_exec_prefix],
        "library": str(Path(os.__file__).parent),
    }


def _here(interpreter: Interpreter) -> Interpreter:
    """`interpreter` without the paths that this machine doesn't have."""
    readable = tuple(path for path in interpreter.readable if Path(path).exists())
    return interpreter.model_copy(update={"readable": readable})


def from_answer(answer: dict[str, Any]) -> Interpreter:
    """The interpreter that answered so to QUESTION, here or elsewhere."""
    own = [f"{prefix}/{folder}" for prefix in answer["prefixes"] for folder in ("lib", "lib64")]
    paths = dict.fromkeys([*own, answer["library"], *_SYSTEM_LIBRARIES])
    return Interpreter(
        program=answer["program"],
        version=tuple(answer["version"]),
        readable=tuple(paths),
    )
