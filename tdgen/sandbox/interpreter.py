"""What a sandbox shows of this machine: a Python interpreter, and a project of the user's.

An interpreter's facts are which program it really is, which folders it must read, and which wheels fit it. Only the
base installation counts: a virtual environment's packages are not visible inside. Of a project it is said which of its
folders are shown to which kind of job.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from tdgen.errors import InputError, SandboxError
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
    program = facts.program()
    if python not in ("", sys.executable):
        named = f"python{python}" if python[:1].isdigit() else python
        found = shutil.which(named)
        if found is None:
            raise SandboxError(f"there is no {named} here: install it, or name the path of another Python")
        program = str(_based_on(Path(found).absolute()))
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


_TAKEN = ("", "scratch", "dev", "proc", "sys")
"""Folders of the root that a sandbox has, or may not have; the first is the root itself."""


class Mounted(BaseModel):
    """A user's project that a sandbox shows, read-only and at its own path.

    `root` is the project's folder, `imports` are the folders to import from, in order: its own, and its environment's
    site-packages, which may lie elsewhere. Both are absolute. The standard library comes before them. `python` is its
    environment's interpreter, where it has one: only the installation that this is based on is seen inside. `names` are
    what cases may use besides what their module has, each with what it stands for (`shop.money.Money`). `hidden` are
    folders and files that no candidate and no expected value sees, such as the project's tests: these hold values that
    code could look up while it is judged. `private` are those that nothing inside sees, the project's tests neither.
    `laid` are modules of the project, by name, with the sources that take the places of theirs.
    """

    model_config = ConfigDict(frozen=True)

    root: str
    imports: tuple[str, ...] = ()
    python: str = ""
    names: dict[str, str] = Field(default_factory=dict)
    hidden: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    laid: dict[str, str] = Field(default_factory=dict)

    def shown_to(self, kind: str) -> tuple[str, ...]:
        """The folders and files to show to a kind of job: all but what is private, and to probes but what is hidden."""
        away = {os.path.normpath(path) for path in (*self.private, *(self.hidden if kind == "probes" else ()))}
        return tuple(part for path in self.shown for part in _less(path, away))

    @property
    def shown(self) -> tuple[str, ...]:
        """The folders to show: the project's, and those of `imports` that are there and lie in none of the others."""
        kept: list[str] = []
        for path in sorted({os.path.normpath(path) for path in (self.root, *self.imports) if Path(path).exists()}):
            if not any(path.startswith(f"{other}/") for other in kept):
                kept.append(path)
        return tuple(kept)

    def brings(self, package: str) -> bool:
        """Whether there is such a package to import."""
        return any(Path(folder, package, "__init__.py").is_file() for folder in self.imports)

    def check(self) -> None:
        """InputError where the project can't be shown, before anything runs."""
        for path in (self.root, *self.imports):
            if not Path(path).is_absolute():
                raise InputError(f"the project's folder {path} must be given by its whole path")
            if os.path.normpath(path).split("/")[1] in _TAKEN:
                raise InputError(f"{path} can't be shown to a sandbox as a project's folder: move the project")
        root = Path(self.root)
        if not root.exists():
            raise InputError(f"there is no project at {self.root}: name its folder")
        if not root.is_dir():
            raise InputError(f"{self.root} is no folder: name the project's")
        if not os.access(root, os.R_OK | os.X_OK):
            raise InputError(f"the project's folder {self.root} can't be read: give yourself the right to")


def _less(path: str, hidden: Collection[str]) -> list[str]:
    """What there is of a path without what is hidden in it: itself, or the largest folders and files below it."""
    if path in hidden:
        return []
    if not any(other.startswith(f"{path}/") for other in hidden):
        return [path]
    return [part for name in sorted(os.listdir(path)) for part in _less(f"{path}/{name}", hidden)]  # noqa: PTH208 - names alone
