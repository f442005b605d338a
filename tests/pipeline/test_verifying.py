"""A solution tried again offline: the judge on the stored suites, and pytest on the files as they are."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def solution(one_studio, double):
    return one_studio.solve(double()).solution


def test_a_kept_solution_passes(studio, solution):
    """Without any model: nobody could answer."""
    verification = studio.generator().verify(solution)
    assert verification.passed
    assert [verdict.case for verdict in verification.verdicts["double"]] == [
        case.name for case in solution.results[0].suite.cases
    ]
    assert len(verification.report.outcomes) == 4


def test_a_changed_module_fails(studio, solution):
    """In the judge's eyes, and in pytest's."""
    files = solution.files() | {"kit.py": "def double(number: int) -> int:\n    return 3 * number\n"}
    verification = studio.generator().verify(solution, files)
    assert not verification.passed
    assert [verdict.passed for verdict in verification.verdicts["double"]].count(False) == 3
    assert not verification.report.passed


def test_a_module_that_only_fools_pytest_fails(studio, solution):
    """A result that says it equals everything is no right result."""
    fooling = (
        "class Anything(int):\n    def __eq__(self, other):\n        return True\n\n    __hash__ = int.__hash__\n\n\n"
        "def double(number: int) -> int:\n    return Anything(3)\n"
    )
    verification = studio.generator().verify(solution, solution.files() | {"kit.py": fooling})
    assert verification.report.passed
    assert not verification.passed


def test_a_test_that_the_user_added_counts(studio, solution):
    """Every file named test_… is run."""
    added = {"test_mine.py": "from kit import double\n\n\ndef test_mine():\n    assert double(2) == 5\n"}
    verification = studio.generator().verify(solution, solution.files() | added)
    assert all(verdict.passed for verdict in verification.verdicts["double"])
    assert not verification.passed


def test_a_module_that_is_gone_fails(studio, solution):
    """There is nothing to pass."""
    files = {name: text for name, text in solution.files().items() if name != "kit.py"}
    assert not studio.generator().verify(solution, files).passed
