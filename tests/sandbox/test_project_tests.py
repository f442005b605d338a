"""A project's own tests, run in the project with a module laid over one of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tdgen.errors import SandboxError
from tdgen.sandbox import interpreter
from tdgen.sandbox.interpreter import Mounted
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.warm import WarmSandbox
from tdgen.types import FileJob, FileReport, Limits
from tests.sandbox.test_mounted import laid

pytestmark = pytest.mark.slow  # each needs a sandbox of its own

RIGHT = {"shop.pricing": "def price(amount):\n    return 1.5 * amount\n"}
FILES = {
    "pyproject.toml": """
[tool.pytest.ini_options]
addopts = "-ra --strict-markers --junitxml=report.xml"
testpaths = ["tests"]
markers = ["slow: takes long"]
pythonpath = ["helpers"]
filterwarnings = ["error"]
""",
    "src/shop/__init__.py": "from .pricing import price\n",
    "src/shop/pricing.py": "def price(amount):\n    raise NotImplementedError\n",
    "helpers/helping.py": "RATE = 1.5\n",
    "tests/conftest.py": """
import pathlib

import helping
import pytest
import shop

@pytest.fixture
def rate():
    return float(pathlib.Path("tests/rate.txt").read_text()) / helping.RATE * 1.5
""",
    "tests/rate.txt": "1.5\n",
    "tests/test_shop.py": """
import pathlib

import pytest
from shop import price

def test_price(rate, tmp_path, cache, capfd):
    (tmp_path / "kept").write_text("here")
    cache.set("shop/rate", rate)
    (pathlib.Path.home() / "kept").write_text("here")
    print("printed")
    assert capfd.readouterr().out == "printed\\n"
    assert price(2) == 2 * rate

@pytest.mark.slow
@pytest.mark.parametrize("amount", [1, 2])
def test_amounts(amount):
    assert price(amount) > amount

def test_plugin(lent):
    assert lent == 7
""",
    "tests/test_writes.py": "def test_writes():\n    open('new', 'w')\n",
    "other/test_other.py": "def test_other():\n    pass\n",
    "site-packages/plugging.py": "import pytest\n\n@pytest.fixture\ndef lent():\n    return 7\n",
    "site-packages/plugging-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: plugging\nVersion: 1\n",
    "site-packages/plugging-1.dist-info/entry_points.txt": "[pytest11]\nplugging = plugging\n",
}
IDS = [
    "tests/test_shop.py::test_price",
    "tests/test_shop.py::test_amounts[1]",
    "tests/test_shop.py::test_amounts[2]",
    "tests/test_shop.py::test_plugin",
    "tests/test_writes.py::test_writes",
]
Run = Callable[..., FileReport]


@pytest.fixture(scope="module")
def suite(local: LocalSandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Runs a project's tests in the local sandbox: `suite(*tests, files=…, overlay=…)`."""
    yield from _runs(type(local), tmp_path_factory)


@pytest.fixture(scope="module", params=["local", "docker"])
def each_suite(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """The same in a sandbox of each kind, where it hangs on how files come there and how a run is ended."""
    yield from _runs(type(request.getfixturevalue(request.param)), tmp_path_factory)


def _runs(kind: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    open_ones: dict[str, WarmSandbox] = {}

    def run(*tests: str, files: dict[str, str] | None = None, how: Any = "run", **job: Any) -> FileReport:
        key = repr(files)
        if key not in open_ones:
            folder = tmp_path_factory.mktemp("suite")
            for path in (folder, *folder.parents[:2]):
                path.chmod(0o755)
            root = laid(folder / "a project", FILES | (files or {}))
            imports = tuple(str(root / name) for name in ("src", ".", "site-packages"))
            open_ones[key] = kind(mounted=Mounted(root=str(root), imports=imports))
        job = {"overlay": RIGHT, **job}
        return open_ones[key].run_files(FileJob(files={}, tests=tests, project_tests=how, **job))

    yield run
    for sandbox in open_ones.values():
        sandbox.close()


def test_the_whole_suite(each_suite: Run) -> None:
    """Its settings, fixtures, data and plugins are as the project has them; it is run against what is laid over."""
    report = each_suite()
    assert report.collected == tuple(IDS)
    assert report.outcomes == dict.fromkeys(IDS[:4], "passed") | {IDS[4]: "failed"}
    assert "Read-only file system" in report.reasons[IDS[4]] or "Permission denied" in report.reasons[IDS[4]]
    assert report.complete


def test_without_an_overlay_it_is_the_project_as_it_stands(each_suite: Run) -> None:
    """What fails then is told with pytest's reason."""
    report = each_suite("tests/test_shop.py", overlay={})
    assert report.outcomes[IDS[0]] == "failed"
    assert "NotImplementedError" in report.reasons[IDS[0]]


@pytest.mark.parametrize("line", ["", "addopts = '--assert=plain'"])
def test_a_file_of_tests_is_laid_over(each_suite: Run, line: str) -> None:
    """Others see it so, too, and it is explained as what it says, in its own encoding."""
    files = {
        "tests/test_new.py": "def helper():\n    return 1\n\n\ndef test_new():\n    assert helper() == 1\n",
        "tests/test_user.py": "from test_new import helper\n\n\ndef test_user():\n    assert helper() == 2\n",
    }
    if line:
        files["pyproject.toml"] = f"[tool.pytest.ini_options]\n{line}\npythonpath = ['helpers']\n"
    new = "# -*- coding: latin-1 -*-\ndef helper():\n    return 2\n\n\ndef test_new():\n    assert helper() == 'é'\n"
    asked, ids = (
        ("tests/test_new.py", "tests/test_user.py"),
        ("tests/test_new.py::test_new", "tests/test_user.py::test_user"),
    )
    assert each_suite(*asked, files=files).outcomes == dict(zip(ids, ("passed", "failed"), strict=True))
    report = each_suite(*asked, files=files, test_overlay={asked[0]: new})
    assert report.outcomes == dict(zip(ids, ("failed", "passed"), strict=True))
    assert ("assert 2 == 'é'" in report.reasons[ids[0]]) == (not line)
    assert ">       assert helper() == 'é'" in report.reasons[ids[0]] or line


def test_some_of_them(suite: Run) -> None:
    """By their ids, or by file."""
    assert list(suite(IDS[2], "other").outcomes) == [IDS[2], "other/test_other.py::test_other"]


def test_collecting_alone(suite: Run) -> None:
    """The ids, and nothing is run."""
    report = suite(how="collect")
    assert (report.collected, report.outcomes, report.complete) == (tuple(IDS), {}, True)


def test_a_test_that_is_not_there(suite: Run) -> None:
    """The log says so, and nothing is green."""
    report = suite("tests/test_shop.py::test_none")
    assert not report.complete
    assert "not found: " in report.log


def test_a_file_that_can_not_be_collected(suite: Run) -> None:
    """It is told by its name, with the reason."""
    report = suite(files={"tests/test_wrong.py": "import nothing_of_that_name\n"})
    assert "nothing_of_that_name" in report.reasons["tests/test_wrong.py"]
    assert not report.complete


def test_a_conftest_that_can_not_be_imported(suite: Run) -> None:
    """The log has the reason."""
    report = suite(files={"tests/conftest.py": "1 / 0\n"})
    assert not report.complete
    assert "ZeroDivisionError" in report.log


def test_settings_that_are_none(suite: Run) -> None:
    """What pytest says of them is in the log."""
    settings = "[tool.pytest.ini_options]\naddopts = '--no-such-option'\n"
    report = suite(files={"pyproject.toml": settings, "tests/conftest.py": ""})
    assert not report.complete
    assert "--no-such-option" in report.log


def test_a_plugin_that_can_not_be_imported(suite: Run) -> None:
    """It is left out with a reason, and the tests that need none of it are run."""
    report = suite(files={"site-packages/plugging.py": "import nothing_of_that_name\n"})
    assert report.outcomes[IDS[0]] == "passed"
    assert report.outcomes[IDS[3]] == "error"
    assert "the plugin plugging is left out, as it can't be imported: ModuleNotFoundError" in report.log


def test_a_suite_that_takes_too_long(each_suite: Run) -> None:
    """It is cut off at its limit, and what was told before counts."""
    files = {"tests/test_long.py": "import time\ndef test_ends():\n    pass\ndef test_long():\n    time.sleep(60)\n"}
    report = each_suite("tests/test_long.py", files=files, limits=Limits(wall_s=4, cpu_s=60))
    assert report.outcomes == {"tests/test_long.py::test_ends": "passed"}
    assert not report.complete
    assert "it hung in tests/test_long.py::test_long" in report.log


def test_a_module_that_pytest_rewrites_is_laid_over_too(suite: Run) -> None:
    """Also where the project has its own modules' assertions explained."""
    files = {"tests/conftest.py": "import pytest\npytest.register_assert_rewrite('shop')\nimport shop\n"}
    assert suite(IDS[1], files=files).passed


def test_what_is_registered_beside_its_plugins_can_be_hashed(suite: Run) -> None:
    """Pytest 8 keeps all plugins in a set; so may a conftest."""
    files = {"tests/conftest.py": "def pytest_configure(config):\n    set(config.pluginmanager.get_plugins())\n"}
    assert suite(IDS[1], files=files).passed


def test_there_must_be_a_project(local: LocalSandbox) -> None:
    """Else there are no tests of it."""
    with pytest.raises(SandboxError, match="no project is mounted"):
        local.run_files(FileJob(files={}, tests=(), project_tests="run"))


FAILING = """
import pytest
from shop.pricing import price, doubled

@pytest.fixture
def broken():
    raise LookupError("no rate")

def test_right():
    assert doubled(2) == 4

def test_wrong():
    assert doubled(0) == 1

def test_raised():
    price(-1)

def test_setup(broken):
    pass

def test_skipped():
    pytest.skip("later")
"""
MORE = {"shop.more": "1 / 0\n"}
PRICING = (
    "def price(amount):\n"
    "    try:\n"
    "        return checked(amount)\n"
    "    except KeyError as error:\n"
    "        raise ValueError('no price') from error\n\n\n"
    "def checked(amount):\n"
    "    if amount < 0:\n"
    "        raise KeyError(amount)\n"
    "    return amount\n\n\n"
    "def doubled(amount):\n"
    "    if not amount:\n"
    "        return 0\n"
    "    return 2 * sum(amount for _ in [1])\n"
)


def test_how_tests_fail(suite: Run) -> None:
    """The exception and the places it went by, from the project's root; then those of its cause."""
    report = suite("tests/test_failing.py", files={"tests/test_failing.py": FAILING}, overlay={"shop.pricing": PRICING})
    name = "tests/test_failing.py::test_{}".format
    assert sorted(report.failures) == [name("raised"), name("setup"), name("wrong")]
    wrong, raised = report.failures[name("wrong")], report.failures[name("raised")]
    assert (wrong.type, wrong.message.splitlines()[0]) == ("AssertionError", "assert 0 == 1")
    assert (raised.type, raised.message) == ("ValueError", "no price")
    own = [(place.path, place.line, place.function) for place in raised.places if place.path.startswith("src")]
    assert own == [
        *(("src/shop/pricing.py", 5, "price"), ("src/shop/pricing.py", 3, "price")),
        ("src/shop/pricing.py", 10, "checked"),
    ]
    assert report.failures[name("setup")].message == "no rate"
    assert (report.ran, report.modules) == ({}, {})


def test_a_file_that_can_not_be_collected_has_a_failure(suite: Run) -> None:
    """By its path; the places say where."""
    report = suite("tests/test_more.py", files={"tests/test_more.py": "import shop.more\n"}, overlay=RIGHT | MORE)
    assert report.failures["tests/test_more.py"].type == "ZeroDivisionError"
    places = [(place.path, place.line) for place in report.failures["tests/test_more.py"].places]
    assert places[-1] == ("src/shop/more.py", 1)


def test_which_lines_each_test_runs(suite: Run) -> None:
    """Of functions of the project's modules, also in what failed."""
    report = suite(
        "tests/test_failing.py",
        files={"tests/test_failing.py": FAILING},
        overlay={"shop.pricing": PRICING},
        traced=True,
    )
    path, name = "src/shop/pricing.py", "tests/test_failing.py::test_{}".format
    assert report.modules == {path: "shop.pricing"}
    assert report.ran == {
        name("right"): {path: "15,17"},
        name("wrong"): {path: "15-16"},
        name("raised"): {path: "2-5,9-10"},
        name("setup"): {},
        name("skipped"): {},
    }
    assert report.outcomes[name("right")] == "passed"


TRACING = """
import sys

import pytest
from shop.pricing import doubled

SEEN = []

@pytest.fixture(autouse=True)
def watched():
    assert sys.gettrace() is None
    sys.settrace(lambda frame, event, value: SEEN.append(frame.f_code.co_name))
    yield
    sys.settrace(None)

def test_a():
    doubled(1)
    assert "doubled" in SEEN
"""


def test_a_test_that_sets_a_trace_has_it_and_is_recorded_too(suite: Run) -> None:
    """It sees its own alone, as if nobody recorded it."""
    report = suite(
        "tests/test_tracing.py",
        files={"tests/test_tracing.py": TRACING},
        overlay={"shop.pricing": PRICING},
        traced=True,
    )
    assert report.outcomes == {"tests/test_tracing.py::test_a": "passed"}, report.log
    assert report.ran == {"tests/test_tracing.py::test_a": {"src/shop/pricing.py": "15,17"}}


THREADED = """
import threading
from shop import doubled

def test_a():
    doubled(1)

def test_b():
    thread = threading.Thread(target=doubled, args=(0,))
    thread.start()
    thread.join()
"""


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_each_version_records_the_same(tmp_path: Path, version: str) -> None:
    """In a second test and in threads too."""
    try:
        interpreter.find(version)
    except SandboxError:
        pytest.skip(f"there is no Python {version} here")
    root = laid(tmp_path / "p", {"pyproject.toml": "", "shop.py": PRICING, "tests/test_a.py": THREADED})
    with LocalSandbox(version, mounted=Mounted(root=str(root), imports=(str(root),))) as sandbox:
        report = sandbox.run_files(FileJob(files={}, tests=(), project_tests="run", traced=True))
    assert report.complete, report.log
    lines = {"test_a": "15,17", "test_b": "15-16"}
    assert report.ran == {f"tests/test_a.py::{name}": {"shop.py": ran} for name, ran in lines.items()}


def test_a_name_that_can_not_be_imported_is_told_as_what_it_is(suite: Run) -> None:
    """Pytest wraps it; the others are run all the same."""
    files = {"tests/test_more.py": "from shop import more\n"}
    report = suite("tests/test_more.py", "tests/test_shop.py", files=files)
    assert report.failures["tests/test_more.py"].type == "ImportError"
    assert "cannot import name 'more' from 'shop'" in report.failures["tests/test_more.py"].message
    assert report.outcomes[IDS[0]] == "passed"
    assert not report.complete


def test_a_doctest_fails_as_what_it_shows(suite: Run) -> None:
    """What it gives beside what it says, or what was raised; the lines that it runs are recorded like any test's."""
    example = ">>> import shop\n>>> shop.price({})\n{}\n"
    files = {"doc.rst": example.format(2, 4.0), "error.rst": example.format("None", 1)}
    report = suite("--doctest-glob=*.rst", "doc.rst", "error.rst", files=files, traced=True)
    assert report.failures["doc.rst::doc.rst"].message == "`shop.price(2)` gives '3.0', and not '4.0'"
    assert report.failures["error.rst::error.rst"].type == "TypeError"
    assert report.failures["error.rst::error.rst"].places[-1].function == "price"
    assert report.ran["doc.rst::doc.rst"] == {"src/shop/pricing.py": "2"}
