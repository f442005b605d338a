"""Mutation analysis of code whose versions have a module each, as those in other languages than Python have.

A process costs more there, a call in it hardly anything. So all mutants share one: it tells on which cases, and on
which generated calls, each of them parts from the implementation. What parts on a case that expects a value or an
exception is killed by it; on others the judge has the last word, and on generated calls probes have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from tdgen.build.mutation_analysis import MOST_MUTANTS, MutationAnalysis, MutationAnalyzer
from tdgen.judge import Expected
from tdgen.types import Call, Case

TELLING: Final = 3
"""On so many generated calls a mutant is seen to part."""
PROBED: Final = 12
"""So many of these calls, those that tell most mutants apart, are seen by themselves. Neither is tuned."""


class PlacedAnalyzer(MutationAnalyzer):
    """The same of an implementation whose mutants have a module each."""

    def analysis(self, expected: Mapping[str, Expected]) -> MutationAnalysis:
        """All mutants, tried on all cases."""
        sample = self._sampled(MOST_MUTANTS)
        analysis = MutationAnalysis(self._source, sample, tuple(range(len(sample))))
        return self.tried_on(analysis, self._cases, expected)

    def tried_on_new(self, analysis: MutationAnalysis, expected: Mapping[str, Expected]) -> MutationAnalysis:
        """An earlier analysis after those alive were tried on the cases that it did not know."""
        return self.tried_on(analysis, [case for case in self._cases if case.name not in analysis.tried], expected)

    def tried_on(
        self, analysis: MutationAnalysis, cases: Sequence[Case], expected: Mapping[str, Expected]
    ) -> MutationAnalysis:
        """The analysis after those alive were tried on further cases."""
        distinguishing = (
            self._parted(analysis.alive, analysis, [case.done for case in cases], len(cases)) if cases else {}
        )
        killed, doubtful = set[int](), dict[str, list[int]]()
        # Whatever is seen to be otherwise fails these: they leave nothing free.
        is_exact = [case.expectation.form in ("value", "raises") and not self._spec.returns.unordered for case in cases]
        for place, parted in distinguishing.items():
            if any(is_exact[number] for number in parted or ()):
                killed.add(place)
            else:
                for number in parted or ():
                    doubtful.setdefault(cases[number].name, []).append(place)
        for case in cases:
            places = [place for place in doubtful.get(case.name, ()) if place not in killed]
            versions = [analysis.mutants[place].source for place in places]
            passed = self._runner.passing(versions, case, expected[case.name]) if versions else []
            killed |= {place for place, passes in zip(places, passed, strict=True) if passes is False}
        alive = tuple(place for place in analysis.alive if place not in killed)
        tried = analysis.tried | {case.name for case in cases}
        analysis = replace(analysis, killed=analysis.killed + len(killed), alive=alive, tried=tried)
        return analysis.without([place for place, parted in distinguishing.items() if parted is None])

    def distinguished(self, analysis: MutationAnalysis) -> MutationAnalysis:
        """The analysis after calls were looked for, for each mutant alive, on which it differs."""
        searched = [place for place in analysis.alive if not analysis.apart.get(place)]
        generated = [one.call for one in self._generated]
        distinguishing = self._parted(searched, analysis, generated, TELLING)
        votes = Counter(number for parted in distinguishing.values() for number in parted or ())
        calls = [generated[number] for number, _ in votes.most_common(PROBED)]
        distinguished = [place for place, parted in distinguishing.items() if parted]
        analysis = self._compared(analysis, distinguished, calls) if distinguished else analysis
        return analysis.without([place for place, parted in distinguishing.items() if parted is None])

    def _parted(
        self, places: Sequence[int], analysis: MutationAnalysis, calls: Sequence[Call], most: int
    ) -> dict[int, list[int] | None]:
        versions = [analysis.mutants[place].source for place in places]
        rows = self._runner.parted(self._source, versions, calls, most=most, seconds=self._limit.seconds)
        return dict(zip(places, rows, strict=True))
