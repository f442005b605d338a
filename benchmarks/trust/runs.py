"""One run of the trust benchmark: a task, an implementation, a trust level, a trial that errs; and what came of it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from typing import NamedTuple

from tdgen.client import Generator, Handed
from tdgen.protocols import Sandbox
from tdgen.settings import Budget, Settings
from tdgen.solution import Solution
from tdgen.types import Case, FunctionResult, Plan, Strength, Trust
from trust.model import KnownModel, observed, same_behaviour
from trust.suites import Task


class Sandboxes(NamedTuple):
    """Where candidates run, where expected values are evaluated, and where the reference answers for the model."""

    candidates: Sandbox
    oracle: Sandbox
    reference: Sandbox


class Setting(NamedTuple):
    """How a run is made; `truth` gives the developer only the asserts that the reference bears out.

    `reads` says whether the instruction is read a second time, as trust levels from standard on do.
    """

    trust: Trust
    errs: float = 0.0
    truth: bool = False
    reads: bool = False

    def __str__(self) -> str:
        if self.trust == "quick":
            return "labelled truth, quick" if self.truth else "quick"
        told = f"{self.trust}, trial errs {self.errs:.0%}"
        return told if self.reads else f"{told}, no reading"


class Outcome(NamedTuple):
    """What came of a run: whether green was granted, which asserts are left as they were, the strength, the calls.

    `right` says whether the final code, which may be a second reading's, does on the hidden inputs what the reference
    does.
    """

    green: bool
    right: bool
    kept: frozenset[str]
    cases: int
    strength: Strength | None
    calls: int
    seconds: float


def run(task: Task, source: str, setting: Setting, sandboxes: Sandboxes) -> Outcome:
    """Solve a task whose developer answers `source`."""
    suite = [one.case for one in task.suite if one.holds or not setting.truth]
    model = KnownModel(
        task,
        source,
        sandboxes.reference,
        errs=setting.errs,
        suite=suite,
        misreadings=task.faulty if setting.reads else None,
    )
    solution = _solved(task, model, setting, sandboxes)
    (result,) = solution.results
    return Outcome(
        green=solution.all_tests_passed,
        right=result.best is not None and _is_right(task, result.best.source, sandboxes.reference),
        kept=_kept(suite, result),
        cases=len(result.suite.cases),
        strength=result.strength,
        calls=model.asked.total(),
        seconds=solution.seconds,
    )


def _solved(task: Task, model: KnownModel, setting: Setting, sandboxes: Sandboxes) -> Solution:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            trust=setting.trust,
            cache_dir=folder,
            fresh=True,
            search_seconds=0,  # what becomes of a given implementation is asked, not what a search makes of it
            budget=Budget(calls=None, seconds=None, iterations=3),
        )
        plan = Plan(module="solution", summary=task.problem.name, functions=(task.problem.spec,))
        with Generator(settings, model=model) as generator:
            vars(generator._runtime).update(sandbox=sandboxes.candidates, oracle=sandboxes.oracle)  # noqa: SLF001
            return generator.solve(f"Write what this says.\n\n{task.problem.spec.purpose}", Handed(plan=plan))


def _is_right(task: Task, source: str, sandbox: Sandbox) -> bool:
    wanted, seen = (observed(sandbox, code, task.hidden) for code in (task.reference, source))
    return same_behaviour(task, wanted, seen)


def _kept(suite: Sequence[Case], result: FunctionResult) -> frozenset[str]:
    """The asserts that are in the final suite as they were written."""
    final = {(case.call_key, case.expectation) for case in result.suite.cases}
    return frozenset(case.name for case in suite if (case.call_key, case.expectation) in final)
