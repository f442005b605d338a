import pytest

import solution


def state(wallet):
    return wallet.balance, wallet.held, wallet.available


def test_new_wallet():
    assert state(solution.Wallet()) == (0, 0, 0)
    assert state(solution.Wallet(900)) == (900, 0, 900)


def test_hold_ties_up_money():
    wallet = solution.Wallet()
    wallet.top_up(1000)
    wallet.hold("R1", 300)
    wallet.hold("R2", 200)
    assert state(wallet) == (1000, 500, 500)


def test_wallets_are_separate():
    one, two = solution.Wallet(500), solution.Wallet(500)
    one.hold("R1", 500)
    assert state(two) == (500, 0, 500)
    two.hold("R1", 100)
    assert state(one) == (500, 500, 0)


def test_capture_less_than_the_deposit():
    wallet = solution.Wallet(1000)
    wallet.hold("R1", 400)
    assert wallet.capture("R1", 150) == 850
    assert state(wallet) == (850, 0, 850)


def test_capture_nothing():
    wallet = solution.Wallet(1000)
    wallet.hold("R1", 400)
    assert wallet.capture("R1", 0) == 1000
    assert state(wallet) == (1000, 0, 1000)


def test_capture_of_a_fully_held_wallet():
    wallet = solution.Wallet(500)
    wallet.hold("R1", 300)
    wallet.hold("R2", 200)
    assert wallet.capture("R1", 300) == 200
    assert state(wallet) == (200, 200, 0)


def test_capture_beyond_the_deposit_to_the_last_cent():
    wallet = solution.Wallet(1000)
    wallet.hold("R1", 300)
    wallet.hold("R2", 200)
    assert wallet.capture("R1", 800) == 200
    assert state(wallet) == (200, 200, 0)


def test_capture_too_much_leaves_the_hold():
    wallet = solution.Wallet(1000)
    wallet.hold("R1", 300)
    wallet.hold("R2", 200)
    with pytest.raises(solution.NotEnough) as caught:
        wallet.capture("R1", 801)
    assert (caught.value.needed, caught.value.available) == (501, 500)
    assert str(caught.value) == "needed 501, available 500"
    assert state(wallet) == (1000, 500, 500)
    assert wallet.release("R1") == 300


def test_hold_needs_available_money():
    wallet = solution.Wallet(1000)
    wallet.hold("R1", 800)
    with pytest.raises(solution.NotEnough) as caught:
        wallet.hold("R2", 201)
    assert (caught.value.needed, caught.value.available) == (201, 200)
    wallet.hold("R2", 200)
    assert state(wallet) == (1000, 1000, 0)


def test_release_and_hold_again():
    wallet = solution.Wallet(100)
    wallet.hold("R1", 100)
    assert wallet.release("R1") == 100
    assert state(wallet) == (100, 0, 100)
    wallet.hold("R1", 60)
    assert wallet.capture("R1", 60) == 40


def test_ride_with_a_hold_already():
    wallet = solution.Wallet(100)
    wallet.hold("R7", 10)
    with pytest.raises(ValueError) as caught:
        wallet.hold("R7", 500)
    assert str(caught.value) == "already held: R7"
    assert state(wallet) == (100, 10, 90)


def test_no_hold():
    wallet = solution.Wallet(100)
    wallet.hold("R1", 10)
    wallet.capture("R1", 10)
    for call in (lambda: wallet.capture("R1", 10_000), lambda: wallet.release("R1")):
        with pytest.raises(LookupError) as caught:
            call()
        assert str(caught.value) == "no hold: R1"
    assert state(wallet) == (90, 0, 90)


def test_bad_amounts_come_first():
    wallet = solution.Wallet(100)
    wallet.hold("R1", 10)
    calls = {
        "0": lambda: wallet.top_up(0),
        "-5": lambda: wallet.hold("R1", -5),
        "-1": lambda: wallet.capture("R9", -1),
    }
    for text, call in calls.items():
        with pytest.raises(ValueError) as caught:
            call()
        assert str(caught.value) == f"bad amount: {text}"
    assert state(wallet) == (100, 10, 90)


def test_not_enough_is_an_exception_of_its_own():
    assert issubclass(solution.NotEnough, Exception)
    assert not issubclass(solution.NotEnough, (ValueError, LookupError))
