"""Telling whoever looks on that a model is asked, writes, and has answered."""

from __future__ import annotations

import time
from collections.abc import Callable

from tdgen.events import ModelAnswered, ModelAsked, ModelWrote
from tdgen.protocols import Answer, Emit, Model, Request

OnText = Callable[[Request, int], None]


class AnnouncingModel:
    """A model whose requests and answers are emitted as events."""

    def __init__(self, inner: Model, emit: Emit, clock: Callable[[], float] = time.monotonic) -> None:
        self._inner = inner
        self._emit = emit
        self._clock = clock

    def ask(self, request: Request) -> Answer:
        """Ask, with an event before and one after; a failure has no second event."""
        self._emit(ModelAsked(purpose=request.purpose, subject=request.subject, attempt=request.attempt))
        started = self._clock()
        answer = self._inner.ask(request)
        self._emit(
            ModelAnswered(
                purpose=request.purpose,
                subject=request.subject,
                attempt=request.attempt,
                usage=answer.usage,
                seconds=self._clock() - started,
                replayed=answer.replayed,
            )
        )
        return answer


def writing_announced(emit: Emit) -> OnText:
    """A hook for a streaming model: each call says how many characters of an answer are there."""

    def on_text(request: Request, characters: int) -> None:
        emit(ModelWrote(purpose=request.purpose, subject=request.subject, characters=characters))

    return on_text
