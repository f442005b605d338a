"""What `print` shows of a solution."""

import pytest


@pytest.fixture
def solved(studio, double):
    """A solution of one function."""
    return lambda *tries, **settings: studio.solve(double(*tries), settings=settings).solution


def test_three_lines(solved):
    """How it ended, what it cost, and the key."""
    solution = solved()
    first, second, third = str(solution).splitlines()
    assert first == "kit: all green (green: double)"
    assert second.startswith("4 cases, 3 model calls, ")
    assert second.endswith(" s, quick, script")
    assert third == f"key {solution.key}"


def test_what_is_not_green(solved):
    """Says so first."""
    wrong = "def double(number: int) -> int:\n    return 1"
    assert str(solved(wrong, budget="iterations=1")).startswith("kit: not all green (red: double)\n4 cases")


def test_many_functions_are_three_lines_too(solved):
    """The first are named, the others counted."""
    solution = solved()
    (result,) = solution.results
    many = [result.model_copy(update={"function": f"f{number}"}) for number in range(9)]
    told = str(solution.model_copy(update={"results": tuple(many)}))
    assert told.splitlines()[0] == "kit: all green (green: f0, f1, f2, f3, f4, f5 and 3 more)"
    assert told.count("\n") == 2
