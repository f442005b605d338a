"""The end of a call that outlasts the budget's time: cut at the limit, and what it had cost by then not forgotten."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from tdgen.errors import BudgetSpent
from tdgen.types import Usage

if TYPE_CHECKING:
    import httpx2

A_MOMENT = 0.02  # seconds: whoever looks at the clock after the cut sees that the time is over


class CutShort(BudgetSpent):
    """The time was over while a model was answering; `lost` is what was paid for in vain."""

    def __init__(self, lost: Usage) -> None:
        super().__init__("the budget's time was spent while the model was answering: raise --budget seconds=N")
        self.lost = lost


@contextmanager
def cut_after(seconds: float | None, response: httpx2.Response) -> Iterator[None]:
    """Hang up on the server after so many seconds (None: never), also on one that holds its reader with silence.

    A reading time limit alone would begin anew with each byte that comes.
    """
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds + A_MOMENT, _hang_up, [response])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _hang_up(response: httpx2.Response) -> None:
    """Wake whoever reads: to close the connection from another thread would not."""
    stream = response.extensions.get("network_stream")
    connection = stream.get_extra_info("socket") if stream is not None else None
    if isinstance(connection, socket.socket):
        with suppress(OSError, ValueError):
            connection.shutdown(socket.SHUT_RDWR)
