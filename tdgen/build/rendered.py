"""A function's rendered test file, run beside a module; and whose fault it is that one of its tests does not pass."""

from __future__ import annotations

from tdgen.protocols import Sandbox
from tdgen.testgen.rendering import node_ids, render_suite
from tdgen.types import FileJob, FileReport, FunctionSpec, Plan, Suite

IN_ORDER = FileJob(files={}, tests=())


class RenderedFile:
    """One function's suite as the file that the user gets; `isolated` where the function was seen to write files."""

    def __init__(self, suite: Suite, spec: FunctionSpec, plan: Plan, *, isolated: bool) -> None:
        self.suite, self._spec, self._plan, self._isolated = suite, spec, plan, isolated

    def run(self, sandbox: Sandbox, module: str, way: FileJob = IN_ORDER) -> FileReport:
        """What plain pytest says of it beside the source of `module`."""
        name = f"test_{self._spec.name}.py"
        source = render_suite(self.suite, self._spec, self._plan, isolated=self._isolated)
        files = {**self._plan.module_files(module), name: source}
        return sandbox.run_files(way.model_copy(update={"files": files, "tests": (name,)}))

    def of(self, cases: frozenset[str]) -> RenderedFile:
        """The same file with some of its cases alone."""
        kept = tuple(case for case in self.suite.cases if case.name in cases)
        suite = self.suite.model_copy(update={"cases": kept, "held_out": self.suite.held_out & cases})
        return RenderedFile(suite, self._spec, self._plan, isolated=self._isolated)

    def faulty(self, sandbox: Sandbox, module: str, report: FileReport) -> frozenset[str]:
        """Of the cases whose tests did not pass in `report` those whose tests do not pass by themselves either.

        The judge passes each case in a process and a folder of its own. Where a test fails so as well, it is the file
        that says another thing than the judge; where it passes so, one call of the code disturbs another.
        """
        ids = node_ids(self.suite, self._spec, self._plan)
        failed = [name for name, test in ids.items() if report.outcomes.get(test) != "passed"]
        return frozenset(n for n in failed if not self.of(frozenset({n})).run(sandbox, module).passed)
