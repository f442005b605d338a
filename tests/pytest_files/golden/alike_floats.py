"""Tests of third."""

import pytest

from parts import third


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        pytest.param(1, 0.3333333333333333, id="of_one"),
        pytest.param(2.0, 0.6666666666666666, id="of_two"),
    ],
)
def test_third(number: float, expected: float) -> None:
    assert third(number) == pytest.approx(expected, rel=1e-9)
