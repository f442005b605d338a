"""The last rung: what resists is decomposed into helpers, which go the way of all functions; nothing is lost by it."""

from __future__ import annotations

import ast
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import pytest

from tdgen.client import Handed
from tdgen.events import FunctionEnded, Noted
from tdgen.models.scripted import ScriptedAnswer
from tdgen.types import Usage

STANDARD = {"trust": "standard", "budget": "calls=60,iterations=1"}
WRONG = "def score(text: str) -> int:\n    return len(text) and 3"
ITEMS = """
def _score_items(text: str) -> list[str]:
    return [item for item in text.split(';') if item]
"""
WORTH = """
def _score_worth(item: str) -> int:
    return 2 * int(item[:-1]) if item.endswith('!') else int(item)
"""
COMPOSED = """
def score(text: str) -> int:
    return sum(_score_worth(item) for item in _score_items(text))
"""
HALF_COMPOSED = """
def score(text: str) -> int:
    return max([_score_worth(item) for item in _score_items(text)], default=0)
"""
ALONE = """
def score(text: str) -> int:
    return sum(2 * int(item[:-1]) if item.endswith('!') else int(item) for item in text.split(';') if item)
"""


def fenced(code: str) -> str:
    return f"```python\n{code.strip()}\n```"


def composes(code: str, line: int = 1) -> ScriptedAnswer:
    """What the developer answers when it is asked for the function with its helpers."""
    return ScriptedAnswer(purpose="implement", sample=line, text=fenced(code))


def divides(*helpers, attempt: int = 1) -> ScriptedAnswer:
    """What the planner answers when it is asked to decompose a function."""
    specs = [helper if isinstance(helper, dict) else helper.spec for helper in helpers]
    return ScriptedAnswer(purpose="plan", attempt=attempt, text=json.dumps({"functions": specs}))


@pytest.fixture(autouse=True)
def no_mutants(change_policy):
    """How strong the helpers' suites are is not what this is about."""
    change_policy("standard", makes_mutants=False)


@pytest.fixture(scope="module")
def helpers(write):
    """`_score_items` and `_score_worth`, right unless told otherwise."""

    def make(items=ITEMS, worth=WORTH):
        texts = {"": [], "1": ["1"], "1;2!": ["1", "2!"], ";3;": ["3"], "4;4": ["4", "4"]}
        worths = {"1": 1, "2!": 4, "0": 0, "-3": -3, "12!": 24}
        return (
            write.function(
                "_score_items(text: str) -> list[str]",
                "The items of a text, which semicolons part; empty ones are left out.",
                cases=[write.returns(f"_score_items({text!r})", repr(given)) for text, given in texts.items()],
                tries=[items],
            ),
            write.function(
                "_score_worth(item: str) -> int",
                "The number that an item says; twice that where it ends in an exclamation mark.",
                cases=[write.returns(f"_score_worth({item!r})", str(given)) for item, given in worths.items()],
                tries=[worth],
            ),
        )

    return make


@pytest.fixture(scope="module")
def score(write):
    """`score(text)`, at which the first try fails; what else a model answers is given."""

    def make(*also, tries=(WRONG,), complexity="complex", **more):
        given = {"": 0, "1": 1, "1;2!": 5, ";3;": 3, "4;4": 8, "-3;2!": 1, "10!": 20}
        return write.function(
            "score(text: str) -> int",
            "The sum of what a text's items are worth.",
            cases=[write.returns(f"score({text!r})", str(worth)) for text, worth in given.items()],
            tries=tries,
            also=also,
            complexity=complexity,
            **more,
        )

    return make


@pytest.fixture
def solve(solver):
    """Solves a plan of `planned`, with a model that answers for the helpers too."""
    return partial(solved_by, solver)


def solved_by(solver, planned, helpers, settings=STANDARD, **more):
    model = solver.model(*planned, *helpers, plan={"module": "kit", "functions": [f.spec for f in planned]})
    return solver.solve(model=model, settings=settings, **more)


def outcomes(solved) -> dict[str, str]:
    return {result.function: result.outcome for result in solved.solution.results}


class TestHealed:
    """The function is green with its helpers."""

    @pytest.fixture(scope="class")
    @classmethod
    def solved(cls, one_studio, score, helpers):
        made = helpers()
        return solved_by(one_studio, [score(divides(*made), composes(COMPOSED))], made)

    def test_plan_results_tests_and_module_take_the_helpers_in(self, solved):
        """Before the function, which depends on them."""
        solution = solved.solution
        assert solution.all_tests_passed
        names = ["_score_items", "_score_worth", "score"]
        assert [spec.name for spec in solution.plan.functions] == names
        assert [result.function for result in solution.results] == names
        assert solution.plan.spec("score").dependencies == ("_score_items", "_score_worth")
        assert set(solution.test_files) == {f"test_{name}.py" for name in names}
        defined = [node.name for node in ast.parse(solution.module_source).body if isinstance(node, ast.FunctionDef)]
        assert defined == names

    def test_the_function_is_judged_by_its_own_suite(self, solved):
        """Nothing of it was changed, and what was tried before is still told."""
        assert [attempt.rung for attempt in solved["score"].history] == ["first", "helpers"]
        assert solved["score"].best.number == 2
        assert len(solved["score"].suite.cases) == 7
        assert not [revision for revision in solved.solution.revisions if revision.function == "score"]

    def test_the_planner_sees_the_contract_and_how_attempts_failed_but_no_code(self, solved):
        """And how a helper must be named."""
        (prompt,) = solved.prompts("plan", "score")
        assert "The sum of what a text's items are worth." in prompt
        assert "straight-line code" in prompt
        assert "` gave 3, expected" in prompt
        assert "begins with `_score_`" in prompt
        assert "len(text)" not in prompt

    def test_helpers_are_tested_first_and_from_their_contracts_alone(self, solved):
        """Nobody who writes their tests or code is told of the function."""
        purposes = [r.purpose for r in solved.model.asked if r.subject == "_score_worth"]
        assert purposes[:2] == ["cases", "implement"]
        for prompt in (*solved.prompts("cases", "_score_worth"), *solved.prompts("implement", "_score_worth")):
            assert "The sum of what" not in prompt

    def test_the_developer_sees_the_helpers_contracts(self, solved):
        """And not their code."""
        prompt = solved.prompts("implement", "score")[1]
        assert "`def _score_worth(item: str) -> int`" in prompt
        assert "endswith" not in prompt

    def test_it_is_told(self, solved):
        """As an event and as a note of the solution; each helper ends before the function does."""
        told = "score resists: it is decomposed into _score_items, _score_worth"
        assert told in [event.text for event in solved.happened(Noted)]
        assert told in solved.solution.notes
        ended = [event.function for event in solved.happened(FunctionEnded)]
        assert sorted(ended[:2]) == ["_score_items", "_score_worth"]
        assert ended[2:] == ["score"]

    def test_green_with_helpers_is_challenged_like_any_other(self, solved):
        """Its mutants are tried, and those of the helpers."""
        assert all(result.strength is not None for result in solved.solution.results)


def test_a_repair_goes_on_from_what_was_written_with_the_helpers(solve, score, helpers):
    """Two repairs at most, whatever the budget's iterations say; the earlier best attempt is not what is repaired."""
    made = helpers()
    solved = solve([score(divides(*made), composes(HALF_COMPOSED), tries=(WRONG, WRONG, COMPOSED))], made)
    assert solved.solution.all_tests_passed
    assert [attempt.rung for attempt in solved["score"].history] == ["first", "helpers", "repair"]
    assert "max([_score_worth(item)" in solved.prompts("repair", "score")[0]


def test_helpers_that_need_not_be_called_are_left_out(solve, score, helpers):
    """The solution has no code that nothing uses."""
    items, worth = helpers()
    code = COMPOSED.replace("_score_items(text)", "text.split(';') if item")
    solved = solve([score(divides(items, worth), composes(code))], [items, worth])
    assert solved.solution.all_tests_passed
    assert list(outcomes(solved)) == ["_score_worth", "score"]
    assert solved.solution.plan.spec("score").dependencies == ("_score_worth",)
    assert "_score_items" not in solved.solution.module_source


def test_where_no_helper_is_called_none_is_left(solve, score, helpers):
    """The decomposition brought it about all the same."""
    made = helpers()
    solved = solve([score(divides(*made), composes(ALONE))], made)
    assert solved.solution.all_tests_passed
    assert list(outcomes(solved)) == ["score"]
    assert solved.solution.plan.spec("score").dependencies == ()


def test_a_helper_may_call_another_and_what_the_function_may_call(solve, score, helpers, write):
    """What it needs is green before it is begun."""
    base = write.function(
        "diverged(text: str) -> list[str]",
        cases=[write.returns(f"diverged({t!r})", repr(t.split(";"))) for t in ("a;b", "", "c", ";", "a;b;c")],
        tries=["def diverged(text: str) -> list[str]:\n    return text.split(';')"],
    )
    items, worth = helpers(items=ITEMS.replace("text.split(';')", "diverged(text)"))
    items.spec["dependencies"] = ["diverged"]
    worthy = {"1;2!": "[1, 4]", "": "[]", "7": "[7]", ";5!": "[10]", "3;3": "[3, 3]"}
    worths = write.function(
        "_score_worths(text: str) -> list[int]",
        cases=[write.returns(f"_score_worths({t!r})", w) for t, w in worthy.items()],
        tries=["def _score_worths(text: str) -> list[int]:\n    return [_score_worth(i) for i in _score_items(text)]"],
        uses=["_score_items", "_score_worth"],
    )
    composed = composes("def score(text: str) -> int:\n    return sum(_score_worths(text))")
    made = [worths, items, worth]
    solved = solve([base, score(divides(*made), composed, uses=["diverged"])], made)
    assert solved.solution.all_tests_passed
    assert list(outcomes(solved)) == ["diverged", "_score_worths", "_score_items", "_score_worth", "score"]
    ended = [event.function for event in solved.happened(FunctionEnded)]
    assert ended.index("_score_worths") > max(ended.index("_score_items"), ended.index("_score_worth"))
    verified = solved.solution.module_source
    assert verified.index("def diverged") < verified.index("def _score_items") < verified.index("def _score_worths")


def test_what_stands_on_the_function_finds_the_helpers(solve, score, helpers, write):
    """It was planned before there were any."""
    made = helpers()
    above = write.function(
        "best(texts: list[str]) -> int",
        cases=[write.returns(f"best({t})", str(w)) for t, w in ((["1", "2!"], 4), (["7"], 7), (["9;9", ""], 18))],
        tries=["def best(texts: list[str]) -> int:\n    return max(score(text) for text in texts)"],
        uses=["score"],
    )
    solved = solve([score(divides(*made), composes(COMPOSED)), above], made)
    assert outcomes(solved) == {"_score_items": "green", "_score_worth": "green", "score": "green", "best": "green"}


def test_two_functions_are_divided_at_once(solve, score, helpers, write):
    """Each takes its own helpers in."""
    made = helpers()
    part = write.function(
        "_count_words(text: str) -> list[str]",
        cases=[write.returns(f"_count_words({t!r})", repr(t.split())) for t in ("a b", "", "x", "c  d", " e f g ")],
        tries=["def _count_words(text: str) -> list[str]:\n    return text.split()"],
    )
    count = write.function(
        "count(text: str) -> int",
        cases=[write.returns(f"count({t!r})", str(len(t.split()))) for t in ("a b", "", "x", "c  d", " e f g ")],
        tries=["def count(text: str) -> int:\n    return 7"],
        also=[divides(part), composes("def count(text: str) -> int:\n    return len(_count_words(text))")],
        complexity="medium",
    )
    solved = solve([score(divides(*made), composes(COMPOSED)), count], [*made, part])
    assert solved.solution.all_tests_passed
    assert list(outcomes(solved)) == ["_score_items", "_score_worth", "score", "_count_words", "count"]


def test_at_strict_helpers_are_held_to_what_strict_demands(solve, score, helpers):
    """A second working of their cases, properties, and an implementation that shares no code."""
    made = helpers()
    function = score(divides(*made), composes(COMPOSED, line=2), tries=(WRONG, WRONG, WRONG), rival=WRONG + " and 4")
    solved = solve([function], made, settings={"trust": "strict", "budget": "calls=90,iterations=2"})
    for name in ("_score_items", "_score_worth"):
        purposes = [request.purpose for request in solved.model.asked if request.subject == name]
        assert list(dict.fromkeys(purposes))[:4] == ["cases", "settle", "trial", "properties"]
        assert purposes.count("implement") == 2
    assert outcomes(solved)["score"] == "green"
    assert [attempt.rung for attempt in solved["score"].history] == ["first", "rival", "repair", "helpers"]


def test_helpers_that_do_not_need_each_other_are_written_at_once(solver, score, helpers):
    """Each of the two is only answered when the other was asked for too."""
    made = helpers()
    function = score(divides(*made), composes(COMPOSED))
    model = solver.model(function, *made, plan={"module": "kit", "functions": [function.spec]})
    both, asking = threading.Barrier(2), model.ask

    def ask(request):
        if request.purpose == "implement" and request.subject.startswith("_score"):
            both.wait(20)
        return asking(request)

    model.ask = ask
    assert solver.generator(model, **STANDARD).solve("Add up.").all_tests_passed


def test_one_thread_is_enough(solver, score, helpers):
    """Whoever waits for helpers does not wait for itself."""
    made = helpers()
    function = score(divides(*made), composes(COMPOSED))
    model = solver.model(function, *made, plan={"module": "kit", "functions": [function.spec]})
    with ThreadPoolExecutor(1) as executor:
        assert solver.generator(model, executor, **STANDARD).solve("Add up.").all_tests_passed


class TestNotHealed:
    """Nothing of the decomposition stays but its note and its attempts."""

    def test_the_best_attempt_before_is_what_there_is(self, solve, score, helpers):
        """Also where one with helpers passes more: its helpers are gone."""
        made = helpers()
        still = (WRONG, WRONG, HALF_COMPOSED + "\n\n_A = 1\n", HALF_COMPOSED + "\n\n_B = 2\n")
        solved = solve([score(divides(*made), composes(HALF_COMPOSED), tries=still)], made)
        assert outcomes(solved) == {"score": "red"}
        result = solved["score"]
        assert result.best.number == 1
        assert [attempt.rung for attempt in result.history][:2] == ["first", "helpers"]
        assert 3 <= len(result.history) <= 4
        assert result.history[1].passed > result.best.passed
        assert result.reason == f"not right after {len(result.history)} attempts"
        assert [spec.name for spec in solved.solution.plan.functions] == ["score"]
        assert solved.solution.plan.spec("score").dependencies == ()
        assert set(solved.solution.test_files) == {"test_score.py"}
        assert "_score_" not in solved.solution.module_source
        assert (
            "dividing it into _score_items, _score_worth did not heal it: it is not right" in solved.solution.notes[-1]
        )

    def test_a_helper_that_stays_red_ends_it(self, solve, score, helpers):
        """The function is not written anew: it could only be blocked."""
        made = helpers(worth="def _score_worth(item: str) -> int:\n    return int(item.rstrip('!'))")
        solved = solve([score(divides(*made), composes(COMPOSED))], made)
        assert outcomes(solved) == {"score": "red"}
        assert len(solved.prompts("implement", "score")) == 1
        assert "_score_worth is red: not right after 1 attempt" in solved.solution.notes[-1]
        assert not [revision for revision in solved.solution.revisions if revision.function != "score"]

    def test_a_helper_without_cases_is_not_written(self, solve, score, helpers, write):
        """Nothing could be said of it."""
        items, worth = helpers()
        untested = write.function(
            "_score_worth(item: str) -> int", cases=write.said("No."), mended_cases=write.said(".")
        )
        solved = solve([score(divides(items, worth), composes(COMPOSED))], [items, untested])
        assert outcomes(solved) == {"score": "red"}
        assert not solved.prompts("implement", "_score_items")
        assert "there is no case for _score_worth" in solved.solution.notes[-1]

    @pytest.mark.parametrize("text", ["", "I would not.", "{}", '{"functions": []}'])
    def test_an_answer_that_is_no_division_is_only_noted(self, solve, score, text):
        """The planner was told why, and said it again."""
        said = [ScriptedAnswer(purpose="plan", attempt=attempt, text=text) for attempt in (1, 2)]
        solved = solve([score(*said)], [])
        assert outcomes(solved) == {"score": "red"}
        assert len(solved.prompts("plan", "score")) == 2
        assert solved.solution.notes[-1].startswith("score: it could not be decomposed into helpers: ")

    def test_a_model_that_fails_meanwhile_takes_nothing_away(self, solve, score, helpers):
        """The decomposition is one more chance, not what the run hangs on."""
        made = helpers()
        solved = solve([score(divides(*made))], made)
        assert outcomes(solved) == {"score": "red"}
        assert "has no answer for implement of score" in solved.solution.notes[-1]

    def test_a_budget_that_ends_meanwhile_is_told(self, solve, score, helpers):
        """What was there before is there; the run can be gone on with."""
        items, worth = helpers()
        dear = ScriptedAnswer(
            purpose="cases",
            text=json.dumps({"cases": items.cases[0]}),
            usage=Usage(calls=1, prompt_tokens=1_000, completion_tokens=60_000),
        )
        items = replace(items, cases=(), also=[dear])
        settings = STANDARD | {"budget": "calls=60,tokens=60k,iterations=1"}
        solved = solve([score(divides(items, worth), composes(COMPOSED))], [items, worth], settings=settings)
        assert outcomes(solved) == {"score": "red"}
        assert solved["score"].best.number == 1
        assert "60000 tokens" in solved.solution.stopped
        wider = STANDARD | {"budget": "calls=60,tokens=200k,iterations=1"}
        resumed = solve([score(divides(items, worth), composes(COMPOSED))], [items, worth], settings=wider)
        assert resumed.solution.all_tests_passed
        assert not resumed.prompts("plan")
        assert not resumed.prompts("cases", "_score_items")

    def test_what_became_of_the_suite_meanwhile_stays(self, solve, score, helpers):
        """A held-out case that was shown is no longer held out, and the best attempt is judged by all of them."""
        made = helpers()
        (hidden, *_) = score().held_out
        sly = composes(
            COMPOSED.replace("return sum", f"if text == {hidden['arguments'][0]}:\n        return -9\n    return sum")
        )
        solved = solve([score(divides(*made), sly, tries=(WRONG, WRONG, WRONG, WRONG))], made)
        assert outcomes(solved) == {"score": "red"}
        result = solved["score"]
        assert (hidden["name"], "promoted") in [(r.case, r.action) for r in solved.solution.revisions]
        assert hidden["name"] not in result.suite.held_out
        assert result.best.number == 1
        assert [verdict.case for verdict in result.best.verdicts] == [case.name for case in result.suite.cases]

    def test_a_plan_that_is_dearer_than_thought_is_given_up(self, solve, score, helpers):
        """What is left does not pay for the helpers: none of them is begun."""
        made = helpers()
        dear = divides(*made).model_copy(
            update={"usage": Usage(calls=1, prompt_tokens=1_000, completion_tokens=50_000)}
        )
        settings = STANDARD | {"budget": "calls=60,tokens=60k,iterations=1"}
        solved = solve([score(dear, composes(COMPOSED))], made, settings=settings)
        assert outcomes(solved) == {"score": "red"}
        assert not solved.prompts("cases", "_score_items")
        assert "could not be decomposed into helpers: too little is left for _score_items" in solved.solution.notes[-1]

    def test_a_function_above_is_blocked_as_ever(self, solve, score, helpers, write):
        """It is tried on the best attempt, and is not decomposed itself."""
        made = helpers(worth="def _score_worth(item: str) -> int:\n    return 0")
        above = write.function(
            "best(texts: list[str]) -> int",
            cases=[write.returns(f"best({t})", str(w)) for t, w in ((["1", "2!"], 4), (["7"], 7), (["9;9", ""], 18))],
            tries=["def best(texts: list[str]) -> int:\n    return max(score(text) for text in texts)"],
            uses=["score"],
            complexity="complex",
        )
        solved = solve([score(divides(*made), composes(COMPOSED)), above], made)
        assert outcomes(solved) == {"score": "red", "best": "blocked"}
        assert not solved.prompts("plan", "best")


class TestNotTried:
    """The planner is not asked."""

    def test_at_quick(self, solve, score, helpers):
        """It is the level for those who want an answer soon."""
        made = helpers()
        settings = {"trust": "quick", "budget": "calls=60,iterations=1"}
        assert not solve([score(divides(*made))], made, settings=settings).prompts("plan", "score")

    @pytest.mark.parametrize(
        ("calls", "complexity", "tried"),
        [(8, "complex", False), (9, "complex", True), (14, "simple", False), (15, "simple", True)],
    )
    def test_where_the_calls_left_are_too_few(self, solve, score, helpers, calls, complexity, tried):
        """Plan, two helpers with a call for cases and one for code each, and the function: 6, twice that if simple.

        Three calls were made before.
        """
        made = helpers()
        settings = STANDARD | {"budget": f"calls={calls},iterations=1"}
        solved = solve([score(divides(*made), composes(COMPOSED), complexity=complexity)], made, settings=settings)
        assert bool(solved.prompts("plan", "score")) == tried

    def test_where_the_plan_has_no_room_for_helpers(self, solve, score, helpers):
        """The user's limit on functions holds for them too."""
        made = helpers()
        solved = solve([score(divides(*made))], made, settings=STANDARD | {"max_functions": 2})
        assert not solved.prompts("plan", "score")

    def test_for_functions_that_call_each_other(self, solve, write):
        """A helper of one would stand on the other."""
        ping, pong = (
            write.function(
                f"{name}(n: int) -> int",
                cases=[write.returns(f"{name}({n})", str(n + 1)) for n in (0, 2, 5, 7)],
                tries=[f"def {name}(n: int) -> int:\n    return n if n < 0 else {other}(n - 1)"],
                uses=[other],
                complexity="complex",
            )
            for name, other in (("ping", "pong"), ("pong", "ping"))
        )
        assert not solve([ping, pong], []).prompts("plan", "ping")

    def test_a_helper_is_not_divided_again(self, solve, score, helpers):
        """One level is enough."""
        made = helpers(worth="def _score_worth(item: str) -> int:\n    return 0")
        made[1].spec["complexity"] = "complex"
        solved = solve([score(divides(*made))], made)
        assert len(solved.prompts("plan", "score")) == 1
        assert not solved.prompts("plan", "_score_worth")


class TestKept:
    """What was made with helpers is kept like all else."""

    def test_a_repeat_comes_from_the_cache_and_is_verified_with_its_helpers(self, solver, solve, score, helpers):
        """No model is asked."""
        made = helpers()
        solved = solve([score(divides(*made), composes(COMPOSED))], made, text="Add up.")
        first, asked = solved.solution, len(solved.model.asked)
        generator = solver.generator(solved.model, **STANDARD)
        again = generator.solve("Add up.")
        assert again.cached
        assert len(solved.model.asked) == asked
        assert again.plan == first.plan
        verification = generator.verify(again)
        assert verification.passed
        assert set(verification.verdicts) == {"_score_items", "_score_worth", "score"}

    def test_an_instruction_that_goes_on_reuses_function_and_helpers(self, solve, score, helpers, write):
        """The planner sees them in the earlier plan, and keeps them."""
        made = helpers()
        first = solve([score(divides(*made), composes(COMPOSED))], made, text="Add up.").solution
        twice = write.function(
            "twice(text: str) -> int",
            cases=[write.returns(f"twice({t!r})", str(w)) for t, w in (("1", 2), ("2!", 8), ("", 0), ("5;5", 20))],
            tries=["def twice(text: str) -> int:\n    return 2 * score(text)"],
            uses=["score"],
        )
        planned = score(uses=["_score_items", "_score_worth"])
        solved = solve([*made, planned, twice], [], text="And twice.", handed=Handed(follow=first.key))
        assert "_score_worth" in solved.prompts("plan")[0]
        assert solved.solution.all_tests_passed
        reused = {event.function: event.reused for event in solved.happened(FunctionEnded)}
        assert reused == {"_score_items": True, "_score_worth": True, "score": True, "twice": False}

    def test_a_planner_that_forgets_the_helpers_leads_to_the_same_ones_again(self, solve, score, helpers, write):
        """The function is tried by itself again; the helpers that are planned as before need not be written again."""
        made = helpers()
        function = score(divides(*made), composes(COMPOSED))
        first = solve([function], made, text="Add up.").solution
        twice = write.function(
            "twice(text: str) -> int",
            cases=[write.returns(f"twice({t!r})", str(w)) for t, w in (("1", 2), ("2!", 8), ("", 0), ("5;5", 20))],
            tries=["def twice(text: str) -> int:\n    return 2 * score(text)"],
            uses=["score"],
        )
        solved = solve([function, twice], [], text="And twice.", handed=Handed(follow=first.key))
        assert solved.solution.all_tests_passed
        assert not [request for request in solved.model.asked if request.subject.startswith("_score")]
        reused = {event.function: event.reused for event in solved.happened(FunctionEnded)}
        assert reused == {"_score_items": True, "_score_worth": True, "score": False, "twice": False}
