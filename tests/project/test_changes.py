"""A contract of a project's function that changes: what a plan may change, and the head laid in anew."""

import pytest

from tdgen.project.changes import change_problems, with_change
from tdgen.specs.reply import PlanReply
from tdgen.types import Plan, Target

MODULE = '''"""Prices."""

RATE = 20


def gross(cents: int, rate=RATE) -> int:
    """The price with tax."""
    return cents * (100 + rate) // 100


class Basket:
    """A basket."""

    def total(self, *, count: bool = False) -> int:
        """The sum."""
        return 1
'''
GROSS = {
    "name": "gross",
    "purpose": "The price with tax.",
    "parameters": [{"name": "cents", "type": "int"}, {"name": "rate", "type": "int", "default": "RATE"}],
    "returns": "int",
}
CENTS = {"name": "cents", "type": "int", "default": "0"}
TOTAL = {"signature": "total(self, *, count: bool = False) -> int", "purpose": "The sum."}


def plan(unit="gross", functions=(), methods=()) -> Plan:
    """A plan of what changes in a module."""
    classes = [{"name": "Basket", "purpose": "It.", "methods": methods}] if methods else []
    reply = PlanReply.model_validate({"module": "x", "functions": functions, "classes": classes})
    target = Target(
        module="shop.prices", path="shop/prices.py", source=MODULE, changed=unit,
        elsewhere={"Line": "shop.orders.Line"}, code="def helper(): ...\n",
    )  # fmt: skip
    return reply.plan("Do it.").model_copy(update={"target": target, "module": "shop.prices"})


def after(made: Plan) -> Target:
    """The target then."""
    target = with_change(made).target
    assert target
    assert not target.is_open
    return target


def test_a_function_is_left_open_and_its_code_is_the_developers_to_see():
    """A plan that says what stands there changes nothing else."""
    target = after(plan(functions=[GROSS]))
    body = "    return cents * (100 + rate) // 100\n"
    assert target.source == MODULE.replace(body, "    raise NotImplementedError\n")
    assert target.units == {"gross": ()}
    assert f'    """The price with tax."""\n{body}\ndef helper(): ...\n' in target.code
    long = MODULE.replace("The price with tax.", "The price.\n\n    With tax.\n    ")
    made = plan(functions=[GROSS])
    made = made.model_copy(update={"target": made.target.model_copy(update={"source": long})})
    assert f'    """…"""\n{body}\n' in after(made).code  # the contract says the docstring anew


def test_a_method_is_left_open_in_its_class():
    """By its new docstring."""
    target = after(plan("Basket.total", methods=[TOTAL | {"purpose": "The sum.\n\nOf all."}]))
    assert '        """The sum.\n\n        Of all.\n        """\n        raise NotImplementedError\n' in target.source
    assert target.units == {"Basket": ("total",)}


def test_a_new_signature_keeps_the_annotations_of_before():
    """Those that are new are the plan's, with what they need to be imported."""
    parameters = [*GROSS["parameters"], {"name": "line", "type": "Line | None", "default": "None"}]
    source = after(plan(functions=[GROSS | {"parameters": parameters}])).source
    assert "def gross(cents: int, rate=RATE, line: Line | None = None) -> int:\n" in source
    assert source.startswith('"""Prices."""\n\nfrom shop.orders import Line\n\nRATE = 20\n')


def test_a_new_signature_keeps_the_quotes_of_before():
    """A module may have its own."""
    parameters = [
        {"name": "noun", "type": "str", "default": "'item'"},
        {"name": "zero", "type": "str", "default": "'No'"},
    ]
    made = plan("counted", functions=[GROSS | {"name": "counted", "parameters": parameters, "returns": "str"}])
    source = 'def counted(noun=\'item\') -> \'str\':\n    """Counted."""\n    return noun\n'
    made = made.model_copy(update={"target": made.target.model_copy(update={"source": source})})
    assert after(made).source.startswith("def counted(noun='item', zero: str = \"No\") -> 'str':\n")


def test_of_a_class_the_methods_that_change_are_left_open():
    """By their docstrings and its own; the rest of it is shown, and its code may change, where these need it."""
    methods = [TOTAL | {"purpose": "The sum, in cents."}]
    made = plan("Basket", methods=methods)
    target = made.target.model_copy(update={"public": {"shop.prices.Basket": ("prices",)}})
    made = made.model_copy(update={"target": target})
    assert list(change_problems(made, "In cents.")) == []
    target = after(made)
    assert target.units == {"Basket": ("total",)}
    assert (target.rewritable, target.laid_methods) == (("Basket",), {})
    assert '    """It."""\n' in target.source
    assert '        """The sum, in cents."""\n        raise NotImplementedError\n' in target.source
    assert target.code.startswith("# of Basket as they were; ")
    assert '        """The sum."""\n        return 1\n' in target.code
    assert '"""The sum, in cents."""\n        ...\n\n    # its public attributes: prices' in target.context


def test_what_the_prose_asks_for_may_change():
    """Parameters by their names or the words of these, defaults by what they are."""
    line = {"name": "order_line", "type": "str", "default": "''"}
    made = plan(functions=[GROSS | {"parameters": [*GROSS["parameters"], line]}])
    assert list(change_problems(made, "It takes an order's line.")) == []
    fewer = plan(functions=[GROSS | {"parameters": GROSS["parameters"][:1]}])
    assert list(change_problems(fewer, "Without a rate.")) == []
    other = [GROSS["parameters"][0], {"name": "rate", "type": "int", "default": "7"}]
    assert list(change_problems(plan(functions=[GROSS | {"parameters": other}]), "It is 7 percent.")) == []


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (plan(functions=[GROSS | {"parameters": GROSS["parameters"][:1]}]), "asks for no other 'rate': plan these"),
        (plan(functions=[GROSS | {"parameters": [GROSS["parameters"][1], CENTS]}]), "in this order"),
        (plan(functions=[GROSS | {"name": "net"}]), "plan 'gross' of shop/prices.py, and that alone"),
        (plan(functions=[GROSS, GROSS | {"name": "net"}]), "plan 'gross' of shop/prices.py, and that alone"),
        (plan("Basket", methods=[TOTAL | {"signature": "x(self)"}]), "'Basket.x' is no method that shop/prices.py has"),
        (plan("Basket", functions=[GROSS]), "plan 'Basket' of shop/prices.py, and that alone"),
        (plan("Basket.total", functions=[GROSS]), "plan 'Basket.total' of shop/prices.py, and that alone"),
        (plan("Basket.total", methods=[TOTAL, TOTAL | {"signature": "x(self)"}]), "plan 'Basket.total'"),
        (plan("Basket.total", methods=[TOTAL | {"signature": "total(self) -> int"}]), "asks for no other 'count'"),
    ],
)
def test_what_nobody_asked_for_goes_back(made, told):
    """In words for the planner."""
    assert any(told in problem for problem in change_problems(made, "Halves are rounded up."))


def test_a_docstring_keeps_the_lines_that_do_not_change():
    """Where it has some; a short one may be said anew."""
    lines = ["The price with tax.", "", "It is told in cents.", "It is never rounded.", "It is public."]
    made = plan(functions=[GROSS | {"purpose": "What it costs.\n\nIn cents.\nNot rounded.\nIt is public."}])
    source = MODULE.replace('The price with tax."""', "\n    ".join([*lines, '"""']))
    longer = made.model_copy(update={"target": made.target.model_copy(update={"source": source})})
    assert ["keep each line that the instruction" in one for one in change_problems(longer, "Do.")] == [True]
    assert list(change_problems(made, "Do.")) == []


def test_another_target_is_none_of_this():
    """And stays."""
    made = plan(functions=[GROSS])
    bare = made.model_copy(update={"target": None})
    assert (with_change(bare), list(change_problems(bare, ""))) == (bare, [])
