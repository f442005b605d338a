import pytest

from solution import Ring


def test_push():
    ring = Ring(2)
    assert [ring.push(item) for item in "abcd"] == [None, None, "a", "b"]
    assert list(ring) == ["c", "d"]
    assert (len(ring), ring.capacity) == (2, 2)


def test_generic():
    ring = Ring[int](3)
    ring.push(5)
    assert list(ring) == [5]
    assert ring == Ring.of([5], 3)


def test_capacity_one():
    ring = Ring(1)
    assert [ring.push(item) for item in "abc"] == [None, "a", "b"]
    assert list(ring) == ["c"]


@pytest.mark.parametrize("capacity", [0, -1])
def test_bad_capacity(capacity):
    ring = Ring.of("ab")
    for call in (lambda: Ring(capacity), lambda: Ring.of("ab", capacity), lambda: ring.resize(capacity)):
        with pytest.raises(ValueError) as caught:
            call()
        assert str(caught.value) == "capacity must be at least 1"
    assert ring == Ring.of("ab", 2)


def test_index():
    ring = Ring.of("abcde", 3)
    assert [ring[0], ring[1], ring[2], ring[-1], ring[-3]] == ["c", "d", "e", "e", "c"]
    for index in (3, -4):
        with pytest.raises(IndexError):
            ring[index]
        with pytest.raises(IndexError):
            ring[index] = "x"
    assert list(ring) == ["c", "d", "e"]


def test_index_of_a_ring_that_is_not_full():
    ring = Ring.of("a", 3)
    assert ring[0] == ring[-1] == "a"
    with pytest.raises(IndexError):
        ring[1]


def test_slice():
    ring = Ring.of("abcde", 4)
    assert ring[1:3] == ["c", "d"]
    assert ring[-2:] == ["d", "e"]
    assert ring[::-1] == ["e", "d", "c", "b"]


def test_replace():
    ring = Ring.of("abc", 3)
    ring[0] = "x"
    ring[-1] = "z"
    assert list(ring) == ["x", "b", "z"]
    assert ring.push("q") == "x"


def test_iteration_and_in():
    ring = Ring.of([1, 2, 3, 4], 3)
    assert list(reversed(ring)) == [4, 3, 2]
    assert 4 in ring
    assert 1 not in ring
    assert list(Ring(2)) == []


def test_resize():
    ring = Ring.of("abcd", 4)
    assert ring.resize(2) == ["a", "b"]
    assert (list(ring), ring.capacity) == (["c", "d"], 2)
    assert ring.resize(3) == []
    assert [ring.push("e"), ring.push("f")] == [None, "c"]
    assert ring.resize(3) == []
    assert list(ring) == ["d", "e", "f"]


def test_resize_to_just_the_number_of_items():
    ring = Ring.of("ab", 9)
    assert ring.resize(2) == []
    assert ring.push("c") == "a"


def test_map():
    ring = Ring.of([1, 2], 3)
    doubled = ring.map(lambda item: item * 2)
    assert (list(doubled), doubled.capacity) == ([2, 4], 3)
    doubled.push(9)
    assert ring == Ring.of([1, 2], 3)
    empty = Ring(4).map(str)
    assert (len(empty), empty.capacity) == (0, 4)


def test_of():
    assert Ring.of(letter for letter in "abc") == Ring.of("abc", 3)
    assert list(Ring.of("abcde", 2)) == ["d", "e"]
    assert Ring.of([], 2).push("a") is None
    with pytest.raises(ValueError) as caught:
        Ring.of([])
    assert str(caught.value) == "capacity must be at least 1"


def test_equality():
    assert Ring.of("xab", 2) == Ring.of("ab")
    assert Ring.of("ab", 2) != Ring.of("ab", 3)
    assert Ring.of("ab") != Ring.of("ba")
    assert Ring.of("ab") != ["a", "b"]
    with pytest.raises(TypeError):
        hash(Ring(1))


def test_repr():
    assert repr(Ring.of("ab", 3)) == "Ring(['a', 'b'], capacity=3)"
    assert repr(Ring(1)) == "Ring([], capacity=1)"
