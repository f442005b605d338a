"""Differences in words: where, what was expected, what was there; few, short, and found in bounded time."""

from __future__ import annotations

import collections
import sys
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdgen.judge.compare import MAX_DIFFERENCES, differences
from tdgen.types import Difference
from tdgen.values.decode import decode
from tdgen.values.encode import encode
from tdgen.values.equality import Relation, agrees
from tdgen.values.readers import Unreadable


@dataclass
class Point:
    x: Any
    y: Any = 0


Span = collections.namedtuple("Span", "start end")


def told(expected: Any, actual: Any, relation: Relation | None = None) -> list[str]:
    found = differences(encode(expected), encode(actual), relation or Relation())
    return [difference.sentence for difference in found]


@pytest.mark.parametrize(
    ("expected", "actual", "sentences"),
    [
        (1, 1, []),
        (5, 3, ["3, expected 5"]),
        (1, True, ["True, expected 1"]),
        (None, [], ["[], expected None"]),
        ([1, 2], (1, 2), ["(1, 2), expected [1, 2]"]),
        ([1, [2, {"a": (3, 4)}]], [1, [2, {"a": (3, 5)}]], ["[1][1]['a'][1]: 5, expected 4"]),
        ([1, 2, 3], [1, 2], ["2 items: [1, 2], expected 3 items: [1, 2, 3]"]),
        ([], [1], ["1 item: [1], expected 0 items: []"]),
        ([1, 2], [3, 1, 2], ["3 items: [3, 1, 2], expected 2 items: [1, 2]", "[0]: 3, expected 1"]),
        ({"a": 1}, {"b": 1}, ["['a']: no such key, expected 1", "['b']: 1, expected no such key"]),
        ({1: "x"}, {True: "x"}, ["[1]: no such key, expected 'x'", "[True]: 'x', expected no such key"]),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, ["['a']['b']: 2, expected 1"]),
        ({1, 2}, {2, 3}, ["missing, expected 1 among the items", "3 among the items, expected no such item"]),
        (
            [{1}],
            [{True}],
            ["[0]: missing, expected 1 among the items", "[0]: True among the items, expected no such item"],
        ),
        (Point(1, [2]), Point(1, [3]), [".y[0]: 3, expected 2"]),
        ([Point(1)], [Point(2)], ["[0].x: 2, expected 1"]),
        (Span(1, 2), Span(1, 3), [".end: 3, expected 2"]),
        ((1, 2), Span(1, 3), ["Span(start=1, end=3), expected (1, 2)"]),
        (Point(1), {"x": 1}, ["{'x': 1}, expected Point(x=1, y=0)"]),
        (ValueError("a"), ValueError("b"), [".args[0]: 'b', expected 'a'"]),
        (iter([1, 2]), iter([1, 3]), ["[1]: 3, expected 2"]),
        (iter([1]), [1], ["[1], expected <list_iterator of [1]>"]),
        (5, len, ["<a function: len>, which equals nothing, expected 5"]),
        (slice(1), slice(2), ["slice(None, 2, None), expected slice(None, 1, None)"]),
        ("a\n", "a", ["'a' with no line end after it, expected 'a' with one line end after it"]),
        ("", "\n", [r"'\n', expected ''"]),
    ],
)
def test_differences_say_where_and_what(expected, actual, sentences):
    """In the words that the feedback to a model uses."""
    assert told(expected, actual) == sentences


def test_long_texts_are_shown_where_they_part():
    """Not where they are alike."""
    (difference,) = differences("a" * 5000 + "X" + "b" * 5000, "a" * 5000 + "Y" + "b" * 5000, Relation())
    assert "aaaXbbb" in difference.expected
    assert "aaaYbbb" in difference.actual
    assert "character 5000" in difference.actual
    assert max(len(difference.expected), len(difference.actual)) < 300


def test_two_values_that_look_alike_are_told_apart():
    """By what they are."""
    pattern = {"$": "pattern", "v": "a", "flags": 0}
    (difference,) = differences(pattern, {**pattern, "flags": 2}, Relation())
    assert difference.expected != difference.actual or "Pattern" in difference.actual


def test_without_an_order_the_items_that_match_are_not_told():
    """Only what has no counterpart."""
    free = Relation(unordered=True)
    assert told([1, 2, 3], [3, 4, 1], free) == ["[1]: 4, expected 2"]
    assert told([1, 2], [2, 1], free) == []


def test_there_are_never_many_differences():
    """Whatever the size."""
    assert len(told(list(range(100)), list(range(1, 101)))) == MAX_DIFFERENCES
    assert len(told({n: n for n in range(100)}, {})) == MAX_DIFFERENCES
    assert len(told(set(range(100)), {None})) == MAX_DIFFERENCES
    assert len(told([[1, 2, 3]] * 100, [[4, 5, 6]] * 100)) <= MAX_DIFFERENCES


def test_large_values_are_compared_whole():
    """A difference at the very end is found."""
    size = 100_000
    assert told(list(range(size)), list(range(size))) == []
    assert told(list(range(size)), [*range(size - 1), -1]) == [f"[{size - 1}]: -1, expected {size - 1}"]


def test_deep_values_are_compared_to_the_bottom():
    """The place is cut in the middle, not the search."""
    left: Any = 1
    right: Any = 2
    for _ in range(90):
        left, right = [left], [right]
    (sentence_,) = told(left, right)
    assert sentence_.endswith("[0]: 2, expected 1")


def test_cyclic_values_are_compared():
    """They end, equal or not."""

    def loop(start: int) -> list[Any]:
        items: list[Any] = [start]
        items.append(items)
        return items

    assert told(loop(1), loop(1)) == []
    assert told(loop(1), loop(2)) == ["[0]: 2, expected 1"]


def test_a_shared_structure_that_unfolds_without_end_is_one_difference():
    """The candidate's wire is refused, not walked."""
    doubled: list[Any] = [1]
    for _ in range(60):
        doubled = [doubled, doubled]
    (difference,) = differences([1], encode(doubled), Relation())
    assert "can't be read" in difference.actual


def test_a_comparison_without_end_is_one_difference(monkeypatch):
    """It is given up after so many steps, and said to be."""
    monkeypatch.setattr("tdgen.values.equality.MAX_STEPS", 50)
    (sentence_,) = told(list(range(100)), list(range(100)))
    assert "too large to compare" in sentence_


@pytest.mark.parametrize("wire", [{"$": "nonsense"}, {"$": "ref", "n": 3}, {"x": 1}, [{"$": "tuple"}]])
def test_a_hostile_wire_is_a_difference_and_never_an_error(wire):
    """Whatever a candidate's process sent."""
    (difference,) = differences(1, wire, Relation())
    assert "can't be read" in difference.actual


def test_an_unreadable_expectation_is_an_error():
    """That is a fault of ours or of the case, not of the candidate."""
    with pytest.raises(Unreadable):
        differences({"$": "nonsense"}, 1, Relation())


_plain = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([0.5, 1.0, 2.0]) | st.sampled_from(["a", "b"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.sampled_from([0, 1, True, "a", 0.5, (1, True)]), inner, max_size=3),
        st.sets(st.sampled_from([0, 1, True, False, 2.0, "a"]), max_size=3),
        st.builds(Point, inner, inner),
        st.lists(inner, max_size=2).map(iter),
    ),
    max_leaves=6,
)


def test_values_without_parts_are_told_without_a_walk(monkeypatch):
    """DeepDiff takes a third of a second to import, and longer beside numpy and pandas, which it loads."""
    monkeypatch.setitem(sys.modules, "deepdiff", None)
    found = differences(encode(3), encode([3]), Relation())
    assert found == (Difference(where="", expected="3", actual="[3]"),)


@settings(deadline=None, max_examples=300)
@given(expected=_plain, actual=_plain, unordered=st.booleans(), iterated=st.booleans(), exact_int=st.booleans())
def test_there_is_a_difference_exactly_where_the_relation_says_no(expected, actual, unordered, iterated, exact_int):
    """DeepDiff explains the verdict; it never makes it."""
    relation = Relation(unordered=unordered, iterated=iterated, exact_int=exact_int)
    left, right = encode(expected), encode(actual)
    found = differences(left, right, relation)
    assert bool(found) != agrees(decode(left), decode(right), relation)
    assert all(difference.expected and difference.actual for difference in found)
