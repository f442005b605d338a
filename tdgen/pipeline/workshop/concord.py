"""Whether two who worked a call out, and know nothing of each other, came to the same."""

from __future__ import annotations

from tdgen.judge import Expected
from tdgen.judge.compare import differences
from tdgen.testgen.problems import same
from tdgen.types import Case, FunctionSpec, Value
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
