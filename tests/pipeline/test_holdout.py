"""Which cases no prompt shows: a third, never pinned, never the only one of its kind, and always the same ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdgen.pipeline.testing import hold_out
from tdgen.types import Case, Value


def case(number: int, **more) -> Case:
    fields = {"name": f"case_{number}", "function": "f", "arguments": (str(number),)}
    return Case(**fields | {"expectation": Value(source=str(number))} | more)


@pytest.mark.parametrize(
    ("count", "held_out"), [(0, 0), (1, 0), (2, 0), (3, 1), (5, 1), (6, 2), (8, 2), (9, 3), (60, 20)]
)
def test_a_third_is_held_out_and_of_three_at_least_one(count, held_out):
    """Fewer than three leave none to spare."""
    assert len(hold_out([case(n) for n in range(count)])) == held_out


def test_law_counts_for_nothing():
    """What the user wrote is neither held out nor makes room for it."""
    pinned = [case(n, provenance=("user", "instruction")[n % 2]) for n in range(10)]
    assert hold_out(pinned) == frozenset()
    assert hold_out([*pinned, case(10), case(11)]) == frozenset()
    assert len(hold_out([*pinned, case(10), case(11), case(12)])) == 1


def test_the_only_case_of_its_kind_stays_visible():
    """Without the only error case nobody would know of the error."""
    cases = [*(case(n) for n in range(5)), case(5, kind="error"), case(6, kind="edge")]
    assert not hold_out(cases) & {"case_5", "case_6"}


def test_where_each_is_the_only_one_of_its_kind_one_is_taken_all_the_same():
    """Nothing held out would be worse."""
    assert len(hold_out([case(n, kind=kind) for n, kind in enumerate(("normal", "edge", "error"))])) == 1


def test_a_case_that_another_one_repeats_stays_visible():
    """The other would give it away."""
    cases = [case(n % 2, name=f"case_{n}", arguments=(f" {n % 2} ",) if n > 1 else (str(n % 2),)) for n in range(4)]
    assert hold_out(cases) == frozenset()
    assert hold_out([*cases, case(7)]) == {"case_7"}


@given(st.permutations(range(12)))
def test_the_choice_hangs_on_the_cases_alone(order):
    """Whatever order they come in, so that a rerun chooses alike."""
    assert hold_out([case(n) for n in order]) == hold_out([case(n) for n in range(12)])
