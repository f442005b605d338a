"""A Python interpreter's facts: which program it really is, which folders it must read, which wheels fit it.

Only the base installation counts: a virtual environment's packages are not visible inside.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from tdgen.errors import SandboxError
from tdgen.sandbox.inside import facts

OLDEST = (3, 9)
_SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache")


class Interpreter(BaseModel):
    """An interpreter: its real program, its version, the paths it reads from, and what decides which wheels fit it.

    `implementation`, `abi_flags`, `system` and `machine` are as Python spells them (cpython, t, linux, x86_64), `libc`
    as glibc names itself (`glibc 2.36`; empty where it is another), `kernel` as `uname` tells release and version.
    """

    model_config = ConfigDict(frozen=True)

    program: str
    version: tuple[int, int, int]
    readable: tuple[str, ...]
    implementation: str = "cpython"
    abi_flags: str = ""
    system: str = "linux"
    machine: str = ""
    libc: str = ""
    kernel: str = ""

    @property
    def target(self) -> tuple[str, ...]:
        """All that a wheel may depend on: what is installed for one fits every interpreter of the same target."""
        minor = ".".join(str(part) for part in self.version[:2])
        return self.implementation, minor, self.abi_flags, self.system, self.machine, self.libc

    @property
    def name(self) -> str:
        """Its version as people write it."""
        return "Python " + ".".join(str(part) for part in self.version)


def find(python: str) -> Interpreter:
    """The facts of `python`: a path, a command's name, or a version such as `3.12`; empty for the one running.

    SandboxError where there is none, it does not start, or it is older than OLDEST.
    """
    program = facts.program() if python in ("", sys.executable) else _program(python)
    if Path(program).resolve() == Path(facts.program()).resolve():  # as mostly in a project: no process is started
        return _here(from_answer(facts.facts()))
    try:
        done = subprocess.run(  # noqa: S603 - the user's own interpreter, asked for its facts
            [program, "-I", "-S", "-c", question()], capture_output=True, timeout=20, check=True, text=True, cwd="/"
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
    return str(_based_on(Path(program).absolute()))


def _based_on(program: Path) -> Path:
    """The program that a virtual environment's stands for: nothing that lies in its folder is run."""
    try:
        lines = (program.parent.parent / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return program
    real = program.resolve()
    if not real.is_relative_to(program.parent.parent.resolve()):
        return real
    homes = [value.strip() for key, _, value in (line.partition("=") for line in lines) if key.strip() == "home"]
    return Path(homes[-1], program.name) if homes else program


def question() -> str:
    """A program by which any Python prints its facts as one line of JSON."""
    return Path(facts.__file__).read_text(encoding="utf-8") + "\n\ntell()\n"


def _here(interpreter: Interpreter) -> Interpreter:
    """`interpreter` without the paths that this machine doesn't have."""
    readable = tuple(path for path in interpreter.readable if Path(path).exists())
    return interpreter.model_copy(update={"readable": readable})


def from_answer(answer: dict[str, Any]) -> Interpreter:
    """The interpreter that printed these facts, here or elsewhere."""
    own = [f"{prefix}/{folder}" for prefix in answer["prefixes"] for folder in ("lib", "lib64")]
    paths = dict.fromkeys([*own, answer["library"], *_SYSTEM_LIBRARIES])
    fields = {name: answer[name] for name in answer if name in Interpreter.model_fields}
    return Interpreter(**fields, readable=tuple(paths))
