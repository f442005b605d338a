"""What work that is no run spends of its caller's day."""

from __future__ import annotations

import pytest

from tdgen.events import BudgetTold
from tdgen.settings import Budget
from tdgen.types import Usage
from tdgen.web.accounts import Reserved, left_today, metrics
from tdgen.web.callers import Caller
from tdgen.web.orders import Full
from tdgen.web.run_folder import RunFolder

CI = Caller(name="ci", token="a-token-of-some-length", daily="calls=10")


@pytest.fixture
def runs(tmp_path):
    """Where runs and accounts lie."""
    runs = RunFolder(tmp_path)
    yield runs
    runs.close()


def test_what_it_may_spend_counts_until_it_ends(runs):
    """Then what it did spend; so much is told in the metrics."""
    work = Reserved(CI, "calls=8", runs)
    assert left_today(CI, runs, Budget()) == {"calls": 2}
    work.hear(BudgetTold(usage=Usage(calls=3, prompt_tokens=5)))
    work.settle()
    assert left_today(CI, runs, Budget()) == {"calls": 7}
    assert 'tdgen_calls_total{token="ci"} 3' in metrics(runs)


def test_no_more_is_begun_than_the_day_has_left(runs):
    """Also where what goes on is no run."""
    Reserved(CI, "calls=10", runs)
    with pytest.raises(Full, match="calls=10 of the day"):
        left_today(CI, runs, Budget())


def test_nobody_in_particular_has_no_day(runs):
    """What is spent is told all the same."""
    work = Reserved(Caller(), "calls=8", runs)
    work.hear(BudgetTold(usage=Usage(calls=3)))
    work.settle()
    assert 'tdgen_calls_total{token=""} 3' in metrics(runs)
