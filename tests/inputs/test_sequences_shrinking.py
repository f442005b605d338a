"""What was found on a sequence of calls is shown by the shortest one that still shows it."""

from __future__ import annotations

from tdgen.inputs.sequences import shortest
from tdgen.types import Call

LONG = Call(
    function="Till",
    setup="till = Till(1)\ntill.pay_in(5)\nwith contextlib.suppress(ValueError):\n    till.take(3)\ntill.pay_in(2)",
    call="till.balance",
)


def needs(*lines):
    """Finds what it looks for after each of these lines, in this order."""

    def holds(calls):
        return [
            [line for line in one.setup.splitlines() if line.strip() in lines] != []
            and all(any(line == there.strip() for there in one.setup.splitlines()) for line in lines)
            for one in calls
        ]

    return holds


def test_steps_that_are_not_needed_go():
    """One after the other, as long as what was found is still there."""
    assert shortest(LONG, needs("till = Till(1)", "till.pay_in(2)")).setup == "till = Till(1)\ntill.pay_in(2)"


def test_a_guard_that_is_not_needed_goes_too():
    """The step in it stays where it is."""
    assert shortest(LONG, needs("till = Till(1)", "till.take(3)")).setup == "till = Till(1)\ntill.take(3)"


def test_what_a_call_reads_stays_bound():
    """Whatever else would show what was found: a name that nothing binds is no fault of the code."""
    assert shortest(LONG, lambda calls: [True] * len(calls)).setup == "till = Till(1)"


def test_where_all_is_needed_nothing_changes():
    """Also of what is no Python."""
    assert shortest(LONG, lambda calls: [False] * len(calls)) is LONG
    broken = LONG.model_copy(update={"setup": "("})
    assert shortest(broken, lambda calls: [True] * len(calls)) is broken
