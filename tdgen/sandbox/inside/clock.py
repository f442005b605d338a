"""A clock that stands still: `time.time`, `datetime.now`, `date.today` and all that tells the same.

What measures durations (`monotonic`, `perf_counter`, `sleep`) goes on. The stand-ins for `datetime` and `date` make
instances of the real classes only, so that nothing made under a frozen clock differs from anything else.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import datetime as dt
import sys
import time
import types
from collections.abc import Callable
from typing import Any

_Date, _Datetime = dt.date, dt.datetime
_UTC = dt.timezone.utc  # noqa: UP017 - Python 3.9 has no other name for it
_real = {name: getattr(time, name) for name in ("time", "time_ns", "gmtime", "localtime", "strftime", "ctime")}


def keep_real_classes(*modules: types.ModuleType) -> None:
    """Let `modules`, which know `datetime` as `dt`, see it as it is now, whatever a clock puts in its place."""
    for module in modules:
        setattr(module, "dt", types.SimpleNamespace(**vars(dt)))  # noqa: B010 - a module has no such declared attribute


def freeze(moment: str) -> Callable[[], None]:
    """Stop the clock at `moment` (ISO 8601; UTC where it names no zone); what is returned starts it again.

    ValueError where `moment` is no date and time.
    """
    instant = _Datetime.fromisoformat(moment[:-1] + "+00:00" if moment.endswith("Z") else moment)
    if instant.tzinfo is None:
        instant = instant.replace(tzinfo=_UTC)
    seconds = instant.timestamp()
    for name, stopped in _functions(seconds).items():
        setattr(time, name, stopped)
    module: Any = dt
    module.date, module.datetime = _classes(instant)
    stamps = _freeze_pandas(instant)
    return lambda: _unfreeze(stamps)


def _freeze_pandas(instant: dt.datetime) -> list[tuple[Any, str, Any]]:
    """Have pandas, where it is loaded, tell `instant` as its own present; what told it before, by its class and name.

    What C reads by itself goes on: `Timestamp("now")`, `datetime64("now")`.
    """
    kind: Any = getattr(sys.modules.get("pandas"), "Timestamp", None)
    if "utcnow" not in getattr(kind, "__dict__", ()):
        return []
    real = [(kind, name, vars(kind)[name]) for name in ("now", "today", "utcnow")]
    kind.now = kind.today = classmethod(lambda cls, tz=None: cls(instant).tz_convert(tz))
    kind.utcnow = classmethod(lambda cls: cls(instant).tz_convert("UTC"))
    return real


def _unfreeze(stamps: list[tuple[Any, str, Any]]) -> None:
    for kind, name, function in stamps:
        setattr(kind, name, function)
    for name, function in _real.items():
        setattr(time, name, function)
    module: Any = dt
    module.date, module.datetime = _Date, _Datetime


def _functions(seconds: float) -> dict[str, Callable[..., Any]]:
    """The functions of `time` that tell `seconds` since the epoch."""

    def at(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda moment=None: function(seconds if moment is None else moment)

    def strftime(form: str, moment: Any = None) -> str:
        return str(_real["strftime"](form, _real["localtime"](seconds) if moment is None else moment))

    parts = {name: at(_real[name]) for name in ("gmtime", "localtime", "ctime")}
    whole = round(seconds * 1_000_000) * 1_000
    return {"time": lambda: seconds, "time_ns": lambda: whole, "strftime": strftime, **parts}


def _classes(instant: dt.datetime) -> tuple[type, type]:
    """Stand-ins for `date` and `datetime` whose present is `instant`."""

    class Posing(type):
        """A class that counts the real class's instances and subclasses as its own."""

        def __instancecheck__(cls, instance: Any) -> bool:
            return isinstance(instance, cls.__mro__[1])

        def __subclasscheck__(cls, other: type) -> bool:
            return issubclass(other, cls.__mro__[1])

    class date(dt.date, metaclass=Posing):  # noqa: N801 - it stands for the class of that name
        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            return _Date.__new__(_Date if cls is date else cls, *args, **kwargs)

        @classmethod
        def today(cls) -> Any:
            return _Date.fromtimestamp(instant.timestamp())

    class datetime_(dt.datetime, metaclass=Posing):  # noqa: N801 - it stands for the class of that name
        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            return _Datetime.__new__(_Datetime if cls is datetime_ else cls, *args, **kwargs)

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return _Datetime.fromtimestamp(instant.timestamp(), tz)

        @classmethod
        def utcnow(cls) -> Any:
            return instant.astimezone(_UTC).replace(tzinfo=None)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

    for stand_in, real in ((date, _Date), (datetime_, _Datetime)):
        stand_in.__module__, stand_in.__name__, stand_in.__qualname__ = "datetime", real.__name__, real.__name__
        stand_in.__doc__ = real.__doc__
    return date, datetime_
