"""Where a plain `==` in a rendered test would not say what the judge says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdgen.values.agreement import agrees
from tdgen.values.plain import Cycle, decode
from tdgen.values.relation import Relation
from tdgen.values.traps import traps
from tdgen.values.wire import encode


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("text", set()),
        (None, set()),
        ([], set()),
        (2, {"int"}),
        (1, {"int", "bool_like"}),
        (True, {"bool_like"}),
        ([{"a": 0}], {"int", "bool_like"}),
        ({1: "a"}, {"int", "bool_like"}),
        ({True}, {"bool_like"}),
        (1.5, {"float"}),
        (1.0, {"float", "bool_like"}),
        ([1.5], {"nested_float"}),
        ({2.5: "a"}, set()),
        ({(2.5,): 3.5}, {"nested_float"}),
        (float("nan"), {"nan"}),
        ({float("nan")}, {"nan"}),
        (iter(["a"]), {"iterator"}),
        ({"a": "b"}.keys(), set()),
        ({"a": "b"}.values(), {"iterator"}),
        (ValueError("x"), {"exception"}),
        ([len], {"opaque"}),
        (1 + 0j, {"bool_like"}),
    ],
)
def test_each_trap_has_a_name(value, names):
    """And nothing else is named."""
    assert traps(decode(encode(value))) == names


def test_fields_of_declared_types_are_looked_at(types):
    """As items, where a tolerance counts."""
    assert traps(decode(encode(types.Point(2.5, "a")))) == {"nested_float"}
    assert traps(decode(encode(types.Level.LOW))) == {"int", "bool_like"}


def test_a_cycle_is_a_trap():
    """Comparing two of them by `==` overflows the stack."""
    assert traps([Cycle(1)]) == {"cycle"}


@given(data=st.data())
def test_a_value_without_traps_equals_exactly_what_agrees_with_it(data, values):
    """So that a plain assert is all that the rendered file needs."""
    expected, actual = (data.draw(values) for _ in range(2))
    plain = decode(encode(expected))
    if not traps(plain) - {"int"}:
        assert agrees(plain, decode(encode(actual)), Relation()) == bool(expected == actual)
        assert expected == expected  # noqa: PLR0124
