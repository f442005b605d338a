"""Work that goes on in threads while whoever began it asks how it stands, here or at another process of the service."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Any, Final

from pydantic import BaseModel

from tdgen.errors import Cancelled, InputError, StoreError, TdgenError
from tdgen.mcp.answers import Status
from tdgen.web.run_store import News, RunStore

AT_ONCE: Final = 4
MOST_KEPT: Final = 200
MOST_WAITING: Final = 32
LIVES_S: Final = 20.0
ENDED_LIVES_S: Final = 86_400.0
"""How long what came of work is told by others than who did it."""


class Work:
    """One call in a thread; `tool` is what an agent began it by, `stop` ends it early."""

    def __init__(self, tool: str, future: Future[BaseModel], stop: Callable[[], None]) -> None:
        self.id = f"w{secrets.token_hex(8)}"
        self._tool, self._future, self._stop = tool, future, stop
        self._began = time.monotonic()
        self._took: float | None = None
        self._cancelled = False
        future.add_done_callback(self._end)

    @property
    def has_ended(self) -> bool:
        """Whether nothing more happens in it."""
        return self._future.done()

    def on_end(self, ended: Callable[[], None]) -> None:
        """Have `ended` called when it has, at once where that is now."""
        self._future.add_done_callback(lambda _: ended())

    def cancel(self) -> None:
        """End it. What has ended stays as it is."""
        if not self._future.done():
            self._cancelled = True
            if not self._future.cancel():
                self._stop()

    def status(self) -> Status:
        """How it stands, with its result where it has one."""
        seconds = round(self._took if self._took is not None else time.monotonic() - self._began, 1)
        state, error, result = "running", "", None
        has_ended = self.has_ended
        if has_ended and self._future.cancelled():
            state = "cancelled"
        elif has_ended:
            fault = self._future.exception()
            if fault is None:
                state, result = "done", self._future.result().model_dump(mode="json")
            elif self._cancelled or isinstance(fault, Cancelled):
                state = "cancelled"
            else:
                bug = "" if isinstance(fault, TdgenError) else f"this is a bug in tdgen: {type(fault).__name__}: "
                state, error = "failed", f"{bug}{fault}"
        going = "" if has_ended else "solve_status with this id"
        content: dict[str, Any] = {"state": state, "error": error, "result": result, "next": going}
        return Status(id=self.id, work=self._tool, seconds=seconds, **content)

    def _end(self, _: Future[BaseModel]) -> None:
        self._took = time.monotonic() - self._began


class Works:
    """All work of a server but for its solves; the oldest that has ended is forgotten first.

    How each stands is told to `runs`, where the other processes of a service find it; what has not been told anew for
    `LIVES_S` went on in one that died.
    """

    def __init__(self, runs: RunStore) -> None:
        self._runs = runs
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="tdgen-work")
        self._works: dict[str, Work] = {}
        self._closed = threading.Event()
        self._opened = ExitStack()
        self._opened.enter_context(runs.listening(self._heard))
        self._telling = threading.Thread(target=self._tell_anew, daemon=True)
        self._telling.start()

    def begin(
        self,
        tool: str,
        call: Callable[[], BaseModel],
        stop: Callable[[], None] = lambda: None,
        ended: Callable[[], None] = lambda: None,
    ) -> Work:
        """Begin a call, of whose end `ended` hears; InputError where as much waits as may."""
        if sum(not work.has_ended for work in self._works.values()) >= AT_ONCE + MOST_WAITING:
            raise InputError(f"{MOST_WAITING} calls wait already: try again when one has ended")
        work = Work(tool, self._threads.submit(call), stop)
        self._works[work.id] = work
        work.on_end(ended)
        self._tell(work)
        work.on_end(lambda: self._tell(work))
        for old in [one.id for one in self._works.values() if one.has_ended][:-MOST_KEPT]:
            del self._works[old]
        return work

    def status(self, identity: str) -> Status | None:
        """How the work of that id stands, wherever it goes on; None where there is none."""
        if (work := self._works.get(identity)) is not None:
            return work.status()
        text = self._runs.work(identity)
        return None if text is None else Status.model_validate_json(text)

    def cancel(self, identity: str) -> None:
        """End the work of that id, wherever it goes on."""
        if (work := self._works.get(identity)) is not None:
            work.cancel()
        else:
            self._runs.stop(identity)

    def _tell(self, work: Work) -> None:
        with suppress(StoreError):  # it is told again soon; to what goes on here it is nothing
            seconds = ENDED_LIVES_S if work.has_ended else LIVES_S
            self._runs.keep_work(work.id, work.status().model_dump_json(), seconds)

    def _tell_anew(self) -> None:
        while not self._closed.wait(LIVES_S / 4):
            for work in tuple(self._works.values()):
                if not work.has_ended:
                    self._tell(work)

    def _heard(self, news: News) -> None:
        work = self._works.get(news.identity)
        if work is not None and news.kind == "said" and self._runs.said(work.id).stopping:
            work.cancel()

    def close(self) -> None:
        """End all."""
        self._closed.set()
        self._opened.close()
        for work in tuple(self._works.values()):
            work.cancel()
        self._threads.shutdown(wait=True, cancel_futures=True)
