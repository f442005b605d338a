"""What values have in common, and what a value is changed to so that it keeps it."""

from __future__ import annotations

import pytest

from tdgen.inputs.profiles import Profile
from tdgen.inputs.relations import relations
from tdgen.values.shapes import Constructed

SEEN = {
    "nothing": ([], [1, "a", None], []),
    "positive numbers": ([1, 5, 30], [2, 60], [0, -1, 71, "a"]),
    "any numbers": ([-3, 0, 4], [-4, 18], [30, 1.5]),
    "counts from two on": ([2, 5, 9], [3, 4], [1]),
    "shares": ([0.1, 0.95], [0.5, 1], [1.5, -0.5, float("nan")]),
    "words": (["ab", "c"], ["x"], ["A", "a b", "1", ""]),
    "a form": (["2024-01-31", "1999-12-01"], ["2000-1-1"], ["2024", "a-b-c", ""]),
    "choices": (["+", "-", "+", "*", "-", "+"], ["*"], ["/", ""]),
    "a vocabulary": (["o o| o", "o| .|", ".| o .|", ""], ["o .|", ""], ["o|o", "x"]),
    "numbers in texts": (["10", "1.5", "-3"], ["0", "7.25"], ["-", "1.2.3", ""]),
    "brackets": (["(())", "()()", ""], ["()"], [")(", "(", "[]"]),
    "lists that are not empty": ([[1], [1, 1]], [[2]], [[]]),
    "pairs": ([(1, "a"), (2, "b"), (9, "c")], [(3, "d")], [(1,), ("a", 1), (1, "A")]),
    "up": ([[1, 2], [3, 7, 7], [0, 5]], [[4, 4], [1, 9]], [[2, 1]]),
    "down": ([[2, 1], [7, 3, 3], [5, 0]], [[4, 4], [9, 1]], [[1, 2]]),
    "squares": ([[[1, 2], [3, 4]], [[1]], [[5, 1, 2]] * 3], [[[7]]], [[[1, 2]], [[1], [2]]]),
    "dicts": ([{"a": 1}, {"b": 2, "c": 3}], [{"z": 4}], [{"A": 1}, {"a": "x"}, {}]),
    "calls of a number's class": (
        [Constructed("float", ("x",)), 2.5],
        [Constructed("float", ("y",)), 3.5],
        [-1.0],
    ),
    "records": (
        [Constructed("P", (1,)), Constructed("P", (4,))],
        [Constructed("P", (2,))],
        [Constructed("P", (-1,)), Constructed("Q", (1,))],
    ),
}


@pytest.mark.parametrize(("seen", "kept", "broken"), SEEN.values(), ids=SEEN)
def test_what_all_keep_is_found(seen, kept, broken):
    """What was seen keeps it by itself."""
    profile = Profile(seen)
    assert [value for value in [*seen, *kept] if not profile.keeps(value)] == []
    assert [value for value in broken if profile.keeps(value)] == []


ROWS = [[{"id": "a", "age": "3"}, {"id": "b"}], [{"id": "c"}]]


@pytest.mark.parametrize(
    ("seen", "value", "is_complete"),
    [
        (ROWS, [{"id": "z"}, {"age": "1", "id": ""}], True),
        (ROWS, [], True),
        (ROWS, [{"id": "z"}, {"age": "1"}], False),
        ([{"top": ROWS[0]}, {"top": ROWS[1]}], {"other": [{"age": "1"}]}, False),
        (ROWS[:1], [{"age": "1"}], True),
        ([{"a": 1}, {"a": 2}, {"a": 3, "b": 1}], {}, True),
    ],
    ids=["complete", "none", "without", "deeper", "too few to tell", "a dict of its own"],
)
def test_records_have_what_all_records_have(seen, value, is_complete):
    """Dicts in lists do; a dict that is passed by itself may have any keys."""
    assert Profile(seen).is_complete(value) is is_complete


MENDED = [
    ([1, 5, 30], -7, 7),
    ([1, 5, 30], 0, 1),
    (["ab", "c"], "A b1c", "bc"),
    (["(())", "()()"], ")(x(", "(())"),
    ([[1, 2], [3, 7, 7], [0, 5]], [9, 2, 4], [2, 4, 9]),
    ([[2, 1], [7, 3], [5, 0, 9]], [1, 1, 4], [1, 4]),
    ([[[1, 2], [3, 4]], [[1]], [[5, 1, 2]] * 3], [[1, 2], [3, 4], [5, 6]], [[1, 2], [3, 4]]),
    ([{"a": 1}, {"b": 2}], {"X": -3, "y": 4}, {"": 3, "y": 4}),
    ([True], False, False),
]


@pytest.mark.parametrize(("seen", "value", "mended"), MENDED)
def test_a_value_is_brought_nearer(seen, value, mended):
    """By what is least: signs turned, letters left out, items sorted, rows cut."""
    assert Profile(seen).mended(value) == mended


RELATED = {
    "as long": ([([1], [2]), ([], []), ([1, 2], [3, 3])], ([1, 2, 3], [4]), ([1], [4])),
    "counts": ([(1, [2]), (0, []), (2, [3, 3])], (5, [1]), (1, [1])),
    "index of": ([(0, [2]), (0, [1, 2]), (2, [3, 3, 3])], (5, [1, 2]), (1, [1, 2])),
    "at most the length of": ([(1, [2]), (0, [1, 2]), (1, [3, 3, 3])], (5, [1, 2]), (2, [1, 2])),
    "in": ([(1, [2, 1]), (5, [5]), (7, [9, 7])], (4, [3, 2]), (3, [3, 2])),
    "less than": ([(1, 2), (0, 9), (-4, 4), (2, 30)], (7, 3), (3, 7)),
    "among": ([("a", "ab"), ("", "x"), ("ba", "abc"), ("cb", "abc")], ("xay", "ab"), ("a", "ab")),
}


@pytest.mark.parametrize(("pairs", "broken", "mended"), RELATED.values(), ids=RELATED)
def test_what_two_arguments_have_to_do_with_each_other_is_found(pairs, broken, mended, request):
    """And a pair that breaks it is brought nearer."""
    found = {r.name: r for r in relations([{"a": a, "b": b} for a, b in pairs]) if r.one == "a"}
    relation = found[request.node.callspec.id]
    assert all(relation.kept({"a": a, "b": b}) for a, b in pairs)
    assert not relation.kept(dict(zip("ab", broken, strict=True)))
    assert tuple(relation.mended(dict(zip("ab", broken, strict=True))).values()) == mended


def test_two_cases_relate_nothing():
    """Anything may hold twice by chance."""
    assert relations([{"a": 1, "b": 2}, {"a": 3, "b": 4}]) == ()
