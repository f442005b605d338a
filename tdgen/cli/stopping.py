"""Ctrl-C for work of many pieces: the first finishes what is in flight, a second drops it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from tdgen.cli.interrupts import INTERRUPTED
from tdgen.cli.speaking import say


@contextmanager
def asked_to_stop() -> Iterator[threading.Event]:
    """What is set at the first Ctrl-C while the block runs; at the second the process ends, where it stands.

    A Ctrl-C that is ignored, as a shell has it for jobs in the background, stays so.
    """
    stop = threading.Event()
    before = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or before == signal.SIG_IGN:
        yield stop
        return

    def interrupted(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            say("dropped what was in flight: the same command goes on from here", "bad")
            os._exit(INTERRUPTED)
        stop.set()
        say("finishing what is in flight (Ctrl-C again drops it)", "faint")

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
