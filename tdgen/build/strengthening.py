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
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tdgen.build.evaluator import part_of
from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild, Tried
from tdgen.build.second_reading import compare, question_readings
from tdgen.build.smoke_check import try_neighbours, uncovered_calls
from tdgen.build.versions import search_limit
from tdgen.extensions import part
from tdgen.impl import covered
from tdgen.impl.developer import written_lines
from tdgen.inputs import text_pattern
from tdgen.protocols import property_tests
from tdgen.testgen.queries import Query
from tdgen.types import Call

if TYPE_CHECKING:
    from tdgen.build.mutation_analysis import MutationAnalyzer

MOST_CALLS = 8
"""How many calls one question about survivors holds. Not tuned."""
PATIENCE_S = 0.15  # a call of a mutant that takes longer is taken for one that never ends; not tuned


def strengthen(build: GroupBuild) -> Tried:
    """Strengthen the suites of what is green, as often as the policy says; each way passes by what has grown before."""
    policy = build.tools.policy
    # a suite may grow that was neither kept nor handed in
    own = [name for name in build.states if name not in {*build.draft.given, *build.draft.kept}]
    may_grow = [name for name in own if build.states[name].green and not build.is_blocked]
    due = [name for name in may_grow if build.states[name].rounds < policy.rounds]
    grown = frozenset[str]()
    for way, names in (
        (question_readings, due),
        (compare, due),
        (_by_properties, due),
        (try_neighbours, own if policy.tries_neighbours else ()),
    ):
        build, grown = _strengthened(build, way, names, grown)
    if not grown:
        build, grown = _strengthened(build, _add_missing, due, grown)
    return Tried(build.judged_again() if grown else build, changed=bool(grown))


def _by_properties(build: GroupBuild, name: str) -> Tried:
    """Strengthen a suite by its properties, where it has any."""
    if not build.states[name].suite.properties:
        return Tried(build, changed=False)
    tried: Tried = property_tests().strengthen_by_properties(build, name)
    return tried


def _strengthened(
    build: GroupBuild, way: Callable[[GroupBuild, str], Tried], names: Sequence[str], grown: frozenset[str]
) -> tuple[GroupBuild, frozenset[str]]:
    """The group after one way to strengthen was tried on those of the functions that have not grown; and what has."""
    for name in names:
        if name not in grown:
            build, changed = way(build, name)
            grown |= {name} if changed else set()
    return build, grown


def measured(build: GroupBuild) -> GroupBuild:
    """The group with how strong the suites of what is green are in the end."""
    for name, state in build.states.items():
        if not state.green or not build.tools.policy.makes_mutants or state.best is None:
            continue
        kept = build.draft.kept.get(name)
        if kept is not None and kept.best is not None and kept.best.source == state.best.source and kept.strength:
            build = build.changed(name, strength=kept.strength)
            continue
        began = time.monotonic()
        analysis, analyzer = state.analysis, _analyzer(build, state)
        if analysis is None or analysis.source != state.best.source:
            analysis = analyzer.distinguished(analyzer.analysis(state.expected))
        else:
            analysis = analyzer.tried_on_new(analysis, state.expected)
        lines, branches = None, None
        if build.tools.can("traces"):
            evaluator, source = build.evaluators[state.name], state.best.source
            module = evaluator.module(source, build.around(state))
            observations = evaluator.watched(module, state.suite.cases, "lines").observations
            lines, branches = covered(module, part_of(module, source), observations)
        seconds = analysis.seconds + time.monotonic() - began
        strength, before = analysis.strength(lines=lines, branches=branches, seconds=seconds), state.strength_before
        beside = {"raw_before": before.raw, "score_before": before.score} if before is not None else {}
        build = build.changed(name, strength=strength.model_copy(update=beside))
    return build


def _add_missing(build: GroupBuild, name: str) -> Tried:
    """Find the calls that a suite lacks and have them settled: cases may be added."""
    build = build.changed(name, rounds=build.states[name].rounds + 1)
    state = build.states[name]
    state, calls = (
        _analysed(build, state) if build.tools.policy.makes_mutants else (state, uncovered_calls(build, state))
    )
    build = build.with_state(state)
    if calls and not build.can_spare(state, "settle"):
        text = f"no call is left to ask for the {len(calls)} cases that its suite lacks"
        return Tried(build.noted(name, text), changed=False)
    query = Query(ordinal=state.rounds, there=state.suite.cases)
    build, result = build.asked(name, calls, query, "its suite could not be made stronger")
    if state.analysis is not None:
        analysis = state.analysis.leaving_open([calls[place] for place in result.open | result.forbidden])
        build = build.changed(name, analysis=analysis)
    return build.grown(name, result.in_order, held_out=True)


def _analysed(build: GroupBuild, state: FunctionState) -> tuple[FunctionState, list[Call]]:
    """The state with its mutation analysis, and the calls that are worth a question.

    They tell mutants from the implementation, as no case does, or the implementation does the undocumented on them.
    """
    from tdgen.build.mutation_analysis import distinguishing_calls

    began = time.monotonic()
    if build.plan.target and build.plan.target.concern:
        state = part("existing").with_concern(build, state)
    analyzer = _analyzer(build, state)
    analysis = analyzer.analysis(state.expected)
    undocumented = analyzer.undocumented() if state.rounds == 1 else []
    analysis = replace(analyzer.distinguished(analysis), seconds=time.monotonic() - began)
    before = state.strength_before or analysis.strength(lines=None, branches=None, seconds=analysis.seconds)
    calls = distinguishing_calls(analysis, MOST_CALLS)
    # as many calls as held-out cases had to be shown, so that new ones take their place
    promoted = sum(revision.action == "promoted" for revision in state.revisions)
    wanted = min(promoted, MOST_CALLS) - len(calls)
    likely = analyzer.likely
    for call in [*(likely[:: max(1, len(likely) // wanted)][:wanted] if wanted > 0 else []), *undocumented]:
        calls += [call] if not any(text_pattern(call) == text_pattern(one) for one in calls) else []
    return replace(state, analysis=analysis, strength_before=before), calls


def _analyzer(build: GroupBuild, state: FunctionState) -> MutationAnalyzer:
    from tdgen.build.mutation_analysis import MutationAnalyzer

    source, language = state.made.source, build.tools.language
    has_none = language.compiles and state.spec.interface is not None  # versions of a class are compiled each
    mutants_of = language.mutants if not has_none else lambda *_, **__: ()
    runner = build.evaluators[state.name].runner(source, build.around(state), wall_s=PATIENCE_S)
    policy = build.tools.policy
    within, cases = written_lines(source, build.plan, state.name), state.suite.cases
    has_versions = build.tools.can("versions")
    limit = search_limit(runner, source, cases, policy.seconds + language.overhead_s, can_count=has_versions)
    kind: type[MutationAnalyzer] = MutationAnalyzer if has_versions else part("placed_mutants")
    return kind(
        mutants_of,
        runner,
        source,
        state.spec,
        cases,
        build.plan.types,
        limit,
        thorough=policy.asks_of_each_mutant,
        within=within,
        near=state.near_concern or frozenset(),
    )
