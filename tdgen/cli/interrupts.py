"""Ctrl-C: what the first one and the second one do to one piece of work, and to many."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

from tdgen.errors import TdgenError

INTERRUPTED: Final = 130


class Interrupted(TdgenError):
    """The user ended the work; the message says how it can be gone on with."""

    exit_code = INTERRUPTED


def install() -> None:
    """Let the first Ctrl-C raise KeyboardInterrupt and a second one end the process, unless Ctrl-C is ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _first)


@contextmanager
def resumable(*, fresh: bool) -> Iterator[None]:
    """Work that goes on, when its command is given again, from what it was answered so far: not where it is `fresh`."""
    try:
        yield
    except KeyboardInterrupt:
        command = "the same command without --fresh" if fresh else "the same command"
        raise Interrupted(f"interrupted: {command} goes on from here, nothing is asked or paid twice") from None


@contextmanager
def held_back() -> Iterator[None]:
    """Work that a Ctrl-C does not cut in two: it counts when the work is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signals: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: signals.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if signals:
        raise KeyboardInterrupt


def _first(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(INTERRUPTED))
    raise KeyboardInterrupt


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
            _tell("dropped what was in flight: the same command goes on from here")
            os._exit(INTERRUPTED)
        stop.set()
        _tell("finishing what is in flight (Ctrl-C again drops it)")

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _tell(text: str) -> None:
    """A line on stderr, past its buffer: a signal may come while something is written there, which can't be entered."""
    with suppress(OSError):
        os.write(2, f"{text}\n".encode())
