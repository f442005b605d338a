"""Decomposition: a function that no strategy repairs is decomposed into helpers, and written anew by their contracts.

The helpers go the way of all functions: tests first, seen red, checked, built. Where the function is green with them,
plan, graph, tests and cache take them in; where it is not, nothing of them stays, and the best attempt before is what
there is. Helpers are not decomposed again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from tdgen.build import Finished, GroupBuild, closed, tell_end, work
from tdgen.build.draft import Draft, Tools, function_keys
from tdgen.build.evidence import is_disputed
from tdgen.build.function_state import FunctionState
from tdgen.build.group import is_better
from tdgen.decomposition.helpers import decompose, using
from tdgen.depgraph import Group
from tdgen.errors import BudgetSpent, ModelError, ReplyError
from tdgen.events import FunctionDivided, HelpersDropped, Noted
from tdgen.impl import failed_approaches
from tdgen.pipeline.adequacy import check_adequacy
from tdgen.pipeline.building import with_decomposition
from tdgen.pipeline.self_consistency import confirm_cases
from tdgen.pipeline.testing import add_properties, see_red, write_tests
from tdgen.settings.base import WEIGHTS
from tdgen.source.syntax import parse
from tdgen.source.trees import names_in
from tdgen.specs.planner import Decomposition
from tdgen.types import FunctionResult

BEFORE_BUILDING: Final[tuple[Callable[[Tools, Draft], Draft], ...]] = (
    write_tests,
    see_red,
    check_adequacy,
    confirm_cases,
    add_properties,
)
MOST_HELPERS: Final = 4
LEAST_HELPERS: Final = 2
"""Where the budget does not allow as many, a function is not decomposed. Not tuned."""


def decomposed(finished: Finished) -> Finished:
    """How a group ends whose function was decomposed if it resists; as it ended before where that is not tried."""
    build = finished.build
    if build is None or not _resists(build, finished):
        return finished
    (state,) = build.states.values()
    if state.spec.interface:
        text = "a class is not decomposed into helpers: its methods stand on one state"
        return closed(build.noted(state.name, text))
    most = _affordable(build, state)
    if most < LEAST_HELPERS:
        return finished
    try:
        decomposition = _planned(build, state, most)
    except (BudgetSpent, ModelError, ReplyError) as error:
        return closed(build.noted(state.name, f"it could not be decomposed into helpers: {error}"))
    text = f"{state.name} resists: it is decomposed into {', '.join(decomposition.names)}"
    build = build.changed(state.name, notes=(*state.notes, text))
    build.tools.emit(Noted(text=text))
    build.tools.emit(FunctionDivided(spec=decomposition.spec, helpers=decomposition.helpers))
    try:
        return _Decomposed(build, build.states[state.name], decomposition).finished()
    finally:
        for name in decomposition.names:
            build.tools.purse.end(name)


def _resists(build: GroupBuild, finished: Finished) -> bool:
    """Whether a function is red after all strategies. Those that call each other are not decomposed."""
    if (
        not build.tools.policy.decomposes
        or len(build.states) != 1
        or build.is_blocked
        or finished.stopped
        or build.plan.is_existing
    ):
        return False
    states = build.states.values()
    if finished.faults or any(state.decomposed_at for state in states):
        return False
    return any(not state.passes and not is_disputed(build, state) for state in build.failing)


def _affordable(build: GroupBuild, state: FunctionState) -> int:
    """How many helpers may be had: the plan, two calls for each, the function written with them. Never above the most.

    What is simple is only decomposed where there is twice as much.
    """
    room = build.tools.settings.max_functions - len(build.plan.functions)
    times = 2 if state.spec.complexity == "simple" else 1
    for helpers in range(min(MOST_HELPERS, room), 0, -1):
        if build.tools.purse.may_spend("plan", state.name, optional=True, calls=times * (2 + 2 * helpers)):
            return helpers
    return 0


def _planned(build: GroupBuild, state: FunctionState, most: int) -> Decomposition:
    """The helpers' contracts; from now on each of them is owed its calls, and the function one to be written anew.

    BudgetSpent where there is not enough left for that any more.
    """
    tools = build.tools
    decomposition = decompose(
        tools.model,
        build.context(state),
        failed=failed_approaches(state.history, state.suite),
        most=most,
        packages=tools.packages,
    )
    if not tools.purse.may_spend("cases", state.name, optional=True, calls=1 + 2 * len(decomposition.helpers)):
        raise BudgetSpent(f"too little is left for {', '.join(decomposition.names)}: raise the --budget")
    tools.purse.plan_shares(
        {s.name: WEIGHTS[s.complexity] for s in (*decomposition.helpers, state.spec)}, decomposition.names
    )
    return decomposition


@dataclass
class _Decomposed:
    """One decomposition at work. Its helpers have threads of their own: who waits for them may hold the last one."""

    build: GroupBuild
    state: FunctionState
    decomposition: Decomposition
    parts: list[Finished] = field(default_factory=list)

    def finished(self) -> Finished:
        """The function with its helpers where that repaired it, else as it was before."""
        try:
            with ThreadPoolExecutor(len(self.decomposition.helpers)) as pool:
                tools = replace(self.build.tools, executor=pool)
                draft = self._tested(tools)
                problem = self._built(tools, draft)
        except ModelError as error:
            return self._given_up(self.build, str(error))
        return self._given_up(self.build, problem) if problem else self._composed(draft)

    def _tested(self, tools: Tools) -> Draft:
        """The draft with the helpers planned, kept ones found, and tested as far as that goes before there is code."""
        before = self.build.draft
        names = frozenset(self.decomposition.names)
        draft = with_decomposition(before, self.decomposition)
        if not tools.settings.fresh:
            keys = function_keys(draft, tools.settings, tools.judged_by)
            results = {name: kept for name in names if (kept := tools.kept.get(keys[name])) is not None}
            draft = replace(draft, kept={**draft.kept, **results})
        tested = replace(draft, only=names, suites={}, expected={}, revisions=(), notes=())
        for step in BEFORE_BUILDING:
            tested = step(tools, tested)
        self.parts.append(Finished((), tested.revisions, notes=tested.notes, stopped=tested.stopped))
        return replace(
            draft,
            plan=tested.plan,
            suites={**before.suites, **tested.suites},
            expected={**before.expected, **tested.expected},
            revisions=(*before.revisions, *tested.revisions),
        )

    def _built(self, tools: Tools, draft: Draft) -> str:
        """Build the helpers, those at once that don't need each other; "" where all are green, else what is wrong."""
        names = set(self.decomposition.names)
        if without := [name for name in self.decomposition.names if not draft.suites[name].cases]:
            return f"there is no case for {', '.join(without)} that can be judged"
        results = {result.function: result for result in self.build.below}
        for generation in draft.required_dependencies.generations:
            groups = [group for group in generation if names.issuperset(group)]
            parts = list(tools.executor.map(partial(_worked_on, tools, draft, dict(results)), groups))
            self.parts += parts
            results |= {result.function: result for part in parts for result in part.results}
            if failed := [result for part in parts for result in part.results if result.outcome != "green"]:
                return "; ".join(f"{result.function} is {result.outcome}: {result.reason}" for result in failed)
        return ""

    def _composed(self, draft: Draft) -> Finished:
        """The function written anew with its helpers, which are green."""
        built = [result for part in self.parts for result in part.results]
        below = {result.function: result for result in (*self.build.below, *built)}
        again = GroupBuild.begun(self.build.tools, draft, self.build.group, below)
        # with helpers, on which its contract depends: what was tried and noted goes on
        spec, since = self.decomposition.spec, len(self.state.history)
        state = replace(self.state, spec=spec, best=None, tried=frozenset(), analysis=None, decomposed_at=since)
        again = work(again.with_state(state))
        if isinstance(again.stopped_by, ModelError):
            return self._given_up(self._without_helpers(again), str(again.stopped_by))
        finished = closed(again)
        again = finished.build or again
        state = again.states[self.state.name]
        if state.best is None or not state.green:
            self.parts.append(finished)
            attempts = len(state.written)
            text = f"it is not right with them after {attempts} attempt{'s' * (attempts != 1)}"
            return self._given_up(self._without_helpers(again), text)
        needed = using(self.decomposition, names_in(parse(state.best.source)))
        self._drop(needed)
        if not needed.helpers:
            return finished
        parts = [_about(part, needed.names) for part in self.parts]
        return _joined([*parts, finished])._replace(decomposition=needed, build=again)

    def _without_helpers(self, again: GroupBuild) -> GroupBuild:
        """The group before, with what became of the suite; its best attempt is the best that needs no helper."""
        state, helpers = again.states[self.state.name], frozenset(self.decomposition.names)
        was = self.state.going_on_from(state)
        if was.best is None:
            return self.build.with_state(was)
        best = self.build.judged(was, was.best)
        if state.best is not None and helpers.isdisjoint(names_in(parse(state.best.source))):
            other = self.build.judged(was, state.best)
            best = other if is_better({was.name: other}, {was.name: best}) else best
        return self.build.with_state(replace(was, best=best))

    def _drop(self, kept: Decomposition) -> None:
        """Tell of the helpers that don't stay."""
        if dropped := tuple(name for name in self.decomposition.names if name not in kept.names):
            self.build.tools.emit(HelpersDropped(spec=kept.spec, helpers=dropped))

    def _given_up(self, build: GroupBuild, reason: str) -> Finished:
        """The function as it was, told why the decomposition did not repair it."""
        self._drop(Decomposition(self.state.spec, ()))
        text = f"dividing it into {', '.join(self.decomposition.names)} did not heal it: {reason}"
        stopped = next((part.stopped for part in self.parts if part.stopped), "")
        return closed(build.noted(self.state.name, text))._replace(stopped=stopped)


def _worked_on(tools: Tools, draft: Draft, below: Mapping[str, FunctionResult], group: Group) -> Finished:
    """A group of helpers at work, to its end."""
    build = work(GroupBuild.begun(tools, draft, group, below))
    finished = closed(build)
    tell_end(build, finished)
    return finished


def _about(part: Finished, functions: Collection[str]) -> Finished:
    """What a group's end says of these functions; its notes as a whole."""
    return part._replace(
        results=tuple(result for result in part.results if result.function in functions),
        revisions=tuple(revision for revision in part.revisions if revision.function in functions),
        questions=tuple(question for question in part.questions if question.function in functions),
        answers=tuple(answer for answer in part.answers if answer.function in functions),
    )


def _joined(parts: Sequence[Finished]) -> Finished:
    """The ends of several groups as one."""
    return Finished(
        results=tuple(result for part in parts for result in part.results),
        revisions=tuple(revision for part in parts for revision in part.revisions),
        questions=tuple(question for part in parts for question in part.questions),
        answers=tuple(answer for part in parts for answer in part.answers),
        notes=tuple(note for part in parts for note in part.notes),
        stopped=next((part.stopped for part in parts if part.stopped), ""),
    )
