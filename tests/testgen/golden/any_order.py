"""Tests of anagrams: Does as its cases say."""

from letters import anagrams


def test_anagrams_pair():
    result = anagrams(["ab", "ba", "c"])
    assert sorted(result) == sorted(["ab", "ba"])
    assert isinstance(result, list)


def test_anagrams_none():
    result = anagrams(["ab", "c"])
    assert sorted(result) == sorted([])
    assert isinstance(result, list)
