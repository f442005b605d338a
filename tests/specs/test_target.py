"""Plans for a module of an existing project."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from tdgen.errors import PlanError
from tdgen.protocols import Answer
from tdgen.specs.planner import Rules, make_plan
from tdgen.specs.problems import plan_problems
from tdgen.types import (
    ClassInterface,
    Example,
    FunctionSpec,
    Instruction,
    Method,
    Parameter,
    Plan,
    Raises,
    Returns,
    SharedType,
    Target,
    Usage,
)

SOURCE = '''"""Prices."""

from .money import Money, Unpaid


def total(items, rate=0):
    """What all items cost."""
    raise NotImplementedError


class Cart:
    def add(self, item):
        """Take one in."""
        ...

    def count(self):
        return 2


EMPTY = Cart()
'''
TARGET = Target(
    module="shop.pricing",
    path="src/shop/pricing.py",
    source=SOURCE,
    units={"total": (), "Cart": ("add",)},
    context="class Money: ...",
)
TOTAL = FunctionSpec(
    name="total",
    purpose="Adds up.",
    parameters=(Parameter(name="items", type="list[Money]"), Parameter(name="rate", type="float", default="0")),
    returns=Returns(type="Money"),
    raises=(Raises(type="Unpaid", when="one is not paid"),),
)
CART = FunctionSpec(
    name="Cart",
    purpose="A cart.",
    returns=Returns(type="Cart"),
    interface=ClassInterface(methods=(Method(signature="def add(self, item: Money) -> None", purpose="-"),)),
)
PLAN = Plan(module="shop.pricing", functions=(TOTAL, CART), target=TARGET)


def problems(plan: Plan) -> list[str]:
    return plan_problems(plan, "", max_functions=9, packages=frozenset())


def test_what_the_module_has_is_known_to_the_contracts():
    """Its types and exceptions, those that it imports from elsewhere too."""
    assert problems(PLAN) == []


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (PLAN.model_copy(update={"functions": (TOTAL,)}), "'Cart' of src/shop/pricing.py is not planned"),
        (
            PLAN.model_copy(update={"functions": (TOTAL, CART, TOTAL.model_copy(update={"name": "more"}))}),
            "more: planned beside what is to be written in src/shop/pricing.py",
        ),
        (
            PLAN.model_copy(update={"types": (SharedType(name="Line", kind="dataclass"),)}),
            "Line: planned beside what is to be written",
        ),
        (
            PLAN.model_copy(update={"functions": (TOTAL.model_copy(update={"parameters": ()}), CART)}),
            "function 'total': its parameters in src/shop/pricing.py are items, rate",
        ),
        (
            PLAN.model_copy(update={"functions": (TOTAL, CART.model_copy(update={"interface": None}))}),
            "'Cart' is a class in src/shop/pricing.py: plan it as one of `classes`, with add alone",
        ),
    ],
)
def test_a_plan_has_what_is_to_be_written_and_nothing_beside(plan, told):
    """The file decides on names, parameters and methods."""
    assert any(told in problem for problem in problems(plan))


def told_to_the_planner(target: Target) -> str:
    """What the planner is asked about stubs in a module."""
    asked = []

    def ask(request):
        asked.append(request)
        return Answer(text='{"module": "x", "functions": []}', usage=Usage())

    instruction = Instruction(text="Fill it.", normalised="Fill it.", target=target)
    with pytest.raises(PlanError, match=r"'total' of src/shop/pricing\.py is not planned"):
        make_plan(SimpleNamespace(ask=ask), instruction, Rules(frozenset(), 9))
    return "\n".join(message.content for message in asked[0].messages)


def test_the_planner_is_told_of_the_place():
    """What is to be written there, and what there is."""
    told = told_to_the_planner(TARGET)
    assert "`src/shop/pricing.py`" in told
    assert "Plan exactly `total`, `Cart`" in told
    assert "Of the class `Cart` plan the methods `add` alone" in told
    assert "class Money: ..." in told
    assert not TARGET.planned_beside


def test_the_planner_sees_the_code_beside_stubs_and_of_their_classes():
    """What other functions do with such an argument is no matter of code that is guarded."""
    siblings = "# of the class Cart:\n\ndef count(self):\n    return 2"
    beside = TARGET.model_copy(
        update={"code": "# count begins:\nif items is None:\n    return 0", "siblings": siblings}
    )
    told = told_to_the_planner(beside)
    assert "if items is None:" in told
    assert siblings in told
    guarded = beside.model_copy(update={"existing": {"total": "def total(items, rate=0): return 1"}})
    assert "if items is None:" not in (told := told_to_the_planner(guarded))
    assert "return 2" not in told


@pytest.mark.parametrize(("told", "named"), [("shop.money.Unpaid", "Unpaid"), ("shop.other.Unpaid", None)])
def test_an_exception_that_is_named_in_full_is_the_one_that_the_module_has(told, named):
    """As docs name it; one of another module is asked about."""
    asked = []

    def ask(request):
        asked.append(request)
        return Answer(text=json.dumps(reply), usage=Usage())

    parameters = [{"name": "items", "type": "int"}, {"name": "rate", "type": "float", "default": "0"}]
    raises = [{"type": told, "when": "one is not paid"}]
    total = {"name": "total", "purpose": "Adds.", "parameters": parameters, "returns": "int", "raises": raises}
    reply = {"module": "x", "functions": [total]}
    target = TARGET.model_copy(update={"units": {"total": ()}})
    instruction = Instruction(text="Fill it.", normalised="Fill it.", target=target)
    if named is None:
        with pytest.raises(PlanError, match="no exception of Python's"):
            make_plan(SimpleNamespace(ask=ask), instruction, Rules(frozenset(), 9))
        return
    made = make_plan(SimpleNamespace(ask=ask), instruction, Rules(frozenset(), 9))
    assert ([one.type for one in made.functions[0].raises], len(asked)) == ([named], 1)


def test_an_example_of_a_class_is_one_of_the_methods_that_are_to_be_written():
    """However its object was made: a class's docstring shows all of its methods, most of which are there."""
    words = ">>> cart_of(2).add(3) gives 3 and >>> Cart().count() gives 2"

    def ask(request):
        return Answer(text=json.dumps(reply), usage=Usage())

    examples = [
        {"function": "Cart", "quote": "cart_of(2).add(3) gives 3", "call": "cart_of(2).add(3)", "value": "3"},
        {"function": "Cart", "quote": "Cart().count() gives 2", "call": "Cart().count()", "value": "2"},
    ]
    methods = [{"signature": "add(self, item: int) -> int", "kind": "instance", "purpose": "Takes one in."}]
    cart = {"name": "Cart", "purpose": "Holds items.", "methods": methods}
    reply = {"module": "x", "functions": [], "classes": [cart], "examples": examples}
    target = TARGET.model_copy(update={"units": {"Cart": ("add",)}})
    instruction = Instruction(text=words, normalised=words, target=target)
    made = make_plan(SimpleNamespace(ask=ask), instruction, Rules(frozenset(), 9))
    assert [example.call for example in made.examples] == ["cart_of(2).add(3)"]


def test_an_example_of_an_operator_need_not_name_its_class():
    """A function of the project makes the objects, and the operator calls the method that is to be written."""
    words = "count(cart_of(1) + cart_of(2)) is 3"
    target = TARGET.model_copy(update={"units": {"Cart": ("__add__",)}})
    add = Method(signature="def __add__(self, other: Cart) -> Cart", purpose="-")
    cart = CART.model_copy(update={"interface": ClassInterface(methods=(add,))})
    example = Example(function="Cart", quote=words, call="count(cart_of(1) + cart_of(2))", value="3")
    plan = PLAN.model_copy(update={"functions": (cart,), "target": target, "examples": (example,)})
    problems = plan_problems(plan, words, max_functions=9, packages=frozenset())
    assert [problem for problem in problems if "does not call" in problem] == []


def test_the_key_of_an_instruction_has_its_place():
    """The same words for another file, or for the file as it is now, are another instruction."""
    bare = Instruction(text="Fill it.", normalised="Fill it.")
    there = bare.model_copy(update={"target": TARGET})
    changed = bare.model_copy(update={"target": TARGET.model_copy(update={"source": SOURCE + "\n"})})
    assert len({one.key({}) for one in (bare, there, changed)}) == 3


def test_instances_of_a_class_that_is_filled_are_told_by_what_the_project_has_of_it():
    """A plan has only the methods that are to be written; a case may expect `Cart(items=[])` all the same."""
    public = {"shop.pricing.Cart": ("items", "rate"), "shop.money.Money": ("cents",)}
    made = PLAN.model_copy(update={"target": TARGET.model_copy(update={"public": public})})
    assert made.public_state == {**public, "Cart": ("items", "rate")}
