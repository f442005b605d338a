"""Telling what happens while an instruction is solved: a live picture on a terminal, plain lines anywhere else."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tdgen.cli.speaking import is_terminal, say

if TYPE_CHECKING:
    from tdgen.events import Event
    from tdgen.protocols import Emit


@contextmanager
def told(*, quiet: bool = False, verbose: bool = False) -> Iterator[Emit]:
    """What hears the events while the block runs; what is emitted later (by threads left behind) is not told."""
    lock = threading.Lock()
    over = False

    with _listener(quiet=quiet, verbose=verbose) as listen:

        def emit(event: Event) -> None:
            with lock:
                if not over:
                    listen(event)

        try:
            yield emit
        finally:
            with lock:
                over = True


@contextmanager
def _listener(*, quiet: bool, verbose: bool) -> Iterator[Emit]:
    if quiet:
        yield lambda event: None
    elif is_terminal(sys.stderr) and not verbose:
        from tdgen.cli.progress.picture import Picture

        with Picture() as picture:
            yield picture.take
    else:
        yield lambda event: _say(event, verbose=verbose)


def _say(event: Event, *, verbose: bool) -> None:
    from tdgen.cli.progress.lines import lines_of

    for line in lines_of(event, verbose=verbose):
        say(line.text, line.style)
