"""What is measured of a task: it is read, emptied, given its body back as tdgen lays it in, judged, and solved."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from projects.libraries import Library
from projects.simulated import cases, scripted
from projects.tasks import SECONDS, Checkout, Task, addition, checked_out, emptied, first_module, run_tests
from tdgen.client import Handed
from tdgen.client.projects import ProjectGenerator, mounted
from tdgen.errors import ReplyError, TdgenError
from tdgen.project.applying import apply_changes
from tdgen.project.edit import Change
from tdgen.project.index import read_index
from tdgen.project.root import find_project
from tdgen.project.task import ProjectTask
from tdgen.protocols import Sandbox
from tdgen.sandbox.interpreter import Mounted
from tdgen.sandbox.local import LocalSandbox
from tdgen.settings import Budget, Settings
from tdgen.solution import Solution
from tdgen.source.fragment import Fragment, read_fragment
from tdgen.source.laying import laid
from tdgen.specs.placed import in_place
from tdgen.types import FileReport

CHARACTERS = 4
"""Of a token, as tdgen estimates it."""


class Opened(NamedTuple):
    """A library in a working copy that a sandbox shows; `cold_s` and `again_s` are the seconds that its index took."""

    checkout: Checkout
    sandbox: Sandbox
    copy: Path
    index_folder: Path
    cold_s: float
    again_s: float


class Measured(NamedTuple):
    """What came of a task; the reasons are empty where all went well.

    Of what the simulated model solved, `right` says whether all tests that notice the body pass again, `broken` how
    many others that passed don't, and `elsewhere` names the files beside the module, new tests and the record that
    applied changes made others. `added` is how an addition of the same function ends, the stub gone too.
    """

    task: Task
    tokens: int = 0
    read_s: float = 0.0
    refused: str = ""
    difference: str = ""
    gate: str = ""
    gate_s: float = 0.0
    cases: int = 0
    solved: str = ""
    solve_s: float = 0.0
    right: bool = False
    broken: int = 0
    elsewhere: tuple[str, ...] = ()
    added: str = ""
    added_right: bool = False


@contextmanager
def opened(library: Library, root: Path) -> Iterator[Opened]:
    """A copy of the library's project, read and mounted; InputError where none of its tests passes."""
    with tempfile.TemporaryDirectory(prefix="tdgen-projects-") as folder:
        copy = Path(folder, library.id).resolve()
        shutil.copytree(root, copy, symlinks=True)
        index_folder = Path(folder, "index")
        file = first_module(library, copy)
        project = find_project(file)
        seconds = []
        for _ in range(2):
            began = time.perf_counter()
            read_index(project, index_folder)
            seconds.append(time.perf_counter() - began)
        imports = tuple(str(path) for path in (*project.import_folders, *project.environment.folders))
        shown = Mounted(root=str(copy), imports=imports)
        with LocalSandbox(str(project.environment.interpreter), mounted=shown) as sandbox:
            yield Opened(checked_out(library, copy, sandbox), sandbox, copy, index_folder, seconds[0], seconds[1])


@contextmanager
def taken_out(task: Task, place: Opened) -> Iterator[tuple[ProjectTask, float]]:
    """The task with its stub written in the copy, as `tdgen fill` reads it, and the seconds that this took."""
    try:
        began = time.perf_counter()
        yield emptied(task, place.copy, place.index_folder), time.perf_counter() - began
    finally:
        (place.copy / task.module.path).write_bytes(task.module.data)


def measured(task: Task, place: Opened, *, solves: bool = True) -> Measured:
    """All that is measured of one task."""
    try:
        with taken_out(task, place) as (filling, seconds):
            target = filling.target
            tokens = (len(target.context) + len(target.coded_beside)) // CHARACTERS
            found = Measured(task, tokens, seconds, cases=len(cases(task)))
            try:
                text = given_back(task.answer, task, filling)
            except (ReplyError, ValueError, SyntaxError) as error:
                return found._replace(difference=f"{type(error).__name__}: {error}")
            difference = first_difference(task.module.data, filling.module.encoded(text))
            gate, gate_s = _gate(text, task, filling, place.sandbox)
            found = found._replace(difference=difference, gate=gate, gate_s=gate_s)
            return _judged(found, filling, place) if solves else found
    except TdgenError as error:
        return Measured(task, refused=" ".join(str(error).split()))


def given_back(answer: str, task: Task, filling: ProjectTask) -> str:
    """The module with an answer's code in it, the way that a developer's answer goes.

    ReplyError where it is not what was asked for; ValueError or SyntaxError where it can't be laid in.
    """
    target, name = filling.target, task.unit.owner or task.unit.name
    source = in_place(read_fragment(answer, name, ()).source, name, target)
    fragment = read_fragment(source, name, ())
    methods = {name: target.units[name]} if target.units[name] else None
    return laid(target.source, {name: Fragment(fragment.imports, fragment.body)}, methods=methods, module=target.module)


def first_difference(before: bytes, after: bytes) -> str:
    """The first line in which two files differ, of each; empty where they are the same."""
    if before == after:
        return ""
    lines = list(zip(before.splitlines(keepends=True), after.splitlines(keepends=True), strict=False))
    number = next((place for place, (one, other) in enumerate(lines) if one != other), None)
    if number is None:
        return f"{len(before)} bytes became {len(after)}"
    return f"line {number + 1}: {lines[number][0]!r} became {lines[number][1]!r}"


def _gate(text: str, task: Task, filling: ProjectTask, sandbox: Sandbox) -> tuple[str, float]:
    """What is wrong with the gate's word on the original body (empty where nothing is), and the seconds it took."""

    def run(files: Sequence[str], overlay: Mapping[str, str], seconds: float) -> FileReport:
        del seconds
        return run_tests(sandbox, files, overlay)

    began = time.perf_counter()
    report = filling.check(text, run, seconds=SECONDS)
    seconds = time.perf_counter() - began
    outcomes = run_tests(sandbox, task.files, {task.module.name: text}).outcomes
    lost = [test for test in task.noticing if outcomes.get(test) != "passed"]
    told = [f"{len(report.broken)} broken ({report.broken[0]})"] if report.broken else []
    told += [f"{len(report.refusing)} refuse it ({report.refusing[0]})"] if report.refusing else []
    told += [f"{len(lost)} of {len(task.noticing)} do not pass again ({lost[0]})"] if lost else []
    return ", ".join(told), seconds


def _judged(found: Measured, filling: ProjectTask, place: Opened) -> Measured:
    """The same with what came of the stub, and of the function added, by the simulated model and all tests."""
    if not found.cases:
        return found._replace(solved="no doctests to take cases from")
    began = time.perf_counter()
    ended, solution = _solved(found.task, filling)
    found = found._replace(solved=ended, solve_s=time.perf_counter() - began)
    if ended == "green" and solution is not None:
        lost, broken = _outcomes(found.task, solution.module_source, place)
        changes = filling.changes(solution.module_source, solution.test_files)
        elsewhere = _changed_elsewhere(place.copy, changes)
        found = found._replace(right=not lost, broken=broken, elsewhere=elsewhere)
    if found.task.unit.owner:
        return found
    ended, solution = _solved(found.task, addition(found.task, place.copy, place.index_folder))
    if ended != "green" or solution is None:
        return found._replace(added=ended)
    lost, broken = _outcomes(found.task, solution.module_source, place)
    return found._replace(added=ended, added_right=not lost, broken=found.broken + broken)


def _outcomes(task: Task, text: str, place: Opened) -> tuple[int, int]:
    """With this text as the module's: how many of the tests that notice the body do not pass, and of the others."""
    outcomes = run_tests(place.sandbox, task.files, {task.module.name: text}).outcomes
    lost = sum(outcomes.get(test) != "passed" for test in task.noticing)
    ran = [test for test in place.checkout.passing if test.partition("::")[0] in task.files]
    return lost, sum(outcomes.get(test) != "passed" for test in ran) - lost


def _changed_elsewhere(root: Path, changes: Sequence[Change]) -> tuple[str, ...]:
    """The files of a project that are others, once the changes were made; they are taken back then."""
    before = _digests(root)
    apply_changes(changes)
    after = _digests(root)
    for change in changes:
        if change.before is None:
            change.file.unlink()
        else:
            change.file.write_bytes(change.before)
    paths = {change.path for change in changes}
    return tuple(path for path in sorted({*before, *after} - paths) if before.get(path) != after.get(path))


def _digests(root: Path) -> dict[str, str]:
    files = (path for path in root.rglob("*") if path.is_file() and not {".venv", "__pycache__"} & {*path.parts})
    return {path.relative_to(root).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


def _solved(task: Task, asked: ProjectTask) -> tuple[str, Solution | None]:
    """How a solve by the simulated model ends, "green" or why it does not; and its solution."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(trust="quick", budget=Budget(calls=None, seconds=None), cache_dir=folder)
        try:
            with ProjectGenerator(mounted(asked), settings, model=scripted(task, asked.target)) as generator:
                solution = generator.solve(asked.instruction, Handed(target=asked.target))
        except TdgenError as error:
            return " ".join(str(error).split()), None
    ended = "; ".join(f"{one.outcome}: {one.reason}" for one in solution.results if one.outcome != "green")
    return ended or "green", solution
