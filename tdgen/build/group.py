"""One group of functions as it stands: their states, what they stand on, and how attempts are judged.

Nothing in it changes: what is done with a group gives another one, so that all that a strategy does is in what it
gives back. Only events are told on the way, and faults of other groups' functions are reported to all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from tdgen.build.case_checks import query_calls
from tdgen.build.draft import Draft, Tools
from tdgen.build.evaluator import Evaluator
from tdgen.build.function_state import DependencyFault, FaultReports, FunctionState
from tdgen.depgraph import Group
from tdgen.errors import BudgetSpent, ModelError
from tdgen.events import AttemptJudged, AttemptStarted, CaseRevised, Noted, SuiteWritten
from tdgen.impl import DeveloperContext
from tdgen.prompts.context import PromptContext
from tdgen.protocols import Purpose
from tdgen.testgen.queries import Query, QueryResult
from tdgen.types import (
    ARBITRATED,
    Attempt,
    Call,
    Case,
    Correction,
    FunctionResult,
    Plan,
    Question,
    Revision,
)

NO_RESULT: Final = QueryResult({})


@dataclass(frozen=True)
class GroupBuild:
    """One group, mostly of one function; functions that call each other are judged together.

    `draft` has the plan with all corrections that the group knows of, `below` are the results that it stands on. With
    `fault_reports` those may be reported as faulty: `faults` are what was reported and is not decided yet. `stopped_by`
    is the error after which nothing more can be written.
    """

    tools: Tools
    draft: Draft
    group: Group
    states: Mapping[str, FunctionState]
    fault_reports: FaultReports | None = None
    below: tuple[FunctionResult, ...] = ()
    faults: tuple[DependencyFault, ...] = ()
    stopped_by: BudgetSpent | ModelError | None = None
    evaluators: Mapping[str, Evaluator] = field(default_factory=dict)

    @classmethod
    def begun(
        cls,
        tools: Tools,
        draft: Draft,
        group: Group,
        below: Mapping[str, FunctionResult],
        fault_reports: FaultReports | None = None,
    ) -> GroupBuild:
        """The group before anything is written; `below` are at least the results that it stands on."""
        states = {
            name: FunctionState(
                draft.required_plan.spec(name),
                draft.suites[name],
                draft.expected[name],
                arbitrated={case.name: 1 for case in draft.suites[name].cases if ARBITRATED in case.confirmed},
            )
            for name in group
        }
        return cls(tools, draft, group, states, fault_reports).standing_on(draft, below)

    def standing_on(self, draft: Draft, below: Mapping[str, FunctionResult]) -> GroupBuild:
        """The group on these results, in the plan of this draft."""
        needed = {name for member in self.group for name in draft.required_dependencies.below(member)}
        corrections = {result.function: result.corrections for result in below.values() if result.function in needed}
        own = {name: state.spec.corrections for name, state in self.states.items()}
        order = [name for other in draft.required_dependencies.order for name in other if name in needed]
        return replace(
            self,
            draft=draft.corrected(corrections).corrected(own),
            below=tuple(below[name] for name in order if name not in self.group),
            evaluators={name: Evaluator(self.tools, draft, state.spec) for name, state in self.states.items()},
        )

    def with_state(self, state: FunctionState) -> GroupBuild:
        """The group with another state of one of its functions."""
        return replace(self, states={**self.states, state.name: state})

    def changed(self, name: str, **changes: Any) -> GroupBuild:
        """The group with some fields of a function's state changed."""
        return self.with_state(replace(self.states[name], **changes))

    @property
    def plan(self) -> Plan:
        """The plan that the group belongs to."""
        return self.draft.required_plan

    @property
    def is_halted(self) -> bool:
        """Whether work on it ends here: a dependency must be mended first, or nothing more can be written."""
        return bool(self.faults) or self.stopped_by is not None

    @property
    def is_blocked(self) -> bool:
        """Whether it stands on what is not green, so that no repair can make it so.

        Code that exists is held against its own docs, whatever there is to say of what it stands on.
        """
        return not self.plan.is_existing and any(result.outcome != "green" for result in self.below)

    @property
    def failing(self) -> list[FunctionState]:
        """The states whose best attempt is not green, and whose suites can say so."""
        return [state for state in self.states.values() if not state.green and state.suite.cases]

    def context(self, state: FunctionState) -> PromptContext:
        """What every prompt about a state's function shows.

        The user's cases that code which exists fails are among it, though they have left the suite.
        """
        there = {case.name for case in state.pinned}
        failed = (case for case in self.draft.pinned.get(state.name, ()) if case.name not in there)
        return self.draft.context(state.spec, (*state.pinned, *(failed if self.plan.is_existing else ())))

    def brief(self, state: FunctionState) -> DeveloperContext:
        """What a developer is told of a state beside its cases."""
        return DeveloperContext.of(self.tools.language, self.context(state))

    def around(self, state: FunctionState, instead: Mapping[str, Attempt] | None = None) -> dict[str, str]:
        """The sources that a state's attempts stand on, by function: what is below, and the others of its group."""
        attempts = {result.function: result.best for result in self.below}
        attempts |= {n: (instead or {}).get(n, other.best) for n, other in self.states.items() if n != state.name}
        sources = dict(self.plan.target.existing) if self.plan.target else {}  # of what exists, of all of it
        for name, attempt in attempts.items():
            sources[name] = attempt.source if attempt is not None else ""
            if not sources[name]:  # a refusal stands for a unit that has no code
                sources[name] = self.tools.language.stub(self.plan.spec(name))
        return sources

    def begin(self, state: FunctionState) -> int:
        """Tell that an attempt begins, and give its number.

        BudgetSpent where the run is to end.
        """
        number = len(state.history) + 1
        self.tools.emit(AttemptStarted(function=state.name, number=number))
        return number

    def judged(self, state: FunctionState, attempt: Attempt, instead: Mapping[str, Attempt] | None = None) -> Attempt:
        """The attempt judged by the state's suite as it is now."""
        bare = attempt.model_copy(update={"verdicts": (), "vetoes": ()})
        around, known = self.around(state, instead), state.known_objections(attempt)
        return self.evaluators[state.name].judged(bare, state.suite, state.expected, around, known_objections=known)

    def entered(self, attempts: Mapping[str, Attempt]) -> GroupBuild:
        """New attempts judged with the best of the group's others; the best where together they pass more."""
        best = {name: state.best for name, state in self.states.items() if state.best is not None}
        together = {**best, **attempts}
        build, judged = self, dict[str, Attempt]()
        for name, attempt in together.items():
            if name not in attempts and len(self.group) == 1:
                judged[name] = attempt
                continue
            judged[name] = build.judged(build.states[name], attempt, together)
            if name in attempts:
                build = build.remembered(judged[name])
        if not best or is_better(judged, best, self._confirmed):
            for name, attempt in judged.items():
                build = build.changed(name, best=attempt)
        return build

    @property
    def _confirmed(self) -> frozenset[tuple[str, str]]:
        """The cases, by function, that the user wrote, or that something bore out since they were written."""
        cases = ((name, case) for name, state in self.states.items() for case in state.suite.cases)
        return frozenset((name, case.name) for name, case in cases if case.is_pinned or case.confirmed)

    def remembered(self, attempt: Attempt) -> GroupBuild:
        """The group with an attempt that was judged in its history, which is told."""
        self.tools.emit(AttemptJudged(attempt=attempt))
        return self.changed(attempt.function, history=(*self.states[attempt.function].history, attempt))

    def judged_again(self) -> GroupBuild:
        """The best attempts judged anew, as suites have changed; one of another line may be the better now."""
        build = self
        for name, state in self.states.items():
            if state.best is None:
                continue
            best = build.judged(state, state.best)
            if not best.green and (other := state.of_another_line) is not None:
                judged = build.judged(state, other)
                best = judged if is_better({name: judged}, {name: best}, self._confirmed) else best
            build = build.changed(name, best=best)
        return build

    def revised(self, name: str, revisions: Sequence[Revision]) -> GroupBuild:
        """The group with revisions of a function's cases noted, which are told."""
        for revision in revisions:
            self.tools.emit(CaseRevised(revision=revision))
        return self.changed(name, revisions=(*self.states[name].revisions, *revisions))

    def corrected(self, name: str, corrections: Sequence[Correction]) -> GroupBuild:
        """The group with what arbiters found wrong with a function's contract; all later prompts show it."""
        before = self.states[name].spec
        spec = before.corrected(corrections)
        build = replace(self.changed(name, spec=spec), draft=self.draft.corrected({name: spec.corrections}))
        for one in spec.corrections[len(before.corrections) :]:
            build = build.noted(name, one.sentence)
        return build

    def corrected_below(self, name: str, function: str, corrections: Sequence[Correction]) -> GroupBuild:
        """The group with what arbiters, asked about `name`, found wrong with the contract of what it stands on.

        That function goes back to work with it. Where it can't, what was made from its contract is left open.
        """
        spec = self.plan.spec(function)
        new = spec.corrected(corrections).corrections[len(spec.corrections) :]
        if not new:
            return self
        build = replace(self, draft=self.draft.corrected({function: new}))
        fault = DependencyFault(name, function, corrections=new)
        if self.fault_reports is not None and self.fault_reports.bring(fault):
            build = replace(build, faults=(*self.faults, fault))
            text = f"the contract of {function}, which it calls, was corrected: {function} goes back to work"
            return build.noted(name, text)
        return build.with_open_corrections(name, function, new)

    def with_refuted_contract(self, name: str, corrections: Sequence[Correction]) -> GroupBuild:
        """The group with a contract corrected from which a function's cases and code were made: it is left open."""
        before = len(self.states[name].spec.corrections)
        build = self.corrected(name, corrections)
        return build.with_open_corrections(name, name, build.states[name].spec.corrections[before:])

    def with_open_corrections(self, name: str, function: str, corrections: Sequence[Correction]) -> GroupBuild:
        """The group with corrections of a function's contract, as questions, by which its cases may be wrong."""
        questions = (
            Question(
                question=f"Of `{function}` {one.sentence}: what its tests expect may follow the plan. Are they right?",
                assumption="left open: they were written before",
                function=function,
            )
            for one in corrections
        )
        return self.changed(name, open_corrections=(*self.states[name].open_corrections, *questions))

    def with_cases(self, name: str, cases: Sequence[Case], *, held_out: bool = False) -> GroupBuild:
        """The group with more cases of a function, held out from every prompt or not."""
        state = self.states[name]
        return self.with_state(
            state.with_cases(cases, self.evaluators[state.name].oracle.expectations(cases), held_out=held_out)
        )

    def grown(self, name: str, cases: Sequence[Case], *, held_out: bool = False) -> Tried:
        """The group with more cases of a function, where there are any; its suite is told."""
        build = self.with_cases(name, cases, held_out=held_out)
        if cases:
            self.tools.emit(SuiteWritten(suite=build.states[name].suite))
        return Tried(build, changed=bool(cases))

    def asked(
        self, name: str, calls: Sequence[Call], query: Query, failed: str, otherwise: QueryResult = NO_RESULT
    ) -> tuple[GroupBuild, QueryResult]:
        """What the test author says that calls must give; where it can't be asked, `otherwise`, with a note."""
        context = self.context(self.states[name])
        try:
            return self, query_calls(self.tools, self.draft, context, calls, query)
        except (BudgetSpent, ModelError) as error:
            return self.noted(name, f"{failed}: {error}"), otherwise

    def promoted(self, name: str) -> GroupBuild:
        """The group with the smallest failing held-out case shown, where the best attempt passes all that was."""
        state = self.states[name]
        if state.best is None or not state.failing or state.failing_shown:
            return self
        shown = state.failing[0].name
        suite = state.suite.model_copy(update={"held_out": state.suite.held_out - {shown}})
        reason = f"attempt {state.best.number} passed all that was shown and failed this held-out case"
        revision = Revision(function=name, case=shown, action="promoted", reason=reason)
        return self.changed(name, suite=suite).revised(name, [revision])

    def noted(self, name: str, text: str) -> GroupBuild:
        """The group with what a person may want to know of a function noted, which is told; once."""
        notes, line = self.states[name].notes, f"{name}: {text}"
        if line in notes:
            return self
        self.tools.emit(Noted(text=line))
        return self.changed(name, notes=(*notes, line))

    def can_spare(self, state: FunctionState, purpose: Purpose) -> bool:
        """Whether a call that nobody is owed may be made for a state."""
        return self.tools.purse.may_spend(purpose, state.name, optional=True)


class Tried(NamedTuple):
    """A group after a strategy was tried, or a strengthening, and whether a failure or a suite may be another now."""

    build: GroupBuild
    changed: bool


def is_better(
    attempts: Mapping[str, Attempt], best: Mapping[str, Attempt], confirmed: Collection[tuple[str, str]] = ()
) -> bool:
    """Whether the attempts come before the best so far; with no more passed than that, they must break none of it.

    Of two that pass as many cases the one comes first that passes more of those that are `confirmed`: a case that
    nobody looked at twice may be wrong.
    """
    merit, bar = _merit(attempts, confirmed), _merit(best, confirmed)
    return merit > bar or (merit == bar and _passed(attempts) >= _passed(best))


def _passed(attempts: Mapping[str, Attempt]) -> set[tuple[str, str]]:
    return {(v.function, v.case) for attempt in attempts.values() for v in attempt.verdicts if v.passed}


def _merit(attempts: Mapping[str, Attempt], confirmed: Collection[tuple[str, str]]) -> tuple[int, int, int, int]:
    """How good attempts are together: all green first, then by cases passed, then by code that can be run at all."""
    return (
        sum(attempt.green for attempt in attempts.values()),
        sum(attempt.passed for attempt in attempts.values()),
        len(_passed(attempts).intersection(confirmed)),
        sum(bool(attempt.source) and not attempt.findings for attempt in attempts.values()),
    )
