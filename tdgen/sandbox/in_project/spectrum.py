"""Pytest plugins that report how a project's tests fail, and which lines of the project's own modules each test runs.

Lines are recorded by `sys.settrace`, and only of functions that lie in the project and in no file of tests. A test, or
what it runs, can stop or falsify the recording: it says where to look, never what is right.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
import types
from collections.abc import Callable, Iterator
from typing import Any

from tdgen.sandbox.inside.project import Project

_MOST_PLACES = 40
_MOST_CAUSES = 4
_LONGEST_MESSAGE = 2_000
_MOST_CALLS = 64
"""How many calls of a function a test may make whose lines are recorded: that slows each line down."""
_MOST_LINES = 4_000
"""How many lines a test may run of one function that are recorded."""
_MOST_SENT = 48_000_000
"""How many characters are sent of all tests together."""
_OPTIMIZED = 1
"""The flag of code that is a function's, as opposed to a module's or a class's body."""

Emit = Callable[[Any], None]


class Failures:
    """Reports of each test that fails, and each file that can't be collected, the exception and its frames."""

    def __init__(self, project: Project, emit: Emit) -> None:
        self._project, self._emit = project, emit

    def pytest_exception_interact(self, node: Any, call: Any, report: Any) -> None:
        """Pytest's hook for an exception that makes a test or a collection fail."""
        try:
            error = _unwrapped(call.excinfo.value)
            self._emit({"failed": report.nodeid, **_described(error), "places": list(_places(error, self._project))})
        except Exception:  # noqa: BLE001, S110 - what can't be told is left out; the outcome is told elsewhere
            pass


def _unwrapped(error: Any) -> BaseException:
    """What pytest wraps: what an import raised, or an example of a doctest."""
    held: Any = None
    if type(error).__name__ == "CollectError":
        held = error.__cause__
    elif type(error).__name__ == "UnexpectedException":
        held = error.exc_info[1]
    elif type(error).__name__ == "DocTestFailure":
        source, want = error.example.source.strip(), error.example.want.strip()
        held = AssertionError(f"`{source}` gives {error.got.strip()!r}, and not {want!r}")
    return held if isinstance(held, BaseException) else error


def _described(error: BaseException) -> dict[str, str]:
    kind = type(error)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    try:
        message = str(error)
    except Exception:  # noqa: BLE001 - the project's own exceptions say of themselves what they like
        message = ""
    message = message[:_LONGEST_MESSAGE].encode("utf-8", "backslashreplace").decode("utf-8")
    return {"type": f"{module}{kind.__qualname__}"[:200], "message": message}


def _places(error: BaseException, project: Project) -> Iterator[tuple[str, int, str]]:
    """Path, line and function of each frame, the outermost first; then those of what the exception came of."""
    link: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if link is None:
            return
        walked = [(frame.f_code, line) for frame, line in traceback.walk_tb(link.__traceback__)]
        first = next((place for place, (code, _) in enumerate(walked) if project.has(code.co_filename)), len(walked))
        walked = walked[first:]  # what lies before it is pytest's own
        for code, line in walked[: _MOST_PLACES // 4] + walked[_MOST_PLACES // 4 :][-_MOST_PLACES:]:
            name = code.co_filename
            path = os.path.relpath(name, project.root) if project.has(name) else name
            yield path[-300:], line, code.co_name[:100]
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)


class Spectrum:
    """Reports of each test which lines of the project's own modules it runs, in its setup and teardown too."""

    def __init__(self, project: Project, emit: Emit) -> None:
        self._emit = emit
        self._files = _Files(project)
        self._recorder = _Tracing(self._files)
        self._room = _MOST_SENT

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins."""
        self._recorder.begin()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """A test has ended."""
        lines = ";".join(f"{number}:{_ranges(ran)}" for number, ran in sorted(self._recorder.end().items()))
        self._room -= len(lines)
        if self._room > 0:
            self._emit({"ran": nodeid, "modules": self._files.take_new(), "lines": lines})


def _ranges(lines: set[int]) -> str:
    """Numbers in a text: `3-5,9`."""
    parts: list[list[int]] = []
    for line in sorted(lines):
        if parts and line == parts[-1][1] + 1:
            parts[-1][1] = line
        else:
            parts.append([line, line])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


class _Files:
    """The project's own modules by number, as they are met."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._numbers: dict[str, int] = {}
        self._new: list[tuple[int, str, str]] = []

    def number(self, code: types.CodeType, frame: Any) -> int:
        """The number of the module that a function's code is of; -1 where it is none of those that count."""
        name = code.co_filename
        if not code.co_flags & _OPTIMIZED:
            return -1
        if name not in self._numbers:
            self._numbers[name] = self._numbered(name, frame.f_globals.get("__name__"))
        return self._numbers[name]

    def _numbered(self, name: str, module: Any) -> int:
        last = os.path.basename(name)  # noqa: PTH119 - text alone
        is_test = last == "conftest.py" or last.startswith("test_") or last.endswith("_test.py")
        if is_test or not self._project.has(name) or type(module) is not str:
            return -1
        number = len(self._numbers)
        self._new.append((number, os.path.relpath(name, self._project.root), module))
        return number

    def take_new(self) -> list[tuple[int, str, str]]:
        """Number, path from the root and name of each module that was not told yet."""
        new, self._new = self._new, []
        return new


class _Tracing:
    """Each line costs whenever it runs: of what runs often in a test no more is recorded after a while.

    A test that sets a trace of its own has it beside ours, and sees that alone.
    """

    def __init__(self, files: _Files) -> None:
        self._files = files
        self._ran: dict[int, set[int]] = {}
        self._numbers: dict[types.CodeType, int] = {}
        self._calls: dict[types.CodeType, int] = {}
        self._lines: dict[types.CodeType, int] = {}
        self._set, self._get = sys.settrace, sys.gettrace
        self._theirs: Any = None

    def begin(self) -> None:
        self._ran, self._calls, self._lines, self._theirs = {}, {}, {}, None
        sys.settrace, sys.gettrace = self._take, lambda: self._theirs
        threading.settrace(self._call)
        self._set(self._call)

    def end(self) -> dict[int, set[int]]:
        sys.settrace, sys.gettrace = self._set, self._get
        self._set(None)
        threading.settrace(None)
        return self._ran

    def _take(self, function: Any, /) -> None:
        """What `sys.settrace` does while a test is recorded; a thread that begins asks it for ours."""
        if function == self._call:
            self._set(function)
        else:
            self._theirs = function

    def _call(self, frame: Any, event: str, value: Any) -> Any:
        code = frame.f_code
        number = self._numbers.get(code)
        if number is None:
            number = self._numbers[code] = self._files.number(code, frame)
        theirs = self._theirs and self._theirs(frame, event, value)
        if number < 0:
            return theirs
        calls = self._calls[code] = self._calls.get(code, 0) + 1
        if calls > _MOST_CALLS:
            return theirs
        return self._beside(theirs) if theirs else self._within

    def _beside(self, theirs: Any) -> Any:
        """Records what runs in a frame, and lets another trace see it."""

        def traced(frame: Any, event: str, value: Any) -> Any:
            nonlocal theirs
            self._within(frame, event, value)
            theirs = theirs and theirs(frame, event, value)
            return traced

        return traced

    def _within(self, frame: Any, event: str, value: Any) -> Any:
        if event == "line":
            code = frame.f_code
            self._ran.setdefault(self._numbers[code], set()).add(frame.f_lineno)
            lines = self._lines[code] = self._lines.get(code, 0) + 1
            if lines > _MOST_LINES and not self._theirs:
                frame.f_trace_lines = False
        return self._within
