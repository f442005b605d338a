"""An exception told as plain data: its classes, its message, and the lines of generated code that it passed.

Nothing here trusts the exception: its `__str__` and the `__repr__` of a local may do anything but hang unnoticed.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import reprlib
from types import TracebackType
from typing import Any

from tdgen.values.wire import qualified_name

MAX_MESSAGE = 2000
_MAX_FRAMES, _MAX_LOCALS, _MAX_TEXT = 8, 12, 120

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 100
_short.maxlist = _short.maxtuple = _short.maxdict = _short.maxset = 6

_mro_of = type.__dict__["__mro__"].__get__


def describe(error: BaseException, filename: str, lines: list[str]) -> dict[str, Any]:
    """`error` as the Raised of a report; `filename` and `lines` are those of the generated module."""
    return {
        "types": [qualified_name(cls) for cls in _mro_of(type(error)) if issubclass(cls, BaseException)],
        "message": message(error),
        "frames": _frames(error, filename, lines),
    }


def message(error: BaseException) -> str:
    """`str(error)`, cut short; a note in its place where it has none to give."""
    try:
        return str.__getitem__(str(error), slice(MAX_MESSAGE))
    except BaseException as inner:  # noqa: BLE001 - a hostile __str__ may raise anything
        return f"<its message raised {qualified_name(type(inner))}>"


def _frames(error: BaseException, filename: str, lines: list[str]) -> list[dict[str, Any]]:
    """The generated module's frames, outermost first, the middle left out where there are many."""
    found: list[tuple[Any, int]] = []
    step: TracebackType | None = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == filename:
            found.append((step.tb_frame, step.tb_lineno))
        step = step.tb_next
    if len(found) > _MAX_FRAMES:
        found = found[:2] + found[2 - _MAX_FRAMES :]
    told = [_frame(frame, line, lines) for frame, line in found]
    if isinstance(error, SyntaxError) and error.filename == filename:
        told.append({"function": "<module>", "line": error.lineno or 0, "text": _line(lines, error.lineno or 0)})
    return told


def _frame(frame: Any, line: int, lines: list[str]) -> dict[str, Any]:
    """One frame, with its locals where it is a function's."""
    code = frame.f_code
    names = [] if code.co_name == "<module>" else list(frame.f_locals.items())
    return {
        "function": getattr(code, "co_qualname", code.co_name),
        "line": line,
        "text": _line(lines, line),
        "locals": {str(name): brief(value) for name, value in names[:_MAX_LOCALS]},
    }


def _line(lines: list[str], number: int) -> str:
    """The source line of that number (from 1), stripped."""
    return lines[number - 1].strip()[:200] if 0 < number <= len(lines) else ""


def brief(value: Any) -> str:
    """A short `repr`, or a note in its place."""
    try:
        return str.__getitem__(_short.repr(value), slice(_MAX_TEXT))
    except BaseException as error:  # noqa: BLE001 - a hostile __repr__ may raise anything
        return f"<{qualified_name(type(value))}, whose repr raised {qualified_name(type(error))}>"
