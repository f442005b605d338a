"""What a project's tests gave, kept while nothing in it changes."""

import os

import pytest

from tdgen.project.baseline import Baseline
from tdgen.project.root import find_project
from tdgen.types import Failure, FileReport

FILES = ("tests/test_a.py", "tests/test_b.py")


class Run:
    """A run that gives each file a passing test and one that fails; `complete` says whether it came to its end."""

    def __init__(self):
        self.asked, self.complete = [], True

    def __call__(self, tests, overlay, seconds, *, traced=False):
        self.asked.append((tuple(tests), dict(overlay)))
        ids = [f"{test}::{name}" for test in tests for name in ("good", "bad")]
        outcomes = {name: "passed" if name.endswith("good") else "failed" for name in ids if self.complete}
        failures = {name: Failure(type="E") for name, outcome in outcomes.items() if outcome == "failed"}
        return FileReport(
            collected=tuple(ids), outcomes=outcomes, failures=failures, complete=self.complete, log="said"
        )


@pytest.fixture
def run():
    return Run()


@pytest.fixture
def baseline(shop, run):
    """A baseline of the small project, opened anew with each call as by another command."""

    def opened(terms=""):
        return Baseline(find_project(shop / "src/shop/prices.py"), shop.root / ".cache", run, terms)

    return opened


def test_what_is_kept_is_not_run_again(baseline, run):
    """Each file for itself; the outcomes and how tests failed are as they were."""
    first = baseline()(FILES[:1], {}, 9.0)
    again = baseline()(FILES, {}, 9.0)
    assert [files for files, _ in run.asked] == [FILES[:1], FILES[1:]]
    assert again.outcomes == {**first.outcomes, "tests/test_b.py::good": "passed", "tests/test_b.py::bad": "failed"}
    assert again.failures.keys() == {"tests/test_a.py::bad", "tests/test_b.py::bad"}
    assert again.complete


def test_an_edit_and_single_tests_are_always_run(baseline, run):
    """They are what there is to find out."""
    known = baseline()
    for tests, overlay in ((FILES, {"a": "1\n"}), (("tests/test_a.py::good",), {})):
        known(tests, overlay, 9.0)
        known(tests, overlay, 9.0)
    assert len(run.asked) == 4


def test_what_is_cut_off_is_not_kept(baseline, run):
    """Nor is anything of that run."""
    run.complete = False
    assert not baseline()(FILES, {}, 9.0).complete
    run.complete = True
    assert baseline()(FILES, {}, 9.0).complete
    assert len(run.asked) == 2


@pytest.mark.parametrize("change", ["text", "time", "data", "terms"])
def test_any_change_in_the_project_has_all_run_again(shop, baseline, run, change):
    """Also of a file that is no Python, and of the settings that tests run by."""
    baseline()(FILES, {}, 9.0)
    if change == "text":
        shop.write({"src/shop/prices.py": "1\n"})
    elif change == "time":
        os.utime(shop / "src/shop/prices.py", (1, 1))
    elif change == "data":
        shop.write({"tests/data.json": "1\n"})
    baseline(change if change == "terms" else "")(FILES, {}, 9.0)
    assert len(run.asked) == 2


def test_a_kept_file_that_is_none_is_passed_over(shop, baseline, run):
    """It is written anew."""
    baseline()(FILES, {}, 9.0)
    next((shop / ".cache").iterdir()).write_text('{"format": 1, "files": 3}')
    assert baseline()(FILES, {}, 9.0).outcomes
    assert len(run.asked) == 2
