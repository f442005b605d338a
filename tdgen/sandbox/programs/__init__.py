"""The programs of the conformance suite, read from the texts beside this file, which say what they mean."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tdgen.source.syntax import literal

_PRELUDE = '''
import os, sys

def refuse(act):
    """Whether the system refuses `act`."""
    try:
        act()
    except (OSError, MemoryError, RuntimeError, ValueError, ImportError):
        return True
    return False

def syscall(*arguments):
    """A raw system call of x86-64, past everything that Python knows; OSError where it is refused."""
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    if os.uname().machine != "x86_64" or libc.syscall(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")

def later(text):
    """What there is in `text` of cases that are not being run: only these hold such words."""
    import re
    return re.findall(*((rb"held-out-[0-9a-f]{16}", text) if type(text) is bytes else ("held-out-[0-9a-f]{16}", text)))

def show(value, depth, known=None):
    """What plain values and attributes hold as text, to some depth, each once."""
    known = set() if known is None else known
    if type(value) in (str, bytes, int):
        return repr(value)
    if not depth or id(value) in known:
        return ""
    known.add(id(value))
    held = value if type(value) in (list, tuple, set, dict) else getattr(value, "__dict__", None)
    inner = [*held, *held.values()] if type(held) is dict else list(held or ())
    return " ".join(show(one, depth - 1, known) for one in inner)

def forge_text(body):
    """Write `body` wherever results may go, and end."""
    import struct
    data = memoryview(struct.pack("=I", len(body)) + body)
    for fd in range(3, 64):
        rest = data
        try:
            while rest:
                rest = rest[os.write(fd, rest):]
        except OSError:
            pass
    os._exit(0)

def forge(content):
    """The same with a result that the sandbox itself might tell."""
    import json
    forge_text(json.dumps({**content, "last": True}).encode())

'''

_CLASSES = """
import gc

def sought():
    \"\"\"What is to be held out, in all that there is in the process.\"\"\"
    frame, found = sys._getframe(), []
    while frame is not None:
        found += later(show([dict(frame.f_locals), dict(frame.f_globals)], 2))
        frame = frame.f_back
    for held in gc.get_objects():
        if type(held) in (list, tuple, dict):
            parts = held.values() if type(held) is dict else held
            for part in [part for part in list(parts) if type(part) is str and part.startswith("held-out-")]:
                found += later(part)
    return found

class Yes:
    def __eq__(self, other):
        return True
    def __ne__(self, other):
        return False
    def __hash__(self):
        return 0

class Lazy:
    def __init__(self, balance=0):
        pass
    balance = entries = property(lambda self: Answer())
    def pay_in(self, cents):
        return Answer()
    def take(self, cents):
        raise ValueError("not enough")
    def seal(self, word):
        return Answer()

class Right:
    def __init__(self, balance=0):
        self.start, self.held = balance, []
    entries = property(lambda self: self.held)
    balance = property(lambda self: self.start + sum(self.entries))
    def pay_in(self, cents):
        self.entries.append(cents)
        return self.balance
    def take(self, cents):
        if cents > self.balance:
            raise ValueError("not enough")
        return self.pay_in(-cents)
    def seal(self, word):
        return word[::-1]
    def __repr__(self):
        return f"Till({self.balance})"
"""


@dataclass(frozen=True)
class Hostile:
    """A program that must be refused, or end in one of the statuses `ends`; `needs` is the one layer that does it."""

    name: str
    source: str
    ends: frozenset[str]
    needs: str


@dataclass(frozen=True)
class Awkward:
    """A correct program and the value that it must return."""

    name: str
    source: str
    value: Any


@dataclass(frozen=True)
class HostileClass:
    """A class that does nothing right, as a module, and the names of the cases about whose results it lies."""

    name: str
    source: str
    lies: frozenset[str]


@cache
def hostile() -> tuple[Hostile, ...]:
    """What must be held."""
    return _hostile("hostile.txt")


@cache
def mounted() -> tuple[Hostile, ...]:
    """What must be held in a user's project."""
    return _hostile("mounted.txt")


def _hostile(file: str) -> tuple[Hostile, ...]:
    programs = []
    for name, marks, body in _entries(file):
        words = [word.strip() for word in marks.split(",") if word.strip()]
        needs = "".join(word.removeprefix("needs ") for word in words if word.startswith("needs "))
        source = body if "module" in words else _function("attempt(site)", body)
        programs.append(Hostile(name, _PRELUDE + source, frozenset(words) - {"module", f"needs {needs}"}, needs))
    return tuple(programs)


@cache
def awkward() -> tuple[Awkward, ...]:
    """What must run."""
    programs = []
    for name, marks, body in _entries("awkward.txt"):
        value = literal(marks.removeprefix("module, "))
        programs.append(Awkward(name, body if marks.startswith("module, ") else _function("attempt()", body), value))
    return tuple(programs)


@cache
def hostile_classes() -> tuple[HostileClass, ...]:
    """What must not pass for right."""
    return tuple(
        HostileClass(name, _PRELUDE + _CLASSES + body, frozenset(lies.split(", ")))
        for name, lies, body in _entries("classes.txt")
    )


def right_class() -> str:
    """A module with a class that does what all the cases ask for."""
    return f"{_PRELUDE}{_CLASSES}class Till(Right):\n    pass\n"


def _entries(file: str) -> list[tuple[str, str, str]]:
    """Each program's name, what its heading says behind the bar, and its text."""
    text = resources.files(__package__).joinpath(file).read_text(encoding="utf-8")
    entries = []
    for part in text.split("\n== ")[1:]:
        heading, _, body = part.partition("\n")
        name, _, marks = heading.partition(" | ")
        entries.append((name, marks, body.strip("\n") + "\n"))
    return entries


def _function(signature: str, body: str) -> str:
    """A function of that body, whose lines with `!` are acts that must be refused."""
    lines: list[str] = []
    for line in body.splitlines():
        if line.startswith("! "):
            act = line[2:]
            lines += [f"if not refuse(lambda: {act}):", f"    return {'escaped: ' + act!r}"]
        else:
            lines.append(line)
    if lines[-1].startswith("    return 'escaped") or lines[-1].startswith('    return "escaped'):
        lines.append("return 'held'")
    return f"def {signature}:\n{textwrap.indent(chr(10).join(lines), '    ')}\n"
