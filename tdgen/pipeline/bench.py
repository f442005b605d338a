"""The bench that one function's attempts are tried on: run in the sandbox, judged outside it."""

from __future__ import annotations

from collections.abc import Mapping

from tdgen.impl import Findings, Piece, assemble, lint_findings, trusted_piece
from tdgen.judge import Expected, Oracle, candidate_probe
from tdgen.pipeline.draft import USER_TESTS, Draft, Tools
from tdgen.protocols import Sandbox
from tdgen.testgen.rendering import render_suite
from tdgen.types import Attempt, FileJob, FileReport, FunctionSpec, Job, Limits, Suite, Verdict

IN_ORDER = FileJob(files={}, tests=())
SHUFFLED = FileJob(files={}, tests=(), hash_seed=4242, shuffle=7)
ONLY_TOGETHER = (
    "The tests that you see pass. Others do not, though each passes by itself: what one call leaves behind (a mutable "
    "default, a variable of the module), or the order of a set's items, changes what the next one gives."
)


class Bench:
    """Tries attempts at one function; what it stands on is given as source for each trial."""

    def __init__(self, tools: Tools, draft: Draft, spec: FunctionSpec) -> None:
        self._tools = tools
        self._plan = draft.made_plan
        self._types = draft.types
        self._spec = spec
        self._expected: Mapping[str, Expected] = draft.expected[spec.name]
        self._oracle = Oracle(tools.oracle, self._plan.module, draft.types)
        self._limits = tools.settings.limits
        self._user = draft.veto

    def judged(self, attempt: Attempt, suite: Suite, around: Mapping[str, str]) -> Attempt:
        """The attempt with verdicts on all of the suite's cases and with what reading and pytest say against it.

        `around` holds the sources that it stands on, by function. Only the judge's verdicts can make it green; all
        else takes away.
        """
        if not attempt.source:
            return attempt
        own = trusted_piece(attempt.source)
        module = assemble(self._types, [*(trusted_piece(source) for source in around.values()), own])
        read = self._read(module, own)
        findings = tuple(dict.fromkeys([*attempt.findings, *read.blocking]))
        attempt = attempt.model_copy(update={"findings": findings, "advice": read.advice})
        if attempt.findings:
            return attempt
        attempt = attempt.model_copy(update={"verdicts": self._verdicts(module, suite)})
        if not attempt.green:
            return attempt
        return attempt.model_copy(update={"vetoes": self._vetoes(module, suite, {self._spec.name, *around})})

    def _read(self, module: str, own: Piece) -> Findings:
        start = module.rfind(own.body.strip("\n"))
        first = module.count("\n", 0, start) + 1
        last = first + own.body.strip("\n").count("\n")
        return lint_findings(module, first, last, python=self._tools.python)

    def _verdicts(self, module: str, suite: Suite) -> tuple[Verdict, ...]:
        return verdicts_on(module, suite, self._spec, self._oracle, self._expected, self._tools.sandbox, self._limits)

    def _vetoes(self, module: str, suite: Suite, present: set[str]) -> tuple[str, ...]:
        """What plain pytest says against an attempt that the judge found right, in the first run that says anything."""
        ways = {"the rendered tests": IN_ORDER}
        if self._tools.settings.trust != "quick":
            ways["the rendered tests, shuffled and under another PYTHONHASHSEED,"] = SHUFFLED
        for what, way in ways.items():
            report = self._rendered_run(module, suite, way)
            if not report.passed:
                return (f"{what} do not pass:\n{self._shown(report, module, suite, way)}",)
        if self._user.source and present >= set(self._user.functions):
            report = self._run(module, USER_TESTS, self._user.source, IN_ORDER)
            if not report.passed:
                return (f"the user's own tests do not pass:\n{report.log}",)
        return ()

    def _rendered_run(self, module: str, suite: Suite, way: FileJob) -> FileReport:
        return self._run(module, f"test_{self._spec.name}.py", render_suite(suite, self._spec, self._plan), way)

    def _run(self, module: str, test_file: str, tests: str, way: FileJob) -> FileReport:
        files = {f"{self._plan.module}.py": module, test_file: tests}
        return self._tools.sandbox.run_files(way.model_copy(update={"files": files, "tests": (test_file,)}))

    def _shown(self, failed: FileReport, module: str, suite: Suite, way: FileJob) -> str:
        """The log as it may be shown: pytest prints whole tables, so it is that of a run without held-out cases."""
        if not suite.held_out:
            return failed.log
        visible = suite.model_copy(update={"cases": suite.visible, "held_out": frozenset()})
        again = self._rendered_run(module, visible, way)
        return ONLY_TOGETHER if again.passed else again.log


def verdicts_on(
    source: str,
    suite: Suite,
    spec: FunctionSpec,
    oracle: Oracle,
    expected: Mapping[str, Expected],
    sandbox: Sandbox,
    limits: Limits,
) -> tuple[Verdict, ...]:
    """The judge's verdicts on a whole module's source: run where candidates run, settled where they never do."""
    probes = tuple(candidate_probe(case) for case in suite.cases)
    job = Job(module=oracle.module, source=source, probes=probes, limits=limits)
    return oracle.verdicts(spec, suite.cases, sandbox.run(job).observations, expected)
