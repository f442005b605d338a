"""The order of work: dependencies first, circles as groups, everything deterministic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdgen.depgraph import Dependencies
from tdgen.errors import PlanError
from tdgen.types import FunctionSpec, Plan, Returns


def plan_of(**calls: str) -> Plan:
    """A plan whose functions call others, as in `a="b c", b="", c=""`."""
    specs = [
        FunctionSpec(name=name, purpose="-", returns=Returns(type="int"), dependencies=tuple(callees.split()))
        for name, callees in calls.items()
    ]
    return Plan(module="m", functions=tuple(specs))


def test_what_is_called_comes_before_what_calls_it():
    """A chain is worked from its end."""
    assert Dependencies(plan_of(a="b", b="c", c="")).order == (("c",), ("b",), ("a",))


def test_a_generation_holds_what_can_be_done_at_once_in_the_plans_order():
    """Independent functions share a generation; ties follow the plan."""
    generations = Dependencies(plan_of(top="left right", right="", left="")).generations
    assert generations == ((("right",), ("left",)), (("top",),))


def test_functions_that_call_each_other_are_one_group():
    """Mutual recursion is no error."""
    dependencies = Dependencies(plan_of(even="odd", odd="even", main="even"))
    assert dependencies.order == (("even", "odd"), ("main",))
    assert dependencies.waits_for(("main",)) == {("even", "odd")}


def test_a_function_that_calls_itself_waits_for_nothing():
    """Plain recursion is not a dependency."""
    assert Dependencies(plan_of(factorial="factorial")).waits_for(("factorial",)) == frozenset()


def test_below_and_above_follow_the_whole_way():
    """Both directions are transitive, and a group's members are below each other."""
    dependencies = Dependencies(plan_of(a="b", b="c", c="b d", d=""))
    assert dependencies.below("a") == ("d", "b", "c")
    assert dependencies.below("b") == ("d", "c")
    assert dependencies.above(["d"]) == {"a", "b", "c"}


def test_an_unknown_dependency_is_refused_by_name():
    """The message names both sides, so that a model can mend it."""
    with pytest.raises(PlanError, match="'a' depends on 'ghost', which is not among the plan's functions"):
        Dependencies(plan_of(a="ghost"))


def test_a_name_that_is_there_twice_is_refused():
    """Two functions of one name can't be told apart."""
    twice = plan_of(a="").functions * 2
    with pytest.raises(PlanError, match="same name"):
        Dependencies(Plan(module="m", functions=twice))


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20))
def test_any_graph_is_ordered_so_that_nothing_comes_before_what_it_waits_for(edges):
    """Whatever the calls are, each function has one place, behind all groups that it needs."""
    calls = {f"f{i}": " ".join(f"f{b}" for a, b in edges if a == i) for i in range(8)}
    dependencies = Dependencies(plan_of(**calls))
    place = {group: position for position, group in enumerate(dependencies.order)}
    assert sorted(name for group in place for name in group) == sorted(calls)
    assert all(place[other] < place[group] for group in place for other in dependencies.waits_for(group))
