import pytest

import solution


@pytest.fixture
def board():
    return solution.NoticeBoard()


@pytest.fixture
def log():
    return []


def noting(log, name):
    return lambda topic, message: log.append((name, topic, message))


def failing(log, name, error):
    def handler(topic, message):
        log.append((name, topic, message))
        raise error

    return handler


def test_exact_topic(board, log):
    board.subscribe("kitchen.oven", noting(log, "a"))
    assert board.publish("kitchen.oven", "hot") == 1
    assert board.publish("kitchen.oven.door", "open") == 0
    assert board.publish("kitchen", "busy") == 0
    assert log == [("a", "kitchen.oven", "hot")]


@pytest.mark.parametrize(
    ("topic", "number"),
    [("kitchen.oven", 1), ("kitchen.oven.door", 1), ("kitchen", 0), ("kitchenette.oven", 0), ("old.kitchen.oven", 0)],
)
def test_everything_below(board, log, topic, number):
    board.subscribe("kitchen.*", noting(log, "a"))
    assert board.publish(topic, 1) == number
    assert len(log) == number


def test_order(board, log):
    for name, priority in (("a", 0), ("b", 5), ("c", -1), ("d", 5), ("e", 0)):
        board.subscribe("x.*" if name in "bc" else "x.y", noting(log, name), priority)
    assert board.publish("x.y", 1) == 5
    assert [name for name, _, _ in log] == ["b", "d", "a", "e", "c"]


def test_same_handler_twice(board, log):
    handler = noting(log, "a")
    first, second = board.subscribe("x", handler), board.subscribe("x", handler)
    assert board.publish("x", 1) == 2
    first.cancel()
    assert board.publish("x", 2) == 1
    assert [message for _, _, message in log] == [1, 1, 2]
    assert (first.count, second.count) == (1, 2)


def test_subscription(board, log):
    subscription = board.subscribe("x", noting(log, "a"))
    assert isinstance(subscription, solution.Subscription)
    assert (subscription.active, subscription.count) == (True, 0)
    board.publish("x", 1)
    board.publish("x", 2)
    board.publish("y", 3)
    assert subscription.count == 2
    assert [subscription.cancel(), subscription.cancel()] == [True, False]
    assert subscription.active is False
    assert board.publish("x", 4) == 0
    assert subscription.count == 2


def test_failing_handlers(board, log):
    one, two = KeyError("one"), OSError("two")
    subscriptions = [
        board.subscribe("x", handler)
        for handler in (
            failing(log, "a", one),
            noting(log, "b"),
            failing(log, "c", two),
            noting(log, "d"),
            noting(log, "e"),
        )
    ]
    with pytest.raises(solution.DeliveryFailed) as caught:
        board.publish("x", 1)
    assert caught.value.delivered == 3
    assert caught.value.errors == [one, two]
    assert str(caught.value) == "2 of 5 handlers failed"
    assert [name for name, _, _ in log] == ["a", "b", "c", "d", "e"]
    assert [subscription.count for subscription in subscriptions] == [0, 1, 0, 1, 1]


def test_failing_handler_stays_subscribed(board, log):
    subscription = board.subscribe("x", failing(log, "a", ValueError("no")))
    for _ in range(2):
        with pytest.raises(solution.DeliveryFailed) as caught:
            board.publish("x", 1)
        assert str(caught.value) == "1 of 1 handlers failed"
    assert (len(log), subscription.active, subscription.count) == (2, True, 0)


def test_subscribing_during_a_publish(board, log):
    def handler(topic, message):
        log.append(("first", topic, message))
        board.subscribe("x", noting(log, "new"), priority=-1)

    board.subscribe("x", handler)
    assert board.publish("x", 1) == 1
    assert [name for name, _, _ in log] == ["first"]
    assert board.publish("x", 2) == 2
    assert [name for name, _, _ in log] == ["first", "first", "new"]


def test_cancelling_during_a_publish(board, log):
    later = []
    board.subscribe("x", lambda topic, message: later[0].cancel())
    later.append(board.subscribe("x", noting(log, "b")))
    board.subscribe("x", noting(log, "c"))
    assert board.publish("x", 1) == 2
    assert [name for name, _, _ in log] == ["c"]
    assert later[0].count == 0


def test_cancelling_oneself(board, log):
    own = []

    def once(topic, message):
        log.append(("once", topic, message))
        own[0].cancel()

    own.append(board.subscribe("x", once))
    board.subscribe("x", noting(log, "b"))
    assert board.publish("x", 1) == 2
    assert board.publish("x", 2) == 1
    assert [(name, message) for name, _, message in log] == [("once", 1), ("b", 1), ("b", 2)]
    assert own[0].count == 1


def test_publishing_during_a_publish(board, log):
    def relay(topic, message):
        log.append(("a language model", topic, message))
        if message > 0:
            board.publish("x", message - 1)

    board.subscribe("x", relay)
    last = board.subscribe("x", noting(log, "b"))
    assert board.publish("x", 2) == 2
    assert [(name, message) for name, _, message in log] == [
        ("a language model", 2),
        ("a language model", 1),
        ("a language model", 0),
        ("b", 0),
        ("b", 1),
        ("b", 2),
    ]
    assert last.count == 3


def test_boards_are_separate(board, log):
    board.subscribe("x", noting(log, "a"))
    other = solution.NoticeBoard()
    assert other.publish("x", 1) == 0
    assert log == []
