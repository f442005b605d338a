"""Tests of place."""

import pytest

from boards import Move, OffBoard, Point, Stone, place


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
def test_place(stone: Stone, at: Point, expected: Move) -> None:
    assert place(stone, at) == expected


def test_place_outside() -> None:
    with pytest.raises(OffBoard, match="-1"):
        place(Stone.WHITE, Point(-1, 0))
