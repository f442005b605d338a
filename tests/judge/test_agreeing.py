"""When two implementations did the same: compared as the judge compares, as far as the contract cares."""

from __future__ import annotations

import pytest

from tdgen.judge import agree
from tdgen.types import Call, Observation
from tdgen.values.wire import encode

CALL = Call(function="f", arguments=("1",))


@pytest.fixture
def alike(make_spec):
    """Whether two observations agree, whichever comes first."""

    def both(one: Observation, other: Observation, spec=None, call: Call = CALL) -> bool:
        chosen = spec or make_spec()
        found = agree(one, other, call, chosen)
        assert agree(other, one, call, chosen) == found
        return found

    return both


@pytest.fixture
def gave(returned):
    """A call that returned this value."""
    return lambda value, **more: returned(encode(value), **more)


@pytest.mark.parametrize(
    ("one", "other"), [(2, 2), (0.1 + 0.2, 0.3), (float("nan"), float("nan")), ([1, {"a": 2}], [1, {"a": 2}])]
)
def test_the_same_values(alike, gave, one, other):
    """By the judge's relation, so that rounding is no difference."""
    assert alike(gave(one), gave(other))


@pytest.mark.parametrize(
    ("one", "other"), [(2, 3), (True, 1), ([1, 2], [2, 1]), ([1], (1,)), ("a", "b"), (None, 0), ({1: 2}, {1: 3})]
)
def test_other_values(alike, gave, one, other):
    """A bool is no int, and order counts."""
    assert not alike(gave(one), gave(other))


def test_the_contract_says_what_counts(alike, gave, make_spec):
    """Whether order does, and whether 2.0 is 2."""
    assert alike(gave([1, 2]), gave([2, 1]), make_spec("list[int]", unordered=True))
    assert alike(gave(2), gave(2.0), make_spec("float"))
    assert not alike(gave(2), gave(2.0), make_spec("int"))


def test_what_can_not_be_told_as_data(alike, gave):
    """Is alike where all that is told of it is: nothing speaks for a difference. It is never like data."""
    assert alike(gave(object()), gave(object()))
    assert not alike(gave(object()), gave(open))
    assert not alike(gave(object()), gave("an object"))


def test_exceptions_by_their_class(alike, raised):
    """Messages differ between any two authors."""
    assert alike(raised("ValueError", "Exception", message="a"), raised("ValueError", "Exception", message="b"))
    assert not alike(raised("ValueError", "Exception"), raised("KeyError", "LookupError", "Exception"))
    assert not alike(raised("ValueError"), raised("UnicodeError", "ValueError"))


def test_an_exception_is_no_result(alike, raised, gave):
    """Not even None."""
    assert not alike(raised("ValueError"), gave(None))


@pytest.mark.parametrize("status", ["died", "timeout"])
def test_two_that_did_not_end(alike, gave, status):
    """Are alike in that, and like nothing else."""
    ended = Observation(name="case", status=status)
    assert alike(ended, Observation(name="other", status=status))
    assert not alike(ended, gave(2))


@pytest.mark.parametrize(
    "more",
    [{"stdout": "hi\n"}, {"files": {"a.txt": "hi"}}, {"mutated": {"x": [1]}}],
    ids=["printed", "written", "changed"],
)
def test_what_is_done_beside_the_result_counts(alike, gave, raised, more):
    """What was printed or written, or became of an argument, whether it returned or raised."""
    assert alike(gave(2, **more), gave(2, **more))
    assert not alike(gave(2, **more), gave(2))
    assert not alike(raised("ValueError", **more), raised("ValueError"))


def test_arguments_are_changed_alike_as_values_are(alike, gave):
    """Rounding is no difference there either."""
    one, other = (gave(None, mutated={"x": encode([number])}) for number in (0.1 + 0.2, 0.3))
    assert alike(one, other)
    assert not alike(one, gave(None, mutated={"x": encode([0.4])}))
    assert not alike(one, gave(None, mutated={"y": encode([0.3])}))


def test_time_does_not_count(alike, gave):
    """Nor what was said on stderr, nor what it is called."""
    assert alike(gave(2, seconds=0.1, stderr="warning"), gave(2, seconds=3.0).model_copy(update={"name": "other"}))


def test_what_is_looked_at_after_the_call(alike, gave):
    """Counts like what the call gave."""
    assert alike(gave(1, after=(encode([2]),)), gave(1, after=(encode([2]),)))
    assert not alike(gave(1, after=(encode(True),)), gave(1, after=(encode(1),)))
    assert not alike(gave(1, after=(encode(2),)), gave(1))
