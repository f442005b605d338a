"""Files that import hypothesis: what a property test finds inside, and what it leaves."""

from __future__ import annotations

from tdgen.sandbox import pytest_run
from tdgen.sandbox.warm import WarmSandbox
from tdgen.types import FileJob, FileReport

MODULE = "def double(n):\n    return 2 * n\n"
ABOVE = (
    "from hypothesis import given, settings, strategies as st\nfrom mod import double\n"
    "bounded = settings(max_examples=100, derandomize=True, database=None, deadline=None)\n"
)


def run(sandbox: WarmSandbox, tests: str, module: str = MODULE) -> FileReport:
    """A module and its properties, run."""
    files = {"mod.py": module, "test_mod.py": ABOVE + tests}
    return sandbox.run_files(FileJob(files=files, tests=("test_mod.py",)))


def test_a_property_runs_in_each_sandbox(sandbox: WarmSandbox) -> None:
    """Texts, numbers and lists are drawn, with no home folder, no thread and no process to start."""
    strategies = ("text()", "integers()", "lists(st.booleans())", "floats(allow_nan=False)")
    tests = "".join(
        f"@bounded\n@given(st.{drawn})\ndef test_{place}(x):\n    assert double(x) == x * 2\n"
        for place, drawn in enumerate(strategies)
    )
    report = run(sandbox, tests)
    assert report.passed, report.log
    assert len(report.outcomes) == len(strategies)


def test_a_falsifying_example_is_the_smallest(sandbox: WarmSandbox) -> None:
    """Shrinking works inside."""
    report = run(sandbox, "@bounded\n@given(st.integers())\ndef test_small(n):\n    assert double(n) < 1000\n")
    assert report.outcomes == {"test_mod.py::test_small": "failed"}
    assert "n=500," in report.log


def test_a_run_keeps_no_examples(sandbox: WarmSandbox) -> None:
    """Nothing is written beside the files of the job: no run is led by what another found."""
    left = "import os\ndef test_left():\n    assert '.hypothesis' not in os.listdir()\n"
    report = run(sandbox, "@bounded\n@given(st.text())\ndef test_text(s):\n    assert double(s) != 'x'\n" + left)
    assert report.passed, report.log


def test_two_runs_draw_the_same(sandbox: WarmSandbox) -> None:
    """A derandomized property sees the same examples in each run."""
    tests = "seen = []\n@bounded\n@given(st.integers())\ndef test_seen(n):\n    seen.append(n)\n"
    tests += "def test_told():\n    print('seen', seen)\n    assert not seen\n"
    told = {line for _ in range(2) for line in run(sandbox, tests).log.splitlines() if line.startswith("seen ")}
    assert len(told) == 1
    assert len(told.pop()) > 100


def test_other_files_find_no_hypothesis(sandbox: WarmSandbox) -> None:
    """It is lent only where a file says that it imports it: nobody else's run waits for it."""
    tests = "import sys\ndef test_not_there():\n    assert 'hypothesis' not in sys.modules\n"
    assert sandbox.run_files(FileJob(files={"test_mod.py": tests}, tests=("test_mod.py",))).passed


def test_what_is_lent_is_hypothesis_and_no_more() -> None:
    """The folders and files that it needs, not all that lies beside it."""
    names = {path.rpartition("/")[2] for path in pytest_run.hypothesis()}
    assert names == {"hypothesis", "sortedcontainers", "_hypothesis_globals.py"}
    assert not names & {path.rpartition("/")[2] for path in pytest_run.find().visible}
