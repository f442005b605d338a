"""A follow-up that changes one method of a class: that method's cases and code are asked for, all else stays."""

from __future__ import annotations

import json

import pytest

from tdgen.client import Handed
from tdgen.events import Noted
from tdgen.models.scripted import ScriptedAnswer
from tests.pipeline.test_classes import RIGHT, TILL

CHARGED = TILL.replace(
    "def take(self, cents: int) -> int: ...", 'def take(self, cents: int) -> int:\n        """A cent more."""'
)
CHARGES = RIGHT.replace("self._balance -= cents", "self._balance -= cents + 1")


@pytest.fixture
def cases(write):
    """Of the five two use the method that changes."""
    return [
        write.returns("till.balance", "7", name="starts", setup="till = Till(7)"),
        write.returns("till.pay_in(2)", "8", name="pays_in", setup="till = Till(1)\ntill.pay_in(5)"),
        write.returns(
            "till.pay_in(1)", "3", name="pays_in_more", setup="till = Till()\ntill.pay_in(1)\ntill.pay_in(1)"
        ),
        write.returns("till.take(3)", "4", name="takes", setup="till = Till()\ntill.pay_in(9)\ntill.take(2)"),
        write.raises("till.take(6)", "ValueError", name="refuses", setup="till = Till(5)"),
    ]


@pytest.fixture
def first(solver, write, cases):
    """The solution that is gone on from."""
    return solver.solve(write.klass(TILL, cases=cases, tries=[RIGHT], raises=["ValueError"])).solution


def test_one_method_s_sentence_is_one_method_s_work(solver, write, cases, first):
    """Its cases are asked for beside those that stay, and the developer mends the class that there is."""
    new = [write.returns("till.take(3)", "5", name="charges", setup="till = Till(9)")]
    more = ScriptedAnswer(purpose="cases", variant="more", text=json.dumps({"cases": new}))
    changed = write.klass(CHARGED, cases=cases, tries=[RIGHT, CHARGES], raises=["ValueError"], also=[more])
    solved = solver.solve(changed, text="Taking costs a cent.", handed=Handed(follow=first.key))
    assert solved["Till"].outcome == "green", solved["Till"].reason
    assert [(r.purpose, r.variant) for r in solved.model.asked] == [("plan", ""), ("cases", "more"), ("repair", "")]
    assert {case.name for case in solved["Till"].suite.cases} == {"starts", "pays_in", "pays_in_more", "charges"}
    assert "does not do what the contract now says of take" in solved.prompts("cases")[0]
    repair = solved.prompts("repair")[0]
    assert "the contract of take has changed since this was written" in repair
    assert "self._balance -= cents" in repair


def test_a_class_that_changed_as_a_whole_is_written_anew(solver, write, cases, first):
    """Where other attributes or bases are planned, or most of the methods, little would be left."""
    other = TILL.replace("class Till:", "class Till:\n    owner: str").replace(
        "    def __init__", "\n    def __init__", 1
    )
    changed = write.klass(other, cases=cases, mended_cases=[], tries=[RIGHT], raises=["ValueError"])
    solved = solver.solve(changed, text="It has an owner.", handed=Handed(follow=first.key))
    assert "implement" in {request.purpose for request in solved.model.asked}
    assert not any("has changed since this was written" in text for text in solved.prompts("repair"))


def test_a_class_that_is_not_touched_is_taken_over(solver, write, cases, first):
    """As a function is."""
    again = write.klass(TILL, cases=cases, tries=[RIGHT], raises=["ValueError"])
    double = write.function(
        "double(x: int) -> int",
        cases=[write.returns("double(2)", "4")],
        tries=["def double(x: int) -> int:\n    return 2 * x"],
    )
    solved = solver.solve(again, double, text="And double.", handed=Handed(follow=first.key))
    assert {r.subject for r in solved.model.asked if r.subject} == {"double"}


def test_a_kept_class_is_found_by_its_other_methods(solver, write, cases, first):
    """An instruction of its own, which follows none: the verified class is in the cache under what did not change."""
    new = [write.returns("till.take(3)", "5", name="charges", setup="till = Till(9)")]
    more = ScriptedAnswer(purpose="cases", variant="more", text=json.dumps({"cases": new}))
    changed = write.klass(CHARGED, cases=cases, tries=[RIGHT, CHARGES], raises=["ValueError"], also=[more])
    solved = solver.solve(changed, text="A till in which taking costs a cent.")
    assert solved["Till"].outcome == "green", solved["Till"].reason
    assert [(r.purpose, r.variant) for r in solved.model.asked] == [("plan", ""), ("cases", "more"), ("repair", "")]
    assert {case.name for case in solved["Till"].suite.cases} == {"starts", "pays_in", "pays_in_more", "charges"}
    assert first.key != solved.solution.key
    told = [event.text for event in solved.happened(Noted)]
    assert "Till was verified before but for take: all else of it is taken over and judged" in told


@pytest.mark.parametrize(
    ("changes", "settings"),
    [({}, {"fresh": True}), ({}, {"trust": "standard"}), ({"purpose": "A purse."}, {})],
    ids=["fresh", "another trust level", "another purpose"],
)
def test_a_kept_class_is_not_found_where_all_else_is_not_the_same(solver, write, cases, first, changes, settings):
    """Nor where nothing kept is wanted: it is written anew."""
    changed = write.klass(CHARGED, cases=cases, tries=[RIGHT], raises=["ValueError"], **changes)
    solved = solver.solve(changed, text="A till in which taking costs a cent.", settings=settings)
    assert ("cases", "more") not in {(r.purpose, r.variant) for r in solved.model.asked}
    assert "implement" in {request.purpose for request in solved.model.asked}
