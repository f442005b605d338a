"""What falsified a property: a conftest.py that watches a run in the sandbox, and reading what it says.

Hypothesis runs the smallest falsifying example last, so the calls of the last example are those that count. What is
read was written beside the candidate, which could forge it: it is text, nothing of it is run here, and whoever uses it
takes literals alone.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

MOST_CALLS = 8
LONGEST = 2000
_MARK = "tdgen-watched "

_CONFTEST = '''
"""Watches what an example of a property does with $function."""

import functools
import json
import signal

import pytest
from hypothesis import Phase, seed, settings

settings.register_profile("watched", report_multiple_bugs=False, phases=[$phases])
settings.load_profile("watched")
calls, example, found = [], {}, []


class TooSlow(Exception):
    """A call that does not end."""


def too_slow(*_):
    raise TooSlow("no end within $seconds s")


signal.signal(signal.SIGVTALRM, too_slow)


def told(value):
    try:
        text = repr(value)
    except Exception:
        return ""
    return text if len(text) <= $longest else ""


def watched(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        if len(calls) < $most:
            calls.append({"args": [told(a) for a in args], "kwargs": {k: told(v) for k, v in kwargs.items()}})
        signal.setitimer(signal.ITIMER_VIRTUAL, $seconds)
        try:
            return function(*args, **kwargs)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    return call


def forgetting(test):
    @functools.wraps(test)
    def run(*args, **kwargs):
        calls.clear()
        example.clear()
        example.update({k: told(v) for k, v in kwargs.items()})
        try:
            return test(*args, **kwargs)
        except pytest.fail.Exception as error:  # which Hypothesis would not look into
            raise AssertionError(str(error)) from None

    return run


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    names = vars(item.module)
    names["$function"] = watched(names["$function"])
    test = item.obj
    if hasattr(test, "hypothesis"):
        test.hypothesis.inner_test = forgetting(test.hypothesis.inner_test)
    if $seed:
        seed($seed)(test)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call" and call.excinfo:
        error = call.excinfo.value
        types = [f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__]
        one = {"test": item.name, "types": types, "message": f"{type(error).__name__}: {error}"[:300]}
        found.append(one | {"example": dict(example), "calls": list(calls)})
    return report


def pytest_terminal_summary(terminalreporter):
    for one in found:
        terminalreporter.write_line("$mark" + json.dumps(one))
'''


class WatchedCall(BaseModel):
    """A call's arguments as `repr` tells them; empty where they can't be told."""

    model_config = ConfigDict(extra="ignore", strict=True)

    args: list[str]
    kwargs: dict[str, str]


class Watched(BaseModel):
    """How a property's test ended that did not pass.

    `types` are the qualified names of the exception's class and its bases, `example` is what was drawn last, `calls`
    what the function was called with in that example.
    """

    model_config = ConfigDict(extra="ignore", strict=True)

    test: str
    types: list[str]
    message: str
    example: dict[str, str] = {}
    calls: list[WatchedCall] = []


class Watching(NamedTuple):
    """How a run is watched.

    `seed` draws other examples than the file's own settings do (0: the file's), `shrink` looks for the smallest one,
    and a call may take `seconds` of processor time.
    """

    function: str
    seed: int = 0
    shrink: bool = True
    seconds: float = 0.2

    def conftest(self) -> str:
        """The source of the conftest.py that watches."""
        phases = ("explicit", "generate", "shrink") if self.shrink else ("explicit", "generate")
        values = {
            "function": self.function,
            "seed": str(self.seed),
            "seconds": f"{self.seconds:g}",
            "phases": ", ".join(f"Phase.{phase}" for phase in phases),
            "longest": str(LONGEST),
            "most": str(MOST_CALLS),
            "mark": _MARK,
        }
        source = _CONFTEST.lstrip()
        for name, value in values.items():
            source = source.replace(f"${name}", value)
        return source


def read_watched(log: str, test: str) -> Watched | None:
    """What the log of a watched run says of a test that did not pass; None where it says nothing that can be read."""
    for line in reversed(log.splitlines()):
        _, marked, text = line.partition(_MARK)
        if not marked:
            continue
        try:
            content: Any = json.loads(text)
            watched = Watched.model_validate(content)
        except (ValueError, RecursionError, ValidationError):
            continue
        if watched.test == test:
            message = " ".join(watched.message.split())[:LONGEST]
            return watched.model_copy(update={"calls": watched.calls[:MOST_CALLS], "message": message})
    return None
