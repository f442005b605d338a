import pytest

import solution
from solution import Length


def parts(length):
    return length.feet, length.inches, length.sixteenths


def test_carry():
    assert parts(Length()) == (0, 0, 0)
    assert parts(Length(0, 14)) == (1, 2, 0)
    assert parts(Length(1, 11, 16)) == (2, 0, 0)
    assert parts(Length(sixteenths=400)) == (2, 1, 0)


def test_attributes_are_read_only():
    length = Length(1, 2, 3)
    for name in ("feet", "inches", "sixteenths"):
        with pytest.raises(AttributeError):
            setattr(length, name, 5)
    assert parts(length) == (1, 2, 3)


@pytest.mark.parametrize("numbers", [(-1, 0, 0), (0, -1, 0), (5, 0, -1)])
def test_negative_numbers(numbers):
    with pytest.raises(ValueError):
        Length(*numbers)


def test_add_and_subtract():
    a, b = Length(3, 9, 12), Length(0, 2, 5)
    assert parts(a + b) == (4, 0, 1)
    assert parts(a - b) == (3, 7, 7)
    assert parts(a + b - b) == parts(a) == (3, 9, 12)


def test_below_zero():
    a = Length(1)
    assert parts(a - Length(0, 12)) == (0, 0, 0)
    with pytest.raises(ValueError) as caught:
        a - Length(1, 0, 1)
    assert str(caught.value) == "length below zero"


def test_sum():
    boards = [Length(1, 8), Length(0, 11, 15), Length(0, 0, 1)]
    assert parts(sum(boards)) == (2, 8, 0)
    assert sum(boards[:1]) == boards[0]


def test_times():
    assert parts(Length(0, 7, 9) * 3) == (1, 10, 11)
    assert 3 * Length(0, 7, 9) == Length(0, 7, 9) * 3
    assert parts(Length(4) * 0) == (0, 0, 0)
    with pytest.raises(ValueError):
        Length(1) * -1


def test_pieces_and_rest():
    board, piece = Length(8), Length(1, 7, 4)
    assert board // piece == 4
    assert isinstance(board // piece, int)
    assert parts(board % piece) == (1, 7, 0)
    assert piece * (board // piece) + board % piece == board
    assert piece // board == 0
    for sawn in (lambda: board // Length(), lambda: board % Length()):
        with pytest.raises(ZeroDivisionError):
            sawn()


def test_equality_and_hash():
    assert Length(1, 2) == Length(0, 14)
    assert Length(1, 2) != Length(1, 2, 1)
    assert hash(Length(1, 2)) == hash(Length(0, 14))
    assert len({Length(0, 12), Length(1), Length(0, 0, 192)}) == 1
    assert (Length(1) == 1) is False
    assert Length() != 0
    assert Length(1) != "1'"


def test_order():
    lengths = [Length(1, 0, 1), Length(0, 11, 15), Length(1), Length(0, 13)]
    assert [str(length) for length in sorted(lengths)] == ['11 15/16"', "1'", "1' 1/16\"", "1' 1\""]
    assert Length(1, 0, 2) < Length(1, 0, 3)
    assert Length(1, 0, 3) > Length(1, 0, 2)
    assert Length(1) <= Length(0, 12)
    assert Length(1) >= Length(0, 12)
    assert not Length(1) < Length(0, 12)


def test_other_types():
    for call in (lambda: Length(1) + 1, lambda: Length(1) + "x", lambda: Length(1) < 5, lambda: Length(1) >= 0):
        with pytest.raises(TypeError):
            call()


def test_truth():
    assert not Length()
    assert Length(0, 0, 1)
    assert not Length(2) - Length(2)


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (Length(5, 3, 7), "5' 3 7/16\""),
        (Length(5), "5'"),
        (Length(0, 3, 8), '3 1/2"'),
        (Length(2, 0, 4), "2' 1/4\""),
        (Length(0, 0, 14), '7/8"'),
        (Length(0, 0, 12), '3/4"'),
        (Length(1, 10), "1' 10\""),
        (Length(), '0"'),
        (Length(0, 12), "1'"),
    ],
)
def test_str(length, text):
    assert str(length) == text


def test_operands_stay_as_they_are():
    a, b = solution.Length(2, 3), solution.Length(1, 1)
    total = a
    total += b
    total -= Length(0, 1)
    assert (parts(a), parts(b), parts(total)) == ((2, 3, 0), (1, 1, 0), (3, 3, 0))
