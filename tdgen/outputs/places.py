"""Where a solution is written, and read from again.

A solution goes into a folder with all of it, or into one file with the module alone. What can't be written is found out
before any work is paid for, and what a person wrote or changed is never replaced unasked.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from pydantic import ValidationError

from tdgen.cache.disk import written_record
from tdgen.errors import InputError
from tdgen.files.ruff import format_files, style_at
from tdgen.files.saving import FOLDER, RECORD, Place, check_file, is_inside, save_file
from tdgen.solution import Solution
from tdgen.solution.package import Layout, module_text
from tdgen.solution.writing import check_place, restored, write_package

OLD_RECORD: Final = "tdgen.json"
"""The record of tdgen 0.1: the whole solution, beside the files."""


class Package(NamedTuple):
    """A solution in a folder: the texts of its Python files as they are now, and which of them were changed.

    `module` is the module's path among the files. Of a kept solution they are the files that would be written.
    """

    solution: Solution
    files: dict[str, str]
    module: str
    changed: tuple[str, ...] = ()


_OF_CODE: Final = (".py", ".c", ".h", ".js", ".mjs", ".cjs", ".ts")


class Wishes(NamedTuple):
    """How a solution is to be written: see `tdgen solve --help`. `module` is the module's name, where it was given.

    `language` is that of the code, where it is another than Python.
    """

    force: bool = False
    overwrite: bool = False
    layout: Layout | None = None
    readme: bool = False
    record: bool = True
    module: str = ""
    language: str = ""


class Target(Protocol):
    """Where a solution is to be written."""

    def check(self) -> None:
        """InputError where it can't be written there, or would replace what somebody wrote."""

    def write(self, solution: Solution) -> str:
        """Write it, and say in a line what is where now."""


def target_at(out: str, cache: Path, wishes: Wishes = Wishes()) -> Target:  # noqa: B008 - immutable
    """The target that a path names: a file where it ends in `.py`, else a folder."""
    path = Path(out).expanduser() if out.startswith("~") else Path(out)
    if wishes.language and path.suffix in _OF_CODE:
        raise InputError(
            f"{path} is to be a file: code in {wishes.language} goes into a folder with its tests, name one"
        )
    return ModuleFile(path, cache, wishes) if path.suffix == ".py" else PackageFolder(path, cache, wishes)


class ModuleFile:
    """The module alone, in one file."""

    def __init__(self, path: Path, cache: Path, wishes: Wishes) -> None:
        self._path = path
        self._record = written_record(cache, path)
        self._overwrite = wishes.overwrite
        if wishes.layout not in (None, "single") or wishes.readme:
            raise InputError(f"{path} is to be the module alone: name a folder to get more than that")

    def check(self) -> None:
        """InputError where the file is there already, or can't be."""
        check_file(self._path, record=self._record, overwrite=self._overwrite)

    def write(self, solution: Solution) -> str:
        """Write the module; a file that says the same already is left as it is."""
        (text,) = format_files({"": module_text(solution)}, style_at(self._path.parent)).values()
        save_file(self._path, text, record=self._record, overwrite=self._overwrite)
        return f"wrote {self._path}: the module alone (name a folder to get its tests too)"


class PackageFolder:
    """A folder with the module, its tests, and the record to verify it by."""

    def __init__(self, folder: Path, cache: Path, wishes: Wishes) -> None:
        self._wishes = wishes
        record = _record_of(folder, cache) if wishes.record else written_record(cache, folder)
        # a module in a package is put into a project, which holds other files
        force = wishes.force or "." in wishes.module
        self._place = Place(folder, record=record, force=force, overwrite=wishes.overwrite)

    def check(self) -> None:
        """InputError where the folder can't be written, or holds what tdgen did not write."""
        self._place.check(*["README.md"] * self._wishes.readme)
        check_place(self._place, self._wishes.module)

    def write(self, solution: Solution) -> str:
        """Write the package, in place of an earlier one that nobody touched."""
        names = write_package(solution, self._place, self._wishes.layout, readme=self._wishes.readme)
        return f"wrote {self._place.folder}/: {', '.join(names)}"


def read_package(folder: Path, cache: Path) -> Package:
    """The package in a folder that a solution was written to; InputError where there is none that can be read."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}")
    place = Place(folder, record=_record_of(folder, cache))
    record = place.record()
    if record is None or "solution" not in record.content:
        return _old_package(folder)
    files = _texts(folder, record.files)
    try:
        solution = Solution.model_validate(restored(record.content["solution"], files))
    except ValueError:
        raise InputError(f"{place.record_path} is no solution that this version of tdgen can read") from None
    return Package(
        solution, files, _module_in(folder, files, solution, place.record_path), tuple(sorted(place.changed()))
    )


def recorded_solution(folder: Path) -> Solution:
    """The solution whose record is in a folder; InputError where there is none that can be read."""
    return read_package(folder, folder / FOLDER).solution


def _record_of(folder: Path, cache: Path) -> Path:
    """A folder's record: its own, else the one that was left in the cache, else where its own would be."""
    kept = written_record(cache, folder)
    return kept if kept.exists() and not (folder / RECORD).exists() else folder / RECORD


def _texts(folder: Path, names: Collection[str]) -> dict[str, str]:
    """The files of code that are there: those of these names, and what of Python is beside them in a package."""
    code = [name for name in names if not name.endswith(".md")]
    present = [name for name in code if is_inside(name) and (folder / name).is_file()]
    beside = [path.name for path in folder.glob("*.py")] if "__init__.py" in names else []
    try:
        return {name: (folder / name).read_text(encoding="utf-8") for name in sorted({*present, *beside})}
    except OSError as error:
        raise InputError(f"the files in {folder} can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"the files in {folder} can't be read: one is no UTF-8 text") from None


def _module_in(folder: Path, files: Collection[str], solution: Solution, path: Path) -> str:
    """The module's path among the files; InputError where it is not there."""
    module = next(filter(solution.plan.is_module, files), None)
    if module is None:
        raise InputError(
            f"{folder} holds no {solution.plan.module_file}, which is the module that its {path.name} is of"
        )
    return module


def _old_package(folder: Path) -> Package:
    """The package of tdgen 0.1 in a folder: all files beside each other, the whole solution among them."""
    path = folder / OLD_RECORD
    if not path.is_file():
        raise InputError(f"{folder} holds no solution of tdgen's: there is no {RECORD} in it")
    try:
        solution = Solution.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}") from None
    except ValidationError:
        raise InputError(f"{path} is no solution that this version of tdgen can read") from None
    files = _texts(folder, [file.name for file in folder.glob("*.py")])
    written = {f"{solution.plan.module}.py": solution.module_source, **solution.test_files}
    changed = tuple(sorted(name for name in files if name in written and files[name] != written[name]))
    return Package(solution, files, _module_in(folder, files, solution, path), changed)
