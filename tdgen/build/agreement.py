"""Whether two who worked a call out, and know nothing of each other, came to the same."""

from __future__ import annotations

from tdgen.judge import Expected, Oracle
from tdgen.judge.compare import differences
from tdgen.testgen.problems import same
from tdgen.types import Case, ExpectedException, FunctionSpec, Value
from tdgen.values.readers import Unreadable
from tdgen.values.relation import relation_of_case


def say_the_same(case: Case, expected: Expected, other: Case, second: Expected, spec: FunctionSpec) -> bool:
    """Whether two workings of one call came to the same. A predicate bears out whatever is no exception."""
    forms = {case.expectation.form, other.expectation.form}
    if "check" in forms:
        return "raises" not in forms
    if isinstance(case.expectation, Value) and isinstance(other.expectation, Value):
        try:
            return not differences(expected.value, second.value, relation_of_case(case, spec))
        except Unreadable:
            return False
    return same(case.expectation, other.expectation) or (forms == {"raises"} and expected.exception == second.exception)


def demand_the_same(case: Case, other: Case, spec: FunctionSpec, oracle: Oracle) -> bool:
    """Whether two cases of one call demand the same of all that is observed, their sources evaluated.

    `2 * 5` and `10` are the same, as are `ValueError` and `builtins.ValueError`; two predicates, or two patterns of a
    message, only where they read alike.
    """
    if case.effects == other.effects:
        return True
    beside = {"expectation": case.expectation, "after": case.after}
    looked_at = [[after.expression for after in one.after] for one in (case, other)]
    if looked_at[0] != looked_at[1] or case.effects != other.effects.model_copy(update=beside):
        return False
    match case.expectation, other.expectation:
        case (Value(), Value()):
            pass
        case (ExpectedException(match=one), ExpectedException(match=another)) if one == another:
            pass
        case _:
            if not same(case.expectation, other.expectation):
                return False
    expected, second = (oracle.expectations([one])[one.name] for one in (case, other))
    if expected.problem or second.problem or repr(expected.after) != repr(second.after):
        return False
    return say_the_same(case, expected, other, second, spec)
