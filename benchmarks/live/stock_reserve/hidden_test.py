import pytest

import solution


def test_takes_pieces_in_place_and_returns_the_same_dict():
    stock = {"mug": 5, "cap": 2}
    assert solution.reserve(stock, [("mug", 3)]) is stock
    assert stock == {"mug": 2, "cap": 2}


def test_last_piece_leaves_zero():
    stock = {"mug": 3}
    solution.reserve(stock, [("mug", 3)])
    assert stock == {"mug": 0}


def test_too_little():
    stock = {"cap": 9, "mug": 3}
    with pytest.raises(solution.OutOfStock) as caught:
        solution.reserve(stock, [("cap", 1), ("mug", 5)])
    assert (caught.value.sku, caught.value.wanted, caught.value.available) == ("mug", 5, 3)
    assert str(caught.value) == "mug: wanted 5, available 3"
    assert stock == {"cap": 9, "mug": 3}


def test_exception_is_an_exception_of_its_own():
    assert issubclass(solution.OutOfStock, Exception)
    assert not issubclass(solution.OutOfStock, ValueError)


def test_same_sku_twice_is_summed():
    stock = {"mug": 5}
    solution.reserve(stock, [("mug", 2), ("mug", 3)])
    assert stock == {"mug": 0}


def test_same_sku_twice_too_little_together():
    stock = {"mug": 5}
    with pytest.raises(solution.OutOfStock) as caught:
        solution.reserve(stock, [("mug", 3), ("mug", 3)])
    assert (caught.value.wanted, caught.value.available) == (6, 5)
    assert stock == {"mug": 5}


def test_unknown_sku_is_not_added():
    stock = {"mug": 5}
    with pytest.raises(solution.OutOfStock) as caught:
        solution.reserve(stock, [("mug", 1), ("hat", 1)])
    assert str(caught.value) == "hat: wanted 1, available 0"
    assert stock == {"mug": 5}


def test_first_of_the_order_is_reported():
    stock = {"a": 0, "b": 3, "c": 0}
    with pytest.raises(solution.OutOfStock) as caught:
        solution.reserve(stock, [("b", 2), ("c", 1), ("a", 1), ("b", 2)])
    assert caught.value.sku == "b"
    assert caught.value.wanted == 4


def test_bad_quantity_before_stock():
    stock = {"mug": 1}
    with pytest.raises(ValueError) as caught:
        solution.reserve(stock, [("mug", 5), ("cap", 0), ("hat", -1)])
    assert str(caught.value) == "bad quantity for cap: 0"
    assert stock == {"mug": 1}


def test_empty_order():
    stock = {"mug": 1}
    assert solution.reserve(stock, []) is stock
    assert stock == {"mug": 1}


def test_low_stock_is_inclusive_and_sorted(capsys):
    assert solution.low_stock({"mug": 2, "cap": 3, "ant": 2, "hat": 0, "pen": 4}, 3) is None
    assert capsys.readouterr().out == "hat: 0\nant: 2\nmug: 2\ncap: 3\n"


def test_low_stock_three_equal(capsys):
    solution.low_stock({"c": 1, "a": 1, "b": 1}, 1)
    assert capsys.readouterr().out == "a: 1\nb: 1\nc: 1\n"


def test_low_stock_none(capsys):
    solution.low_stock({"mug": 2}, 1)
    assert capsys.readouterr().out == "all good\n"
