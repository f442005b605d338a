import logging

import pytest

import solution


def actor(*results):
    """An action that raises or returns one result after the other."""
    left = list(results)

    def action():
        result = left.pop(0)
        if isinstance(result, Exception):
            raise result
        return result

    action.left = left
    return action


def busy(**fields):
    return solution.TemporaryError("busy", **fields)


def test_error_fields():
    assert busy().retry_after is None
    assert busy(retry_after=3).retry_after == 3
    assert str(busy(retry_after=3)) == "busy"


def test_success_at_once(caplog):
    caplog.set_level(logging.DEBUG)
    waits = []
    assert solution.call_with_retry(actor(7), 3, 1, waits.append) == 7
    assert waits == []
    assert caplog.record_tuples == []


def test_result_none_is_a_result():
    assert solution.call_with_retry(actor(None, 5), 3, 1, lambda seconds: None) is None


def test_success_after_failures(caplog):
    caplog.set_level(logging.DEBUG)
    waits = []
    assert solution.call_with_retry(actor(busy(), busy(), "ok"), 3, 1, waits.append) == "ok"
    assert waits == [1, 2]
    assert caplog.record_tuples == [
        ("retry", logging.WARNING, "attempt 1 of 3 failed: busy"),
        ("retry", logging.WARNING, "attempt 2 of 3 failed: busy"),
    ]


def test_doubling():
    waits = []
    solution.call_with_retry(actor(busy(), busy(), busy(), busy(), 1), 5, 0.5, waits.append)
    assert waits == [0.5, 1, 2, 4]


def test_gave_up(caplog):
    caplog.set_level(logging.DEBUG)
    waits = []
    last = solution.TemporaryError("still busy")
    with pytest.raises(solution.GaveUp) as caught:
        solution.call_with_retry(actor(busy(), busy(), last), 3, 1, waits.append)
    assert caught.value.attempts == 3
    assert caught.value.last is last
    assert caught.value.__cause__ is last
    assert str(caught.value) == "gave up after 3 attempts: still busy"
    assert waits == [1, 2]
    assert caplog.record_tuples[-1] == ("retry", logging.ERROR, "attempt 3 of 3 failed: still busy")
    assert [record.levelno for record in caplog.records] == [logging.WARNING, logging.WARNING, logging.ERROR]


def test_retry_after_counts_on():
    waits = []
    solution.call_with_retry(actor(busy(retry_after=9), busy(), busy(), 1), 4, 1, waits.append)
    assert waits == [9, 2, 4]


def test_retry_after_shorter():
    waits = []
    solution.call_with_retry(actor(busy(), busy(retry_after=1), 1), 4, 10, waits.append)
    assert waits == [10, 1]


def test_retry_after_zero():
    waits = []
    solution.call_with_retry(actor(busy(retry_after=0), busy(), 1), 4, 5, waits.append)
    assert waits == [0, 10]


def test_single_attempt(caplog):
    caplog.set_level(logging.DEBUG)
    waits = []
    with pytest.raises(solution.GaveUp):
        solution.call_with_retry(actor(busy(retry_after=4)), 1, 1, waits.append)
    assert waits == []
    assert caplog.record_tuples == [("retry", logging.ERROR, "attempt 1 of 1 failed: busy")]


def test_no_call_after_the_last():
    action = actor(busy(), busy(), "never")
    with pytest.raises(solution.GaveUp):
        solution.call_with_retry(action, 2, 1, lambda seconds: None)
    assert action.left == ["never"]


def test_other_exceptions_go_through(caplog):
    caplog.set_level(logging.DEBUG)
    waits = []
    action = actor(KeyError("x"), 1)
    with pytest.raises(KeyError):
        solution.call_with_retry(action, 3, 1, waits.append)
    assert action.left == [1]
    assert waits == []
    assert caplog.record_tuples == []


def test_bad_attempts():
    action = actor(1)
    with pytest.raises(ValueError) as caught:
        solution.call_with_retry(action, 0, 1, lambda seconds: None)
    assert str(caught.value) == "attempts must be at least 1"
    assert action.left == [1]
