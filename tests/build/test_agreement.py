"""Whether two who worked a call out demand the same."""

from __future__ import annotations

import pytest

from tdgen.build.agreement import demand_the_same
from tdgen.judge import Oracle
from tdgen.types import After, Case, Check, ExpectedException, FunctionSpec, Returns, Value

SPEC = FunctionSpec(name="f", purpose="Counts on.", returns=Returns(type="int"))


def case(expectation=Value(source="10"), **more) -> Case:  # noqa: B008 - immutable
    return Case(name="f_3", function="f", arguments=("3",), expectation=expectation, **more)


LOOKING = case(after=(After(expression="x", source="[1, 2]"),), stdout="--\n")
SAME = {
    "two ways to write a value": (case(), case(Value(source="2 * 5"))),
    "two names of a class": (
        case(ExpectedException(type="ValueError")),
        case(ExpectedException(type="builtins.ValueError")),
    ),
    "two ways to write what is looked at": (
        LOOKING,
        LOOKING.model_copy(update={"after": (After(expression="x", source="[1] + [2]"),)}),
    ),
    "one check": (case(Check(source="result > 1")), case(Check(source="result > 1"))),
}
OTHER = {
    "values": (case(), case(Value(source="11"))),
    "True and 1": (case(Value(source="True")), case(Value(source="1"))),
    "a value and an exception": (case(), case(ExpectedException(type="ValueError"))),
    "a value and a check that holds for it": (case(), case(Check(source="result == 10"))),
    "patterns": (
        case(ExpectedException(type="ValueError", match="a")),
        case(ExpectedException(type="ValueError", match="b")),
    ),
    "what is printed": (LOOKING, LOOKING.model_copy(update={"stdout": "-\n"})),
    "what is looked at": (LOOKING, LOOKING.model_copy(update={"after": (After(expression="x", source="[1]"),)})),
    "what can't be evaluated": (case(Value(source="ten")), case(Value(source="ten_()"))),
}


@pytest.fixture
def demands_alike(shared_sandboxes):
    """Whether two cases demand the same, whichever comes first."""
    oracle = Oracle(shared_sandboxes[1], "kit", "")

    def both(one: Case, other: Case) -> bool:
        found = demand_the_same(one, other, SPEC, oracle)
        assert demand_the_same(other, one, SPEC, oracle) == found
        return found

    return both


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME)
def test_the_same_however_it_is_written(demands_alike, pair):
    """Sources are evaluated before they are compared."""
    assert demands_alike(*pair)


@pytest.mark.parametrize("pair", OTHER.values(), ids=OTHER)
def test_something_else(demands_alike, pair):
    """A case is changed only where two say the same of all that is observed."""
    assert not demands_alike(*pair)
