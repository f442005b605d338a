"""Tests of anagrams."""

import pytest

from letters import anagrams


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(["ab", "ba", "c"], ["ab", "ba"], id="pair"),
        pytest.param(["ab", "c"], [], id="none"),
    ],
)
def test_anagrams(words: list[str], expected: list[str]) -> None:
    assert sorted(anagrams(words)) == expected
