"""Tests of place: Does as its cases say."""

import dataclasses

import pytest

from boards import Move, OffBoard, Point, Stone, place


def same_value(actual, expected):
    """Whether the values are equal: True is not 1."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return actual is expected
    if isinstance(expected, (list, tuple)):
        kind = list if isinstance(expected, list) else tuple
        return (
            isinstance(actual, kind)
            and len(actual) == len(expected)
            and all(same_value(a, e) for a, e in zip(actual, expected))
        )
    if dataclasses.is_dataclass(expected):
        names = [field.name for field in dataclasses.fields(expected)]
        return type(actual) is type(expected) and all(
            same_value(getattr(actual, name), getattr(expected, name)) for name in names
        )
    return actual == expected


@pytest.mark.parametrize(
    ("stone", "at", "expected"),
    [
        pytest.param(
            Stone.BLACK, Point(3, 4), Move(Stone.BLACK, Point(3, 4)), id="inside"
        ),
        pytest.param(
            Stone.WHITE, Point(0, 0), Move(Stone.WHITE, Point(0, 0)), id="corner"
        ),
    ],
)
def test_place(stone, at, expected):
    assert same_value(place(stone, at), expected)


def test_place_outside():
    with pytest.raises(OffBoard, match="-1"):
        place(Stone.WHITE, Point(-1, 0))
