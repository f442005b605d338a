"""What all tests have: settings of none but their own, sandboxes that are warm, and models that answer by a script."""

from __future__ import annotations

import gc
import os
import platform
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from _pytest._code import code

from tdgen.cache import DiskStore, disk
from tdgen.extensions import registered
from tdgen.files import ruff
from tdgen.protocols import Model, Sandbox
from tdgen.pytest_files import headers
from tdgen.sandbox import launching, local, pytest_run
from tdgen.sandbox import wheels as installing
from tdgen.sandbox.interpreter import Mounted
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.packages import Packages, Supply
from tdgen.sandbox.server import NOTHING, Opened, Plan
from tdgen.settings.policy import POLICIES
from tdgen.source import syntax
from tdgen.types import Trust
from tests.forked import Forker
from tests.remembering import Lent, Remembering, Reports
from tests.scripted import Gate, Said, Solver, Write, Written
from tests.stand_ins import TeamServer, Wheels

SLOW = frozenset(
    (
        *("shared_sandboxes", "array_sandbox", "sandbox", "local", "docker_client", "opening", "driver", "start"),
        *("wheels", "make_wheels", "with_numpy", "bare_environment", "in_project", "bench", "reader"),
        *("node_sandbox", "typed_sandbox", "gcc_sandbox", "gpp_sandbox", "compiling_c", "compiling_cpp"),
        *("page_sandbox", "in_page", "forker"),
    )
)
"""Fixtures that bring a sandbox, a container, a browser, pip or processes: a test with one is marked `slow`."""


def pytest_configure(config: pytest.Config) -> None:
    """Let pytest, which parses the source of what failed, wait for threads that parse: see `tdgen.source.syntax`."""
    parsing = code.getstatementrange_ast

    def alone(*given: Any, **more: Any) -> Any:
        with syntax._parser:
            return parsing(*given, **more)

    code.getstatementrange_ast = alone


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Twice as many workers as processors, or four more: of the time of the sandbox's tests more than half is waited.

    For what hangs until it is ended, for processes and containers. What the environment says holds.
    """
    processors = len(os.sched_getaffinity(0))
    return None if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") else min(2 * processors, processors + 4)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow, and begin with the tests that are given more time than others: else one processor waits."""
    for item in items:
        if item.get_closest_marker("timeout") or SLOW.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("slow")
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)


def pytest_collection() -> None:
    """Thousands of tests stay: to look for garbage while they are collected takes seconds, and finds none."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave what was collected out of each later search for garbage, and search seldom: a solve makes many trees."""
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


@pytest.fixture(scope="session")
def bare_environment() -> Callable[[Path], None]:
    """Gives a project an environment without packages: the pytest that is lent there brings no plugins to load."""

    def make(root: Path) -> None:
        folder = root / ".venv"
        (folder / "bin").mkdir(parents=True)
        (folder / "bin/python").symlink_to(Path(sys.executable).resolve())
        (folder / "pyvenv.cfg").write_text(f"version = {platform.python_version()}\n")

    return make


@pytest.fixture(scope="session", autouse=True)
def no_endpoint() -> Iterator[None]:
    """No test sees this machine's settings, keys and active environment: `Settings()` would ask where they lead."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("TDGEN_", "OPENAI_")) or name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
                patch.delenv(name)
        yield


@pytest.fixture(scope="session", autouse=True)
def nothing_waits_for_a_disk() -> Iterator[None]:
    """What is written outlives a process that is killed without being synced; no test takes the power away."""
    connect = sqlite3.connect

    def unsynced(*given: Any, **more: Any) -> sqlite3.Connection:
        connection = connect(*given, **more)
        with suppress(sqlite3.Error):  # it may be no database at all
            connection.execute("PRAGMA synchronous = OFF")
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        patch.setattr(sqlite3, "connect", unsynced)
        patch.setitem(disk._SETTINGS, "sqlite_synchronous", 0)
        yield


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Has these entry points, by their group, be all that installed packages register, for the length of a test."""

    def only(**groups: Any) -> None:
        named = {group.replace("_", "."): points for group, points in groups.items()}
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: named.get(group, []))
        registered.cache_clear()

    yield only
    registered.cache_clear()


@pytest.fixture
def change_policy(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Change what a trust level means, by field, for the length of a test."""

    def change(level: Trust, **changes: Any) -> None:
        monkeypatch.setitem(POLICIES, level, POLICIES[level]._replace(**changes))

    return change


@pytest.fixture(autouse=True)
def no_second_reading(change_policy: Callable[..., None]) -> None:
    """No second reading is asked for: most scripts hold none. Tests that are about it override this."""
    change_policy("standard", readings=0)
    change_policy("strict", readings=0)


@pytest.fixture(scope="session")
def reports() -> Reports:
    """What was seen of jobs."""
    return Reports()


@pytest.fixture(scope="session")
def shared_sandboxes(reports: Reports) -> Iterator[tuple[Sandbox, Sandbox]]:
    """One sandbox for candidates and one for expected values, warm for the whole session."""
    with LocalSandbox() as candidates, LocalSandbox() as oracle:
        yield Remembering(candidates, reports), Remembering(oracle, reports)


_WITH_PYTEST = """
if kinds == "project":
    from importlib import import_module
    there = list(sys.path)
    sys.path.extend(folders.split(":"))
    for plugin in import_module("_pytest.config").default_plugins:
        import_module("_pytest." + plugin)
    import_module("pytest")
    sys.path[:], folders = there, ""
launcher.main("""
"""What a launcher for projects' own tests does before all else."""


@pytest.fixture(scope="session", autouse=True)
def launchers() -> Iterator[None]:
    """What launches servers stays for the session: else each test that opens a sandbox would load it anew.

    So does the pytest that is lent to projects which bring none: it is loaded once, and not by each run of their tests.
    """
    start, wanted, kept = launching.launcher, launching._wanted, set[launching.Launcher]()

    def with_pytest(plan: Plan) -> launching.Wanted:
        if plan.kind != "project" or not plan.visible or plan.interpreter.version[:2] != sys.version_info[:2]:
            return wanted(plan)
        return wanted(plan)._replace(kinds=("project",), folders=pytest_run.find().loading)

    def keep(plan: Plan) -> launching.Launcher:
        kept.add(found := start(plan))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launching, "launcher", keep)
        patch.setattr(launching, "_wanted", with_pytest)
        patch.setattr(launching, "_BOOT", launching._BOOT.replace("\nlauncher.main(", _WITH_PYTEST))
        yield


@pytest.fixture(autouse=True)
def each_run_counts(request: pytest.FixtureRequest) -> None:
    """Of the shared sandboxes, those that a test has."""
    for name in {"shared_sandboxes", "array_sandbox"}.intersection(request.fixturenames):
        given = request.getfixturevalue(name)
        for sandbox in given if isinstance(given, tuple) else (given,):
            sandbox.begin()


@pytest.fixture(scope="session", autouse=True)
def formatted_once() -> Iterator[None]:
    """Ruff is asked once a session for what it is given as text: the same text, the same answer."""
    run, known = ruff._run, {}

    def once(arguments: list[str], source: str) -> Any:
        if "--isolated" not in arguments or arguments[-1] != "-":  # settings and files may be others the next time
            return run(arguments, source)
        key = (ruff.ruff(), *arguments, source)
        if key not in known:
            known[key] = run(arguments, source)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ruff, "_run", once)
        yield


@pytest.fixture(scope="session", autouse=True)
def fewer_examples() -> Iterator[None]:
    """A property is tried on fifty examples, not 200: no test has one that falls later, and each example is a run."""
    bounded = headers._BOUNDED.replace(f"max_examples={headers.MOST_EXAMPLES}", "max_examples=50")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(headers, "_BOUNDED", bounded)
        yield


@pytest.fixture
def warm(shared_sandboxes: tuple[Sandbox, Sandbox], reports: Reports, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who chooses a sandbox in this process takes one of the session's, unless it wants what these do not have.

    In a project that is as another test had it, at the same place, what ran there is known.
    """
    lent = cycle(map(Lent, shared_sandboxes))

    def make(
        python: str = "",
        *,
        packages: Supply | None = None,
        opened: Opened = NOTHING,
        mounted: Mounted | None = None,
    ) -> Any:
        if (python, packages, opened, mounted) == ("", None, NOTHING, None):
            return next(lent)
        own = LocalSandbox(python, packages=packages, opened=opened, mounted=mounted)
        return Remembering(own, reports) if mounted else own

    monkeypatch.setattr(local, "LocalSandbox", make)


@pytest.fixture(scope="session")
def forker() -> Iterator[Forker]:
    """What starts Python in processes of their own, in which tdgen is imported already."""
    made = Forker()
    yield made
    made.close()


@pytest.fixture(scope="session")
def _place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("place") / "work"


@pytest.fixture
def work(_place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory, empty, at the same place for all tests; afterwards it lies in the test's own folder."""
    _place.mkdir()
    monkeypatch.chdir(_place)
    yield _place
    _place.rename(tmp_path / "work")


@pytest.fixture(scope="session")
def array_sandbox(reports: Reports) -> Iterator[Sandbox]:
    """A sandbox in which numpy and pandas can be imported, from where they are installed for the tests."""
    specs = [find_spec(name) for name in ("numpy", "pandas")]
    folders = {Path(str(spec.origin)).parents[1] for spec in specs if spec}
    if None in specs or len(folders) != 1:
        pytest.skip("numpy and pandas are not installed side by side")
    with LocalSandbox(packages=lambda _: str(*folders)) as made:
        yield Remembering(made, reports)


@pytest.fixture
def solver(shared_sandboxes: tuple[Sandbox, Sandbox], tmp_path: Path) -> Iterator[Solver]:
    made = Solver(*shared_sandboxes, tmp_path / "cache")
    yield made
    made.close()


@pytest.fixture
def array_studio(array_sandbox: Sandbox, tmp_path: Path) -> Iterator[Solver]:
    """A solver whose user allows numpy and pandas."""
    packages = Packages(imports=frozenset({"numpy", "pandas"}))
    made = Solver(array_sandbox, array_sandbox, tmp_path / "cache", packages)
    yield made
    made.close()


@pytest.fixture(scope="module")
def one_studio(shared_sandboxes: tuple[Sandbox, Sandbox], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Solver]:
    """A solver for a module's tests that all look at one solution."""
    made = Solver(*shared_sandboxes, tmp_path_factory.mktemp("solver") / "cache")
    yield made
    made.close()


@pytest.fixture(scope="session")
def write() -> Write:
    return Write()


@pytest.fixture(scope="session")
def double(write: Write) -> Callable[..., Written]:
    """`double(number)` with four cases, one of which is held out, and right at once unless told otherwise."""

    def make(*tries: str | Said, **more: Any) -> Written:
        right = "def double(number: int) -> int:\n    '''Twice the number.'''\n    return 2 * number"
        told = {
            "cases": [write.returns(f"double({number})", str(2 * number)) for number in (0, 1, 7, -4)],
            "tries": tries or [right],
        }
        return write.function("double(number: int) -> int", "Twice the number.", **told | more)

    return make


@pytest.fixture(scope="session")
def gate() -> Callable[[Model, str], Gate]:
    return Gate


@pytest.fixture(scope="session")
def make_wheels(forker: Forker) -> Callable[[Path, pytest.MonkeyPatch], Wheels]:
    """Makes a folder the only place where pip looks: no index, nothing of this machine's settings.

    Pip is there before its first line.
    """
    python = sys.executable

    def run(command: Sequence[str], *, umask: int, **more: Any) -> subprocess.CompletedProcess[str]:
        if command[0] != python:
            return subprocess.run(command, umask=umask, **more)
        return forker.run(command, umask=umask)

    def make(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Wheels:
        folder.mkdir()
        monkeypatch.setattr(installing, "subprocess", SimpleNamespace(run=run, TimeoutExpired=TimeoutError))
        for name, value in {"NO_INDEX": "1", "FIND_LINKS": str(folder), "CONFIG_FILE": os.devnull}.items():
            monkeypatch.setenv(f"PIP_{name}", value)
        return Wheels(folder)

    return make


@pytest.fixture
def wheels(
    make_wheels: Callable[[Path, pytest.MonkeyPatch], Wheels], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Wheels:
    """A folder of wheels of the test's own."""
    return make_wheels(tmp_path / "wheels", monkeypatch)


@pytest.fixture
def team_server() -> TeamServer:
    """A team's store that is empty."""
    return TeamServer()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[DiskStore]:
    """A new store on disk."""
    store = DiskStore(tmp_path / "cache")
    yield store
    store.close()
