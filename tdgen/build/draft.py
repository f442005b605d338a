"""What the stages hand on to each other, and the tools that they work with."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from tdgen.briefs import PromptContext
from tdgen.build.user_tests import UserTestGate
from tdgen.depgraph import Dependencies
from tdgen.events import CaseRevised, Noted
from tdgen.impl import Reading
from tdgen.judge import Expected
from tdgen.protocols import Ask, Emit, Model, Purpose, Sandbox
from tdgen.settings import Settings
from tdgen.specs.declarations import declare_types, types_named
from tdgen.types import (
    Case,
    Correction,
    Example,
    FunctionResult,
    FunctionSpec,
    Instruction,
    Plan,
    Question,
    Revision,
    Suite,
)


class Kept(Protocol):
    """Verified functions by their key."""

    def get(self, key: str) -> FunctionResult | None:
        """The function kept under `key`, or None."""
        ...

    def put(self, key: str, result: FunctionResult) -> None:
        """Keep a green function."""
        ...


class Purse(Protocol):
    """What is left of the budget, and what of it is owed: a call at least for each function that is not written."""

    def remaining_calls(self) -> int | None:
        """How many model calls may still be made; None where there is no limit."""
        ...

    def plan_shares(self, weights: Mapping[str, int], cases: Collection[str] = ()) -> None:
        """Divide what is left among functions by weight; those in `cases` are owed a call for their cases too."""
        ...

    def may_spend(self, purpose: Purpose, subject: str, *, optional: bool = False, calls: int = 1) -> bool:
        """Whether so many calls may be made now; optional ones only from what is owed to nobody."""
        ...

    def end(self, function: str) -> None:
        """A function has ended: what it was owed and did not use is free."""
        ...

    def check_time(self) -> None:
        """BudgetSpent where the seconds are used up."""
        ...


@dataclass(frozen=True)
class Tools:
    """What the stages work with. `oracle` is a sandbox of its own: no candidate ever runs where expected values are.

    `ask` puts an open question to the user, where there is one to ask. `packages` are the names under which the
    third-party packages that the user allows are imported.
    """

    model: Model
    sandbox: Sandbox
    oracle: Sandbox
    kept: Kept
    purse: Purse
    executor: Executor
    emit: Emit
    settings: Settings
    ask: Ask | None = None
    python: str = ""
    packages: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Draft:
    """A solution in the making. Each stage gives back a new one with more in it.

    `gates` are the user's test files, `given` the suites that were handed in, by function. `expected` holds what the
    oracle evaluated, by function and case; it stays in this process. `only` names the functions that the stages before
    building are about: none for all of the plan's. `asked_readings` are under way until they are compared, `readings`
    those that were.
    """

    instruction: Instruction
    plan: Plan | None = None
    dependencies: Dependencies | None = None
    only: frozenset[str] = frozenset()
    types: str = ""
    pinned: Mapping[str, tuple[Case, ...]] = field(default_factory=dict)
    given: Mapping[str, Suite] = field(default_factory=dict)
    gates: tuple[UserTestGate, ...] = ()
    kept: Mapping[str, FunctionResult] = field(default_factory=dict)
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

    def having(self, **changes: Any) -> Draft:
        """The draft with some of its fields changed."""
        return replace(self, **changes)

    @property
    def made_plan(self) -> Plan:
        """The plan, once there is one."""
        if self.plan is None:
            raise RuntimeError("this stage needs a plan: it must come after the plan stage")
        return self.plan

    @property
    def specs(self) -> tuple[FunctionSpec, ...]:
        """The functions that the stages before building are about."""
        return tuple(spec for spec in self.made_plan.functions if not self.only or spec.name in self.only)

    def context(self, spec: FunctionSpec, pinned: Sequence[Case] | None = None) -> PromptContext:
        """What every prompt about a function shows; `pinned` are the user's cases, those of the plan unless given."""
        bare = PromptContext(
            spec=spec,
            plan=self.made_plan,
            pinned=tuple(self.pinned.get(spec.name, ()) if pinned is None else pinned),
        )
        named = self.made_plan.model_copy(update={"types": types_named(self.made_plan, bare.text)})
        return bare.model_copy(update={"instruction": self.instruction.text, "types": declare_types(named)})

    def corrected(self, corrections: Mapping[str, Sequence[Correction]]) -> Draft:
        """The draft with what was found wrong with contracts, by function: prompts after this one show it."""
        return self.having(plan=self.made_plan.corrected(corrections))

    @property
    def made_dependencies(self) -> Dependencies:
        """The graph, once there is one."""
        if self.dependencies is None:
            raise RuntimeError("this stage needs the order of work: it must come after the order stage")
        return self.dependencies


def with_corrections(tools: Tools, draft: Draft, corrections: Mapping[str, Sequence[Correction]]) -> Draft:
    """The draft with contracts corrected, noted and told."""
    notes = tuple(dict.fromkeys(f"{name}: {one.sentence}" for name, found in corrections.items() for one in found))
    for note in notes:
        tools.emit(Noted(text=note))
    return draft.corrected(corrections).having(notes=(*draft.notes, *notes))


def revised(draft: Draft, tools: Tools, revisions: list[Revision]) -> Draft:
    """The draft with revisions noted and told."""
    for revision in revisions:
        tools.emit(CaseRevised(revision=revision))
    return draft.having(revisions=(*draft.revisions, *revisions))
