"""Attempts at one function evaluated: run in the sandbox, judged outside it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, partial

from tdgen.build.draft import Draft, Tools
from tdgen.build.module_checks import IN_ORDER, RenderedFile, as_script, import_fault
from tdgen.build.versions import VersionRunner, limit_seconds
from tdgen.impl import accidents, objected
from tdgen.judge import Expected, Oracle, agree, candidate_probe
from tdgen.judge.compare import exception
from tdgen.protocols import Sandbox
from tdgen.source.fragment import trusted_fragment
from tdgen.types import (
    Attempt,
    Case,
    FileJob,
    FileReport,
    FunctionSpec,
    Job,
    Limits,
    Observation,
    Report,
    Step,
    Suite,
    Verdict,
    Watch,
    digest,
)
from tdgen.values.decode import decode
from tdgen.values.kinds import holds_opaque
from tdgen.values.readers import Unreadable

SHUFFLED = FileJob(files={}, tests=(), hash_seed=4242, shuffle=7)
ONLY_TOGETHER = (
    "The tests that you see pass. Others do not, though each passes by itself: what one call leaves behind (a mutable "
    "default, a variable of the module), or the order of a set's items, changes what the next one gives."
)


HASTY_S = 0.5
"""How long a case may take while many edits of an attempt are tried: what hangs there is passed over. Not tuned."""
NOT_DETERMINISTIC = "it is not deterministic"


class Evaluator:
    """Evaluates attempts at one function; what it stands on is given as source each time."""

    def __init__(self, tools: Tools, draft: Draft, spec: FunctionSpec) -> None:
        self._tools = tools
        self._plan = draft.required_plan
        self._spec = spec
        self._types = draft.types
        self._limits = tools.settings.limits
        self._gates = draft.gates
        order = draft.required_dependencies.order if draft.dependencies else ()
        self._order = [name for group in order for name in group]
        self._seen: dict[tuple[str, str], tuple[Observation, ...]] = {}
        self._read_as_parts = {reading.source: reading.parts for reading in draft.readings if reading.parts}
        self.oracle = Oracle.of(tools.oracle, self._plan, draft.types)

    def judged(
        self,
        attempt: Attempt,
        suite: Suite,
        expected: Mapping[str, Expected],
        around: Mapping[str, str],
        *,
        known_objections: Collection[str] = (),
    ) -> Attempt:
        """The attempt with verdicts on all of the suite's cases and with what reading and pytest say against it.

        `around` holds the sources that it stands on, by function. What is objected to does not stand against an attempt
        whose author knew it, or which was let through before. Only the judge's verdicts can make it green; all else
        takes away.
        """
        if not attempt.source:
            return attempt
        module = self.module(attempt.source, around)
        if attempt.rung == "existing":  # nothing but what it does is held against it
            return self._with_verdicts(attempt, module, suite, expected)[0]
        read = self._tools.language.findings(module, attempt.source, self._spec, self._plan)
        attempt = attempt.model_copy(
            update={"findings": tuple(dict.fromkeys([*attempt.findings, *read.blocking])), "advice": read.advice}
        )
        attempt = _objected(attempt, read.objections, known_objections)
        if attempt.findings:
            return attempt
        attempt, observations = self._with_verdicts(attempt, module, suite, expected)
        if not attempt.passes:
            return attempt.model_copy(update={"findings": attempt.findings or self._memorized(attempt, suite)})
        attempt = _objected(attempt, accidents(suite.visible, attempt.verdicts), known_objections)
        if attempt.findings:
            return attempt
        vetoes, advice = self._rerun(module, suite.cases, observations, expected)
        if not vetoes and self._tools.can("pytest"):
            vetoes = self._start(module, suite)
            vetoes = vetoes or self._vetoes(module, suite, {self._spec.name, *around}, isolated=attempt.writes)
        return attempt.model_copy(update={"vetoes": vetoes, "advice": (*attempt.advice, *advice)})

    def _with_verdicts(
        self, attempt: Attempt, module: str, suite: Suite, expected: Mapping[str, Expected]
    ) -> tuple[Attempt, Sequence[Observation]]:
        """The attempt as the judge has it, and what it was seen to do on the suite's cases."""
        observations = self.watched(module, suite.cases).observations
        verdicts = self.oracle.verdicts(self._spec, suite.cases, observations, expected)
        unrunnable = [exception(one.raised) for one in observations if one.status == "not_run" and one.raised]
        if not self._tools.language.parses and unrunnable and len(unrunnable) == len(observations):
            return attempt.model_copy(update={"verdicts": verdicts, "findings": (unrunnable[0],)}), observations
        writes = any(one.files != case.world.files for case, one in zip(suite.cases, observations, strict=True))
        return attempt.model_copy(update={"verdicts": verdicts, "writes": writes}), observations

    def module(self, source: str, around: Mapping[str, str]) -> str:
        """The whole module that a source is run in."""
        parts = self._read_as_parts.get(source)  # a reading stands by itself
        sources = parts or {**around, self._spec.name: source}
        # a class stands below its bases, also where they are built together
        in_order = {name: sources[name] for name in (*self._order, *sources) if name in sources}
        return self._tools.language.module(self._plan, in_order, self._types, self._spec.name)

    def watched(self, module: str, cases: Sequence[Case], watch: Watch = "", *, wall_s: float | None = None) -> Report:
        """What a module is seen to do on `cases`, in their order; its lines or values watched if asked.

        Limit cases run by themselves, within a time that is calibrated on this machine; with `wall_s` no call may take
        longer than that many seconds.
        """
        if wall_s is not None:
            return self._run_cases(module, cases, watch, self._tools.hasty(wall_s))
        limit = [case for case in cases if case.kind == "limit"]
        if not limit:
            return self._run_cases(module, cases, watch, self._limits)
        pace = self._limits.model_copy(update={"wall_s": min(self._limits.wall_s, self._limit_seconds)})
        slow = self._run_cases(module, limit, watch, pace)
        rest = self._run_cases(module, [case for case in cases if case.kind != "limit"], watch, self._limits)
        observations = {one.name: one for one in (*slow.observations, *rest.observations)}
        return rest.model_copy(
            update={"observations": tuple(observations[c.name] for c in cases), "denied": (*rest.denied, *slow.denied)}
        )

    def observed_once(self, module: str, cases: Sequence[Case]) -> tuple[Observation, ...]:
        """What a module is seen to do on `cases`; it is run once on them, however often that is asked."""
        key = (module, digest([case.model_dump(mode="json") for case in cases]))
        if key not in self._seen:
            self._seen[key] = tuple(self.watched(module, cases).observations)
        return self._seen[key]

    @cached_property
    def _limit_seconds(self) -> float:
        return limit_seconds(self._tools.oracle, self._plan.module)

    def _run_cases(self, module: str, cases: Sequence[Case], watch: Watch, limits: Limits) -> Report:
        if not cases:
            return Report()
        probes = tuple(candidate_probe(case) for case in cases)
        job = Job(
            module=self._plan.module,
            source=module,
            probes=probes,
            limits=limits,
            watch=watch,
            stop_early=True,
            public=self._plan.public_state,
        )
        report = self._tools.sandbox.run(job)
        left = [n for n, observation in enumerate(report.observations) if not observation.is_evidence]
        if not left:
            return report
        # One of them died or hung, so that it is not right already: the others need not be waited for as long.
        hasty = self._tools.hasty(HASTY_S, limits)
        rest = job.model_copy(update={"probes": probes[left[0] :], "limits": hasty, "stop_early": False})
        further = self._tools.sandbox.run(rest)
        return further.model_copy(
            update={
                "observations": (*report.observations[: left[0]], *further.observations),
                "denied": tuple(dict.fromkeys((*report.denied, *further.denied))),
            }
        )

    def steps(self, module: str, source: str, case: Case) -> tuple[Step, ...]:
        """The line trace of a case's call, as far as it is in `source`, its lines counted there."""
        shift, (first, last) = line_shift(module, source), part_of(module, source)
        observation = self.watched(module, [case], "values").observations[0]
        cut = [step for step in observation.steps if not step.line]
        within = (step for step in observation.steps if step in cut or first <= step.line <= last)
        return tuple(s if s in cut else s.model_copy(update={"line": s.line - shift}) for s in within)

    def runner(self, source: str, around: Mapping[str, str], *, wall_s: float) -> VersionRunner:
        """A runner for versions of `source`, each of whose calls may take `wall_s` seconds."""
        limits = self._tools.hasty(wall_s).model_copy(update={"cpu_s": 60.0})
        place = None if self._tools.can("versions") else partial(self._modules, around)
        return VersionRunner(self._tools.sandbox, self.oracle, self._spec, self.module(source, around), limits, place)

    def _modules(self, around: Mapping[str, str], versions: Sequence[str]) -> list[str]:
        """The modules that versions are run in; a reading stands by itself."""
        own = [version for version in versions if version not in self._read_as_parts]
        sources = self._tools.language.modules(self._plan, around, self._spec.name, own, self._types) if own else ()
        modules = dict(zip(own, sources, strict=True))
        return [modules.get(version) or self.module(version, around) for version in versions]

    def _memorized(self, attempt: Attempt, suite: Suite) -> tuple[str, ...]:
        """Which shown cases the code looks up, where it passes all that was shown and fails what was not."""
        failed = {verdict.case for verdict in attempt.verdicts if not verdict.passed}
        if failed - suite.held_out:
            return ()
        return self._tools.language.memorized(attempt.source, self._spec.name, suite.visible)

    def _rerun(
        self, module: str, cases: Sequence[Case], observations: Sequence[Observation], expected: Mapping[str, Expected]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What a second run shows to be luck: what stands against an attempt, and what is only said of it.

        Not asked at trust level quick. A function may be free to do another thing each time. That is said; it stands
        against it where the second time is not right.
        """
        if not self._tools.policy.runs_twice:
            return (), ()
        again = self.watched(module, cases).observations
        for verdict in self.oracle.verdicts(self._spec, cases, again, expected):
            if not verdict.passed:
                text = "; ".join(difference.sentence for difference in verdict.differences)
                return (f"run a second time, the case {verdict.case} does not pass: {text}",), ()
        for case, one, other in zip(cases, observations, again, strict=True):
            is_comparable = one.status == "raised" or (one.status == "returned" and not is_opaque(one))
            if is_comparable and not agree(one, other, case.done, self._spec):
                return (), (f"{NOT_DETERMINISTIC}: `{case.done.text}` did another thing when called again",)
        return (), ()

    def _start(self, module: str, suite: Suite) -> tuple[str, ...]:
        """What importing the module says against it, or running it as the script that does what a case does."""
        if fault := import_fault(self._tools.sandbox, self._plan.module, module, self._limits):
            return (fault,)
        if not self._plan.script_call({self._spec.name}):
            return ()
        runs = [run for case in suite.cases if (run := as_script(case, self._spec))]
        observations = self.watched(module, runs).observations
        verdicts = self.oracle.verdicts(self._spec, runs, observations, {run.name: Expected() for run in runs})
        wrong = {v.case: v for v in verdicts if not v.passed}
        if not wrong:
            return ()
        text = "a test that you do not see"
        if shown := [run for run in runs if run.name in wrong.keys() - suite.held_out]:
            sentences = [difference.sentence for difference in wrong[shown[0].name].differences]
            text = f"`{shown[0].done.text}`: {'; '.join(sentences)}"
        return (f"the calls pass, but not the module run as a script: {text}",)

    def _vetoes(self, module: str, suite: Suite, present: set[str], *, isolated: bool) -> tuple[str, ...]:
        """What plain pytest says against an attempt that the judge found right, in the first run that says anything.

        A test that does not pass by itself speaks against the file, not against the code: its case is left to the
        judge here, and told of where the whole module is run.
        """
        file = RenderedFile(suite, self._spec, self._plan, isolated=isolated)
        ways = {"the rendered tests": IN_ORDER}
        if self._tools.policy.runs_twice:
            ways["the rendered tests, shuffled and under another PYTHONHASHSEED,"] = SHUFFLED
        for what, way in ways.items():
            report = file.run(self._tools.sandbox, module, way)
            if not report.passed and way == IN_ORDER:
                sound = {case.name for case in suite.cases} - file.faulty(self._tools.sandbox, module, report)
                if not sound:
                    break
                if len(sound) < len(suite.cases):
                    file = file.of(frozenset(sound))
                    report = file.run(self._tools.sandbox, module, way)
            if not report.passed:
                text = _disturbed(report, file) if way == IN_ORDER else ""
                return (f"{what} do not pass:{text}\n{self._shown(report, module, file, way)}",)
        absent = [spec for spec in self._plan.functions if spec.name not in present]
        for gate in self._gates:
            tests = gate.of(self._spec.name, present)
            if not tests:
                continue
            report = self._tools.sandbox.run_files(gate.job(self._plan, module, tests, absent))
            if reason := gate.refusal(report, tests):
                return (f"the user's own tests do not pass:\n{reason}",)
        return ()

    def _shown(self, failed: FileReport, module: str, file: RenderedFile, way: FileJob) -> str:
        """The log as it may be shown: pytest prints whole tables, so it is that of a run without held-out cases."""
        if not file.suite.held_out:
            return failed.log
        visible = frozenset(case.name for case in file.suite.visible)
        again = file.of(visible).run(self._tools.sandbox, module, way)
        return ONLY_TOGETHER if again.passed else again.log


def _disturbed(report: FileReport, file: RenderedFile) -> str:
    """The shown tests that do not pass in a run of all, though each passes by itself; nothing where none is shown."""
    ends = {test for test, ended in report.outcomes.items() if ended != "passed"}
    names = [
        end.partition("::")[2] for case, end in file.ids.items() if end in ends and case not in file.suite.held_out
    ]
    one = len(names) == 1
    passes = "passes by itself: it sees" if one else "pass by themselves: they see"
    return f" {', '.join(names[:3])} {passes} what another test's calls left" if names else ""


def _objected(attempt: Attempt, objections: Sequence[str], known: Collection[str]) -> Attempt:
    """The attempt with objections against it, or as advice where its author knew them or it was let through before."""
    new = [one for one in objections if attempt.rung != "kept" and objected(one) not in known]
    advice = [one for one in objections if one not in new]
    return attempt.model_copy(
        update={
            "findings": tuple(dict.fromkeys([*attempt.findings, *new])),
            "advice": (*attempt.advice, *advice),
        }
    )


def is_opaque(observation: Observation) -> bool:
    """Whether what was returned holds what can't be told as data."""
    try:
        return holds_opaque(decode(observation.value))
    except Unreadable:
        return True


def part_of(module: str, source: str) -> tuple[int, int]:
    """The first and the last line of a source in its module, less its imports: above it another's code may stand."""
    body = trusted_fragment(source).body.strip("\n")
    first = module.count("\n", 0, module.rfind(body)) + 1
    return first, first + body.count("\n")


def line_shift(module: str, source: str) -> int:
    """How many lines further down a source's body stands in its module than in the source itself."""
    body = trusted_fragment(source).body.strip("\n")
    return module.count("\n", 0, module.rfind(body)) - source.count("\n", 0, source.find(body))


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
    job = Job(module=oracle.module, source=source, probes=probes, limits=limits, public=oracle.public)
    return oracle.verdicts(spec, suite.cases, sandbox.run(job).observations, expected)
