"""Hidden tests that are a pytest file over `import solution`: effects, programs and classes need no less.

They run in one process with the code, so a module could end pytest early, skip tests or leave some out. The reference
is run by the same tests, and says which test ids a right module passes.
"""

from __future__ import annotations

from typing import Final

from tdgen.errors import InputError
from tdgen.evaluation.asserts import MODULE
from tdgen.evaluation.judged import MOST_FAULTS, Judged
from tdgen.evaluation.problems import Problem
from tdgen.protocols import Sandbox
from tdgen.types import FileJob, FileReport, Limits

HIDDEN: Final = "hidden_test.py"
_LIMITS: Final = Limits(wall_s=60.0, cpu_s=60.0)


def run_hidden(sandbox: Sandbox, program: str, source: str) -> FileReport:
    """Run a hidden pytest file on a module's source."""
    files = {f"{MODULE}.py": source, HIDDEN: program}
    return sandbox.run_files(FileJob(files=files, tests=(HIDDEN,), limits=_LIMITS))


class ModuleJudge:
    """Runs one problem's hidden pytest file."""

    def __init__(self, problem: Problem, sandbox: Sandbox, oracle: Sandbox) -> None:
        """InputError where the reference, which runs in `oracle`, does not pass all tests."""
        self._program = problem.program
        self._sandbox = sandbox
        report = run_hidden(oracle, problem.program, problem.reference)
        if not report.passed:
            raise InputError(f"the hidden tests of {problem.id} don't all pass on its own reference")
        self._ids = tuple(sorted(report.outcomes))

    def judge(self, source: str) -> Judged:
        """Count the tests that the reference passes and this source does not; all where pytest did not end in order."""
        if not source.strip():
            return self._judged(self._ids, "there is no code")
        report = run_hidden(self._sandbox, self._program, source)
        if not report.complete:
            return self._judged(self._ids, "pytest did not end by itself")
        return self._judged([name for name in self._ids if report.outcomes.get(name) != "passed"])

    def _judged(self, failed: tuple[str, ...] | list[str], why: str = "") -> Judged:
        # What pytest printed is left out: it holds seconds and addresses, and a replay would differ.
        faults = (why,) if why else tuple(f"{name} does not pass" for name in failed[:MOST_FAULTS])
        return Judged(tests=len(self._ids), failed=len(failed), faults=faults, forgeable=True)
