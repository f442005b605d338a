"""A pytest run's frames gathered to a report, and the host's own pytest, which servers of any interpreter load.

A FileReport is complete only if all of the run was seen to the end. pytest is lent to servers, as it is pure Python.
Hypothesis is lent as well, to servers for files that import it. A part of it is compiled: where the interpreter inside
is of another version, or of another machine, it is there and can't be imported.
"""

from __future__ import annotations

import importlib.util
import json
import re
import time
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tdgen.sandbox.inside.messages import Order
from tdgen.sandbox.interpreter import Mounted
from tdgen.sandbox.observing import printable
from tdgen.sandbox.server import Allowance, Ending, Kind, Server, converse
from tdgen.types import Failure, FileJob, FileReport, Place, Resources

OLDEST = (3, 11)
"""The version of Python from which on the pytest of this environment runs without further packages."""
_NEEDED = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments")
_BESIDES = "py.py"
_LENT = ("hypothesis", "sortedcontainers", "_hypothesis_globals")


class Home(NamedTuple):
    """What to read from while tests run, what to import from while the server loads, and all there is to copy."""

    visible: tuple[str, ...]
    loading: tuple[str, ...]
    whole: tuple[str, ...]


NONE = Home((), (), ())


def of(kind: Kind, mounted: Mounted | None = None) -> Home:
    """What a server of that kind is lent: a project's own tests have its environment's pytest, if it brings one."""
    if kind == "project":
        return NONE if mounted and mounted.brings("pytest") else Home(find().whole, (), ())
    return {"files": find, "properties": with_hypothesis}.get(kind, lambda: NONE)()


@cache
def find() -> Home:
    """The folders of pytest's packages and of what they import; a single file besides, for those who copy."""
    specs = [importlib.util.find_spec(name) for name in _NEEDED]
    folders = [Path(spec.origin).parent for spec in specs if spec is not None and spec.origin]
    parents = dict.fromkeys(folder.parent for folder in folders)
    visible = tuple(str(folder) for folder in folders)
    files = tuple(str(parent / _BESIDES) for parent in parents if (parent / _BESIDES).is_file())
    return Home(visible, tuple(str(parent) for parent in parents), visible + files)


@cache
def with_hypothesis() -> Home:
    """Pytest's home with hypothesis and what that needs, as far as they are installed."""
    pytest, lent = find(), hypothesis()
    parents = dict.fromkeys([*pytest.loading, *(str(Path(path).parent) for path in lent)])
    return Home((*pytest.visible, *lent), tuple(parents), (*pytest.whole, *lent))


def hypothesis() -> tuple[str, ...]:
    """The folders and single files of hypothesis and of what it needs."""
    specs = [importlib.util.find_spec(name) for name in _LENT]
    origins = [Path(spec.origin) for spec in specs if spec is not None and spec.origin]
    return tuple(str(origin.parent if origin.name == "__init__.py" else origin) for origin in origins)


_MAX_TESTS = 100_000  # a judgement: no project that was tried has as many
_MOST_REASONS = 200  # that are told of one run; a judgement
_ENDED_BY_ITSELF = (0, 1)
_LONGEST_NAME = 10_000  # characters of a test's id; a judgement
_TOLD = frozenset({"files", "tests", "shuffle", "overlay", "project_tests", "test_overlay", "traced"})
_OUTCOMES = ("passed", "failed", "error", "skipped", "xfailed", "xpassed")
_UNEXPLAINED = frozenset({"failed", "error"})
_MOST_PLACES = 200  # of one traceback; a judgement
_LONGEST_MESSAGE = 4_000  # characters; a judgement
_NUMBER = "[0-9]{1,8}"
_RANGE = f"{_NUMBER}(?:-{_NUMBER})?"
_LINES = re.compile(f"(?:{_NUMBER}:{_RANGE}(?:,{_RANGE})*(?:;|\\Z))*")
"""Lines by the numbers of modules: `0:3-5,9;2:1`."""


def pytest_report(job: FileJob, began: float, server: Server) -> FileReport:
    """What is seen of a file job that began at that moment of the host's clock, run by a server.

    Where a test fails it is run twice: only then is it worth to have every assertion explained. What the second run
    shows counts for the log alone.
    """
    child = _ChildRun(job)
    child.hear(server, explain=False)  # which a project's own settings decide
    used, log = child.ending.used, child.log()
    if not job.project_tests and child.is_complete() and _UNEXPLAINED.intersection(child.outcomes.values()):
        again = _ChildRun(job)
        again.hear(server, explain=True)
        used = used.and_then(again.ending.used)
        log = again.log() if again.outcomes == child.outcomes else log
        child.reasons |= again.reasons if again.outcomes == child.outcomes else {}
    return FileReport(
        collected=tuple(child.collected),
        outcomes=child.outcomes,
        reasons=child.reasons,
        failures=child.failures,
        ran=child.ran,
        modules=dict(child.modules.values()),
        complete=child.is_complete(),
        log=log,
        resources=Resources(wall_s=time.monotonic() - began, **used._asdict()),
    )


class _ChildRun:
    """What was seen of one child."""

    def __init__(self, job: FileJob) -> None:
        self._job = job
        self.collected: list[str] = []
        self._final: dict[str, Any] | None = None
        self.outcomes: dict[str, str] = {}
        self.reasons: dict[str, str] = {}
        self._is_whole = True
        self.failures: dict[str, Failure] = {}
        self.modules: dict[int, tuple[str, str]] = {}
        self.ran: dict[str, dict[str, str]] = {}
        self.ending: Ending

    def hear(self, server: Server, *, explain: bool) -> None:
        """Listen to a child to its end."""
        limits = self._job.limits
        text = json.dumps(self._job.model_dump(include=set(_TOLD))).encode("ascii")
        order = Order({"limits": limits.model_dump(), "explain": explain}, text)
        self.ending = converse(
            server,
            order,
            self._accept,
            Allowance(),
            wall_s=limits.wall_s,
            restart=False,
            is_done=lambda: self._final is not None,
        )

    def _accept(self, content: dict[str, Any]) -> bool:
        """Take one frame: the tests collected, a test's outcome, or the end, after which nothing may come."""
        if self._final is not None:
            return False
        collected, test, outcome = content.get("collected"), content.get("test"), content.get("outcome")
        about, reason = content.get("uncollected", test), content.get("reason")
        if isinstance(about, str) and isinstance(reason, str) and reason and len(self.reasons) < _MOST_REASONS:
            self.reasons[printable(about)] = printable(reason)
        if isinstance(collected, list):
            self.collected = [printable(name) for name in collected[:_MAX_TESTS] if _is_name(name)]
        elif _is_name(test) and outcome in _OUTCOMES and len(self.outcomes) < _MAX_TESTS:
            self.outcomes[printable(test)] = outcome
        elif isinstance(log := content.get("log"), str) and len(log) <= self._job.limits.output_kb * 1024:
            self._final = content
        elif isinstance(content.get("uncollected"), str):
            self._is_whole = False  # its reason is noted
        elif "failed" in content:
            return self._note_failure(content)
        elif "ran" in content:
            return self._note_lines(content)
        else:
            return False
        return True

    def _note_failure(self, content: dict[str, Any]) -> bool:
        """Take how a test failed; whether that is told as it must be."""
        name, kind, message, places = (content.get(key) for key in ("failed", "type", "message", "places"))
        if not (_is_name(name) and _is_name(kind) and isinstance(message, str) and isinstance(places, list)):
            return False
        if len(message) > _LONGEST_MESSAGE or len(places) > _MOST_PLACES or not _are(places, str, int, str):
            return False
        if len(self.failures) < _MAX_TESTS:
            shown = [Place(path=printable(path), line=line, function=printable(name)) for path, line, name in places]
            failure = Failure(type=printable(kind), message=printable(message), places=tuple(shown))
            self.failures[printable(name)] = failure
        return True

    def _note_lines(self, content: dict[str, Any]) -> bool:
        """Take which lines a test ran; whether that is told as it must be."""
        name, modules, lines = (content.get(key) for key in ("ran", "modules", "lines"))
        if not (_is_name(name) and isinstance(modules, list) and isinstance(lines, str) and _LINES.fullmatch(lines)):
            return False
        if not _are(modules, int, str, str) or len(self.ran) >= _MAX_TESTS:
            return False
        self.modules |= {number: (printable(path), printable(module)) for number, path, module in modules}
        parts = [part.partition(":") for part in lines.split(";") if part]
        known = {int(number): ran for number, _, ran in parts if int(number) in self.modules}
        self.ran[printable(name)] = {self.modules[number][0]: ran for number, ran in known.items()}
        return True

    def is_complete(self) -> bool:
        """Whether it ended by itself, in order, with an outcome for each test that there is."""
        final = self._final or {}
        return (
            not self.ending.fault
            and self._is_whole
            and self.ending.status == 0
            and final.get("finished") is True
            and final.get("code") in _ENDED_BY_ITSELF
            and (self._job.project_tests == "collect" or set(self.collected) == set(self.outcomes))
        )

    def log(self) -> str:
        """What pytest printed, or why there is nothing of it."""
        if self._final is not None:
            return str(printable(self._final["log"]))
        if self.ending.fault == "timeout":
            pending = [name for name in self.collected if name not in self.outcomes]
            return f"no end within {self._job.limits.wall_s:g} s" + (f"; it hung in {pending[0]}" if pending else "")
        if self.ending.fault == "garbled":
            return "the run's process told nonsense"
        return f"the run did not end: {self.ending.manner}"


def _are(values: list[Any], *types: type) -> bool:
    return all(isinstance(value, list) and [type(part) for part in value] == [*types] for value in values)


def _is_name(value: object) -> bool:
    """Whether it can be a test's name. One that a test is given by its parameters may be long."""
    return isinstance(value, str) and len(value) <= _LONGEST_NAME
