"""Tests of is_leap."""

import pytest

from years import is_leap


@pytest.mark.parametrize(
    ("year", "expected"),
    [
        pytest.param(2023, False, id="common"),
        pytest.param(2024, True, id="fourth"),
        pytest.param(1900, False, id="century"),
        pytest.param(2000, True, id="fourth_century"),
    ],
)
def test_is_leap(year: int, expected: bool) -> None:
    assert is_leap(year) is expected
