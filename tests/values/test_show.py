"""Values in a line: what a person reads, what a terminal must not obey, and how little it may cost."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdgen.values.encode import encode
from tdgen.values.kinds import Opaque, Record
from tdgen.values.show import cut, show, show_wire


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (True, "True"),
        (-0.0, "-0.0"),
        ("it's\n", '"it\'s\\n"'),
        ((1,), "(1,)"),
        ([1, (), {}], "[1, (), {}]"),
        ({"b": 1, "a": [2]}, "{'b': 1, 'a': [2]}"),
        ({3, 1, 2}, "{1, 2, 3}"),
        (set(), "set()"),
        (frozenset({"b", "a"}), "frozenset({'a', 'b'})"),
        (Decimal("1.50"), "Decimal('1.50')"),
        (Fraction(1, 3), "Fraction(1, 3)"),
        (range(3), "range(0, 3)"),
        (range(3, 0, -1), "range(3, 0, -1)"),
        (slice(1, None), "slice(1, None, None)"),
        (Path("a b"), "Path('a b')"),
        (dt.date(2024, 2, 29), "datetime.date(2024, 2, 29)"),
        (re.compile("a+"), "re.compile('a+')"),
        (ValueError("x", 1), "ValueError('x', 1)"),
        (KeyError, "KeyError"),
        (iter([1, 2]), "<list_iterator of [1, 2]>"),
        (itertools.repeat(0), "<repeat of [0, 0, 0"),
        ({"a": 1}.values(), "dict_values([1])"),
        (len, "<a function: len>"),
        (object(), "<an object of class object>"),
    ],
)
def test_values_read_like_python(value, text):
    """The notation that a person would type, or a note on what it is."""
    assert show_wire(encode(value)).startswith(text)


def test_declared_types_read_like_their_source(types):
    """With their own name, without the module."""
    assert show_wire(encode(types.Point(1, [2]))) == "Point(x=1, y=[2])"
    assert show_wire(encode([types.Color.RED, types.Span(1, 2)])) == "[Color.RED, Span(start=1, end=2)]"


def test_a_cycle_is_said_to_be_one():
    """It ends."""
    loop: list[object] = [1]
    loop.append(loop)
    assert show_wire(encode(loop)) == "[1, <the container itself>]"


@settings(deadline=None)
@given(data=st.data(), limit=st.integers(min_value=10, max_value=300))
def test_the_text_is_bounded_and_printable(data, limit, values):
    """One line, no control character, no lone surrogate, never longer than asked."""
    text = show_wire(encode(data.draw(values)), limit)
    assert len(text) <= limit
    assert text.isprintable()


@pytest.mark.parametrize(
    "value",
    [
        "\x1b[2J\x07",
        ["\u202e"],
        Record("m.\x1b[31mX", "dataclass", (("\n", 1),)),
        Opaque("m.X", "a function: \x1b[2J"),
        {"\ud800": "\x00"},
    ],
)
def test_nothing_that_a_terminal_obeys_gets_through(value):
    """Escapes, bells, bidi overrides and surrogates, in values and in names."""
    assert show(value).isprintable()


@pytest.mark.parametrize(
    "value",
    ["x" * 10**6, list(range(10**5)), {str(n): n for n in range(10**5)}, [10**20_000], [["y" * 10**5] * 100] * 100],
)
def test_long_values_are_cut_in_the_middle(value):
    """The start is there, and a sign that something is missing."""
    text = show(value, 80)
    assert len(text) <= 80
    assert "…" in text


def test_of_a_long_list_the_last_item_is_shown_too():
    """What comes at the end often tells most."""
    assert show(list(range(1000))).endswith(", …, 999]")


def test_cut_keeps_both_ends():
    """A third of the room is for the end."""
    assert cut("abcdefghij", 7) == "abcd…ij"
    assert cut("abc", 3) == "abc"


def test_an_unreadable_wire_is_said_to_be_one():
    """Showing never raises."""
    assert show_wire({"$": "nonsense\x1b"}).startswith("<unreadable: ")
