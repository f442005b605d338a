"""The constants of an implementation, as inputs."""

from __future__ import annotations

import pytest

from tdgen.inputs import generated_inputs
from tdgen.inputs.sources import LONGEST_TEXT, MOST_HINTS, seed_constants
from tdgen.types import Case, FunctionSpec, Parameter, Returns, Value

SOURCE = '''
_LIMIT = 50


def f(x: int) -> str:
    """Not 7, and not these words."""
    "nor these"
    return "low" if x < _LIMIT else f"high {x * 2.5}"
'''


def test_an_int_comes_with_its_neighbours():
    """A boundary is told by what is beside it."""
    assert {49, 50, 51} <= set(seed_constants(SOURCE))


def test_texts_and_floats_are_as_they_stand():
    """But no docstring, and no words that do nothing."""
    found = seed_constants(SOURCE)
    assert {"low", "high ", 2.5} <= set(found)
    assert not {7, "nor these", "Not 7, and not these words."} & set(found)


def test_each_once():
    """From all the sources."""
    found = seed_constants("x = 1", "x = 1\ny = 2", "z = 'a'")
    assert sorted(map(repr, found)) == sorted(map(repr, [1, 0, 2, -1, 3, -2, "a"]))


def test_they_are_bounded():
    """A table is no reason to try all of it, and nobody is called with a book."""
    assert len(seed_constants(f"x = {list(range(10**4))}")) == MOST_HINTS
    assert seed_constants(f"x = {'a' * (LONGEST_TEXT + 1)!r}, True, None") == []


@pytest.mark.parametrize(
    ("source", "constants"),
    [
        ("int64_t f(void) { return x > 0xff ? 1_000 : 0; }", {255, 256, 1000}),
        ("int64_t f(void) { return INT64_MAX - 1; }", {2**63 - 1, 2**63 - 2, -(2**63)}),
        ("int f() { return std::numeric_limits<std::int64_t>::min(); }", {2**63 - 1, -(2**63)}),
        ("bool f(void) { return __builtin_add_overflow(a, b, &c); }", {2**63 - 1, -(2**63)}),
        ("function f() { return Number.MAX_SAFE_INTEGER; }", {2**53 - 1, 1 - 2**53}),
        ("// INT64 is none, nor is 7\nint f(void) { return 'x'; }", {"x"}),
    ],
)
def test_other_languages_have_literals_and_limits_of_their_own(source, constants):
    """What goes beyond the largest integer, or names it, is tried there."""
    found = set(seed_constants(source))
    assert constants <= found
    assert 7 not in found


def test_inputs_are_made_of_them():
    """Also where the cases have nothing near."""
    spec = FunctionSpec(
        name="f", purpose="", parameters=(Parameter(name="x", type="int"),), returns=Returns(type="str")
    )
    cases = [Case(name=f"of_{n}", function="f", arguments=(str(n),), expectation=Value(source="1")) for n in (10, 90)]
    made = {one.call.expression for one in generated_inputs(spec, cases, hints=seed_constants(SOURCE))}
    assert {"f(49)", "f(50)", "f(51)"} <= made
