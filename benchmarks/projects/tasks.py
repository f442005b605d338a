"""Tasks: documented functions and methods of a library whose bodies are taken, and whose loss its own tests notice.

Candidates are drawn by the library's name and a fixed seed. One becomes a task where a test of the library that passes
as it is does not pass once the body is gone: known by running them, in the sandbox.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import NamedTuple

from projects.libraries import Library
from tdgen.errors import InputError
from tdgen.project.adding import read_addition
from tdgen.project.filling import read_filling
from tdgen.project.index import Index, read_index
from tdgen.project.module import Module, Unit, read_module
from tdgen.project.own_tests import own_tests
from tdgen.project.root import Project, find_project
from tdgen.project.task import ProjectTask
from tdgen.protocols import Sandbox
from tdgen.source.syntax import docstring_of, whole_lines
from tdgen.types import FileJob, FileReport, Limits

SEED = 22
"""Which bodies are taken: fixed before any was."""
FEWEST = 2
"""Of statements that a body has, the docstring aside: one alone is mostly a call of something else."""
LONGEST = 40
"""Of lines that a body has: a task is a function, not a subsystem."""
TRIES = 30
"""How many candidates of a library are tried for its tasks."""
SECONDS = 120.0
"""How long the gate may take; a run of a library's tests may take twice as much processor time."""
PATIENCE = 5
"""How many times as long such a run may take by the clock: other work on the machine is to decide nothing."""
_NO_CODE = frozenset({"test", "tests", "docs", "bench", "examples"})


class Checkout(NamedTuple):
    """A library as a project that was read, and what its own tests say of it as it is."""

    library: Library
    project: Project
    index: Index
    report: FileReport

    @property
    def passing(self) -> frozenset[str]:
        """The tests that pass."""
        return frozenset(name for name, outcome in self.report.outcomes.items() if outcome == "passed")


class Task(NamedTuple):
    """A unit of a library's module that has lost its body.

    `module` is as it was, and `stub` is its text without the body. `files` are the tests that are run, and `noticing`
    are the tests among them that pass with the body and not without.
    """

    library: Library
    module: Module
    unit: Unit
    stub: str
    files: tuple[str, ...]
    noticing: tuple[str, ...]

    @property
    def id(self) -> str:
        """The library, the module and the unit."""
        return task_id(self.library, self.module, self.unit)

    @property
    def answer(self) -> str:
        """The original body as a developer gives it: the function, or the class with this method alone."""
        text = "".join(whole_lines(self.module.text)[self.unit.first - 1 : self.unit.last])
        return f"class {self.unit.owner}:\n{text}" if self.unit.owner else text


class Draw(NamedTuple):
    """Which bodies are drawn: in a seed's order, of methods alone or of all, none of those whose ids are known."""

    seed: int = SEED
    methods: bool = False
    known: frozenset[str] = frozenset()


def first_module(library: Library, root: Path) -> Path:
    """A file of the library's code, from which its project is found; InputError where it has none."""
    for path in (
        sorted((root / library.code).rglob("*.py")) if (root / library.code).is_dir() else [root / library.code]
    ):
        if path.is_file():
            return path
    raise InputError(f"{library.id} has no code in {library.code}")


def run_tests(sandbox: Sandbox, files: Sequence[str], overlay: Mapping[str, str]) -> FileReport:
    """The project's own tests with modules laid over its own."""
    limits = Limits(wall_s=PATIENCE * SECONDS, cpu_s=2 * SECONDS)
    return sandbox.run_files(
        FileJob(files={}, tests=tuple(files), overlay=dict(overlay), limits=limits, project_tests="run")
    )


def candidates(library: Library, root: Path, project: Project, seed: int = SEED) -> Iterator[tuple[Module, Unit]]:
    """The documented functions and methods with a body worth writing, in the seed's order."""
    found = []
    code = root / library.code
    for file in project.sources():
        if file == code or (file.is_relative_to(code) and _NO_CODE.isdisjoint(file.relative_to(root).parts)):
            module = read_module(project, file)
            found += [(module, unit) for unit in module.units.values() if _is_worth(unit)]
    Random(f"{seed} {library.name}").shuffle(found)  # noqa: S311 - a draw that anybody can make again
    return iter(found)


def _is_worth(unit: Unit) -> bool:
    docstring = docstring_of(unit.node)
    if unit.refused or unit.is_stub or isinstance(unit.node, ast.ClassDef) or not docstring or not unit.docstring:
        return False
    body = unit.node.body[1:]
    inner = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.stmt)]
    is_apart = bool(body) and body[0].lineno > (docstring.end_lineno or 0)
    return is_apart and len(inner) >= FEWEST and unit.last - (docstring.end_lineno or 0) <= LONGEST


def without_body(module: Module, unit: Unit) -> str:
    """The module's text with `raise NotImplementedError` for a unit's body; its docstring stays."""
    lines = whole_lines(module.text)
    docstring, first = unit.node.body[0], unit.node.body[1]
    start = docstring.end_lineno or docstring.lineno
    indent = lines[first.lineno - 1][: first.col_offset]
    end = lines[unit.last - 1][len(lines[unit.last - 1].rstrip("\r\n")) :]
    return "".join([*lines[:start], f"{indent}raise NotImplementedError{end}", *lines[unit.last :]])


def tasks_of(checkout: Checkout, sandbox: Sandbox, number: int, draw: Draw = Draw()) -> Iterator[Task]:  # noqa: B008
    """So many tasks at most, in the seed's order."""
    drawn = (
        (module, unit)
        for module, unit in candidates(checkout.library, checkout.project.root, checkout.project, draw.seed)
        if (unit.owner or not draw.methods) and task_id(checkout.library, module, unit) not in draw.known
    )
    return _tried(checkout, sandbox, drawn, number)


def _tried(checkout: Checkout, sandbox: Sandbox, drawn: Iterator[tuple[Module, Unit]], number: int) -> Iterator[Task]:
    for (module, unit), _ in zip(drawn, range(TRIES), strict=False):
        if not number:
            return
        if task := _task(checkout, sandbox, module, unit):
            yield task
            number -= 1


def tasks_named(checkout: Checkout, sandbox: Sandbox, names: Collection[str]) -> Iterator[Task]:
    """The tasks with these ids."""
    for module, unit in candidates(checkout.library, checkout.project.root, checkout.project):
        if task_id(checkout.library, module, unit) in names and (task := _task(checkout, sandbox, module, unit)):
            yield task


def task_id(library: Library, module: Module, unit: Unit) -> str:
    """The library, the module and the unit."""
    return f"{library.name}/{module.name}::{unit.name}"


def _task(checkout: Checkout, sandbox: Sandbox, module: Module, unit: Unit) -> Task | None:
    """The task that a unit makes; None where no test notices that its body is gone."""
    stub = without_body(module, unit)
    tests = own_tests(checkout.project, checkout.index, module)
    files = tests.near or tests.others
    report = run_tests(sandbox, files, {module.name: stub})
    lost = tuple(
        name
        for name in sorted(checkout.passing)
        if name.partition("::")[0] in files and report.outcomes.get(name) != "passed"
    )
    return Task(checkout.library, module, unit, stub, files, lost) if lost else None


def emptied(task: Task, root: Path, cache: Path | None = None) -> ProjectTask:
    """The task as `tdgen fill` reads it: `root` is a copy of the project, in which the stub is written."""
    file = root / task.module.path
    file.write_bytes(task.module.encoded(task.stub))
    return read_filling([f"{file}::{task.unit.name}"], cache, with_tests=False)


def addition(task: Task, root: Path, cache: Path | None = None) -> ProjectTask:
    """The task as `tdgen add` reads it: the unit is gone from the copy, its signature and docstring are the prose.

    None of the library's tests is shown: they judge what comes of it.
    """
    file, unit = root / task.module.path, task.unit
    lines = whole_lines(task.module.text)
    text = "".join([*lines[: unit.first - 1], *lines[unit.last :]])
    file.write_bytes(task.module.encoded(text))
    kind = "method" if unit.owner else "function"
    above = "".join(f"{dedent(line)}" for line in lines[unit.first - 1 : unit.node.lineno - 1])
    prose = f"Add this {kind}:\n\n```python\n{above}{unit.signature} ...\n```\n\n{dedent(unit.docstring).strip()}\n"
    return read_addition(f"{file}::{unit.owner}" if unit.owner else str(file), prose, cache, with_tests=False)


def checked_out(library: Library, root: Path, sandbox: Sandbox) -> Checkout:
    """The library as it is, with what its tests say; InputError where none of them passes."""
    project = find_project(first_module(library, root))
    checkout = Checkout(library, project, read_index(project), run_tests(sandbox, (), {}))
    if not checkout.passing:
        last = [line for line in checkout.report.log.splitlines() if line.strip()][-1:]
        raise InputError(f"none of its own tests passes here: {' '.join(last) or 'there are none'}")
    return checkout
