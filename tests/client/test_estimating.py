"""What an instruction would cost: calls as they come, prompts as they are."""

from __future__ import annotations

import pytest

from tdgen.client.estimating import SIZES, estimates
from tdgen.errors import PlanError
from tdgen.language import Surroundings
from tdgen.languages.python import Python
from tdgen.settings import Settings
from tdgen.specs.instruction import read_instruction
from tdgen.types import Case, FunctionSpec, Parameter, Plan, Returns, Suite, Value


def spec(name: str, *dependencies: str) -> FunctionSpec:
    parameters = (Parameter(name="n", type="int"),)
    return FunctionSpec(
        name=name, purpose="It.", parameters=parameters, returns=Returns(type="int"), dependencies=dependencies
    )


PLAN = Plan(module="doubling", functions=(spec("double"), spec("quadruple", "double")))
SUITE = Suite(
    function="double", cases=(Case(name="c", function="double", arguments=("1",), expectation=Value(source="2")),)
)


@pytest.fixture(autouse=True)
def no_second_reading():
    """There is one here."""


@pytest.fixture
def estimate():
    """The estimates for an instruction with what was handed in beside it."""

    def estimate(text: str = "double(n)", settings: Settings | None = None, **handed):
        return estimates(
            read_instruction(text).model_copy(update=handed),
            settings or Settings(),
            Python(Surroundings(python="3.12")),
        )

    return estimate


def test_without_a_plan_some_sizes_are_reckoned(estimate):
    """One call for the plan, one for a second reading of the instruction, and two a function."""
    found = estimate()
    assert [e.functions for e in found] == list(SIZES)
    assert [e.calls for e in found] == [2 + 2 * size for size in SIZES]
    assert [e.tokens for e in found] == sorted(e.tokens for e in found)


def test_a_plan_is_counted_exactly(estimate):
    """Without the call for the plan."""
    (found,) = estimate(plan=PLAN)
    assert (found.functions, found.calls) == (2, 5)


def test_cases_that_are_there_are_not_asked_for(estimate):
    """One call less, and their tokens in the prompt."""
    (without,) = estimate(plan=PLAN)
    (found,) = estimate(plan=PLAN, suites=(SUITE,))
    assert found.calls == without.calls - 1
    assert found.tokens < without.tokens


def test_a_longer_instruction_costs_more(estimate):
    """It is in the prompt as it is: four characters a token in the plan's, and again in the contracts."""
    short, long = estimate("double(n)")[0], estimate("double(n) " * 1000)[0]
    assert long.prompt_tokens - short.prompt_tokens > 2_500


def test_money_where_every_price_is_known(estimate):
    """By each role's own model; one that is not known makes the whole unknown."""
    cheap, dear = (estimate(settings=Settings(model="gpt-5-mini", developer_model=name)) for name in ("", "gpt-5"))
    assert all(0 < one.cost < other.cost for one, other in zip(cheap, dear, strict=True))
    assert estimate(settings=Settings(model="gpt-5-mini", tester_model="no-such-model"))[0].cost is None


def test_a_plan_that_can_not_be_used_is_said(estimate):
    """Before anything is paid for."""
    with pytest.raises(PlanError, match="depends on 'triple'"):
        estimate(plan=Plan(module="doubling", functions=(spec("double", "triple"),)))
