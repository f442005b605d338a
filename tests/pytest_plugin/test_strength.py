"""How strong tests are, told from runs of them on mutants."""

import pytest

from tdgen.project.module import Module, units_of
from tdgen.pytest_plugin.strength import Changed, strengths
from tdgen.types import FileReport

TEXT = "def add(a: int, b: int) -> int:\n    return a + b\n"
TEST = "test_add.py::test_add"


@pytest.fixture
def changed(tmp_path):
    """A module with one function that changed."""
    file = tmp_path / "sums.py"
    units = units_of(TEXT)
    return [Changed(Module("sums", "sums.py", file, TEXT.encode(), "utf-8", TEXT, units), tuple(units.values()))]


def told(changed, killed, *, ran="2", seconds=60.0):
    """The lines, where the tests fail on mutants for whose source `killed` holds."""

    def run(tests, overlay, seconds, *, traced=False):
        if not overlay:
            return FileReport(collected=(TEST,), outcomes={TEST: "passed"}, ran={TEST: {"sums.py": ran}}, complete=True)
        return FileReport(collected=(TEST,), outcomes={} if killed(overlay["sums"]) else {TEST: "passed"})

    return list(strengths(changed, ["test_add.py"], run, seconds=seconds))


def test_all_mutants_are_killed(changed):
    """What has no outcome does not pass."""
    (line,) = told(changed, lambda source: True)
    assert line.startswith("sums.py::add: 100% of ")
    assert line.endswith("mutants killed by 1 test")


def test_survivors_are_shown(changed):
    """A few of them, by what they change and where."""
    first, *others = told(changed, lambda source: "a - b" not in source)
    assert "100%" not in first
    assert others == ["    no test fails with a - b for a + b (line 2)"]


def test_no_test_runs_it(changed):
    """Then no mutant is tried."""
    assert told(changed, lambda source: True, ran="") == ["sums.py::add: no passing test runs it"]


def test_no_time(changed):
    """How many were not tried is told, with what gives more."""
    (line,) = told(changed, lambda source: True, seconds=-1.0)
    assert line.startswith("sums.py::add: no mutant tried by 1 test, no time for ")
    assert line.endswith("(TDGEN_GATE_SECONDS gives more)")


def test_tests_that_do_not_run(changed):
    """Why is told by the end of what pytest printed."""
    lines = list(strengths(changed, ["x"], lambda *_, **__: FileReport(log="no\nERROR: broken"), seconds=9))
    assert lines == ["not told: no test of these passes in the sandbox: ERROR: broken"]
