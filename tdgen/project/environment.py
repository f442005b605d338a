"""The interpreter that a project is run with, and what can be imported there: read from folders, nothing is run."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

from tdgen.errors import InputError
from tdgen.source.names import STDLIB

Origin = Literal["project", "active", "tdgen"]
_NAMES: Final = (".venv", "venv")
_VERSION: Final = re.compile(r"^version(?:_info)?\s*=\s*(\d+)\.(\d+)", re.MULTILINE)
_EXTENSION: Final = re.compile(r"\.(?:py|so|(?:cpython|abi3|pyd)[^/]*)$")


class Environment(NamedTuple):
    """An interpreter, its version, and the folders that its packages lie in.

    `origin` is whose it is: the project's own, the one that is active, or that of tdgen.
    """

    interpreter: Path
    version: tuple[int, int]
    folders: tuple[Path, ...]
    origin: Origin = "project"

    @property
    def note(self) -> str:
        """What is to be said of an environment that is not the project's own, in a line; "" of one that is."""
        version = ".".join(map(str, self.version))
        if self.origin == "active":
            folder = self.interpreter.parent.parent
            return f"the project has no environment of its own: the active one is used, {folder} (Python {version})"
        if self.origin == "tdgen":
            return (
                "the project has no environment of its own, and none is active: that of tdgen is used "
                f"(Python {version}), and its packages can be imported; activate the project's, or make one: "
                "`python3 -m venv .venv`"
            )
        return ""

    def packages(self) -> tuple[str, ...]:
        """The top-level names that can be imported beside the standard library, sorted."""
        return tuple(sorted({name for folder in self.folders for name in importable(folder)} - STDLIB))


def find_environment(root: Path, variables: dict[str, str] | None = None) -> Environment:
    """`.venv` or `venv` in the project; else what VIRTUAL_ENV or CONDA_PREFIX names; else the running interpreter's.

    InputError where the project has an environment that can't be used.
    """
    given = os.environ if variables is None else variables
    for folder in (root / name for name in _NAMES):
        if (folder / "pyvenv.cfg").is_file():
            return _virtual(folder)
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        active = Path(given.get(name) or os.devnull).absolute()
        origin: Origin = "project" if active.is_relative_to(root) else "active"
        if (active / "pyvenv.cfg").is_file():
            return _virtual(active)._replace(origin=origin)
        if (active / "conda-meta").is_dir() and (of_conda := _conda(active)):
            return of_conda._replace(origin=origin)
    paths = sysconfig.get_paths()
    folders = _with_linked(dict.fromkeys(Path(paths[name]) for name in ("purelib", "platlib")))
    return Environment(Path(sys.executable), sys.version_info[:2], folders, "tdgen")


def _conda(folder: Path) -> Environment | None:
    """A conda environment as its folders tell it; None where it has no Python."""
    for packages in sorted(folder.glob("lib/python3.*/site-packages")):
        minor = packages.parent.name.rpartition(".")[2]
        interpreter = folder / f"bin/python3.{minor}"
        if minor.isdigit() and interpreter.exists():
            return Environment(interpreter, (3, int(minor)), _with_linked([packages]))
    return None


def _virtual(folder: Path) -> Environment:
    """A virtual environment as its pyvenv.cfg and folders tell it."""
    anew = f"make it anew (`python3 -m venv --clear {folder}`), or move it away"
    try:
        text = (folder / "pyvenv.cfg").read_text("utf-8", "replace")
    except OSError as error:
        raise InputError(f"{folder}/pyvenv.cfg can't be read: {error.strerror}") from None
    interpreter = next((p for p in (folder / "bin" / name for name in ("python", "python3")) if p.exists()), None)
    if interpreter is None:
        raise InputError(f"the project's environment {folder} has no interpreter that is there: {anew}")
    version = _VERSION.search(text)
    if version is None:
        raise InputError(f"{folder}/pyvenv.cfg names no version of Python: {anew}")
    number = int(version[1]), int(version[2])
    folders = sorted(folder.glob(f"lib*/python{number[0]}.{number[1]}/site-packages"))
    return Environment(interpreter, number, _with_linked(path for path in folders if not path.parents[1].is_symlink()))


def _with_linked(folders: Iterable[Path]) -> tuple[Path, ...]:
    """The folders, and those that their .pth files name: packages installed where they are developed."""
    present = [folder for folder in folders if folder.is_dir()]
    for folder in list(present):
        for path in sorted(folder.glob("*.pth")):
            lines = path.read_text("utf-8", "replace").splitlines()
            linked = (folder / line.strip() for line in lines if line.strip() and not line.startswith(("#", "import")))
            present += [other for other in linked if other.is_dir() and other not in present]
    return tuple(present)


def importable(folder: Path) -> Iterator[str]:
    """The names of the modules and packages that lie in a folder."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        name = entry.name if entry.is_dir() else _EXTENSION.sub("", entry.name)
        is_module = entry.is_dir() or name != entry.name
        if is_module and name.isidentifier() and name not in ("__pycache__", "__init__", "__main__"):
            yield name
