"""Suites of what is green are strengthened: mutants that a suite lets through name the calls that it lacks.

So do likely calls on which the implementation raises what its contract never names. At trust level quick no mutants
are made: a look at the implementation alone is enough to find those, and calls that reach what no case reaches; the
author is asked only where there are any.

The test author says what those calls must give, from the contract alone. What comes back are cases that no prompt has
shown, so that they also take the place of held-out cases that had to be shown; they are judged, and tried, like
all others.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from tdgen.build.case_checks import settle_calls
from tdgen.build.differential import compare
from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild
from tdgen.build.mutation_analysis import MOST_CALLS, MutationAnalyzer, leave_open, telling_calls
from tdgen.build.property_check import strengthen_by_properties
from tdgen.build.second_reading import question_readings
from tdgen.build.smoke_check import try_neighbours, uncovered_calls
from tdgen.errors import BudgetSpent, ModelError
from tdgen.events import SuiteWritten
from tdgen.inputs import alike
from tdgen.testgen.queries import Query, Settled
from tdgen.types import Call, Strength

PATIENCE_S = 0.15  # a call of a mutant that takes longer than this is taken for one that never ends


def strengthen(build: GroupBuild) -> bool:
    """Strengthen the suites of what is green, as often as the policy says; whether one has grown."""
    policy = build.tools.settings.policy
    due = [state for state in build.states.values() if _is_due(build, state, policy.rounds)]
    diverged = [state for state in due if question_readings(build, state, policy.seconds)]
    diverged += [state for state in due if state not in diverged and not state.compared and compare(build, state)]
    diverged += [state for state in due if state not in diverged and strengthen_by_properties(build, state)]
    if policy.tries_neighbours:
        diverged += [
            state
            for state in build.states.values()
            if state not in diverged and _is_own(build, state) and try_neighbours(build, state)
        ]
    grown = diverged or [state for state in due if _grown(build, state)]
    if grown:
        build.judge_again()
    return bool(grown)


def measure(build: GroupBuild) -> None:
    """Note how strong the suites of what is green are in the end."""
    for state in build.states.values():
        if not state.green or not build.tools.settings.policy.makes_mutants or state.best is None:
            continue
        kept = build.draft.kept.get(state.name)
        if kept is not None and kept.best is not None and kept.best.source == state.best.source and kept.strength:
            state.strength = kept.strength
            continue
        began = time.monotonic()
        found = state.analysis
        analyzer = _analyzer(build, state)
        if found is None or found.source != state.best.source:
            found = analyzer.analysis(state.expected)
            analyzer.tell_apart(found)
        else:
            analyzer.kill_more(found, state.expected)
        lines, branches = build.evaluator(state).coverage(state.best.source, build.around(state), state.suite.cases)
        seconds = found.seconds + time.monotonic() - began
        state.strength = _compared(
            found.strength(lines=lines, branches=branches, seconds=seconds), state.strength_before
        )


def _compared(strength: Strength, before: Strength | None) -> Strength:
    """The strength, beside what it was before cases were asked for by survivors."""
    if before is None:
        return strength
    return strength.model_copy(update={"raw_before": before.raw, "score_before": before.score})


def _is_due(build: GroupBuild, state: FunctionState, rounds: int) -> bool:
    """Whether a suite is to be strengthened: its function is green, the suite its own, and not done often enough."""
    return state.green and state.rounds < rounds and _is_own(build, state) and not build.is_blocked


def _is_own(build: GroupBuild, state: FunctionState) -> bool:
    """Whether a state's suite may grow: it was neither kept nor handed in."""
    return state.name not in {*build.draft.given, *build.draft.kept}


def _grown(build: GroupBuild, state: FunctionState) -> bool:
    """Find the calls that a suite lacks and have them settled; whether cases were added."""
    state.rounds += 1
    calls = _lacking(build, state) if build.tools.settings.policy.makes_mutants else uncovered_calls(build, state)
    if not calls:
        return False
    if not build.can_spare(state, "settle"):
        build.note(state, f"no call is left to ask for the {len(calls)} cases that its suite lacks")
        return False
    settled = _settled(build, state, calls)
    if state.analysis is not None:
        leave_open(state.analysis, [calls[place] for place in settled.open | settled.forbidden])
    cases = settled.in_order
    state.add(cases, build.evaluator(state).oracle.expectations(cases), held_out=True)
    if cases:
        build.tools.emit(SuiteWritten(suite=state.suite))
    return bool(cases)


def _lacking(build: GroupBuild, state: FunctionState) -> list[Call]:
    """Calls that tell mutants from the implementation, as no case does, and those on which it does the undocumented."""
    began = time.monotonic()
    analyzer = _analyzer(build, state)
    found = state.analysis = analyzer.analysis(state.expected)
    undocumented = analyzer.undocumented() if state.rounds == 1 else []
    analyzer.tell_apart(found)
    found.seconds = time.monotonic() - began
    if state.strength_before is None:
        state.strength_before = found.strength(lines=None, branches=None, seconds=found.seconds)
    calls = telling_calls(found)
    for call in [*_in_place_of_promoted(state, analyzer.likely, len(calls)), *undocumented]:
        calls += [call] if not any(alike(call, one) for one in calls) else []
    return calls


def _in_place_of_promoted(state: FunctionState, likely: Sequence[Call], there: int) -> list[Call]:
    """As many calls as held-out cases had to be shown, so that new ones take their place."""
    promoted = sum(revision.action == "promoted" for revision in state.revisions)
    wanted = min(promoted, MOST_CALLS) - there
    return list(likely[:: max(1, len(likely) // wanted)][:wanted]) if wanted > 0 else []


def _settled(build: GroupBuild, state: FunctionState, calls: Sequence[Call]) -> Settled:
    asking = Query(ordinal=state.rounds, there=state.suite.cases)
    try:
        return settle_calls(build.tools, build.draft, build.draft.context(state.spec, state.pinned), calls, asking)
    except (BudgetSpent, ModelError) as error:
        build.note(state, f"its suite could not be made stronger: {error}")
        return Settled({})


def _analyzer(build: GroupBuild, state: FunctionState) -> MutationAnalyzer:
    if state.best is None:
        raise RuntimeError("there is nothing to analyse")
    source = state.best.source
    runner = build.evaluator(state).runner(source, build.around(state), wall_s=PATIENCE_S)
    policy = build.tools.settings.policy
    deadline, thorough = time.monotonic() + policy.seconds, policy.asks_of_each_mutant
    return MutationAnalyzer(
        runner, source, state.spec, state.suite.cases, build.plan.types, deadline, thorough=thorough
    )
