"""The interpreter that a project is run with, and what can be imported there: read from folders, nothing is run."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tdgen.errors import InputError
from tdgen.source.names import STDLIB

_NAMES: Final = (".venv", "venv")
_VERSION: Final = re.compile(r"^version(?:_info)?\s*=\s*(\d+)\.(\d+)", re.MULTILINE)
_EXTENSION: Final = re.compile(r"\.(?:py|so|(?:cpython|abi3|pyd)[^/]*)$")


class Environment(NamedTuple):
    """An interpreter, its version, and the folders that its packages lie in."""

    interpreter: Path
    version: tuple[int, int]
    folders: tuple[Path, ...]

    def packages(self) -> tuple[str, ...]:
        """The top-level names that can be imported beside the standard library, sorted."""
        return tuple(sorted({name for folder in self.folders for name in importable(folder)} - STDLIB))


def find_environment(root: Path, variables: dict[str, str] | None = None) -> Environment:
    """`.venv` or `venv` in the project, VIRTUAL_ENV where it lies in the project, else the running interpreter.

    InputError where the project has an environment that can't be used.
    """
    named = (os.environ if variables is None else variables).get("VIRTUAL_ENV", "")
    inside = [Path(named)] if named and Path(named).absolute().is_relative_to(root) else []
    for folder in [*(root / name for name in _NAMES), *inside]:
        if (folder / "pyvenv.cfg").is_file():
            return _virtual(folder)
    paths = sysconfig.get_paths()
    folders = _with_linked(dict.fromkeys(Path(paths[name]) for name in ("purelib", "platlib")))
    return Environment(Path(sys.executable), sys.version_info[:2], folders)


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
    found = [folder for folder in folders if folder.is_dir()]
    for folder in list(found):
        for path in sorted(folder.glob("*.pth")):
            lines = path.read_text("utf-8", "replace").splitlines()
            linked = (folder / line.strip() for line in lines if line.strip() and not line.startswith(("#", "import")))
            found += [other for other in linked if other.is_dir() and other not in found]
    return tuple(found)


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
