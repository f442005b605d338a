"""Another way at trust level strict: two fresh attempts at once, of which the better counts."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tdgen.models import Ledger, ScriptedAnswer
from tdgen.protocols import Answer, Request

pytestmark = pytest.mark.usefixtures("patient")

STRICT = {"trust": "strict", "budget": "iterations=6"}
RIGHT = "return 2 * number"
WRONG = "return number * 3 + 1"
HALF_RIGHT = "return 2 * number if number > 0 else 5"
WAIT_S = 20


class Together:
    """A model that answers fresh attempts only once both were asked for."""

    def __init__(self, inner) -> None:
        self._inner = inner
        self._both = threading.Barrier(2)

    @property
    def asked(self):
        return self._inner.asked

    def ask(self, request: Request) -> Answer:
        if request.purpose == "implement" and request.attempt > 1:
            self._both.wait(WAIT_S)
        return self._inner.ask(request)


@pytest.fixture
def stubborn(write, double):
    """`double`, wrong three times; then what the fresh attempts say."""

    def make(*bodies: str | None, rival: str | None = None):
        def code(body: str) -> str:
            return f"def double(number: int) -> int:\n    {body}"

        first = 2 if rival else 1
        attempt = 5 if rival else 4
        also = [
            ScriptedAnswer(
                purpose="implement",
                subject="double",
                attempt=attempt,
                sample=line,
                text=f"```python\n{code(body)}\n```",
            )
            for line, body in enumerate(bodies, first)
            if body
        ]
        more = {"rival": code(rival)} if rival else {}
        repairs = [
            ScriptedAnswer(purpose="repair", subject="double", attempt=n, text=f"```python\n{code(WRONG)}\n```")
            for n in (2, 3, 4)
        ]
        return double(code(WRONG), also=[*repairs, *also], **more)

    return make


def fresh(solved) -> list[tuple[int, int]]:
    return [(attempt.number, attempt.line) for attempt in solved["double"].history if attempt.rung == "fresh"]


@pytest.mark.parametrize("bodies", [(RIGHT, WRONG), (WRONG, RIGHT), (HALF_RIGHT, RIGHT)])
def test_the_one_that_passes_more_counts(solver, stubborn, bodies):
    """Whichever was asked for first; each is a line and an attempt of its own."""
    solved = solver.solve(stubborn(*bodies), settings=STRICT)
    assert fresh(solved) == [(4, 1), (5, 2)]
    assert solved["double"].best.line == 1 + bodies.index(RIGHT)
    assert solved.solution.all_tests_passed


def test_they_are_asked_for_at_once(solver, stubborn):
    """Also where the executor has one thread only."""
    model = Together(solver.model(stubborn(WRONG, RIGHT)))
    with ThreadPoolExecutor(1) as executor:
        solution = solver.generator(model, executor, **STRICT).solve("Write double.")
    assert [attempt.rung for attempt in solution.results[0].history][3:] == ["fresh", "fresh"]
    assert solution.all_tests_passed


def test_of_two_that_pass_as_much_others_agree_with_one(solver, stubborn):
    """A third attempt, which shares no code with them, does mostly what the second does."""
    bodies = ("return 2 * number if -9 < number < 9 else 4", RIGHT)
    solved = solver.solve(stubborn(*bodies, rival="return number + number if number else 9"), settings=STRICT)
    assert fresh(solved) == [(5, 2), (6, 3)]
    assert solved["double"].best.line == 3


def test_one_that_can_not_be_had_leaves_the_other(solver, stubborn):
    """The script has no second answer."""
    solved = solver.solve(stubborn(RIGHT, None), settings=STRICT)
    assert fresh(solved) == [(4, 1)]
    assert solved.solution.all_tests_passed


@pytest.mark.parametrize("settings", [{"budget": "iterations=4"}, {"trust": "standard"}])
def test_else_it_is_one(solver, stubborn, settings):
    """Where one attempt is left of those that the budget allows, and below strict."""
    solved = solver.solve(stubborn(RIGHT, RIGHT), settings=STRICT | settings)
    assert fresh(solved) == [(4, 1)]


def test_a_second_one_is_made_only_from_what_nobody_is_owed(solver, stubborn, monkeypatch):
    """Where two calls are not to spare, one attempt is made."""

    def may_spend(purse, purpose, subject, *, optional=False, calls=1):
        return calls == 1

    monkeypatch.setattr(Ledger, "may_spend", may_spend)
    solved = solver.solve(stubborn(RIGHT, RIGHT), settings=STRICT)
    assert fresh(solved) == [(4, 1)]
