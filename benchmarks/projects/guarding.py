"""Functions of real libraries guarded, half of them with a fault against their docs that somebody put in.

A fault is an edit of a few words within one function, with the words of the docstring that it breaks (`faults.json`).
What is found is judged by the library as it was: a case of a finding that the original code passes shows the fault, one
that it fails too is a false alarm, or a fault of the library's own.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from projects.knowing import Knowing
from projects.libraries import LIBRARIES, Library, fetched
from projects.tasks import Task
from tdgen.batch.lines import folder_name
from tdgen.client import Handed
from tdgen.client.projects import ProjectGenerator, mounted
from tdgen.errors import BudgetSpent, InputError, OutOfScope, PlanError
from tdgen.models.scripted import ScriptedModel, script_from
from tdgen.project.guarding import read_guarding
from tdgen.project.module import Module, Unit, read_module
from tdgen.project.root import find_project
from tdgen.project.task import ProjectTask
from tdgen.protocols import Model
from tdgen.pytest_files import node_ids
from tdgen.sandbox.local import LocalSandbox
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.source.syntax import whole_lines
from tdgen.types import FileJob, Finding, Frozen, FunctionResult, Usage

FAULTS = Path(__file__).with_name("faults.json")


class Seed(NamedTuple):
    """A function of a library, and the edit that makes it break its docs; without `old` it is as it was."""

    task: str
    old: str = ""
    new: str = ""
    breaks: str = ""

    @property
    def library(self) -> Library:
        """The library that it is of."""
        return next(one for one in LIBRARIES if one.name == self.task.partition("/")[0])

    @property
    def unit(self) -> str:
        """The function, or `Class.method`."""
        return self.task.partition("::")[2]

    @property
    def file(self) -> str:
        """Its module's path from where the library's imports start."""
        return self.task.partition("/")[2].partition("::")[0].replace(".", "/")


class Guarded(Frozen):
    """What guarding came to: findings that show the fault, and those that the original code has too.

    `strength` is the mutation score of its suite, None where nothing was measured.
    """

    task: str
    is_faulty: bool
    outcome: str
    reason: str = ""
    shown: tuple[Finding, ...] = ()
    alarms: tuple[Finding, ...] = ()
    strength: float | None = None
    cases: int = 0
    usage: Usage = Usage()
    seconds: float = 0.0


def read_seeds(path: Path = FAULTS) -> list[Seed]:
    """The functions in the file's order: those with a fault and those without take turns."""
    return [Seed(**one) for one in json.loads(path.read_text(encoding="utf-8"))]


def edited(text: str, unit: Unit, seed: Seed) -> str:
    """A module's text with the edit made; InputError where its words do not stand once in the function."""
    lines = whole_lines(text)
    body = "".join(lines[unit.first - 1 : unit.last])
    if body.count(seed.old) != 1:
        raise InputError(f"{seed.task}: {seed.old!r} stands there {body.count(seed.old)} times, and not once")
    return "".join([*lines[: unit.first - 1], body.replace(seed.old, seed.new), *lines[unit.last :]])


class Place(NamedTuple):
    """A seed's function in a working copy of its library: the task, and module and function as they were."""

    task: ProjectTask
    module: Module
    unit: Unit


@contextmanager
def seeded(seed: Seed, root: Path) -> Iterator[Place]:
    """The function as it is to be guarded, in a copy of the library's project."""
    with tempfile.TemporaryDirectory(prefix="tdgen-guard-") as folder:
        copy = Path(folder, seed.library.id).resolve()
        shutil.copytree(root, copy, symlinks=True)
        file = _file(seed, copy)
        module = read_module(find_project(file), file)
        unit = module.units[seed.unit]
        if seed.old:
            file.write_bytes(module.encoded(edited(module.text, unit, seed)))
        task = read_guarding([f"{file}::{seed.unit}"], Path(folder, "index"))
        yield Place(task, module, unit)


def _file(seed: Seed, root: Path) -> Path:
    top = root / seed.library.code
    for base in (root, top, top.parent):
        for path in (base / f"{seed.file}.py", base / seed.file / "__init__.py"):
            if path.is_file():
                return path
    raise InputError(f"{seed.task}: {seed.library.id} has no {seed.file}.py")


def guarded(seed: Seed, cache: Path, settings: Settings, model: Model | None = None) -> Guarded:
    """Guard a seed's function with `model`, the settings', or one that knows the original; judge what is found."""
    began = time.monotonic()
    with seeded(seed, fetched(seed.library, cache)) as place, ExitStack() as opened:
        if model is None and not settings.base_url:
            shown = mounted(place.task)
            sandbox = opened.enter_context(LocalSandbox(shown.python, mounted=shown))
            task = Task(seed.library, place.module, place.unit, "", (), ())
            model = Knowing(task, place.task.target, place.module.text, sandbox)
        with ProjectGenerator(mounted(place.task), settings, model=model) as generator:
            try:
                solution = generator.solve(place.task.instruction, Handed(target=place.task.target))
            except (PlanError, OutOfScope, BudgetSpent) as error:
                return Guarded(task=seed.task, is_faulty=bool(seed.old), outcome="failed", reason=str(error))
        shown, alarms = judged(solution, place)
    (result,) = solution.results
    return Guarded(
        task=seed.task,
        is_faulty=bool(seed.old),
        outcome=result.outcome,
        reason=result.reason,
        shown=tuple(shown),
        alarms=tuple(alarms),
        strength=result.strength.score if result.strength else None,
        cases=len(result.suite.cases),
        usage=solution.usage,
        seconds=round(time.monotonic() - began, 1),
    )


def judged(solution: Solution, place: Place) -> tuple[list[Finding], list[Finding]]:
    """The findings of which the original code passes a case, and those of which it passes none."""
    (result,) = solution.results
    shown = mounted(place.task)
    with LocalSandbox(shown.python, mounted=shown) as sandbox:
        overlay = {place.task.module.name: place.module.text}
        job = FileJob(files=solution.test_files, tests=tuple(solution.test_files), overlay=overlay)
        outcomes = sandbox.run_files(job).outcomes
    ids = _ids(result, solution)
    fine = [one for one in result.findings if any(outcomes.get(ids.get(case, "")) == "failed" for case in one.cases)]
    return fine, [one for one in result.findings if one not in fine]


def _ids(result: FunctionResult, solution: Solution) -> dict[str, str]:
    """The tests of cases, by name; one that is expected to fail fails where the code passes it."""
    failing = {case: "its docs" for finding in result.findings for case in finding.cases}
    return node_ids(result.suite, solution.plan.spec(result.function), solution.plan, failing=failing)


def kept(seed: Seed, cache: Path, logs: Path, folder: Path, settings: Settings, model: Model | None = None) -> Guarded:
    """Guard with the settings' model and keep what plays it again; what is kept already is given back as it is."""
    name = folder_name(seed.task)
    record = folder / name / "record.json"
    if record.exists():
        return Guarded.model_validate_json(record.read_bytes())
    changed = settings.changed(cache_dir=str(logs / "cache"), transcript=str(logs / name))
    found = guarded(seed, cache, changed, model)
    record.parent.mkdir(parents=True, exist_ok=True)
    script_from(logs / name).save(record.with_name("guard.json"))
    record.write_text(found.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return found


def play(seed: Seed, cache: Path, folder: Path, settings: Settings) -> tuple[Guarded, str]:
    """What comes of kept answers, and in what it differs from its record: empty where in nothing."""
    before = Guarded.model_validate_json((folder / "record.json").read_bytes())
    with tempfile.TemporaryDirectory() as scratch:
        model = ScriptedModel.load(folder / "guard.json")
        found = guarded(seed, cache, settings.changed(cache_dir=scratch), model)
    told = [
        f"{name} was {one}, is {other}"
        for name, one, other in (
            ("outcome", before.outcome, found.outcome),
            ("findings", _calls(before.shown), _calls(found.shown)),
            ("false alarms", _calls(before.alarms), _calls(found.alarms)),
        )
        if one != other
    ]
    return found, ", ".join(told)


def _calls(findings: Sequence[Finding]) -> list[str]:
    return [finding.call for finding in findings]
