"""Telling what happens while an instruction is solved: a live picture on a terminal, plain lines anywhere else."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING

from tdgen.terminal.output import is_terminal, say

if TYPE_CHECKING:
    from tdgen.events import Event
    from tdgen.protocols import Emit


class Teller:
    """Hears events and tells them, until it is over: what is emitted later, by threads left behind, is not told."""

    def __init__(self, listen: Emit, aside: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        """`aside` makes room on the terminal for somebody who wants to ask something."""
        self._listen = listen
        self._aside = aside
        self._lock = threading.Lock()
        self._is_over = False

    def __call__(self, event: Event) -> None:
        """Tell an event."""
        with self._lock:
            if not self._is_over:
                self._listen(event)

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Nothing is told while the block runs, and nothing moves on the terminal."""
        with self._lock, self._aside():
            yield

    def end(self) -> None:
        """Tell nothing more."""
        with self._lock:
            self._is_over = True


@contextmanager
def progress_teller(*, quiet: bool = False, verbose: bool = False) -> Iterator[Teller]:
    """What hears the events while the block runs."""
    with ExitStack() as ending:
        if quiet:
            teller = Teller(lambda event: None)
        elif is_terminal(sys.stderr) and not verbose:
            from tdgen.terminal.progress_picture import Picture

            picture = ending.enter_context(Picture())
            teller = Teller(picture.take, picture.aside)
        else:
            teller = Teller(lambda event: _say(event, verbose=verbose))
        ending.callback(teller.end)
        yield teller


def _say(event: Event, *, verbose: bool) -> None:
    from tdgen.terminal.progress_lines import lines_of

    for line in lines_of(event, verbose=verbose):
        say(line.text, line.style)
