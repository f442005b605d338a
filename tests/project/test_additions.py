"""What a plan adds to a module: checked to be new there, and laid in as stubs."""

import pytest

from tdgen.project.additions import addition_problems, with_stubs
from tdgen.specs.reply import PlanReply
from tdgen.types import Plan, Target

MODULE = '''"""Prices."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shop.orders import Order

RATE = 20


def gross(order: "Order") -> int:
    """The gross price."""
    return 1


class Basket:
    """A basket."""

    def __init__(self) -> None:
        self.order = None

    def total(self) -> int:
        return 1
'''
NET = {
    "name": "net",
    "purpose": "The net price.",
    "parameters": [{"name": "order", "type": "Order"}, {"name": "rate", "type": "int", "default": "RATE"}],
    "returns": "int",
}
HALF = {"signature": "half(self) -> int", "purpose": "Half of it."}


def plan(*functions, added_to="", source=MODULE, classes=(), types=(), **more) -> Plan:
    """A plan of what is added to a module."""
    reply = {"module": "x", "functions": functions, "classes": classes, "types": types}
    target = Target(
        module="shop.prices", path="shop/prices.py", source=source, added_to=added_to,
        elsewhere={"Line": "shop.orders.Line"},
    )  # fmt: skip
    return PlanReply.model_validate(reply).plan("Do it.").model_copy(update={"target": target, "module": "shop.prices"})


def problems(made: Plan) -> list[str]:
    """What is wrong with it."""
    return list(addition_problems(made))


def laid(made: Plan) -> str:
    """What the module has behind what it had."""
    target = with_stubs(made).target
    assert target
    assert target.added_to is None
    return target.source.removeprefix(target.source[: len(MODULE)] if target.source.startswith(MODULE) else "")


def test_a_function_becomes_a_stub_with_the_planned_signature_and_purpose():
    """A unit like those that are left open; what only type checkers see is named in quotes."""
    made = plan(NET)
    assert problems(made) == []
    head = 'def net(order: "Order", rate: int = RATE) -> int:'
    assert laid(made) == f'\n\n{head}\n    """The net price."""\n    raise NotImplementedError\n'
    assert with_stubs(made).target.units == {"net": ()}


def test_a_plan_whose_units_are_there_stays():
    """And so does one without a target."""
    made = with_stubs(plan(NET))
    assert with_stubs(made) is made
    bare = made.model_copy(update={"target": None})
    assert with_stubs(bare) is bare


def test_names_that_the_module_lacks_are_imported():
    """The project's and the standard library's."""
    function = NET | {"parameters": [{"name": "lines", "type": "Sequence[Line]"}]}
    text = with_stubs(plan(function)).target.source
    assert (
        "from collections.abc import Sequence\nfrom typing import TYPE_CHECKING\n\nfrom shop.orders import Line\n"
        in text
    )


def test_annotations_that_are_not_evaluated_need_no_quotes():
    """By the module's own word."""
    source = MODULE.replace('"""Prices."""', '"""Prices."""\nfrom __future__ import annotations')
    assert "def net(order: Order, rate" in laid(plan(NET, source=source))


def test_a_module_without_annotations_gets_none():
    """Its style is kept; the contract has the types."""
    source = "def gross(order):\n    return 1\n"
    assert "def net(order, rate=RATE):\n" in with_stubs(plan(NET, source=source)).target.source


def test_a_long_signature_has_a_parameter_a_line():
    """As formatters write it."""
    long = [{"name": name * 12, "type": "dict[str, int]"} for name in "abcd"]
    text = laid(plan(NET | {"parameters": long}))
    assert f"def net(\n    {'a' * 12}: dict[str, int],\n" in text
    assert text.endswith('\n) -> int:\n    """The net price."""\n    raise NotImplementedError\n')


def test_a_class_has_all_its_methods_left_open():
    """Bases stand above what is made of them, data has its fields, and exceptions are told."""
    shelf = {
        "name": "Shelf", "purpose": "A shelf.", "bases": ["Board"], "attributes": [{"name": "size", "type": "int"}],
        "methods": [
            {"signature": "__init__(self, size: int)", "purpose": "An empty one."},
            {"signature": "room(self) -> int", "kind": "property", "purpose": "What is left.",
             "raises": [{"type": "FullError", "when": "nothing is left."}]},
        ],
    }  # fmt: skip
    board = {
        "name": "Board", "purpose": "", "decorators": ["dataclass"], "methods": [HALF],
        "attributes": [{"name": "tags", "type": "list[str]", "default": "[]"}],
    }  # fmt: skip
    full = {"name": "FullError", "kind": "exception", "base": "ValueError", "description": "No room."}
    made = plan(classes=[shelf, board], types=[full])
    assert problems(made) == []
    target = with_stubs(made).target
    assert target.units == {"Shelf": ("__init__", "room"), "Board": ("half",)}
    assert "from dataclasses import dataclass, field\n" in target.source
    assert target.source.endswith('''

class FullError(ValueError):
    """No room."""


@dataclass
class Board:
    tags: list[str] = field(default_factory=lambda: [])

    def half(self) -> int:
        """Half of it."""
        raise NotImplementedError


class Shelf(Board):
    """A shelf."""

    def __init__(self, size: int) -> None:
        """An empty one."""
        raise NotImplementedError

    @property
    def room(self) -> int:
        """What is left.

        Raises FullError: nothing is left.
        """
        raise NotImplementedError
''')


def test_a_class_without_methods_is_left_open_as_a_whole():
    """Else nothing of it could fail before it is written."""
    pair = {
        "name": "Pair",
        "purpose": "Two.",
        "decorators": ["dataclass"],
        "attributes": [{"name": "n", "type": "int"}],
    }
    made = plan(classes=[pair | {"methods": []}])
    assert laid(made) == '\n\nclass Pair:\n    """Two."""\n    ...\n'
    assert with_stubs(made).target.units == {"Pair": ()}


def test_types_that_only_hold_data_are_there_from_then_on():
    """Prompts see them, and nobody writes them."""
    made = plan(NET, types=[{"name": "Pair", "kind": "named_tuple", "fields": [{"name": "one", "type": "int"}]}])
    after = with_stubs(made)
    assert after.declared_types == ()
    assert [one.name for one in after.target.types] == ["Pair"]
    assert "# new in module shop.prices\n\nclass Pair(NamedTuple):" in after.target.context


def test_a_module_that_is_made_says_what_it_is():
    """By the plan's summary."""
    made = plan(NET, source="").model_copy(update={"summary": "Prices of orders."})
    head = '"""Prices of orders."""\n\n\ndef net(order: Order, rate: int = RATE) -> int:\n'
    assert with_stubs(made).target.source.startswith(head)


def test_methods_go_into_their_class():
    """Which keeps all that it has."""
    made = plan(added_to="Basket", classes=[{"name": "Basket", "purpose": "It.", "methods": [HALF]}])
    assert problems(made) == []
    assert laid(made) == '\n    def half(self) -> int:\n        """Half of it."""\n        raise NotImplementedError\n'
    assert with_stubs(made).target.units == {"Basket": ("half",)}


TOTAL = {"signature": "total(self) -> int", "purpose": "x"}
ORDER = {"signature": "order(self) -> int", "kind": "property", "purpose": "x"}


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (plan(NET | {"name": "gross"}), "'gross' is in shop/prices.py already, and stays as it is"),
        (plan(NET | {"name": "Order"}), "'Order' is in shop/prices.py already"),
        (plan(NET, classes=[{"name": "Basket", "purpose": "x", "methods": [HALF]}]), "'Basket' is in shop/prices.py"),
        (plan(NET, types=[{"name": "RATE", "kind": "enum"}]), "'RATE' is in shop/prices.py"),
        (plan(NET, types=[{"name": "T", "kind": "type_var"}]), "'T': plan no type variable here"),
        (plan(NET, added_to="Basket"), "net: planned beside the new methods of Basket; plan these alone"),
        (plan(NET, added_to="Basket"), "plan 'Basket' as one of `classes`, with its new methods"),
        (
            plan(added_to="Basket", classes=[{"name": "Basket", "purpose": "", "methods": [TOTAL]}]),
            "Basket has 'total'",
        ),
        (
            plan(added_to="Basket", classes=[{"name": "Basket", "purpose": "", "methods": [ORDER]}]),
            "Basket has 'order'",
        ),
    ],
)
def test_what_is_there_already_or_belongs_elsewhere_goes_back(made, told):
    """In words for the planner."""
    assert any(told in problem for problem in problems(made))
