"""Do somebody's tests hold for somebody's code, and how strong are they?"""

from __future__ import annotations

import ast
import time
from collections.abc import Sequence
from typing import Final

from tdgen.errors import InputError
from tdgen.runtime import Runtime
from tdgen.source.syntax import defined_names, parse
from tdgen.specs.problems import module_name_problem
from tdgen.types import FileJob, FileReport, Frozen, Limits, Mutant, Strength

MOST, MOST_OF_ONE = 60, 200
"""How many mutants are tried, taken evenly from all that there are, and how many of one unit these are. Not tuned."""
SLACK: Final = 5.0
MOMENT_S: Final = 1.0
"""How many times as long as those of the code itself the tests of a mutant may take, and how much more. Not tuned."""


class Judged(Frozen):
    """What pytest says of the tests, and how many mutants of the code they kill.

    `strength` is None where the tests don't hold: then it says nothing. `untried` mutants had no time.
    """

    report: FileReport
    strength: Strength | None = None
    untried: int = 0

    @property
    def holds(self) -> bool:
        """Whether there are tests, and all of them pass."""
        return self.report.passed


def judge(source: str, tests: str, module: str, *, runtime: Runtime, limits: Limits, seconds: float) -> Judged:
    """Run the tests beside the code, which they import as `module`, and then beside mutants of it, for so many seconds.

    A mutant on which the tests do not end, or can't be imported, is killed. InputError where one of the two is no
    Python, or the name can be no module's.
    """
    began = time.monotonic()
    problem = module_name_problem(module) or ("a module in a package can't be judged alone" if "." in module else None)
    if problem is not None:
        raise InputError(problem)
    names = [name for node in _parsed(source, "the code").body for name in defined_names(node)]
    _parsed(tests, "the tests")
    file = f"test_{module}.py"

    def report(code: str, at_most: float) -> FileReport:
        bounded = limits.model_copy(update={"wall_s": at_most, "cpu_s": 2 * at_most})
        files = {f"{module}.py": code, file: tests}
        return runtime.sandbox.run_files(FileJob(files=files, tests=(file,), limits=bounded))

    first = report(source, seconds)
    if not first.passed:
        return Judged(report=first)
    took = time.monotonic() - began
    python = runtime.language_of("python")
    mutants = _sampled([mutant for name in names for mutant in python.mutants(source, name, most=MOST_OF_ONE)])

    def survives(mutant: Mutant) -> bool | None:
        left = began + seconds - time.monotonic()
        enough = SLACK * took + MOMENT_S
        return report(mutant.source, min(enough, left)).passed if left > took else None

    alive = list(runtime.executor.map(survives, mutants))
    survivors = tuple(mutant.survivor for mutant, survived in zip(mutants, alive, strict=True) if survived)
    strength = Strength(mutants=len(mutants) - alive.count(None), killed=alive.count(False), survivors=survivors)
    return Judged(report=first, strength=strength, untried=alive.count(None))


def _parsed(source: str, what: str) -> ast.Module:
    try:
        return parse(source)
    except SyntaxError as error:
        raise InputError(f"{what} can't be read as Python: line {error.lineno}: {error.msg}") from None


def _sampled(mutants: Sequence[Mutant]) -> list[Mutant]:
    by_source = {mutant.source: mutant for mutant in mutants}
    by_line = sorted(by_source.values(), key=lambda mutant: mutant.line)
    return [by_line[n * len(by_line) // MOST] for n in range(MOST)] if len(by_line) > MOST else by_line
