"""The library's face: cache before the work, journal beside it, budgets that hold, going on from a solution."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import tdgen
from tdgen.cache import runs
from tdgen.client import Generator, Handed
from tdgen.errors import BudgetSpent, InputError, ModelError, StoreError
from tdgen.events import BudgetTold, FunctionEnded, Noted
from tdgen.models import Ledger
from tdgen.models.scripted import ScriptedModel
from tdgen.prompts import unmarked
from tdgen.protocols import Answer, Request
from tdgen.runtime import Runtime
from tdgen.settings import Budget, Settings
from tdgen.solution import Solution
from tdgen.types import Suite, Value
from tests.scripted import with_answer

RIGHT = "def double(number: int) -> int:\n    return 2 * number"
WRONG = "def double(number: int) -> int:\n    return 1"


class TestTheCache:
    """A repeat costs nothing."""

    def test_a_second_solve_asks_nobody(self, solver, double):
        """The same solution, marked as cached."""
        first = solver.solve(double()).solution
        second = solver.solve(model=solver.model())
        assert second.model.asked == ()
        assert second.solution.cached
        assert not first.cached
        assert second.solution == first.model_copy(update={"cached": True})

    def test_white_space_outside_of_code_and_quotes_does_not_count(self, solver, double):
        """A line that was wrapped elsewhere is the same instruction."""
        solver.solve(double(), text="Double a number,\nand `a  b` too.")
        assert solver.solve(model=solver.model(), text="Double  a number, and\n `a  b` too. ").solution.cached

    @pytest.mark.parametrize(
        ("text", "settings"),
        [
            ("Double a number, and `a b` too.", {}),
            ("Double any number, and `a  b` too.", {}),
            ("Double a number, and `a  b` too.", {"trust": "standard"}),
            ("Double a number, and `a  b` too.", {"forbid": "os"}),
        ],
        ids=["code", "words", "trust", "modules"],
    )
    def test_another_instruction_or_setting_is_another_solution(self, solver, double, text, settings):
        """Whatever changes the result is part of the key."""
        solver.solve(double(), text="Double a number, and `a  b` too.")
        assert not solver.solve(double(), text=text, settings=settings).solution.cached

    @pytest.mark.parametrize("settings", [{"budget": "calls=7"}, {"concurrency": 1}, {"timeout": 3.0}], ids=str)
    def test_how_long_and_where_it_may_work_is_not_part_of_the_key(self, solver, double, settings):
        """A limit changes no solution that was found."""
        solver.solve(double())
        assert solver.solve(model=solver.model(), settings=settings).solution.cached

    def test_the_users_tests_are_part_of_the_key(self, solver, double):
        """What was right by other tests need not be right by these."""
        solver.solve(double())
        tests = "from kit import double\n\n\ndef test_it():\n    assert double(50) == 100\n"
        assert not solver.solve(double(), handed=Handed(tests=tests)).solution.cached

    def test_what_is_not_all_green_is_not_kept(self, solver, double):
        """It is asked for again."""
        solver.solve(double(WRONG), settings={"budget": "iterations=1"})
        assert not solver.solve(double()).solution.cached

    def test_concurrent_callers_solve_it_once(self, solver, double):
        """The second one waits for the first, and is answered from the cache."""
        model = solver.model(double())
        generator = solver.generator(model)
        with ThreadPoolExecutor(2) as both:
            found = list(both.map(generator.solve, ["Double it.", "Double it."]))
        assert sorted(solution.cached for solution in found) == [False, True]
        assert len(model.asked) == 3

    def test_fresh_looks_neither_into_cache_nor_journal(self, solver, double):
        """Functions that were kept are not taken over either."""
        solver.solve(double())
        again = solver.solve(double(), settings={"fresh": True})
        assert not again.solution.cached
        assert len(again.model.asked) == 3

    def test_a_solution_that_cannot_be_kept_is_a_solution(self, solver, double, monkeypatch):
        """It is noted."""

        def full(*_):
            raise StoreError("the disk is full")

        monkeypatch.setattr("tdgen.cache.solutions.Solutions.put", full)
        solved = solver.solve(double())
        assert solved.solution.all_tests_passed
        assert "this solution was not kept: the disk is full" in [note.text for note in solved.happened(Noted)]

    def test_whether_it_is_there_can_be_asked(self, solver, double):
        """Without asking a model, and without solving it."""
        generator = solver.generator(solver.model(double()))
        assert generator.kept("Double it.") is None
        solution = generator.solve("Double it.")
        assert generator.kept("Double it.").key == solution.key
        assert generator.find(solution.key[:20]).key == solution.key


class TestTheBudget:
    """Every stop is bounded, and what was found until then is not lost."""

    def test_no_calls_at_all(self, solver, double):
        """Nothing is asked, and nothing is there."""
        with pytest.raises(BudgetSpent, match="the budget of 0 model calls is spent"):
            solver.solve(double(), settings={"budget": "calls=0"})

    def test_one_call_pays_for_the_plan_alone(self, solver, double):
        """It is refused right after, with the number that would do."""
        with pytest.raises(BudgetSpent, match="needs 2 more model calls, 0 are left: raise --budget calls=3") as caught:
            solver.solve(double(), settings={"budget": "calls=1"})
        assert caught.value.exit_code == 3

    def test_a_limit_in_the_middle_leaves_the_best_so_far(self, solver, double):
        """The solution says which limit stopped it."""
        solved = solver.solve(double(WRONG, RIGHT), settings={"budget": "calls=3"})
        assert solved.solution.stopped == "the budget of 3 model calls is spent: raise --budget calls=N"
        assert solved["double"].outcome == "red"
        assert solved["double"].reason == solved.solution.stopped
        assert "return 1" in solved.solution.module_source

    def test_what_one_function_is_owed_no_other_takes(self, solver, double, write):
        """A second answer of its test author would be paid for by the other's code: the first has no cases then."""
        cases = [write.returns("half(4)", "2")]
        half = write.function(
            "half(number: int) -> int",
            cases=[write.returns("half(4)", "1 / 0")],
            mended_cases=cases,
            tries=["def half(number: int) -> int:\n    return number // 2"],
        )
        solved = solver.solve(half, double(), settings={"budget": "calls=5", "concurrency": 1})
        assert solved["half"].outcome == "undecided"
        assert solved["double"].outcome == "green"
        assert "5 model calls" in solved.solution.stopped

    def test_the_next_run_with_more_pays_only_for_the_rest(self, solver, double):
        """It goes on from the answers that were paid for."""
        first = solver.solve(double(WRONG, RIGHT), settings={"budget": "calls=3"})
        second = solver.solve(double(WRONG, RIGHT), settings={"budget": "calls=4"})
        assert len(first.model.asked) == 4 - 1
        assert [(r.purpose, r.attempt) for r in second.model.asked] == [("repair", 2)]
        assert second.solution.all_tests_passed
        assert second.solution.usage.calls == 1
        assert any("an unfinished run left 3 answers" in note.text for note in second.happened(Noted))


class TestTheJournal:
    """A run that was cut off is gone on with; one that ended is not."""

    def test_a_run_that_failed_in_the_middle_is_resumed(self, solver, double):
        """No question that was answered is asked again."""
        with pytest.raises(ModelError):
            solver.solve(double(WRONG))
        assert [run.state for run in runs(solver.cache_dir)] == ["unfinished"]
        resumed = solver.solve(double(WRONG, RIGHT))
        assert [request.purpose for request in resumed.model.asked] == ["repair"]
        assert resumed.solution.all_tests_passed
        assert runs(solver.cache_dir) == []

    def test_a_plan_that_was_looked_at_is_not_asked_for_again(self, solver, double):
        """A draft is the beginning of the same run."""
        solver.generator(solver.model(double())).draft("Double it.", until="plan")
        solved = solver.solve(double(), text="Double it.")
        assert [request.purpose for request in solved.model.asked] == ["cases", "implement"]

    def test_a_red_run_that_ended_is_not_played_again(self, solver, double):
        """Who asks again wants other answers; how it failed is kept."""
        solver.solve(double(WRONG), settings={"budget": "iterations=1"})
        (failed,) = runs(solver.cache_dir)
        assert (failed.state, failed.reason) == ("failed", "double: not right after 1 attempt")
        again = solver.solve(double(), settings={"budget": "iterations=1"})
        assert [request.purpose for request in again.model.asked] == ["plan", "cases", "implement"]

    def test_fresh_does_not_go_on_from_an_unfinished_run(self, solver, double):
        """All is asked anew."""
        with pytest.raises(ModelError):
            solver.solve(double(WRONG))
        again = solver.solve(double(), settings={"fresh": True})
        assert [request.purpose for request in again.model.asked] == ["plan", "cases", "implement"]


class Parting:
    """A model that answers one function's developer only when it has failed the other's for good."""

    name = "script"

    def __init__(self, script: ScriptedModel, pause: float) -> None:
        self._script = script
        self._pause = pause
        self._asked, self._failed = threading.Event(), threading.Event()

    @property
    def asked(self) -> tuple[Request, ...]:
        return self._script.asked

    def ask(self, request: Request) -> Answer:
        answer = self._script.ask(request)
        if (request.purpose, request.subject) == ("implement", "half"):
            self._asked.wait(10)
            self._failed.set()
            raise ModelError("the endpoint is down")
        if request.purpose == "implement":
            self._asked.set()
            self._failed.wait(10)
            time.sleep(self._pause)
        return answer


class TestAnswersOnTheirWay:
    """What others are being answered when a run fails was paid for."""

    @pytest.fixture
    def functions(self, write, double):
        cases = [write.returns("half(4)", "2")]
        return double(WRONG, RIGHT), write.function(
            "half(number: int) -> int", cases=cases, tries=["def half(number: int) -> int:\n    return number // 2"]
        )

    def test_they_are_kept(self, solver, functions):
        """The next run does not ask for them; nor did that thread ask for more when the run was over."""
        failing = Parting(solver.model(*functions), pause=0.3)
        with pytest.raises(ModelError, match="the endpoint is down"):
            solver.solve(model=failing)
        again = solver.solve(*functions)
        asked = [(request.purpose, request.subject) for request in again.model.asked]
        assert sorted(asked) == [("implement", "half"), ("repair", "double")]
        assert ("repair", "double") not in [(request.purpose, request.subject) for request in failing.asked]

    def test_they_are_waited_for_a_moment_only(self, solver, functions, monkeypatch):
        """An endpoint may take for ever."""
        monkeypatch.setattr("tdgen.client.running.PATIENCE_S", 0.01)
        with pytest.raises(ModelError, match="the endpoint is down"):
            solver.solve(model=Parting(solver.model(*functions), pause=1.0))
        again = solver.solve(*functions)
        assert ("implement", "double") in [(request.purpose, request.subject) for request in again.model.asked]


class TestWhatWasSpent:
    """Where the money went is in the result, and told while it goes."""

    @pytest.fixture
    def solved(self, solver, double):
        """A solve with a model whose price is a dollar a call."""

        class ADollar:
            def cost(self, prompt_tokens: int, answer_tokens: int, cached_tokens: int = 0) -> float:
                return 1.0

            def room(self, dollars: float, prompt_tokens: int, most: int) -> int:
                return most if dollars >= 1.0 else -1

        def solve(budget: str) -> tuple[Solution, list[BudgetTold]]:
            generator = solver.generator(solver.model(double(WRONG, RIGHT)), budget=budget)
            vars(generator._runtime)["_prices"] = lambda purpose: ADollar()
            solution = generator.solve("Double it.")
            return solution, [event for event in solver.events if isinstance(event, BudgetTold)]

        return solve

    def test_by_purpose_and_function(self, solved):
        """The parts add up to the whole."""
        solution, told = solved("money=10")
        assert [(part.purpose, part.function, part.usage.cost) for part in solution.spent] == [
            ("plan", "", 1.0),
            ("cases", "double", 1.0),
            ("implement", "double", 1.0),
            ("repair", "double", 1.0),
        ]
        assert solution.usage.cost == 4.0
        assert [event.usage.cost for event in told] == [1.0, 2.0, 3.0, 4.0]
        assert [event.money_left for event in told] == [9.0, 8.0, 7.0, 6.0]

    def test_a_limit_of_money_leaves_the_best_so_far(self, solved):
        """Like any other limit."""
        solution, _ = solved("money=3.5")
        assert solution.stopped == "the budget of $3.5 is spent: raise --budget money=N"
        assert solution.usage.cost == 3.0
        assert "return 1" in solution.module_source

    def test_a_model_that_was_handed_in_has_no_price(self, solver, double):
        """So that a limit of money could not hold."""
        with pytest.raises(InputError, match="no price is known"):
            solver.solve(double(), settings={"budget": "money=1"})


class TestFollowing:
    """A second instruction goes on from a solution that was kept."""

    @pytest.fixture
    def half(self, write):
        return write.function(
            "half(number: int) -> float",
            cases=[write.returns("half(3)", "1.5")],
            tries=["def half(number: int) -> float:\n    return number / 2"],
        )

    def test_what_it_does_not_touch_is_taken_over(self, solver, double, half):
        """No call is made for it, and it is told as reused."""
        first = solver.solve(double(), text="Double a number.").solution
        second = solver.solve(double(), half, text="And halve it.", handed=Handed(follow=first.key[:20]))
        assert second.solution.all_tests_passed
        assert [(r.purpose, r.subject) for r in second.model.asked] == [
            ("plan", ""),
            ("cases", "half"),
            ("implement", "half"),
        ]
        assert {e.function: e.reused for e in second.happened(FunctionEnded)} == {"double": True, "half": False}
        assert second["double"].best.source == first.results[0].best.source
        assert second.solution.follows == first.key

    def test_where_nothing_is_kept_it_is_taken_from_the_solution_itself(self, solver, one_studio, write, double, half):
        """A folder that somebody else solved, with its pinned cases; it is judged here as what is kept is."""
        twice = write.function(
            "quadruple(number: int) -> int",
            cases=[write.returns("quadruple(2)", "8")],
            tries=["def quadruple(number: int) -> int:\n    return double(double(number))"],
            uses=["double"],
        )
        example = write.example("twice fifty is 100", "double(50)", "100")
        words = {"text": "Double a number: twice fifty is 100.", "examples": [example]}
        elsewhere = one_studio.solve(double(), twice, **words).solution
        solved = solver.solve(
            double(), twice, half, **words | {"text": "And halve it."}, handed=Handed(follow=elsewhere)
        )
        assert solved.solution.all_tests_passed
        assert {request.subject for request in solved.model.asked} == {"", "half"}

    def test_code_of_it_that_is_wrong_is_written_anew(self, solver, one_studio, double, half):
        """Whatever its record says: its cases are run here before it counts."""
        elsewhere = one_studio.solve(double()).solution
        (result,) = elsewhere.results
        wrong = result.best.model_copy(update={"source": "def double(number: int) -> int:\n    return 7"})
        forged = elsewhere.model_copy(update={"results": (result.model_copy(update={"best": wrong}),)})
        right = "def double(number: int) -> int:\n    return 2 * number"
        solved = solver.solve(double(right, right), half, text="And halve it.", handed=Handed(follow=forged))
        assert solved.solution.all_tests_passed
        assert [r.purpose for r in solved.model.asked if r.subject == "double"] == ["repair"]

    def test_the_planner_sees_both_instructions_and_the_earlier_plan(self, solver, double, half):
        """So that it keeps what is not touched, word for word."""
        first = solver.solve(double(), text="Double a number.").solution
        second = solver.solve(double(), half, text="And halve it.", handed=Handed(follow=first.key))
        (prompt,) = second.prompts("plan")
        assert "Double a number.\n\nAnd halve it." in unmarked(prompt)
        assert "<earlier_plan>" in prompt
        assert second.solution.instruction == "Double a number.\n\nAnd halve it."

    def test_what_it_touches_is_built_anew_with_what_stands_on_it(self, solver, write):
        """And nothing else."""

        def adding(name: str, inner: str, total: int, purpose: str, *uses: str):
            return write.function(
                f"{name}(x: int) -> int",
                purpose,
                cases=[write.returns(f"{name}(0)", str(total))],
                tries=[f"def {name}(x: int) -> int:\n    return {inner} + 1"],
                uses=uses,
            )

        high = adding("high", "low(x)", 2, "One more than low.", "low")
        other = adding("other", "x", 1, "One more.")
        before = [adding("low", "x", 1, "It adds."), high, other]
        after = [adding("low", "x", 1, "It adds one."), high, other]
        first = solver.solve(*before).solution
        second = solver.solve(*after, text="Be exact.", handed=Handed(follow=first.key))
        assert second.solution.all_tests_passed
        assert sorted({r.subject for r in second.model.asked if r.subject}) == ["high", "low"]

    def test_the_users_tests_stay_law(self, solver, double, half):
        """They came with the first instruction, and the second one does not take them back."""
        tests = "from kit import double\n\n\ndef test_many():\n    assert double(50) == 100\n"
        first = solver.solve(double(), handed=Handed(tests=tests)).solution
        second = solver.solve(double(), half, text="And halve it.", handed=Handed(follow=first.key))
        assert [case.name for case in second["double"].suite.cases if case.is_pinned] == ["many"]
        assert {e.function: e.reused for e in second.happened(FunctionEnded)}["double"]
        assert second.solution.test_files["test_by_the_user.py"] == tests

    def test_a_case_of_an_edited_suite_stays_law(self, solver, double, half):
        """It travels with the solution, though no text and no file says it."""
        plain = solver.solve(double(), text="Double a number.")
        mine = (
            plain["double"]
            .suite.cases[0]
            .model_copy(
                update={"name": "mine", "provenance": "user", "arguments": ("21",), "expectation": Value(source="42")}
            )
        )
        suite = Suite(function="double", cases=(*plain["double"].suite.cases, mine))
        handed = Handed(plan=plain.solution.plan, suites=[suite])
        first = solver.solve(double(), text="Double a number.", handed=handed).solution
        second = solver.solve(double(), half, text="And halve it.", handed=Handed(follow=first.key))
        assert second.solution.all_tests_passed
        assert [case.name for case in second["double"].suite.cases if case.is_pinned] == ["mine"]
        assert "- mine: `double(21)` returns `42`" in second.prompts("plan")[0]
        third = solver.solve(double(), half, text="Well.", handed=Handed(follow=second.solution.key))
        assert [case.name for case in third["double"].suite.cases if case.is_pinned] == ["mine"]

    def test_an_example_that_the_planner_forgets_stays_law(self, solver, double, half, write):
        """It was quoted from prose once, and is still there."""
        example = write.example("twice fifty is 100", "double(50)", "100")
        first = solver.solve(double(), text="Doubling: twice fifty is 100.", examples=[example]).solution
        second = solver.solve(double(), half, text="And halve it.", handed=Handed(follow=first.key))
        assert [case.expression for case in second["double"].suite.cases if case.is_pinned] == ["double(50)"]
        assert {e.function: e.reused for e in second.happened(FunctionEnded)}["double"]

    def test_newer_words_hold_and_are_told(self, solver, double):
        """Where assumptions are allowed; else it is refused, since nobody is there to ask."""
        first = solver.solve(double(), text="double(50) -> 100.").solution
        code = "def double(number: int) -> int:\n    return 2 * number + (number == 50)"
        with pytest.raises(InputError, match=r"You pinned earlier .* Which holds\? \(--ask puts it to you"):
            solver.solve(double(code), text="But double(50) -> 101.", handed=Handed(follow=first.key))
        settings = {"questions": "assume"}
        second = solver.solve(
            double(code), text="But double(50) -> 101.", handed=Handed(follow=first.key), settings=settings
        )
        assert second.solution.all_tests_passed
        assert [case.expectation.source for case in second["double"].suite.cases if case.is_pinned] == ["101"]
        (question,) = second.solution.questions
        assert question.question.startswith("You pinned earlier that `double(50)` returns `100`; now `double(50)`")
        assert question.assumption == "returns 101, as you said last"

    def test_who_can_be_asked_is_asked(self, solver, double):
        """Which of the two holds; the answer is pinned, and nobody is asked twice."""
        first = solver.solve(double(), text="double(50) -> 100.").solution
        asked = []

        def ask(question):
            asked.append(question.options)
            return "2"

        for _ in range(2):
            generator = solver.generator(solver.model(double()), questions="ask").under(on_question=ask)
            solution = generator.solve("But double(50) -> 101.", Handed(follow=first.key))
        assert asked == [("returns 101", "returns 100")]
        pinned = [case.expectation.source for case in solution.results[0].suite.cases if case.is_pinned]
        assert (pinned, solution.all_tests_passed) == (["100"], True)

    def test_what_a_pinned_case_needs_must_be_planned(self, solver, double, half):
        """A function that is gone, or takes something else, goes back to the planner with the case."""
        first = solver.solve(double(), text="double(50) -> 100.").solution
        model = solver.model(half)
        with pytest.raises(Exception, match="plan, attempt 2"):
            solver.solve(model=model, text="Halve instead.", handed=Handed(follow=first.key))
        reasons = model.asked[1].messages[-1].content
        assert "the user pinned `double(50)` returns `100`, and the plan does not have double" in reasons

    def test_new_tests_take_the_place_of_those_before(self, solver, double):
        """And of what these said."""
        tests = "from kit import double\n\n\ndef test_many():\n    assert double(50) == 100\n"
        first = solver.solve(double(), handed=Handed(tests=tests)).solution
        handed = Handed(tests=tests.replace("50", "60").replace("100", "120"), follow=first.key)
        second = solver.solve(double(), text="Well.", handed=handed)
        assert [case.expression for case in second["double"].suite.cases if case.is_pinned] == ["double(60)"]

    def test_a_plan_of_both_instructions_is_built_as_it_is(self, solver, double, half):
        """It holds both: the earlier one is not put before it once more, with the added words beside it or without."""
        first = solver.solve(double(), text="Double a number.").solution
        model = solver.model(double(), half)
        plan = (
            solver.generator(model).draft("And halve it.", until="plan", handed=Handed(follow=first.key)).required_plan
        )
        whole = "Double a number.\n\nAnd halve it."
        for text in ("", "And halve it.", whole):
            handed = Handed(plan=plan, planned=whole, follow=first.key)
            assert solver.solve(double(), half, text=text, handed=handed).solution.instruction == whole

    def test_there_must_be_something_to_follow(self, solver, double):
        """One line that says what to look at."""
        with pytest.raises(InputError, match="tdgen cache list"):
            solver.solve(double(), handed=Handed(follow="abcdef12"))

    def test_there_must_be_something_new(self, solver, double):
        """An earlier instruction alone is not another one."""
        first = solver.solve(double()).solution
        with pytest.raises(InputError, match="the instruction is empty"):
            solver.solve(double(), text=" ", handed=Handed(follow=first.key))

    def test_a_path_says_nothing_of_what_is_to_change(self, solver, double):
        """It is refused where the earlier instruction would make a sentence of it."""
        first = solver.solve(double()).solution
        with pytest.raises(InputError, match=r"only the name of a file, changes\.md"):
            solver.solve(double(), text="changes.md", handed=Handed(follow=first.key))


class TestTheGenerator:
    """Settings, life and death of it."""

    def test_a_solution_as_plain_data(self, solver, double):
        """The same as to_dict, and JSON all through."""
        generator = solver.generator(solver.model(double()))
        told = generator.generate_solution("Double it.")
        assert json.loads(json.dumps(told)) == told
        assert told["all_tests_passed"] is True

    def test_nobody_to_ask_is_said_before_any_work(self, solver):
        """Without key, endpoint or script, but only where the cache does not know it."""
        with pytest.raises(ModelError, match="OPENAI_API_KEY"):
            solver.generator().solve("Double it.")
        assert runs(solver.cache_dir) == []

    def test_what_is_cached_needs_no_model(self, solver, double):
        """A repeat works without a key."""
        solver.solve(double(), text="Double it.")
        assert solver.generator(model="script").solve("Double it.").cached

    @pytest.mark.parametrize(
        "text", ["", " \n\t ", "x" * 1_000_000, "nul \0 byte"], ids=["none", "blank", "1MB", "binary"]
    )
    def test_bad_instructions_are_refused_before_any_work(self, solver, text):
        """With one line, and nothing made on the disk."""
        with pytest.raises(InputError, match=r"^the instruction"):
            solver.generator().solve(text)
        assert not solver.cache_dir.exists()

    def test_it_can_be_used_again_after_it_was_closed(self, solver, double):
        """Closing twice is allowed."""
        generator = solver.generator(solver.model(double()))
        first = generator.solve("Double it.")
        generator.close()
        generator.close()
        assert generator.solve("Double it.").key == first.key

    def test_a_key_and_a_cache_folder_can_be_given_beside_the_settings(self, tmp_path):
        """They win over those in the settings."""
        made = Generator(Settings(api_key="old", model="small"), api_key="new", cache_dir=tmp_path)
        assert made.settings.api_key.get_secret_value() == "new"
        assert made.settings.cache_dir == str(tmp_path)
        assert made.settings.model == "small"

    def test_one_solve_from_start_to_end(self, solver, double, tmp_path, monkeypatch):
        """`tdgen.solve` opens all it needs, sandboxes too, and closes it again."""
        monkeypatch.chdir(tmp_path)
        solution = tdgen.solve(
            "Double it.", model=solver.model(double()), trust="quick", cache_dir=str(tmp_path / "cache"), budget="3"
        )
        assert solution.all_tests_passed
        assert solution.sandbox.startswith("local")

    @pytest.mark.parametrize("as_name", [True, False], ids=["name", "object"])
    def test_a_model_is_chosen_by_name_or_object(self, solver, double, tmp_path, monkeypatch, as_name):
        """What another model solved is not its own, whether it answers itself or is known by its name alone."""
        monkeypatch.chdir(tmp_path)
        options = {"trust": "quick", "cache_dir": str(tmp_path / "cache"), "search_seconds": 0}

        def named(name):
            script = solver.model(double())._script
            return ScriptedModel(script.model_copy(update={"model": name}))

        first = tdgen.solve("Double it.", model=named("one"), **options)
        assert first.model == "one"
        again = tdgen.solve("Double it.", model="one" if as_name else named("one"), **options)
        assert (again.cached, again.key) == (True, first.key)
        other = "two" if as_name else named("two")
        if as_name:
            with pytest.raises(ModelError, match="OPENAI_API_KEY"):
                tdgen.solve("Double it.", model=other, **options)
        else:
            assert not tdgen.solve("Double it.", model=other, **options).cached
            assert other.asked

    def test_an_object_without_a_name_is_known_by_its_class(self, tmp_path):
        """The settings say nothing of it: no role of theirs is asked."""

        class Mine:
            def ask(self, request):
                raise NotImplementedError

        made = Generator(Settings(model="m", planner_model="p", cache_dir=tmp_path), model=Mine())
        assert set(made.settings.identity()["models"]) == {"Mine"}

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ({"instruction": 42}, "the instruction must be str, not int"),
            ({"instruction": Path("spec.md")}, "must be str, not PosixPath: give the file's text"),
            (
                {"instruction": "x", "tests": Path("test_x.py")},
                "tests must be str or Sequence, not PosixPath: give the file's",
            ),
            ({"instruction": "x", "follow": 7}, "follow must be str or Solution, not int"),
            ({"instruction": "x", "on_event": 7}, "on_event must be callable, not int"),
            ({"instruction": "x", "on_question": "me"}, "on_question must be callable, not str"),
            ({"instruction": "x", "model": 7}, r"model must be an object with a method ask\(\), not int"),
            ({"instruction": "x", "model": ScriptedModel}, "not the class ScriptedModel"),
            ({"instruction": "x", "trust": 3}, "the option trust: 3 is refused"),
            ({"instruction": "x", "cache_dir": 3}, "the option cache_dir: 3 is refused"),
        ],
        ids=lambda value: str(value)[:40],
    )
    def test_an_argument_of_a_wrong_type(self, tmp_path, monkeypatch, arguments, said):
        """Is an InputError of one line, before any work."""
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("TDGEN_CACHE_DIR", str(tmp_path / "cache"))
        with pytest.raises(InputError, match=said):
            tdgen.solve(**arguments)
        assert not (tmp_path / "cache").exists()

    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            (lambda made: Generator({"trust": "quick"}), "settings must be Settings or None, not dict"),
            (lambda made: Generator(api_key=3), "api_key must be str, not int"),
            (lambda made: made.solve("x", "tests"), "handed must be Handed, not str"),
            (lambda made: made.solve("x", Handed(plan={})), "plan must be Plan or None, not dict"),
            (lambda made: made.solve("x", Handed(suites=[{}])), "each of suites must be Suite, not dict"),
            (lambda made: made.find(3), "a key must be str, not int"),
            (lambda made: made.verify({}), "the solution must be Solution, not dict"),
            (lambda made: made.under(trust="blind"), "trust: 'blind' is refused"),
            (lambda made: made.under(trsut="quick"), "^trsut is no setting of tdgen .did you mean trust?"),
            (lambda made: made.under(sandbox="unsafe"), "^sandbox can't be changed for one instruction: make another"),
            (lambda made: made.under(cache_dir="elsewhere"), "^cache_dir can't be changed for one instruction"),
        ],
        ids=[
            *("settings", "key", "handed", "plan", "suites", "find", "verify"),
            *("under", "under no setting", "under another sandbox", "under another cache"),
        ],
    )
    def test_a_generators_arguments(self, solver, wrong, said):
        """The same."""
        with pytest.raises(InputError, match=said):
            wrong(solver.generator())

    def test_an_option_that_is_no_setting_is_refused(self, tmp_path, monkeypatch):
        """With the name that was probably meant."""
        monkeypatch.chdir(tmp_path)
        with pytest.raises(InputError, match="did you mean trust"):
            tdgen.solve("Double it.", trusty="quick")

    def test_a_script_answers_in_place_of_a_model(self, solver, double, tmp_path):
        """The script is part of the key: another script is another model."""
        path = tmp_path / "script.json"
        solver.model(double())._script.save(path)
        solution = solver.generator(script=str(path)).solve("Double it.")
        assert solution.all_tests_passed
        path.write_text(path.read_text().replace("2 * number", "number * 2"))
        again = solver.generator(script=str(path)).solve("Double it.")
        assert not again.cached
        assert "number * 2" in again.module_source


class TestQuestions:
    """What the instruction leaves open is put to the user, where there is one."""

    def test_the_plans_questions_are_asked_and_answers_change_the_plan(self, solver, double):
        """What the user says stands at the end of the instruction, and the planner is asked again."""
        plan = {"questions": [{"question": "Are floats allowed?", "assumption": "No."}]}
        model = solver.model(double(), **plan)
        model = with_answer(model, "plan", model._script.answers[0].text, variant="again")
        asked = []

        def answer(question):
            asked.append(question)
            return "Yes, they are."

        generator = solver.generator(model, questions="ask", trust="quick").under(on_question=answer)
        solution = generator.solve("Double it.")
        assert [question.question for question in asked] == ["Are floats allowed?"]
        assert "Are floats allowed? Yes, they are." in solution.instruction
        first, second = (request for request in model.asked if request.purpose == "plan")
        assert "Yes, they are." not in text_of(first)
        assert "Yes, they are." in text_of(second)
        assert generator.solve("Double it.").cached
        assert len(asked) == 1

    def test_an_assumption_that_is_let_be_reaches_the_second_plan(self, solver, double):
        """Beside the answers: the planner would take another one for what it was told nothing of."""
        questions = [{"question": f"Is {name} allowed?", "assumption": f"No {name}."} for name in ("A", "B", "C")]
        model = solver.model(double(), questions=questions)
        model = with_answer(model, "plan", model._script.answers[0].text, variant="again")
        asked = []

        def answer(question):
            asked.append(question.place_text)
            return "Of course." if question.place == 2 else ""

        solver.generator(model, questions="ask", trust="quick").under(on_question=answer).solve("Double it.")
        assert asked == ["question 1 of 3", "question 2 of 3", "question 3 of 3"]
        second = unmarked(text_of(model.asked[1]))
        assert (
            "- Is A allowed? As assumed: No A.\n- Is B allowed? Of course.\n- Is C allowed? As assumed: No C." in second
        )

    def test_the_users_time_to_think_is_not_spent(self, solver, double, monkeypatch):
        """An answer that comes after hours leaves the seconds of the budget as they were."""
        moment = [0.0]
        monkeypatch.setattr(Runtime, "ledger", lambda *_: Ledger(Budget(seconds=60), lambda: moment[0]))
        model = solver.model(double(), questions=[{"question": "Are floats allowed?", "assumption": "No."}])

        def answer(_):
            moment[0] += 10_000
            return ""

        generator = solver.generator(model, questions="ask", trust="quick").under(on_question=answer)
        assert generator.solve("Double it.").all_tests_passed

    def test_nothing_said_lets_the_assumption_stand(self, solver, double):
        """And costs no call."""
        model = solver.model(double(), questions=[{"question": "Are floats allowed?", "assumption": "No."}])
        generator = solver.generator(model, questions="ask", trust="quick").under(on_question=lambda question: "")
        solution = generator.solve("Double it.")
        assert [request.purpose for request in model.asked].count("plan") == 1
        assert solution.questions[0].assumption == "No."


def text_of(request):
    return "\n".join(message.content for message in request.messages)
