"""A solve's draft, which the stages hand on to each other: the tools beside it, its joint cases, its functions' keys.

A joint case names several planned functions, such as `parse(show(93)) == 93`. It belongs to the function that comes
last in the order of work. That function waits for the others, also where no contract says that it calls them, and is
judged in a module that has them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from tdgen.build.module_checks import Gate
from tdgen.depgraph import Dependencies
from tdgen.events import CaseRevised, Noted
from tdgen.judge import Expected
from tdgen.language import Capability, Language
from tdgen.prompts.context import PromptContext, functions_named
from tdgen.protocols import Ask, Emit, Model, Placing, Sandbox
from tdgen.settings import Settings
from tdgen.settings.policy import Policy
from tdgen.specs.declarations import declare_types, types_named
from tdgen.testgen.pinned import named_apart
from tdgen.types import (
    Case,
    Correction,
    Example,
    Frozen,
    FunctionResult,
    FunctionSpec,
    Instruction,
    Limits,
    Plan,
    Question,
    Revision,
    Suite,
    digest,
)
from tdgen.types.instruction import FORMAT

if TYPE_CHECKING:
    from tdgen.cache.solutions import Functions
    from tdgen.impl.reading import Reading
    from tdgen.models.ledger import Ledger

WAITED, WAITED_S = 10.0, 1.0
"""A call that may take a second of the processor at most may take so many times that by the clock, and no more than so
many seconds beside it: a call that only waits is waited for. Not tuned."""


def function_keys(draft: Draft, settings: Settings, judged_by: str) -> dict[str, str]:
    """For each function the digest of its spec, the plan's types, its pinned cases, and all functions below it.

    A changed contract changes the keys of what stands on it, and of nothing else; so does a corrected one, since the
    words that corrected it need not be in the next instruction.
    """
    plan, dependencies = draft.required_plan, draft.required_dependencies
    given = {name: suite.cases for name, suite in draft.given.items()}
    own = {
        spec.name: digest(
            [
                # what nothing corrects is told as before there were corrections, so that what is kept is found
                [spec.model_dump(mode="json", exclude=None if spec.corrections else {"corrections"})],
                _dumped(draft.pinned.get(spec.name, ())),
                _dumped(given.get(spec.name, ())),
            ]
        )
        for spec in plan.functions
    }
    around = _around(draft, settings, judged_by)
    return {name: digest([around, key, [own[n] for n in dependencies.below(name)]]) for name, key in own.items()}


def class_keys(draft: Draft, settings: Settings, judged_by: str) -> dict[str, str]:
    """For each class the digest of its contract without its methods', and of what it stands on.

    Under it lies the class that was verified last, whatever its methods were. Exceptions and parameters are its
    methods', and which passages bind it changes with any of them.
    """
    plan, keys = draft.required_plan, function_keys(draft, settings, judged_by)
    around, digests = _around(draft, settings, judged_by), {}
    for spec in plan.functions:
        if spec.interface is None:
            continue
        bare = spec.interface.model_copy(update={"methods": ()}).model_dump(mode="json")
        parts = [spec.name, spec.purpose, bare, _dumped(spec.corrections)]
        below = [keys[name] for name in draft.required_dependencies.below(spec.name)]
        digests[spec.name] = digest([around, "class", parts, below])
    return digests


def _around(draft: Draft, settings: Settings, judged_by: str) -> list[Any]:
    """What is the same for all functions of a plan."""
    plan = draft.required_plan
    agreed = [_dumped(plan.routes)] if plan.routes else []
    return [FORMAT, judged_by, plan.module, sorted(plan.packages), draft.types, settings.identity(), *agreed]


def _dumped(things: Sequence[Frozen]) -> list[Any]:
    return [thing.model_dump(mode="json") for thing in things]


Cases = Mapping[str, tuple[Case, ...]]


def owned(pinned: Cases, plan: Plan) -> dict[str, tuple[Case, ...]]:
    """The user's cases by function, each joint one with the last of the functions that it names."""
    order = Dependencies(plan)
    by_owner: dict[str, list[Case]] = {name: [] for name in pinned}
    for cases in pinned.values():
        for case in cases:
            moved = _with_owner(case, plan, order)
            by_owner[moved.function].append(moved)
    return {name: tuple(named_apart(cases)) for name, cases in by_owner.items()}


def decomposed(suites: Iterable[Suite], plan: Plan) -> tuple[dict[str, Suite], list[Case]]:
    """The suites by function without those joint cases of the user's that belong to another function, and these."""
    order = Dependencies(plan)
    kept: dict[str, Suite] = {}
    strays: list[Case] = []
    for suite in suites:
        away = [c.is_pinned and _with_owner(c, plan, order).function != suite.function for c in suite.cases]
        strays += [case for case, goes in zip(suite.cases, away, strict=True) if goes]
        own = tuple(case for case, goes in zip(suite.cases, away, strict=True) if not goes)
        kept[suite.function] = suite.model_copy(update={"cases": own})
    return kept, strays


def dependencies_of(draft: Draft, plan: Plan) -> Dependencies:
    """The graph of a plan's functions, in which each also waits for those that its joint cases and tests name."""
    joint: dict[str, frozenset[str]] = {}
    order = Dependencies(plan)
    for needed in (names for gate in draft.gates for names in gate.needs.values() if len(names) > 1):
        last = order.last(needed)
        joint[last] = joint.get(last, frozenset()) | (needed - {last})
    for name, cases in [*draft.pinned.items(), *((name, suite.cases) for name, suite in draft.given.items())]:
        named = frozenset[str]().union(*(functions_named(case, plan) for case in cases if case.is_pinned))
        joint[name] = joint.get(name, frozenset()) | (named - {name})
    return Dependencies(plan, joint)


def _with_owner(case: Case, plan: Plan, order: Dependencies) -> Case:
    names = functions_named(case, plan)
    if len(names) < 2:
        return case
    return case.model_copy(update={"function": order.last(names), "arguments": (), "call": case.expression})


class CheckedSuite(NamedTuple):
    """A suite as a step before the build leaves it, what its cases expect, and what there is to say of it.

    `corrections` are what was found wrong with contracts, by function.
    """

    suite: Suite
    expected: dict[str, Expected]
    notes: tuple[str, ...] = ()
    revisions: tuple[Revision, ...] = ()
    questions: tuple[Question, ...] = ()
    corrections: Mapping[str, Sequence[Correction]] = MappingProxyType({})


class ChangedClass(NamedTuple):
    """A class that is there but for methods whose contracts changed, sorted, and as it was verified before."""

    methods: tuple[str, ...]
    before: FunctionResult


@dataclass(frozen=True)
class Tools:
    """What the stages work with. `oracle` is a sandbox of its own: no candidate ever runs where expected values are.

    `kept` are verified functions by their key, `purse` is what is left of the budget, and what of it is owed to whom.
    `ask` puts an open question to the user, where there is one to ask. `packages` are the names under which the
    third-party packages that the user allows are imported. `language` is what code is written in, `judged_by` what runs
    it, with versions, as keys of what is kept have it.
    `placing` is for a target whose units the plan names.
    """

    model: Model
    sandbox: Sandbox
    oracle: Sandbox
    kept: Functions
    purse: Ledger
    executor: Executor
    emit: Emit
    settings: Settings
    language: Language
    ask: Ask | None = None
    judged_by: str = ""
    packages: frozenset[str] = frozenset()
    placing: Placing | None = None

    def can(self, capability: Capability) -> bool:
        """Whether that can be done with the code that is written."""
        return capability in self.language.capabilities

    def hasty(self, seconds: float, limits: Limits | None = None) -> Limits:
        """The limits where a call may take so many seconds at most, beside what has to be done before the first one.

        They are the processor's, so that a busy machine gives up the same calls; the clock ends what only waits. Code
        that runs in a program of its own has the clock alone.
        """
        limits = limits or self.settings.limits
        if not self.can("versions"):
            return limits.model_copy(update={"wall_s": min(self.language.overhead_s + seconds, limits.wall_s)})
        waited = min(WAITED * seconds, seconds + WAITED_S, limits.wall_s)
        return limits.model_copy(update={"call_cpu_s": seconds, "wall_s": waited})

    @property
    def policy(self) -> Policy:
        """What the trust level means, as far as it can be done with that code."""
        return self.settings.policy.within(self.language.capabilities)


@dataclass(frozen=True)
class Draft:
    """A solution in the making. Each stage gives back a new one with more in it.

    `gates` are the user's test files, `given` the suites that were handed in, by function. `expected` holds what the
    oracle evaluated, by function and case; it stays in this process. `only` names the functions that the stages before
    building are about: none for all of the plan's. `changed` are classes that were verified before but for some
    methods. `asked_readings` are under way until they are compared, `readings` those that were.
    """

    instruction: Instruction
    plan: Plan | None = None
    dependencies: Dependencies | None = None
    only: frozenset[str] = frozenset()
    types: str = ""
    pinned: Mapping[str, tuple[Case, ...]] = field(default_factory=dict)
    given: Mapping[str, Suite] = field(default_factory=dict)
    gates: tuple[Gate, ...] = ()
    kept: Mapping[str, FunctionResult] = field(default_factory=dict)
    changed: Mapping[str, ChangedClass] = field(default_factory=dict)
    asked_readings: tuple[Future[Reading | None], ...] = ()
    readings: tuple[Reading, ...] = ()
    suites: Mapping[str, Suite] = field(default_factory=dict)
    expected: Mapping[str, Mapping[str, Expected]] = field(default_factory=dict)
    results: Mapping[str, FunctionResult] = field(default_factory=dict)
    revisions: tuple[Revision, ...] = ()
    questions: tuple[Question, ...] = ()
    answers: tuple[Example, ...] = ()
    module_source: str = ""
    test_files: Mapping[str, str] = field(default_factory=dict)
    stopped: str = ""
    notes: tuple[str, ...] = ()

    @property
    def required_plan(self) -> Plan:
        """The plan, once there is one."""
        if self.plan is None:
            raise RuntimeError("this stage needs a plan: it must come after the plan stage")
        return self.plan

    @property
    def specs(self) -> tuple[FunctionSpec, ...]:
        """The functions that the stages before building are about."""
        return tuple(spec for spec in self.required_plan.functions if not self.only or spec.name in self.only)

    def checked_suite(self, name: str) -> CheckedSuite:
        """A function's suite as it is."""
        return CheckedSuite(self.suites[name], dict(self.expected[name]))

    def with_suites(self, by_name: Mapping[str, CheckedSuite]) -> Draft:
        """The draft with suites as a step leaves them, and its notes and questions."""
        return replace(
            self,
            suites={**self.suites, **{name: one.suite for name, one in by_name.items()}},
            expected={**self.expected, **{name: one.expected for name, one in by_name.items()}},
            notes=(*self.notes, *(note for one in by_name.values() for note in one.notes)),
            questions=(*self.questions, *(question for one in by_name.values() for question in one.questions)),
        )

    def context(self, spec: FunctionSpec, pinned: Sequence[Case] | None = None) -> PromptContext:
        """What every prompt about a function shows; `pinned` are the user's cases, those of the plan unless given."""
        bare = PromptContext(
            spec=spec,
            plan=self.required_plan,
            pinned=tuple(self.pinned.get(spec.name, ()) if pinned is None else pinned),
        )
        named = self.required_plan.model_copy(update={"types": types_named(self.required_plan, bare.text)})
        target = self.required_plan.target
        types = target.context if target else declare_types(named)
        return bare.model_copy(update={"instruction": self.instruction.text, "types": types})

    def corrected(self, corrections: Mapping[str, Sequence[Correction]]) -> Draft:
        """The draft with what was found wrong with contracts, by function: prompts after this one show it."""
        return replace(self, plan=self.required_plan.corrected(corrections))

    @property
    def required_dependencies(self) -> Dependencies:
        """The graph, once there is one."""
        if self.dependencies is None:
            raise RuntimeError("this stage needs the order of work: it must come after the order stage")
        return self.dependencies


def with_corrections(tools: Tools, draft: Draft, corrections: Mapping[str, Sequence[Correction]]) -> Draft:
    """The draft with contracts corrected, noted and told; what was kept under a contract as it was is written anew."""
    notes = tuple(dict.fromkeys(f"{name}: {one.sentence}" for name, some in corrections.items() for one in some))
    for note in notes:
        tools.emit(Noted(text=note))
    kept = {name: result for name, result in draft.kept.items() if not corrections.get(name)}
    return replace(draft.corrected(corrections), notes=(*draft.notes, *notes), kept=kept)


def together(correction_maps: Iterable[Mapping[str, Sequence[Correction]]]) -> dict[str, tuple[Correction, ...]]:
    """Corrections by the function whose contract they are of, as several found them."""
    merged: dict[str, tuple[Correction, ...]] = {}
    for name, corrections in ((name, some) for one in correction_maps for name, some in one.items()):
        merged[name] = (*merged.get(name, ()), *corrections)
    return merged


def revised(draft: Draft, tools: Tools, revisions: list[Revision]) -> Draft:
    """The draft with revisions noted and told."""
    for revision in revisions:
        tools.emit(CaseRevised(revision=revision))
    return replace(draft, revisions=(*draft.revisions, *revisions))
