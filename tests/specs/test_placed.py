"""Units in the user's file: laid where they stand, or stubs in their places."""

from __future__ import annotations

import pytest

from tdgen.errors import ReplyError
from tdgen.source.fragment import trusted_fragment
from tdgen.specs.placed import in_place, module_to_run, whole_module
from tdgen.types import Plan
from tests.stand_ins import PRICES, TARGET

PLAN = Plan(module="shop.pricing", functions=(), target=TARGET)


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


def test_the_text_around_is_what_units_stand_among():
    """Each unit is laid where it stands, and all else stays."""
    sources = {
        "total": "def total(items, rate=0):\n    return Money(1)\n",
        "Cart": "class Cart:\n    def add(self, item):\n        self.item = item\n",
    }
    module = whole_module(PLAN, {name: trusted_fragment(source) for name, source in sources.items()})
    assert module == PRICES.replace("    raise NotImplementedError\n", "    return Money(1)\n").replace(
        "        ...\n", "        self.item = item\n"
    )


def test_the_text_runs_before_units_are_written():
    """In place of shared types: what is to be written gives None while the module is imported, and raises after."""
    text = module_to_run(PLAN, {})
    assert text.startswith(PRICES.partition("def total")[0])
    assert text.endswith(PRICES.rpartition("...")[2])
    assert 'raise NotImplementedError("Cart.add is not written yet")' in text


def test_units_that_came_as_one_code_are_laid_apart():
    """As a second reading's do: each has its own place."""
    one = "def total(items, rate=0):\n    return Cart()\n\n\nclass Cart:\n    def add(self, item):\n        pass\n"
    module = whole_module(PLAN, {"total": trusted_fragment(one)})
    assert module == PRICES.replace("    raise NotImplementedError\n", "    return Cart()\n").replace(
        "        ...\n", "        pass\n"
    )


def test_each_unit_that_came_with_others_has_the_imports_that_it_needs():
    """They stand above all of them."""
    total = "import math\n\ndef total(items, rate=0):\n    return 1\n"
    one = total + "\nclass Cart:\n    def add(self, item):\n        math.pi\n"
    module = whole_module(PLAN, {"total": trusted_fragment(one)})
    assert module.count("import math\n") == 1
