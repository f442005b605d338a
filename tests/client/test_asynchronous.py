"""Solves that are awaited: the same engine, its events in the loop, and quiet where the task is cancelled."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing

import pytest

import tdgen
from tdgen.client import asynchronous
from tdgen.client.asynchronous import AsyncClient
from tdgen.errors import InputError
from tdgen.settings import Settings
from tests.models.conftest import Chat, chat, make_httpserver  # noqa: F401 - fixtures

ASKED = "double(number): twice the number"


@pytest.fixture
def client(solver) -> Callable[..., AsyncClient]:
    """A client at trust level quick with the solver's sandboxes."""

    def make(model=None, on_event=None, on_question=None, **settings) -> AsyncClient:
        chosen = Settings(**{"trust": "quick", "search_seconds": 0, "cache_dir": str(solver.cache_dir)} | settings)
        made = AsyncClient(chosen, model=model, on_event=on_event, on_question=on_question)
        vars(made._generator._runtime).update(sandbox=solver.sandbox, oracle=solver.oracle, _packages=solver.packages)
        return made

    return make


def working() -> list[str]:
    """The threads in which something of a solve is at work, or could be."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("tdgen-solve")]


def test_a_solve_is_awaited(client, solver, double):
    """While the loop goes on; its events come in the loop's own thread."""
    heard = []

    async def main() -> tdgen.Solution:
        async with client(solver.model(double()), lambda event: heard.append((event, threading.get_ident()))) as made:
            return await made.solve(ASKED)

    assert asyncio.run(main())["double"].outcome == "green"
    assert {ident for _, ident in heard} == {threading.get_ident()}
    assert [event.kind for event, _ in heard if event.kind == "function_ended"] == ["function_ended"]
    assert working() == []


def test_the_loop_starts_no_thread(client, solver, double):
    """Who starts one, or hands work to an executor, waits, which takes long where many do: another thread does that."""
    started = []

    async def main() -> None:
        asyncio.get_running_loop().set_default_executor(
            ThreadPoolExecutor(initializer=started.append, initargs=("loop's",))
        )
        async with client(solver.model(double())) as made:
            submit = made._threads.submit
            made._threads.submit = lambda *work: (started.append(threading.get_ident()), submit(*work))[1]
            await made.solve(ASKED)

    asyncio.run(main())
    assert len(started) == 1
    assert started[0] not in (threading.get_ident(), "loop's")


def test_events_are_iterated_over(client, solver, double):
    """And the solution comes last."""

    async def main() -> list[object]:
        async with client(solver.model(double())) as made:
            return [one async for one in made.events(ASKED)]

    *events, solution = asyncio.run(main())
    assert events[0].kind == "stage_started"
    assert events[-1].kind == "stage_finished"
    assert solution.all_tests_passed


def test_an_error_is_raised_where_it_is_awaited(client, solver, double):
    """By both ways; a closed client says so."""

    async def main() -> None:
        made = client(solver.model(double()))
        async with made:
            with pytest.raises(InputError):
                await made.solve("")
            with pytest.raises(InputError):
                _ = [one async for one in made.events("")]
        with pytest.raises(InputError, match="this client is closed"):
            await made.solve(ASKED)

    asyncio.run(main())


@pytest.mark.parametrize("way", ["solve", "events", "close"])
def test_a_cancelled_task_is_quiet_at_once(client, chat: Chat, way):  # noqa: F811
    """Though the endpoint never answers: its thread is free when the task has ended."""
    chat.will(chat.hang)
    lost: list[object] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: lost.append(context))
        async with client(base_url=chat.url, api_key=chat.key, model=None) as made:

            async def follow() -> None:
                async with aclosing(made.events(ASKED)) as events:
                    async for _ in events:
                        pass

            task = asyncio.create_task(follow() if way == "events" else made.solve(ASKED))
            while not chat.bodies:
                await asyncio.sleep(0.01)
            if way == "close":
                await made.aclose()
            else:
                task.cancel()
            with pytest.raises((asyncio.CancelledError, tdgen.Cancelled)):
                await task
        while working():
            await asyncio.sleep(0.01)
        gc.collect()

    asyncio.run(asyncio.wait_for(main(), 10))  # the endpoint is silent for 30 s
    assert lost == []


def test_a_question_is_awaited_in_the_loop(client, solver, double):
    """Its answer is pinned."""
    asked: list[tdgen.Asked] = []
    question = {"question": "What of half numbers?", "assumption": "they are doubled", "quote": "double"}
    model = solver.model(double(), questions=[question])

    async def answer(one: tdgen.Asked) -> str:
        await asyncio.sleep(0)
        asked.append(one)
        return ""

    async def main() -> None:
        async with client(model, on_question=answer, questions="ask") as made:
            await made.solve(ASKED)

    asyncio.run(main())
    assert [one.question for one in asked] == ["What of half numbers?"]


def test_many_at_once(client, solver, double):
    """In one loop, over one sandbox."""
    texts = [f"{ASKED}, number {number}" for number in range(12)]

    async def main() -> list[tdgen.Solution]:
        async with client(solver.model(double())) as made:
            return await asyncio.gather(*(made.solve(text) for text in texts))

    assert all(solution.all_tests_passed for solution in asyncio.run(main()))


class Counted:
    """A client whose solves are counted while they are at work; all of them wait once for the loop to go round."""

    now = most = 0

    def __init__(self, *given, **more):
        pass

    async def __aenter__(self):
        return self

    async def __aexit__(self, *raised):
        pass

    async def solve(self, *given):
        Counted.now += 1
        Counted.most = max(Counted.most, Counted.now)
        for _ in range(10):
            await asyncio.sleep(0)
        Counted.now -= 1


@pytest.mark.parametrize(("asks", "most"), [(False, 2), (True, 5)])
def test_calls_of_asolve_take_turns(monkeypatch, asks, most):
    """Each opens sandboxes; but one that may wait for a user keeps no other waiting."""
    monkeypatch.setattr(asynchronous, "ALONE_AT_ONCE", 2)
    monkeypatch.setattr(asynchronous, "AsyncClient", Counted)
    monkeypatch.setattr(Counted, "most", 0)

    async def answer(question):
        return ""

    async def main():
        await asyncio.gather(*(tdgen.asolve(ASKED, on_question=answer if asks else None) for _ in range(5)))

    asyncio.run(main())
    assert Counted.most == most
