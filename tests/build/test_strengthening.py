"""Green is challenged: mutants that the suite lets through name the calls that it lacks; the author settles them."""

from __future__ import annotations

import re

import pytest

from tdgen.build import versions
from tdgen.events import SuiteWritten
from tdgen.models.scripted import ScriptedAnswer

pytestmark = pytest.mark.usefixtures("patient")

FROM_50 = "return 'pass' if points >= 50 else 'fail'"
FROM_51 = "return 'pass' if points > 50 else 'fail'"


SLOW = "for _ in range(3_000):\n        pass\n    " + FROM_50


def truth(points: int) -> str:
    return "pass" if points >= 50 else "fail"


def survivors(solved, function: str = "grade"):
    return [case for case in solved[function].suite.cases if case.provenance == "survivor"]


@pytest.fixture
def counted(monkeypatch):
    """Mutants are granted a fortieth of the rounds, so that a loop need not be long to be too long."""
    monkeypatch.setattr(versions, "ROUNDS", versions.ROUNDS // 40)


class TestSurvivors:
    """Mutants that no case tells from a green implementation."""

    def test_lead_to_cases_that_the_author_settles(self, strengthened):
        """From the contract alone: neither the code nor the mutants are shown."""
        solved = strengthened
        assert solved.solution.all_tests_passed
        assert survivors(solved)
        assert all(case.expectation.source == repr(truth(int(case.arguments[0]))) for case in survivors(solved))
        (prompt,) = solved.prompts("settle")
        assert "'pass' from 50 points on" in prompt
        assert "if points" not in prompt
        assert "mutant" not in prompt

    def test_are_held_out_from_every_prompt(self, strengthened):
        """And told, as any suite is."""
        solved = strengthened
        assert {case.name for case in survivors(solved)} <= solved["grade"].suite.held_out
        written = [event.suite for event in solved.happened(SuiteWritten) if event.suite.function == "grade"]
        assert written[-1] == solved["grade"].suite

    def test_heal_what_only_looked_green(self, known, grade):
        """An implementation that fails one of the new cases is repaired: the case is promoted and shown."""
        solved = known(grade(FROM_51, FROM_50), truth)
        assert solved.solution.all_tests_passed
        first, second = solved["grade"].history
        assert first.green
        assert ">= 50" in second.source
        (prompt,) = solved.prompts("repair")
        assert re.search(r"`grade\(50\)`.* returns `'pass'`", prompt)
        assert [revision.action for revision in solved.solution.revisions] == ["promoted"]

    def test_cost_the_green_where_nobody_can_heal_it(self, known, grade):
        """A suite that was too weak accepts no wrong implementation by being it."""
        solved = known(grade(FROM_51, FROM_51), truth, budget="iterations=2")
        assert solved["grade"].outcome == "red"
        assert not solved.solution.all_tests_passed

    def test_are_no_matter_at_quick(self, known, grade):
        """Nor is any strength told."""
        solved = known(grade(FROM_51), truth, trust="quick")
        assert solved["grade"].outcome == "green"
        assert solved["grade"].strength is None
        assert solved.solution.to_dict()["strength"] == {"grade": None}

    def test_are_not_asked_for_where_no_call_is_to_spare(self, known, grade):
        """It stays green, and what could not be asked is noted."""
        solved = known(grade(FROM_50), truth, budget="calls=3")
        assert solved["grade"].outcome == "green"
        assert solved.solution.stopped == ""
        (note,) = solved.solution.notes
        assert note.startswith("grade: no call is left to ask for the ")
        assert solved["grade"].strength.survivors


class TestUnspokenExceptions:
    """Likely calls on which the implementation raises what its contract never names: no mutant points to these."""

    CRASHES = "return 'pass' if [points, points][len(str(points)) % 3] >= 50 else 'fail'"  # at two digits
    FAR = (5, 7, 100, 120)

    def test_are_settled_and_healed(self, known, grade):
        """What the contract says of such a call becomes a case."""
        solved = known(grade(self.CRASHES, FROM_50, points=self.FAR), truth)
        assert solved.solution.all_tests_passed
        assert solved["grade"].best.number == 2
        assert any(len(case.arguments[0]) == 2 for case in survivors(solved))

    def test_are_let_be_where_the_contract_leaves_them_open(self, known, grade):
        """They are asked for once."""
        solved = known(
            grade(self.CRASHES, points=self.FAR), lambda points: None if len(str(points)) == 2 else truth(points)
        )
        assert solved.solution.all_tests_passed
        assert [call for call in solved.model.calls if len(call) == len("grade(10)")]
        assert len(solved.model.calls) == len(set(solved.model.calls))


class TestStrength:
    """The figure beside the green."""

    def test_is_in_the_result(self, strengthened):
        """Mutants tried and killed, and which lines and branches the cases reach."""
        strength = strengthened["grade"].strength
        assert strength.killed >= 3
        assert (strength.score, strength.survivors) == (1.0, ())
        assert (strength.lines, strength.branches) == (1.0, 1.0)
        told = strengthened.solution.to_dict()["strength"]["grade"]
        assert (told["score"], told["killed"]) == (1.0, strength.killed)

    def test_is_told_beside_what_it_was_before_cases_were_asked_for(self, strengthened):
        """So that one can see what these are good for; nothing to compare with where nobody asked."""
        strength = strengthened["grade"].strength
        assert strength.raw_before < strength.raw
        assert strength.score_before < strength.score

    def test_says_what_survives(self, solver, grade):
        """Where the author has no usable word on the calls: by line, what stood there and what the mutant has."""
        mute = [ScriptedAnswer(purpose="settle", variant="survivors", attempt=n, text="Well.") for n in (1, 2)]
        solved = solver.solve(grade(FROM_50, also=mute), settings={"trust": "standard"})
        strength = solved["grade"].strength
        assert solved["grade"].outcome == "green"
        assert strength.score < 1
        assert any((one.line, one.before, one.after) == (2, ">=", ">") for one in strength.survivors) or any(
            "points >= 50" in one.before and "points > 50" in one.after for one in strength.survivors
        )

    @pytest.mark.usefixtures("counted")
    def test_is_no_better_for_going_round_often(self, known, grade):
        """More rounds than mutants are granted kill none of them: the bound is fitted to the implementation."""
        strength = known(grade(SLOW), truth)["grade"].strength
        assert strength.raw_before < strength.raw

    @pytest.mark.usefixtures("counted")
    def test_is_no_better_for_it_by_a_case_that_came_later(self, known, grade):
        """What differs only where the contract says nothing is still open then, and not killed."""
        strength = known(grade(SLOW), lambda points: truth(points) if points == 50 else None)["grade"].strength
        assert strength.open

    def test_does_not_count_equivalents(self, known, write):
        """A mutant that does the same on all that was tried can't be killed by anybody."""
        cases = [write.returns(f"largest({n})", str(max(n))) for n in ([1], [2, 3], [5, 4], [7, 7], [-1, -2])]
        source = (
            "def largest(numbers: list[int]) -> int:\n    best = numbers[0]\n"
            "    for number in numbers:\n        if number > best:\n            best = number\n    return best"
        )
        largest = write.function(
            "largest(numbers: list[int]) -> int", "The largest of at least one number.", cases=cases, tries=[source]
        )
        solved = known(largest, lambda numbers: max(numbers) if numbers else None)
        strength = solved["largest"].strength
        assert strength.equivalent >= 1
        assert strength.score == 1.0 > strength.raw

    def test_does_not_count_what_the_contract_leaves_open(self, known, grade):
        """A mutant that differs only there can't be killed by a case that nobody may write."""
        solved = known(grade(FROM_50), lambda points: None)
        strength = solved["grade"].strength
        assert solved["grade"].outcome == "green"
        assert strength.open >= 1
        assert strength.score == 1.0

    def test_is_demanded_at_strict(self, solver, grade):
        """A suite that no budget makes strong enough says nothing: undecided, and why."""
        said = [
            ScriptedAnswer(purpose="settle", variant="survivors", ordinal=n, attempt=a, text="Well.")
            for n in range(1, 5)
            for a in (1, 2)
        ]
        said += [ScriptedAnswer(purpose="settle", variant="rivals", attempt=n, text="Well.") for n in (1, 2)]
        solved = solver.solve(
            grade(FROM_50, rival=f"def grade(points: int) -> str:\n    {FROM_50}", also=said),
            settings={"trust": "strict"},
        )
        assert solved["grade"].outcome == "undecided"
        assert "of its mutants are killed, 80% are demanded" in solved["grade"].reason
        assert not solved.solution.all_tests_passed

    def test_is_told_as_far_as_there_was_time(self, known, grade, change_policy):
        """Mutants that were not tried are not counted, neither for nor against."""
        change_policy("standard", seconds=0.0)
        solved = known(grade(FROM_50), truth)
        assert solved["grade"].outcome == "green"
        assert solved["grade"].strength.mutants == 0
        assert not solved.prompts("settle")


class TestHeldOutCases:
    """A promoted one is replaced, so that something is left to be told by."""

    @pytest.fixture
    def special(self):
        """What passes all that is shown, but not the case that is held out."""
        return lambda number: f"if points == {number}:\n        return 'lucky'\n    {FROM_50}"

    def test_a_promoted_one_is_replaced(self, known, grade, special):
        """By a call that the author settles after green, also where no mutant asks for one."""
        points = (10, 49, 50, 51, 90, 7)
        (case,) = [*grade(FROM_50, points=points).held_out][:1]
        function = grade(special(case["arguments"][0]), FROM_50, points=points)
        solved = known(function, truth)
        assert solved.solution.all_tests_passed
        assert solved.solution.promotions == 1
        before = len(function.held_out)
        assert len(solved["grade"].suite.held_out) >= before
        assert survivors(solved)


@pytest.mark.parametrize("answer", ["", "Well.", '{"answers": []}', '{"answers": [{"number": 1, "expect": "value"}]}'])
def test_a_nonsensical_author_costs_no_green(solver, grade, answer):
    """Nothing is added, and the strength says how weak the suite is."""
    also = [ScriptedAnswer(purpose="settle", variant="survivors", attempt=n, text=answer) for n in (1, 2)]
    solved = solver.solve(grade(FROM_50, also=also), settings={"trust": "standard"})
    assert solved["grade"].outcome == "green"
    assert not survivors(solved)
    assert solved["grade"].strength.score < 1


def test_an_author_who_errs_is_tried(known, grade, write):
    """The implementation fails the wrong new case alone: it goes on trial before the code is bent to it."""

    def wrong_at_50(points: int) -> str:
        return "fail" if points == 50 else truth(points)

    ruling = {"case": "grade_50", "verdict": "revised", "value": "'pass'", "quote": "'pass' from 50 points on"}
    also = [write.rules(ruling, sample=sample) for sample in (0, 1)]
    solved = known(grade(FROM_50, also=also), wrong_at_50)
    assert solved.solution.all_tests_passed
    assert len(solved["grade"].history) == 1
    (revision,) = solved.solution.revisions
    assert (revision.case, revision.action) == ("grade_50", "revised")
