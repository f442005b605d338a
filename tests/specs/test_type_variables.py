"""Type variables are declared by tdgen where a signature names them."""

import pytest

from tdgen.specs.declarations import declare_types
from tdgen.specs.problems import plan_problems
from tdgen.specs.type_variables import with_type_variables
from tdgen.types import FunctionSpec, Parameter, Plan, Returns, SharedType


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
