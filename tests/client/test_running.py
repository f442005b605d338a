"""What a program's own logging hears of a solve: events with their fields, bugs with tracebacks, and no content."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from tdgen.client.running import heard
from tdgen.settings import Settings

ASKED = "double(number): twice the number, says Xanthippe"


def test_events_are_records(solver, double, caplog):
    """Stages and outcomes at INFO, the model's calls at DEBUG, each with its fields."""
    caplog.set_level(logging.DEBUG, "tdgen")
    solver.solve(double(), text=ASKED)
    ended = next(record for record in caplog.records if record.tdgen_event == "function_ended")
    assert (ended.name, ended.levelname, ended.tdgen_function, ended.tdgen_outcome) == (
        *("tdgen.events", "INFO"),
        *("double", "green"),
    )
    assert ended.getMessage() == "function_ended function=double outcome=green reused=False"
    answered = next(record for record in caplog.records if record.tdgen_event == "model_answered")
    assert (answered.levelname, answered.tdgen_purpose, answered.tdgen_calls) == ("DEBUG", "plan", 1)


def test_no_content_is_told(solver, double, caplog):
    """Neither the instruction's words, nor cases, nor code."""
    caplog.set_level(logging.DEBUG, "tdgen")
    solver.solve(double(), text=ASKED)
    told = " ".join(str(vars(record)) for record in caplog.records)
    assert "plan_made" in told
    assert not [word for word in ("Xanthippe", "Twice the number", "return 2", "double(7)") if word in told]


def test_a_bug_has_its_traceback(solver, caplog):
    """An own model that breaks, for one; it is raised all the same."""

    class Broken:
        def ask(self, request):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        solver.generator(Broken()).solve(ASKED)
    (record,) = [record for record in caplog.records if record.name == "tdgen.bugs"]
    assert record.levelname == "ERROR"
    assert record.exc_info[0] is ZeroDivisionError


def test_nothing_is_printed_of_its_own_accord():
    """The handler of last resort would print an error of a logger that has none."""
    assert any(isinstance(handler, logging.NullHandler) for handler in logging.getLogger("tdgen").handlers)


def test_listeners_are_those_whose_module_the_program_has_imported(register):
    """By the entry point group tdgen.listeners: what one emits to, the next one hears; they end with the run."""
    told = []

    @contextmanager
    def counting(emit, settings):
        yield lambda event: (told.append(settings.trust), emit(event))
        told.append("ended")

    points = [SimpleNamespace(name=name, load=lambda: counting) for name in ("json", "no.such_module")]
    register(tdgen_listeners=points)
    with heard(told.append, Settings(trust="quick")) as emit:
        emit("an event")
    assert told == ["quick", "an event", "ended"]
