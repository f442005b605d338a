"""Running pytest on files, in a session that was begun before there were any.

The server runs a few tests of its own, so that all that pytest needs is loaded and has run, then calls `pytest.main`
once more. Its plugin stops the session just before it collects, and serves from there: each child goes on with the
session where it stands, on the files of its own job. So a run pays neither for loading pytest nor for starting it.
Assertions are rewritten only where the host asks for explanations. Each test's outcome goes out as soon as it is known,
so that a run that is cut off still tells what it got to. Standard library and pytest only, Python 3.9 and later: this
file runs inside.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import linecache
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from _pytest.assertion.rewrite import AssertionRewritingHook

from tdgen.sandbox.inside import scratch
from tdgen.sandbox.inside.arrays import ONE_THREAD
from tdgen.sandbox.inside.forker import Forker
from tdgen.sandbox.inside.reporting import Reporter, Tail, overlay_modules, write_files

_EAGER = """
_pytest._py.path _pytest.assertion.rewrite _pytest.assertion.util _pytest.debugging _pytest.legacypath _pytest.reports
_pytest.subtests packaging.version pygments.lexers.python pygments.formatters.terminal difflib exceptiongroup pdb
"""  # what pytest imports late, when the path no longer leads there
_LEFT_OUT = """
cacheprovider faulthandler doctest junitxml pastebin stepwise setuponly setupplan unraisableexception threadexception
"""  # none of them decides about an outcome, and each costs time in every run
_ARGUMENTS = (
    *("-q", "--capture=sys", "--color=no", "--import-mode=prepend", "--strict-markers"),
    *("-c", os.devnull, "--rootdir=.", "--confcutdir=."),
    *(word for name in _LEFT_OUT.split() for word in ("-p", f"no:{name}")),
)
_TEMPORARY = ".tmp"
_WARM_UPS = 6
_WARM_UP_SOURCE = """
import pytest

@pytest.fixture
def two():
    yield 2

@pytest.mark.parametrize("n", [1, 2.0, [3]], ids=["int", "float", "list"])
def test_values(n, two):
    assert [n] * two == [n, n]
    assert two == pytest.approx(2.0)

def test_errors():
    with pytest.raises(ValueError, match="no"):
        raise ValueError("no")

def test_surroundings(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    print(len(list(tmp_path.iterdir())))
    assert capsys.readouterr().out == "0\\n"

class TestClass:
    def test_method(self):
        assert self
"""
_FAILING = "def test_failing():\n    one = 1\n    print(one)\n    assert one == 2\n"

for _name in _EAGER.split():
    with contextlib.suppress(ImportError):  # of another version of pytest, or not needed by this Python
        importlib.import_module(_name)


def serve(forker: Forker) -> None:
    """Begin a session, serve the host from within it; in each child, finish it and end."""
    _move_to(forker.confinement.scratch)
    log = _listen()
    plugin = Plugin(forker, log)
    try:
        pytest.main([*_ARGUMENTS], plugins=[plugin])
    except BaseException as error:  # noqa: BLE001 - SystemExit and all
        log.write(f"\npytest did not end: {type(error).__name__}")
    if plugin.request:
        plugin.end()


def _move_to(folder: Path) -> None:
    """Make `folder` this process' place, where modules are found and temporary files go."""
    temporary = str(folder / _TEMPORARY)
    os.environ.update(HOME=str(folder), TMPDIR=temporary, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", COLUMNS="120")
    os.environ.update(ONE_THREAD)
    tempfile.tempdir = temporary
    os.chdir(folder)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder))
    sys.argv = ["pytest"]


def _listen() -> Tail:
    """What keeps all that is printed from now on; there is nothing to read."""
    log = Tail()
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(""), log, log
    return log


def warm_up(folder: Path) -> None:
    """Run tests that use what rendered files use, and leave nothing of it but loaded modules and adapted code."""
    streams, environment = (sys.stdin, sys.stdout, sys.stderr), dict(os.environ)
    _move_to(folder)
    _listen()
    names = [f"warm_up_{number}" for number in range(_WARM_UPS)]
    files = {f"{name}.py": _WARM_UP_SOURCE for name in names}
    (folder / _TEMPORARY).mkdir()
    write_files(folder, {**files, "warm_up_failing.py": _FAILING, "passed_over.py": ""})
    pytest.main([*_ARGUMENTS, "--assert=plain", "warm_up_failing.py", *files])
    for name in ("warm_up_failing", *names):
        sys.modules.pop(name, None)
    linecache.clearcache()
    os.chdir("/")
    scratch.empty(folder)
    sys.path.remove(str(folder))
    sys.path_importer_cache.pop(str(folder), None)
    sys.stdin, sys.stdout, sys.stderr = streams
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None


class Plugin(Reporter):
    """Where the session stops and goes on, and what it tells."""

    def __init__(self, forker: Forker, log: Tail) -> None:
        super().__init__(log)
        self._forker = forker

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: Any) -> None:
        """Serve; in a child, lay the job's files out and let the session collect them."""
        request = self._forker.serve()
        job = request.job
        self.begin(request)
        (request.folder / _TEMPORARY).mkdir()
        write_files(request.folder, job["files"])
        overlay_modules(job["overlay"], self._forker.project, request.folder)
        session.config.args[:] = job["tests"]
        if not request.asked["explain"]:
            sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, AssertionRewritingHook)]
        # Have pytest look for conftest.py now, and count the seconds from now on; it has no public way for either
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        with contextlib.suppress(AttributeError):
            session.config.pluginmanager._dirpath2confmods.clear()  # noqa: SLF001
            reporter._session_start = type(reporter._session_start)()  # noqa: SLF001

    @pytest.hookimpl(tryfirst=True)
    def pytest_unconfigure(self) -> None:
        """All is said: what pytest would still take down goes with the process."""
        if self.request:
            self.end()
