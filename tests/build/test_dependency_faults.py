"""What a call asks of other functions, recorded while it runs.

A green dependency that is wrong: a caller that fails finds it out, and it goes back to work.
"""

from __future__ import annotations

import json
import re
from functools import partial

import pytest

from tdgen.build.dependency_faults import LONGEST_CALL, MOST_RECORDED, recorded_calls
from tdgen.events import FunctionEnded, Noted
from tdgen.protocols import Answer, Request
from tdgen.source.syntax import expression, literal
from tdgen.types import Case, Limits, Value


@pytest.fixture
def recorded(solver):
    """The calls of `f` that a body of `g(x)` makes, as they are written."""

    def record(body: str, call: str = "g(1)", f: str = "return a", functions=("f",)):
        module = f"def f(a=0, b=0):\n    {f}\n\n\ndef h(x):\n    return f(x)\n\n\ndef g(x):\n    {body}\n"
        case = Case(name="one", function="g", call=call, expectation=Value(source="0"))
        found = recorded_calls(solver.sandbox, "kit", module, case, functions, Limits(wall_s=2.0))
        return {name: [one.expression for one in calls] for name, calls in found.items()}

    return record


def test_calls_are_told_in_their_order_each_once(recorded):
    """With positional arguments and named ones."""
    assert recorded("return f(2) + f([1, 'a'][0], b={'k': x}) + f(2)") == {"f": ["f(2)", "f(1, b={'k': 1})"]}


def test_arguments_are_told_as_they_were_before_the_call(recorded):
    """A function may change them."""
    assert recorded("items = [3]\n    return f(items)", f="a.clear()") == {"f": ["f([3])"]}


def test_a_call_that_raises_is_told_too(recorded):
    """And so are those of a function that raises itself."""
    assert recorded("f(7)", f="raise KeyError(a)") == {"f": ["f(7)"]}


def test_calls_within_a_call_are_its_own_matter(recorded):
    """Recursion, and what one dependency asks of another."""
    body = "return h(x) + f(5)"
    assert recorded(body, f="return a if a > 2 else f(a + 1)", functions=("f", "h")) == {"f": ["f(5)"], "h": ["h(1)"]}


@pytest.mark.parametrize(
    "argument", ["object()", "lambda: 0", "float('nan')", "float('inf')", "(lambda it: it.append(it) or it)([])"]
)
def test_what_can_not_be_written_down_is_left_out(recorded, argument):
    """The other calls are told."""
    assert recorded(f"f({argument})\n    return f(1)") == {"f": ["f(1)"]}


def test_it_is_bounded(recorded):
    """In number and in length; an endless repr, or one that raises, tells nothing."""
    (calls,) = recorded("return sum(f(n) for n in range(1000))").values()
    assert len(calls) == MOST_RECORDED
    assert recorded(f"return f('x' * {LONGEST_CALL})") == {"f": []}
    bad = "class Bad:\n        def __repr__(self):\n            {}\n    f(Bad())\n    return f(1)"
    assert recorded(bad.format("raise ValueError")) == {"f": ["f(1)"]}
    assert recorded(bad.format("__import__('time').sleep(60)")) == {"f": []}


def test_what_does_not_run_tells_nothing(recorded):
    """Nor does a candidate that puts something else in the recorder's place."""
    assert recorded("return f(1)", call="g(") == {"f": []}
    forged = "f(1)\n    import sys\n    sys.modules['kit']._recorded_[:] = [3, ['f', 'a b'], ['e'], [1]]"
    assert recorded(forged) == {"f": []}


STANDARD = {"trust": "standard"}
WRONG = "def tripled(number: int) -> int:\n    return number * 3 if number % 2 == 0 else number * 2"
RIGHT = "def tripled(number: int) -> int:\n    return number * 3"
CALLER = "def scored(number: int) -> int:\n    return tripled(number) + 1"
FIRST, SECOND = 0, 1
"""The samples under which it is asked what a dependency's calls must give."""


class Author:
    """A scripted model that knows what calls of some functions must give; `second` is what it says the second time."""

    def __init__(self, script, *known, second=None) -> None:
        self._script = script
        self._known = {function.__name__: function for function in known}
        self._second = second
        self.fault_queries: list[Request] = []

    @property
    def asked(self):
        return (*self._script.asked, *self.fault_queries)

    def ask(self, request: Request) -> Answer:
        if request.variant != "caller":
            return self._script.ask(request)
        self.fault_queries.append(request)
        know = self._second if self._second and request.sample == SECOND else self._known[request.subject]
        told = request.messages[-1].content.rpartition("<calls>")[2].partition("</calls>")[0]
        answers = [
            {"number": int(number), "expect": "value", "value": repr(know(*map(literal, expression(call).args)))}
            for number, call in re.findall(r"^(\d+)\. `(.*)`$", told, re.MULTILINE)
        ]
        return Answer(text=json.dumps({"answers": answers}))


def tripled(number: int) -> int:
    return 3 * number


@pytest.fixture(scope="module")
def dependency(write):
    """`tripled(number)`, whose cases are of even numbers, so that what is wrong for odd ones is green."""

    def make(*tries, **more):
        cases = [write.returns(f"tripled({n})", str(3 * n)) for n in (0, 2, 4, -8)]
        return write.function("tripled(number: int) -> int", "Three times.", cases=cases, tries=tries, **more)

    return make


@pytest.fixture(scope="module")
def caller(write):
    """`scored(number)`, three times the number and one, which is right if what it calls is."""

    def make(*tries, name="scored", plus=1, numbers=(3, 5, 2, 7), **more):
        cases = [write.returns(f"{name}({n})", str(3 * n + plus)) for n in numbers]
        code = CALLER.replace("scored", name).replace("+ 1", f"+ {plus}")
        return write.function(
            f"{name}(number: int) -> int",
            f"Three times the number, and {plus}.",
            cases=cases,
            tries=tries or (code,) * 4,
            uses=["tripled"],
            **more,
        )

    return make


@pytest.fixture
def solve(solver):
    """Solve functions with an author who knows them; gives the solved and the model."""
    return partial(solved_by, solver)


def solved_by(solver, *functions, known=(tripled,), second=None, **settings):
    model = Author(solver.model(*functions), *known, second=second)
    return solver.solve(*functions, model=model, settings=STANDARD | settings)


def subjects(solved) -> list[tuple[str, int]]:
    return [(request.subject, request.sample) for request in solved.model.fault_queries]


class TestHealed:
    """The dependency is wrong, and two answers say so."""

    @pytest.fixture(scope="class", params=["quick", "standard"])
    @classmethod
    def solved(cls, one_studio, dependency, caller, request):
        return solved_by(one_studio, dependency(WRONG, RIGHT), caller(), trust=request.param)

    def test_it_goes_back_to_work_with_the_call_as_its_case(self, solved):
        """Which says where it comes from; the suite's other cases stay."""
        assert solved.solution.all_tests_passed
        result = solved["tripled"]
        assert [attempt.rung for attempt in result.history] == ["first", "repair"]
        assert [(c.expression, c.expectation.source) for c in result.suite.cases if c.provenance == "caller"] == [
            ("tripled(3)", "9")
        ]
        assert len(result.suite.cases) == 5

    def test_the_caller_is_green_without_another_attempt(self, solved):
        """One repair was made in vain; then the dependency was looked at."""
        assert [attempt.rung for attempt in solved["scored"].history] == ["first", "repair"]
        assert solved["scored"].best.number in (1, 2)
        assert solved["scored"].outcome == "green"

    def test_the_author_is_asked_twice_from_the_dependency_s_contract_alone(self, solved):
        """It sees neither code nor caller."""
        assert subjects(solved) == [("tripled", FIRST), ("tripled", SECOND)]
        for request in solved.model.fault_queries:
            text = "\n".join(message.content for message in request.messages)
            assert "Three times." in text
            assert "scored" not in text
            assert "number * 2" not in text

    def test_it_is_told(self, solved):
        """Who was reported with what, as an event and in the solution's notes."""
        reported = "scored: by its contract `tripled(3)` returns `9`, but it returned 6: tripled goes back to work"
        taken = "tripled: scored asks for `tripled(3)`, where it does not do as its contract says"
        assert {reported, taken} <= set(solved.solution.notes)
        assert {reported, taken} <= {event.text for event in solved.happened(Noted)}

    def test_a_repair_sees_the_call_as_any_other_case(self, solved):
        """Nothing is said of who asked for it."""
        (prompt,) = solved.prompts("repair", "tripled")
        assert "`tripled(3)`" in prompt
        assert "scored" not in prompt


def test_what_stands_on_it_is_judged_again_and_nothing_else(solve, dependency, caller, double):
    """`even` was green on the wrong one and is so on the right one; `double` has nothing to do with it."""
    even = caller(name="even", plus=2, numbers=(2, 4, 6))
    solved = solve(dependency(WRONG, RIGHT), even, double(), caller())
    assert solved.solution.all_tests_passed
    ended = [event.function for event in solved.happened(FunctionEnded)]
    assert ended.count("double") == 1
    assert ended.count("tripled") == 2
    assert ended.count("scored") == 1
    assert len(solved["even"].history) == 1
    assert solved["even"].best.green


def test_a_dependent_that_made_up_for_it_goes_back_to_work(solve, dependency, caller):
    """What was green on the wrong one is red on the right one, and is repaired."""
    made_up = "def lifted(number: int) -> int:\n    return tripled(number) + 4 + number * (number % 2)"
    right = "def lifted(number: int) -> int:\n    return tripled(number) + 4"
    lifted = caller(made_up, right, name="lifted", plus=4)
    solved = solve(dependency(WRONG, RIGHT), lifted, caller())
    assert solved.solution.all_tests_passed
    assert [attempt.rung for attempt in solved["lifted"].history] == ["first", "repair"]


def test_a_dependency_that_can_not_be_healed_is_red_with_the_case(solve, dependency, caller):
    """Its best attempt stays, and what stands on it is blocked, also what was green."""
    even = caller(name="even", plus=2, numbers=(2, 4, 6))
    solved = solve(dependency(WRONG, WRONG, WRONG, WRONG), even, caller(), budget="iterations=3")
    result = solved["tripled"]
    assert result.outcome == "red"
    assert result.best.passed == 4
    assert [verdict.case for verdict in result.best.verdicts if not verdict.passed] == ["tripled_3"]
    assert {name: solved[name].outcome for name in ("even", "scored")} == {"even": "blocked", "scored": "blocked"}


class TestNotBlamed:
    """The dependency is as it was."""

    def test_one_that_is_right(self, solve, dependency, caller):
        """What its calls must give is what they give: one question, and the caller goes on repairing itself."""
        wrong = "def scored(number: int) -> int:\n    return tripled(number) + 2"
        solved = solve(dependency(RIGHT), caller(wrong, wrong, CALLER, numbers=(3, 5, 7, 9)))
        assert solved.solution.all_tests_passed
        assert subjects(solved) == [("tripled", FIRST)]
        assert len(solved["tripled"].history) == 1
        assert len(solved["tripled"].suite.cases) == 4

    def test_one_of_which_two_answers_differ(self, solve, dependency, caller):
        """One of them may be wrong: no case comes of it."""
        solved = solve(dependency(WRONG, RIGHT), caller(), second=lambda number: number * 4, budget="iterations=3")
        assert [attempt.rung for attempt in solved["tripled"].history] == ["first"]
        assert not [case for case in solved["tripled"].suite.cases if case.provenance == "caller"]
        assert tuple(sample for _, sample in subjects(solved)[:2]) == (FIRST, SECOND)
        assert solved["scored"].outcome == "red"

    def test_where_two_calls_are_not_to_spare(self, solve, dependency, caller):
        """Plan, two suites, two functions and a repair are six; one is left, and goes to a further repair."""
        solved = solve(dependency(WRONG, RIGHT), caller(), budget="calls=7,iterations=3")
        assert not subjects(solved)
        assert solved["scored"].outcome == "red"

    def test_one_of_the_same_circle(self, solve, write):
        """Functions that call each other are one group, tried together."""
        even = write.function(
            "is_even(n: int) -> bool",
            cases=[write.returns(f"is_even({n})", str(n % 2 == 0)) for n in (0, 3, 4)],
            tries=["def is_even(n: int) -> bool:\n    return True if n == 0 else is_odd(n - 1)"] * 4,
            uses=["is_odd"],
        )
        odd = write.function(
            "is_odd(n: int) -> bool",
            cases=[write.returns(f"is_odd({n})", str(n % 2 == 1)) for n in (0, 3, 4)],
            tries=["def is_odd(n: int) -> bool:\n    return False"] * 4,
            uses=["is_even"],
        )
        solved = solve(even, odd, known=(), budget="iterations=3")
        assert not subjects(solved)
        assert solved["is_even"].outcome == "red"

    def test_one_before_there_was_a_repair(self, solve, dependency, caller):
        """Nothing is paid for where the first repair heals."""
        wrong = "def scored(number: int) -> int:\n    return tripled(number) + 2"
        solved = solve(dependency(RIGHT), caller(wrong, CALLER))
        assert solved.solution.all_tests_passed
        assert not subjects(solved)


def test_two_callers_may_blame_it_at_once(solve, dependency, caller):
    """Each of them for a call of its own, and both are green in the end."""
    other = caller(name="other", plus=6, numbers=(5, 9, 11, 4))
    solved = solve(dependency(WRONG, RIGHT, RIGHT), caller(), other)
    assert solved.solution.all_tests_passed
    asked = [case for case in solved["tripled"].suite.cases if case.provenance == "caller"]
    assert 1 <= len(asked) <= 2
    assert len(solved["tripled"].history) == 2


def test_blame_goes_down_from_caller_to_caller(solve, dependency, caller, write):
    """What is blamed looks at what it stands on itself, and only that is repaired."""
    top = write.function(
        "topped(number: int) -> int",
        "Three times the number, and eleven.",
        cases=[write.returns(f"topped({n})", str(3 * n + 11)) for n in (3, 5, 7)],
        tries=["def topped(number: int) -> int:\n    return scored(number) + 10"] * 4,
        uses=["scored"],
    )
    middle = caller(numbers=(2, 4, 6, 8))

    def scored(number: int) -> int:
        return 3 * number + 1

    solved = solve(dependency(WRONG, RIGHT), middle, top, known=(tripled, scored))
    assert solved.solution.all_tests_passed
    assert [subject for subject, _ in subjects(solved)] == ["scored", "scored", "tripled", "tripled"]
    assert [attempt.rung for attempt in solved["tripled"].history] == ["first", "repair"]
