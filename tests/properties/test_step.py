"""The step that has properties written: who is asked, what must fail on a stub, and where a property belongs."""

from __future__ import annotations

import json

import pytest

from tdgen.client import Handed
from tdgen.events import Noted
from tdgen.models.scripted import ScriptedAnswer
from tdgen.pipeline import STEPS
from tdgen.types import FileReport, Property

STRICT = {"trust": "strict"}
STANDARD = {"trust": "standard"}
HOLDS = "@given(st.integers(-99, 99))\ndef test_is_even(n):\n    assert double(n) % 2 == 0\n"
TRIPS = "@given(st.integers(-99, 99))\ndef test_there_and_back(n):\n    assert half(double(n)) == n\n"


@pytest.fixture(autouse=True)
def no_mutants(change_policy):
    """There is no time for them in these tests."""
    change_policy("strict", seconds=0.0)
    change_policy("standard", seconds=0.0)


def promises(*sources: str, attempt: int = 1) -> ScriptedAnswer:
    told = [{"name": "", "source": source} for source in sources]
    return ScriptedAnswer(purpose="properties", subject="", attempt=attempt, text=json.dumps({"properties": told}))


@pytest.fixture
def half(write):
    """`half(number)`, which stands on nothing unless told otherwise; the properties `beside` come with its cases."""

    def make(body="return number // 2", beside=(), **more):
        cases = [write.returns(f"half({2 * n})", str(n)) for n in (0, 2, -3, 7)]
        return write.function(
            "half(number: int) -> int",
            "Half of an even number.",
            cases=write.said(json.dumps({"cases": cases, "properties": beside})),
            tries=[f"def half(number: int) -> int:\n    {body}"],
            **more,
        )

    return make


def test_the_step_comes_before_any_code():
    """After red and its confirmation, before the implementation."""
    names = [step.name for step in STEPS]
    assert names.index("confirm") < names.index("properties") < names.index("build")


def test_each_function_is_asked_for_once(solver, double, half):
    """At strict, and an empty answer is a good one."""
    done = solver.solve(double(), half(), settings=STRICT)
    assert done.solution.all_tests_passed
    assert [r.subject for r in done.model.asked if r.purpose == "properties"] in (
        ["double", "half"],
        ["half", "double"],
    )
    assert not any(result.suite.properties for result in done.solution.results)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("@given(st.integers())\ndef test_x(n):\n    assert n is None or n < 9 or double(n) > 3\n", ""),
        ("@given(st.integers())\ndef test_x(n):\n    assert n == n or double(n)\n", "never calls the function"),
        (
            "@given(st.integers())\ndef test_x(n):\n    assert n > 5 and double(n)\n",
            "fails before the function is called",
        ),
        ("@given(st.integers(least=1))\ndef test_x(n):\n    assert double(n)\n", "its file does not run"),
    ],
    ids=["reached by some", "never", "before", "no strategy"],
)
def test_a_property_must_fail_because_nothing_is_written(solver, double, source, reason):
    """One that does not would say nothing; it goes back once, and is set aside with its reason."""
    done = solver.solve(double(also=[promises(source), promises(source, attempt=2)]), settings=STRICT)
    assert done.solution.all_tests_passed
    set_aside = [revision.reason for revision in done.solution.revisions if revision.case == "test_x"]
    assert len(done.prompts("properties")) == (2 if reason else 1)
    assert [reason in told for told in set_aside] == [True] * bool(reason)


def test_a_property_belongs_to_who_stands_on_all_that_it_names(solver, double, half):
    """It can only be tried where these are."""
    done = solver.solve(double(also=[promises(HOLDS, TRIPS)]), half(uses=["double"]), settings=STRICT)
    assert done.solution.all_tests_passed
    assert [one.name for one in done["double"].suite.properties] == ["test_is_even"]
    assert [one.name for one in done["half"].suite.properties] == ["test_there_and_back"]


def test_one_that_came_with_the_cases_must_fail_there_too(solver, half):
    """At standard it is set aside with its reason, and nobody is asked again."""
    vain = "@given(st.integers(-9, 9))\ndef test_x(n):\n    assert n == n or half(n)\n"
    done = solver.solve(half(beside=[vain]), settings=STANDARD)
    assert done.solution.all_tests_passed
    assert not done["half"].suite.properties
    (revision,) = [revision for revision in done.solution.revisions if revision.case == "test_x"]
    assert "never calls the function" in revision.reason
    assert len(done.prompts("cases")) == 1


def test_one_that_came_with_the_cases_goes_to_who_stands_on_all_that_it_names(solver, double, half):
    """Also where that function's own cases came with none."""
    trips = "@given(st.integers(-99, 99))\ndef test_there_and_back(n):\n    assert half(double(n)) == n\n"
    done = solver.solve(half(beside=[trips]), double(uses=["half"]), settings=STANDARD)
    assert done.solution.all_tests_passed
    assert not done["half"].suite.properties
    assert [one.name for one in done["double"].suite.properties] == ["test_there_and_back"]


def test_a_budget_that_is_owed_is_not_spent_on_them(solver, double):
    """Code comes first."""
    done = solver.solve(double(), settings={**STRICT, "budget": "calls=3"})
    assert not done.prompts("properties")


@pytest.fixture
def without_hypothesis(solver, monkeypatch):
    """A sandbox in which Hypothesis can't be loaded."""
    ran = type(solver.sandbox).run_files

    def without(self, job):
        if "test_hypothesis.py" in job.tests:
            return FileReport(log="E   ImportError: no compiled part")
        return ran(self, job)

    monkeypatch.setattr(type(solver.sandbox), "run_files", without)


def test_where_hypothesis_does_not_load_it_is_said_once(solver, double, half, without_hypothesis):
    """Nobody is asked for what can't be tried."""
    done = solver.solve(double(), half(), settings=STRICT)
    assert done.solution.all_tests_passed
    assert not done.prompts("properties")
    assert_said_once(done)


def test_what_came_with_the_cases_goes_where_hypothesis_does_not_load(solver, half, without_hypothesis):
    """Nothing can be said of it."""
    done = solver.solve(half(beside=[TRIPS.replace("double", "2 * ")]), settings=STANDARD)
    assert done.solution.all_tests_passed
    assert not done["half"].suite.properties
    assert_said_once(done)


def assert_said_once(done):
    told = [event.text for event in done.happened(Noted) if "no property is tried" in event.text]
    assert told == ["no property is tried: hypothesis does not load in the sandbox: ImportError: no compiled part"]
    assert told[0] in done.solution.notes


@pytest.fixture
def halver(write, half):
    """`half` with a property, and a class that stands on it."""
    holds = "@given(st.integers(-9, 9))\ndef test_alike(n):\n    assert Halver().of(2 * n) == half(2 * n)\n"
    interface = 'class Halver:\n    """Halves."""\n\n    def of(self, number: int) -> int: ...\n'
    right = (
        'class Halver:\n    """Halves."""\n\n    def of(self, number: int) -> int:\n'
        '        """Half of it."""\n        return half(number)\n'
    )
    cases = [write.returns(f"Halver().of({2 * n})", str(n)) for n in (0, 2, -3, 7)]
    return half(beside=[holds]), write.klass(interface, cases=cases, tries=[right], uses=["half"])


def test_none_goes_to_a_class_that_stands_on_all_that_it_names(solver, halver):
    """It waits for the finished module, and is rendered with the function's."""
    done = solver.solve(*halver, settings=STANDARD)
    assert done.solution.all_tests_passed
    assert [one.name for one in done["half"].suite.properties] == ["test_alike"]
    assert "def test_alike" in done.solution.test_files["test_half_properties.py"]


def test_those_of_a_class_that_is_handed_in_are_left_out_and_told(solver, halver):
    """A solution of before may have such; nothing names a file that there is not."""
    first = solver.solve(*halver).solution
    suite = next(result.suite for result in first.results if result.function == "Halver")
    old = suite.model_copy(
        update={"properties": (Property(name="HalverMachine", source="class HalverMachine: ...\n"),)}
    )
    done = solver.solve(*halver, handed=Handed(plan=first.plan, suites=[old]), settings=STANDARD)
    assert done.solution.all_tests_passed
    assert not done["Halver"].suite.properties
    assert "the properties of Halver are left out: only functions have any" in done.solution.notes
