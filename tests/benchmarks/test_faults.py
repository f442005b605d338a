"""What the simulated model does wrong is wrong, and is the same every time."""

import pytest
from simulated.bench import passes
from simulated.draws import draw, drawn, shuffled
from simulated.faults import RATES, answer


@pytest.mark.parametrize("kind", list(RATES))
def test_every_kind_of_fault_changes_what_a_call_gives(kind, problems, bench):
    """No fault is put in that is none."""
    for problem in problems:
        made = answer(problem, problems, bench, 1, fault=kind)
        assert made.fault in (kind, "algorithm")
        assert not passes(bench.on_problem(problem, made.source))


def test_the_right_answer_is_right(problems, bench):
    """With its docstring cut to a line and its unused imports gone."""
    for problem in problems:
        seeds = (seed for seed in range(100) if not drawn(RATES, "fault", problem.name, seed))
        made = answer(problem, problems, bench, next(seeds))
        assert made.fault == ""
        assert passes(bench.on_problem(problem, made.source))


def test_an_answer_is_drawn_from_its_key_alone(gap, problems, bench):
    """The same key, the same answer, whatever was asked before."""
    first = answer(gap, problems, bench, 3, fault="off_by_one")
    answer(gap, problems, bench, 4, fault="off_by_one")
    assert answer(gap, problems, bench, 3, fault="off_by_one") == first


def test_rates_are_kept_over_many_draws():
    """A third is drawn in about a third of all keys, and what is left over is no fault."""
    found = [drawn({"a": 1 / 3}, "rates", n) for n in range(3000)]
    assert 900 < found.count("a") < 1100
    assert found.count("") == 3000 - found.count("a")


def test_shuffling_loses_nothing():
    """Equal items too."""
    assert sorted(shuffled([1, 1, 2, 3], "key")) == [1, 1, 2, 3]
    assert 0 <= draw("x") < 1
