"""From prose to contracts and their order: what is pinned, what is refused, and what the budget can pay for."""

from __future__ import annotations

from typing import Final

import pytest

from tdgen.client import Handed
from tdgen.errors import BudgetSpent, Contradicted, InputError, ModelError, OutOfScope, PlanError
from tdgen.events import PlanMade
from tests.scripted import text_of, with_answer


def test_examples_of_the_instruction_are_law(solver, double, write):
    """They come first, with the user's words, and an implementation that breaks one is red."""
    wrong = "def double(number: int) -> int:\n    return 2 * number if number < 100 else 0"
    solved = solver.solve(
        double(wrong),
        text="Doubling: double(100) gives 200.",
        examples=[write.example("double(100) gives 200", "double(100)", "200")],
        settings={"budget": "iterations=1"},
    )
    pinned = solved["double"].suite.cases[0]
    assert (pinned.name, pinned.provenance, pinned.why) == ("example_1", "instruction", "double(100) gives 200")
    assert solved["double"].outcome == "red"
    assert [v.case for v in solved["double"].best.verdicts if not v.passed] == ["example_1"]
    assert "`double(100)` returns `200`" in solved.prompts("implement")[0]


def test_an_example_of_an_error_is_law_too(solver, write):
    """By the exception's class."""
    function = write.function(
        "root(x: float) -> float",
        cases=[write.returns("root(4.0)", "2.0")],
        tries=["import math\n\n\ndef root(x: float) -> float:\n    return math.sqrt(x)"],
        raises=["ValueError"],
    )
    example = write.example("root(-1) raises a ValueError", "root(-1)", "ValueError", "raises")
    solved = solver.solve(function, text="root(-1) raises a ValueError.", examples=[example])
    assert solved.solution.all_tests_passed
    assert solved["root"].suite.cases[0].kind == "error"


def test_examples_that_contradict_each_other_are_the_users_to_mend(solver, double, write):
    """One line that quotes both; the exit code is that of bad input."""
    examples = [
        write.example("double(3) is 6", "double(3)", "6"),
        write.example("double( 3 ) is 7", "double( 3 )", "7"),
    ]
    with pytest.raises(Contradicted, match=r"contradict each other: 'double\(3\) is 6' and") as caught:
        solver.solve(double(), text="double(3) is 6. And double( 3 ) is 7.", examples=examples)
    assert caught.value.exit_code == 2


def test_an_example_that_the_planner_overlooked_is_law(solver, double):
    """It is read from the text, and nothing is paid for it."""
    solved = solver.solve(double(), text="Doubling: `double(100)` → `200`.")
    pinned = solved["double"].suite.cases[0]
    assert (pinned.name, pinned.provenance, pinned.arguments, pinned.expectation.source) == (
        "example_1",
        "instruction",
        ("100",),
        "200",
    )
    assert len(solved.prompts("plan")) == 1


def test_two_hundred_examples_are_law_each(solver, double):
    """All that the text spells out are pinned, judged and rendered; one that breaks is told."""
    lines = "\n".join(f"- double({number}) -> {2 * number}" for number in range(100, 300))
    wrong = "def double(number: int) -> int:\n    return 2 * number if number != 250 else 0"
    solved = solver.solve(double(wrong), text=f"Doubling.\n{lines}", settings={"budget": "iterations=1"})
    assert sum(case.is_pinned for case in solved["double"].suite.cases) == 200
    assert [v.actual for v in solved["double"].best.verdicts if not v.passed] == ["returned 0"]
    assert solved.solution.test_files["test_double.py"].count("pytest.param(") >= 200
    assert max(map(len, solved.prompts("implement"))) < 40_000


def test_examples_that_all_contradict_each_other_are_refused_in_a_line(solver, double):
    """Two of them are quoted."""
    text = " ".join(f"double({number}) -> {2 * number}. double({number}) -> {3 * number}." for number in range(1, 9))
    with pytest.raises(InputError, match=r"'double\(1\) -> 2' and 'double\(1\) -> 3' expect different") as caught:
        solver.solve(double(), text=text)
    assert "\n" not in str(caught.value)


def test_contradictions_that_the_planner_overlooked_are_the_users_to_mend(solver, double):
    """Both are quoted, though the plan has neither."""
    with pytest.raises(InputError, match=r"'double\(3\) -> 6' and 'double\(3\) -> 7' expect different") as caught:
        solver.solve(double(), text="double(3) -> 6. Elsewhere: double(3) -> 7.")
    assert caught.value.exit_code == 2


def test_an_example_that_the_types_forbid_goes_back_to_the_planner(solver, double):
    """With the user's words; a plan that stays so is an error that quotes them."""
    model = _TwiceTheSame(solver.model(double()))
    with pytest.raises(PlanError, match=r"\"double\('4'\) -> '44'\" passes `'4'` for 'number'") as caught:
        solver.solve(model=model, text="It doubles: double('4') -> '44'.")
    assert caught.value.exit_code == 2
    assert "the example is pinned, so mend the type" in model.asked[1].messages[-1].content


def test_an_example_that_is_none_is_left_out_and_told(solver, double, write):
    """The planner is told first; all else of a plan that stays so is right, and no solve ends for it."""
    examples = [
        write.example("Twice(8).value is 16", "Twice(8).value", "16"),
        write.example("double(3) is 6", "double(3)", "6"),
    ]
    model = _FirstPlanAgain(solver.model(double(), examples=examples))
    solved = solver.solve(model=model, text="double(3) is 6; Twice(8).value is 16.")
    assert [case.expression for case in solved["double"].suite.cases if case.is_pinned] == ["double(3)"]
    told = "'Twice' is not among the functions"
    assert told in model.asked[1].messages[-1].content
    assert "left out: example 'Twice(8).value': 'Twice' is not among the functions" in solved.solution.notes


def test_an_example_of_a_declared_type_alone_is_left_out_at_once(solver, double, write):
    """It is written as it is declared: no author could make a case of it, and none is asked again."""
    declared = {"name": "Odd", "kind": "exception", "base": "ValueError", "fields": [{"name": "number", "type": "int"}]}
    example = write.example("str(Odd(3)) is 'no: 3'", "str(Odd(3))", "'no: 3'") | {"function": "Odd"}
    text = "str(Odd(3)) is 'no: 3'. An Odd has its number."
    solved = solver.solve(double(), text=text, examples=[example], types=[declared | {"message": "no: {number}"}])
    assert len(solved.prompts("plan")) == 1
    (note,) = (note for note in solved.solution.notes if note.startswith("left out"))
    assert note.endswith("it calls no function: the type 'Odd' is written as it is declared")


def test_a_generated_case_that_contradicts_law_falls(solver, double, write):
    """It goes back to its author with the user's words, and is set aside if it stays."""
    cases = [write.returns("double(3)", "7", name="wrong"), write.returns("double(4)", "8")]
    function = double(cases=cases, mended_cases=cases)
    example = write.example("double(3) is 6", "double(3)", "6")
    solved = solver.solve(function, text="double(3) is 6", examples=[example])
    assert "it contradicts the user's own example 'double(3) is 6'" in solved.prompts("cases")[1]
    assert [revision.case for revision in solved.solution.revisions] == ["wrong"]
    assert solved.solution.all_tests_passed


def test_readable_tests_of_the_users_become_law(solver, double):
    """With their provenance; nothing of the file is left to veto."""
    tests = "from kit import double\n\n\ndef test_many():\n    assert double(50) == 100\n"
    solved = solver.solve(double(), handed=Handed(tests=tests))
    pinned = solved["double"].suite.cases[0]
    assert (pinned.name, pinned.provenance) == ("many", "user")
    assert solved.solution.test_files["test_by_the_user.py"] == tests
    assert "<user_tests>" in solved.prompts("plan")[0]


def test_a_plan_without_what_the_users_tests_call_goes_back_to_the_planner(solver, double, write):
    """With the names that it lacks; staying without them is an error."""
    tests = "from tools import triple\n\n\ndef test_triple():\n    assert triple(2) == 6\n"
    model = solver.model(double())
    with pytest.raises(Exception, match="plan, attempt 2"):
        solver.solve(model=model, handed=Handed(tests=tests))
    reasons = model.asked[1].messages[-1].content
    assert "the user's tests call triple, which the plan does not have" in reasons


def test_the_module_is_called_what_the_users_tests_import(solver, double):
    """Nobody has to be asked for that name again."""
    tests = "from tools import double\n\n\ndef test_many():\n    assert double(50) == 100\n"
    solved = solver.solve(double(), handed=Handed(tests=tests))
    assert (solved.solution.plan.module, len(solved.prompts("plan"))) == ("tools", 1)
    assert solved.solution.all_tests_passed


def test_a_module_named_like_its_function_gets_another_name(solver, double):
    """That is no question for a model."""
    solved = solver.solve(double(), module="double")
    assert (solved.solution.plan.module, len(solved.prompts("plan"))) == ("double_module", 1)
    assert solved.solution.all_tests_passed


OUT_OF_SCOPE = {
    "declined": "A class with methods is out of scope:\n ask for its functions.",
    "functions": [],
    "module": "",
}


class TestDeclining:
    """The planner can say that an instruction is out of scope: nothing but its answer is paid for."""

    def test_it_is_an_error_with_the_reason_in_one_line(self, solver):
        """Of bad input, and no unusable plan: the planner is not asked again."""
        model = solver.model(plan=OUT_OF_SCOPE)
        with pytest.raises(OutOfScope) as caught:
            solver.solve(model=model, text="A class Stack with push and pop.")
        assert str(caught.value) == ("declined: A class with methods is out of scope: ask for its functions.")
        assert (caught.value.exit_code, len(model.asked)) == (2, 1)

    def test_a_reason_is_enough(self, solver):
        """A model that leaves out all else has declined too."""
        with pytest.raises(OutOfScope, match="No Python"):
            solver.solve(model=solver.model(plan={"declined": "No Python."}))

    def test_who_declines_plans_nothing(self, solver, double):
        """An answer that does both goes back once."""
        model = _TwiceTheSame(solver.model(double(), declined="Half of it is out of scope."))
        with pytest.raises(PlanError, match="leave `declined` empty, or `functions`"):
            solver.solve(model=model)
        assert len(model.asked) == 2

    def test_the_next_run_asks_anew(self, solver, double):
        """A planner that was wrong to decline is not held to its word."""
        with pytest.raises(OutOfScope):
            solver.solve(model=solver.model(plan=OUT_OF_SCOPE))
        assert solver.solve(double()).solution.all_tests_passed

    def test_what_is_in_scope_is_said_once(self, solver, double):
        """In the planner's prompt, before its rules."""
        (prompt,) = solver.solve(double()).prompts("plan")
        assert prompt.index("\nScope: ") < prompt.index("- `declined`: ") < prompt.index("\nRules:")


def test_a_plan_that_stays_unusable_is_an_error_with_every_reason(solver, write):
    """The planner is told once."""
    function = write.function("double(number: int) -> int", uses=["nobody", "nothing"])
    with pytest.raises(PlanError, match=r"depends on 'nobody'.*depends on 'nothing'"):
        solver.solve(model=_TwiceTheSame(solver.model(function)))


class _TwiceTheSame:
    """A model that answers its first question again and again."""

    def __init__(self, inner) -> None:
        self._inner = inner
        self.asked = []

    def ask(self, request):
        self.asked.append(request)
        return self._inner.ask(request.model_copy(update={"attempt": 1}))


class _FirstPlanAgain(_TwiceTheSame):
    """A model that gives its first plan again."""

    def ask(self, request):
        self.asked.append(request)
        return self._inner.ask(request.model_copy(update={"attempt": 1} if request.purpose == "plan" else {}))


def test_an_unusable_plan_is_not_played_again(solver, write):
    """That run came to its end: the next one asks anew, and may be luckier."""
    function = write.function("double(number: int) -> int", uses=["nobody"])
    model = _TwiceTheSame(solver.model(function))
    for _ in range(2):
        with pytest.raises(PlanError):
            solver.solve(model=model)
    assert len(model.asked) == 4


def test_the_plan_is_told_with_its_order(solver, double, write):
    """What can be built at once stands together."""
    above = write.function(
        "fourfold(n: int) -> int",
        cases=[write.returns("fourfold(1)", "4")],
        tries=["def fourfold(n: int) -> int:\n    return double(double(n))"],
        uses=["double"],
    )
    (event,) = solver.solve(above, double()).happened(PlanMade)
    assert event.generations == (("double",), ("fourfold",))


def test_a_plan_that_is_too_large_for_the_budget_is_refused_at_once(solver, write):
    """Right after planning, with the number of calls that would do."""
    functions = [write.function(f"f{n}(x: int) -> int") for n in range(5)]
    model = solver.model(*functions)
    with pytest.raises(BudgetSpent, match=r"5 functions and needs 10 more model calls, 9 are left: .*calls=11"):
        solver.solve(model=model, settings={"budget": "calls=10"})
    assert len(model.asked) == 1


def test_what_is_handed_in_need_not_be_paid_for(solver, double):
    """A function whose suite is there takes one call instead of two, one that is kept none."""
    first = solver.solve(double())
    handed = Handed(plan=first.solution.plan, suites=[first["double"].suite])
    assert solver.solve(double(), handed=handed, settings={"budget": "calls=1"}).solution.all_tests_passed
    again = solver.solve(double(), text="Something else.", settings={"budget": "calls=1"})
    assert again.solution.all_tests_passed


class TestAContradiction:
    """Two places of the instruction that can't both hold are never settled in silence."""

    TEXT = "Write double(number). Twice the number, so that 3 gives 6. In the table, 3 stands beside 7."
    BETWEEN: Final = {
        "first": "3 gives 6",
        "second": "3 stands beside 7",
        "why": "one number, two results",
        "assumption": "6",
    }

    def test_is_refused_with_both_places(self, solver, double):
        """After the plan alone, by the exit code of bad input, with what to do."""
        model = solver.model(double(), contradictions=[self.BETWEEN])
        with pytest.raises(Contradicted, match=r'"3 gives 6" against "3 stands beside 7" .one number.*--ask') as caught:
            solver.generator(model).solve(self.TEXT)
        assert caught.value.exit_code == 2
        assert [request.purpose for request in model.asked] == ["plan"]

    def test_is_put_to_the_user_where_one_can_be_asked(self, solver, double):
        """The answer is part of the second plan's instruction, which is not refused again."""
        asked = []

        def answer(question):
            asked.append(question.question)
            return "the table is out of date"

        model = solver.model(double(), contradictions=[self.BETWEEN])
        model = with_answer(model, "plan", model._script.answers[0].text, variant="again")
        generator = solver.generator(model, questions="ask").under(on_question=answer)
        solution = generator.solve(self.TEXT)
        assert solution.all_tests_passed
        assert '"3 gives 6" against "3 stands beside 7"' in asked[0]
        assert "the table is out of date" in text_of(model.asked[1])

    def test_is_assumed_where_the_user_allows_it_and_told(self, solver, double):
        """As a question with the plan's assumption."""
        model = solver.model(double(), contradictions=[self.BETWEEN])
        solution = solver.generator(model, questions="assume").solve(self.TEXT)
        (question, *_) = solution.questions
        assert "3 stands beside 7" in question.question
        assert question.assumption == "6"

    @pytest.mark.parametrize(
        "changed", [{"first": "4 gives 8"}, {"second": "gives 6"}, {"second": ""}], ids=["invented", "one", "empty"]
    )
    def test_that_quotes_no_two_places_goes_back(self, solver, double, changed):
        """The planner is told why, once."""
        model = solver.model(double(), contradictions=[self.BETWEEN | changed])
        with pytest.raises(ModelError):  # the script has no second answer
            solver.generator(model).solve(self.TEXT)
        assert "a contradiction" in text_of(model.asked[1])


class TestPassages:
    """The plan says by number which of the user's sentences bind which function."""

    TEXT = "Hello! Write double(number). It gives twice the number. Zero stays zero."

    def planned(self, solver, double, sentences, **more):
        function = double()
        spec = function.spec | {"sentences": sentences}
        plan = {"module": "kit", "functions": [spec], **more}
        return solver.generator(solver.model(function, plan=plan)).solve(self.TEXT)

    def test_are_shown_to_the_planner_with_their_numbers(self, solver, double):
        """All of them; the test author sees those of its function numbered, and the developer none."""
        solved = solver.solve(double(), text=self.TEXT)
        assert "\u27e63\u27e7 It gives twice the number." in solved.prompts("plan")[0]
        assert "\u27e62\u27e7 It gives" not in solved.prompts("cases")[0]
        assert "\u27e6" not in solved.prompts("implement")[0]

    def test_become_the_functions_own(self, solver, double):
        """Word for word, in the order of the text."""
        solution = self.planned(solver, double, [3, 2, 99], asks_nothing=[1])
        assert solution.plan.functions[0].passages == ("Write double(number).", "It gives twice the number.")

    def test_that_no_function_is_assigned_are_told(self, solver, double):
        """What asks for nothing is not among them."""
        solution = self.planned(solver, double, [2, 3], asks_nothing=[1])
        assert solution.plan.unassigned == ("Zero stays zero.",)
        assert "the plan assigns no function to: Zero stays zero." in solution.notes

    def test_are_not_missed_where_a_model_numbers_nothing(self, solver, double):
        """It may not know how."""
        solution = self.planned(solver, double, [])
        assert solution.plan.unassigned == ()
