"""Where a solution is written, and plans and suites as files that a user edits and hands back.

A solution goes into a folder with all of it, or into one file with the module alone. What can't be written is found out
before any work is paid for, and what a person wrote or changed is never replaced unasked.

A draft is a file with a plan, perhaps with its suites:

    {"format": 1, "instruction": "…", "plan": {…}, "written": {"instruction": "9ab1…", "plan": "07de…"},
     "suites": [{"function": "slugify", "cases": [{"name": "…", "arguments": ["'A b'"], …, "written": "1f0c…"}]}]}

`written` is a digest of the case as tdgen wrote it. A case that no longer fits its digest, or has none, was written by
a person: it is the user's own, and so is pinned. Instruction and plan have digests too: an instruction that was edited
while its plan was not is refused, since nobody knows whether the plan covers it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from tdgen.cache.disk import written_record
from tdgen.errors import InputError
from tdgen.files.ruff import format_files, style_at
from tdgen.files.saving import FOLDER, RECORD, Place, check_file, is_inside, save_file
from tdgen.protocols import suite_files
from tdgen.solution import Solution
from tdgen.solution.package import Layout, module_text
from tdgen.solution.writing import check_place, restored, write_package
from tdgen.specs.instruction import normalise
from tdgen.types import Case, Plan, Suite, digest, file_of_tests

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
        ...

    def write(self, solution: Solution) -> str:
        """Write it, and say in a line what is where now."""
        ...


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
        self._place = Place(folder, record=record, force=wishes.force, overwrite=wishes.overwrite)

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


FORMAT: Final = 1
FILE: Final = "draft.json"


class DraftFile(NamedTuple):
    """What a draft's file holds: the instruction as it was written, its plan, and the suites that are there so far."""

    instruction: str
    plan: Plan
    suites: tuple[Suite, ...] = ()

    def rendered(self) -> dict[str, str]:
        """Its suites as pytest files, by name."""
        return {
            file_of_tests(suite.function): suite_files().render_suite(suite, self.plan.spec(suite.function), self.plan)
            for suite in self.suites
            if suite.cases
        }


class DraftTarget:
    """Where a draft is to be written: one file, or a folder with its suites' pytest files beside it, to be read."""

    def __init__(
        self, out: str, cache: Path, *, as_file: bool = False, force: bool = False, overwrite: bool = False
    ) -> None:
        """`out` names a file where `as_file` says so or it ends in `.json`, else a folder for a `draft.json`.

        `cache` is the cache's folder: what was written to a single file is recorded there.
        """
        self._path = Path(out)
        self._is_file = as_file or self._path.suffix == ".json"
        self._record = written_record(cache, self._path)
        self._overwrite = overwrite
        self._place = Place(self._path, force=force, overwrite=overwrite)

    def check(self) -> None:
        """InputError where it can't be written there, or would replace what is there; ask before any work is paid."""
        if self._is_file:
            check_file(self._path, record=self._record, overwrite=self._overwrite)
        else:
            self._place.check(FILE)

    def write(self, draft: DraftFile) -> str:
        """Write it, and say in a line what is where now, and what to do with it."""
        text = json.dumps(draft_content(draft), indent=2, ensure_ascii=False) + "\n"
        if self._is_file:
            save_file(self._path, text, record=self._record, overwrite=self._overwrite)
            return f"wrote {self._path}: edit it, and go on with tdgen solve --plan {self._path}"
        rendered = draft.rendered()
        self._place.write({FILE: text, **format_files(rendered, style_at(self._path))})
        path = self._path / FILE
        beside = f" ({', '.join(sorted(rendered))} beside it only show its cases)" if rendered else ""
        return f"wrote {path}: edit it, and go on with tdgen solve --plan {path}{beside}"


def draft_content(draft: DraftFile) -> dict[str, Any]:
    """A draft as plain JSON data. A suite without a case is left out: its cases are to be written anew."""
    plan = draft.plan.model_dump(mode="json")
    written = {"instruction": _mark(normalise(draft.instruction)), "plan": _mark(plan)}
    content: dict[str, Any] = {"format": FORMAT, "instruction": draft.instruction, "plan": plan, "written": written}
    entries = [_suite_entry(suite) for suite in draft.suites if suite.cases]
    if entries:
        content["suites"] = entries
    return content


def read_draft(text: str, name: str) -> DraftFile:
    """The draft in a file's text; `name` is what messages call the file.

    InputError where it is no JSON, of another shape or a later format, or holds a case that can't be tried.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is no JSON: {error}") from None
    _check_format(content, name)
    try:
        read = _File.model_validate(content)
        suites = tuple(
            Suite(function=one.function, cases=tuple(_case(case, one.function) for case in one.cases))
            for one in read.suites
        )
    except ValidationError as error:
        raise InputError(f"{name} is no plan that can be used: {_first(error)}") from None
    marks = {"instruction": _mark(normalise(read.instruction)), "plan": _mark(read.plan.model_dump(mode="json"))}
    if {what for what, mark in marks.items() if read.written.get(what, mark) != mark} == {"instruction"}:
        raise InputError(
            f"{name}: the instruction was edited and its plan was not: edit the plan too, or plan the new instruction "
            "with `tdgen plan`"
        )
    for suite in suites:
        _check_suite(suite, read.plan, name)
    _check_once((suite.function for suite in suites), f"{name}: the suite of")
    return DraftFile(read.instruction, read.plan, suites)


class _SuiteEntry(BaseModel):
    model_config = ConfigDict(extra="forbid")

    function: str
    cases: list[dict[str, Any]]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: int
    instruction: str
    plan: Plan
    written: dict[str, str] = {}
    suites: list[_SuiteEntry] = []


def _check_format(content: Any, name: str) -> None:
    if not isinstance(content, dict) or "plan" not in content:
        raise InputError(f"{name} is no plan of tdgen's: make one with `tdgen plan TEXT -o {name}`")
    written = content.get("format")
    if isinstance(written, int) and not isinstance(written, bool) and written > FORMAT:
        raise InputError(f"{name} is of format {written}, this tdgen reads {FORMAT}: upgrade tdgen")
    if isinstance(written, bool) or written != FORMAT:
        raise InputError(f'{name} says no format that is known: it must have `"format": {FORMAT}`')


def _suite_entry(suite: Suite) -> dict[str, Any]:
    cases = [_case_entry(case) for case in suite.cases]
    return {"function": suite.function, "cases": [{**case, "written": _mark(case)} for case in cases]}


def _case_entry(case: Case) -> dict[str, Any]:
    """A case as people read it: without the defaults, and without the function's name, which stands above."""
    entry = case.model_dump(mode="json", exclude_defaults=True, exclude={"function"})
    return {"name": case.name, **entry, "expectation": {"form": case.expectation.form, **entry["expectation"]}}


def _mark(entry: Any) -> str:
    return digest(entry).removeprefix("sha256:")[:16]


def _case(entry: dict[str, Any], function: str) -> Case:
    given = dict(entry)
    written = given.pop("written", None)
    case = Case.model_validate({**given, "function": function})
    if written == _mark(_case_entry(case)):
        return case
    return case.model_copy(update={"provenance": "user"})


def _check_suite(suite: Suite, plan: Plan, name: str) -> None:
    from tdgen.testgen.problems import broken

    if suite.function not in {spec.name for spec in plan.functions}:
        raise InputError(f"{name} has cases of {suite.function}, which is not among the plan's functions")
    _check_once((case.name for case in suite.cases), f"{name}: the case")
    spec = plan.spec(suite.function)
    for case in suite.cases:
        if problem := next(broken(case, spec), None):
            raise InputError(f"{name}: the case {case.name!r} of {suite.function} can't be tried: {problem}")


def _check_once(names: Iterable[str], what: str) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise InputError(f"{what} {name!r} is there {count} times: leave one, or rename the others")


def _first(error: ValidationError) -> str:
    detail = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in detail["loc"])
    return f"{where}: {detail['msg']}" if where else detail["msg"]
