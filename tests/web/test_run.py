"""What a user of the page is told to do where a run does not end all green.

One run: a cancel that comes at any moment of its start ends it, and nothing is spent.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tdgen.errors import BudgetSpent, ModelError, PlanError, ReplyError, SandboxError, StoreError
from tdgen.settings import Settings
from tdgen.web import run as running
from tdgen.web.orders import Order, RunRecord
from tdgen.web.run import BUG, Run, advice

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


class Spender:
    """A generator that counts what it is asked to solve; `meanwhile` is called while another is made of it."""

    settings = Settings(api_key="")

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        self._meanwhile = meanwhile
        self.solved = 0

    def under(self, **_: Any) -> Spender:
        self._meanwhile()
        return self

    def solve(self, *_: Any) -> None:
        self.solved += 1

    def cancel(self) -> None:
        pass


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path, RunRecord(id="1", order=Order(instruction="Double it."), created="now"))


def test_a_cancel_before_the_generator_is_there(run: Run) -> None:
    """Nothing is solved."""
    spender = Spender(run.cancel)
    run.perform(spender)  # type: ignore[arg-type]
    assert (run.record.state, spender.solved) == ("cancelled", 0)


def test_a_cancel_while_the_run_begins(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not overwritten by the run's own change of state."""
    cancel = threading.Thread(target=run.cancel)
    moment = running.now

    def cancelled_meanwhile() -> str:
        if cancel.ident is None:
            cancel.start()
            cancel.join(0.5)  # for good where nothing keeps it from ending the run now
        return moment()

    monkeypatch.setattr(running, "now", cancelled_meanwhile)
    spender = Spender(cancel.join)
    run.perform(spender)  # type: ignore[arg-type]
    assert (run.record.state, spender.solved) == ("cancelled", 0)


def test_a_run_that_was_being_cancelled_when_its_service_ended(tmp_path: Path) -> None:
    """The next service does not go on with it."""
    record = RunRecord(id="1", order=Order(instruction="Double it."), created="now", state="running", stopping=True)
    run, spender = Run(tmp_path, record), Spender(lambda: None)
    run.perform(spender)  # type: ignore[arg-type]
    assert (run.record.state, spender.solved) == ("cancelled", 0)
