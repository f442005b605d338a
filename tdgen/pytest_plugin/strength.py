"""The strength of a project's own tests on functions and methods: the mutants of these that they kill."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from tdgen.errors import InputError
from tdgen.fixing.localizing import lines_in
from tdgen.fixing.problem import as_asked
from tdgen.mutation import mutants
from tdgen.project.baseline import Run
from tdgen.project.module import Module, Unit, read_module
from tdgen.project.revisions import changed_files, changed_units
from tdgen.project.root import Project
from tdgen.types import FileReport, Mutant, Strength

MOST: Final = 20
SHOWN: Final = 3
"""How many mutants of a unit are tried, and how many of those that no test kills are shown. Not tuned."""
SLACK: Final = 5.0
"""How many times as long as the tests of all, and how many seconds more, a mutant may take. Not tuned."""


class Changed(NamedTuple):
    """A module, and those of its functions and methods that changed."""

    module: Module
    units: tuple[Unit, ...]


def changed_modules(project: Project, revision: str) -> Iterator[Changed]:
    """What changed since a revision in the project's modules, tests left out. InputError as git has it."""
    for file in changed_files(project.root, project.modules(), revision):
        try:
            module = read_module(project, file)
        except InputError:
            continue
        names = changed_units(module, revision)
        units = tuple(
            unit for name, unit in module.units.items() if name in names and not (unit.refused or unit.is_stub)
        )
        if units:
            yield Changed(module, units)


def strengths(changed: Sequence[Changed], tests: Sequence[str], run: Run, *, seconds: float) -> Iterator[str]:
    """A line for each unit, and one for each of a few mutants that no test kills. `tests` are files from the root."""
    began = time.monotonic()
    report = run(tests, {}, seconds, traced=True)
    took = time.monotonic() - began
    if not report.ran:
        yield f"not told: no test of these passes in the sandbox: {report.log.strip().rpartition(chr(10))[2]}"
        return
    deadline = time.monotonic() + seconds
    for module, units in changed:
        for unit in units:
            yield from _unit_told(module, unit, report, run, (deadline, took))


def _unit_told(module: Module, unit: Unit, report: FileReport, run: Run, times: tuple[float, float]) -> Iterator[str]:
    name = f"{module.path}::{unit.name}"
    reaching = _reaching(module, unit, report)
    sample = mutants(module.text, unit.owner or unit.name, most=MOST, within=[range(unit.first, unit.last + 1)])
    if not (reaching and sample):
        yield f"{name}: {'nothing in it to change' if reaching else 'no passing test runs it'}"
        return
    imported = report.modules.get(module.path, module.name)
    tried, alive = _alive(imported, sample, reaching, run, times)
    strength = Strength(mutants=tried, killed=tried - len(alive))
    late = f", no time for {len(sample) - tried} more (TDGEN_GATE_SECONDS gives more)" * (tried < len(sample))
    yield f"{name}: {strength.sentence or 'no mutant tried'} by {len(reaching)} test{'s' * (len(reaching) != 1)}{late}"
    for one in alive[:SHOWN]:
        yield f"    no test fails with {one.after or 'nothing'} for {one.before or 'nothing'} (line {one.line})"


def _reaching(module: Module, unit: Unit, report: FileReport) -> tuple[str, ...]:
    """The passing tests that run a unit."""

    def runs(ran: str) -> bool:
        return any(unit.first <= line <= unit.last for line in lines_in(ran, unit.last))

    passing = (test for test, outcome in report.outcomes.items() if outcome == "passed")
    return tuple(test for test in passing if runs(report.ran.get(test, {}).get(module.path, "")))


def _alive(
    name: str, mutants: Sequence[Mutant], tests: Collection[str], run: Run, times: tuple[float, float]
) -> tuple[int, list[Mutant]]:
    """How many mutants were tried before the deadline, and those that all tests pass on.

    One that does not end, or can't be imported, is killed.
    """
    deadline, took = times
    alive: list[Mutant] = []
    for number, mutant in enumerate(mutants):
        if time.monotonic() > deadline:
            return number, alive
        report = run(as_asked(tuple(tests)), {name: mutant.source}, SLACK * (1 + took))
        if all(report.outcomes.get(test) == "passed" for test in tests):
            alive.append(mutant)
    return len(mutants), alive
