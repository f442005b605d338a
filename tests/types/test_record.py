"""What was paid adds up, also where a price is not known."""

import itertools
from functools import reduce
from operator import add

import pytest

from tdgen.types import Usage

KNOWN = Usage(calls=1, prompt_tokens=10, completion_tokens=5, cost=0.1)
UNKNOWN = Usage(calls=1, prompt_tokens=100, completion_tokens=50)


def test_known_prices_add_up():
    """Without the dust of binary fractions."""
    assert (KNOWN + KNOWN + KNOWN).cost == 0.3
    assert (KNOWN + KNOWN).unpriced == 0


def test_unknown_prices_stay_unknown():
    """They are not nothing."""
    assert (UNKNOWN + UNKNOWN).cost is None
    assert (UNKNOWN + UNKNOWN).tokens == 300


def test_what_is_free_is_known():
    """Nothing is a price."""
    assert (UNKNOWN + UNKNOWN.model_copy(update={"cost": 0.0})).cost == 0.0


@pytest.mark.parametrize("order", list(itertools.permutations([KNOWN, UNKNOWN, KNOWN, UNKNOWN])))
def test_in_whatever_order(order):
    """The known cost, and beside it the tokens that have none."""
    total = reduce(add, order, Usage())
    assert (total.calls, total.tokens, total.cost, total.unpriced) == (4, 330, 0.2, 300)
    halves = (order[0] + order[1]) + (order[2] + order[3])
    assert halves == total
