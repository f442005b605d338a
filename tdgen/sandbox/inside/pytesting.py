"""Running pytest on files, in a process where pytest was loaded before the fork.

Each test's outcome goes out as soon as it is known, so that a run that is cut off still tells what it got to.
Standard library and pytest only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import importlib
import io
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Emit = Callable[[Any], None]

_EAGER = """
_pytest._py.path _pytest.assertion.rewrite _pytest.assertion.util _pytest.debugging _pytest.legacypath _pytest.reports
_pytest.subtests packaging.version pygments.lexers.python pygments.formatters.terminal difflib exceptiongroup pdb tomli
unittest.mock
"""  # what pytest imports late, when the path no longer leads there
_LEFT_OUT = """
cacheprovider faulthandler doctest junitxml pastebin stepwise setuponly setupplan unraisableexception threadexception
"""  # none of them decides about an outcome, and each costs time in every run
_ARGUMENTS = (
    *("-q", "--capture=sys", "--color=no", "--import-mode=prepend", "--strict-markers"),
    *("-c", os.devnull, "--rootdir=.", "--confcutdir=."),
    *(word for name in _LEFT_OUT.split() for word in ("-p", f"no:{name}")),
)

for _name in _EAGER.split():
    try:
        importlib.import_module(_name)
    except ImportError:  # of another version of pytest, or not needed by this Python
        continue


class Tail(io.TextIOBase):
    """A text stream that keeps the last `room` characters or a little more."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room, self._parts, self._size = room, [""], 0

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, text: str) -> int:
        """Keep `text`, forget the oldest."""
        self._parts.append(text)
        self._size += len(text)
        if self._size > 2 * self._room:
            self._parts = [self.text()]
            self._size = len(self._parts[0])
        return len(text)

    def text(self) -> str:
        """The last `room` characters."""
        return "".join(self._parts)[-self._room :]


class Outcomes:
    """The plugin: what was collected, and what became of each test, its setup and teardown counted in."""

    def __init__(self, emit: Emit, shuffle: int | None) -> None:
        self._emit, self._shuffle = emit, shuffle
        self._now: dict[str, str] = {}
        self.finished = False

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Shuffle where that is asked for, always in the same way for the same seed."""
        if self._shuffle is not None:
            random.Random(self._shuffle).shuffle(items)  # noqa: S311 - an order, no secret

    def pytest_collection_finish(self, session: Any) -> None:
        """Tell which tests there are."""
        self._emit({"collected": [item.nodeid for item in session.items]})

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Merge a test's phases: what went worst counts."""
        known = self._now.get(report.nodeid)
        outcome = _outcome(report)
        if known in (None, "passed") and outcome is not None:
            self._now[report.nodeid] = outcome
        if report.when == "teardown":
            self._emit({"test": report.nodeid, "outcome": self._now.get(report.nodeid, "error")})

    def pytest_sessionfinish(self) -> None:
        """It came to its end."""
        self.finished = True


def _outcome(report: Any) -> str | None:
    """One phase's outcome in a word; None where it says nothing."""
    if hasattr(report, "wasxfail"):
        return "xfailed" if report.skipped else "xpassed"
    if report.skipped:
        return "skipped"
    if report.failed:
        return "failed" if report.when == "call" else "error"
    return "passed" if report.when == "call" else None


def warm() -> None:
    """Nothing to do before there is a job."""


def run(job: Any, start: int, folder: Path, emit: Emit) -> None:
    """Write the job's files to an empty folder, run pytest there, and tell how it ended."""
    work, temporary = folder / "work", folder / "tmp"
    work.mkdir()
    temporary.mkdir()
    _write(work, job["files"])
    os.environ.update(HOME=str(work), TMPDIR=str(temporary), PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", COLUMNS="120")
    os.chdir(work)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(work))
    sys.argv = ["pytest"]
    log = Tail(job["limits"]["output_kb"] * 1024)
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(""), log, log
    plugin = Outcomes(emit, job["shuffle"])
    try:
        code = int(pytest.main([*_ARGUMENTS, *job["tests"]], plugins=[plugin]))
    except BaseException as error:  # noqa: BLE001 - SystemExit and all
        log.write(f"\npytest did not end: {type(error).__name__}")
        code = -1
    printable = log.text().encode("utf-8", "backslashreplace").decode("utf-8")
    emit({"finished": plugin.finished, "code": code, "log": printable})


def _write(folder: Path, files: dict[str, str]) -> None:
    """The files, by their relative paths."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
