"""Values for a result's JSON: plain where they survive it, a text where they don't, and always said which."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdgen.values.as_json import to_json
from tdgen.values.plain import decode
from tdgen.values.wire import encode


@pytest.mark.parametrize("value", [None, True, 0, -(10**30), 1.5, "ü", [], [1, {"a": [None]}], {}])
def test_what_survives_json_is_plain(value):
    """And said to be exact."""
    assert to_json(value) == (value, True)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ((1, 2), [1, 2]),
        ([float("nan")], ["nan"]),
        ({1: 2}, "{1: 2}"),
        ({1, 2}, "{1, 2}"),
        ("\ud800", "'\\ud800'"),
        ({"a": b"x"}, {"a": "b'x'"}),
    ],
)
def test_what_does_not_is_told_as_people_see_it(value, told):
    """And said to be inexact."""
    assert to_json(value) == (told, False)


def test_a_value_of_very_many_items_is_told_in_short():
    """A result stays readable."""
    told, exact = to_json(list(range(100_000)))
    assert isinstance(told, str)
    assert not exact


@settings(deadline=None)
@given(data=st.data())
def test_exact_means_that_it_comes_back(data, values, same):
    """Whatever is said to be exact is the same after JSON; all else is at least JSON."""
    plain = decode(encode(data.draw(values)))
    told, exact = to_json(plain)
    back = json.loads(json.dumps(told, ensure_ascii=False, allow_nan=False).encode().decode())
    assert back == told
    if exact:
        assert same(back, plain)
