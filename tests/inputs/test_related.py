"""Inputs in which elements, or arguments, have to do with each other."""

from __future__ import annotations

import ast
import datetime as dt
from random import Random

import pytest

from tdgen.inputs import generated
from tdgen.inputs.related import matched, near, related


@pytest.mark.parametrize(
    ("kind", "second"),
    [
        ("touching", (5, 9)),
        ("within", (2, 4)),
        ("just behind", (6, 7)),
        ("beginning alike", (1, 12)),
        ("out of order", (10, 5)),
    ],
)
def test_spans_are_brought_into_relation(kind, second):
    """One of two intervals that had nothing to do with each other."""
    found = [items[1] for items in related([(1, 5), (10, 12)], Random(1)) if items[0] == (1, 5)]
    assert second in found, kind


def test_days_are_next_to_each_other():
    """Times have neighbours as numbers have."""
    first, later = dt.date(2024, 2, 28), dt.date(2024, 5, 1)
    assert [first, dt.date(2024, 2, 29)] in list(related([first, later], Random(1)))


@pytest.mark.parametrize(
    ("value", "other", "found"),
    [(7, [3, 9], {3, 9, 2, 10}), ("a", ["b", "c"], {"b", "c"}), (1.5, 2.5, {2.5, 3.5}), (True, [False], {False})],
)
def test_an_argument_takes_what_another_holds(value, other, found):
    """Its items, its length, what is next to them; of its own type alone."""
    assert found <= set(matched(value, other))
    assert {type(one) for one in matched(value, other)} == {type(value)}


def test_nothing_is_next_to_the_last_day():
    """Who has no neighbour stands for itself."""
    assert list(near(dt.date.max)) == [dt.date.max]


def test_they_are_among_the_inputs(spec, case):
    """Intervals that touch, and a limit that equals an item, though no case has such."""
    made = spec("list[tuple[int, int]]", "int")
    cases = [case("[(1, 4), (10, 12)]", "30"), case("[(20, 23)]", "50")]
    calls = [[ast.literal_eval(a) for a in call.arguments] for call in generated(made, cases, most=400)]
    assert any(len(spans) > 1 and spans[0][1] == spans[1][0] for spans, _ in calls)
    assert any(limit == len(spans) for spans, limit in calls)
