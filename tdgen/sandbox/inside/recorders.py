"""What is recorded of a call: what it logs, the lines it takes, the values it changes.

A recorder is called when a function of the generated module is entered, at each of its lines, when it raises or catches
an exception, and when it returns or yields (`how` is `return` or `yield`). It keeps the lines and arcs that were taken,
or the steps with the values that each one changed. It knows frames by their ids: a new one begins with `entered`.
Nothing of it is proof: the code that is watched shares the process. Log records are taken at the root logger, which is
reset after each candidate.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import sys
import types
from collections import deque
from typing import Any

from tdgen.sandbox.inside.raised import MAX_LOCALS, brief

_MOST = 1_000


class Log:
    """Keeps each record that reaches the root logger, of whatever level, from its construction to `ended`."""

    def __init__(self) -> None:
        import logging

        records: list[Any] = []

        class Handler(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                try:
                    message = record.getMessage()
                except Exception:  # noqa: BLE001 - arguments that do not fit
                    message = str(record.msg)
                if len(records) < _MOST:
                    records.append((record.name, record.levelname, message))

        self._root, self._records, self._handler = logging.getLogger(), records, Handler()
        self._level = self._root.level
        self._root.addHandler(self._handler)
        self._root.setLevel(logging.DEBUG)

    def ended(self, room: int) -> list[list[str]]:
        """Logger, level and message of each record, as many as `room` characters hold."""
        with contextlib.suppress(Exception):
            self._root.removeHandler(self._handler)
            self._root.setLevel(self._level)
        lists: list[list[str]] = []
        for record in self._records:
            texts = [str(text) for text in record]
            room -= sum(map(len, texts))
            if room < 0:
                break
            lists.append(texts)
        return lists


def restore() -> None:
    """Remove what a candidate configured: handlers, levels, filters and loggers of its own."""
    logging: Any = sys.modules.get("logging")
    if logging is None:
        return
    with contextlib.suppress(Exception):
        logging.disable(logging.NOTSET)
        root = logging.getLogger()
        root.handlers.clear()
        root.filters.clear()
        root.setLevel(logging.WARNING)
        root.manager.loggerDict.clear()
        logging.setLoggerClass(logging.Logger)
        logging.captureWarnings(capture=False)


EDGE = -1
"""Stands for a function's entry and exit in an arc."""

FIRST_STEPS, LAST_STEPS = 100, 200
_MAX_NAME = 100
_WITHIN_A_LINE = frozenset({"<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
_NOT_RECORDED = (types.FunctionType, types.ModuleType, type)


class Lines:
    """The numbers of the lines that ran, and the pairs that followed each other in one frame (`EDGE` at its ends).

    The frames of lambdas and comprehensions have lines but no arcs: theirs would pass for those of their line.
    """

    def __init__(self) -> None:
        self._lines: set[int] = set()
        self._arcs: set[tuple[int, int]] = set()
        self._last: dict[int, int] = {}

    def entered(self, frame: Any) -> None:
        """Forget whichever frame had this id before."""
        self._last[id(frame)] = EDGE

    def line(self, frame: Any, number: int) -> None:
        """Note the line, and the arc to it."""
        self._lines.add(number)
        self._follow(frame, number)

    def thrown(self, frame: Any) -> None:
        """No arc leads from the line that raised."""
        self._last.pop(id(frame), None)

    def left(self, frame: Any, how: str, value: Any) -> None:
        """Note the arc out of the function where this is its end."""
        if how == "return":
            self._follow(frame, EDGE)

    def _follow(self, frame: Any, number: int) -> None:
        if frame.f_code.co_name in _WITHIN_A_LINE:
            return
        last = self._last.get(id(frame))
        if last is not None:
            self._arcs.add((last, number))
        self._last[id(frame)] = number

    def recorded(self) -> dict[str, Any]:
        """Sorted, so that equal runs give equal records."""
        return {"lines": sorted(self._lines), "arcs": sorted(self._arcs)}


class Steps:
    """The run line by line. A step's values are those that the line changed, also where that is seen only later.

    A function's first step is its `def` (or first decorator), which sets its arguments; `return` and `yield` are the
    names of the value that it returns or yields. Where there are more than the first 100 and the last 200 steps, one
    step on line 0 says how many are left out. Comprehensions, lambdas, and names bound to functions, classes and
    modules are never recorded.
    """

    def __init__(self) -> None:
        self._first: list[dict[str, Any]] = []
        self._rest: deque[dict[str, Any]] = deque(maxlen=LAST_STEPS)
        self._count = 0
        self._latest: dict[str, Any] | None = None
        self._frames: dict[int, tuple[dict[str, Any], dict[str, str]]] = {}

    def entered(self, frame: Any) -> None:
        """The step that sets the arguments."""
        if frame.f_code.co_name not in _WITHIN_A_LINE:
            self._frames[id(frame)] = (self._add(_name_of(frame.f_code), frame.f_code.co_firstlineno), {})

    def line(self, frame: Any, number: int) -> None:
        """Complete the step of the line before with what it changed, and begin the next."""
        if id(frame) in self._frames and frame.f_code.co_name not in _WITHIN_A_LINE:
            known = self._settle(frame, {})
            self._frames[id(frame)] = (self._add(_name_of(frame.f_code), number), known)

    def thrown(self, frame: Any) -> None:
        """Nothing: the lines that follow are steps as any other."""

    def left(self, frame: Any, how: str, value: Any) -> None:
        """Complete the last step with what it changed, and with the value that is returned or yielded."""
        if id(frame) in self._frames and frame.f_code.co_name not in _WITHIN_A_LINE:
            self._settle(frame, {how: brief(value)})

    def _settle(self, frame: Any, more: dict[str, str]) -> dict[str, str]:
        """Add to the frame's step what has changed since; to a new step where other frames ran in between."""
        step, known = self._frames[id(frame)]
        # the frame's locals in short, less what is no value
        held = [(name, value) for name, value in frame.f_locals.items() if not isinstance(value, _NOT_RECORDED)]
        now = {str(name)[:_MAX_NAME]: brief(value) for name, value in held[:MAX_LOCALS] if name[:1] != "."}
        changed = {name: text for name, text in now.items() if known.get(name) != text} | more
        if changed and step is not self._latest:
            step = self._add(step["function"], step["line"])
            self._frames[id(frame)] = (step, now)
        step["changed"].update(changed)
        return now

    def _add(self, function: str, line: int) -> dict[str, Any]:
        self._latest = {"function": function, "line": line, "changed": {}}
        (self._first if self._count < FIRST_STEPS else self._rest).append(self._latest)
        self._count += 1
        return self._latest

    def recorded(self) -> dict[str, Any]:
        """The steps, with one for those that are left out."""
        missing = self._count - len(self._first) - len(self._rest)
        cut = [{"function": "", "line": 0, "changed": {"steps left out": str(missing)}}] if missing else []
        return {"steps": [*self._first, *cut, *self._rest]}


def _name_of(code: Any) -> str:
    return str(getattr(code, "co_qualname", code.co_name))[:_MAX_NAME]
