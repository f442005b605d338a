"""The same solves for programs that run an event loop: servers, agents, notebooks.

The engine works in threads, as it does for everybody: there is one of it. What is here starts a solve in a thread,
hands its events and questions to the loop, and ends it where its task is cancelled. Nothing of a caller's is called in
another thread than the loop's. (The class is no `AsyncGenerator`: Python has that word for something else.)

The loop itself waits for no thread. `Thread.start` waits until the thread runs, and `submit` of an executor, so
`asyncio.to_thread` too, for a lock that all executors of a process hold while they start threads: where a hundred
threads want the interpreter, each holds the loop up for seconds. So threads begin by `start_new_thread`.
"""

from __future__ import annotations

import asyncio
from _thread import start_new_thread
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from contextvars import copy_context
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self
from weakref import WeakKeyDictionary

from tdgen.client.generator import Generator
from tdgen.client.handed import Handed, expect_callable
from tdgen.errors import InputError
from tdgen.events import Event
from tdgen.protocols import Ask, Emit, Model
from tdgen.settings import Settings, load_settings
from tdgen.solution import Solution
from tdgen.types import Asked

if TYPE_CHECKING:
    from typing import Unpack

    from tdgen.settings.model import AllOptions

AskAsync = Callable[[Asked], Awaitable[str]]
"""As `Ask`, awaited in the caller's loop."""

AT_ONCE: Final = 256
"""How many solves of a client are at work at the same time; further ones wait for their turn."""
ALONE_AT_ONCE: Final = 16
"""How many calls of `asolve` are at work at the same time in a loop. Each has sandboxes of its own: a machine that
opens a hundred of them at once has no time left for the loop, and is no sooner done."""
LOOK_EVERY_S: Final = 0.01

_turns: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore]] = WeakKeyDictionary()


class AsyncClient:
    """A `Generator` whose solves are awaited. One warm sandbox, one cache and one set of rate limits for all of them.

    Use it as `async with tdgen.AsyncClient() as client`, or await `aclose`. It belongs to one event loop.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        api_key: str = "",
        cache_dir: str | Path = "",
        on_event: Emit | None = None,
        on_question: AskAsync | None = None,
        model: Model | str | None = None,
    ) -> None:
        """As `Generator` takes them; `on_event` is called, and `on_question` awaited, in the event loop."""
        for name, value in {"on_event": on_event, "on_question": on_question}.items():
            expect_callable(name, value)
        self._generator = Generator(settings, api_key=api_key, cache_dir=cache_dir, model=model)
        self._on_event = on_event
        self._on_question = on_question
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="tdgen-solve")
        self._solving: set[_Solving] = set()
        self._closed = False

    async def solve(
        self,
        instruction: str,
        handed: Handed = Handed(),  # noqa: B008 - immutable
        *,
        on_event: Emit | None = None,
        **changes: Any,
    ) -> Solution:
        """The instruction's solution, as `Generator.solve` gives it; `changes` are settings for this one alone.

        Where the task is cancelled the solve ends at once: see `Generator.cancel`. The task ends when it has.
        """
        expect_callable("on_event", on_event)
        return await self._begun(instruction, handed, on_event or self._on_event, changes).ended()

    async def events(
        self,
        instruction: str,
        handed: Handed = Handed(),  # noqa: B008 - immutable
        **changes: Any,
    ) -> AsyncGenerator[Event | Solution, None]:
        """What happens while the instruction is solved, and last the solution. The solve's error is raised here.

        Whoever leaves the iteration early should close it (`contextlib.aclosing`): then the solve is cancelled.
        """
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        solving = self._begun(instruction, handed, queue.put_nowait, changes)
        solving.when_done(lambda: queue.put_nowait(None))
        try:
            while (event := await queue.get()) is not None:
                yield event
        finally:
            await solving.quiet()
        yield await solving.ended()

    async def aclose(self) -> None:
        """Cancel what is being solved, end the sandboxes and close the cache. Closing twice is allowed."""
        self._closed = True
        await asyncio.gather(*(solving.quiet() for solving in tuple(self._solving)))
        closed: Future[None] = Future()
        start_new_thread(self._close, (closed,))
        await asyncio.wrap_future(closed)

    def _close(self, closed: Future[None]) -> None:
        try:
            self._generator.close()
            self._threads.shutdown()
        except BaseException as error:  # noqa: BLE001 - whoever awaits it is told
            closed.set_exception(error)
        else:
            closed.set_result(None)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _begun(self, instruction: str, handed: Handed, on_event: Emit | None, changes: dict[str, Any]) -> _Solving:
        if self._closed:
            raise InputError("this client is closed: make another one")
        solving = _Solving(self._generator, on_event, self._on_question, changes)
        solving.begin(self._threads, instruction, handed)
        self._solving.add(solving)
        solving.when_done(lambda: self._solving.discard(solving))
        return solving


class _Solving:
    """One solve in its thread, seen from the loop."""

    def __init__(
        self, generator: Generator, on_event: Emit | None, on_question: AskAsync | None, changes: dict[str, Any]
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._future: Future[Solution] = Future()
        self._asked: set[Future[str]] = set()
        hear = self._in_loop(on_event) if on_event else None
        ask = self._answered(on_question) if on_question else None
        self._generator = generator.under(on_event=hear, on_question=ask, **changes)

    def begin(self, threads: ThreadPoolExecutor, instruction: str, handed: Handed) -> None:
        """Solve it in one of these threads, in the caller's context."""
        work = partial(copy_context().run, self._solve, instruction, handed)
        start_new_thread(self._start, (threads, work))

    def _start(self, threads: ThreadPoolExecutor, work: Callable[[], None]) -> None:
        try:
            threads.submit(work)
        except RuntimeError:  # the client was closed meanwhile
            self._future.cancel()

    def _solve(self, instruction: str, handed: Handed) -> None:
        if not self._future.set_running_or_notify_cancel():
            return
        try:
            self._future.set_result(self._generator.solve(instruction, handed))
        except BaseException as error:  # noqa: BLE001 - whoever awaits it is told
            self._future.set_exception(error)

    def when_done(self, call: Callable[[], object]) -> None:
        """Have `call` called in the loop when the solve has ended; after its last event."""
        self._future.add_done_callback(lambda _: self._soon(call))

    async def ended(self) -> Solution:
        """The solution. Where the task is cancelled, so is the solve."""
        done = asyncio.wrap_future(self._future)
        # Whoever is cancelled hears that, and not of what the solve raises for it: asyncio would report it as lost.
        done.add_done_callback(lambda one: one.cancelled() or one.exception())
        try:
            return await asyncio.shield(done)
        finally:
            await self.quiet()

    async def quiet(self) -> None:
        """Cancel it, and wait until its thread is free. What is cancelled before it has an account is told again."""
        while not (self._future.done() or self._future.cancel()):
            self._generator.cancel(at_once=True)
            for asked in tuple(self._asked):
                asked.cancel()
            await asyncio.sleep(LOOK_EVERY_S)

    def _in_loop(self, on_event: Emit) -> Emit:
        return lambda event: self._soon(lambda: on_event(event))

    def _soon(self, call: Callable[[], object]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)

    def _answered(self, on_question: AskAsync) -> Ask:
        async def answer(question: Asked) -> str:
            return await on_question(question)

        def ask(question: Asked) -> str:
            asked = asyncio.run_coroutine_threadsafe(answer(question), self._loop)
            self._asked.add(asked)
            try:
                return asked.result()
            finally:
                self._asked.discard(asked)

        return ask


async def asolve(
    instruction: str,
    *,
    tests: str | Sequence[str] = "",
    follow: str | Solution = "",
    module: str = "",
    on_event: Emit | None = None,
    on_question: AskAsync | None = None,
    model: Model | str | None = None,
    **options: Unpack[AllOptions],
) -> Solution:
    """`solve`, awaited: in a running event loop, and in a notebook. Of many solves, use one `AsyncClient`.

    `on_event` is called, and `on_question` awaited, in the loop. Where the task is cancelled the solve ends at once.
    Sixteen calls are at work in a loop at once, and further ones wait, but for those that may wait for a user.
    """
    settings = load_settings({"questions": "ask"} | options if on_question else options)
    turn = _turns.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(ALONE_AT_ONCE))
    async with (
        nullcontext() if on_question else turn,
        AsyncClient(settings, on_event=on_event, on_question=on_question, model=model) as client,
    ):
        return await client.solve(instruction, Handed(tests=tests, follow=follow, module=module))
