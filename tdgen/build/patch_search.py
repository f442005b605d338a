"""Patch search: single edits of a failing attempt, tried in the sandbox without a model call; never twice on the same.

A patch that passes is a guess (patch overfitting: Smith et al. 2015, Le et al. 2018). It is never green by itself: the
repair that follows shows it to the developer, who confirms it by writing it, or writes what is right.

An edit that passes is not right yet: where several pass and do not do the same, the test author is asked what the
contract says of the calls on which they part. It sees neither the code nor the edits, and what it says are cases.

Edits are ranked by the lines that failing and passing cases run (Ochiai), and tried on the shown cases alone. Held-out
cases are left for the one candidate that is chosen in the end. Where edits that pass alike part on a likely call, what
the contract says of it can tell the right one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from tdgen.types import Attempt, Call, Case, FunctionSpec, Mutant, Observation, SharedType, Verdict, digest

BATCH = 60
MOST_RIVALS = 12
COMPARED_ON = 40
RIVALS_S = 0.5  # how much longer is looked for others when one edit was found that passes, see `versions`
FEW_ROUNDS = 3_000
WATCHED_S = 0.3
PATIENCE_S = 0.06  # a call of a candidate that takes longer than this is not waited for
"""None is tuned by itself; `benchmarks/bench_repair.py` shows what comes of all. `BATCH` edits run in one job; of those
that pass `MOST_RIVALS` are compared, on `COMPARED_ON` inputs; loops of a case that hung go `FEW_ROUNDS`; failing cases
are watched for `WATCHED_S` each."""


class Rivals(NamedTuple):
    """Edits that pass all that was shown, those of the largest cluster first, and calls that tell clusters apart.

    Those of one cluster do the same on generated calls; of two clusters alike the one whose edit ranks first is first.
    `calls` are likely ones.
    """

    runner: VersionRunner
    edits: tuple[Mutant, ...]
    calls: tuple[Call, ...] = ()

    @property
    def source(self) -> str:
        """The source with the first edit."""
        return self.edits[0].source

    @property
    def description(self) -> str:
        """The first edit in words."""
        best = self.edits[0]
        if not best.before:
            return f"at line {best.line} `{best.after}` was added"
        change = f"became `{best.after}`" if best.after else "was deleted"
        return f"line {best.line}: `{best.before}` {'moved' if best.before == best.after else change}"

    def passing(self, cases: Sequence[Case], expected: Mapping[str, Expected]) -> Rivals | None:
        """Those that pass these cases too; None where none does."""
        edits = self.edits
        for case in cases:
            passed = self.runner.passing([edit.source for edit in edits], case, expected[case.name])
            edits = tuple(edit for edit, passes in zip(edits, passed, strict=True) if passes)
        return Rivals(self.runner, edits) if edits else None


class Failed(NamedTuple):
    """A failing attempt, as a search needs it: its source, what it stands on, and how it does on the shown cases."""

    source: str
    around: Mapping[str, str]
    cases: tuple[Case, ...]
    expected: Mapping[str, Expected]
    verdicts: Mapping[str, Verdict]


def search(build: GroupBuild, state: FunctionState, failed: Failed) -> Rivals | None:
    """The edits that make a failing attempt pass all shown cases; None where none was found before the search ends.

    When one is found, others that pass are looked for a moment longer.
    """
    evaluator = build.evaluators[state.name]
    runner = evaluator.runner(failed.source, failed.around, wall_s=PATIENCE_S)
    seconds, can_count = build.tools.settings.search_seconds, build.tools.can("versions")
    limit = search_limit(runner, failed.source, failed.cases, seconds, can_count=can_count)
    cases = sorted(failed.cases, key=lambda case: _passes(failed, case))
    mutants: list[Mutant] = []
    candidates = build.tools.language.repairs(failed.source, state.name, suspicion=_suspicion(evaluator, failed))
    while len(mutants) < MOST_RIVALS and not limit.is_over and (batch := list(islice(candidates, BATCH))):
        passing = _passing(runner, batch, cases, failed, limit)
        if passing and not mutants:
            limit.shorten(RIVALS_S)
        mutants += passing
    return _distinguished(runner, state.spec, build.plan.types, mutants, failed.cases) if mutants else None


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


def _distinguished(
    runner: VersionRunner,
    spec: FunctionSpec,
    shared: Sequence[SharedType],
    mutants: Sequence[Mutant],
    cases: Sequence[Case],
) -> Rivals:
    if len(mutants) == 1:
        return Rivals(runner, tuple(mutants))
    generated = generated_inputs(spec, cases, shared, most=COMPARED_ON)
    calls = [one.call for one in generated]
    groups = clusters(runner, [edit.source for edit in mutants], calls)
    likely = [place for place in distinguishing(runner, groups, calls) if generated[place].keeps]
    edits = tuple(mutants[place] for group in groups for place in group.places)
    return Rivals(runner, edits, tuple(calls[place] for place in likely))


class Cluster(NamedTuple):
    """Versions, by their places, that do the same on some calls, and what they were seen to do on each of these."""

    places: list[int]
    observations: Sequence[Observation]


def clusters(runner: VersionRunner, versions: Sequence[str], calls: Sequence[Call]) -> list[Cluster]:
    """The versions by what they do on `calls`, the largest cluster first; one cluster where there is no call."""
    observations = runner.observed([VersionCall(version, call) for version in versions for call in calls])
    joined: list[Cluster] = []
    for place in range(len(versions)):
        row = observations[place * len(calls) : (place + 1) * len(calls)]
        for cluster in joined:
            if all(map(runner.same, cluster.observations, row, calls)):
                cluster.places.append(place)
                break
        else:
            joined.append(Cluster([place], row))
    return sorted(joined, key=lambda cluster: -len(cluster.places))


def distinguishing(runner: VersionRunner, clusters: Sequence[Cluster], calls: Sequence[Call]) -> list[int]:
    """The places of the `calls` on which clusters part, and some cluster comes to a result.

    First few that tell all apart, as far as any do, then the others: each says more of those that pass it.
    """
    together = [list(clusters)]
    telling: list[int] = []
    others: list[int] = []
    for place, call in enumerate(calls):
        if not any(cluster.observations[place].has_result for cluster in clusters):
            continue
        diverged = [part for group in together for part in _parted(runner, group, place, call)]
        if len(diverged) > len(together):
            together = diverged
            telling.append(place)
        elif len(_parted(runner, clusters, place, call)) > 1:
            others.append(place)
    return telling + others


def _parted(runner: VersionRunner, group: Sequence[Cluster], place: int, call: Call) -> list[list[Cluster]]:
    """A group by what its clusters did on one call."""
    parts: list[list[Cluster]] = []
    for cluster in group:
        for part in parts:
            if runner.same(part[0].observations[place], cluster.observations[place], call):
                part.append(cluster)
                break
        else:
            parts.append([cluster])
    return parts


MOST_SEARCHES = 3
MOST_PARTED = 6
"""How often a search begins again once the suite has grown by it, and on how many inputs its edits are asked about at a
time. Not tuned."""


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
        rivals = search(build, state, failed)
        if rivals is None:
            break
        build, has_grown = _with_parted(build, name, rivals)
        if has_grown:
            changed, now = True, build.states[name]
            rivals = rivals.passing(now.suite.cases[len(state.suite.cases) :], now.expected)
        if rivals is None:
            continue
        try:
            edited = _edited(build, build.states[name], written, rivals)
        except BudgetSpent as error:
            return Tried(build.having(stopped_by=error), changed)
        build = build.entered({name: edited})
        state = build.states[name]
        changed = changed or state.made.number == edited.number
        if state.passes or state.failing_shown:
            break
    return Tried(build, changed)


def _edited(build: GroupBuild, state: FunctionState, written: Attempt, rivals: Rivals) -> Attempt:
    return Attempt(
        function=state.name,
        number=build.begin(state),
        source=rivals.source,
        rung="mechanical",
        line=written.line,
        mended=(rivals.description,),
    )


def _with_parted(build: GroupBuild, name: str, rivals: Rivals) -> Tried:
    """The group with new cases, on calls on which edits part. Asked for once, and where a call is to spare."""
    state = build.states[name]
    if not rivals.calls or state.edits_parted or not build.can_spare(state, "settle"):
        return Tried(build, changed=False)
    query, failed = Query(variant="edits", there=state.suite.cases), "edits that pass alike were not told apart"
    build, result = build.changed(name, edits_parted=True).asked(
        name, rivals.calls[:MOST_PARTED], query, f"{failed} by the contract"
    )
    build, changed = build.grown(name, result.in_order)
    return Tried(build.judged_again() if changed else build, changed)
