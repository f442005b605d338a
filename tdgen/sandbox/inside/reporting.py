"""What a pytest session reports of its tests, and the overlays of modules in it.

Each test's outcome goes out as soon as it is known, so that a run that is cut off still tells what it got to.
Standard library only until a session is there, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import io
import os
import random
from pathlib import Path
from typing import Any

from tdgen.sandbox.inside import messages
from tdgen.sandbox.inside.forker import Request
from tdgen.sandbox.inside.project import Overlay, Project, Source, forget, put_first

_LONGEST_REASON = 4_000
_LOADED = ("pluggy", "iniconfig", "packaging", "pygments", "exceptiongroup")
"""What pytest has imported before a job comes. A project may be one of them, and a job's file may be named so."""


class Tail(io.TextIOBase):
    """A text stream that keeps the last `room` characters."""

    def __init__(self) -> None:
        super().__init__()
        self.room, self._parts, self._size = 0, [""], 0

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, text: str) -> int:
        """Keep `text`, forget the oldest."""
        self._parts.append(text)
        self._size += len(text)
        if self._size > 2 * self.room:
            self._parts = [self.text()]
            self._size = len(self._parts[0])
        return len(text)

    def text(self) -> str:
        """The last `room` characters."""
        return "".join(self._parts)[-self.room :]


class Reporter:
    """A pytest plugin that reports what was collected, and each test's outcome. `code` is the session's exit code."""

    def __init__(self, log: Tail) -> None:
        self._log = log
        self._now: dict[str, str] = {}
        self._reasons: dict[str, str] = {}
        self.code: int | None = None
        self.request: Request | None = None

    def begin(self, request: Request) -> None:
        """Report to whoever made this request from now on."""
        self.request = request
        self._log.room = request.asked["limits"]["output_kb"] * 1024

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Shuffle where that is asked for, always in the same way for the same seed."""
        if self.request and self.request.job["shuffle"] is not None:
            random.Random(self.request.job["shuffle"]).shuffle(items)  # noqa: S311 - an order, no secret

    def pytest_collection_finish(self, session: Any) -> None:
        """Report which tests were collected."""
        self._emit({"collected": [item.nodeid for item in session.items]})

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Report a test's outcome: the worst of its setup, call and teardown."""
        known, outcome = self._now.get(report.nodeid), _outcome(report)
        if known in (None, "passed") and outcome is not None:
            self._now[report.nodeid] = outcome
            self._reasons[report.nodeid] = _reason(report)
        if report.when == "teardown":
            reason = self._reasons.pop(report.nodeid, "")
            self._emit({"test": report.nodeid, "outcome": self._now.get(report.nodeid, "error"), "reason": reason})

    def pytest_collectreport(self, report: Any) -> None:
        """Report why a file can't be collected."""
        if report.failed:
            self._emit({"uncollected": report.nodeid, "reason": _reason(report)})

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Keep the exit code: the session ended by itself."""
        self.code = int(exitstatus)

    def end(self) -> None:
        """Report how the session ended, and end the process."""
        printable = self._log.text().encode("utf-8", "backslashreplace").decode("utf-8")
        self._emit({"finished": self.code is not None, "code": self.code, "log": printable[-self._log.room :]})
        os._exit(0)

    def _emit(self, content: Any) -> None:
        if self.request:
            self.request.emit(content)


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write files into a folder, by their paths from it."""
    for name, text in files.items():
        if "/" in name:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        fd = os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        messages.write_all(fd, text.encode("utf-8", "surrogatepass"))
        os.close(fd)


def overlay_modules(texts: dict[str, str], project: Project | None, folder: Path) -> None:
    """Have modules come from these texts, in the project where there is one, also if pytest would rewrite them.

    What pytest has imported under a name of theirs, of the project's or of the folder's is forgotten: pytest has its
    own, and the tests import what they are about.
    """
    if project:
        project.enter()
    places = [folder, *map(Path, project.imports if project else ())]
    ours = {name.partition(".")[0] for name in texts} - {"pytest", "_pytest"}
    for name in _LOADED:
        if any((place / name / "__init__.py").is_file() or (place / f"{name}.py").is_file() for place in places):
            ours.add(name)
    forget(ours)
    if not texts:
        return
    from _pytest.assertion.rewrite import AssertionRewritingHook

    sources = [Source(name, text) for name, text in texts.items()]
    overlay = project.overlay(sources) if project else Overlay(sources, str(folder))
    original = AssertionRewritingHook.find_spec

    def find_spec(self: Any, name: str, path: Any = None, target: Any = None) -> Any:
        return None if name in overlay else original(self, name, path, target)

    AssertionRewritingHook.find_spec = find_spec  # type: ignore[method-assign]
    put_first(overlay)


def _outcome(report: Any) -> str | None:
    """One phase's outcome in a word; None where it says nothing."""
    if hasattr(report, "wasxfail"):
        return "xfailed" if report.skipped else "xpassed"
    if report.skipped:
        return "skipped"
    if report.failed:
        return "failed" if report.when == "call" else "error"
    return "passed" if report.when == "call" and report.passed else None


def _reason(report: Any) -> str:
    """The end of pytest's report of a failure, where the error is; empty for none."""
    text = report.longreprtext[-_LONGEST_REASON:] if report.failed else ""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
