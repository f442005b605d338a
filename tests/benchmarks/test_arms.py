"""Every way of solving ends, on problems made up here, and is measured by the same tests."""

import pytest
from repair import arms, graphs

from tdgen.metrics import figures

pytestmark = pytest.mark.slow


def test_all_ways_solve_what_the_model_knows(problems, bench):
    """Each asks an endpoint of its own; asking more never gives less."""
    found = {}
    for name, way in {"once": arms.single_pass, "thrice": arms.times(3), "raw": arms.raw_loop}.items():
        with arms.place(problems, bench, 2) as here:
            found[name] = figures(arms.run(way, problems, here, hash_seed=9))
    with arms.place(problems, bench, 2) as here, arms.tdgen_way(here) as way:
        found["tdgen"] = figures(arms.run(way, problems, here, hash_seed=9))
    assert found["thrice"].esr.value >= found["once"].esr.value
    assert found["thrice"].calls == 3
    assert found["tdgen"].esr.value >= found["once"].esr.value
    assert found["tdgen"].calls >= 3


def test_code_that_ends_in_nothing_fails_all_tests(gap, bench):
    """An empty answer is measured like any other."""
    assert arms.failed(bench, gap, "") == len(gap.cases())


def test_a_graph_of_functions_ends_green(monkeypatch):
    """The first of each generation is wrong at first; three generations of two are enough to show it."""
    monkeypatch.setattr(graphs, "GENERATIONS", 3)
    ran = graphs.solve(6, 0.0)
    assert ran.green
    assert ran.functions == 6
