"""What a user of the page is told to do where a run does not end all green."""

from __future__ import annotations

import pytest

from tdgen.errors import BudgetSpent, ModelError, PlanError, ReplyError, SandboxError, StoreError
from tdgen.web.advice import BUG, advice

WRONG = "def double(number: int) -> int:\n    return 2 * number if number < 7 else 0"


@pytest.mark.parametrize("kind", [BudgetSpent, ModelError, PlanError, ReplyError, SandboxError, StoreError])
def test_every_error_has_advice_of_its_own(kind):
    """None of which names an option of the command line: there is none on the page."""
    told = advice(kind("what went wrong: raise --budget"))
    assert told != BUG
    assert "--" not in told


def test_a_bug_is_to_be_reported():
    assert advice(KeyError("x")) == BUG


def test_a_runs_record_and_its_last_event_carry_it(serve, studio, double):
    """Of one that failed and of one that is not all green; a green one needs none."""
    model = studio.model(double(WRONG))
    service = serve(model, budget="iterations=1")
    red = service.ended(service.post("Double a number."))
    assert (red["state"], "shows the case that fails" in red["advice"]) == ("red", True)
    *_, last = (event for _, event in service.events(red["id"]))
    assert last["advice"] == red["advice"]


def test_a_green_run_needs_none(serve, studio, double):
    service = serve(studio.model(double()))
    done = service.ended(service.post("Double a number."))
    assert (done["state"], done["advice"], done["names"]) == ("green", "", ["double"])
