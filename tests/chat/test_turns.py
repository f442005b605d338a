"""What a turn changed: by planner, tester and developer; and what it left alone."""

from __future__ import annotations

import pytest

from tdgen.chat.turns import turn_lines
from tdgen.types import After, ClassInterface, Method, Question, Raises, Value

HALF = "def half(number: int) -> int:\n    return number // 2"


@pytest.fixture(scope="module")
def solution(one_studio, double, write):
    """Two functions."""
    cases = [write.returns(f"half({n})", str(n // 2)) for n in (0, 1, 7, -4)]
    half = write.function("half(number: int) -> int", "Half the number.", cases=cases, tries=[HALF])
    return one_studio.solve(double(), half, text="Double and halve.").solution


def told(before, after):
    """The lines, less the blanks between columns."""
    return [" ".join(line.text.split()) for line in turn_lines(before, after)]


def test_a_first_turn(solution):
    """All is new, and there was nothing to leave alone."""
    lines = told(None, solution)
    assert lines[0] == "planner double: new: def double(number: int) -> int: Twice the number."
    assert lines[1:3] == ["tester double: 4 cases", "developer double: green, 1 attempt"]
    assert not [line for line in lines if line.startswith("untouched")]


def test_a_turn_that_changed_nothing(solution):
    """Leaves all alone."""
    assert told(solution, solution) == ["untouched double, half: contract, cases and code as before"]


def test_a_change_of_one_function(solution):
    """Contract, cases and code are each told; the other function is untouched."""
    half = solution["half"]
    first, second, *rest = half.suite.cases
    new = first.model_copy(update={"name": "half_9", "arguments": ("9",), "expectation": Value(source="5")})
    cases = (first.model_copy(update={"expectation": Value(source="1")}), *rest, new)
    changed = half.model_copy(
        update={
            "suite": half.suite.model_copy(update={"cases": cases}),
            "best": half.best.model_copy(update={"source": HALF.replace("//", "/")}),
        }
    )
    double, contract = solution.plan.functions
    plan = solution.plan.model_copy(
        update={"functions": (double, contract.model_copy(update={"purpose": "Half of it, rounded up."}))}
    )
    asked = Question(question="And halves of halves?", assumption="No.")
    after = solution.model_copy(update={"plan": plan, "results": (solution["double"], changed), "questions": (asked,)})
    assert told(solution, after) == [
        "planner half: Half of it, rounded up.",
        f"tester half: 1 case (half_9) new; {first.name}: returns `0` → returns `1`; 1 case ({second.name}) gone; "
        "2 cases as before",
        "developer half: green, 1 attempt",
        "planner And halves of halves? assumed: No.",
        "untouched double: contract, cases and code as before",
    ]


def test_a_class_is_told_by_its_methods(solution):
    """At first by all of them, then by those whose contracts changed, and those that are gone."""
    put = Method(
        signature="def put(self, n: int) -> None", purpose="Put it in.", raises=(Raises(type="Full", when="full"),)
    )
    get = Method(signature="def get(self) -> int", purpose="Take one out.")
    size = Method(signature="def size(self) -> int", kind="property", purpose="How many there are.")
    before = with_interface(solution, put, get)
    lines = told(None, before)
    assert lines[1] == "planner double: def put(self, n: int) -> None: Put it in. Full: full."
    assert lines[2] == "planner double: def get(self) -> int: Take one out."
    assert told(before, with_interface(solution, put, size)) == [
        "planner double: its contract changed",
        "planner double: property def size(self) -> int: How many there are.",
        "planner double: get: gone",
        "untouched half: contract, cases and code as before",
    ]


def with_interface(solution, *methods):
    """The solution, where `double` has these methods."""
    double, half = solution.plan.functions
    functions = (double.model_copy(update={"interface": ClassInterface(methods=methods)}), half)
    return solution.model_copy(update={"plan": solution.plan.model_copy(update={"functions": functions})})


def test_cases_of_one_call_are_told_apart(solution):
    """One that is new beside another of the same call changes nothing of that."""
    result = solution["half"]
    first = result.suite.cases[0]
    more = first.model_copy(update={"name": "nothing_after", "after": (After(expression="result", source="0"),)})
    suite = result.suite.model_copy(update={"cases": (*result.suite.cases, more)})
    after = solution.model_copy(update={"results": (solution["double"], result.model_copy(update={"suite": suite}))})
    assert told(solution, after)[0] == "tester half: 1 case (nothing_after) new; 4 cases as before"


def test_a_function_that_is_gone(solution):
    """Is named."""
    plan = solution.plan.model_copy(update={"functions": solution.plan.functions[:1]})
    after = solution.model_copy(update={"plan": plan, "results": solution.results[:1]})
    assert "planner half: gone" in told(solution, after)
