"""Modules of several solutions judged in one job."""

from __future__ import annotations

import pytest

from tdgen.team.together import Judged, passing_together
from tdgen.types import FunctionSpec, Limits, Plan, Returns, Suite, Value


@pytest.fixture
def candidates(shared_sandboxes):
    """The session's sandbox, in which cases of plain values may be evaluated, too."""
    return shared_sandboxes[0]


@pytest.fixture
def judged(make_case):
    """A module whose one case expects 2 of `f(1)`, or another value."""

    def make(source: str, value: str = "2") -> Judged:
        plan = Plan(module="m", functions=(FunctionSpec(name="f", purpose="p", returns=Returns(type="int")),))
        case = make_case(expectation=Value(source=value))
        return Judged(source, plan, [Suite(function="f", cases=(case,))])

    return make


def test_each_is_judged_by_its_own_code_and_cases(candidates, judged):
    """Cases and functions of several have the same names; only those that pass count."""
    modules = [judged("def f(x): return x + 1"), judged("def f(x): return x"), judged("def f(x): return 3 * x", "3")]
    assert passing_together(modules, candidates, candidates, Limits()) == {0, 2}


def test_code_that_could_reach_the_others_is_not_run_with_them(judged):
    """Nothing is said of it: it is judged by itself."""
    nobody = object()  # no sandbox: a run would fail
    assert passing_together([judged("import os\ndef f(x): return 2")], nobody, nobody, Limits()) == set()


def test_one_that_does_not_end_costs_the_others_no_more_than_their_place(candidates, judged):
    """What comes after it is for who judges each alone: it is not waited for again and again."""
    endless = judged("def f(x):\n    while True:\n        pass")
    modules = [judged("def f(x): return x + 1"), endless, endless, judged("def f(x): return 2")]
    assert passing_together(modules, candidates, candidates, Limits(wall_s=0.5)) == {0}


def test_one_that_no_judge_can_read_is_none_that_passes(candidates, judged):
    """A planted suite of a function that is not planned stops nobody else."""
    strange = judged("def f(x): return 2")
    strange = strange._replace(suites=[suite.model_copy(update={"function": "g"}) for suite in strange.suites])
    modules = [strange, judged("def f(x): return 2")]
    assert passing_together(modules, candidates, candidates, Limits()) == {1}
