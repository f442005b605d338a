"""Inputs in which elements, or arguments, have to do with each other."""

from __future__ import annotations

import ast
import datetime as dt
import re
from itertools import islice
from random import Random

import pytest

from tdgen.inputs import searched
from tdgen.inputs.relations import matched, near, related


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


def test_next_to_the_last_day_is_the_one_before_it():
    """What would be beyond it is left out."""
    assert list(near(dt.date.max)) == [dt.date.max, dt.date(9999, 12, 30)]


def test_calls_are_made_of_them(spec, case):
    """Intervals that touch, a limit that equals the count, many; none of them a case."""
    made = spec("spans: list[tuple[int, int]]", "limit: int")
    cases = [case("[(1, 4), (10, 12)]", "30"), case("[(20, 23)]", "50")]
    calls = [[ast.literal_eval(a) for a in call.arguments] for call, _ in islice(searched(made, cases), 1000)]
    assert any(len(spans) > 1 and spans[0][1] == spans[1][0] for spans, _ in calls)
    assert any(limit == len(spans) for spans, limit in calls)
    assert any(len(spans) == 20 for spans, _ in calls)


def test_words_are_exchanged_for_those_of_the_same_shape(spec, case):
    """So a text keeps its form, where one that is changed by a character is mostly refused."""
    made = spec("legs: list[str]")
    cases = [case("['FRA 2024-03-01 08:00', 'LHR 2024-03-02 09:30']"), case("['JFK 2023-12-31 23:59']")]
    calls = [call for call, _ in islice(searched(made, cases), 800)]
    texts = {text for call in calls for text in ast.literal_eval(call.arguments[0])}
    assert "FRA 2023-12-31 08:00" in texts
    assert sum(re.fullmatch(r"[A-Z]{3} \d{4}-\d\d-\d\d \d\d:\d\d", text) is not None for text in texts) > 10
