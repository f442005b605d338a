"""The bench that one function's attempts are tried on: run in the sandbox, judged outside it."""

from __future__ import annotations

from collections.abc import Mapping

from tdgen.impl import Piece, assemble, lint_findings, trusted_piece
from tdgen.judge import Expected, Oracle, candidate_probe
from tdgen.pipeline.draft import USER_TESTS, Draft, Tools
from tdgen.protocols import Sandbox
from tdgen.testgen.rendering import render_suite
from tdgen.types import Attempt, FileJob, FunctionSpec, Job, Limits, Suite, Verdict

OTHER_HASH_SEED = 4242
SHUFFLE = 7


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
        findings = dict.fromkeys([*attempt.findings, *self._lint(module, own)])
        attempt = attempt.model_copy(update={"findings": tuple(findings)})
        if attempt.findings:
            return attempt
        attempt = attempt.model_copy(update={"verdicts": self._verdicts(module, suite)})
        if not attempt.green:
            return attempt
        return attempt.model_copy(update={"vetoes": self._vetoes(module, suite, {self._spec.name, *around})})

    def _lint(self, module: str, own: Piece) -> tuple[str, ...]:
        start = module.rfind(own.body.strip("\n"))
        first = module.count("\n", 0, start) + 1
        last = first + own.body.strip("\n").count("\n")
        return lint_findings(module, first, last, python=self._tools.python).blocking

    def _verdicts(self, module: str, suite: Suite) -> tuple[Verdict, ...]:
        return verdicts_on(module, suite, self._spec, self._oracle, self._expected, self._tools.sandbox, self._limits)

    def _vetoes(self, module: str, suite: Suite, present: set[str]) -> tuple[str, ...]:
        """What plain pytest says against an attempt that the judge found right, in the first run that says anything."""
        test_file = f"test_{self._spec.name}.py"
        files = {f"{self._plan.module}.py": module, test_file: render_suite(suite, self._spec, self._plan)}
        runs = {"the rendered tests": FileJob(files=files, tests=(test_file,))}
        if self._tools.settings.trust != "quick":
            shuffled = FileJob(files=files, tests=(test_file,), hash_seed=OTHER_HASH_SEED, shuffle=SHUFFLE)
            runs["the rendered tests, shuffled and under another PYTHONHASHSEED,"] = shuffled
        if self._user.source and present >= set(self._user.functions):
            own = {f"{self._plan.module}.py": module, USER_TESTS: self._user.source}
            runs["the user's own tests"] = FileJob(files=own, tests=(USER_TESTS,))
        for what, job in runs.items():
            report = self._tools.sandbox.run_files(job)
            if not report.passed:
                return (f"{what} do not pass:\n{report.log}",)
        return ()


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
