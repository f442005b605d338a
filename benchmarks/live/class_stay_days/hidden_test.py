from datetime import date

import pytest

from solution import Stay, merge_stays


def may(first, last):
    return Stay(date(2024, 5, first), date(2024, 5, last))


def test_nights():
    stay = Stay(date(2024, 2, 27), date(2024, 3, 1))
    assert (stay.arrival, stay.departure) == (date(2024, 2, 27), date(2024, 3, 1))
    assert len(stay) == 3
    assert list(stay) == [date(2024, 2, 27), date(2024, 2, 28), date(2024, 2, 29)]
    assert list(stay) == list(stay)


@pytest.mark.parametrize(("first", "last"), [(5, 5), (6, 5)])
def test_departure_after_arrival(first, last):
    with pytest.raises(ValueError) as caught:
        may(first, last)
    assert str(caught.value) == "departure must be after arrival"


def test_contains():
    stay = may(10, 12)
    assert [day for day in range(8, 15) if date(2024, 5, day) in stay] == [10, 11]
    assert "2024-05-10" not in stay
    assert 10 not in stay
    assert None not in stay


def test_index():
    stay = may(10, 14)
    assert stay[0] == date(2024, 5, 10)
    assert stay[3] == stay[-1] == date(2024, 5, 13)
    for index in (4, -5):
        with pytest.raises(IndexError):
            stay[index]


def test_slice():
    stay = may(10, 14)
    assert stay[1:3] == [date(2024, 5, 11), date(2024, 5, 12)]
    assert stay[::-2] == [date(2024, 5, 13), date(2024, 5, 11)]
    assert stay[9:] == []


def test_shared_nights():
    assert may(1, 10) & may(8, 20) == may(8, 10)
    assert may(8, 20) & may(1, 10) == may(8, 10)
    assert may(1, 20) & may(5, 6) == may(5, 6)


def test_no_shared_nights():
    assert may(1, 5) & may(5, 9) is None
    assert may(5, 9) & may(1, 5) is None
    assert may(1, 5) & may(7, 9) is None


def test_join():
    assert may(1, 10) | may(8, 20) == may(1, 20)
    assert may(5, 9) | may(1, 5) == may(1, 9)
    assert may(1, 5) | may(5, 9) == may(1, 9)
    assert may(1, 20) | may(5, 6) == may(1, 20)
    for a, b in ((may(1, 5), may(6, 9)), (may(6, 9), may(1, 5))):
        with pytest.raises(ValueError) as caught:
            a | b
        assert str(caught.value) == "stays are apart"


def test_equal_and_hash():
    assert may(1, 5) == may(1, 5)
    assert may(1, 5) != may(1, 6)
    assert may(1, 5) != "2024-05-01..2024-05-05"
    assert len({may(1, 5), may(1, 5), may(2, 5)}) == 2


def test_sorted():
    stays = [may(3, 5), may(1, 9), may(3, 4), may(1, 2)]
    assert sorted(stays) == [may(1, 2), may(1, 9), may(3, 4), may(3, 5)]
    assert max(stays) == may(3, 5)


def test_text_and_back():
    stay = Stay(date(2024, 2, 27), date(2024, 3, 1))
    assert str(stay) == "2024-02-27..2024-03-01"
    assert Stay.parse(str(stay)) == stay
    assert Stay.parse("  2024-02-27..2024-03-01\n") == stay


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2024-02-27",
        "2024-02-27 .. 2024-03-01",
        "2024-02-30..2024-03-01",
        "2024-03-01..2024-03-01",
        "2024-2-27..2024-03-01",
    ],
)
def test_bad_text(text):
    with pytest.raises(ValueError):
        Stay.parse(text)


def test_of_nights():
    assert Stay.of_nights(date(2023, 12, 30), 3) == Stay(date(2023, 12, 30), date(2024, 1, 2))
    with pytest.raises(ValueError):
        Stay.of_nights(date(2024, 5, 1), 0)


def test_merge():
    stays = [may(20, 22), may(1, 10), may(3, 5), may(10, 12), may(14, 15)]
    before = list(stays)
    assert merge_stays(stays) == [may(1, 12), may(14, 15), may(20, 22)]
    assert stays == before


def test_merge_a_long_one_with_several_inside():
    assert merge_stays([may(2, 4), may(1, 20), may(5, 6), may(18, 25), may(26, 27)]) == [may(1, 25), may(26, 27)]
    assert merge_stays([]) == []
    assert merge_stays([may(1, 3), may(1, 3)]) == [may(1, 3)]
