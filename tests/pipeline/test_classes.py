"""A class from prose to a green module: planned, tested by sequences of calls, written as a whole, repaired."""

from __future__ import annotations

import pytest

from tdgen.errors import PlanError
from tdgen.events import Noted, RedSeen

TILL = '''
class Till:
    """A till with a balance in cents, never below 0."""

    def __init__(self, balance: int = 0) -> None: ...

    @property
    def balance(self) -> int: ...

    def pay_in(self, cents: int) -> int: ...

    def take(self, cents: int) -> int: ...
'''
RIGHT = '''
class Till:
    """A till with a balance in cents, never below 0."""

    def __init__(self, balance: int = 0) -> None:
        self._balance = balance

    @property
    def balance(self) -> int:
        """What is in it, in cents."""
        return self._balance

    def pay_in(self, cents: int) -> int:
        """Put `cents` in, and give the new balance."""
        self._balance += cents
        return self._balance

    def take(self, cents: int) -> int:
        """Take `cents` out, and give the new balance; ValueError where there are fewer."""
        if cents > self._balance:
            raise ValueError("not enough")
        self._balance -= cents
        return self._balance
'''
SHARED = RIGHT.replace("self._balance = balance", "type(self)._balance = balance").replace("self._balance", "Till._balance")
FORGETS = RIGHT.replace("self._balance -= cents", "pass")
EARLY = RIGHT.replace(
    '            raise ValueError("not enough")', '            self._balance = 0\n            raise ValueError("not enough")'
)


@pytest.fixture
def cases(write):
    """Six cases, of which three are sequences of three calls."""
    after = [{"expression": "till.balance", "value": "5"}]
    return [
        write.returns("till.balance", "7", name="starts_with_what_is_given", setup="till = Till(7)"),
        write.returns("Till().balance", "0", name="starts_empty"),
        write.returns("till.pay_in(2)", "8", name="pays_in_twice", setup="till = Till(1)\ntill.pay_in(5)"),
        write.returns("till.take(3)", "4", name="takes_after_paying", setup="till = Till()\ntill.pay_in(9)\ntill.take(2)"),
        write.raises(
            "till.take(6)", "ValueError", name="takes_too_much", setup="till = Till(5)", observe={"after": after}
        ),
        write.returns(
            "[one.balance, other.balance]",
            "[3, 9]",
            name="two_tills_share_nothing",
            setup="one = Till(1)\nother = Till(9)\none.pay_in(2)",
        ),
    ]


@pytest.fixture
def till(write, cases):
    def written(*tries, **more):
        return write.klass(TILL, tries=tries or [RIGHT], raises=["ValueError"], **({"cases": cases} | more))

    return written


@pytest.mark.parametrize("trust", ["quick", "standard", "strict"])
def test_a_class_becomes_a_green_module_with_tests(studio, till, trust):
    """At every trust level: what a level runs of functions either runs of classes, or is said not to."""
    solved = studio.solve(till(), settings={"trust": trust})
    assert solved["Till"].outcome == "green", solved["Till"].reason
    assert "class Till:" in solved.solution.module_source
    test = solved.solution.test_files["test_Till.py"]
    assert "from kit import Till" in test
    assert "till.take(3) == 4" in test
    assert {e.red for e in solved.happened(RedSeen)} == {6}
    assert ("no properties are written of classes: Till" in solved.solution.notes) == (trust == "strict")


@pytest.mark.parametrize("wrong", [FORGETS, SHARED, EARLY], ids=["forgets", "shared", "changes before it raises"])
def test_a_wrong_class_is_repaired_as_a_whole(studio, till, wrong):
    """The developer is shown the class, the case and what was seen of it."""
    solved = studio.solve(till(wrong, RIGHT))
    assert solved["Till"].outcome == "green"
    assert len(solved["Till"].history) == 2
    assert "one Python class" in solved.prompts("repair")[0]
