"""Instances that come back: told, judged, compared and rendered by what the plan declares public of them."""

from __future__ import annotations

import pytest

from tests.pipeline.test_classes import RIGHT, TILL

OPENED = """
def open_tills(count: int) -> list[Till]:
    return [Till(number) for number in range(count)]
"""
WRONG = OPENED.replace("Till(number)", "Till(number + 1)")
LYING = """
class _Till(Till):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0

    def __repr__(self):
        return "Till(1)"

def open_tills(count: int) -> list[Till]:
    return [_Till(7) for _ in range(count)]
"""


@pytest.fixture
def till(write):
    """A class that is green at once."""
    cases = [
        write.returns("till.balance", "7", name="starts", setup="till = Till(7)"),
        write.returns("till.pay_in(2)", "8", name="pays_in_twice", setup="till = Till(1)\ntill.pay_in(5)"),
        write.returns("till.take(3)", "4", name="takes", setup="till = Till()\ntill.pay_in(9)\ntill.take(2)"),
        write.raises("till.take(6)", "ValueError", name="refuses", setup="till = Till(5)"),
    ]
    return write.klass(TILL, cases=cases, tries=[RIGHT], raises=["ValueError"])


@pytest.fixture
def opened(write):
    """A function whose result holds instances of the class."""

    def written(*tries):
        return write.function(
            "open_tills(count: int) -> list[Till]",
            uses=["Till"],
            cases=[
                write.returns("open_tills(2)", "[Till(balance=0), Till(balance=1)]"),
                write.returns("open_tills(0)", "[]"),
                write.returns("open_tills(3)[-1]", "Till(balance=2)", name="the_last"),
            ],
            tries=tries,
        )

    return written


@pytest.mark.parametrize("trust", ["quick", "standard"])
def test_a_result_that_holds_instances_is_green_and_rendered(solver, till, opened, trust):
    """The expected instances are written by their public state; the pytest file reads attribute by attribute."""
    solved = solver.solve(till, opened(OPENED), settings={"trust": trust})
    assert solved["open_tills"].outcome == "green", solved["open_tills"].reason
    test = solved.solution.test_files["test_open_tills.py"]
    assert "shown = open_tills(2)\n" in test
    assert "assert len(shown) == 2\n    assert isinstance(shown[0], Till)\n    assert shown[0].balance == 0\n" in test
    assert "from kit import Till, open_tills" in test


def test_the_developer_is_told_what_the_instances_show(solver, till, opened):
    """A wrong one is seen as such, and said by its public state."""
    solved = solver.solve(till, opened(WRONG, OPENED))
    assert solved["open_tills"].outcome == "green"
    assert "at .balance: 3, expected 2" in solved.prompts("repair", "open_tills")[0]


def test_what_an_instance_says_of_its_equality_decides_nothing(solver, till, opened):
    """A subclass that equals everything is told by what is public of its planned base."""
    solved = solver.solve(till, opened(LYING, LYING), settings={"budget": "iterations=2"})
    assert solved["open_tills"].outcome == "red"
    failed = {verdict.case: verdict for verdict in solved["open_tills"].best.verdicts if not verdict.passed}
    assert failed.keys() == {"open_tills_2", "the_last"}
    assert failed["the_last"].actual == "returned Till(balance=7)"


def test_a_method_may_give_an_instance(solver, write):
    """Of its own class too; and what is expected afterwards may be one."""
    skeleton = '''
class Coin:
    """A coin of some cents."""

    def __init__(self, cents: int) -> None: ...

    @property
    def cents(self) -> int: ...

    def doubled(self) -> Coin: ...
'''
    code = skeleton.replace("None: ...", "None:\n        self._cents = cents")
    code = code.replace("int: ...", "int:\n        return self._cents").replace(
        "Coin: ...", "Coin:\n        return Coin(2 * self._cents)"
    )
    after = [{"expression": "coin", "value": "Coin(cents=5)"}]
    doubles = {"name": "doubles", "setup": "coin = Coin(5)", "observe": {"after": after}}
    cases = [
        write.returns("coin.doubled()", "Coin(cents=10)", **doubles),
        write.returns("Coin(3).doubled().doubled().cents", "12", name="twice"),
        write.returns("type(Coin(1).doubled())", "Coin", name="its_class"),
    ]
    solved = solver.solve(write.klass(skeleton, cases=cases, tries=[code]))
    assert solved["Coin"].outcome == "green", solved["Coin"].reason
    test = solved.solution.test_files["test_coin.py"]
    assert "assert isinstance(shown, Coin)\n    assert shown.cents == 10" in test
    assert "assert coin.cents == 5" in test


def test_what_is_no_public_state_goes_back_to_the_author(solver, till, write):
    """A constructor's call is no expected value: nothing of a class's code is where expected values are made."""
    wrong = write.returns("open_till()", "Till(start=3)", name="opens")
    right = write.returns("open_till()", "Till(balance=3)", name="opens")
    function = write.function(
        "open_till() -> Till",
        uses=["Till"],
        cases=[wrong, write.returns("open_till().balance", "3", name="reads")],
        mended_cases=[right],
        tries=["def open_till() -> Till:\n    return Till(3)"],
    )
    solved = solver.solve(till, function)
    assert solved["open_till"].outcome == "green"
    assert "is written by what is public of it, ('balance',): not 'start'" in solved.prompts("cases", "open_till")[1]
