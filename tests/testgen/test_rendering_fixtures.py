"""Tests of a class that begin with the same object have it from a fixture."""

from __future__ import annotations

import pytest

from tdgen.specs.interfaces import class_spec
from tdgen.testgen.rendering import node_ids, render_suite
from tdgen.types import After, Case, ClassInterface, Method, Plan, Suite, Value

INTERFACE = ClassInterface(
    methods=(
        Method(signature="def __init__(self, balance: int) -> None"),
        Method(signature="def pay(self, cents: int) -> int"),
        Method(signature="def balance(self) -> int", kind="property"),
    )
)
SPEC = class_spec("Till", INTERFACE)
PLAN = Plan(module="kit", functions=(SPEC,))


def case(name, setup, call="till.pay(3)", **more):
    return Case(name=name, function="Till", setup=setup, call=call, expectation=Value(source="8"), **more)


def rendered(*cases):
    return render_suite(Suite(function="Till", cases=cases), SPEC, PLAN)


ALIKE = (
    case("one", "till = Till(5)", after=(After(expression="till.balance", source="8"),)),
    case("two", "till = Till(5)\ntill.pay(1)"),
    case("three", "till = Till(5)\nother = Till(5)\nother.pay(2)"),
    case("another", "till = Till(6)"),
)


def test_the_file_reads_as_an_engineer_writes_it():
    """Tests that begin otherwise make their own object."""
    assert (
        rendered(*ALIKE)
        == '''"""Tests of Till."""

import pytest

from kit import Till


@pytest.fixture
def till() -> Till:
    return Till(5)


def test_till_one(till: Till) -> None:
    assert till.pay(3) == 8

    assert till.balance == 8


def test_till_two(till: Till) -> None:
    till.pay(1)

    assert till.pay(3) == 8


def test_till_three(till: Till) -> None:
    other = Till(5)
    other.pay(2)

    assert till.pay(3) == 8


def test_till_another() -> None:
    till = Till(6)

    assert till.pay(3) == 8
'''
    )


def test_its_tests_are_found_by_the_same_names():
    ids = node_ids(Suite(function="Till", cases=ALIKE), SPEC, PLAN)
    assert ids["two"] == "test_till.py::test_till_two"


OTHERWISE = {
    "two tests": ALIKE[:2],
    "what it is made of is not there": [case(f"c{n}", "limit = 5\ntill = Till(limit)") for n in range(3)],
    "what it prints is observed": [case(f"c{n}", "till = Till(5)", stdout="") for n in range(3)],
    "a name of pytest's": [case(f"c{n}", "request = Till(5)", "request.pay(3)") for n in range(3)],
    "a module's name": [case(f"c{n}", "kit = Till(5)", "kit.pay(3)") for n in range(3)],
    "another class": [case(f"c{n}", "till = list()", "Till(5).pay(3)") for n in range(3)],
}


@pytest.mark.parametrize("cases", OTHERWISE.values(), ids=OTHERWISE)
def test_else_there_is_none(cases):
    assert "@pytest.fixture" not in rendered(*cases)
