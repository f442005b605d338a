"""A solve that is cancelled at once is quiet at once, whatever it waits for, and keeps what it was answered."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from werkzeug import Response

from tdgen.cache import runs
from tdgen.client import Generator
from tdgen.errors import Cancelled
from tests.models.conftest import Chat, chat, make_httpserver  # noqa: F401 - fixtures

PROMPT = 0.2  # seconds from `cancel` to quiet
ASKED = "double(number): twice the number"


@pytest.fixture
def live(solver, chat: Chat) -> Callable[..., Generator]:  # noqa: F811
    """A generator that asks the endpoint."""
    return lambda **more: solver.generator(base_url=chat.url, api_key=chat.key, model="a", **more)


@contextmanager
def solving(generator: Generator, text: str = ASKED) -> Iterator[list[BaseException]]:
    """A solve in a thread of its own, which must have ended when this ends; gives what it raised."""
    raised: list[BaseException] = []

    def solve() -> None:
        try:
            generator.solve(text)
        except BaseException as error:  # noqa: BLE001 - handed to the test
            raised.append(error)

    thread = threading.Thread(target=solve)
    thread.start()
    yield raised
    began = time.monotonic()
    thread.join(10)
    assert time.monotonic() - began < PROMPT
    assert not thread.is_alive()


def until(condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def silent(chat: Chat) -> Callable[[], Response]:  # noqa: F811
    """An answer of which the first word comes, and then nothing."""

    def words() -> Iterator[bytes]:
        yield chat.events(chat.piece("x" * 40), done=False).data
        chat.over.wait(30)

    return lambda: Response(words(), content_type="text/event-stream")


@pytest.mark.parametrize("begins", [False, True], ids=["no answer", "an answer that stops"])
def test_a_silent_server_is_hung_up_on(live, chat, solver, begins):  # noqa: F811
    """Before its first byte, and in the middle of an answer."""
    chat.will(silent(chat) if begins else chat.hang)
    with live() as generator, solving(generator) as raised:
        until(lambda: any(event.kind == "model_wrote" for event in solver.events) if begins else chat.bodies)
        time.sleep(0.05)
        generator.cancel(at_once=True)
    assert [type(error) for error in raised] == [Cancelled]
    assert len(chat.bodies) == 1


def test_the_wait_for_another_try_ends(live, chat, solver):  # noqa: F811
    """The endpoint asked for half a minute."""
    chat.will(chat.refused(429, headers={"Retry-After": "30"}))
    with live() as generator, solving(generator) as raised:
        until(lambda: any(event.kind == "noted" and "trying again" in event.text for event in solver.events))
        generator.cancel(at_once=True)
    assert [type(error) for error in raised] == [Cancelled]


@pytest.mark.parametrize("limit", [{"concurrency": 1}, {"rpm": 1}], ids=["a place", "a minute"])
def test_the_wait_for_a_turn_ends(live, chat, solver, limit):  # noqa: F811
    """While another solve that shares the limits has it; that one goes on."""
    chat.will(chat.hang)
    with live(**limit) as generator:
        other = generator.under()
        with solving(other, "triple(number): three times the number") as of_other:
            until(lambda: chat.bodies)
            with solving(generator) as raised:
                until(lambda: sum(event.kind == "model_asked" for event in solver.events) == 2)
                time.sleep(0.05)
                generator.cancel(at_once=True)
            assert [type(error) for error in raised] == [Cancelled]
            assert not of_other
            other.cancel(at_once=True)
    assert len(chat.bodies) == 1


def test_the_wait_for_the_same_instruction_ends(live, chat):  # noqa: F811
    """Another solve has the key."""
    chat.will(chat.hang)
    with live() as generator:
        other = generator.under()
        with solving(other):
            until(lambda: chat.bodies)
            with solving(generator) as raised:
                until(lambda: generator._open)
                generator.cancel(at_once=True)
            assert [type(error) for error in raised] == [Cancelled]
            other.cancel(at_once=True)


def test_what_was_answered_is_not_paid_for_again(live, chat, solver, double):  # noqa: F811
    """The plan is there when the cases are asked for: the same call goes on from it."""
    plan, *others = solver.model(double())._script.answers
    chat.will(chat.said(plan.text), chat.hang)
    with live() as generator, solving(generator):
        until(lambda: len(chat.bodies) == 2)
        generator.cancel(at_once=True)
    assert [run.state for run in runs(solver.cache_dir)] == ["unfinished"]
    chat.will(*(chat.said(answer.text) for answer in others))
    with live() as generator:
        assert generator.solve(ASKED).all_tests_passed
    assert len(chat.bodies) == 4


def test_without_a_solve_there_is_nothing_to_cancel(solver, double):
    """The next one goes its way."""
    generator = solver.generator(solver.model(double()))
    generator.cancel(at_once=True)
    assert generator.solve(ASKED).all_tests_passed
