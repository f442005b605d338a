"""Work that goes on in threads while whoever began it asks how it stands."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

from pydantic import BaseModel

from tdgen.errors import Cancelled, InputError, TdgenError
from tdgen.mcp.answers import Status

AT_ONCE: Final = 4
MOST_KEPT: Final = 200
MOST_WAITING: Final = 32


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
        state, error, result = self._ended() if self.has_ended else ("running", "", None)
        going = "" if self.has_ended else "solve_status with this id"
        told: dict[str, Any] = {"state": state, "error": error, "result": result, "next": going}
        return Status(id=self.id, work=self._tool, seconds=seconds, **told)

    def _ended(self) -> tuple[str, str, dict[str, Any] | None]:
        if self._future.cancelled():
            return "cancelled", "", None
        error = self._future.exception()
        if error is None:
            return "done", "", self._future.result().model_dump(mode="json")
        if self._cancelled or isinstance(error, Cancelled):
            return "cancelled", "", None
        bug = "" if isinstance(error, TdgenError) else f"this is a bug in tdgen: {type(error).__name__}: "
        return "failed", f"{bug}{error}", None

    def _end(self, _: Future[BaseModel]) -> None:
        self._took = time.monotonic() - self._began


class Works:
    """All work of a server but for its solves; the oldest that has ended is forgotten first."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="tdgen-work")
        self._works: dict[str, Work] = {}

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
        for old in [one.id for one in self._works.values() if one.has_ended][:-MOST_KEPT]:
            del self._works[old]
        return work

    def get(self, identity: str) -> Work | None:
        """The work of that id; None where there is none."""
        return self._works.get(identity)

    def close(self) -> None:
        """End all."""
        for work in tuple(self._works.values()):
            work.cancel()
        self._threads.shutdown(wait=True, cancel_futures=True)
