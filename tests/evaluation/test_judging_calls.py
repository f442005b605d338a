"""Hidden tests: each known kind's right code passes, wrong code does not, and forged passes are none."""

from __future__ import annotations

import pytest

from tdgen.errors import InputError
from tdgen.evaluation import Problem, read_dataset
from tdgen.evaluation.judging import FunctionJudge, hidden_tests
from tdgen.types import Limits

RIGHT = {
    "HumanEval": "def twice(number):\n    return number + number\n",
    "HumanEval+": "def third(number):\n    return number / 3.0\n",
    "MBPP": "def plus(a, b):\n    return b + a\n",
    "MBPP+": "def backwards(items):\n    return list(reversed(items))\n",
    "QuixBugs": "def least(numbers):\n    return sorted(numbers)[0]\n",
    "own, with tests": "def negate(n):\n    return -n\n",
    "own, with cases": "def ends(items):\n    if items:\n        return [items[0], items[-1]]\n    raise ValueError\n",
    "own, with a reference": "def square(n):\n    return n ** 2\n",
}
LOOPING = "for n in range(3):\n    assert f(n) == n + 1"
PROBLEM = Problem(id="p", instruction="", function="f", called="f", asserts="assert f(1) == 2\nassert f(2) == 3")


@pytest.fixture
def judged(shared_sandboxes):
    """What a problem's hidden tests say of a source."""
    return lambda problem, source, limits=Limits(): FunctionJudge(problem, *shared_sandboxes, limits).judge(source)  # noqa: B008


@pytest.mark.parametrize("kind", RIGHT)
def test_right_code_is_right_and_wrong_code_is_not(rows, dataset, judged, kind):
    """By as many tests as the data set has; what fails is told."""
    (problem,) = read_dataset(dataset(rows[kind]))
    good = judged(problem, RIGHT[kind])
    assert good.right
    assert not good.forgeable
    bad = judged(problem, f"def {problem.function}(*given):\n    return None\n")
    assert (bad.tests, bad.failed) == (good.tests, good.tests)
    assert f"{problem.function}(" in bad.faults[0]


@pytest.mark.parametrize("asserts", [PROBLEM.asserts, LOOPING], ids=["cases", "program"])
@pytest.mark.parametrize(
    "source",
    [
        "",
        "def g(n):\n    return n + 1\n",
        "def f(n):\n    import os\n    os._exit(0)\n",
        "import sys\nsys.exit(0)\n",
        "def f(n:\n",
    ],
    ids=["nothing", "another name", "exit", "exit at import", "syntax"],
)
def test_what_does_not_answer_passes_nothing(judged, source, asserts):
    """Whatever it does instead."""
    found = judged(PROBLEM.model_copy(update={"asserts": asserts}), source)
    assert found.failed == found.tests > 0


def test_an_object_that_is_equal_to_everything_is_not_right(judged):
    """The relation is evaluated on plain data, where no candidate runs."""
    forged = "class A:\n    def __eq__(self, other):\n        return True\n\n\ndef f(n):\n    return A()\n"
    assert not judged(PROBLEM, forged).right


def test_each_assert_counts_by_itself(judged):
    """So that the density of errors can be told."""
    found = judged(PROBLEM, "def f(n):\n    return 2\n")
    assert (found.tests, found.failed) == (2, 1)
    assert found.faults[0].startswith("f(2): returned 2")


def test_the_data_sets_own_relation_decides(judged):
    """`==` as Python has it, a tolerance where the assert has one; a list is no tuple."""
    asserts = "assert f(1) == 1\nassert abs(f(2) - 2.0) < 1e-3\nassert f(3) == [3]\nassert f(4)\nassert not f(0)"
    source = "def f(n):\n    return {1: True, 2: 2.0004, 3: (3,), 4: 'x', 0: []}[n]\n"
    found = judged(PROBLEM.model_copy(update={"asserts": asserts}), source)
    assert (found.tests, found.failed) == (5, 1)


def test_what_is_set_up_before_an_assert_is_there(judged):
    """Imports and assignments; and two calls of which one is compared with the other."""
    asserts = "import math\nx = math.floor(2.5)\nassert f(x) == 3\nassert f(f(x)) == f(3)"
    assert judged(PROBLEM.model_copy(update={"asserts": asserts}), "def f(n):\n    return n + 1\n").right


def test_a_test_that_loops_is_one_test_and_says_that_it_could_be_forged(judged):
    """It runs whole, in one process with the code."""
    found = judged(PROBLEM.model_copy(update={"asserts": LOOPING}), "def f(n):\n    return n + 1\n")
    assert found.right
    assert found.tests == 1
    assert found.forgeable


def test_a_check_that_loops_has_the_prompts_helpers(rows, dataset, judged):
    """As HumanEval's tests may call what its prompt defines beside the function."""
    looping = "def check(candidate):\n    for n in range(9):\n        assert half(candidate(n)) == n\n"
    (problem,) = read_dataset(dataset(rows["HumanEval"] | {"test": looping}))
    assert judged(problem, RIGHT["HumanEval"]).right
    assert not judged(problem, "def twice(number):\n    return 0\n").right


def test_floats_of_a_reference_are_compared_within_a_tolerance(rows, dataset, judged):
    """The problem's own where it has one."""
    (problem,) = read_dataset(dataset(rows["HumanEval+"] | {"atol": 0.0015}))
    assert judged(problem, "def third(number):\n    return number * 0.333\n").failed == 1


@pytest.mark.parametrize(
    "change",
    [{"asserts": "x = 1"}, {"asserts": "assert True"}, {"asserts": "def ("}, {"asserts": "", "inputs": ("1",)}],
    ids=["no assert", "no call", "no Python", "no reference"],
)
def test_a_problem_without_a_test_that_runs_is_refused(judged, change):
    """Nothing could be said of it."""
    with pytest.raises(InputError, match="hidden test"):
        judged(PROBLEM.model_copy(update=change), "def f(n):\n    return n\n")


def test_no_hidden_value_is_in_what_the_candidate_is_asked(rows, dataset):
    """The call alone goes to the candidate's sandbox."""
    (problem,) = read_dataset(dataset(rows["QuixBugs"]))
    (case,) = hidden_tests(problem).cases
    assert case.expression == "least(*[[3, 1]])"
