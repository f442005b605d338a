"""One group of functions, their states, and how attempts are judged; the strategies say what to try next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from tdgen.build.case_checks import CaseChecks
from tdgen.build.draft import Draft, Tools
from tdgen.build.evaluator import Evaluator
from tdgen.build.function_state import DependencyFault, FaultReports, FunctionState
from tdgen.depgraph import Group
from tdgen.events import AttemptJudged, AttemptStarted, CaseRevised, Noted
from tdgen.impl import DeveloperContext, reusable
from tdgen.protocols import Purpose
from tdgen.testgen.author import Evaluate
from tdgen.types import ARBITRATED, Attempt, Correction, FunctionResult, FunctionSpec, Plan, Question, Revision


class GroupBuild:
    """Builds one group, mostly of one function; functions that call each other are judged together.

    `below` are the results that the group stands on. With `fault_reports` those may be reported as faulty: `faults`
    are what was reported and is not decided yet.
    """

    def __init__(
        self,
        tools: Tools,
        draft: Draft,
        group: Group,
        below: Mapping[str, FunctionResult],
        fault_reports: FaultReports | None = None,
    ) -> None:
        self.tools = tools
        self.group = group
        self.fault_reports = fault_reports
        self.faults: tuple[DependencyFault, ...] = ()
        self.states = {
            name: FunctionState(
                draft.made_plan.spec(name),
                draft.suites[name],
                dict(draft.expected[name]),
                heard=Counter(case.name for case in draft.suites[name].cases if ARBITRATED in case.confirmed),
            )
            for name in group
        }
        self.stand_on(draft, below)

    def stand_on(self, draft: Draft, below: Mapping[str, FunctionResult]) -> None:
        """From now on the group stands on these results, in the plan of this draft."""
        found = {result.function: result.corrections for result in below.values()}
        self.draft = draft.corrected({name: found[name] for name in self._needed(draft) if name in found})
        self._correct_own()
        needed = self._needed(draft)
        order = [name for other in draft.made_dependencies.order for name in other if name in needed]
        self.below = [below[name] for name in order if name not in self.group]
        self._evaluators = {name: Evaluator(self.tools, draft, state.spec) for name, state in self.states.items()}

    @property
    def plan(self) -> Plan:
        """The plan that the group belongs to."""
        return self.draft.made_plan

    @property
    def is_blocked(self) -> bool:
        """Whether it stands on what is not green, so that no repair can make it so."""
        return any(result.outcome != "green" for result in self.below)

    @property
    def failing(self) -> list[FunctionState]:
        """The states whose best attempt is not green, and whose suites can say so."""
        return [state for state in self.states.values() if not state.green and state.suite.cases]

    def evaluator(self, state: FunctionState) -> Evaluator:
        """The evaluator of one state."""
        return self._evaluators[state.name]

    def evaluate(self, state: FunctionState) -> Evaluate:
        """What running tells of a state's cases without an implementation."""
        return CaseChecks(self.tools, self.draft, state.spec)

    def brief(self, state: FunctionState) -> DeveloperContext:
        """What a developer is told of a state beside its cases."""
        settings = self.tools.settings
        return DeveloperContext(
            **dict(self.draft.context(state.spec, state.pinned)),
            python=self.tools.python,
            allowed=frozenset(settings.allow),
            forbidden=frozenset(settings.forbid),
            offered=reusable(
                {one.function: one.best.source for one in self.below if one.best and one.outcome == "green"}
            ),
        )

    def around(self, state: FunctionState, instead: Mapping[str, Attempt] | None = None) -> dict[str, str]:
        """The sources that a state's attempts stand on, by function: what is below, and the others of its group."""
        others = {n: (instead or {}).get(n, other.best) for n, other in self.states.items() if n != state.name}
        return self.below_sources() | {name: _source(self.plan.spec(name), attempt) for name, attempt in others.items()}

    def below_sources(self) -> dict[str, str]:
        """The sources of all that the group stands on, by function."""
        return {result.function: _source(self.plan.spec(result.function), result.best) for result in self.below}

    def begin(self, state: FunctionState, ahead: int = 0) -> int:
        """The number of the attempt that begins now, while so many others are under way."""
        number = len(state.history) + 1 + ahead
        self.tools.emit(AttemptStarted(function=state.name, number=number))
        return number

    def judged(self, state: FunctionState, attempt: Attempt, instead: Mapping[str, Attempt] | None = None) -> Attempt:
        """The attempt judged by the state's suite as it is now."""
        bare = attempt.model_copy(update={"verdicts": (), "vetoes": ()})
        around = self.around(state, instead)
        known = state.known_objections(attempt)
        return self.evaluator(state).judged(bare, state.suite, state.expected, around, known_objections=known)

    def enter(self, attempts: Mapping[str, Attempt]) -> bool:
        """Judge new attempts, with the best of the group's others; they become the best where together they pass more.

        Whether they did.
        """
        best = {name: state.best for name, state in self.states.items() if state.best is not None}
        together = {**best, **attempts}
        judged: dict[str, Attempt] = {}
        for name, attempt in together.items():
            state = self.states[name]
            if name not in attempts and len(self.group) == 1:
                judged[name] = attempt
                continue
            judged[name] = self.judged(state, attempt, together)
            if name in attempts:
                self.remember(judged[name])
        better = not best or is_better(judged, best, self._borne_out)
        if better:
            for name, attempt in judged.items():
                self.states[name].best = attempt
        return better

    @property
    def _borne_out(self) -> frozenset[tuple[str, str]]:
        """The cases, by function, that the user wrote, or that something bore out since they were written."""
        cases = ((name, case) for name, state in self.states.items() for case in state.suite.cases)
        return frozenset((name, case.name) for name, case in cases if case.is_pinned or case.confirmed)

    def remember(self, attempt: Attempt) -> None:
        """Note an attempt that was judged, and tell it."""
        self.states[attempt.function].history.append(attempt)
        self.tools.emit(AttemptJudged(attempt=attempt))

    def judge_again(self) -> None:
        """Judge the best attempts anew, as suites have changed; one of another line may be the better now."""
        for name, state in self.states.items():
            if state.best is None:
                continue
            state.best = self.judged(state, state.best)
            if not state.best.green and (other := state.of_another_line) is not None:
                judged = self.judged(state, other)
                is_ahead = is_better({name: judged}, {name: state.best}, self._borne_out)
                state.best = judged if is_ahead else state.best

    def revise(self, state: FunctionState, revisions: Sequence[Revision]) -> None:
        """Note revisions of a state's cases, and tell them."""
        state.revisions += revisions
        for revision in revisions:
            self.tools.emit(CaseRevised(revision=revision))

    def correct(self, state: FunctionState, corrections: Sequence[Correction]) -> tuple[Correction, ...]:
        """Note what arbiters found wrong with a state's contract, so that all later prompts show it, and tell it.

        Gives those that are new.
        """
        before = state.spec.corrections
        state.spec = state.spec.corrected(corrections)
        self._correct_own()
        new = state.spec.corrections[len(before) :]
        for one in new:
            self.note(state, one.sentence)
        return new

    def correct_below(self, state: FunctionState, function: str, corrections: Sequence[Correction]) -> None:
        """Note what arbiters, asked about a state, found wrong with the contract of what the group stands on.

        That function goes back to work with it. Where it can't, what was made from its contract is left unruled.
        """
        spec = self.plan.spec(function)
        new = spec.corrected(corrections).corrections[len(spec.corrections) :]
        if not new:
            return
        self.draft = self.draft.corrected({function: new})
        fault = DependencyFault(state.name, function, corrections=new)
        if self.fault_reports is not None and self.fault_reports.bring(fault):
            self.faults = (*self.faults, fault)
            self.note(state, f"the contract of {function}, which it calls, was corrected: {function} goes back to work")
            return
        self.leave_unruled(state, function, new)

    def leave_unruled(self, state: FunctionState, function: str, corrections: Sequence[Correction]) -> None:
        """Note, as questions, corrections of a function's contract by which nobody ruled on its cases again."""
        state.unruled += tuple(
            Question(
                question=f"Of `{function}` {one.sentence}: what its tests expect may follow the plan. Are they right?",
                assumption="left open: nobody could rule on them again",
                function=function,
            )
            for one in corrections
        )

    def _correct_own(self) -> None:
        self.draft = self.draft.corrected({name: state.spec.corrections for name, state in self.states.items()})

    def _needed(self, draft: Draft) -> set[str]:
        """The functions that the group stands on."""
        return {name for member in self.group for name in draft.made_dependencies.below(member)}

    def promote(self, state: FunctionState) -> None:
        """Show the smallest held-out case that fails where the best attempt passes all that was shown."""
        if state.best is None or not state.failing or state.failing_shown:
            return
        case = state.failing[0]
        state.suite = state.suite.model_copy(update={"held_out": state.suite.held_out - {case.name}})
        reason = f"attempt {state.best.number} passed all that was shown and failed this held-out case"
        self.revise(state, [Revision(function=state.name, case=case.name, action="promoted", reason=reason)])

    def note(self, state: FunctionState, text: str) -> None:
        """Note what a person may want to know of a state; once."""
        told = f"{state.name}: {text}"
        if told not in state.notes:
            state.notes.append(told)
            self.tools.emit(Noted(text=told))

    def can_spare(self, state: FunctionState, purpose: Purpose) -> bool:
        """Whether a call that nobody is owed may be made for a state."""
        return self.tools.purse.may_spend(purpose, state.name, optional=True)


def is_better(
    attempts: Mapping[str, Attempt], best: Mapping[str, Attempt], borne_out: Collection[tuple[str, str]] = ()
) -> bool:
    """Whether the attempts come before the best so far; with no more passed than that, they must break none of it.

    Of two that pass as many cases the one comes first that passes more of those that are `borne_out`: a case that
    nobody looked at twice may be wrong.
    """
    merit, bar = _merit(attempts, borne_out), _merit(best, borne_out)
    return merit > bar or (merit == bar and _passed(attempts) >= _passed(best))


def _passed(attempts: Mapping[str, Attempt]) -> set[tuple[str, str]]:
    return {(v.function, v.case) for attempt in attempts.values() for v in attempt.verdicts if v.passed}


def _merit(attempts: Mapping[str, Attempt], borne_out: Collection[tuple[str, str]]) -> tuple[int, int, int, int]:
    """How good attempts are together: all green first, then by cases passed, then by code that can be run at all."""
    return (
        sum(attempt.green for attempt in attempts.values()),
        sum(attempt.passed for attempt in attempts.values()),
        len(_passed(attempts).intersection(borne_out)),
        sum(bool(attempt.source) and not attempt.findings for attempt in attempts.values()),
    )


def _source(spec: FunctionSpec, attempt: Attempt | None) -> str:
    """What stands for a unit where others are run: its best code, or a refusal where it has none."""
    if attempt is not None and attempt.source:
        return attempt.source
    name = spec.name
    if spec.interface:
        return (
            f"class {name}:\n    def __init__(self, *args, **kwargs):\n        "
            f"raise NotImplementedError('{name} could not be written')\n"
        )
    return f"def {name}(*args, **kwargs):\n    raise NotImplementedError('{name} could not be written')\n"
