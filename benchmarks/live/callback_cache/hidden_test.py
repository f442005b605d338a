import pytest

import solution


def boom(*_):
    raise RuntimeError("must not be called")


def test_miss_loads_and_stores():
    cache = {}
    assert solution.fetch(cache, "a", str.upper, 2) == "A"
    assert cache == {"a": "A"}


def test_hit_does_not_load():
    cache = {"a": 1}
    assert solution.fetch(cache, "a", boom, 2) == 1


def test_hit_moves_to_the_end():
    cache = {"a": 1, "b": 2, "c": 3}
    solution.fetch(cache, "a", boom, 3)
    assert list(cache.items()) == [("b", 2), ("c", 3), ("a", 1)]


def test_cached_none_and_other_empty_values():
    cache = {"a": None, "b": 0}
    assert solution.fetch(cache, "a", boom, 2) is None
    assert solution.fetch(cache, "b", boom, 2) == 0
    assert list(cache) == ["a", "b"]


def test_none_is_stored():
    cache = {}
    assert solution.fetch(cache, "a", lambda key: None, 2) is None
    assert cache == {"a": None}


def test_evicts_the_least_recently_used():
    cache = {"a": 1, "b": 2}
    seen = []
    solution.fetch(cache, "a", boom, 2)
    solution.fetch(cache, "c", lambda key: 3, 2, lambda key, value: seen.append((key, value)))
    assert list(cache.items()) == [("a", 1), ("c", 3)]
    assert seen == [("b", 2)]


def test_evicts_several():
    cache = {"a": 1, "b": 2, "c": 3, "d": 4}
    seen = []
    solution.fetch(cache, "e", lambda key: 5, 2, lambda key, value: seen.append((key, value)))
    assert cache == {"d": 4, "e": 5}
    assert seen == [("a", 1), ("b", 2), ("c", 3)]


def test_hit_over_the_limit_evicts_nothing():
    cache = {"a": 1, "b": 2, "c": 3}
    assert solution.fetch(cache, "b", boom, 1, boom) == 2
    assert list(cache) == ["a", "c", "b"]


def test_callback_sees_the_entry_gone():
    cache = {"a": 1, "b": 2}
    seen = []
    solution.fetch(cache, "c", lambda key: 3, 1, lambda key, value: seen.append((key, key in cache)))
    assert seen == [("a", False), ("b", False)]


def test_failing_load_changes_nothing():
    cache = {"a": 1, "b": 2}
    with pytest.raises(RuntimeError):
        solution.fetch(cache, "c", boom, 1, boom)
    assert list(cache.items()) == [("a", 1), ("b", 2)]


def test_bad_limit_first():
    cache = {"a": 1, "b": 2}
    for key in ("a", "c"):
        with pytest.raises(ValueError) as caught:
            solution.fetch(cache, key, boom, 0)
        assert str(caught.value) == "limit must be at least 1"
    assert list(cache) == ["a", "b"]


def test_drop():
    cache = {"a": 1, "b": 2, "c": 3, "d": 4}
    seen = []
    assert solution.drop(cache, lambda key, value: value % 2 == 0, lambda key, value: seen.append((key, value))) == 2
    assert list(cache.items()) == [("a", 1), ("c", 3)]
    assert seen == [("b", 2), ("d", 4)]


def test_drop_without_callback_and_none_picked():
    cache = {"a": 1}
    assert solution.drop(cache, lambda key, value: False) == 0
    assert cache == {"a": 1}
    assert solution.drop(cache, lambda key, value: True) == 1
    assert cache == {}


def test_drop_callback_sees_the_entry_gone():
    cache = {"a": 1, "b": 2}
    seen = []
    solution.drop(cache, lambda key, value: True, lambda key, value: seen.append(list(cache)))
    assert seen[-1] == []
    assert "a" not in seen[0]


def test_drop_with_failing_predicate():
    cache = {"a": 1, "b": 0, "c": 2}
    with pytest.raises(ZeroDivisionError):
        solution.drop(cache, lambda key, value: 1 // value, boom)
    assert list(cache.items()) == [("a", 1), ("b", 0), ("c", 2)]
