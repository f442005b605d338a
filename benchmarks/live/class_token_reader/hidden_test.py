import pytest

import solution
from solution import Reader


def watched(items):
    """An iterable and the list of what has been pulled from it."""
    pulled = []

    def pull():
        for item in items:
            pulled.append(item)
            yield item

    return pull(), pulled


def test_iterates():
    reader = Reader("abc")
    assert iter(reader) is reader
    assert next(reader) == "a"
    assert list(reader) == ["b", "c"]
    for _ in range(2):
        with pytest.raises(StopIteration):
            next(reader)
    assert reader.position == 3


def test_peek():
    reader = Reader("abc")
    assert [reader.peek(), reader.peek(2), reader.peek(1), reader.peek(0)] == ["a", "c", "b", "a"]
    assert reader.position == 0
    assert list(reader) == ["a", "b", "c"]


def test_peek_too_far():
    reader = Reader(["a", "b"])
    with pytest.raises(solution.EndOfItems):
        reader.peek(2)
    assert next(reader) == "a"
    with pytest.raises(LookupError):
        reader.peek(1)
    assert list(reader) == ["b"]
    with pytest.raises(solution.EndOfItems):
        reader.peek()


def test_push_back():
    reader = Reader([1, 2, 3])
    next(reader), next(reader)
    reader.push_back("a")
    reader.push_back("b")
    assert reader.position == 0
    assert reader.peek(1) == "a"
    assert list(reader) == ["b", "a", 3]
    assert reader.position == 3


def test_push_back_before_peeked_items():
    reader = Reader([1, 2, 3])
    assert next(reader) == 1
    assert reader.peek(1) == 3
    reader.push_back(0)
    assert list(reader) == [0, 2, 3]


def test_push_back_more_than_consumed():
    reader = Reader([1])
    for _ in range(2):
        with pytest.raises(ValueError) as caught:
            reader.push_back(5)
        assert str(caught.value) == "nothing consumed"
    next(reader)
    reader.push_back(5)
    with pytest.raises(ValueError):
        reader.push_back(6)
    assert list(reader) == [5]


def test_push_back_after_the_end():
    reader = Reader("a")
    assert list(reader) == ["a"]
    assert reader.at_end is True
    reader.push_back("z")
    assert reader.at_end is False
    assert list(reader) == ["z"]
    with pytest.raises(StopIteration):
        next(reader)


def test_take_while():
    reader = Reader("123+45")
    assert reader.take_while(str.isdigit) == ["1", "2", "3"]
    assert reader.position == 3
    assert reader.take_while(str.isdigit) == []
    assert next(reader) == "+"
    assert reader.take_while(str.isdigit) == ["4", "5"]
    assert reader.take_while(str.isdigit) == []
    assert reader.position == 6


def test_expect():
    reader = Reader("(x)")
    assert reader.expect("(") == "("
    with pytest.raises(solution.Unexpected) as caught:
        reader.expect(")")
    error = caught.value
    assert (error.position, error.wanted, error.found) == (1, ")", "x")
    assert str(error) == "at 1: wanted ')', found 'x'"
    assert reader.position == 1
    assert [reader.expect("x"), reader.expect(")")] == ["x", ")"]


def test_expect_at_the_end():
    reader = Reader("ab")
    reader.take_while(str.isalpha)
    with pytest.raises(solution.Unexpected) as caught:
        reader.expect(")")
    assert (caught.value.position, caught.value.wanted, caught.value.found) == (2, ")", None)
    assert str(caught.value) == "at 2: wanted ')', found nothing"


def test_none_is_an_item():
    reader = Reader([None, None, 0, None])
    assert reader.at_end is False
    assert reader.peek() is None
    assert reader.expect(None) is None
    assert reader.take_while(lambda item: item is None) == [None]
    with pytest.raises(solution.Unexpected) as caught:
        reader.expect(None)
    assert caught.value.found == 0
    assert next(reader) == 0
    with pytest.raises(solution.Unexpected) as caught:
        reader.expect(1)
    assert str(caught.value) == "at 3: wanted 1, found None"
    assert next(reader) is None
    with pytest.raises(solution.Unexpected):
        reader.expect(None)


def test_at_end():
    reader = Reader("a")
    assert reader.at_end is False
    assert reader.position == 0
    next(reader)
    assert reader.at_end is True
    assert Reader([]).at_end is True


def test_lazy():
    items, pulled = watched("abcdef")
    reader = Reader(items)
    assert pulled == []
    assert reader.at_end is False
    assert pulled == ["a"]
    next(reader)
    assert pulled == ["a"]
    reader.peek(1)
    assert pulled == ["a", "b", "c"]
    reader.take_while(lambda item: item < "d")
    assert pulled == ["a", "b", "c", "d"]
    reader.push_back("x")
    reader.expect("x")
    assert pulled == ["a", "b", "c", "d"]


def test_readers_are_separate():
    one, two = Reader("ab"), Reader("ab")
    one.peek(1)
    next(one)
    assert (two.position, list(two)) == (0, ["a", "b"])
