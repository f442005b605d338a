"""Where mutants stand, as figures; and which few calls tell most of them apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tdgen.build import mutation_analysis
from tdgen.build.mutation_analysis import MutationAnalysis, distinguishing_calls
from tdgen.mutation import mutants
from tdgen.types import Call

SOURCE = "def f(x: int) -> int:\n    return x + 1 if x > 0 else x - 1"
ONE, TWO, THREE = (Call(function="f", arguments=(str(n),)) for n in (1, 2, 3))


@pytest.fixture
def found() -> MutationAnalysis:
    """Ten mutants, of which four are alive: the first two are told apart, the third is not, the fourth only beyond."""
    made = mutants(SOURCE, "f", most=10)
    assert len(made) == 10
    worth = frozenset(call.call_key for call in (ONE, TWO, THREE))
    apart = {0: [ONE, TWO], 1: [TWO, THREE]}
    return MutationAnalysis(SOURCE, made, (0, 1, 2, 3), killed=6, apart=apart, beyond=frozenset({3}), worth=worth)


def figures(analysis: MutationAnalysis):
    return analysis.strength(lines=1.0, branches=None, seconds=0.12345)


class TestFigures:
    """Every mutant is killed, a survivor, equivalent or open: none is counted twice."""

    def test_each_stands_somewhere(self, found):
        """And what was not tried is not counted."""
        strength = figures(found)
        assert (strength.mutants, strength.killed, len(strength.survivors)) == (10, 6, 2)
        assert (strength.equivalent, strength.open) == (1, 1)
        assert strength.killed + len(strength.survivors) + strength.equivalent + strength.open == strength.mutants

    def test_the_score_is_of_those_that_can_be_told_apart(self, found):
        """The raw one of all."""
        assert figures(found).score == pytest.approx(6 / 8)
        assert figures(found).raw == pytest.approx(6 / 10)

    def test_what_there_was_no_time_for_does_not_count(self, found):
        """It is neither killed nor equivalent."""
        strength = figures(found.without([2, 3]))
        assert (strength.mutants, strength.equivalent, strength.open) == (8, 0, 0)

    def test_a_survivor_tells_its_place(self, found):
        """Which line, and what became of what stood there."""
        for survivor in figures(found).survivors:
            assert survivor.line == 2
            assert survivor.before != survivor.after

    def test_those_near_the_concern_are_counted_apart(self, found):
        """Of those that can be told apart; without a concern nothing is said."""
        assert (figures(found).near, figures(found).near_killed) == (0, 0)
        strength = figures(replace(found, near=frozenset({2}), same=frozenset({2})))
        assert (strength.near, strength.near_killed) == (8, 6)

    def test_no_mutant_is_no_weakness(self):
        """There was nothing to kill."""
        strength = figures(MutationAnalysis(SOURCE, (), alive=()))
        assert (strength.score, strength.raw) == (1.0, 1.0)


class TestTellingCalls:
    """A case costs somebody's thought: few are asked for."""

    def test_the_one_that_tells_most_comes_first(self, found):
        """And those that it tells need no other."""
        assert distinguishing_calls(found, 8) == [TWO]

    def test_as_many_as_it_takes(self, found):
        """Each survivor is told by one at least."""
        found = replace(found, apart={0: [ONE], 1: [THREE]})
        assert sorted(call.expression for call in distinguishing_calls(found, 8)) == ["f(1)", "f(3)"]

    def test_no_more_than_are_wanted(self, found):
        """Whatever is left over then."""
        found = replace(found, apart={0: [ONE], 1: [THREE]})
        assert len(distinguishing_calls(found, most=1)) == 1

    def test_what_is_near_the_concern_comes_first(self, found):
        """Though another call tells more apart."""
        first = found.mutants[0]._replace(line=9)
        found = replace(found, mutants=(first, *found.mutants[1:]), near=frozenset({9}))
        assert distinguishing_calls(found, 1) != [THREE]
        found = replace(found, apart={0: [ONE], 1: [TWO], 2: [TWO]})
        assert distinguishing_calls(found, 1) == [ONE]
        assert distinguishing_calls(replace(found, near=frozenset()), 1) == [TWO]

    def test_equal_calls_are_one(self, found):
        """By what they do."""
        found = replace(found, apart={0: [ONE], 1: [Call(function="f", call="f(1)")]})
        assert len(distinguishing_calls(found, 8)) == 1

    def test_what_no_case_is_like_is_not_asked_about(self, found):
        """A mutant that differs there alone stays a survivor, and costs no question."""
        found = replace(found, worth=frozenset({THREE.call_key}))
        assert distinguishing_calls(found, 8) == [THREE]
        assert found.survivors == [0, 1]

    def test_of_calls_that_are_alike_there_is_one(self, found):
        """Other letters in the same text tell nobody more."""
        texts = [Call(function="f", arguments=(text,)) for text in ("'ab'", "'xyz'", "'Ab'")]
        apart = {0: texts[:1], 1: texts[1:2], 2: texts[2:]}
        found = replace(found, apart=apart, worth=frozenset(call.call_key for call in texts))
        assert distinguishing_calls(found, 8) == [texts[0], texts[2]]

    def test_each_call_is_read_once(self, found, monkeypatch):
        """However many survivors it tells apart: a search of seconds has none to waste on what it knows."""
        calls = [Call(function="f", arguments=(repr(["ab"] * n),)) for n in range(300)]
        apart = {place: calls[place % 2 :] for place in range(60)}
        worth = frozenset(call.call_key for call in calls)
        found = replace(found, alive=tuple(range(60)), apart=apart, worth=worth)
        read = []
        for name, module in {"key_by": Call, "text_pattern": mutation_analysis}.items():
            original = getattr(module, name)
            monkeypatch.setattr(module, name, lambda *given, original=original: read.append(1) or original(*given))
        assert distinguishing_calls(found, 8)
        assert found.leaving_open(calls[:8])
        assert len(calls) >= len(read) > 0

    def test_none_for_none(self):
        """Nothing survives, nothing is asked."""
        assert distinguishing_calls(MutationAnalysis(SOURCE, (), alive=()), 8) == []


class TestWhatIsLeftOpen:
    """A call for which the contract settles nothing tells nobody anything."""

    def test_a_mutant_that_differs_there_alone_is_no_survivor(self, found):
        """Nobody may write a case against it."""
        found = found.leaving_open([ONE, TWO])
        assert found.survivors == [1]
        assert figures(found).open == 2

    def test_one_that_differs_elsewhere_too_is_asked_for_there(self, found):
        """By another call."""
        found = found.leaving_open([TWO])
        assert found.survivors == [0, 1]
        assert sorted(call.expression for call in distinguishing_calls(found, 8)) == ["f(1)", "f(3)"]
