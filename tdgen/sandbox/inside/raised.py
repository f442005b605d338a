"""An exception told as plain data: its classes, its message, and the lines of generated code that it passed.

Nothing here trusts the exception: its `__str__` and the `__repr__` of a local may do anything but hang unnoticed.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import re
import reprlib
import sys
from collections.abc import Iterator
from itertools import islice
from types import ModuleType, TracebackType
from typing import Any

from tdgen.sandbox.inside.project import Source
from tdgen.values.encode import qualified_name

MAX_MESSAGE = 2000
MAX_LOCALS = 12
BRIDGES = "tdgen.languages."
"""So begin the files of what stands for code in another language, which has no lines to tell, and their modules."""
_MAX_FRAMES, _MAX_TEXT, _MAX_ATTRIBUTES = 8, 120, 4
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class _Short(reprlib.Repr):
    """A `repr` cut short on the way, also of bytes, and one for objects whose class has none of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 100
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = 6

    def repr_bytes(self, x: bytes | bytearray, level: int) -> str:
        return repr(x[: self.maxother])

    repr_bytearray = repr_bytes

    def repr_instance(self, x: Any, level: int) -> str:
        """An object's attributes where its class has nothing better to say than where it is."""
        kind: Any = type(x)
        if kind.__repr__ is object.__repr__ and hasattr(x, "__dict__"):
            held = list(islice(object.__getattribute__(x, "__dict__").items(), _MAX_ATTRIBUTES + 1))
            inner = min(level - 1, 2)
            attributes = [f"{name}={self.repr1(value, inner) if inner > 0 else '...'}" for name, value in held]
            shown, more = ", ".join(attributes[:_MAX_ATTRIBUTES]), ", ..." * (len(held) > _MAX_ATTRIBUTES)
            return f"{kind.__name__}({shown}{more})"
        return super().repr_instance(x, level)


_short = _Short()

_mro_of = type.__dict__["__mro__"].__get__


def describe(error: BaseException, source: Source) -> dict[str, Any]:
    """`error` as the Raised of a report; `source` is the generated module's."""
    frames = _frames(error, source.filename, source.lines)
    types = [_name(cls, source.name) for cls in _mro_of(type(error)) if issubclass(cls, BaseException)]
    # a class of a bridge's own tells of what comes before the code: a value that can't be passed to it
    is_of_bridge = types[0].startswith(BRIDGES)
    return {
        "types": types,
        "message": message(error),
        "frames": frames,
        "is_within": bool(frames)
        or (not is_of_bridge and any(one.tb_frame.f_code.co_filename.startswith(BRIDGES) for one in _steps(error))),
        "exit_code": exit_code(error) if isinstance(error, SystemExit) else None,
    }


def _name(cls: type, module: str) -> str:
    """A class's qualified name, under the generated module's where another module has another class of that name.

    A class may say that it is `builtins.KeyError`; it is the one that Python has only if it is found there.
    """
    qualified = qualified_name(cls)
    owner, _, name = qualified.rpartition(".")
    there: Any = sys.modules.get(owner)
    known = vars(there).get(name, cls) if type(there) is ModuleType else cls
    return qualified if known is cls or owner == module else f"{module}.{name}"


def exit_code(error: SystemExit) -> int:
    """The code with which the interpreter ends the process: 0 for None, 1 for what is no int, of an int its last byte.

    One that does not fit in 64 bits is -1 to the interpreter.
    """
    try:
        code = error.code
    except BaseException:  # noqa: BLE001 - a subclass may have made it a property that raises
        return 1
    if code is None:
        return 0
    if not isinstance(code, int):
        return 1
    whole = int.__index__(code)
    return (whole if -(2**63) <= whole < 2**63 else -1) & 0xFF


def message(error: BaseException) -> str:
    """`str(error)`, cut short; a note in its place where it has none to give."""
    try:
        return str.__getitem__(str(error), slice(MAX_MESSAGE))
    except BaseException as inner:  # noqa: BLE001 - a hostile __str__ may raise anything
        return f"<its message raised {qualified_name(type(inner))}>"


def _steps(error: BaseException) -> Iterator[TracebackType]:
    """What it passed, outermost first."""
    step = error.__traceback__
    while step is not None:
        yield step
        step = step.tb_next


def _frames(error: BaseException, filename: str, lines: list[str]) -> list[dict[str, Any]]:
    """The generated module's frames, outermost first, the middle left out where there are many."""
    steps = [(one.tb_frame, one.tb_lineno) for one in _steps(error) if one.tb_frame.f_code.co_filename == filename]
    if len(steps) > _MAX_FRAMES:
        steps = steps[:2] + steps[2 - _MAX_FRAMES :]
    frames = [_frame(frame, line, lines) for frame, line in steps]
    if isinstance(error, SyntaxError) and error.filename == filename:
        frames.append({"function": "<module>", "line": error.lineno or 0, "text": _line(lines, error.lineno or 0)})
    return frames


def _frame(frame: Any, line: int, lines: list[str]) -> dict[str, Any]:
    """One frame, with its locals where it is a function's."""
    code = frame.f_code
    names = [] if code.co_name == "<module>" else list(frame.f_locals.items())
    return {
        "function": getattr(code, "co_qualname", code.co_name),
        "line": line,
        "text": _line(lines, line),
        "locals": {str(name): brief(value) for name, value in names[:MAX_LOCALS]},
    }


def _line(lines: list[str], number: int) -> str:
    """The source line of that number (from 1), stripped."""
    return lines[number - 1].strip()[:200] if 0 < number <= len(lines) else ""


def brief(value: Any) -> str:
    """A short `repr`, or a note in its place. No addresses: equal runs tell the same."""
    try:
        return _ADDRESS.sub("", str.__getitem__(_short.repr(value), slice(_MAX_TEXT)))
    except BaseException as error:  # noqa: BLE001 - a hostile __repr__ may raise anything
        return f"<{qualified_name(type(value))}, whose repr raised {qualified_name(type(error))}>"
