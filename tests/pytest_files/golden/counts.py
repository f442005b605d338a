"""Tests of count_words."""

import pytest

from words import count_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a b a", {"a": 2, "b": 1}, id="twice"),
        pytest.param("", {}, id="empty"),
    ],
)
def test_count_words(text: str, expected: dict[str, int]) -> None:
    assert count_words(text) == expected
