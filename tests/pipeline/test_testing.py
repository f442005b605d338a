"""Tests first: cases from contracts alone, each of which can be tried, and fails as long as nothing is written."""

from __future__ import annotations

import re

import pytest

from tdgen.client import Handed
from tdgen.errors import InputError, ModelError
from tdgen.events import CaseRevised, Noted, RedSeen, SuiteWritten
from tdgen.specs.declarations import declare_types
from tdgen.specs.placed import unwritten_module
from tdgen.specs.reply import PlanReply
from tdgen.types import ClassInterface, Field, FunctionSpec, Job, Method, Plan, Probe, Returns, SharedType, Suite

RIGHT = "def double(number: int) -> int:\n    return 2 * number"


@pytest.fixture
def sound(write):
    """Three cases that nothing is wrong with."""
    return [write.returns(f"double({number})", str(2 * number)) for number in (1, 2, 3)]


def test_cases_are_written_before_any_code(solver, write, double):
    """For all functions: the first developer is asked when the last test author has answered."""
    other = write.function(
        "half(number: int) -> float",
        cases=[write.returns("half(3)", "1.5")],
        tries=["def half(number: int) -> float:\n    return number / 2"],
    )
    asked = [request.purpose for request in solver.solve(double(), other).model.asked]
    assert asked == ["plan", "cases", "cases", "implement", "implement"]


def test_the_test_author_never_sees_an_implementation(solver, write, double):
    """It sees its own contract, and those of the functions that it calls."""
    above = write.function(
        "fourfold(number: int) -> int",
        "Twice the double.",
        cases=[write.returns("fourfold(1)", "4")],
        mended_cases=[write.returns("fourfold(1)", "4")],
        tries=["def fourfold(number: int) -> int:\n    return double(double(number))"],
        uses=["double"],
    )
    (prompt,) = solver.solve(double(), above).prompts("cases", "fourfold")
    assert "def double(number: int) -> int" in prompt
    assert "Twice the double." in prompt
    assert "return 2 * number" not in prompt
    assert "return double" not in prompt


NOT_RED = {
    "it never calls the function": ({"call": "[double][0] and 2", "value": "2"}, "it never calls the function"),
    "it is not about the function": ({"call": "2 + 2", "value": "4"}, "it never calls 'double'"),
    "it fails before the function is called": (
        {"setup": "{}['x']"},
        "it fails before the function is called: .*KeyError",
    ),
    "it swallows what the function does": (
        {"setup": "try:\n    double(1)\nexcept BaseException:\n    pass", "call": "2", "value": "2"},
        "it ends well where nothing is written: it never calls the function, or catches whatever that raises",
    ),
    "what it expects can't be evaluated": (
        {"value": "1 / 0"},
        "what it expects can't be evaluated: raised ZeroDivision",
    ),
    "what it expects is computed by the function": ({"value": "double(1)"}, "what it expects can't be evaluated"),
    "what it expects is no exception": ({"expect": "raises", "value": "int"}, "int is no exception's class"),
    "its pattern is no pattern": (
        {"expect": "raises", "value": "ValueError", "match": "("},
        "its pattern can't be searched",
    ),
    "its check names what nobody knows": (
        {"expect": "check", "value": "result == answer"},
        "nobody knows the name answer",
    ),
    "it would change the test around it": ({"setup": "global n\nn = 1"}, "it can't stand in a test file: .*global"),
    "it is no Python": ({"value": "2 +"}, "the value '2 \\+' is not a Python expression"),
    "it contradicts another case": ({"arguments": [" 2 "], "value": "3"}, "it contradicts the case 'double_2'"),
}


@pytest.mark.parametrize(("fault", "reason"), NOT_RED.values(), ids=NOT_RED)
def test_a_case_that_is_not_red_goes_back_to_its_author_with_the_reason(solver, write, sound, fault, reason):
    """It alone; what comes in its place is taken where nothing is wrong with it, and nothing is set aside."""
    mended = write.returns("double(9)", "18", name="broken")
    broken = mended | fault
    function = write.function(
        "double(number: int) -> int", cases=[*sound, broken], mended_cases=[mended, *sound], tries=[RIGHT]
    )
    solved = solver.solve(function)
    again = solved.prompts("cases", "double")[1]
    assert f"- case {broken['name']!r}: " in again
    assert re.search(reason, again)
    assert solved.solution.all_tests_passed
    assert not solved.solution.revisions
    assert {case.name for case in solved["double"].suite.cases} == {case["name"] for case in (*sound, mended)}


def test_a_case_that_stays_broken_is_set_aside_and_the_rest_stands(solver, write, sound):
    """With a revision that says why; it is not in the suite, and not in the files."""
    broken = write.returns("double(9)", "1 / 0", name="broken")
    function = write.function(
        "double(number: int) -> int", cases=[*sound, broken], mended_cases=[broken, *sound], tries=[RIGHT]
    )
    solved = solver.solve(function)
    (revision,) = solved.solution.revisions
    assert (revision.case, revision.action) == ("broken", "quarantined")
    assert "ZeroDivisionError" in revision.reason
    assert [event.revision for event in solved.happened(CaseRevised)] == [revision]
    assert solved.solution.all_tests_passed
    assert [case.name for case in solved["double"].suite.cases] == [case["name"] for case in sound]
    assert "broken" not in solved.solution.test_files["test_double.py"]


@pytest.mark.parametrize("exception", ["BaseException", "Exception", "SystemExit"])
def test_no_expected_exception_passes_on_the_stub(solver, write, sound, exception):
    """What the stub raises is expected by no case, so one that expects anything at all is red all the same."""
    cases = [*sound, write.raises("double('x')", exception)]
    function = write.function("double(number: int) -> int", cases=cases, tries=[RIGHT])
    draft = solver.generator(solver.model(function)).draft("Double it.", until="red")
    (seen,) = [event for event in solver.events if isinstance(event, RedSeen)]
    assert (seen.red, seen.cases) == (4, 4)
    assert len(draft.suites["double"].cases) == 4


def test_stubs_raise_what_no_case_can_expect(solver, write):
    """For every function the same exception of tdgen's own, which is a BaseException and nothing more."""
    plan = PlanReply(module="kit", functions=[write.function("double(number: int) -> int").spec]).plan("")
    job = Job(module="kit", source=unwritten_module(plan, ""), probes=(Probe(name="any", call="double(1, two=2)"),))
    (observed,) = solver.sandbox.run(job).observations
    assert observed.raised.types == ("kit._Unwritten", "builtins.BaseException")


def test_a_declared_type_may_speak_of_a_class_that_is_to_be_written(solver):
    """An exception that carries a planned class's instance is declared above that class's stub."""
    interface = ClassInterface(methods=(Method(signature="ready(self) -> bool"),))
    stage = FunctionSpec(name="Stage", purpose="A stage.", returns=Returns(type="Stage"), interface=interface)
    wrong = SharedType(name="WrongMove", kind="exception", fields=(Field(name="old", type="Stage"),))
    plan = Plan(module="kit", functions=(stage,), types=(wrong,))
    source = unwritten_module(plan, declare_types(plan))
    job = Job(module="kit", source=source, probes=(Probe(name="any", call="Stage.READY"),))
    (observed,) = solver.sandbox.run(job).observations
    assert observed.raised.type == "kit._Unwritten"


def test_a_third_of_the_generated_cases_is_held_out(solver, double, write):
    """And of three at least one; where there are fewer, none."""
    for count, held_out in ((2, 0), (3, 1), (5, 1), (6, 2), (9, 3)):
        cases = [write.returns(f"double({number})", str(2 * number)) for number in range(count)]
        draft = solver.generator(solver.model(double(cases=cases))).draft(f"Double {count}.", until="red")
        assert len(draft.suites["double"].held_out) == held_out


def test_inputs_that_are_rejected_alike_are_one_case_and_one_test(solver, write):
    """One answer of the author's, a verdict for each input, and one table with what they have in common said once."""
    digits = "def port(text: str) -> int:\n    return int(text)"
    right = digits.replace(":\n", ":\n    if not text.isdecimal():\n        raise ValueError(text)\n")
    rejected = {
        "name": "no digits",
        "kind": "error",
        "each": [["''"], ["' 1'"], ["'+1'"], ["'1_0'"]],
        "expect": "raises",
        "value": "ValueError",
        "why": "Anything but digits is refused.",
    }
    solved = solver.solve(
        write.function(
            "port(text: str) -> int", cases=[write.returns("port('80')", "80"), rejected], tries=[digits, right]
        )
    )
    first, second = ({v.case: v.passed for v in attempt.verdicts} for attempt in solved["port"].history)
    assert [name for name, passed in first.items() if not passed] == ["no_digits_2", "no_digits_3", "no_digits_4"]
    assert (len(second), all(second.values())) == (5, True)
    file = solved.solution.test_files["test_port.py"]
    assert file.count("pytest.raises(ValueError)") == file.count("# Anything but digits is refused.") == 1
    assert 'pytest.param("+1", id="no_digits_3"),' in file


def test_an_example_that_the_planner_reads_is_tried_and_told_of(solver, write):
    """It is a case like the author's, and no pinned one; where the author makes the same call, the author's counts."""
    function = write.function("double(number: int) -> int", cases=[write.returns("double(50)", "100")], tries=[RIGHT])
    quotes = {"double(40)": ("80", "forty twice is eighty"), "double(50)": ("101", "fifty twice is a bit more")}
    examples = [
        {"function": "double", "quote": quote, "call": call, "expect": "value", "value": value}
        for call, (value, quote) in quotes.items()
    ]
    solved = solver.solve(function, text="Forty twice is eighty, fifty twice is a bit more.", examples=examples)
    cases = {case.expression: (case.provenance, case.expectation.source) for case in solved["double"].suite.cases}
    assert cases == {"double(50)": ("model", "100"), "double(40)": ("model", "80")}
    assert sum("is not pinned, as it does not spell the example out" in note for note in solved.solution.notes) == 2


def test_law_is_never_held_out(solver, double, write):
    """What the user wrote may be shown, as the user has seen it."""
    text = "double(5) is 10, double(6) is 12 and double(8) is 16"
    examples = [write.example(f"double({n}) is {2 * n}", f"double({n})", str(2 * n)) for n in (5, 6, 8)]
    suite = solver.solve(double(), text=text, examples=examples)["double"].suite
    assert [case.name for case in suite.cases if case.is_pinned] == ["example_1", "example_2", "example_3"]
    assert len(suite.held_out) == 1
    assert not suite.held_out & {case.name for case in suite.cases if case.is_pinned}


def test_a_name_is_never_given_twice(solver, double, write):
    """A case that its author calls like an example of the user's is another case."""
    cases = [write.returns(f"double({n})", str(2 * n), name="example_1") for n in (1, 2)]
    solved = solver.solve(
        double(cases=cases),
        text="double(5) is 10",
        examples=[write.example("double(5) is 10", "double(5)", "10")],
    )
    assert [case.name for case in solved["double"].suite.cases] == ["example_1", "example_1_2", "example_1_3"]
    assert len(solved["double"].best.verdicts) == 3


def test_a_test_author_without_a_usable_answer_costs_its_own_function_alone(solver, double, write):
    """That function is undecided, never green; the others are what they are."""
    silent = write.function(
        "half(number: int) -> float",
        cases=write.said("I would rather not."),
        mended_cases=write.said("No."),
        tries=["def half(number: int) -> float:\n    return number / 2"],
    )
    solved = solver.solve(double(), silent)
    assert {r.function: r.outcome for r in solved.solution.results} == {"double": "green", "half": "undecided"}
    assert "no case" in solved["half"].reason
    assert any("cases for half" in note.text for note in solved.happened(Noted))
    assert not solved.solution.all_tests_passed


def test_a_model_that_is_gone_ends_the_run(solver, write):
    """That is no matter of one function."""
    function = write.function("double(number: int) -> int", cases=[], tries=[RIGHT])
    with pytest.raises(ModelError):
        solver.solve(function)


def test_a_suite_that_was_handed_in_is_not_written_anew(solver, double):
    """It is the user's to edit; no test author is asked."""
    first = solver.solve(double())
    handed = Handed(plan=first.solution.plan, suites=[first["double"].suite])
    again = solver.solve(double(), handed=handed)
    assert again.solution.all_tests_passed
    assert not again.prompts("cases")
    assert again["double"].suite.cases == first["double"].suite.cases
    assert len(again.happened(SuiteWritten)) == 1


def test_an_edited_suite_takes_the_place_of_one_that_was_kept(solver, double):
    """A function that is kept under the same contract does not bring its old cases along."""
    first = solver.solve(double())
    suite = first["double"].suite
    pinned = suite.cases[0].model_copy(update={"name": "mine", "provenance": "user", "arguments": ("21",)})
    pinned = pinned.model_copy(update={"expectation": pinned.expectation.model_copy(update={"source": "42"})})
    handed = Handed(plan=first.solution.plan, suites=[Suite(function="double", cases=(*suite.cases, pinned))])
    again = solver.solve(double(), handed=handed)
    assert again.solution.all_tests_passed
    assert "mine" in [case.name for case in again["double"].suite.cases]


def test_the_users_own_tests_join_a_suite_that_was_handed_in(solver, double):
    """Both are pinned: neither makes the other be forgotten."""
    first = solver.solve(double())
    tests = "from kit import double\n\n\ndef test_many():\n    assert double(50) == 100\n"
    handed = Handed(plan=first.solution.plan, suites=[first["double"].suite], tests=tests)
    cases = solver.solve(double(), handed=handed)["double"].suite.cases
    assert [case.provenance for case in cases] == ["user", *["model"] * 4]


def test_a_test_of_the_users_that_cannot_be_tried_is_said_before_anything_is_paid_for_it(solver, double):
    """Law is not set aside in silence: the user mends it."""
    tests = "from kit import double\n\n\ndef test_zero():\n    assert double(0) == 1 / 0\n"
    model = solver.model(double())
    with pytest.raises(InputError, match="your own test 'zero' of double can't be tried: what it expects"):
        solver.generator(model).solve("Double it.", Handed(tests=tests))
    assert [request.purpose for request in model.asked] == ["plan"]
