"""Implementations that share no code: where both are green and part, who is right, and who is to say?"""

from __future__ import annotations

import pytest

from tdgen.build import second_reading
from tdgen.models.scripted import ScriptedAnswer
from tdgen.settings.policy import POLICIES

ASSUME = {"trust": "quick", "questions": "assume"}
OURS = "def clamp(x: int, low: int, high: int) -> int:\n    return max(low, min(x, high))"
THEIRS = "def clamp(x: int, low: int, high: int) -> int:\n    return min(high, max(x, low))"
ALIKE = "def clamp(x: int, low: int, high: int) -> int:\n    return sorted((low, x, high))[1] if low <= high else low"
STRICT = (
    "def clamp(x: int, low: int, high: int) -> int:\n"
    "    if low > high:\n        raise ValueError('low is above high')\n    return max(low, min(x, high))"
)


@pytest.fixture(autouse=True)
def _few_calls(monkeypatch):
    """What a busy machine makes slow is not taken for endless, and searches are short."""
    monkeypatch.setattr(second_reading, "PATIENCE_S", 2.0)
    for level in ("standard", "strict"):
        monkeypatch.setitem(POLICIES, level, POLICIES[level]._replace(seconds=0.2))


@pytest.fixture
def clamp(write):
    """`clamp(x, low, high)`, with nothing said of a low that is above the high; implementation and rival are given."""

    def make(*tries, rival=THEIRS, **more):
        cases = [write.returns(f"clamp({x}, 0, 10)", str(max(0, min(x, 10)))) for x in (3, 5, 12, -20)]
        return write.function(
            "clamp(x: int, low: int, high: int) -> int",
            "x, but never below low nor above high.",
            cases=cases,
            tries=tries or (OURS,),
            rival=rival,
            **more,
        )

    return make


class Asked:
    """A user who answers what is given, and what was asked."""

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.questions: list = []

    def __call__(self, question) -> str:
        self.questions.append(question)
        return self.answer


@pytest.fixture
def ask(solver, clamp):
    """Solve `clamp` with a user to ask, who answers what is given."""

    def solve(answer: str, *tries: str, rival: str = THEIRS, **settings: bool):
        function = clamp(*tries, rival=rival)
        user = Asked(answer)
        model = solver.model(function)
        generator = solver.generator(model, trust="quick", questions="ask", **settings)
        return generator.under(on_question=user).solve("Write clamp."), user, model

    return solve


class TestInviting:
    """A second implementation costs a call: it is asked for where it is worth it."""

    @pytest.mark.parametrize(("settings", "calls"), [({"trust": "standard"}, 1), (ASSUME, 2), ({"trust": "strict"}, 2)])
    def test_when(self, solver, clamp, settings, calls):
        """At trust level strict, and where questions are looked for."""
        solved = solver.solve(clamp(), settings=settings)
        assert len(solved.prompts("implement")) == calls

    def test_it_knows_nothing_of_the_first(self, solver, clamp):
        """The same is asked, as another sample."""
        one, other = solver.solve(clamp(), settings=ASSUME).prompts("implement")
        assert one == other

    def test_a_model_that_has_none(self, solver, clamp):
        """Costs nothing but a note."""
        solved = solver.solve(clamp(rival=None), settings=ASSUME)
        assert solved["clamp"].outcome == "green"
        assert any("it has no second, independent implementation" in note for note in solved.solution.notes)

    def test_one_that_is_prose(self, solver, clamp, write):
        """Is an attempt that can't be used, beside a green one."""
        solved = solver.solve(clamp(rival=write.said("I would use max.")), settings=ASSUME)
        assert solved["clamp"].outcome == "green"
        assert not solved.solution.questions

    def test_the_better_of_two_counts(self, solver, clamp):
        """A rival that is right where the first is not needs no repair."""
        wrong = "def clamp(x: int, low: int, high: int) -> int:\n    return x"
        solved = solver.solve(clamp(wrong), settings=ASSUME)
        assert solved["clamp"].outcome == "green"
        assert not solved.prompts("repair")
        assert solved["clamp"].best.rung == "rival"


class TestAgreement:
    """Two that part nowhere."""

    def test_bears_the_cases_out(self, solver, clamp):
        """It is noted of each generated case that another implementation passes it too."""
        solved = solver.solve(clamp(rival=ALIKE), settings=ASSUME)
        assert all("another implementation" in case.confirmed for case in solved["clamp"].suite.cases)
        assert not solved.solution.questions


class TestParting:
    """A call on which they part is settled by the contract, or is a question."""

    def test_where_the_contract_settles_it_a_case_comes_of_it(self, solver, clamp, write):
        """Whoever is wrong is repaired by it, or falls."""
        solved = solver.solve(clamp(), settings=ASSUME)
        (question, *_) = solved.solution.questions
        told = question.options[1].removeprefix("returned ")
        one = write.settles({"expect": "value", "value": told}, *[{"expect": "open"}] * 3, variant="rivals")
        again = solver.solve(clamp(also=[one]), settings=ASSUME | {"fresh": True})
        (case,) = [case for case in again["clamp"].suite.cases if case.expression == question.call]
        assert case.expectation.source == told
        assert case.name not in again["clamp"].suite.held_out

    def test_where_it_is_open_it_is_a_question_with_its_assumption(self, solver, clamp):
        """What each of them gives is told, and what the best one does is assumed."""
        solved = solver.solve(clamp(), settings=ASSUME)
        assert solved["clamp"].outcome == "green"
        question = solved.solution.questions[0]
        assert question.call.startswith("clamp(")
        ours, theirs = (option.removeprefix("returned ") for option in question.options)
        assert question.question == f"`{question.call}`: {ours} or {theirs}?"
        assert question.assumption == f"it returned {ours}"
        assert not question.answered
        assert question.model_dump(mode="json") in solved.solution.to_dict()["questions"]
        assert question.call not in [case.expression for case in solved["clamp"].suite.cases]

    def test_a_few_questions_are_enough(self, solver, clamp):
        """However often they part."""
        assert 1 <= len(solver.solve(clamp(), settings=ASSUME).solution.questions) <= 3

    def test_an_exception_is_an_answer_too(self, solver, clamp):
        """One raises where the other returns."""
        solved = solver.solve(clamp(rival=STRICT), settings=ASSUME)
        assert any("raised ValueError" in option for q in solved.solution.questions for option in q.options)

    def test_a_nonsensical_author_leaves_it_open_nowhere(self, solver, clamp):
        """Nobody knows whether the contract leaves it open then: no case, no question, no harm to the green."""
        said = [ScriptedAnswer(purpose="settle", variant="rivals", attempt=n, text="Well.") for n in (1, 2)]
        solved = solver.solve(clamp(also=said), settings=ASSUME)
        assert solved["clamp"].outcome == "green"
        assert not solved.solution.questions


class TestTheUser:
    """Is asked what the contract leaves open; the answer is pinned."""

    def test_an_answer_is_law(self, ask):
        """A case in the suite, which whoever fails it has to meet."""
        solution, user, _ = ask("2", OURS, THEIRS)
        assert solution.all_tests_passed
        (result,) = solution.results
        asked = {question.call: question for question in user.questions}
        pinned = [case for case in result.suite.cases if case.is_pinned]
        assert {case.expression for case in pinned} == set(asked)
        for case in pinned:
            assert f"returned {case.expectation.source}" == asked[case.expression].options[1]
        assert all(question.answered for question in solution.questions)

    def test_the_one_that_is_right_is_taken(self, ask):
        """Nothing has to be repaired where one of them does as the user says, whichever was the best before."""
        (first, user, model), (second, *_) = ask("1"), ask("2", fresh=True)
        assert {solution.results[0].best.rung for solution in (first, second)} == {"first", "rival"}
        assert not [request for request in model.asked if request.purpose == "repair"]
        assert user.questions

    @pytest.mark.parametrize("answer", ["", "no idea"])
    def test_who_does_not_say_leaves_the_assumption(self, ask, answer):
        """It is recorded as such."""
        solution, user, _ = ask(answer)
        assert user.questions
        assert solution.all_tests_passed
        assert solution.questions
        assert not any(question.answered for question in solution.questions)

    def test_an_answer_that_can_not_be_tried_is_none(self, ask):
        """A value that names nothing is noted, and the assumption stands."""
        solution, _, _ = ask("nowhere")
        assert solution.all_tests_passed
        assert any("can't be used" in note for note in solution.notes)
        assert not any(question.answered for question in solution.questions)

    def test_answers_are_remembered(self, ask, solver, clamp):
        """Nobody is asked twice: the same instruction comes with them, from the cache."""
        ask("1")
        again = Asked("1")
        generator = solver.generator(solver.model(clamp()), trust="quick", questions="ask")
        assert generator.under(on_question=again).solve("Write clamp.").cached
        assert not again.questions
