"""One key for calls that do the same, in whatever words."""

from __future__ import annotations

import pytest

from tdgen.types import Call, Case, FunctionSpec, Parameter, Plan, Returns, Value, World

SPEC = FunctionSpec(
    name="f",
    purpose="Adds.",
    parameters=(
        Parameter(name="x", type="list[int]"),
        Parameter(name="y", type="str", default="'a'"),
        Parameter(name="*", type=""),
        Parameter(name="z", type="int", default="-1"),
    ),
    returns=Returns(type="int"),
)
PLAN = Plan(module="kit", functions=(SPEC,))


def call(expression: str, **more: object) -> Call:
    return Call(function="f", call=expression, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f([1,2])", "f([1, 2])"),
        ("f([1])", "f(x=[1])"),
        ("f([1])", "f([1], 'a')"),
        ("f([1])", 'f([1], z=-1, y="a")'),
        ("f([1], 'b', z=2)", "f(z=2, y='b', x=[1])"),
        ("list(f([1]))", "list( f(x = [1]) )"),
        ("f(f([1]))", "f(x=f([1], 'a'))"),
    ],
)
def test_the_same_in_other_words(one: str, other: str) -> None:
    """White space, quotes, arguments by place or by name, defaults; also inside a larger expression."""
    assert PLAN.call_key(call(one)) == PLAN.call_key(call(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f([1])", "f([2])"),
        ("f([1])", "f([1.0])"),
        ("f([1])", "f([True])"),
        ("f([1], 'b')", "f([1])"),
        ("f(*[1])", "f(1)"),
        ("f(**{'x': [1]})", "f(x=[1])"),
        ("g(x=1)", "g(1)"),
    ],
)
def test_another_call(one: str, other: str) -> None:
    """Another value, or what nobody can tell to be the same."""
    assert PLAN.call_key(call(one)) != PLAN.call_key(call(other))


def test_setup_and_world_belong_to_it() -> None:
    """White space of a setup does not."""
    bare = call("f(x)", setup="x = [1,2]")
    assert bare.call_key == call("f(x)", setup="x = [1, 2]  # two\n").call_key
    assert bare.call_key != call("f(x)", setup="x = [1]").call_key
    assert bare.call_key != bare.model_copy(update={"world": World(seed=1)}).call_key


def test_what_is_no_python_has_a_key_too() -> None:
    """Its text tells it apart."""
    assert call("f(", setup="x =").call_key != call("f((", setup="x =").call_key


def test_a_changed_copy_has_a_key_of_its_own() -> None:
    """The key is computed once for each call, and never taken over with the rest."""
    case = Case(name="c", function="f", arguments=("[1]",), expectation=Value(source="1"))
    keys = {case.call_key, case.model_copy(update={"arguments": ("[2]",)}).call_key}
    assert len(keys) == 2
    assert case.done is case.done
    assert case.model_copy(update={"name": "d"}).call_key in keys
    assert Case.model_validate(case.model_dump()) == case
