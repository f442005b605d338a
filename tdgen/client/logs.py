"""What a solve tells to Python's `logging`: its events, and what is no TdgenError with its traceback.

Records go to `tdgen.events` and `tdgen.bugs`; nothing is printed unless the program sets up a handler. Of an event only
names, numbers and outcomes are told, as `tdgen_…` in the record: never texts, which may quote the instruction, prompts,
answers or code.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from tdgen.events import Event
from tdgen.protocols import Emit
from tdgen.types import Usage

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
    told: dict[str, Any] = {}
    for name in type(event).model_fields:
        value = getattr(event, name)
        if isinstance(value, Usage):
            told |= {"calls": value.calls, "tokens": value.tokens}
        elif isinstance(value, int | float) or (isinstance(value, str) and name in NAMES):
            told[name] = value
    return told
