"""The user's own examples as cases, and when two of them can't both be true."""

from __future__ import annotations

import pytest

from tdgen.errors import InputError
from tdgen.testgen.pinned import named_apart, pinned_of, read_cases
from tdgen.types import Case, Check, Example, ExpectedException, FunctionSpec, Parameter, Pattern, Plan, Returns, Value


def plan(*examples: Example) -> Plan:
    specs = tuple(FunctionSpec(name=name, purpose="", returns=Returns(type="int")) for name in ("f", "g"))
    return Plan(module="kit", functions=specs, examples=examples)


def example(call: str, value: str, expect: str = "value", quote: str = "") -> Example:
    return Example(
        function=call.partition("(")[0], quote=quote or f"{call} is {value}", call=call, expect=expect, value=value
    )


def user_case(expectation, name: str = "mine", function: str = "f") -> Case:
    return Case(name=name, function=function, provenance="user", arguments=("1",), expectation=expectation)


def test_an_example_becomes_a_case_with_the_users_words():
    """Plain calls by their arguments, so that they stand in a table like any other."""
    pinned = pinned_of(plan(example("f(1, key = 'a')", "2", quote="f(1,\n key = 'a')  is 2")))
    (case,) = pinned["f"]
    assert (case.name, case.provenance, case.kind) == ("example_1", "instruction", "normal")
    assert (case.arguments, case.call) == (("1", "key='a'"), "")
    assert case.expectation == Value(source="2")
    assert case.why == "f(1, key = 'a') is 2"
    assert pinned["g"] == ()


@pytest.mark.parametrize("call", ["f(1)(2)", "sorted(f(1))", "f(*[1, 2])", "f(**{'a': 1})", "f(1) + f(2)"])
def test_an_example_that_is_more_than_a_call_stays_an_expression(call):
    """Nothing of it is taken apart."""
    (case,) = pinned_of(plan(Example(function="f", quote="q", call=f" {call} ", value="2")))["f"]
    assert (case.call, case.arguments) == (call, ())
    assert case.expression == call


def test_an_example_of_an_error():
    """The exception's class is what is expected."""
    (case,) = pinned_of(plan(example("f(0)", "ValueError", "raises")))["f"]
    assert case.expectation == ExpectedException(type="ValueError")
    assert case.kind == "error"


def test_an_example_that_is_read_out_of_words_shows_their_passage():
    """It is an ordinary case; nobody is asked for another one of that passage."""
    read = plan().model_copy(update={"read_examples": (example("f(8)", "480", quote="eight hours […] are minutes"),)})
    passages = ("It takes hours.", "Of 8, eight hours, 480 are minutes.")
    bound = read.model_copy(update={"functions": (read.spec("f").model_copy(update={"passages": passages}),)})
    (case,) = read_cases(bound, "f", [])
    assert (case.name, case.is_pinned, case.passages) == ("read_example_1", False, passages[1:])


def test_examples_are_numbered_for_each_function():
    """One that is added for another function leaves the names as they were."""
    pinned = pinned_of(plan(example("g(1)", "1"), example("f(1)", "1"), example("g(2)", "2")))
    assert [case.name for case in pinned["g"]] == ["example_1", "example_2"]
    assert [case.name for case in pinned["f"]] == ["example_1"]


def test_the_users_tests_come_first():
    """Under their own names."""
    pinned = pinned_of(plan(example("f(2)", "2")), [user_case(Value(source="7"))])
    assert [case.name for case in pinned["f"]] == ["mine", "example_1"]


def test_what_is_said_twice_is_law_once():
    """In whatever spelling."""
    pinned = pinned_of(plan(example("f([1,2])", "2"), example("f( [1, 2] )", "2.0")))
    assert [case.name for case in pinned["f"]] == ["example_1"]


CONTRADICTIONS = {
    "two values": (Value(source="2"), Value(source="3")),
    "a value and an exception": (Value(source="2"), ExpectedException(type="ValueError")),
    "a check and an exception": (Check(source="result > 1"), ExpectedException(type="ValueError")),
    "exceptions that are not related": (ExpectedException(type="KeyError"), ExpectedException(type="ValueError")),
}


@pytest.mark.parametrize("pair", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_examples_that_contradict_each_other_are_an_error(pair):
    """One line with both, for the user to choose."""
    one, other = user_case(pair[0], "first_test"), user_case(pair[1], "second_test")
    with pytest.raises(InputError, match=r"'first_test' and 'second_test' expect different things of `f\(1\)`"):
        pinned_of(plan(), [one, other])


@pytest.mark.parametrize(
    ("one", "other"),
    [("f(1)", "f(n=1)"), ("f(1)", "f(1, 3)"), ("f(1, 3)", "f(k=3, n=1)"), ("f( [1,2] )", "f(n=[1, 2])")],
)
def test_the_same_call_in_other_words_contradicts_too(one, other):
    """An argument by its name or by its place, a default given or not."""
    parameters = (Parameter(name="n", type="Any"), Parameter(name="k", type="int", default="3"))
    spec = FunctionSpec(name="f", purpose="", parameters=parameters, returns=Returns(type="int"))
    both = (example(one, "2", quote="the one"), example(other, "5", quote="the other"))
    with pytest.raises(InputError, match="'the one' and 'the other' expect different things"):
        pinned_of(Plan(module="kit", functions=(spec,), examples=both))


COMPATIBLE = {
    "a value and a check": (Value(source="2"), Check(source="result > 1")),
    "two checks": (Check(source="result < 3"), Check(source="result > 1")),
    "an exception and its base": (ExpectedException(type="KeyError"), ExpectedException(type="LookupError")),
    "an exception and its message": (ExpectedException(type="KeyError"), ExpectedException(type="KeyError", match="a")),
    "exceptions that nobody knows": (ExpectedException(type="KeyError"), ExpectedException(type="NotThere")),
}


@pytest.mark.parametrize("pair", COMPATIBLE.values(), ids=COMPATIBLE)
def test_examples_that_can_both_be_true_are_both_law(pair):
    """Each says something that the other does not."""
    pinned = pinned_of(plan(), [user_case(pair[0], "first_test"), user_case(pair[1], "second_test")])
    assert [case.expectation for case in pinned["f"]] == list(pair)


def test_a_test_of_what_is_not_planned_is_no_law():
    """It stays in the user's file, which is run as it is."""
    assert pinned_of(plan(), [user_case(Value(source="1"), function="h")]) == {"f": (), "g": ()}


def test_names_are_told_apart():
    """By a number that no other has."""
    cases = [user_case(Value(source="1"), name) for name in ("a", "a", "a_2", "b")]
    assert [case.name for case in named_apart(cases)] == ["a", "a_2", "a_2_2", "b"]
    assert [case.name for case in named_apart(cases[:1], taken=cases)] == ["a_3"]


def test_two_examples_that_print_otherwise_contradict_each_other():
    """Though both end alike: what is printed is part of what is expected."""
    one = Example(function="f", quote="prints a", call="f(1)", value="None", stdout="a\n")
    other = one.model_copy(update={"quote": "prints b", "stdout": "b\n"})
    with pytest.raises(InputError, match="contradict"):
        pinned_of(plan(one, other))
    assert [case.stdout for case in pinned_of(plan(one, one))["f"]] == ["a\n"]


def test_a_text_and_a_pattern_are_both_law():
    """Whether they can both be true nobody knows before they are searched."""
    exact = user_case(Value(source="1"), "first").model_copy(update={"stdout": "a\n"})
    pinned = pinned_of(plan(), [exact, exact.model_copy(update={"name": "second", "stdout": Pattern(match="b")})])
    assert [case.name for case in pinned["f"]] == ["first", "second"]
