"""A developer's answer as it will stand in the user's file."""

from __future__ import annotations

import pytest

from tdgen.errors import ReplyError
from tdgen.impl.in_place import code_there, written_lines
from tdgen.specs.placed import in_place
from tdgen.types import FunctionSpec, Plan, Returns, Target

SOURCE = '''"""Prices."""

from .money import Money


@cached
def total(items, rate=0):  # called by the till
    """What all items cost."""
    raise NotImplementedError


class Cart:
    """What somebody buys."""

    def __init__(self):
        self.items = []  # in order

    def add(self, item):
        """Take one in."""
        ...

    def count(self):
        return len(self.items)
'''
TARGET = Target(module="shop.pricing", path="shop/pricing.py", source=SOURCE, units={"total": (), "Cart": ("add",)})


def test_a_function_keeps_what_the_user_wrote_above_its_body():
    """Decorators, signature, comment and docstring; imports and helpers come along."""
    answer = '''import math

def _total_of(item):
    return item.price

def total(items: list, rate: float = 0.5) -> float:
    """Another docstring."""
    return math.fsum(map(_total_of, items))
'''
    placed = in_place(answer, "total", TARGET)
    assert placed.startswith("import math\n")
    assert '@cached\ndef total(items, rate=0):  # called by the till\n    """What all items cost."""\n' in placed
    assert placed.rstrip().endswith("    return math.fsum(map(_total_of, items))")
    assert "def _total_of(item):" in placed
    assert "Another docstring" not in placed


def test_of_a_class_only_what_was_asked_for_changes():
    """And private helpers of it; the other methods stay as they are, also where the answer has them."""
    answer = """class Cart:
    def add(self, item):
        self._check(item)
        self.items.append(item)

    def _check(self, item):
        if not item:
            raise ValueError("no item")

    def count(self):
        return 0
"""
    placed = in_place(answer, "Cart", TARGET)
    assert '        """Take one in."""\n        self._check(item)\n' in placed
    assert "        self.items = []  # in order\n" in placed
    assert "        return len(self.items)\n" in placed
    assert "return 0" not in placed
    assert "def _check(self, item):" in placed


@pytest.mark.parametrize(
    ("name", "answer", "reason"),
    [
        ("total", "class total: ...\n", "'total' is a function in shop/pricing.py"),
        ("Cart", "def Cart(): ...\n", "'Cart' is a class in shop/pricing.py"),
        ("Cart", "class Cart:\n    def put(self): ...\n", "the code does not define Cart.add"),
        ("total", "def total(items):\n    return 0\n", "the parameters of total are items, rate in shop/pricing.py"),
        ("Cart", "class Cart:\n    def add(self): ...\n", "the parameters of Cart.add are self, item"),
    ],
)
def test_what_does_not_fit_the_place_is_told(name, answer, reason):
    """For the developer to mend it."""
    with pytest.raises(ReplyError, match=reason.replace(".", r"\.")):
        in_place(answer, name, TARGET)


def test_who_writes_code_sees_what_stands_there():
    """The unit alone, and what the target has of code beside it; nothing of a new module."""
    spec = FunctionSpec(name="total", purpose="-", returns=Returns(type="int"))
    plan = Plan(module="shop.pricing", functions=(spec,), target=TARGET.model_copy(update={"code": "def _near(): ..."}))
    told = code_there(plan, ["total"])
    assert "<stands_there>\n@cached\ndef total(items, rate=0):  # called by the till\n" in told
    assert "class Cart" not in told
    assert "<code_beside_it>\ndef _near(): ...\n" in told
    assert code_there(plan.model_copy(update={"target": None}), ["total"]) == ""


def test_a_long_docstring_is_not_shown_twice():
    """The instruction has it; other methods keep theirs."""
    first = 'def f(self):\n        """One.\n\n        Two.\n        """\n'
    source = f'class A:\n    {first}\n    def g(self):\n        """A\n        b"""\n'
    target = Target(module="a", path="a.py", source=source, units={"A": ("f",)})
    told = code_there(Plan(module="a", functions=(), target=target), ["A"])
    assert 'def f(self):\n        """…"""\n' in told
    assert 'def g(self):\n        """A\n        b"""\n' in told


def test_of_a_class_only_what_was_written_is_tried_by_mutants():
    """What the user had is not what the suite is for; a new private helper is."""
    answer = (
        "class Cart:\n    def add(self, item):\n        self._put(item)\n\n    def _put(self, item):\n        pass\n"
    )
    placed = in_place(answer, "Cart", TARGET)
    plan = Plan(module="shop.pricing", functions=(), target=TARGET)
    lines = placed.splitlines()
    told = ["\n".join(lines[part.start - 1 : part.stop - 1]) for part in written_lines(placed, plan, "Cart")]
    assert [text.splitlines()[-1].strip() for text in told] == ["self._put(item)", "pass"]
    assert written_lines(placed, plan, "total") == ()
