"""One run: a cancel that comes at any moment of its start ends it, and nothing is spent."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tdgen.settings import Settings
from tdgen.web import run as running
from tdgen.web.orders import Order, RunRecord
from tdgen.web.run import Run


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
