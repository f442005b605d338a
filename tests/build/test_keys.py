"""Under what key a function is kept: changed by all that could change it, and by nothing else."""

from __future__ import annotations

import pytest

from tdgen.build.draft import Draft
from tdgen.build.keys import function_keys
from tdgen.depgraph import Dependencies
from tdgen.settings import Settings
from tdgen.specs.instruction import read_instruction
from tdgen.testgen.pinned import pinned_of
from tdgen.types import Correction, Example, FunctionSpec, Plan, Returns, Suite


def spec(name: str, *uses: str, purpose: str = "does something") -> FunctionSpec:
    return FunctionSpec(name=name, purpose=purpose, returns=Returns(type="int"), dependencies=uses)


BASE = Plan(module="kit", functions=(spec("low"), spec("high", "low"), spec("other")))


def keys_of(plan: Plan = BASE, settings: Settings = Settings(), python: str = "3.12", suites=()) -> dict[str, str]:  # noqa: B008
    given = {suite.function: suite for suite in suites}
    asked = read_instruction("Something.")
    draft = Draft(asked, plan=plan, dependencies=Dependencies(plan), pinned=pinned_of(plan), given=given)
    return function_keys(draft, settings, python)


def changed(**other) -> set[str]:
    """The functions whose key is another one."""
    before, after = keys_of(), keys_of(**other)
    return {name for name in before if before[name] != after[name]}


def with_(*functions: FunctionSpec, **more) -> Plan:
    return BASE.model_copy(update={"functions": functions or BASE.functions} | more)


EXAMPLE = Example(function="high", quote="high() is 3", call="high()", value="3")


def test_a_corrected_contract_is_another_one():
    """The words that corrected it may be gone from the next instruction."""
    low = spec("low").corrected([Correction(quote="it is 3", refuted="it is 2")])
    assert changed(plan=with_(low, *BASE.functions[1:])) == {"low", "high"}


def test_nothing_changed_changes_nothing():
    """The same plan has the same keys."""
    assert changed() == set()


def test_a_contract_changes_what_stands_on_it_too():
    """And leaves alone what it stands upon, and all others."""
    assert changed(plan=with_(spec("low", purpose="does more"), *BASE.functions[1:])) == {"low", "high"}
    assert changed(plan=with_(spec("low"), spec("high", "low", purpose="more"), spec("other"))) == {"high"}


def test_law_is_part_of_the_contract():
    """A new example of the user's makes the function be tried anew."""
    assert changed(plan=with_(examples=(EXAMPLE,))) == {"high"}


def test_an_example_for_one_function_leaves_the_others_as_they_were():
    """Also where it comes before theirs."""
    before = keys_of(with_(examples=(EXAMPLE,)))
    earlier = EXAMPLE.model_copy(update={"function": "other", "call": "other()"})
    after = keys_of(with_(examples=(earlier, EXAMPLE)))
    assert {name for name in before if before[name] != after[name]} == {"other"}


def test_a_suite_that_was_handed_in_is_part_of_the_contract():
    """Edited cases are not answered from what was kept before."""
    assert changed(suites=(Suite(function="low", cases=pinned_of(with_(examples=(EXAMPLE,)))["high"]),)) == {
        "low",
        "high",
    }


@pytest.mark.parametrize(
    "other",
    [{"settings": Settings(trust="strict")}, {"settings": Settings(model="another")}, {"python": "3.11"}],
    ids=["trust", "model", "python"],
)
def test_what_changes_the_result_changes_all(other):
    """Who wrote it, how hard it was tried, and for which Python."""
    assert changed(**other) == {"low", "high", "other"}


def test_a_function_more_changes_nothing_of_the_others():
    """A plan grows without being built anew."""
    assert changed(plan=with_(*BASE.functions, spec("new", "low"))) == set()
