"""A solution tried again, offline: its module judged on its suites, and its test files run."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

from tdgen.build import verdicts_on
from tdgen.build.user_tests import all_passed
from tdgen.judge import Oracle
from tdgen.pipeline.finishing import whole_run
from tdgen.protocols import Sandbox
from tdgen.solution import Solution
from tdgen.solution.layouts import runnable
from tdgen.specs.declarations import declare_types
from tdgen.specs.unwritten import unwritten
from tdgen.types import FileReport, Limits, Verdict


@dataclass(frozen=True)
class Verification:
    """What came of it: the judge's verdicts by function, what plain pytest said of the test files, what is missing.

    `missing` are the functions that the module has not, or only without a body.
    """

    verdicts: Mapping[str, tuple[Verdict, ...]]
    report: FileReport
    missing: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether every function is there and every case of it passed, and every test file."""
        judged = all(v.passed for found in self.verdicts.values() for v in found)
        return judged and self.tests_passed and not self.missing

    @property
    def tests_passed(self) -> bool:
        """Whether every test file passed."""
        return all_passed(self.report, self.files)


def verify(
    solution: Solution,
    files: Mapping[str, str] | None,
    *,
    sandbox: Sandbox,
    oracle: Sandbox,
    limits: Limits,
    executor: Executor,
) -> Verification:
    """Judge the module in `files` on the solution's suites and run the test files there; no model is asked.

    `files` are the texts of a folder's files as they are now, by path; what a user has changed in them is what is
    tried. None are those of the solution itself.
    """
    plan = solution.plan
    here = {**solution.test_files, **plan.module_files(solution.module_source)} if files is None else files
    placed = runnable(here, plan.module)
    source = next((text for name, text in placed.items() if plan.is_module(name)), "")
    tests = tuple(sorted(name for name in placed if Path(name).name.startswith("test_") and name.endswith(".py")))
    oracles = Oracle(oracle, plan.module, declare_types(plan))

    def judged(function: str) -> tuple[Verdict, ...]:
        suite = next(result.suite for result in solution.results if result.function == function)
        expected = oracles.expectations(suite.cases)
        return verdicts_on(source, suite, plan.spec(function), oracles, expected, sandbox, limits)

    names = [result.function for result in solution.results]
    verdicts = dict(zip(names, executor.map(judged, names), strict=True))
    python = {name: text for name, text in placed.items() if name.endswith(".py")}
    report = sandbox.run_files(whole_run(python, tests))
    return Verification(verdicts, report, unwritten(source, tuple(names)), python)
