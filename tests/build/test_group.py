"""A group goes in and a group comes out: what a strategy does is in what it gives back, without a whole solve."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tdgen.build.draft import Draft, Tools
from tdgen.build.group import GroupBuild
from tdgen.build.patch_search import search_edits
from tdgen.build.second_reading import CONFIRMED, compare
from tdgen.build.strategies import STRATEGIES, may_return, try_next
from tdgen.depgraph import Dependencies
from tdgen.errors import BudgetSpent
from tdgen.judge import NO_COPY, Oracle
from tdgen.languages.python import Python
from tdgen.models import BudgetedModel, Ledger
from tdgen.settings import Settings
from tdgen.types import (
    Attempt,
    Case,
    Check,
    Difference,
    FunctionSpec,
    Instruction,
    Parameter,
    Plan,
    Returns,
    Suite,
    Target,
    Value,
    Verdict,
)

SPEC = FunctionSpec(
    name="double",
    purpose="Twice the number.",
    parameters=(Parameter(name="number", type="int"),),
    returns=Returns(type="int"),
)
RIGHT = "def double(number: int) -> int:\n    return 2 * number"
OTHER = "def double(number: int) -> int:\n    return number + number"
WRONG = "def double(number: int) -> int:\n    return 3 * number"
FITTED = "def double(number: int) -> int:\n    return 2 * number if number < 7 else 0"
"""Right on all but what is held out."""
REPAIR = {strategy.name: strategy.act for strategy in STRATEGIES}["repair"]


def attempt(number: int, source: str, line: int = 0) -> Attempt:
    return Attempt(function="double", number=number, source=source, line=line)


@pytest.fixture
def begun(solver, double):
    """A group of `double` before anything is written; the repair that a model gives is right. And all that it tells."""

    def make(search_seconds: float = 0, **budget: Any) -> tuple[GroupBuild, list[Any]]:
        cases = tuple(
            Case(name=f"of_{n}", function="double", arguments=(str(n),), expectation=Value(source=str(2 * n)))
            for n in (1, 5, 7)
        )
        plan, told = Plan(module="kit", functions=(SPEC,)), list[Any]()
        draft = Draft(
            Instruction(text="Double it.", normalised="Double it."),
            plan,
            Dependencies(plan),
            suites={"double": Suite(function="double", cases=cases, held_out=frozenset({"of_7"}))},
            expected={"double": Oracle(solver.oracle, "kit", "").expectations(cases)},
        )
        settings = Settings(trust="quick", budget=budget, search_seconds=search_seconds)
        ledger = Ledger(settings.budget)
        model = BudgetedModel(solver.model(double(WRONG, RIGHT)), ledger)
        tools = Tools(model, solver.sandbox, solver.oracle, None, ledger, None, told.append, settings, Python())
        return GroupBuild.begun(tools, draft, draft.dependencies.order[0], {}), told

    return make


def test_an_attempt_enters_the_group_that_comes_of_it(begun):
    """The group before knows nothing of it, and both can be gone on from."""
    before, told = begun()
    after = before.entered({"double": attempt(1, WRONG)})
    assert before.states["double"].history == ()
    assert after.states["double"].best.passed == 0
    assert after.entered({"double": attempt(2, RIGHT)}).states["double"].green
    assert not after.states["double"].green
    assert [event.kind for event in told] == ["attempt_judged", "attempt_judged"]


def test_a_worse_attempt_is_remembered_and_is_not_the_best(begun):
    """It may be a witness later."""
    build, _ = begun()
    state = build.entered({"double": attempt(1, FITTED)}).entered({"double": attempt(2, WRONG)}).states["double"]
    assert [one.number for one in state.history] == [1, 2]
    assert state.best.number == 1


def test_a_repair_gives_a_group_with_what_the_model_wrote(begun):
    """And with the held-out case shown by which alone the best attempt failed."""
    build, _ = begun()
    build = build.entered({"double": attempt(1, FITTED)})
    after, changed = REPAIR(build, "double")
    state = after.states["double"]
    assert changed
    assert (state.green, state.best.rung, len(state.history)) == (True, "repair", 2)
    assert state.suite.held_out == frozenset()
    assert [one.action for one in state.revisions] == ["promoted"]
    assert build.states["double"].suite.held_out == {"of_7"}


def test_a_repair_that_nobody_can_pay_for_stops_the_group(begun):
    """What was done before it was asked for stays."""
    build, _ = begun(calls=0)
    after, changed = REPAIR(build.entered({"double": attempt(1, FITTED)}), "double")
    assert not changed
    assert isinstance(after.stopped_by, BudgetSpent)
    assert [one.action for one in after.states["double"].revisions] == ["promoted"]
    assert len(after.states["double"].history) == 1


def test_a_strategy_that_was_tried_on_a_failure_is_noted_in_what_comes_of_it(begun):
    """So it is not tried on that again; the group before may be tried on anew."""
    build, _ = begun()
    build = build.entered({"double": attempt(1, WRONG)})
    after, changed = try_next(build, "double")
    assert changed
    assert {name for name, _ in after.states["double"].tried} >= {"repair"}
    assert build.states["double"].tried == frozenset()


@pytest.mark.usefixtures("patient")
def test_a_patch_search_gives_a_guess_and_asks_nobody(begun):
    """Its edit passes; only an author makes it green."""
    build, told = begun(search_seconds=30, calls=0)
    after, changed = search_edits(build.entered({"double": attempt(1, WRONG)}), "double")
    state = after.states["double"]
    assert changed
    assert state.best.is_patch
    assert (state.passes, state.green) == (True, False)
    assert len(state.searched) == 1
    assert not [event for event in told if event.kind == "model_asked"]


@pytest.mark.usefixtures("patient")
def test_two_lines_that_do_not_part_bear_the_cases_out(begun):
    """Compared once: a second time nothing is looked at, and the group comes back as it is."""
    build, _ = begun(calls=0)
    build = build.entered({"double": attempt(1, RIGHT)}).entered({"double": attempt(2, OTHER, line=1)})
    after, changed = compare(build, "double")
    assert not changed
    assert all(case.confirmed == (CONFIRMED,) for case in after.states["double"].suite.cases)
    assert compare(after, "double").build is after


def test_a_note_is_told_once(begun):
    """Also where it is noted again in a group that came of the first."""
    build, told = begun()
    again = build.noted("double", "look here").noted("double", "look here")
    assert again.states["double"].notes == ("double: look here",)
    assert [event.text for event in told] == ["double: look here"]


def test_prompts_show_the_users_examples_that_existing_code_fails(begun):
    """A case of the user's that left the suite, as the code fails it, is still the user's word."""
    build, _ = begun()
    (one, five, _) = build.states["double"].suite.cases
    mine = [case.model_copy(update={"provenance": "instruction"}) for case in (one, five)]
    target = Target(module="kit", path="kit.py", source="", existing={"double": WRONG})
    plan = build.plan.model_copy(update={"target": target})
    draft = replace(build.draft, plan=plan, pinned={"double": tuple(mine)})
    state = replace(build.states["double"], suite=Suite(function="double", cases=(mine[0],)))
    context = replace(build, draft=draft).context(state)
    assert [case.name for case in context.pinned] == ["of_1", "of_5"]


@pytest.mark.parametrize(("said", "goes_back"), [(NO_COPY, True), ("the check raised TypeError: no len", False)])
def test_a_check_that_can_not_see_the_result_goes_back_to_its_author(begun, said, goes_back):
    """It says nothing of the code; where the check ran, it does."""
    build, _ = begun()
    state = build.states["double"]
    looked = state.suite.cases[0].model_copy(update={"expectation": Check(source="result.half == 1")})
    suite = state.suite.model_copy(update={"cases": (looked, *state.suite.cases[1:])})
    wrong = Difference(where="", expected="a result", actual=f"returned 2 ({said})")
    verdict = Verdict(function="double", case=looked.name, passed=False, status="returned", differences=(wrong,))
    best = attempt(1, RIGHT).model_copy(update={"verdicts": (verdict,)})
    state = replace(state, suite=suite, best=best, history=(best,))
    assert may_return(build.with_state(state), state) is goes_back
