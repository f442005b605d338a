"""How strong is a suite? Mutants of the implementation are tried on it; those that it lets through ask for more cases.

A mutant that compiles to the same byte code, or does the same on many generated inputs, is taken for equivalent. One
that differs on some input names the call that the suite lacks: the test author is asked what that call must give,
and sees neither the code nor the mutant.

The method is mutation analysis (DeMillo, Lipton & Sayward 1978); asking for tests by survivors is that of MutGen
(arXiv 2506.02954).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tdgen.build.undocumented import is_documented, shared_state, shortest_alike, steps_that_raise, undocumented
from tdgen.build.versions import SearchLimit, VersionCall, VersionRunner
from tdgen.inputs import Generated, generated_inputs, text_pattern
from tdgen.inputs.sequences import beside_another
from tdgen.inputs.sources import seed_constants
from tdgen.judge import Expected
from tdgen.types import Call, Case, FunctionSpec, Mutant, Observation, SharedType, Strength

# None of these is tuned by itself; `benchmarks/bench_trust.py` prints what comes of all, scores and seconds a function.
MOST_MUTANTS = 120
FEWEST_MUTANTS = 12  # of a slow function too, whatever the time: a score of fewer says next to nothing
KILLING = 0.5  # the share of the time that trying mutants on the cases may take
WATCHING = 0.3  # the share of what is left then that looking at the implementation alone may take
CALL_S = 0.0004  # what a call is taken to cost beside its own time
MOST_INPUTS = 160
AT_ONCE = 8  # calls on which all mutants are run in one job: between jobs the time is looked at
WATCHED_AT_ONCE = 16  # calls in the first job on the implementation alone; each further job has twice as many
PAIRS = 4  # of objects side by side: each takes nearly all the steps that the cases know, in another order
SEQUENCES = 64  # of a class so many calls are looked at whatever the time: half of them are sequences


@dataclass(frozen=True)
class MutationAnalysis:
    """Where the mutants of one implementation stand: killed by a case that was tried, equivalent, or told apart.

    `alive` are those that no case kills, by place; `apart` says on which calls each of them was seen to differ,
    `beyond` which differ only where the implementation raises what the contract does not speak of, and `cut` those
    that there was no time for, or that could not be run; `same` are of the same byte code as the source. `worth` are
    the keys of the calls that are worth a question: those that keep what all cases keep, and those that end in an
    exception of the contract. `near` are the lines at which the user's concern is decided: calls that tell mutants
    there apart come first.
    """

    source: str
    mutants: tuple[Mutant, ...]
    alive: tuple[int, ...]
    killed: int = 0
    tried: frozenset[str] = frozenset()
    seconds: float = 0.0
    apart: Mapping[int, Sequence[Call]] = field(default_factory=dict)
    beyond: frozenset[int] = frozenset()
    worth: frozenset[str] = frozenset()
    left_open: frozenset[int] = frozenset()
    cut: frozenset[int] = frozenset()
    near: frozenset[int] = frozenset()
    same: frozenset[int] = frozenset()

    @property
    def survivors(self) -> list[int]:
        """Mutants that can be told apart by what the contract settles, and that no case tells apart."""
        return [place for place in self.alive if self.apart.get(place) and place not in self.left_open]

    def without(self, places: Collection[int]) -> MutationAnalysis:
        """The analysis where there is no time, or no way, to find out what becomes of these mutants."""
        return replace(self, cut=self.cut.union(places), alive=tuple(n for n in self.alive if n not in places))

    def leaving_open(self, calls: Collection[Call]) -> MutationAnalysis:
        """The analysis where survivors that differ on these calls alone count as open, as the contract settles none."""
        keys = {call.call_key for call in calls}
        rest = {n: [call for call in self.apart[n] if call.call_key not in keys] for n in self.survivors}
        apart = {**self.apart, **{place: left for place, left in rest.items() if left}}
        return replace(self, apart=apart, left_open=self.left_open.union(n for n, left in rest.items() if not left))

    def strength(self, *, lines: float | None, branches: float | None, seconds: float) -> Strength:
        """The analysis as figures."""
        survivors, unsettled = self.survivors, (self.beyond | self.left_open) & set(self.alive)
        tried = len(self.mutants) - len(self.cut)
        of_near: dict[str, int] = {}
        if self.near:  # mutants at the lines of the user's concern: how many can be told apart, and how many are killed
            places = {place for place, mutant in enumerate(self.mutants) if mutant.line in self.near} - self.cut
            killed = places - self.same - {*self.alive}
            of_near = {"near": len(killed) + len(places.intersection(survivors)), "near_killed": len(killed)}
        return Strength(
            mutants=tried,
            killed=self.killed,
            equivalent=tried - self.killed - len(survivors) - len(unsettled),
            open=len(unsettled),
            survivors=tuple(self.mutants[place].survivor for place in survivors),
            lines=lines,
            branches=branches,
            seconds=round(seconds, 3),
            **of_near,
        )


class MutationAnalyzer:
    """Analyses one implementation and its suite's `cases`; tries nothing more when `limit` is over.

    `mutants_of` makes its mutants, as a language does, `within` these lines of the source, where there are any, and
    first of those that are `near` what the user worries about. For a `thorough` one every call that tells a mutant
    apart is worth a question.
    """

    def __init__(
        self,
        mutants_of: Callable[..., Sequence[Mutant]],
        runner: VersionRunner,
        source: str,
        spec: FunctionSpec,
        cases: Sequence[Case],
        shared: Sequence[SharedType],
        limit: SearchLimit,
        *,
        thorough: bool = False,
        within: Sequence[range] = (),
        near: frozenset[int] = frozenset(),
    ) -> None:
        self._mutants_of = mutants_of
        self._runner = runner
        self._within, self._near = within, near
        self._source = source
        self._spec = spec
        self._cases = cases
        self._shared = shared
        self._limit = limit
        self._thorough = thorough
        self._own: dict[str, Observation] = {}

    @property
    def likely(self) -> list[Call]:
        """Generated calls that keep what all cases keep."""
        return [one.call for one in self._generated if one.keeps]

    @cached_property
    def _likely(self) -> frozenset[str]:
        return frozenset(call.call_key for call in self.likely)

    @cached_property
    def _generated(self) -> tuple[Generated, ...]:
        return generated_inputs(
            self._spec, self._cases, self._shared, most=MOST_INPUTS, hints=seed_constants(self._source)
        )

    def analysis(self, expected: Mapping[str, Expected]) -> MutationAnalysis:
        """All mutants, tried on one case after the other, until each is killed or has passed all.

        Of what takes long there are fewer, so that there is time for those.
        """
        self._runner, seconds = self._runner.fitted(self._source, self._cases, expected)
        own = 0.0 if self._limit.is_counted else seconds
        affordable = round(KILLING * self._limit.seconds / (own + CALL_S * (1 + len(self._cases))))
        most = max(FEWEST_MUTANTS, min(MOST_MUTANTS, affordable))
        sample = self._sampled(most)
        same = self._runner.same_code(self._source, [mutant.source for mutant in sample])
        alive = tuple(place for place in range(len(sample)) if place not in same)
        analysis = MutationAnalysis(self._source, sample, alive, near=self._near, same=frozenset(same))
        return self.tried_on(analysis, self._cases, expected)

    def _sampled(self, most: int) -> tuple[Mutant, ...]:
        return tuple(self._mutants_of(self._source, self._spec.name, most=most, within=self._within, near=self._near))

    def tried_on_new(self, analysis: MutationAnalysis, expected: Mapping[str, Expected]) -> MutationAnalysis:
        """An earlier analysis after those alive were tried on the cases that it did not know."""
        if analysis.alive:
            self._runner, _ = self._runner.fitted(self._source, self._cases, expected)
        return self.tried_on(analysis, [case for case in self._cases if case.name not in analysis.tried], expected)

    def tried_on(
        self, analysis: MutationAnalysis, cases: Sequence[Case], expected: Mapping[str, Expected]
    ) -> MutationAnalysis:
        """The analysis after those alive were tried on further cases."""
        for case in cases:
            analysis = analysis.without(analysis.alive) if self._limit.is_over else analysis
            analysis = replace(analysis, tried=analysis.tried | {case.name})
            if not analysis.alive:
                continue
            versions = [analysis.mutants[place].source for place in analysis.alive]
            self._limit.count(len(versions))
            passed = dict(zip(analysis.alive, self._runner.passing(versions, case, expected[case.name]), strict=True))
            killed = [place for place, passes in passed.items() if passes is False]
            alive = tuple(place for place in analysis.alive if place not in killed)
            analysis = replace(analysis, killed=analysis.killed + len(killed), alive=alive)
            analysis = analysis.without([place for place, passes in passed.items() if passes is None])
        return analysis

    def distinguished(self, analysis: MutationAnalysis) -> MutationAnalysis:
        """The analysis after calls were looked for, for each mutant alive, on which it differs."""
        calls = [one.call for one in self._generated]  # likely ones first
        for start in range(0, len(calls), AT_ONCE):
            searched = [place for place in analysis.alive if not analysis.apart.get(place)]
            if self._limit.is_over:
                return analysis.without(searched)
            if not searched:
                break
            analysis = self._compared(analysis, searched, calls[start : start + AT_ONCE])
        return analysis

    def undocumented(self) -> list[Call]:
        """A few likely calls that make the implementation raise what its contract never names.

        No mutant points to these: what is wrong there is wrong in most of the mutants too. A loop that does not end
        counts as such an exception. It takes a part of the time that is left.
        """
        least = (1 - WATCHING) * self._limit.seconds
        likely = self.likely
        start, at_once = 0, WATCHED_AT_ONCE
        while start < len(likely):
            if self._limit.seconds <= least and not (self._spec.interface and start < SEQUENCES):
                break
            self._observed(likely[start : start + at_once])
            start, at_once = start + at_once, 2 * at_once
        if self._spec.interface is None:
            return undocumented(likely, self._own, self._spec)
        steps = steps_that_raise(likely, self._own, self._spec)
        self._observed(steps)
        calls = undocumented([*likely, *steps], self._own, self._spec)
        pairs = beside_another(self._spec, self._cases, most=PAIRS)
        return [
            *(shortest_alike(call, self._observed) for call in calls),
            *shared_state(pairs, self._observed, self._runner.same),
        ]

    def _observed(self, calls: Sequence[Call], others: Sequence[VersionCall] = ()) -> list[Observation]:
        """What the implementation does on these calls, each run once; and then what `others` do."""
        new = [call for call in calls if call.call_key not in self._own]
        self._limit.count(len(new) + len(others))
        observations = self._runner.observed([*(VersionCall(self._source, call) for call in new), *others])
        self._own |= {call.call_key: one for call, one in zip(new, observations, strict=False)}
        return [*(self._own[call.call_key] for call in calls), *observations[len(new) :]]

    def _compared(self, analysis: MutationAnalysis, searched: Sequence[int], calls: Sequence[Call]) -> MutationAnalysis:
        """The analysis with those of `calls` on which each of the searched mutants differs."""
        apart = {place: list(analysis.apart.get(place, ())) for place in (*analysis.apart, *searched)}
        beyond, worth = set(analysis.beyond), set(analysis.worth)
        others = [VersionCall(analysis.mutants[place].source, call) for place in searched for call in calls]
        observations = self._observed(calls, others)[len(calls) :]
        for number, place in enumerate(searched):
            theirs = observations[number * len(calls) : (number + 1) * len(calls)]
            for call, other in zip(calls, theirs, strict=True):
                mine = self._own[call.call_key]
                if self._runner.same(mine, other, call):
                    continue
                if is_documented(mine, self._spec):
                    apart[place].append(call)
                    if self._thorough or call.call_key in self._likely or mine.status == "raised":
                        worth.add(call.call_key)
                elif not apart[place]:
                    beyond.add(place)
        beyond = {place for place in beyond if not apart.get(place)}
        return replace(analysis, apart=apart, beyond=frozenset(beyond), worth=frozenset(worth))


def distinguishing_calls(analysis: MutationAnalysis, most: int) -> list[Call]:
    """Few calls worth a question that tell as many survivors as can be from the implementation.

    Greedily, those that tell most of what is near the user's concern first, then most of all; of calls that are alike
    but for the letters of their texts there is one.
    """
    calls = {call.call_key: call for place in analysis.survivors for call in analysis.apart[place]}
    kinds = {key: text_pattern(call) for key, call in calls.items() if key in analysis.worth}
    left = {
        place: [call.call_key for call in analysis.apart[place] if call.call_key in kinds]
        for place in analysis.survivors
    }
    chosen: list[Call] = []
    while len(chosen) < most:
        near = [
            keys
            for place, keys in left.items()
            if keys and analysis.near and analysis.mutants[place].line in analysis.near
        ]
        votes = Counter(key for keys in near or left.values() for key in keys)
        if not votes:
            break
        best = max(votes, key=votes.__getitem__)
        chosen.append(calls[best])
        left = {place: keys for place, keys in left.items() if all(kinds[key] != kinds[best] for key in keys)}
    return chosen
