"""A run: its key held alone, its journal from the first answer to the end, how it ends in it, and who hears of it.

A listener of an installed package is registered under the name of a module, such as `opentelemetry.trace`, and hears of
runs in programs that have imported it: where none has, nothing of it is imported here either. Python's `logging` hears
the events, by `tdgen.events`, and what is no TdgenError with its traceback, by `tdgen.bugs`; nothing is printed unless
the program sets up a handler. Of an event only names, numbers and outcomes are told, as `tdgen_…` in the record: never
texts, which may quote the instruction, prompts, answers or code.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tdgen.cache import Journal
from tdgen.errors import BudgetSpent, Cancelled, OutOfScope, PlanError, TdgenError
from tdgen.events import Event
from tdgen.extensions import LISTENERS, load, registered
from tdgen.protocols import Ask, Emit, Sandbox
from tdgen.runtime import Runtime
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.types import Asked, FileJob, FileReport, Job, Layer, Report, Usage

if TYPE_CHECKING:
    from tdgen.models import Ledger
    from tdgen.pipeline import Tools

PATIENCE_S: Final = 5.0
"""How long a run that fails waits for answers that are on their way."""
MOMENT_S: Final = 0.1
"""The same of a run that is cancelled at once: an answer that is there is still written to the journal."""


class Account(NamedTuple):
    """What a run costs, who is told what happens in it, and its name: see `Journal.begin_anew`."""

    ledger: Ledger
    emit: Emit
    run: str


class Session(NamedTuple):
    """What work beside a solve is done with: the tools of a run, its account, and its journal, open until it ends."""

    tools: Tools
    ledger: Ledger
    journal: Journal


@contextmanager
def alone(runtime: Runtime, key: str, ledger: Ledger) -> Iterator[None]:
    """Hold the key alone; the time that others hold it doesn't count. Cancelled where the run is ended meanwhile.

    LostLock where this host stood still for so long that another may have taken the key: the run ends at once then.
    """
    with ExitStack() as held:
        with ledger.paused():
            held.enter_context(runtime.store.lock(key, lambda: ledger.is_cancelled, ledger.cancel))
        yield


@contextmanager
def opened(runtime: Runtime, key: str, text: str, ledger: Ledger) -> Iterator[Journal]:
    """The journal of a run, closed when it ends.

    What others are being answered while it fails is paid for: a moment is waited until it is in the journal.
    """
    journal = runtime.journal(key, text)
    try:
        yield journal
    except (OutOfScope, PlanError) as error:
        # That run came to its end too: played again, the same answers would only fail again.
        journal.fail({"reason": str(error)[:500], "instruction": text})
        raise
    except BudgetSpent as error:
        journal.stop({"reason": str(error)[:500], "instruction": text})
        raise
    except Exception as error:
        if not isinstance(error, TdgenError):  # a bug of tdgen's, or of what the caller handed in
            BUGS.error("a solve ended by %s, which is no TdgenError", type(error).__name__, exc_info=error)
        ledger.close(MOMENT_S if isinstance(error, Cancelled) else PATIENCE_S)
        raise
    finally:
        ledger.close()
        journal.close()


@dataclass(frozen=True, eq=False)
class Cancellable:
    """A sandbox in which nothing more is begun once the run is cancelled: Cancelled then."""

    inner: Sandbox
    ledger: Ledger

    def run(self, job: Job) -> Report:
        """Run it, unless the run is cancelled."""
        self.ledger.check_cancelled()
        return self.inner.run(job)

    def run_files(self, job: FileJob) -> FileReport:
        """Run it, unless the run is cancelled."""
        self.ledger.check_cancelled()
        return self.inner.run_files(job)

    def layers(self) -> tuple[Layer, ...]:
        """Those of the sandbox."""
        return self.inner.layers()

    def describe(self) -> str:
        """What the sandbox says of itself."""
        return self.inner.describe()

    def close(self) -> None:
        """Close the sandbox."""
        self.inner.close()


def end(journal: Journal, solution: Solution) -> None:
    """Forget the answers of a run that came to its end; a solution that is not all green is kept with its reasons.

    What the budget stopped goes on from its answers.
    """
    if solution.stopped:
        journal.stop(
            {
                "reason": solution.stopped[:500],
                "instruction": solution.instruction,
                "solution": solution.model_dump(mode="json"),
            }
        )
        return
    failed = [f"{result.function}: {result.reason}" for result in solution.results if result.outcome != "green"]
    if not failed or solution.is_kept:
        journal.finish()
        return
    record = {"reason": "; ".join(failed)[:500], "instruction": solution.instruction}
    journal.fail(record | {"solution": solution.model_dump(mode="json")})


def notes(journal: Journal) -> list[str]:
    """What a run is told of its journal as it begins: what is wrong with it, and how many answers it has."""
    answers = f"{journal.resumed} answer{'s' * (journal.resumed != 1)}"
    again = f"an unfinished run left {answers}: what is there is neither asked nor paid for again"
    return [*journal.notes, *([again] if journal.resumed else [])]


def unhurried(ask: Ask, ledger: Ledger) -> Ask:
    """Ask the user, whose time to think is no part of the budget's seconds."""

    def wait(question: Asked) -> str:
        with ledger.paused():
            return ask(question)

    return wait


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


def _fields(event: Event) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name in type(event).model_fields:
        value = getattr(event, name)
        if isinstance(value, Usage):
            fields |= {"calls": value.calls, "tokens": value.tokens}
        elif isinstance(value, int | float) or (isinstance(value, str) and name in NAMES):
            fields[name] = value
    return fields
