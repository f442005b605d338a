"""Running a project's own tests as the project runs them: its settings, its environment's pytest and plugins.

Files of a job's own run here too where the pytest that is lent does not: with that of the environment, without plugins.

Nothing is begun before there is a request, but pytest is imported in the child while that waits: which settings and
plugins a session has is decided as it begins. What they can't have here is taken from them: tests in other processes
(xdist), a measure of coverage, and a cache in the project.
Standard library and pytest only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import io
import linecache
import os
import sys
import tempfile
import tokenize
import types
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

from tdgen.sandbox.in_project.spectrum import Failures, Spectrum
from tdgen.sandbox.inside.arrays import ONE_THREAD
from tdgen.sandbox.inside.forker import Forker, Request
from tdgen.sandbox.inside.project import Project
from tdgen.sandbox.inside.reporting import Reporter, Tail, overlay_modules, write_files

_APART = ("-q", "--color=no", "--import-mode=prepend", "-c", os.devnull, "--rootdir=.", "-p", "no:cacheprovider")
_TAKEN = {"xdist": ("-n", "0"), "pytest_cov": ("--no-cov",), "tdgen": ("--no-tdgen",)}
"""Options that take from a plugin what it can't have."""


def serve(forker: Forker) -> None:
    """Serve the host; in each child, run the tests that it asks for, and end."""
    project = forker.project
    if project is None:
        raise RuntimeError("no project is mounted")

    def prepare() -> None:
        project.enter()
        with contextlib.suppress(Exception):  # it is told as soon as somebody asks
            importlib.import_module("pytest")

    _run(forker.serve(prepare), project)
    os._exit(0)


def warm_up(room: Path) -> None:
    """Nothing is gone through: which pytest runs is the project's to say."""
    del room


def _run(request: Request, project: Project) -> None:
    """Run or collect the tests, from the project's root; a job's own files, from the folder where they are laid out."""
    log = Tail()
    reporter = Reporter(log)
    reporter.begin(request)
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(""), log, log
    files = request.job["files"]
    _move(request.folder, str(request.folder) if files else project.root)
    try:
        write_files(request.folder, files)
        overlay_modules(request.job["overlay"], project, request.folder)
        _overlay_tests(request.job["test_overlay"], project.root)
        if files:
            os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
            _main([*_APART, *request.job["tests"]], [reporter])
        else:
            telling: list[Any] = [Failures(project, request.emit)]
            telling += [Spectrum(project, request.emit)] if request.job["traced"] else []
            _session(_arguments(request, project), telling, reporter, log)
    except BaseException as error:  # noqa: BLE001 - SystemExit and all
        when = "did not begin" if reporter.code is None else "ended, and then failed"
        log.write(f"\npytest {when}: {type(error).__name__}: {error}")
    reporter.end()


def _move(folder: Path, root: str) -> None:
    """Work in the project's root, and write to `folder` alone."""
    temporary = folder / "tmp"
    temporary.mkdir()
    written = {"HOME": folder, "TMPDIR": temporary, "COVERAGE_FILE": folder / "coverage"}
    written["HYPOTHESIS_STORAGE_DIRECTORY"] = folder / "hypothesis"
    os.environ.update({name: str(path) for name, path in written.items()})
    os.environ.update(ONE_THREAD, COLUMNS="120", PYTHONDONTWRITEBYTECODE="1")
    tempfile.tempdir = str(temporary)
    os.chdir(root)
    sys.argv = ["pytest"]


def _arguments(request: Request, project: Project) -> list[str]:
    """What stands behind the options that the project's settings have, and goes before them."""
    only = ["--collect-only"] if request.job["project_tests"] == "collect" else []
    # A file that can't be collected would keep all others from being run.
    kept = [
        "--continue-on-collection-errors",
        "--rootdir",
        project.root,
        "--color=no",
        "-o",
        f"cache_dir={request.folder / 'cache'}",
    ]
    return [*kept, *only, *request.job["tests"]]


def _session(arguments: list[str], telling: list[Any], reporter: Reporter, log: Tail) -> None:
    """Run one session; where plugins can't be imported, one without them, and the log says so."""
    import pytest

    first = pytest.hookimpl(tryfirst=True)
    # Whatever is written in the end may fail: the project can't be written to.
    Reporter.pytest_sessionfinish = first(Reporter.pytest_sessionfinish)  # type: ignore[method-assign]
    without_file: Any = types.ModuleType("without_file")  # a namespace has no hash, which pytest 8 asks for
    without_file.pytest_configure = first(_without_file)
    plugins = [reporter, without_file, *telling]
    points: Any = importlib.metadata.entry_points()  # what the environment brings, not imported yet
    points = points.select(group="pytest11") if hasattr(points, "select") else points.get("pytest11", ())
    there = {plugin.name: plugin for plugin in points}
    taken = [word for name in _TAKEN if name in there for word in _TAKEN[name]]
    failure: BaseException | None = None
    try:
        _main([*taken, *arguments], plugins)
    except BaseException as error:  # noqa: BLE001 - SystemExit and all
        failure = error
    lacking = {name: why for name, plugin in there.items() if reporter.code is None and (why := _fault(plugin))}
    if not lacking:
        if failure:
            raise failure
        return
    for name, why in lacking.items():
        log.write(f"the plugin {name} is left out, as it can't be imported: {why}\n")
    taken = [word for name in _TAKEN if name in there.keys() - lacking for word in _TAKEN[name]]
    without = [word for name in lacking for word in ("-p", f"no:{name}")]
    _main([*without, *taken, *arguments], plugins)


def _main(arguments: list[str], plugins: list[Any]) -> None:
    """One session of pytest."""
    import pytest

    pluggy: Any = importlib.import_module("pluggy")  # pytest's own, inside
    try:
        _ = pluggy.__version__
    except importlib.metadata.PackageNotFoundError:  # it is lent without what is known of it
        pluggy.__version__ = ""
    pytest.main(arguments, plugins=plugins)


def _without_file(config: Any) -> None:
    """Have no report be written in the project."""
    config.option.xmlpath = None


def _fault(plugin: Any) -> str:
    """Why a plugin can't be imported; empty where it can."""
    try:
        plugin.load()
    except BaseException as error:  # noqa: BLE001 - a plugin may skip, or exit
        return f"{type(error).__name__}: {error}"
    return ""


def _overlay_tests(texts: dict[str, str], root: str) -> None:
    """Have files of a project's tests, by their paths from its root, be read as these texts, whoever imports them."""
    if not texts:
        return
    from _pytest.assertion import rewrite

    held = {f"{root}/{path}": text for path, text in texts.items()}
    for name, text in held.items():
        linecache.cache[name] = (len(text), None, io.StringIO(text, newline="").readlines(), name)
    # Each place where a file's bytes, or the code compiled from them earlier, would be read.
    rewritten, cached, plain = rewrite._rewrite_test, rewrite._read_pyc, SourceFileLoader.get_code  # noqa: SLF001

    class OverlaidPath(type(Path())):  # type: ignore[misc]
        def read_bytes(self) -> bytes:
            data = held[str(self)].encode()
            encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
            return held[str(self)].encode(encoding)

    def rewrite_test(fn: Any, config: Any) -> Any:
        return rewritten(OverlaidPath(fn) if str(fn) in held else fn, config)

    def read_pyc(source: Any, *more: Any) -> Any:
        return None if str(source) in held else cached(source, *more)

    def get_code(self: Any, fullname: str) -> Any:
        text = held.get(self.path)
        return plain(self, fullname) if text is None else compile(text, self.path, "exec", dont_inherit=True)

    rewrite._rewrite_test = rewrite_test  # noqa: SLF001
    rewrite._read_pyc = read_pyc  # type: ignore[assignment]  # noqa: SLF001
    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
