"""Tests of anagrams: Does as its cases say."""

import pytest

from letters import anagrams


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(["ab", "ba", "c"], ["ab", "ba"], id="pair"),
        pytest.param(["ab", "c"], [], id="none"),
    ],
)
def test_anagrams(words, expected):
    result = anagrams(words)
    assert sorted(result) == sorted(expected)
    assert isinstance(result, list)
