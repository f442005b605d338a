"""Evaluates what cases expect, in a sandbox that never sees a candidate, and settles checks on what one returned.

No case's code can speak for another case: code that is more than plain values has a process of its own, as whoever
shares one can forge what the other is seen to do, or patch a builtin that it needs.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import indent

from tdgen.judge.compare import outcome
from tdgen.judge.probes import (
    RESULT,
    Code,
    code_of,
    expected_probe,
    holds_probe,
    misplaced_instance,
    names_read,
    patterns_probe,
    read_observation,
    texts_of,
    without_code_of,
)
from tdgen.judge.verdict import NO_COPY, Expected, judge, passes
from tdgen.protocols import Sandbox
from tdgen.source.trees import import_lines
from tdgen.types import (
    Case,
    Check,
    ExpectedException,
    FunctionSpec,
    Job,
    Limits,
    Observation,
    Plan,
    Probe,
    PublicState,
    Value,
    Verdict,
)
from tdgen.values.decode import decode
from tdgen.values.kinds import holds_opaque, last_name
from tdgen.values.readers import Unreadable
from tdgen.values.show import brief, show

_NAME_ERRORS = frozenset({"NameError", "UnboundLocalError"})
_PATTERN_ERRORS = frozenset({"error", "PatternError"})
_SHORT = 2_000
"""Characters: a pattern that is still searched in such a text when the time is over is at fault, not the text."""
_REPEATED = "another case of the function has the same name"


class Oracle:
    """What knows the expected values of one plan's cases.

    `sandbox` is one that no candidate runs in, `module` the solution's module name, and `types_source` the source of
    the shared types and of stand-ins for planned classes. `public` says what is public of these.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        module: str,
        types_source: str,
        limits: Limits | None = None,
        *,
        public: PublicState | None = None,
    ) -> None:
        self._sandbox = sandbox
        self.module = module
        self.public = public or {}
        self._source = types_source
        self._limits = limits or Limits()

    @classmethod
    def of(cls, sandbox: Sandbox, plan: Plan, types_source: str) -> Oracle:
        """The oracle of a plan, whose shared types are `types_source`."""
        classes = stand_ins(plan)
        if plan.target:
            source = f"{types_source}{_for_probes_alone(classes, plan.public_state)}" if classes else types_source
        else:
            source = f"from __future__ import annotations\n{types_source}{classes}"
        return cls(sandbox, plan.module, source, public=plan.public_state)

    def expectations(self, cases: Iterable[Case]) -> dict[str, Expected]:
        """What each of one function's cases expects, by the case's name; `problem` says why one can't be evaluated."""
        asked = list(cases)
        repeated = _repeated(asked)
        wanted = {case.name: case for case in asked if case.name not in repeated}
        misplaced = {
            name: problem for name, case in wanted.items() if (problem := misplaced_instance(case, self.public))
        }
        ways = [self._ways_to_expect(case) for name, case in wanted.items() if name not in misplaced]
        observations = self._evaluate(ways)
        expected = {name: Expected(problem=problem) for name, problem in misplaced.items()}
        expected |= {name: _expected(wanted[name], one) for name, one in observations.items()}
        tried = self._evaluate([[patterns_probe(case)] for name, case in wanted.items() if case.patterns])
        problems = {name: _pattern_problem(wanted[name], one) for name, one in tried.items()}
        expected |= {name: Expected(problem=problem) for name, problem in problems.items() if problem}
        return expected | {name: Expected(problem=_REPEATED) for name in repeated}

    def _ways_to_expect(self, case: Case) -> list[Probe]:
        """With its setup, with what of it needs no planned code, and without; never with instances, of no code here."""
        if not case.setup:
            return [expected_probe(case)]
        whole = [] if names_read(case.setup) & self.public.keys() else [case]
        plain = without_code_of(case, {case.done.function, *self.public})
        ways = [expected_probe(one) for one in (*whole, plain, case.model_copy(update={"setup": ""}))]
        return [way for place, way in enumerate(ways) if way not in ways[:place]]

    def completed(
        self,
        spec: FunctionSpec,
        cases: Iterable[Case],
        observations: Mapping[str, Observation],
        expected: Mapping[str, Expected],
    ) -> dict[str, Expected]:
        """The expectations, with each check and all patterns evaluated on the observation of their case."""
        asked = {case.name: case for case in cases}
        complete: dict[str, Expected] = {}
        ways: dict[str, list[Probe]] = {}
        for name, case in asked.items():
            complete[name] = expected[name]
            if name in observations and not complete[name].problem:
                try:
                    ways[name] = _ways_to_hold(case, spec, observations[name])
                except (SyntaxError, ValueError) as error:
                    problem = f"its check is no Python: {error}"
                    complete[name] = complete[name].model_copy(update={"problem": problem})
        evaluated = self._evaluate([way for way in ways.values() if way])
        # Those whose own pattern is none: it is refused whatever was returned.
        refused = [ways[name] for name, observation in evaluated.items() if _kind(observation) in _PATTERN_ERRORS]
        for_none = [[probe.model_copy(update={"given": {RESULT: None}}) for probe in way] for way in refused]
        at_fault = {name for name, answer in self._evaluate(for_none).items() if _kind(answer) in _PATTERN_ERRORS}
        for name, observation in evaluated.items():
            complete[name] = _held(asked[name], complete[name], observation, pattern_at_fault=name in at_fault)
        matched = [case for name, case in asked.items() if name in observations and case.patterns]
        for name, observation in self._evaluate(
            [[patterns_probe(case, observations[case.name])] for case in matched]
        ).items():
            if not complete[name].problem:
                complete[name] = _searched(asked[name], complete[name], observation, observations[name])
        return complete

    def verdicts(
        self,
        spec: FunctionSpec,
        cases: Sequence[Case],
        observations: Iterable[Observation],
        expected: Mapping[str, Expected],
    ) -> tuple[Verdict, ...]:
        """The verdict on each case, in the cases' order; a case without an observation of its name was not run."""
        return tuple(judge(*one) for one in self._settled(spec, cases, observations, expected))

    def failing(
        self,
        spec: FunctionSpec,
        cases: Sequence[Case],
        observations: Iterable[Observation],
        expected: Mapping[str, Expected],
    ) -> list[str]:
        """The names of the cases that do not pass."""
        return [one[0].name for one in self._settled(spec, cases, observations, expected) if not passes(*one)]

    def _settled(
        self,
        spec: FunctionSpec,
        cases: Sequence[Case],
        observations: Iterable[Observation],
        expected: Mapping[str, Expected],
    ) -> Iterator[tuple[Case, FunctionSpec, Observation, Expected]]:
        """What each case is judged by."""
        by_name = {observation.name: observation for observation in observations}
        complete = self.completed(spec, cases, by_name, expected)
        complete |= {name: Expected(problem=_REPEATED) for name in _repeated(cases)}
        for case in cases:
            observation = by_name.get(case.name) or Observation(name=case.name, status="not_run")
            yield case, spec, observation, complete[case.name]

    def _evaluate(self, ways: Sequence[Sequence[Probe]]) -> dict[str, Observation]:
        """What the first way that can run came to, by the probes' name. The later ways need less of the candidate."""
        observations: dict[str, Observation] = {}
        while ways:
            latest = self._run([way[0] for way in ways])
            ran = {name for name, observation in latest.items() if observation.status != "not_run"}
            observations |= {name: latest[name] for name in latest if name in ran or name not in observations}
            ways = [way[1:] for way in ways if len(way) > 1 and way[0].name not in ran]
        return observations

    def _run(self, probes: Sequence[Probe]) -> dict[str, Observation]:
        """What each probe came to: literals are read, plain values run together, the same code too, other apart."""
        together: dict[Code, list[Probe]] = collections.defaultdict(list)
        observations: dict[str, Observation] = {}
        for probe in probes:
            if (literals := read_observation(probe, self._source)) is not None:
                observations[probe.name] = literals
            else:
                together[code_of(probe)].append(probe)
        for code, some in together.items():
            job = Job(
                module=self.module,
                source=self._source,
                probes=tuple(some),
                limits=self._limits,
                public=self.public,
                is_plain=not code,
            )
            names = {probe.name for probe in some}
            observations |= {one.name: one for one in self._sandbox.run(job).observations if one.name in names}
        not_run = (Observation(name=probe.name, status="not_run") for probe in probes)
        return {one.name: observations.get(one.name) or one for one in not_run}


def _repeated(cases: Iterable[Case]) -> set[str]:
    """The names that more than one case has: what is seen of one would be taken for the other."""
    return {name for name, number in collections.Counter(case.name for case in cases).items() if number > 1}


def _ways_to_hold(case: Case, spec: FunctionSpec, observation: Observation) -> list[Probe]:
    """Ways to evaluate the check, the fullest first; none where there is nothing to evaluate."""
    # Without the candidate the setup can't run, and it may be that arguments can't be evaluated.
    bare = case.model_copy(update={"setup": ""})
    ways = ((case, spec), (bare, spec), (bare, spec.model_copy(update={"parameters": ()})))
    probes = [holds_probe(way, contract, observation) for way, contract in ways]
    return [probe for place, probe in enumerate(probes) if probe and probe not in probes[:place]]


def _expected(case: Case, observation: Observation) -> Expected:
    """What the probe of an expectation came to."""
    if observation.status != "returned":
        return Expected(problem=f"what it expects can't be evaluated: {outcome(observation)}")
    problem = _incomparable(case, observation)
    if problem:
        return Expected(problem=problem)
    if isinstance(case.expectation, ExpectedException):
        name = (
            observation.value.get("name")
            if isinstance(observation.value, dict) and observation.value.get("$") == "class"
            else None
        )
        if not isinstance(name, str):
            return Expected(problem=f"{brief(case.expectation.type, 80)} is no exception's class")
        return Expected(exception=name, after=observation.after)
    return Expected(value=observation.value, after=observation.after)


def _incomparable(case: Case, observation: Observation) -> str:
    """Why nothing could ever agree with what is expected; empty where something can."""
    values = {"what it returns": observation.value} if isinstance(case.expectation, Value) else {}
    values |= {f"what {after.expression} is": wire for after, wire in zip(case.after, observation.after, strict=False)}
    for what, wire in values.items():
        try:
            plain = decode(wire)
        except Unreadable as error:
            return f"{what} can't be compared: {error}"
        if holds_opaque(plain):
            return f"{what} can't be compared: {show(plain)}; compare plain data made of it, such as its list or repr"
    return "" if len(observation.after) == len(case.after) else "what it expects afterwards was not evaluated"


def _pattern_problem(case: Case, observation: Observation) -> str:
    """Why the case's patterns can't be searched, or say nothing of what is printed; empty where nothing is wrong."""
    patterns = ", ".join(brief(repr(pattern), 80) for pattern in case.patterns.values())
    if observation.status != "returned" or not isinstance(observation.value, list):
        return f"its pattern can't be searched ({patterns}): {outcome(observation)}"
    texts = len(observation.value) // len(case.patterns)
    for place, (where, pattern) in enumerate(case.patterns.items()):
        if where != "message" and observation.value[place * texts] is True:
            return f"its pattern for {where}, {brief(repr(pattern), 80)}, is found where nothing is printed"
    return ""


def _searched(case: Case, expected: Expected, searched: Observation, observation: Observation) -> Expected:
    """The expectation with the patterns that are found in what was observed.

    Against the case speaks a search without an end in texts in which any search ends.
    """
    if searched.status == "returned" and isinstance(searched.value, list):
        matched = (where for where, is_found in zip(case.patterns, searched.value, strict=False) if is_found is True)
        return expected.model_copy(update={"patterns": frozenset(matched)})
    if all(len(text) <= _SHORT for text in texts_of(observation).values()):
        return expected.model_copy(update={"problem": f"its pattern can't be searched: {outcome(searched)}"})
    return expected.model_copy(update={"detail": f"the search {outcome(searched)}"})


def _held(case: Case, expected: Expected, observation: Observation, *, pattern_at_fault: bool) -> Expected:
    """The expectation with what evaluating its check came to.

    An exception speaks against what was returned, which may be made to raise any: a text that is no pattern, no Python,
    or names what isn't there. Against the case speaks one that comes whatever was returned.
    """
    if observation.status == "returned":
        return expected.model_copy(update={"holds": observation.value is True, "detail": ""})
    kind = _kind(observation)
    if observation.status == "not_run" and kind == "Unreadable":
        return expected.model_copy(update={"holds": False, "detail": NO_COPY})
    not_run = observation.status == "not_run"
    check = case.expectation.source if isinstance(case.expectation, Check) else ""
    said = observation.raised.message if observation.raised is not None else ""
    names_its_own = kind in _NAME_ERRORS and any(f"'{name}'" in said for name in names_read(check))
    if not_run or pattern_at_fault or names_its_own:
        return expected.model_copy(update={"problem": f"it can't be evaluated: {outcome(observation)}"})
    detail = f"the check {outcome(observation)}"
    if kind == "AssertionError" and observation.raised is not None:
        detail = brief(observation.raised.message, 300)
    return expected.model_copy(update={"holds": False, "detail": detail})


def _kind(observation: Observation) -> str:
    """The last name of the class of what was raised; empty where nothing was."""
    return last_name(observation.raised.type) if observation.raised else ""


_STAND_IN = """
class {name}({bases}):
    def __init__(self, /, *given, **public):
        wrong = [*given, *(name for name in public if name not in {names!r})]
        if wrong or not public:
            told = f": not {{wrong[0]!r}}" if wrong else ""
            raise TypeError(f"an instance of {name} is written by what is public of it, {names!r}{{told}}")
        self.__dict__.update(public)
"""


def _for_probes_alone(classes: str, names: Iterable[str]) -> str:
    """The source of stand-ins for classes that a module has: other modules of its project import those themselves."""
    from tdgen.values.rebuild import STAND_INS

    own = tuple(names)
    return f"""
_there = dict(globals())
{classes}
{STAND_INS} = {{name: globals()[name] for name in {own!r} if name in globals()}}
globals().update({{name: _there[name] for name in {STAND_INS} if name in _there}})
"""


def stand_ins(plan: Plan) -> str:
    """The source of a class for each of the plan's, by which cases write down instances and checks read them.

    A stand-in has public state and the exceptions of the class's body, and no code of a candidate's. That of a
    dataclass or an enum holds what it holds; that of an exception has its bases. They come below their bases.
    """
    public, exceptions = plan.public_state, plan.exceptions
    interfaces = {spec.name: spec.interface for spec in plan.functions if spec.interface}
    bodies: dict[str, str] = {}

    def write(name: str, below: frozenset[str]) -> None:
        interface = interfaces[name]
        data = interface.data(name)
        bases = interface.bases if name in exceptions or data else ()
        for base in bases:
            if base in interfaces.keys() - below:
                write(base, below | {base})
        if data is None:
            source = _STAND_IN.format(name=name, names=public[name], bases=", ".join(bases))
        nested = [indent(f"\n{shared.source}\n", "    ") for shared in interface.types]
        bodies.setdefault(name, (f"\n{data.source}\n" if data else source) + "".join(nested))

    for name in interfaces:
        write(name, frozenset({name}))
    return "\n".join([*import_lines(bodies.values(), packages=plan.packages), *bodies.values()])
