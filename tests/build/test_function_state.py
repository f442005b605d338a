"""Charges are few: one of each caller against a function, two against it in all.

One function's state: which cases fail, which may be shown, and how a suite changes under it.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tdgen.build import DependencyFault, FaultReports
from tdgen.build.function_state import FunctionState, signature
from tdgen.judge import Expected
from tdgen.types import Attempt, Case, Correction, Difference, FunctionSpec, Returns, Suite, Value, Verdict


def test_a_caller_charges_a_function_once():
    """A second time it has to live with what came of it."""
    fault_reports = FaultReports()
    assert not fault_reports
    assert fault_reports.bring(DependencyFault("top", "base", ()))
    assert fault_reports
    assert not fault_reports.admits("top", "base")
    assert not fault_reports.bring(DependencyFault("top", "base", ()))
    assert fault_reports.admits("top", "other")


def test_a_function_is_charged_twice_at_most():
    """Whoever does it."""
    fault_reports = FaultReports()
    assert [fault_reports.bring(DependencyFault(name, "base", ())) for name in ("a", "b", "c")] == [True, True, False]
    assert not fault_reports.admits("d", "base")


SPEC = FunctionSpec(name="f", purpose="", returns=Returns(type="int"))


def case(name: str, argument: str = "1", **more) -> Case:
    return Case(name=name, function="f", arguments=(argument,), expectation=Value(source="2"), **more)


def attempt(number: int = 1, *failed: str, line: int = 0, source: str = "def f(): ...", **more) -> Attempt:
    verdicts = [
        Verdict(
            function="f",
            case=name,
            passed=name not in failed,
            status="returned",
            actual="returned 3" if name in failed else "returned 2",
            differences=(Difference(where="", expected="2", actual="3"),) if name in failed else (),
        )
        for name in ("long", "short", "pinned")
    ]
    return Attempt(function="f", number=number, source=source, line=line, verdicts=tuple(verdicts), **more)


@pytest.fixture
def state() -> FunctionState:
    """A suite of three, one of them pinned, one held out."""
    cases = (case("long", "1 + 1 + 1"), case("short"), case("pinned", "22", provenance="instruction"))
    suite = Suite(function="f", cases=cases, held_out=frozenset({"short"}))
    return FunctionState(SPEC, suite, {one.name: Expected(value=2) for one in cases})


class TestFailing:
    """What the best attempt fails."""

    def test_the_smallest_first(self, state):
        """It is the quickest to understand."""
        state = replace(state, best=attempt(1, "long", "short", "pinned"))
        assert [one.name for one in state.failing] == ["short", "pinned", "long"]

    def test_a_held_out_case_is_not_shown(self, state):
        """Whether it fails or not."""
        state = replace(state, best=attempt(1, "long", "short"))
        assert [one.name for one in state.failing_shown] == ["long"]

    def test_without_an_attempt_nothing_fails(self, state):
        """Nor is anything green."""
        assert not state.failing
        assert not state.green


class TestKnownObjections:
    """What is only objected to stands against an attempt unless its author was told before."""

    OBJECTED = "line 2: eval is not allowed: parse the text instead"

    def test_are_those_against_earlier_attempts(self, state):
        """The first knew nothing of it, whenever it is judged; those after it do."""
        first, second = attempt(1, findings=(self.OBJECTED,)), attempt(2, rung="repair")
        state = replace(state, history=(first, second))
        assert not state.known_objections(first)
        assert state.known_objections(second) == {"eval"}

    def test_are_none_to_a_rival(self, state):
        """A rival is written in ignorance of the others."""
        state = replace(state, history=(attempt(1, findings=(self.OBJECTED,)),))
        assert not state.known_objections(attempt(2, rung="rival"))

    def test_do_not_count_other_findings(self, state):
        """These stand whoever knows them."""
        state = replace(state, history=(attempt(1, findings=("line 2: importing socket is not allowed",)),))
        assert not state.known_objections(attempt(2, rung="repair"))


class TestLines:
    """Attempts that share no code."""

    def test_the_latest_of_another_line(self, state):
        """That has code at all."""
        history = (attempt(1), attempt(2, line=1), attempt(3, line=2), attempt(4, line=3, source=""))
        state = replace(state, history=history, best=history[0])
        assert state.of_another_line.number == 3

    def test_a_repair_is_of_the_same_line(self, state):
        """It agrees with what it was made from."""
        history = (attempt(1), attempt(2, rung="repair"))
        state = replace(state, history=history, best=history[0])
        assert state.of_another_line is None

    def test_what_a_model_was_asked_for(self, state):
        """One after the other: no edits, no rivals, nothing kept."""
        rungs = ("kept", "first", "mechanical", "rival", "repair", "trace", "fresh")
        state = replace(state, history=tuple(attempt(number, rung=rung) for number, rung in enumerate(rungs, 1)))
        assert [one.rung for one in state.written] == ["first", "repair", "trace", "fresh"]


class TestTheSuite:
    """Changes, and what it expects changes with it."""

    def test_a_case_that_is_dropped_leaves_nothing(self, state):
        """Neither held out nor expected."""
        state = state.with_changed({"short": None}, {})
        assert [one.name for one in state.suite.cases] == ["long", "pinned"]
        assert state.suite.held_out == frozenset()
        assert state.expected.keys() == {"long", "pinned"}

    def test_a_changed_case_stays_in_its_place(self, state):
        """Held out as it was."""
        state = state.with_changed({"short": case("short", "5")}, {"short": Expected(value=6)})
        assert [one.name for one in state.suite.cases] == ["long", "short", "pinned"]
        assert state.suite.held_out == {"short"}
        assert state.expected["short"].value == 6

    @pytest.mark.parametrize(("held_out", "names"), [(True, {"short", "new"}), (False, {"short"})])
    def test_new_cases_are_held_out_or_not(self, state, held_out, names):
        """As whoever adds them says."""
        state = state.with_cases([case("new", "7")], {"new": Expected(value=8)}, held_out=held_out)
        assert state.suite.held_out == names
        assert state.expected.keys() == {"long", "short", "pinned", "new"}

    def test_the_state_before_stays_as_it_was(self, state):
        """Whoever holds it can compare the two."""
        changed = state.with_changed({"short": None}, {}).with_cases([case("new")], {}, held_out=True)
        assert [one.name for one in state.suite.cases] == ["long", "short", "pinned"]
        assert [one.name for one in changed.suite.cases] == ["long", "pinned", "new"]

    def test_an_arbitration_is_counted_under_the_name_that_the_case_has_now(self, state):
        """So is what was said against it."""
        state = replace(
            state, arbitrated={"short": 1}, evidence_given=frozenset({("short", "it is 3"), ("long", "why?")})
        )
        now = state.with_arbitrated([case("short"), case("long")], {"short": case("brief")})
        assert now.arbitrated == {"brief": 2, "long": 1}
        assert now.evidence_given >= {("brief", "it is 3"), ("long", "why?")}

    def test_law_is_what_the_user_wrote(self, state):
        """And nothing else."""
        assert [one.name for one in state.pinned] == ["pinned"]


class TestSignature:
    """What an attempt fails in, and how."""

    def test_two_that_fail_alike(self):
        """Whatever their code is, and in whatever order they were judged."""
        assert signature(attempt(1, "long", "pinned")) == signature(attempt(2, "pinned", "long", source="def f(): 2"))

    @pytest.mark.parametrize(
        "other",
        [
            attempt(2, "long"),
            attempt(2, "long", "pinned", findings=("no",)),
            attempt(2, "long", "pinned", vetoes=("no",)),
        ],
        ids=["fewer cases", "a finding", "a veto"],
    )
    def test_two_that_do_not(self, other):
        """By the cases, what was read, or what pytest said."""
        assert signature(attempt(1, "long", "pinned")) != signature(other)

    def test_failing_otherwise_is_another_failure(self):
        """The same cases with other results."""
        one = attempt(1, "long")
        changed = [v.model_copy(update={"actual": "returned 4"}) if not v.passed else v for v in one.verdicts]
        assert signature(one) != signature(one.model_copy(update={"verdicts": tuple(changed)}))


def test_a_correction_of_its_contract_always_reaches_a_function():
    """No sentence is corrected twice, so there is no end to bound; it does not count as a fault."""
    fault_reports = FaultReports()
    corrections = (Correction(quote="it is 3", refuted="it is 2"),)
    for caller in ("a", "b", "c"):
        assert fault_reports.bring(DependencyFault(caller, "base", corrections=corrections))
    assert fault_reports
    assert fault_reports.admits("a", "base")
