"""Patch search: single edits of a failing attempt, tried in the sandbox without a model call; never twice on the same.

A patch that passes is a guess (patch overfitting: Smith et al. 2015, Le et al. 2018). It is never green by itself: the
repair that follows shows it to the developer, who confirms it by writing it, or writes what is right. Where several
pass and part on a likely call, the test author, who sees neither code nor edits, is asked what that gives: a case.

Edits are ranked by the lines that failing and passing cases run (Ochiai), and tried on the shown cases alone. Held-out
cases are left for the first that passes these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from tdgen.build.evaluator import Evaluator, line_shift
from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild, Tried
from tdgen.build.versions import ROUNDS, SearchLimit, VersionCall, VersionRunner, search_limit
from tdgen.errors import BudgetSpent
from tdgen.impl.coverage import suspicion
from tdgen.inputs import generated_inputs
from tdgen.judge import Expected
from tdgen.testgen.queries import Query
from tdgen.types import Attempt, Case, Mutant, Verdict, digest

BATCH = 60
FEW_ROUNDS = 3_000
WATCHED_S = 0.3
PATIENCE_S = 0.06  # a call of a candidate that takes longer than this is not waited for
"""None is tuned by itself; `benchmarks/bench_repair.py` shows what comes of all. `BATCH` edits run in one job; loops of
a case that hung go `FEW_ROUNDS`; failing cases are watched for `WATCHED_S` each."""


def described(edit: Mutant) -> str:
    """An edit in words."""
    if not edit.before:
        return f"at line {edit.line} `{edit.after}` was added"
    change = f"became `{edit.after}`" if edit.after else "was deleted"
    return f"line {edit.line}: `{edit.before}` {'moved' if edit.before == edit.after else change}"


class Failed(NamedTuple):
    """A failing attempt, as a search needs it: its source, what it stands on, and how it does on the shown cases."""

    source: str
    around: Mapping[str, str]
    cases: tuple[Case, ...]
    expected: Mapping[str, Expected]
    verdicts: Mapping[str, Verdict]


def search(build: GroupBuild, state: FunctionState, failed: Failed) -> list[Mutant]:
    """The first edits, of one batch, that make a failing attempt pass all shown cases; none where the search ends."""
    evaluator = build.evaluators[state.name]
    runner = evaluator.runner(failed.source, failed.around, wall_s=PATIENCE_S)
    # Before its time begins: cases that hang take long to watch.
    candidates = build.tools.language.repairs(failed.source, state.name, suspicion=_suspicion(evaluator, failed))
    seconds, can_count = build.tools.settings.search_seconds, build.tools.can("versions")
    limit = search_limit(runner, failed.source, failed.cases, seconds, can_count=can_count)
    cases = sorted(failed.cases, key=lambda case: _passes(failed, case))
    while not limit.is_over and (batch := list(islice(candidates, BATCH))):
        if passing := _passing(runner, batch, cases, failed, limit):
            return passing
    return []


def _passes(failed: Failed, case: Case) -> tuple[bool, int]:
    """Where a case stands in the order of trying: those that fail first, and of these the smallest."""
    verdict = failed.verdicts.get(case.name)
    return verdict is not None and verdict.passed, len(case.expression)


def _passing(
    runner: VersionRunner, batch: list[Mutant], cases: Sequence[Case], failed: Failed, limit: SearchLimit
) -> list[Mutant]:
    """Those of a batch that pass all cases; where the attempt never ended, most of its edits don't end either."""
    for case in cases:
        if not batch or limit.is_over:
            return []
        verdict = failed.verdicts.get(case.name)
        rounds = FEW_ROUNDS if verdict is not None and verdict.status == "timeout" else ROUNDS
        versions = [mutant.source for mutant in batch]
        limit.count(len(versions))
        passed = runner.within(rounds).passing(versions, case, failed.expected[case.name])
        batch = [mutant for mutant, passes in zip(batch, passed, strict=True) if passes]
    return batch


def _suspicion(evaluator: Evaluator, failed: Failed) -> dict[int, float]:
    """How suspicious each line of the source is, by what the cases run of it."""
    module = evaluator.module(failed.source, failed.around)
    shift = line_shift(module, failed.source)
    ran: dict[bool, list[frozenset[int]]] = {True: [], False: []}
    for case, observation in zip(
        failed.cases, evaluator.watched(module, failed.cases, "lines", wall_s=WATCHED_S).observations, strict=True
    ):
        ran[_passes(failed, case)[0]].append(frozenset(line - shift for line in observation.lines))
    return suspicion(ran[True], ran[False])


MOST_SEARCHES = 3
MOST_COMPARED = 12
COMPARED_ON = 40
MOST_PARTED = 6
"""How often a search begins again once the suite has grown by it, or a held-out case had to be shown for it; how many
edits are compared, on how many inputs, and of how many the author is asked. Not tuned."""


def _told_apart(build: GroupBuild, state: FunctionState, failed: Failed, edits: Sequence[Mutant]) -> Tried:
    """The group with cases of likely calls on which edits that pass alike part from the first."""
    generated = generated_inputs(state.spec, failed.cases, build.plan.types, most=COMPARED_ON)
    calls = [one.call for one in generated if one.keeps]
    runner = build.evaluators[state.name].runner(failed.source, failed.around, wall_s=PATIENCE_S)
    observations = runner.observed([VersionCall(edit.source, call) for edit in edits for call in calls])
    by_call = [observations[place :: len(calls)] for place in range(len(calls))]
    parted = [
        call
        for call, (first, *others) in zip(calls, by_call, strict=True)
        if any(one.has_result for one in (first, *others)) and not all(runner.same(first, one, call) for one in others)
    ]
    if not parted:
        return Tried(build, changed=False)
    query, failure = Query(variant="edits", there=state.suite.cases), "edits that pass alike were not told apart"
    build, result = build.asked(state.name, parted[:MOST_PARTED], query, f"{failure} by the contract")
    build, changed = build.grown(state.name, result.in_order)
    return Tried(build.judged_again() if changed else build, changed)


def can_search(build: GroupBuild, state: FunctionState) -> bool:
    """Whether the best attempt can be run, fails, and was not searched as it is."""
    best = state.best
    if (
        best is None
        or build.is_blocked
        or not build.tools.settings.search_seconds
        or best.findings
        or not best.verdicts
    ):
        return False
    return bool(state.failing) and _search_key(state) not in state.searched


def _search_key(state: FunctionState) -> str:
    """What a search would go through: the code that a model wrote last, and how much of the suite may be shown."""
    return digest([state.best_written.source, sorted(case.name for case in state.suite.visible)])


def search_edits(build: GroupBuild, name: str) -> Tried:
    """Edit what a model wrote until all that is shown passes; a held-out case that fails then is shown too."""
    changed = False
    for _ in range(MOST_SEARCHES):
        build = build.promoted(name)
        state = build.states[name]
        if _search_key(state) in state.searched:
            break
        build = build.changed(name, searched=state.searched | {_search_key(state)})
        written = state.best_written
        origin = written if written is state.best else build.judged(state, written)
        verdicts = {verdict.case: verdict for verdict in origin.verdicts}
        failed = Failed(origin.source, build.around(state), state.suite.visible, state.expected, verdicts)
        edits = search(build, state, failed)
        if not edits:
            break
        if len(edits) > 1 and not state.searched and build.can_spare(state, "settle"):
            build, has_grown = _told_apart(build, state, failed, edits[:MOST_COMPARED])
            if has_grown:
                changed = True
                continue
        try:
            number = build.begin(build.states[name])
        except BudgetSpent as error:
            return Tried(replace(build, stopped_by=error), changed)
        edited = Attempt(
            function=state.name,
            number=number,
            source=edits[0].source,
            rung="mechanical",
            line=written.line,
            mended=(described(edits[0]),),
        )
        build = build.entered({name: edited})
        state = build.states[name]
        changed = changed or state.made.number == edited.number
        if state.passes or state.failing_shown:
            break
    return Tried(build, changed)
