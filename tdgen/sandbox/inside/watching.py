"""Watching a generated module's functions run: by `sys.monitoring` where there is one (3.12), else by `sys.settrace`.

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
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

from tdgen.sandbox.inside.recorders import Lines, Recorder, Steps

_OPTIMIZED = 1
"""The flag of code that is a function's, as opposed to a module's or a class's body."""
_now = time.monotonic
_frame_at: Any = sys._getframe  # noqa: SLF001 - the only way to a callback's frame
_monitoring: Any = getattr(sys, "monitoring", None)
_TOOL = 1  # sys.monitoring.COVERAGE_ID


class Unwatched:
    """Watches nothing, at no cost."""

    def phase(self, name: str) -> None:
        """The probe enters the phase `setup`, `call`, `called` or `end`."""

    def recorded(self) -> dict[str, Any]:
        """The fields of an Observation that watching gives."""
        return {}


class Watcher(Unwatched):
    """Watches one probe: all of it for lines, its call alone for values.

    `code` gives the module's code. A run that takes longer than `seconds` is given up as soon as it comes to a line of
    the module: `late` is called, and must not return.
    """

    def __init__(
        self, watch: str, code: Callable[[], types.CodeType], seconds: float, late: Callable[[], None]
    ) -> None:
        self._recorder: Recorder = Lines() if watch == "lines" else Steps()
        self._begins, self._ends = ("setup", "end") if watch == "lines" else ("call", "called")
        self._with_deadline = _WithDeadline(self._recorder, _now() + seconds, late)
        self._code = code
        self._backend: _ByMonitoring | _ByTracing | None = None

    def phase(self, name: str) -> None:
        """Start or stop watching at the phases where that is due."""
        if name == self._begins:
            self._backend = (_ByMonitoring if _monitoring else _ByTracing)(self._code(), self._with_deadline)
            with contextlib.suppress(Exception):  # the module may have taken the means away: then nothing is watched
                self._backend.start()
        elif name == self._ends:
            self._stop()

    def recorded(self) -> dict[str, Any]:
        """The fields of an Observation that watching gives."""
        self._stop()
        return self._recorder.recorded()

    def _stop(self) -> None:
        backend, self._backend = self._backend, None
        if backend:
            with contextlib.suppress(Exception):
                backend.stop()


class _WithDeadline:
    """Calls a recorder at each event, and checks the deadline at each line. No exception from here reaches the run."""

    def __init__(self, recorder: Recorder, deadline: float, late: Callable[[], None]) -> None:
        self._recorder, self._deadline, self._late = recorder, deadline, late

    def record(self, what: str, *about: Any) -> None:
        try:
            if what == "line" and _now() > self._deadline:
                self._deadline = float("inf")
                self._late()
            getattr(self._recorder, what)(*about)
        except Exception:  # noqa: BLE001, S110 - a line that can't be told is left out
            pass


class _ByMonitoring:
    """Events of the module's own code objects: no other code is slowed down."""

    def __init__(self, code: types.CodeType, recorder: _WithDeadline) -> None:
        self._codes = tuple(_functions(code))
        self._filename = code.co_filename
        self._recorder = recorder

    def start(self) -> None:
        events = _monitoring.events
        _monitoring.use_tool_id(_TOOL, "tdgen")
        heard = {"PY_START": self._start, "LINE": self._line, "PY_RETURN": self._return, "PY_YIELD": self._yield}
        for name, callback in heard.items():
            _monitoring.register_callback(_TOOL, getattr(events, name), callback)
        _monitoring.register_callback(_TOOL, events.EXCEPTION_HANDLED, self._handled)
        _monitoring.set_events(_TOOL, events.EXCEPTION_HANDLED)
        for code in self._codes:
            _monitoring.set_local_events(_TOOL, code, sum(getattr(events, name) for name in heard))

    def stop(self) -> None:
        for code in self._codes:
            _monitoring.set_local_events(_TOOL, code, 0)
        _monitoring.set_events(_TOOL, 0)
        _monitoring.free_tool_id(_TOOL)

    def _start(self, code: types.CodeType, offset: int) -> None:
        self._recorder.record("entered", _frame_at(1))

    def _line(self, code: types.CodeType, number: int) -> None:
        self._recorder.record("line", _frame_at(1), number)

    def _return(self, code: types.CodeType, offset: int, value: Any) -> None:
        self._recorder.record("left", _frame_at(1), "return", value)

    def _yield(self, code: types.CodeType, offset: int, value: Any) -> None:
        self._recorder.record("left", _frame_at(1), "yield", value)

    def _handled(self, code: types.CodeType, offset: int, error: BaseException) -> None:
        if code.co_filename == self._filename and _operation_at(code, offset) not in _ENDS_OF_ITERATION:
            self._recorder.record("thrown", _frame_at(1))


class _ByTracing:
    """Events of all code, of which the module's functions ask for more."""

    def __init__(self, code: types.CodeType, recorder: _WithDeadline) -> None:
        self._filename = code.co_filename
        self._recorder = recorder

    def start(self) -> None:
        threading.settrace(self._call)
        sys.settrace(self._call)

    def stop(self) -> None:
        sys.settrace(None)
        threading.settrace(None)

    def _call(self, frame: Any, event: str, value: Any) -> Any:
        """A frame begins, or a generator's goes on (then it is known)."""
        code = frame.f_code
        if code.co_filename != self._filename or not code.co_flags & _OPTIMIZED:
            return None
        if frame.f_trace is None:
            self._recorder.record("entered", frame)
        return self._within

    def _within(self, frame: Any, event: str, value: Any) -> Any:
        if event == "line":
            self._recorder.record("line", frame, frame.f_lineno)
        elif event == "exception" and _operation(frame) not in _ENDS_OF_ITERATION:
            self._recorder.record("thrown", frame)
        elif event == "return" and (how := _WAYS_OUT.get(_operation(frame))):
            self._recorder.record("left", frame, how, value)
        return self._within


_ENDS_OF_ITERATION = frozenset({"FOR_ITER", "SEND", "YIELD_FROM", "END_ASYNC_FOR"})
"""Where an exception only says that there is no more to come."""
_WAYS_OUT = {"RETURN_VALUE": "return", "YIELD_VALUE": "yield"}


def _operation(frame: Any) -> str:
    """The name of what the frame does just now: only an exception ends it anywhere else than at a return."""
    return _operation_at(frame.f_code, frame.f_lasti)


def _operation_at(code: types.CodeType, offset: int) -> str:
    return opcode.opname[code.co_code[offset]]


def _functions(code: types.CodeType) -> Iterator[types.CodeType]:
    """All code within `code` that is a function's."""
    for held in code.co_consts:
        if isinstance(held, types.CodeType):
            if held.co_flags & _OPTIMIZED:
                yield held
            yield from _functions(held)
