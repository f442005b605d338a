"""One key for calls that do the same, in whatever words.

A case as it is kept: what was written once is read, and means the same.
"""

from __future__ import annotations

import json

import pytest

from tdgen.types import Call, Case, FunctionSpec, Parameter, Pattern, Plan, Returns, Suite, Value, World

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


def test_the_key_is_the_same_on_each_version_of_python() -> None:
    """Else another Python would hold out other cases, and find nothing that was kept: trees differ in what is empty."""
    setup = "def g(x):\n    return [x, (), {}]"
    key = "sha256:292d5a16dfb06d589e843b446e20e33ece05bee1fe338d867239f389fc5ca58e"
    assert call("f(g([]))", setup=setup).call_key == key


def test_a_changed_copy_has_a_key_of_its_own() -> None:
    """The key is computed once for each call, and never taken over with the rest."""
    case = Case(name="c", function="f", arguments=("[1]",), expectation=Value(source="1"))
    keys = {case.call_key, case.model_copy(update={"arguments": ("[2]",)}).call_key}
    assert len(keys) == 2
    assert case.done is case.done
    assert case.model_copy(update={"name": "d"}).call_key in keys
    assert Case.model_validate(case.model_dump()) == case


KEPT = {
    "expectation": {"form": "exits", "code": 1},
    "stdout": "",
    "stderr": "line 3\n",
    "files": {},
    "logs": None,
    "after": [],
    "name": "third",
    "function": "main",
    "kind": "error",
    "provenance": "model",
    "setup": "",
    "arguments": [],
    "call": "main()",
    "world": {"files": {}, "stdin": None, "environment": {}, "clock": None, "seed": None, "script": ["a.txt"]},
    "why": "",
    "confirmed": [],
    "passages": [],
    "doubts": [],
}


def test_an_exact_text_is_kept_as_it_ever_was():
    """A digest of the case is the same as before there were patterns."""
    case = Case.model_validate(KEPT)
    assert case.patterns == {}
    assert json.loads(case.model_dump_json()) == KEPT


def test_a_pattern_is_kept_beside_it():
    """And read again as one."""
    case = Case.model_validate(KEPT | {"stderr": {"match": "3"}})
    assert (case.stdout, case.stderr) == ("", Pattern(match="3"))
    assert Case.model_validate_json(case.model_dump_json()) == case
    assert case.call_key == Case.model_validate(KEPT).call_key


def test_a_passage_of_examples_over_several_lines_is_shown_by_them():
    """However their lines are broken: who quotes them copies words, not line ends."""
    case = Case(
        name="example_1",
        function="sign",
        provenance="instruction",
        arguments=("3",),
        expectation=Value(source="1"),
        why=">>> sign(3) 1",
    )
    other = case.model_copy(update={"name": "other", "provenance": "model", "passages": ("Be quick.",)})
    suite = Suite(function="sign", cases=(case, other))
    assert suite.showing("```\n>>> sign(3)\n1\n>>> sign(0)\n0\n```") == [case]
    quoted = case.model_copy(update={"why": "Signs are ints. The sign of 3 is `1`"})
    assert Suite(function="sign", cases=(quoted, other)).showing("The sign of 3 is `1`.") == [quoted]


@pytest.mark.parametrize("quote", ["sign(3) […] 1", "sign(3) gives […]", "[…] gives 1 here"])
def test_words_left_out_of_a_quote_show_no_passage(quote):
    """Nor does a number alone: both are in passages that have nothing to do with the example."""
    case = Case(name="a", function="sign", provenance="instruction", expectation=Value(source="1"), why=quote)
    assert not case.spells_out("At most 1 digit is kept.")
    assert case.spells_out("Say that sign(3) gives 1 here.")


def test_a_suite_with_cases_changed_keeps_what_is_held_out():
    """Also under a new name; what is dropped is nowhere."""
    one, two, three = (Case(name=name, function="f", expectation=Value(source="1")) for name in ("one", "two", "three"))
    suite = Suite(function="f", cases=(one, two, three), held_out=frozenset({"two", "three"}))
    changed = suite.changed({"two": two.model_copy(update={"name": "second"}), "three": None})
    assert [case.name for case in changed.cases] == ["one", "second"]
    assert changed.held_out == {"second"}
