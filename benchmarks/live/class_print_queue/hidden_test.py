import pytest

import solution


def filled(limit, names):
    """A queue with a job of one page for each letter, urgent ones in capitals."""
    queue = solution.PrintQueue(limit)
    for name in names:
        queue.submit(name, 1, urgent=name.isupper())
    return queue


def test_first_come_first_served():
    queue = solution.PrintQueue(3)
    assert [queue.submit(name, 1) for name in "abc"] == [1, 2, 3]
    assert [queue.next_job() for _ in range(4)] == ["a", "b", "c", None]


def test_urgent_before_ordinary_behind_urgent():
    queue = solution.PrintQueue(9)
    places = [queue.submit(name, 1, name.isupper()) for name in "aXbYcZ"]
    assert places == [1, 1, 3, 2, 5, 3]
    assert list(queue) == ["X", "Y", "Z", "a", "b", "c"]


def test_example():
    queue = filled(2, "ab")
    assert queue.submit("c", 4, urgent=True) == 1
    assert queue.dropped == ["b"]
    assert list(queue) == ["c", "a"]


def test_full():
    queue = filled(3, "abX")
    with pytest.raises(solution.QueueFull) as caught:
        queue.submit("c", 1)
    assert caught.value.limit == 3
    assert str(caught.value) == "queue is full (3 jobs)"
    assert list(queue) == ["X", "a", "b"]
    assert queue.dropped == []


def test_urgent_jobs_push_out_until_all_are_urgent():
    queue = filled(3, "aXb")
    assert queue.submit("Y", 1, urgent=True) == 2
    assert queue.submit("Z", 1, urgent=True) == 3
    assert queue.dropped == ["b", "a"]
    with pytest.raises(solution.QueueFull):
        queue.submit("W", 1, urgent=True)
    assert list(queue) == ["X", "Y", "Z"]
    assert queue.dropped == ["b", "a"]


def test_already_waiting_is_noticed_first():
    queue = filled(2, "ab")
    for name, urgent in (("a", False), ("a", True), ("b", True)):
        with pytest.raises(ValueError) as caught:
            queue.submit(name, 1, urgent)
        assert str(caught.value) == f"already waiting: {name}"
    assert list(queue) == ["a", "b"]
    assert queue.dropped == []


def test_name_can_come_again_when_printed_dropped_or_cancelled():
    queue = filled(3, "abc")
    queue.submit("X", 1, urgent=True)
    queue.next_job()
    assert queue.submit("c", 1) == 3
    assert queue.next_job() == "a"
    assert queue.submit("a", 1) == 3
    assert queue.cancel("b") is True
    assert queue.submit("b", 1) == 3
    assert list(queue) == ["c", "a", "b"]


def test_cancel():
    queue = filled(3, "abc")
    assert queue.cancel("b") is True
    assert queue.cancel("b") is False
    assert queue.dropped == []
    assert list(queue) == ["a", "c"]
    assert queue.submit("d", 1) == 3


def test_pages_before():
    queue = solution.PrintQueue(4)
    queue.submit("a", 10)
    queue.submit("b", 5)
    queue.submit("X", 2, urgent=True)
    assert [queue.pages_before(name) for name in "Xab"] == [0, 2, 12]
    queue.next_job()
    assert queue.pages_before("b") == 10
    with pytest.raises(LookupError) as caught:
        queue.pages_before("X")
    assert str(caught.value) == "not waiting: X"


def test_len_and_in():
    queue = solution.PrintQueue(2)
    assert len(queue) == 0
    queue.submit("a", 7)
    assert len(queue) == 1
    assert "a" in queue
    assert "b" not in queue
    queue.next_job()
    assert "a" not in queue


def test_loop_removes_nothing():
    queue = filled(3, "abc")
    assert list(queue) == list(queue) == ["a", "b", "c"]
    assert len(queue) == 3


def test_cancelling_in_a_loop():
    queue = filled(4, "abcd")
    seen = []
    for name in queue:
        seen.append(name)
        queue.cancel(name)
    assert seen == ["a", "b", "c", "d"]
    assert len(queue) == 0


def test_queues_are_separate():
    one, two = filled(1, "a"), solution.PrintQueue(1)
    one.submit("X", 1, urgent=True)
    assert (list(two), two.dropped) == ([], [])
