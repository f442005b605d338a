"""What many calls of one version come to, told by digests: where two versions' differ, they likely part.

Hundreds of calls share a process, and a few of them the version's module: much faster than probes, and good for
nothing but to pick the calls that are worth probes. Standard library only, Python 3.9 and later, and nothing of tdgen:
this file's text is the module that a sandbox is given.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import logging
import os
import re
import shutil
import signal
import sys
import time
from itertools import islice
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

_MOST = 1000  # items of a row or an iterator that are compared
_DEEPEST = 20
_PLAIN_REPR = " object at 0x"
_MOST_LATE = 10  # calls of a version; one that never ends on any would take all the time that there is
_FEW = 10  # calls after which a version's module is made anew, as what they leave behind may tell versions apart
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_PLAIN = (str, bytes, int, bool, type(None))


class _SlowError(BaseException):
    pass


def screened(
    source: str, module: str, names: str, seconds: float, waited: float, channels: list[str], calls: str
) -> list[str]:
    """A digest for each call, told as JSON, of what it comes to. `names` imports what the calls' own sources name.

    A call takes at most so many seconds of the processor, and `waited` of the clock, as far as it runs Python; after a
    few that take longer no more are looked at. `channels` count beside what it comes to.
    """
    version = _Version(source, module)
    imports = compile(names, "<names>", "exec", dont_inherit=True)
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, _stop)
    digests = list[str]()
    for call in json.loads(calls):
        digests.append(_digest(version, imports, (seconds, waited), channels, call))
        if version.late == _MOST_LATE:
            break
    return digests


def parted(
    begins: str,
    parts: list[str],
    ends: str,
    module: str,
    names: str,
    seconds: float,
    waited: float,
    calls: str,
    most: int,
    all_seconds: float,
) -> list[list[int] | None]:
    """For each version but the first the places of the first `most` calls on which it parts from that.

    What all of their sources begin and end with is given once. None for one that can't be executed, and for those that
    there was no time for: `all_seconds` of the clock, as code in other languages runs in a program of its own.
    """
    until = time.monotonic() + all_seconds
    imports = compile(names, "<names>", "exec", dont_inherit=True)
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, _stop)
    first, *others = (_Version(f"{begins}{part}{ends}", module) for part in parts)
    read = json.loads(calls)
    digests = [_digest(first, imports, (seconds, waited), [], call) for call in read]
    differing: list[list[int] | None] = []
    for version in others:
        places = list[int]()
        try:
            version.ready()
            for place, call in enumerate(read):
                if _digest(version, imports, (seconds, waited), [], call) != digests[place]:
                    places.append(place)
                if len(places) == most or time.monotonic() > until:
                    break
        except Exception:  # noqa: BLE001 - whatever executing a version raises
            differing.append(None)
            continue
        differing.append(None if time.monotonic() > until and len(places) < most else places)
    return differing


def _set_timers(seconds: float, waited: float) -> None:
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, waited)


def _stop(*_: Any) -> None:
    _set_timers(0, 0)
    raise _SlowError


class _Version:
    """A version's module, executed afresh for every few calls; its count of rounds begins anew for each."""

    def __init__(self, source: str, name: str) -> None:
        self.code, self.name = compile(source, "<version>", "exec", dont_inherit=True), name
        self.calls = self.late = 0
        self.module = ModuleType(name)
        self.rounds = 0

    def ready(self) -> ModuleType:
        """The module for the next call."""
        if self.calls % _FEW == 0:
            self.module = sys.modules[self.name] = ModuleType(self.name)
            self.module.__dict__["__screened__"] = True
            exec(self.code, self.module.__dict__)  # noqa: S102 - this is what the sandbox is for
        self.calls += 1
        tick = getattr(self.module, "_tick_", None)
        if tick:
            left, *others = tick.__defaults__
            self.rounds = self.rounds or left.__length_hint__()
            tick.__defaults__ = (iter(range(self.rounds)), *others)
        return self.module


def _digest(
    version: _Version, imports: CodeType, limits: tuple[float, float], channels: list[str], call: dict[str, Any]
) -> str:
    module, recorder = version.ready(), _LogRecorder()
    out, err = io.StringIO(), io.StringIO()
    for name, data in call["files"].items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode("latin-1"))
    os.environ.update(call["environment"])
    sys.stdin = io.TextIOWrapper(io.BytesIO(call["stdin"].encode("latin-1")), "utf-8")
    sys.argv[:] = call["words"]
    logging.getLogger().addHandler(recorder)
    logging.getLogger().setLevel(logging.DEBUG)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            _set_timers(*limits)
            ended = _ended(module, imports, call)
            _set_timers(0, 0)
    except BaseException as error:  # noqa: BLE001 - SystemExit, what a version raises to end itself, and all
        _set_timers(0, 0)
        if isinstance(error, _SlowError):  # what was cut off is used no more
            version.calls, version.late = 0, version.late + 1
        ended = ("raised", type(error).__name__, repr(getattr(error, "code", None)))
    logging.getLogger().removeHandler(recorder)
    for variable in call["environment"]:
        os.environ.pop(variable, None)
    beside = {"stderr": err.getvalue(), "logs": recorder.records}
    text = repr((ended, out.getvalue(), sorted(_emptied()), [beside[channel] for channel in channels]))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


class _LogRecorder(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[tuple[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(Exception):
            self.records.append((record.levelname, record.getMessage()))


def _ended(module: ModuleType, imports: CodeType, call: dict[str, Any]) -> Any:
    """How a call ended. What the version defines comes before well-known names, and these before what it imports."""
    namespace = dict(module.__dict__)
    exec(imports, namespace)  # noqa: S102
    namespace.update({n: v for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__})
    exec(call["setup"], namespace)  # noqa: S102
    if call["call"]:
        return "returned", _text_of(eval(call["call"], namespace))  # noqa: S307
    taken: list[Any] = []

    def take(*positional: Any, **named: Any) -> Any:
        taken.extend((positional, named))
        return eval(call["function"], namespace)(*positional, **named)  # noqa: S307

    namespace["_take_"] = take
    result = _text_of(eval(f"_take_({', '.join(call['arguments'])})", namespace))  # noqa: S307
    return "returned", result, _text_of(taken)


def _text_of(value: Any, depth: int = 0) -> Any:
    """A value as text by its parts: floats to nine places, what has no order in one, without addresses."""
    if type(value) in _PLAIN or depth > _DEEPEST:
        return repr(value)
    if isinstance(value, float):
        return f"float {value:.9g}"
    name = type(value).__name__
    if isinstance(value, dict):
        return name, sorted((repr(key), _text_of(item, depth + 1)) for key, item in value.items())
    if isinstance(value, (set, frozenset)):
        return name, sorted(map(repr, value))
    if isinstance(value, (list, tuple)) or hasattr(value, "__next__"):
        return name, [_text_of(item, depth + 1) for item in islice(value, _MOST)]
    if _PLAIN_REPR in repr(value):
        held = getattr(value, "__dict__", {})  # what is not public two authors name in two ways
        return name, _text_of({key: item for key, item in held.items() if not key.startswith("_")}, depth + 1)
    return _ADDRESS.sub("", repr(value))


def _emptied() -> list[tuple[str, bytes]]:
    """What the folder holds; it is empty afterwards."""
    if not os.listdir():  # noqa: PTH208 - most calls write nothing, and this takes a tenth of what follows
        return []
    contents = []
    for path in Path().rglob("*"):
        with contextlib.suppress(OSError):
            contents.append((str(path), path.read_bytes() if path.is_file() else b""))
    for path in Path().iterdir():
        with contextlib.suppress(OSError):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
    return contents
