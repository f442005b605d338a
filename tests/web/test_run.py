"""What a user of the page is told to do where a run does not end all green.

One run: a cancel that comes at any moment of its start ends it, and nothing is spent.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tdgen.errors import BudgetSpent, ModelError, PlanError, ReplyError, SandboxError, StoreError
from tdgen.settings import Settings
from tdgen.web import run as running
from tdgen.web.orders import Order, RunRecord
from tdgen.web.run import BUG, Run, advice
from tdgen.web.run_folder import RunFolder

WRONG = "def double(number: int) -> int:\n    return 2 * number if number < 7 else 0"


@pytest.mark.parametrize("kind", [BudgetSpent, ModelError, PlanError, ReplyError, SandboxError, StoreError])
def test_every_error_has_advice_of_its_own(kind):
    """None of which names an option of the command line: there is none on the page."""
    told = advice(kind("what went wrong: raise --budget"))
    assert told != BUG
    assert "--" not in told


def test_a_bug_is_to_be_reported():
    assert advice(KeyError("x")) == BUG


def test_a_runs_record_and_its_last_event_carry_it(serve, solver, double):
    """Of one that failed and of one that is not all green; a green one needs none."""
    model = solver.model(double(WRONG))
    service = serve(model, budget="iterations=1")
    red = service.ended(service.post("Double a number."))
    assert (red["state"], "shows the case that fails" in red["advice"]) == ("red", True)
    *_, last = (event for _, event in service.events(red["id"]))
    assert last["advice"] == red["advice"]


def test_a_green_run_needs_none(serve, solver, double):
    service = serve(solver.model(double()))
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
def runs(tmp_path: Path) -> Iterator[RunFolder]:
    found = RunFolder(tmp_path)
    yield found
    found.close()


@pytest.fixture
def claimed(runs: RunFolder) -> Iterator[Callable[..., Run]]:
    """Take a run that waits."""
    with ExitStack() as opened:

        def claim(**more: Any) -> Run:
            runs.add(RunRecord(id="1", order=Order(instruction="Double it."), created="now", **more), 1)
            found = runs.claim()
            assert found is not None
            opened.callback(found.release)
            return Run(found, runs)

        yield claim


def cancelling(runs: RunFolder, run: Run) -> Callable[[], None]:
    """What ends a run from outside."""

    def cancel() -> None:
        runs.stop("1")
        run.heed()

    return cancel


def test_a_cancel_before_the_generator_is_there(runs: RunFolder, claimed) -> None:
    """Nothing is solved."""
    run = claimed()
    spender = Spender(cancelling(runs, run))
    run.perform(spender)  # type: ignore[arg-type]
    assert (run.record.state, spender.solved) == ("cancelled", 0)


def test_a_cancel_while_the_run_begins(runs: RunFolder, claimed, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not overwritten by the run's own change of state."""
    run = claimed()
    cancel = threading.Thread(target=cancelling(runs, run))
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


def test_a_run_that_was_being_cancelled_when_its_service_ended(claimed) -> None:
    """The next service does not go on with it."""
    run, spender = claimed(state="running", stopping=True), Spender(lambda: None)
    run.perform(spender)  # type: ignore[arg-type]
    assert (run.record.state, spender.solved) == ("cancelled", 0)
