"""A service of several processes that answer on one socket: one that dies is started again, and all end together."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from typing import Any, Final

from tdgen.errors import TdgenError

AGAIN_S: Final = 1.0
"""How long a worker that died is waited with before it is started again: what it died of may last."""
END_S: Final = 15.0
_LOOK_S: Final = 1.0


def keep_working(number: int, work: Callable[[], None], say: Callable[[str], None]) -> None:
    """Have `work` done by so many processes until this one is told to end; `say` is told of each that dies.

    They are forked: nothing may have been opened before but the socket, and no thread begun.
    """
    ending = threading.Event()
    before = {sign: signal.signal(sign, lambda *_: ending.set()) for sign in (signal.SIGINT, signal.SIGTERM)}
    workers = [_started(work, say, before) for _ in range(number)]
    try:
        while not ending.is_set():
            wait([worker.sentinel for worker in workers], _LOOK_S)
            for place, worker in enumerate(workers):
                if not worker.is_alive() and not ending.is_set():
                    say(f"worker {place + 1} ended ({worker.exitcode}) and is started again")
                    ending.wait(AGAIN_S)
                    workers[place] = _started(work, say, before)
    finally:
        for worker in workers:
            worker.terminate()
        end = time.monotonic() + END_S
        for worker in workers:
            worker.join(max(0.0, end - time.monotonic()))
            worker.kill()
            worker.join()
        for sign, handler in before.items():
            signal.signal(sign, handler)


def on_orphaned(keeper: int, leave: Callable[[], None]) -> None:
    """Have `leave` called where the process of that id, which keeps this one, died: it would hold the port for ever.

    It may have died before this one came to ask who its parent is.
    """

    def watch() -> None:
        while os.getppid() == keeper:
            time.sleep(_LOOK_S)
        leave()

    threading.Thread(target=watch, daemon=True).start()


Handlers = Mapping[signal.Signals, Any]


def _started(work: Callable[[], None], say: Callable[[str], None], handlers: Handlers) -> ForkProcess:
    def begin() -> None:
        for sign, handler in handlers.items():
            signal.signal(sign, handler)
        try:
            work()
        except TdgenError as error:
            say(str(error))
            sys.exit(error.exit_code)

    worker = multiprocessing.get_context("fork").Process(target=begin)
    worker.start()
    return worker
