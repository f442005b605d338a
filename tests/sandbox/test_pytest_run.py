"""What a pytest run on files reports, and what a candidate can't make of it."""

from __future__ import annotations

from typing import Any

import pytest

from tdgen.sandbox.warm import WarmSandbox
from tdgen.types import FileJob, FileReport, Limits

MODULE = "def double(n):\n    return 2 * n\n"
TESTS = (
    "from mod import double\ndef test_one():\n    assert double(1) == 2\ndef test_two():\n    assert double(2) == 4\n"
)


def run(sandbox: WarmSandbox, module: str = MODULE, tests: str = TESTS, **job: Any) -> FileReport:
    """A module and its test file, run."""
    return sandbox.run_files(FileJob(files={"mod.py": module, "test_mod.py": tests}, tests=("test_mod.py",), **job))


def test_each_test_id_has_its_outcome(sandbox: WarmSandbox) -> None:
    """A run in which all is right is complete and passed."""
    report = run(sandbox)
    assert report.outcomes == {"test_mod.py::test_one": "passed", "test_mod.py::test_two": "passed"}
    assert report.complete
    assert report.passed
    assert report.resources.peak_kb > 0


@pytest.mark.parametrize(
    ("test", "outcome"),
    [
        ("def test():\n    assert 1 == 2", "failed"),
        ("import pytest\n@pytest.fixture\ndef broken():\n    1 / 0\ndef test(broken):\n    pass", "error"),
        ("import pytest\n@pytest.fixture\ndef late():\n    yield\n    1 / 0\ndef test(late):\n    pass", "error"),
        ("import pytest\ndef test():\n    pytest.skip('no')", "skipped"),
        ("import pytest\n@pytest.mark.xfail\ndef test():\n    assert 0", "xfailed"),
        ("import pytest\n@pytest.mark.xfail\ndef test():\n    assert 1", "xpassed"),
        ("def test(subtests):\n    with subtests.test('one'):\n        assert 0", "failed"),
    ],
)
def test_anything_but_passing_takes_the_green_away(sandbox: WarmSandbox, test: str, outcome: str) -> None:
    """Setup, call and teardown are one outcome: the worst."""
    report = run(sandbox, tests=test)
    assert report.outcomes == {"test_mod.py::test": outcome}
    assert not report.passed


def test_the_log_is_what_pytest_printed(sandbox: WarmSandbox) -> None:
    """A failure is shown with pytest's own explanation, as a reader of the terminal would see it."""
    report = run(sandbox, module="def double(n):\n    return n\n")
    assert "assert 1 == 2" in report.log
    assert "where 1 = double(1)" in report.log


def test_explaining_a_failure_can_not_make_it_a_pass(sandbox: WarmSandbox) -> None:
    """Assertions are explained in a second run, of which nothing but the log counts."""
    tests = "import sys\ndef test():\n    assert any('Rewriting' in type(found).__name__ for found in sys.meta_path)\n"
    report = run(sandbox, tests=tests)
    assert report.outcomes == {"test_mod.py::test": "failed"}
    assert "1 failed" in report.log


def test_the_log_keeps_its_end_when_it_is_long(sandbox: WarmSandbox) -> None:
    """A bounded log ends with the summary."""
    tests = "def test_noisy():\n    print('x' * 100_000)\n    assert 0\n"
    report = run(sandbox, tests=tests, limits=Limits(wall_s=30, output_kb=4))
    assert len(report.log) <= 4096
    assert "1 failed" in report.log


@pytest.mark.parametrize(
    "module",
    [
        "import os\nos._exit(0)\n",
        "import sys\nsys.exit(0)\n",
        "raise BaseException\n",
        "def double(n):\n    import os\n    os._exit(0)\n",
        "def double(n):\n    import pytest\n    pytest.exit('done', returncode=0)\n",
        "def double(n:\n",
    ],
)
def test_a_run_that_ends_early_is_not_complete(sandbox: WarmSandbox, module: str) -> None:
    """Whatever exit code a candidate finds, tests that were not seen to pass did not pass."""
    assert not run(sandbox, module=module).passed


def test_a_run_that_hangs_tells_where(sandbox: WarmSandbox) -> None:
    """The wall clock is for the whole run; the log names the test it hung in."""
    waits = "import time\ndef double(n):\n    while n > 1: time.sleep(1)\n    return 2\n"
    report = run(sandbox, module=waits, limits=Limits(wall_s=1.5))
    assert not report.complete
    assert report.outcomes == {"test_mod.py::test_one": "passed"}
    assert "it hung in test_mod.py::test_two" in report.log


def test_no_tests_are_not_a_pass(sandbox: WarmSandbox) -> None:
    """An empty run proves nothing."""
    assert not run(sandbox, tests="x = 1\n").passed


def test_shuffling_is_by_seed(sandbox: WarmSandbox) -> None:
    """The same seed gives the same order, and some seed gives another one than the file's."""
    tests = "".join(f"def test_{n}(): pass\n" for n in range(6))
    orders = [tuple(run(sandbox, tests=tests, shuffle=seed).outcomes) for seed in (1, 1, 2)]
    in_order = tuple(run(sandbox, tests=tests).outcomes)
    assert orders[0] == orders[1]
    assert {orders[0], orders[2]} != {in_order}
    assert sorted(orders[0]) == sorted(in_order)


def test_the_hash_seed_is_the_jobs(sandbox: WarmSandbox) -> None:
    """PYTHONHASHSEED is really set, so that the order of a set of texts can differ between two runs."""
    tests = "def test_order():\n    print(list({'a', 'b', 'c', 'd', 'e'}))\n    assert 0\n"
    logs = {run(sandbox, tests=tests, hash_seed=seed).log.split("stdout call")[1].split("]")[0] for seed in (0, 1, 2)}
    again = run(sandbox, tests=tests, hash_seed=1).log.split("stdout call")[1].split("]")[0]
    assert len(logs) > 1
    assert again in logs


def test_what_a_rendered_file_uses_is_there(sandbox: WarmSandbox) -> None:
    """The fixtures of pytest that rendered tests use work inside."""
    tests = (
        "import pytest\n"
        "@pytest.mark.parametrize('n', [1, 2], ids=['one', 'two'])\n"
        "def test_n(n): assert n == pytest.approx(n + 1e-12)\n"
        "def test_rest(tmp_path, capsys, monkeypatch):\n"
        "    (tmp_path / 'a').write_text('x')\n    monkeypatch.chdir(tmp_path)\n    monkeypatch.setenv('A', 'b')\n"
        "    print(open('a').read())\n    assert capsys.readouterr().out == 'x\\n'\n"
        "    with pytest.raises(ZeroDivisionError, match='division'): 1 / 0\n"
    )
    report = run(sandbox, tests=tests)
    assert list(report.outcomes) == ["test_mod.py::test_n[one]", "test_mod.py::test_n[two]", "test_mod.py::test_rest"]
    assert report.passed, report.log


def test_tests_in_a_folder_find_the_module(sandbox: WarmSandbox) -> None:
    """The scratch folder itself is on the path, as `python -m pytest` has it."""
    files = {"pack/__init__.py": "", "pack/mod.py": MODULE, "tests/test_mod.py": TESTS.replace("mod", "pack.mod", 1)}
    assert sandbox.run_files(FileJob(files=files, tests=("tests",))).passed


def test_a_conftest_is_heeded(sandbox: WarmSandbox) -> None:
    """Fixtures of a conftest.py are found, though the session began before the file was there."""
    files = {
        "conftest.py": "import pytest\n@pytest.fixture\ndef two():\n    return 2\n",
        "tests/conftest.py": "import pytest\n@pytest.fixture\ndef four(two):\n    return two + two\n",
        "tests/test_mod.py": "def test_four(four):\n    assert four == 4\n",
    }
    report = sandbox.run_files(FileJob(files=files, tests=("tests/test_mod.py",)))
    assert report.passed, report.log


def test_one_run_leaves_nothing_for_the_next(sandbox: WarmSandbox) -> None:
    """Files, modules and outcomes of a run are gone when the next one starts."""
    assert run(sandbox, module=MODULE + "import sys; sys.modules['left'] = 1; open('left.py', 'w').close()\n").passed
    tests = "import os\ndef test():\n    assert sorted(os.listdir()) == ['.tmp', 'mod.py', 'test_mod.py']\n"
    tests += "def test_modules():\n    import sys\n    assert 'left' not in sys.modules and 'mod' not in sys.modules\n"
    report = run(sandbox, tests=tests)
    assert report.passed, report.log
    assert set(report.outcomes) == {"test_mod.py::test", "test_mod.py::test_modules"}


def test_a_file_run_is_confined(sandbox: WarmSandbox) -> None:
    """Tests and candidate are held like any other code."""
    tests = (
        "import os, socket, pytest\n"
        "@pytest.mark.parametrize('act', [os.fork, socket.socket])\n"
        "def test(act):\n    with pytest.raises(OSError): act()\n"
    )
    assert run(sandbox, tests=tests).passed


def test_packages_of_the_host_are_not_there(sandbox: WarmSandbox) -> None:
    """Only pytest is lent to the inside, nothing else of the host's environment."""
    tests = (
        "import pytest\n@pytest.mark.parametrize('name', ['tdgen', 'pydantic', 'openai'])\n"
        "def test(name):\n    with pytest.raises(ImportError): __import__(name)\n"
    )
    report = run(sandbox, tests=tests)
    assert report.passed, report.log
