"""What reading alone finds wrong with a case, in words that its author can act on."""

from __future__ import annotations

import warnings

import pytest

from tdgen.testgen.problems import broken, contradict, faults, same, unobservable
from tdgen.types import (
    After,
    Case,
    Check,
    Exits,
    ExpectedException,
    FunctionSpec,
    Logged,
    Parameter,
    Returns,
    Tolerance,
    Value,
    World,
)

SPEC = FunctionSpec(name="f", purpose="", parameters=(Parameter(name="x", type="int"),), returns=Returns(type="int"))


def case(name: str = "it", **more) -> Case:
    return Case(**{"name": name, "function": "f", "arguments": ("1",), "expectation": Value(source="2")} | more)


SOUND = {
    "a plain call": case(),
    "a keyword": case(arguments=("x=1",)),
    "a comparison is no keyword": case(arguments=("1 == 1",)),
    "an argument over two lines": case(arguments=("[1,\n 2]",)),
    "another call": case(call="list(map(f, [1]))"),
    "a call in the setup": case(setup="y = f(1)", call="y"),
    "a call with room around it": case(call="  f(1) "),
    "a check of several lines": case(expectation=Check(source="y = sorted(result)\nassert y")),
    "a file inside": case(world=World(files={"a/b.txt": ""})),
    "a clock": case(world=World(clock="2024-02-29T12:00:00+01:00")),
    "a regular expression without an r": case(arguments=("'\\d+'",)),
    "a wide tolerance": case(expectation=Value(source="2.0", tolerance=Tolerance(rel=0.1))),
}


@pytest.mark.parametrize("given", SOUND.values(), ids=SOUND)
def test_nothing_is_wrong_with_a_sound_case(given):
    """And reading it warns nobody of its escapes."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(broken(given, SPEC)) == []


BROKEN = {
    "an argument": (case(arguments=("1 +",)), "the argument '1 +' is not a Python expression"),
    "an empty argument": (case(arguments=("",)), "the argument '' is not a Python expression"),
    "a keyword's value": (case(arguments=("x=",)), "the argument '' is not a Python expression"),
    "a call": (case(call="f(1); f(2)"), "the call 'f(1); f(2)' is not a Python expression"),
    "a statement for a value": (
        case(expectation=Value(source="x = 1")),
        "the value 'x = 1' is not a Python expression",
    ),
    "an exception": (case(expectation=ExpectedException(type="")), "the exception '' is not a Python expression"),
    "what is expected afterwards": (
        case(after=(After(expression="x", source="["),)),
        "the value '[' is not a Python expression",
    ),
    "a setup": (case(setup="x ="), "its setup is not valid Python"),
    "a check": (case(expectation=Check(source="result >")), "the check 'result >' is not valid Python"),
    "a check of nothing": (case(expectation=Check(source="1 < 2")), "its check never looks at `result`"),
    "a call of something else": (case(call="g(1)"), "it never calls 'f'"),
    "a name in a string": (case(call="len('f')"), "it never calls 'f'"),
    "a NUL byte": (case(arguments=("'\0'",)), "is not a Python expression"),
    "a nesting too deep": (case(arguments=("(" * 3000 + ")" * 3000,)), "is not a Python expression"),
    "a file outside": (case(world=World(files={"../a": ""})), "the file '../a' is not inside the working directory"),
    "an absolute file": (case(files={"/etc/passwd": ""}), "is not inside the working directory"),
    "a file without a name": (case(files={"": ""}), "is not inside the working directory"),
    "a variable": (case(world=World(environment={"A=B": ""})), "'A=B' can't name an environment variable"),
    "a clock": (case(world=World(clock="noon")), "the clock 'noon' is not an ISO 8601 time"),
    "an exit of a call": (case(expectation=Exits(code=2)), "an exit code of what is not run as a script"),
    "a script's value": (case(world=World(script=())), "a script's exit code is a whole number from 0 to 255"),
    "a script's setup": (
        case(expectation=Exits(code=0), world=World(script=()), setup="x = 1"),
        "what is run as a script has no `setup`, `after` or `logs`",
    ),
    "a script of none": (
        case(expectation=Exits(code=0), world=World(script=())),
        "'f' can't be run as a script: call it",
    ),
    "a tolerance of all": (
        case(expectation=Value(source="2.0", tolerance=Tolerance(rel=1.0))),
        "a relative tolerance of 1 would take nearly anything for right",
    ),
    "an infinite tolerance": (
        case(expectation=Value(source="2.0", tolerance=Tolerance(rel=float("inf")))),
        "a relative tolerance of inf",
    ),
    "no tolerance": (
        case(expectation=Value(source="2.0", tolerance=Tolerance(rel=float("nan")))),
        "a relative tolerance of nan",
    ),
}


@pytest.mark.parametrize(("given", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_case_says_what_is_wrong(given, said):
    """The first thing found is enough to send it back."""
    assert said in next(broken(given, SPEC))


def test_faults_are_told_by_name_and_the_others_stand():
    """One broken case is no reason against the rest."""
    assert faults([case("good"), case("bad", call="g(1)"), case("fine", arguments=("3",))], [], SPEC) == {
        "bad": "it never calls 'f'"
    }


def test_cases_that_contradict_each_other_both_fall():
    """Nobody knows which of them is right."""
    one, other = case("one"), case("other", expectation=Value(source="3"))
    assert faults([one, other], [], SPEC) == {
        "one": "it contradicts the case 'other' on `f(1)`",
        "other": "it contradicts the case 'one' on `f(1)`",
    }


def test_law_stands_against_a_case_that_contradicts_it():
    """It is the case that falls, with the user's words."""
    pinned = case("example_1", provenance="instruction", expectation=Value(source="3"), why="f of 1 is 3")
    assert faults([case("one")], [pinned], SPEC) == {"one": "it contradicts the user's own example 'f of 1 is 3'"}


def test_a_case_that_repeats_law_is_no_contradiction():
    """In whatever words it says the same."""
    pinned = case("example_1", provenance="instruction", expectation=Value(source="2.0"))
    assert faults([case("one", arguments=(" 1 ",))], [pinned], SPEC) == {}


def test_another_tolerance_says_another_thing_but_no_contrary_one():
    """Both can hold of one result."""
    near = Value(source="2.0", tolerance=Tolerance(rel=0.1))
    assert not same(near, Value(source="2.0"))
    assert not contradict(near, Value(source="2.0"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            case(after=(After(expression="error.line", source="1"),)),
            "`error` in `after` is not there: the call returns",
        ),
        (case(after=(After(expression="result is x", source="True"),), setup="x = 1"), None),
        (
            case(after=(After(expression="result", source="1"),), expectation=ExpectedException(type="KeyError")),
            "raises",
        ),
        (case(logs=(Logged(logger="a", level="LOUD", message=""),)), "the level 'LOUD' is none of"),
        (case(stdout="x" * (1024 * 1024 + 1)), "stdout is too long to be observed"),
        (case(after=(After(expression="result [", source="1"),)), None),
    ],
)
def test_what_can_never_be_seen_is_found_without_a_run(given, said):
    """Whatever the code does: so nobody is asked for code that passes it."""
    found = next(unobservable(given, SPEC), None)
    assert (found is None) if said is None else (said in str(found))
