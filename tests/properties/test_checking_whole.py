"""Properties on the finished module: those over functions that know nothing of each other are tried here first."""

from __future__ import annotations

import json

import pytest

from tdgen.languages.python import Python
from tdgen.models.scripted import ScriptedAnswer
from tdgen.pipeline.finishing import verify
from tdgen.types import Limits

STRICT = {"trust": "strict"}
TRIPS = "@given(st.integers(-99, 99))\ndef test_there_and_back(n):\n    assert half(double(n)) == n\n"
FOUR = {"expect": "value", "value": "4"}


@pytest.fixture(autouse=True)
def no_mutants(change_policy):
    """There is no time for them in these tests."""
    change_policy("strict", seconds=0.0)


@pytest.fixture
def pair(solver, write, double):
    """`double` and `half`, neither of which stands on the other, with a property over both."""

    def solve(*also, source=TRIPS, doubling="return 2 * number", halving="return number // 2"):
        told = json.dumps({"properties": [{"name": "", "source": source}]})
        add_properties = ScriptedAnswer(purpose="properties", subject="", text=told)
        half = write.function(
            "half(number: int) -> int",
            "Half of an even number.",
            cases=[write.returns(f"half({2 * n})", str(n)) for n in (0, 2, -3, 7)],
            tries=[f"def half(number: int) -> int:\n    {halving}"],
        )
        body = f"def double(number: int) -> int:\n    {doubling}"
        return solver.solve(double(body, also=[add_properties, *also]), half, settings=STRICT)

    return solve


def test_a_round_trip_of_two_functions_is_tried_when_both_are_there(pair):
    """It holds, and is saved."""
    done = pair()
    assert done.solution.all_tests_passed
    assert "assert half(double(n)) == n" in done.solution.test_files["test_double_properties.py"]


def test_a_function_that_breaks_it_is_undecided(pair, write):
    """All its cases pass; the call that falsified the property does not give what the contract says."""
    done = pair(
        write.settles(FOUR, variant="properties"),
        doubling="return 2 * number if number in (0, 1, 7, -4) else 2 * number + 2",
    )
    assert done["half"].outcome == "green"
    assert done["double"].outcome == "undecided"
    assert done["double"].reason.startswith("it breaks the property test_there_and_back: `double(")
    assert not done.solution.all_tests_passed


def test_a_false_one_falls_there_too(pair, write):
    """What the functions do is what the contract says."""
    false = TRIPS.replace("== n", "== n + (n > 1)")
    done = pair(write.settles(FOUR, variant="properties"), source=false)
    assert done.solution.all_tests_passed
    assert "test_double_properties.py" not in done.solution.test_files
    (revision,) = [r for r in done.solution.revisions if r.case == "test_there_and_back"]
    assert (revision.action, revision.before) == ("quarantined", "n=2")


def test_a_package_is_verified_with_its_properties(pair, solver):
    """A module that was changed to break one is found out, also where its cases pass."""
    solution = pair().solution
    generator = solver.generator()
    tools = {"sandbox": solver.sandbox, "oracle": solver.oracle, "limits": Limits()}
    files = solution.files()
    with_executor = {**tools, "executor": generator._runtime.executor, "language": Python()}
    assert verify(solution, files, **with_executor).passed
    broken = files["kit.py"].replace("return 2 * number", "return 2 * number if abs(number) < 9 else 0")
    again = verify(solution, {**files, "kit.py": broken}, **with_executor)
    assert not again.passed
    assert [t for t, outcome in again.report.outcomes.items() if outcome != "passed"] == [
        "kit/test_double_properties.py::test_there_and_back"
    ]
