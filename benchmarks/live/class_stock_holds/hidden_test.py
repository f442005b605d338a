import pytest

import solution
from solution import Cancel, Hold, Short, Stock


def test_available_and_unknown():
    stock = Stock({"bolt": 3})
    assert stock.available("bolt") == 3
    assert stock.available("nut") == 0


def test_negative_count():
    with pytest.raises(ValueError):
        Stock({"bolt": 1, "nut": -1})


def test_own_copy():
    counts = {"bolt": 3}
    stock = Stock(counts)
    counts["bolt"] = 9
    assert stock.available("bolt") == 3
    with Hold(stock) as hold:
        hold.take("bolt")
    assert counts == {"bolt": 9}


def test_iteration_ascending_above_zero():
    stock = Stock({"nut": 1, "bolt": 2, "cap": 0})
    assert list(stock) == ["bolt", "nut"]
    with Hold(stock) as hold:
        hold.take("bolt", 2)
        assert list(stock) == ["nut"]


def test_entering_gives_the_hold():
    hold = Hold(Stock({}))
    with hold as given:
        assert given is hold


def test_take_at_once_and_stays():
    stock = Stock({"bolt": 5})
    with Hold(stock) as hold:
        hold.take("bolt", 2)
        hold.take("bolt")
        assert stock.available("bolt") == 2
        assert hold.held == {"bolt": 3}
    assert stock.available("bolt") == 2
    assert hold.held == {"bolt": 3}


def test_take_exactly_all():
    stock = Stock({"bolt": 2})
    with Hold(stock) as hold:
        hold.take("bolt", 2)
    assert stock.available("bolt") == 0


def test_short_takes_nothing():
    stock = Stock({"bolt": 2})
    with Hold(stock) as hold:
        hold.take("bolt")
        with pytest.raises(Short):
            hold.take("bolt", 2)
        with pytest.raises(Short):
            hold.take("nut")
        assert stock.available("bolt") == 1
        assert hold.held == {"bolt": 1}
    assert stock.available("bolt") == 1


def test_short_leaving_the_block_gives_back():
    stock = Stock({"bolt": 2})
    hold = Hold(stock)
    with pytest.raises(Short):
        with hold:
            hold.take("bolt", 2)
            hold.take("bolt")
    assert stock.available("bolt") == 2
    assert hold.held == {}


def test_other_exception_gives_back_and_goes_on():
    stock = Stock({"bolt": 2, "nut": 4})
    with pytest.raises(KeyError):
        with Hold(stock) as hold:
            hold.take("bolt")
            hold.take("nut", 4)
            raise KeyError("x")
    assert stock.available("bolt") == 2
    assert stock.available("nut") == 4
    assert hold.held == {}


def test_cancel_is_swallowed():
    stock = Stock({"bolt": 2})
    with Hold(stock) as hold:
        hold.take("bolt", 2)
        raise Cancel()
    assert stock.available("bolt") == 2
    assert hold.held == {}


def test_subclass_of_cancel_is_swallowed():
    class Later(Cancel):
        pass

    stock = Stock({"bolt": 2})
    with Hold(stock) as hold:
        hold.take("bolt")
        raise Later()
    assert stock.available("bolt") == 2


def test_put_back_some_and_all():
    stock = Stock({"bolt": 5})
    with Hold(stock) as hold:
        hold.take("bolt", 4)
        hold.put_back("bolt", 1)
        assert hold.held == {"bolt": 3}
        assert stock.available("bolt") == 2
        hold.put_back("bolt")
        assert hold.held == {}
        assert stock.available("bolt") == 5
    assert stock.available("bolt") == 5


def test_put_back_none_taken():
    stock = Stock({"bolt": 5})
    with Hold(stock) as hold:
        hold.put_back("bolt")
        hold.put_back("nut")
        assert hold.held == {}
    assert stock.available("bolt") == 5
    assert list(stock) == ["bolt"]


def test_put_back_more_than_held():
    stock = Stock({"bolt": 5})
    with Hold(stock) as hold:
        hold.take("bolt", 2)
        with pytest.raises(Short):
            hold.put_back("bolt", 3)
        with pytest.raises(Short):
            hold.put_back("nut", 1)
        assert hold.held == {"bolt": 2}
        assert stock.available("bolt") == 3


def test_put_back_is_not_given_back_twice():
    stock = Stock({"bolt": 5})
    with Hold(stock) as hold:
        hold.take("bolt", 4)
        hold.put_back("bolt", 3)
        raise Cancel()
    assert stock.available("bolt") == 5


def test_n_below_one():
    stock = Stock({"bolt": 1})
    with Hold(stock) as hold:
        hold.take("bolt")
        with pytest.raises(ValueError):
            hold.take("bolt", 0)
        with pytest.raises(ValueError):
            hold.take("nut", -1)
        with pytest.raises(ValueError):
            hold.put_back("bolt", 0)
        assert hold.held == {"bolt": 1}


def test_outside_the_block():
    stock = Stock({"bolt": 3})
    hold = Hold(stock)
    with pytest.raises(RuntimeError):
        hold.take("bolt", 0)
    with pytest.raises(RuntimeError):
        hold.put_back("bolt")
    with hold:
        hold.take("bolt")
    with pytest.raises(RuntimeError):
        hold.take("bolt")
    with pytest.raises(RuntimeError):
        hold.put_back("bolt")
    assert stock.available("bolt") == 2
    assert hold.held == {"bolt": 1}


def test_enters_once_only():
    stock = Stock({"bolt": 3})
    hold = Hold(stock)
    with hold:
        hold.take("bolt")
        with pytest.raises(RuntimeError):
            with hold:
                pass
        hold.take("bolt")
        assert hold.held == {"bolt": 2}
    with pytest.raises(RuntimeError):
        with hold:
            pass
    assert stock.available("bolt") == 1
    assert hold.held == {"bolt": 2}


def test_nested_holds_give_back_only_their_own():
    stock = Stock({"bolt": 5})
    with Hold(stock) as outer:
        outer.take("bolt", 2)
        with Hold(stock) as inner:
            inner.take("bolt", 3)
            with pytest.raises(Short):
                outer.take("bolt")
            raise Cancel()
        assert inner.held == {}
        assert outer.held == {"bolt": 2}
        assert stock.available("bolt") == 3
    assert stock.available("bolt") == 3
