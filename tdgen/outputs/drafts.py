"""Plans and suites as files that a user edits and hands back.

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
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from tdgen.cache.disk import written_record
from tdgen.errors import InputError
from tdgen.files.ruff import format_files, style_at
from tdgen.files.saving import Place, check_file, save_file
from tdgen.protocols import suite_files
from tdgen.specs.instruction import normalise
from tdgen.testgen.problems import broken
from tdgen.types import Case, Plan, Suite, digest, file_of_tests

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
    listed = ((suite.function, [_case_entry(case) for case in suite.cases]) for suite in draft.suites if suite.cases)
    entries = [
        {"function": function, "cases": [{**case, "written": _mark(case)} for case in cases]}
        for function, cases in listed
    ]
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
        detail = error.errors(include_url=False)[0]
        where = ".".join(map(str, detail["loc"]))
        wrong = f"{where}: {detail['msg']}" if where else detail["msg"]
        raise InputError(f"{name} is no plan that can be used: {wrong}") from None
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
