"""Type variables are declared by tdgen where a signature names them.

Shared types as source: each kind as a person would declare it.
"""

from __future__ import annotations

import ast

import pytest

from tdgen.specs.declarations import (
    declare_types,
    message_problem,
    types_named,
    with_type_variables,
)
from tdgen.specs.problems import plan_problems
from tdgen.types import Field, FunctionSpec, Parameter, Plan, Returns, SharedType


def plan(annotation: str, returns: str, *types: SharedType) -> Plan:
    spec = FunctionSpec(
        name="f", purpose="-", parameters=(Parameter(name="x", type=annotation),), returns=Returns(type=returns)
    )
    return with_type_variables(Plan(module="m", functions=(spec,), types=types))


@pytest.mark.parametrize(
    ("annotation", "returns", "kinds"),
    [
        ("list[T]", "T", {"T": "type_var"}),
        ("dict[K, list[V]]", "list[tuple[V, K]]", {"K": "type_var", "V": "type_var"}),
        ("Callable[P, R]", "Callable[P, R | None]", {"P": "param_spec", "R": "type_var"}),
        ("Callable[Concatenate[int, P], R]", "Callable[P, R]", {"P": "param_spec", "R": "type_var"}),
        ("P", "P", {"P": "type_var"}),
        ("int", "str", {}),
        ("TextIO | None", "IO[bytes]", {}),
    ],
)
def test_a_capital_letter_is_a_type_variable(annotation, returns, kinds):
    """Or a ParamSpec where it stands for a callable's parameters; such a plan keeps the rules."""
    made = plan(annotation, returns)
    assert {shared.name: shared.kind for shared in made.types} == kinds
    assert plan_problems(made, "", max_functions=3, packages=frozenset()) == []


def test_a_type_of_that_name_stays():
    """The plan knows better."""
    made = plan("T", "int", SharedType(name="T", kind="enum"))
    assert [shared.kind for shared in made.types] == ["enum"]


def test_a_longer_name_is_for_its_author_to_declare():
    """It may be a slip."""
    assert plan("list[Item]", "Item").types == ()


def test_it_is_written_as_code_after_the_types_that_bound_it():
    """With its import."""
    point = SharedType(name="Point", kind="named_tuple")
    bounded = SharedType(name="Near", kind="type_var", base="Point")
    assert declare_types(plan("Callable[P, Near]", "T", bounded, point)).endswith(
        '\n\n\nNear = TypeVar("Near", bound=Point)\nP = ParamSpec("P")\nT = TypeVar("T")\n'
    )
    assert "from typing import NamedTuple, ParamSpec, TypeVar\n" in declare_types(plan("Callable[P, T]", "T", point))


def test_a_bound_is_a_type():
    """What it names must be known."""
    made = plan("F", "F", SharedType(name="F", kind="type_var", base="Nothing"))
    (problem,) = plan_problems(made, "", max_functions=3, packages=frozenset())
    assert problem.startswith("type 'F': bound: 'Nothing' names Nothing")


SPEC = FunctionSpec(name="f", purpose="-", returns=Returns(type="int"))


def declared(*types: SharedType) -> str:
    return declare_types(Plan(module="m", functions=(SPEC,), types=types))


def test_a_plan_without_types_declares_nothing():
    """No types, no source."""
    assert declared() == ""


def test_each_kind_is_declared_with_the_imports_it_needs():
    """The source parses, and each class has its base or decorator."""
    source = declared(
        SharedType(name="Point", kind="dataclass", frozen=True, fields=(Field(name="x", type="Decimal"),)),
        SharedType(name="Color", kind="enum", fields=(Field(name="RED", default="'red'"),)),
        SharedType(name="Row", kind="typed_dict", fields=(Field(name="id", type="int"),)),
        SharedType(name="Pair", kind="named_tuple", fields=(Field(name="a", type="int", default="0"),)),
        SharedType(name="EmptyError", kind="exception", base="ValueError", description='Nothing "there".'),
    )
    ast.parse(source)
    for line in (
        "from dataclasses import dataclass",
        "from decimal import Decimal",
        "@dataclass(frozen=True)\nclass Point:",
        "class Color(Enum):",
        "    RED = 'red'",
        "class Row(TypedDict):",
        "class Pair(NamedTuple):",
        "    a: int = 0",
        'class EmptyError(ValueError):\n    """Nothing \\"there\\"."""',
    ):
        assert line in source


def test_a_mutable_default_gets_a_factory():
    """A dataclass refuses a list as default; the declaration says what was meant."""
    source = declared(
        SharedType(name="Bag", kind="dataclass", fields=(Field(name="items", type="list[int]", default="[]"),))
    )
    assert "items: list[int] = field(default_factory=lambda: [])" in source
    assert "from dataclasses import dataclass, field" in source


def test_an_exception_with_fields_keeps_them_as_attributes():
    """What the contract says an exception carries can be read from it."""
    source = declared(SharedType(name="BadLine", kind="exception", fields=(Field(name="line", type="int"),)))
    assert "def __init__(self, line: int) -> None:" in source
    assert "self.line = line" in source


def test_an_exception_says_the_message_that_the_user_wants():
    """With its fields where they stand in braces; without one it says their values."""
    fields = (Field(name="line", type="int"), Field(name="why", type="str", default="''"))
    source = declared(SharedType(name="BadLine", kind="exception", fields=fields, message="line {line:03d}: {why!r}"))
    assert "super().__init__(f'line {line:03d}: {why!r}')" in source
    names = (Field(name="names", type="list[str]"),)
    joined = declared(SharedType(name="Missing", kind="exception", fields=names, message="no {', '.join(names)}"))
    assert "super().__init__(f\"no {', '.join(names)}\")" in joined
    plain = declared(SharedType(name="Closed", kind="exception", message="it's closed"))
    assert 'def __init__(self) -> None:\n        super().__init__("it\'s closed")' in plain


@pytest.mark.parametrize(
    "message", ["{other}", "{line.real}", "{print(line)}", "{line", "{}", "{line:{other}}", "{', '.join(other)}"]
)
def test_a_message_holds_nothing_but_fields(message):
    """It is written into the module, where no line of a type is a model's code."""
    shared = SharedType(name="BadLine", kind="exception", fields=(Field(name="line", type="int"),), message=message)
    assert "fields in braces" in message_problem(shared)


def test_types_that_a_contract_reaches_are_those_it_names_and_those_that_these_name():
    """By their fields and bases; no other is shown beside a contract."""
    kinds = (
        SharedType(name="Unit", kind="enum", fields=(Field(name="CM", default="1"),)),
        SharedType(name="Board", kind="dataclass", fields=(Field(name="unit", type="Unit"),)),
        SharedType(name="LengthError", kind="exception", base="ValueError"),
    )
    plan = Plan(module="m", functions=(), types=kinds)
    assert [shared.name for shared in types_named(plan, "`def fits(board: list[Board]) -> bool`")] == ["Unit", "Board"]
    assert types_named(plan, "`def boarded() -> int`") == ()


@pytest.mark.parametrize(
    ("message", "told"), [("it is closed", "'it is closed'"), ("line {line}", "f'line {line}'"), ("}}", "f'}}'")]
)
def test_a_message_is_formatted_only_where_it_has_fields(message, told):
    """A linter objects to a format without any."""
    error = SharedType(name="Bad", kind="exception", fields=(Field(name="line", type="int"),), message=message)
    assert f"super().__init__({told})" in declare_types(plan("int", "int", error))


@pytest.mark.parametrize("message", ["{old} -> {new.value}", "{old.name}", "{new!r}"])
def test_a_message_may_say_an_enums_member_by_its_name_or_value(message):
    """As the words of a user often have it."""
    fields = (Field(name="old", type="Stage"), Field(name="new", type="Stage"))
    assert message_problem(SharedType(name="BadMove", kind="exception", fields=fields, message=message)) == ""
    wrong = SharedType(name="BadMove", kind="exception", fields=fields, message="{old.value.upper()}")
    assert "{state.value} of an enum" in message_problem(wrong)


@pytest.mark.parametrize(
    ("message", "description", "is_sound"),
    [
        ("{'; '.join(problems)}", "All problems, joined with `; `.", True),
        ("{'; '.join(problems)}", "All that is wrong.", True),
        ("", "All that is wrong.", True),
        ("", "All problems, joined with `; `.", True),
        ("{', '.join(problems)}", "All problems, joined with `; `.", False),
    ],
)
def test_a_docstring_joins_a_message_as_the_class_does(message, description, is_sound):
    """The class is written from the message; who reads the docstring must not be told otherwise."""
    fields = (Field(name="problems", type="list[str]"),)
    shared = SharedType(name="Bad", kind="exception", fields=fields, message=message, description=description)
    assert (message_problem(shared) == "") == is_sound


def test_a_message_that_only_the_description_tells_is_written_out():
    """The constructor does what the docstring says, in the module as in prompts."""
    fields = (Field(name="problems", type="list[str]"), Field(name="line", type="int"))
    error = SharedType(name="Bad", kind="exception", fields=fields, description="`str()` is these joined with `; `.")
    assert """super().__init__(f"{'; '.join(problems)}")""" in declare_types(plan("int", "int", error))
