"""A solution's way to the disk and back: a folder with all of it, or one file with the module alone.

What can't be written is found out before any work is paid for, and what a person wrote or changed is never replaced
unasked.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple, Protocol

from pydantic import ValidationError

from tdgen.errors import InputError
from tdgen.types import Solution
from tdgen.types.saving import check_file, check_folder, save_file, save_files

RECORD: Final = "tdgen.json"
"""The file of a package that holds the whole solution."""


class Package(NamedTuple):
    """A solution that was saved in a folder, and the texts of the folder's Python files as they are now."""

    solution: Solution
    files: dict[str, str]


def module_text(solution: Solution) -> str:
    """The module's source; what is not all green says so in its first line."""
    if solution.all_tests_passed:
        return solution.module_source
    not_green = ", ".join(
        f"{result.function} is {result.outcome}" for result in solution.results if result.outcome != "green"
    )
    return f"# Not all of this is right: {not_green}.\n{solution.module_source}"


class Target(Protocol):
    """Where a solution is to be written."""

    def check(self) -> None:
        """InputError where it can't be written there, or would replace what somebody wrote."""
        ...

    def write(self, solution: Solution) -> str:
        """Write it, and say in a line what is where now."""
        ...


def target_at(out: str, *, force: bool = False) -> Target:
    """The target that a path names: a file where it ends in `.py`, else a folder. `force` lets it replace files."""
    path = Path(out).expanduser() if out.startswith("~") else Path(out)
    return ModuleFile(path, force=force) if path.suffix == ".py" else PackageFolder(path, force=force)


class ModuleFile:
    """The module alone, in one file."""

    def __init__(self, path: Path, *, force: bool = False) -> None:
        self._path = path
        self._force = force

    def check(self) -> None:
        """InputError where the file is there already, or can't be."""
        check_file(self._path, force=self._force)

    def write(self, solution: Solution) -> str:
        """Write the module; a file that says the same already is left as it is."""
        save_file(self._path, module_text(solution), force=self._force)
        return f"wrote {self._path}: the module alone (name a folder to get its tests and README too)"


class PackageFolder:
    """A folder with the module, its tests, a README, and the record to verify it by."""

    def __init__(self, folder: Path, *, force: bool = False) -> None:
        self._folder = folder
        self._force = force

    def check(self) -> None:
        """InputError where the folder can't be written, or holds what tdgen did not write."""
        check_folder(self._folder, force=self._force)
        if self._force or not (self._folder / RECORD).exists():
            return
        if changed := _changed(self._folder, _recorded(self._folder)):
            raise InputError(
                f"{self._folder / changed} was changed since tdgen wrote it: name another folder, or add --force"
            )

    def write(self, solution: Solution) -> str:
        """Write the package, in place of an earlier one that nobody touched."""
        self.check()
        old = {} if self._force or not (self._folder / RECORD).exists() else _recorded(self._folder).files()
        files = solution.files()
        save_files(self._folder, files, force=True)
        for name in old.keys() - files.keys():
            if Path(name).name == name:  # the record may be somebody else's: nothing outside the folder is touched
                (self._folder / name).unlink(missing_ok=True)
        return f"wrote {self._folder}/: {', '.join(sorted(files))}"


def read_package(folder: Path) -> Package:
    """The package in a folder that a solution was saved to; InputError where there is none that can be read."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}")
    if not (folder / RECORD).is_file():
        raise InputError(f"{folder} holds no solution of tdgen's: there is no {RECORD} in it")
    solution = _recorded(folder)
    try:
        files = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))}
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the files in {folder} can't be read: {_why(error)}") from None
    if f"{solution.plan.module}.py" not in files:
        raise InputError(f"{folder} holds no {solution.plan.module}.py, which is the module that its {RECORD} is of")
    return Package(solution, files)


def _recorded(folder: Path) -> Solution:
    path = folder / RECORD
    try:
        return Solution.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}") from None
    except ValidationError:
        raise InputError(f"{path} is no solution that this version of tdgen can read") from None


def _changed(folder: Path, solution: Solution) -> str:
    """The first file of the package that no longer says what was written; one that was removed counts as the same."""
    for name, text in solution.files().items():
        try:
            if (folder / name).exists() and (folder / name).read_text(encoding="utf-8") != text:
                return name
        except (OSError, UnicodeDecodeError):
            return name
    return ""


def _why(error: OSError | UnicodeDecodeError) -> str:
    return error.strerror or "" if isinstance(error, OSError) else "one is no UTF-8 text"
