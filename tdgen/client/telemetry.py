"""What a run tells to the program around it: listeners of installed packages, and records for Python's `logging`.

A listener is registered under the name of a module, such as `opentelemetry.trace`, and hears of runs in programs that
have imported it: where none has, nothing of it is imported here either. `logging` hears the events, and what is no
TdgenError with its traceback.

Records go to `tdgen.events` and `tdgen.bugs`; nothing is printed unless the program sets up a handler. Of an event only
names, numbers and outcomes are told, as `tdgen_…` in the record: never texts, which may quote the instruction, prompts,
answers or code.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from tdgen.events import Event
from tdgen.extensions import LISTENERS, load, registered
from tdgen.protocols import Emit
from tdgen.settings import Settings
from tdgen.types import Usage


@contextmanager
def heard(emit: Emit, settings: Settings) -> Iterator[Emit]:
    """A run, heard by the listeners whose modules this program has imported: what is given emits to them too."""
    with ExitStack() as listening:
        for module, point in registered(LISTENERS).items():
            if module in sys.modules:
                emit = listening.enter_context(load(point)(emit, settings))
        yield emit


EVENTS: Final = logging.getLogger("tdgen.events")
BUGS: Final = logging.getLogger("tdgen.bugs")
logging.getLogger("tdgen").addHandler(logging.NullHandler())  # else Python itself would print errors

NAMES: Final = frozenset({"stage", "function", "outcome", "purpose", "subject", "error"})
"""The fields of events that are texts, and are told: each is a name of the plan's or of tdgen's own."""
OFTEN: Final = frozenset({"model_wrote", "model_asked", "model_answered", "budget_told", "attempt_started"})
"""The kinds of events that are told at DEBUG; all others at INFO."""


def logged(emit: Emit) -> Emit:
    """Log each event, and emit it."""

    def told(event: Event) -> None:
        level = logging.DEBUG if event.kind in OFTEN else logging.INFO
        if EVENTS.isEnabledFor(level):
            fields = _fields(event)
            words = " ".join(f"{name}={value}" for name, value in fields.items())
            extra = {"tdgen_event": event.kind} | {f"tdgen_{name}": value for name, value in fields.items()}
            EVENTS.log(level, "%s %s", event.kind, words, extra=extra)
        emit(event)

    return told


def log_bug(error: Exception) -> None:
    """Log what is no TdgenError: a bug of tdgen's, or of what the caller handed in."""
    BUGS.error("a solve ended by %s, which is no TdgenError", type(error).__name__, exc_info=error)


def _fields(event: Event) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name in type(event).model_fields:
        value = getattr(event, name)
        if isinstance(value, Usage):
            fields |= {"calls": value.calls, "tokens": value.tokens}
        elif isinstance(value, int | float) or (isinstance(value, str) and name in NAMES):
            fields[name] = value
    return fields
