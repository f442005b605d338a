import pytest

import solution


@pytest.fixture
def at(monkeypatch):
    def patch(now):
        monkeypatch.setattr("time.time", lambda: now)

    patch(1000.9)
    return patch


@pytest.fixture
def path(tmp_path):
    return tmp_path / "job.lock"


def test_acquire(at, path):
    assert solution.acquire(path, "nightly", 600) == 1600
    assert path.read_text() == "nightly 1600\n"


def test_held(at, path):
    path.write_text("nightly 1042\n")
    with pytest.raises(solution.LockHeld) as caught:
        solution.acquire(str(path), "weekly", 600)
    assert (caught.value.owner, caught.value.seconds_left) == ("nightly", 42)
    assert str(caught.value) == "held by nightly for 42 more seconds"
    assert path.read_text() == "nightly 1042\n"


def test_renewed_from_now(at, path):
    solution.acquire(path, "nightly", 600)
    at(1100)
    assert solution.acquire(path, "nightly", 600) == 1700
    assert path.read_text() == "nightly 1700\n"


def test_renewed_to_an_earlier_expiry(at, path):
    solution.acquire(path, "nightly", 600)
    assert solution.acquire(path, "nightly", 10) == 1010
    assert path.read_text() == "nightly 1010\n"


def test_one_second_left(at, path):
    path.write_text("nightly 1001\n")
    with pytest.raises(solution.LockHeld) as caught:
        solution.acquire(path, "weekly", 1)
    assert caught.value.seconds_left == 1


def test_expired_at_its_expiry(at, path):
    path.write_text("nightly 1000\n")
    assert solution.acquire(path, "weekly", 5) == 1005
    assert path.read_text() == "weekly 1005\n"


def test_expired_long_ago(at, path):
    path.write_text("nightly 10\n")
    assert solution.acquire(path, "weekly", 5) == 1005


def test_clock_is_read_anew(at, path):
    solution.acquire(path, "nightly", 10)
    at(1005)
    with pytest.raises(solution.LockHeld) as caught:
        solution.acquire(path, "weekly", 10)
    assert caught.value.seconds_left == 5
    at(1010)
    assert solution.acquire(path, "weekly", 10) == 1020


@pytest.mark.parametrize("text", ["", "garbage\n", "nightly soon\n", "a b 5000\n", "nightly 5000\nnightly 5000\n"])
def test_anything_else_is_no_lock(at, path, text):
    path.write_text(text)
    assert solution.release(path, "weekly") is False
    assert path.read_text() == text
    assert solution.acquire(path, "weekly", 1) == 1001
    assert path.read_text() == "weekly 1001\n"


def test_release(at, path):
    solution.acquire(path, "nightly", 5)
    assert solution.release(path, "nightly") is True
    assert not path.exists()
    assert solution.release(str(path), "nightly") is False


def test_release_own_expired(at, path):
    path.write_text("nightly 5\n")
    assert solution.release(path, "nightly") is True
    assert not path.exists()


@pytest.mark.parametrize("expiry", [5, 5000])
def test_release_of_somebody_else(at, path, expiry):
    path.write_text(f"nightly {expiry}\n")
    with pytest.raises(solution.NotOwner) as caught:
        solution.release(path, "weekly")
    assert caught.value.owner == "nightly"
    assert str(caught.value) == "lock belongs to nightly"
    assert path.read_text() == f"nightly {expiry}\n"


def test_owner_that_begins_alike(at, path):
    path.write_text("nightly2 5000\n")
    with pytest.raises(solution.LockHeld):
        solution.acquire(path, "nightly", 5)
    with pytest.raises(solution.NotOwner):
        solution.release(path, "nightly")
