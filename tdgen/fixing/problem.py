"""What is to be fixed: the tests that fail, found by running them, and the functions in which the fault may be."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tdgen.errors import InputError
from tdgen.fixing.localizing import Suspect, localize
from tdgen.project.baseline import Run, joined
from tdgen.project.gate import FINE, why_none_ran
from tdgen.project.index import Index
from tdgen.project.module import read_module
from tdgen.project.own_tests import own_tests
from tdgen.project.root import Project
from tdgen.types import Failure, FileReport

MOST_HUNG: Final = 3
"""How many tests that do not end are passed over until no more are run."""
_ADDRESS: Final = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_NOT_FOUND: Final = re.compile(r"^ERROR: (?:not found: |file or directory not found: )(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Problem:
    """Tests of a project that fail, by their ids (a file's path where it can't be collected), and how.

    `flaky` failed once and passed when they ran again; `hung` did not end; `waiting` fail in a stub, each with that:
    there is nothing to fix, its body is to be written. `suspects` are the functions that the
    failing tests run, the most suspicious first. `report` is what the traced run gave.
    """

    project: Project
    index: Index
    failing: tuple[str, ...]
    failures: Mapping[str, Failure]
    flaky: tuple[str, ...]
    hung: tuple[str, ...]
    report: FileReport
    suspects: tuple[Suspect, ...]
    waiting: Mapping[str, Suspect] = field(default_factory=dict)

    @property
    def can_change(self) -> bool:
        """Whether there is a suspect whose name stands for one definition, so that a change of it can be laid in."""
        return any(not suspect.unit.refused for suspect in self.suspects)


def named_tests(project: Project, names: Sequence[str], here: Path) -> tuple[str, ...]:
    """Test ids and files as they are called from the root; InputError for a file that is not there, or not in it.

    A path is looked for from the folder `here`, then from the root.
    """
    tests = []
    for name in names:
        path, separator, test = name.partition("::")
        file = next((place / path for place in (here, project.root) if (place / path).exists()), None)
        if file is None:
            raise InputError(f"{path}: there is no such file of tests")
        tests.append(f"{project.relative(project.inside(file))}{separator}{test}")
    return tuple(tests)


def find_problem(project: Project, index: Index, run: Run, tests: Sequence[str], *, seconds: float) -> Problem:
    """Run tests, or all there are, and say which fail, twice, and where the fault may be.

    InputError where a test is not there, where there are none, and where pytest can't run them at all.
    """
    report, hung = _traced(run, tests, seconds)
    if lacking := _NOT_FOUND.search(report.log):
        name = lacking[1].strip().removeprefix(f"{project.root}/")
        raise InputError(f"{name}: there is no such test")
    if not (report.collected or report.failures or hung):
        raise InputError(why_none_ran(report, tests) + unseen(project))
    failing = [test for test, outcome in report.outcomes.items() if outcome not in FINE]
    failing += [file for file in report.failures if "::" not in file]
    again = run(as_asked(failing), {}, seconds) if failing else FileReport()
    still = [test for test in failing if fails(test, again)]
    failures = {test: without_addresses(report.failures[test]) for test in still if test in report.failures}
    passing = _beside(project, index, run, report, still, seconds) if tests else report
    waiting = _waiting(localize(project, passing, frozenset(still)), failures) if still else {}
    left = [test for test in still if test not in waiting]
    return Problem(
        project=project,
        index=index,
        failing=tuple(left),
        failures=failures,
        flaky=tuple(test for test in failing if test not in still),
        hung=hung,
        report=passing,
        suspects=tuple(localize(project, passing, frozenset(left))) if left else (),
        waiting=waiting,
    )


def unseen(project: Project) -> str:
    """What of the project its tests can't see, to be said behind what went wrong; "" where there is nothing."""
    links = ", ".join(project.links_out())
    return (
        f"; {links}: a link out of the project, behind which nothing is seen: put the files in its place"
        if links
        else ""
    )


def _waiting(suspects: Sequence[Suspect], failures: Mapping[str, Failure]) -> dict[str, Suspect]:
    """The tests whose exception was raised in a stub, each with that."""
    stubs_hit = {}
    for test, failure in failures.items():
        inner = next((place for place in reversed(failure.places) if not place.path.startswith("/")), None)
        for one in suspects if inner else ():
            is_there = inner and one.module.path == inner.path and one.unit.first <= inner.line <= one.unit.last
            if is_there and one.unit.is_stub:
                stubs_hit[test] = one
    return stubs_hit


def _traced(run: Run, tests: Sequence[str], seconds: float) -> tuple[FileReport, tuple[str, ...]]:
    """A traced run's report, and the tests that did not end; what stands behind one of these is run without it."""
    ends = time.monotonic() + seconds
    report = run(tests, {}, seconds, traced=True)
    hung: list[str] = []
    while pending := [test for test in report.collected if test not in report.outcomes and test not in hung]:
        hung.append(pending[0])
        left = ends - time.monotonic()
        if len(hung) >= MOST_HUNG or left <= 0 or not pending[1:]:
            break
        report = joined(report, run(pending[1:], {}, left, traced=True))
    return report, tuple(hung)


def as_asked(tests: Sequence[str]) -> tuple[str, ...]:
    """Tests as pytest is to be asked for them: where they are many, by their files."""
    return tuple(tests) if len(tests) <= 50 else tuple(dict.fromkeys(test.partition("::")[0] for test in tests))


def fails(test: str, report: FileReport) -> bool:
    """Whether a test, or a file that could not be collected, does not pass by a report."""
    if "::" in test:
        return report.outcomes.get(test) not in FINE
    return test in report.failures or not any(name.startswith(f"{test}::") for name in report.collected)


def without_addresses(failure: Failure) -> Failure:
    """A failure that reads the same in each run: a prompt with it finds the answer that it was given before."""
    return failure.model_copy(update={"message": _ADDRESS.sub("0x…", failure.message)})


def _beside(
    project: Project, index: Index, run: Run, report: FileReport, failing: Sequence[str], seconds: float
) -> FileReport:
    """The report with that of the tests around: of the same files, and of those that import what failing ones run."""
    modules = {path for test in failing for path in report.ran.get(test, ())}
    files = dict.fromkeys(test.partition("::")[0] for test in failing)
    for path in sorted(modules):
        module = read_module(project, project.root / path)._replace(name=report.modules[path])
        files |= dict.fromkeys(own_tests(project, index, module).direct)
    return joined(run(tuple(files), {}, seconds, traced=True), report) if failing and files else report
