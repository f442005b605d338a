"""What is measured of a task: it is read, emptied, given its body back as tdgen lays it in, judged, and solved."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from projects.libraries import Library
from projects.simulated import cases, scripted
from projects.tasks import SECONDS, Checkout, Task, checked_out, emptied, first_module, run_tests
from tdgen.client import Generator, Handed
from tdgen.client.projects import mounted
from tdgen.errors import ReplyError, TdgenError
from tdgen.impl.in_place import in_place
from tdgen.project.index import read_index
from tdgen.project.root import find_project
from tdgen.project.task import ProjectTask
from tdgen.protocols import Sandbox
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.mounted import Mounted
from tdgen.settings import Budget, Settings
from tdgen.source.fragment import Fragment, read_fragment
from tdgen.source.laying import laid
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
    """What came of a task; the reasons are empty where all went well."""

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
            tokens = (len(target.context) + len(target.code)) // CHARACTERS
            found = Measured(task, tokens, seconds, cases=len(cases(task)))
            try:
                text = given_back(task.answer, task, filling)
            except (ReplyError, ValueError, SyntaxError) as error:
                return found._replace(difference=f"{type(error).__name__}: {error}")
            difference = first_difference(task.module.data, filling.module.encoded(text))
            gate, gate_s = _gate(text, task, filling, place.sandbox)
            found = found._replace(difference=difference, gate=gate, gate_s=gate_s)
            return _solved(found, filling) if solves else found
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


def _solved(found: Measured, filling: ProjectTask) -> Measured:
    """How a solve by the simulated model ends: "green", or why it does not."""
    if not found.cases:
        return found._replace(solved="no doctests to take cases from")
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(trust="quick", budget=Budget(calls=None, seconds=None), cache_dir=folder)
        model = scripted(found.task, filling.target)
        try:
            with Generator(settings, model=model, mounted=mounted(filling)) as generator:
                solution = generator.solve(filling.instruction, Handed(target=filling.target))
        except TdgenError as error:
            return found._replace(solved=" ".join(str(error).split()), solve_s=time.perf_counter() - began)
    ended = (
        "green" if solution.all_tests_passed else "; ".join(f"{one.outcome}: {one.reason}" for one in solution.results)
    )
    return found._replace(solved=ended, solve_s=time.perf_counter() - began)
