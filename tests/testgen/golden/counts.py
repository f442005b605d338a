"""Tests of count_words: Does as its cases say."""

import pytest

from words import count_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a b a", {"a": 2, "b": 1}, id="twice"),
        pytest.param("", {}, id="empty"),
    ],
)
def test_count_words(text, expected):
    result = count_words(text)
    assert result == expected
    assert all(
        isinstance(item, int) and not isinstance(item, bool) for item in result.values()
    )
