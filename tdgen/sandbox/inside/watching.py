"""Watching a generated module's functions run, by `sys.settrace`, which each version of Python has.

Where nothing is to be watched, none of this is used. Only functions of the module itself are watched, neither its top
level nor functions of other modules that it calls. The code that is watched can stop or falsify the recording: it is
information, never a verdict.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import opcode
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from tdgen.sandbox.inside.recorders import Lines, Steps

_OPTIMIZED = 1
"""The flag of code that is a function's, as opposed to a module's or a class's body."""


class Unwatched:
    """Watches nothing, at no cost."""

    def phase(self, name: str) -> None:
        """The probe enters the phase `setup`, `call`, `called` or `end`."""

    def recorded(self) -> dict[str, Any]:
        """The fields of an Observation that watching gives."""
        return {}


class Watcher(Unwatched):
    """Watches one probe: all of it for lines, its call alone for values.

    `code` gives the module's code. A run that `is_late` is given up as soon as it comes to a line of the module: `late`
    is called, and must not return.
    """

    def __init__(
        self, watch: str, code: Callable[[], types.CodeType], is_late: Callable[[], bool], late: Callable[[], None]
    ) -> None:
        self._recorder: Lines | Steps = Lines() if watch == "lines" else Steps()
        self._begins, self._ends = ("setup", "end") if watch == "lines" else ("call", "called")
        self._code, self._is_late, self._late = code, is_late, late
        self._filename = ""
        self._is_watching = False

    def phase(self, name: str) -> None:
        """Start or stop watching at the phases where that is due."""
        if name == self._begins:
            self._filename, self._is_watching = self._code().co_filename, True
            with contextlib.suppress(Exception):  # the module may have taken the means away: then nothing is watched
                threading.settrace(self._call)
                sys.settrace(self._call)
        elif name == self._ends:
            self._stop()

    def recorded(self) -> dict[str, Any]:
        """The fields of an Observation that watching gives."""
        self._stop()
        return self._recorder.recorded()

    def _stop(self) -> None:
        if self._is_watching:
            self._is_watching = False
            with contextlib.suppress(Exception):
                sys.settrace(None)
                threading.settrace(None)

    def _call(self, frame: Any, event: str, value: Any) -> Any:
        """A frame begins, or a generator's goes on (then it is known)."""
        code = frame.f_code
        if code.co_filename != self._filename or not code.co_flags & _OPTIMIZED:
            return None
        if frame.f_trace is None:
            self._record("entered", frame)
        return self._within

    def _within(self, frame: Any, event: str, value: Any) -> Any:
        if event == "line":
            self._record("line", frame, frame.f_lineno)
        elif event == "exception" and _operation(frame) not in _ENDS_OF_ITERATION:
            self._record("thrown", frame)
        elif event == "return" and (how := _WAYS_OUT.get(_operation(frame))):
            self._record("left", frame, how, value)
        return self._within

    def _record(self, what: str, *about: Any) -> None:
        """Tell the recorder of an event, and look at the deadline at a line. No exception from here reaches the run."""
        try:
            if what == "line" and self._is_late():
                self._is_late = lambda: False
                self._late()
            getattr(self._recorder, what)(*about)
        except Exception:  # noqa: BLE001, S110 - a line that can't be told is left out
            pass


_ENDS_OF_ITERATION = frozenset({"FOR_ITER", "SEND", "YIELD_FROM", "END_ASYNC_FOR"})
"""Where an exception only says that there is no more to come."""
_WAYS_OUT = {"RETURN_VALUE": "return", "RETURN_CONST": "return", "YIELD_VALUE": "yield"}


def _operation(frame: Any) -> str:
    """The name of what the frame does just now: only an exception ends it anywhere else than at a return."""
    return str(opcode.opname[frame.f_code.co_code[frame.f_lasti]])
