"""A solution tried again, offline: its module judged on its suites, and its test files run."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass

from tdgen.judge import Oracle
from tdgen.pipeline.finishing import whole_run
from tdgen.pipeline.workshop import verdicts_on
from tdgen.protocols import Sandbox
from tdgen.specs.declarations import declare_types
from tdgen.types import FileReport, Limits, Solution, Verdict


@dataclass(frozen=True)
class Verification:
    """What came of it: the judge's verdicts by function, and what plain pytest said of the test files."""

    verdicts: Mapping[str, tuple[Verdict, ...]]
    report: FileReport

    @property
    def passed(self) -> bool:
        """Whether every case of every function passed, and every test file."""
        return all(v.passed for found in self.verdicts.values() for v in found) and self.report.passed


def verify(
    solution: Solution,
    files: Mapping[str, str],
    *,
    sandbox: Sandbox,
    oracle: Sandbox,
    limits: Limits,
    executor: Executor,
) -> Verification:
    """Judge the module in `files` on the solution's suites and run the test files there; no model is asked.

    `files` are the package's files as they are now, by name; what a user has changed in them is what is tried.
    """
    plan = solution.plan
    module_file = f"{plan.module}.py"
    source = files.get(module_file, "")
    tests = tuple(sorted(name for name in files if name.startswith("test_") and name.endswith(".py")))
    oracles = Oracle(oracle, plan.module, declare_types(plan))

    def judged(function: str) -> tuple[Verdict, ...]:
        suite = next(result.suite for result in solution.results if result.function == function)
        expected = oracles.expectations(suite.cases)
        return verdicts_on(source, suite, plan.spec(function), oracles, expected, sandbox, limits)

    names = [result.function for result in solution.results]
    verdicts = dict(zip(names, executor.map(judged, names), strict=True))
    report = sandbox.run_files(whole_run({n: files[n] for n in (module_file, *tests) if n in files}, tests))
    return Verification(verdicts, report)
