"""What a class does wrong only after several calls is found by random sequences, and asked about by the shortest."""

from __future__ import annotations

import re

import pytest

from tdgen.build import second_reading
from tests.pipeline.test_classes import RIGHT, TILL

THIRD = RIGHT.replace(
    "self._balance += cents", "self._times = getattr(self, '_times', 0) + 1\n        self._balance += "
)
DOUBLES = THIRD + "\n"
DOUBLES = DOUBLES.replace("self._balance += \n", "self._balance += cents * (2 if self._times == 3 else 1)\n")
FAILS = THIRD.replace("self._balance += \n", "self._balance += {1: cents, 2: cents}[self._times]\n")


@pytest.fixture(autouse=True)
def no_second_reading():
    """The readings of these tests are asked for."""


@pytest.fixture(autouse=True)
def few_calls(monkeypatch):
    """The first calls of the search find what is looked for, as many on a busy machine."""
    monkeypatch.setattr(second_reading, "SLOW_AT_ONCE", second_reading.AT_ONCE)


@pytest.fixture
def till(write):
    """A suite in which nothing is paid in three times."""

    def written(code, **more):
        cases = [
            write.returns("till.balance", "7", name="starts", setup="till = Till(7)"),
            write.returns("till.pay_in(2)", "8", name="pays_in_twice", setup="till = Till(1)\ntill.pay_in(5)"),
            write.returns("till.take(3)", "4", name="takes", setup="till = Till()\ntill.pay_in(9)\ntill.take(2)"),
            write.raises("till.take(6)", "ValueError", name="refuses", setup="till = Till(5)"),
        ]
        return write.klass(TILL, cases=cases, raises=["ValueError"], tries=[code], **more)

    return written


def asked(solved):
    """The calls of the question, each with its setup as lines."""
    told = solved.prompts("settle")[0].rpartition("<calls>")[2]
    return [re.findall(r"till(?: =|\.)[^\n;`]*", one) for one in re.split(r"^\d+\. ", told, flags=re.MULTILINE)[1:]]


def test_a_reading_that_parts_after_three_calls_is_asked_about(solver, till):
    """No case comes there; the question has the three calls and nothing else that changes the till."""
    solved = solver.solve(till(DOUBLES), readings=[RIGHT], settings={"trust": "standard"})
    shortest = min(asked(solved), key=len)
    assert sum("pay_in" in line for line in shortest) == 3
    assert not any("take" in line for line in shortest)


def test_an_exception_that_no_contract_names_is_asked_about(solver, till):
    """It comes of the third call, in whatever sequence."""
    solved = solver.solve(till(FAILS), readings=[FAILS], settings={"trust": "standard"})
    found = [one for one in asked(solved) if sum("pay_in" in line for line in one) == 3]
    assert found


def test_state_that_instances_share_is_asked_about(solver, till):
    """Though no case has two objects: one is looked at while another is used."""
    solved = solver.solve(till(SHARES), readings=[SHARES], settings={"trust": "standard"})
    told = "\n".join(solved.prompts("settle"))
    assert "`till_before.balance`" in told


SHARES = (
    RIGHT.replace("    def __init__", "    _paid = 0\n\n    def __init__")
    .replace("self._balance = balance", "self._balance = balance\n        Till._paid = 0")
    .replace(
        "        self._balance += cents\n        return self._balance",
        "        Till._paid += cents\n        return self.balance",
    )
)
SHARES = SHARES.replace("return self._balance", "return self._balance + Till._paid").replace(
    "if cents > self._balance:", "if cents > self.balance:"
)
