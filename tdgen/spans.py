"""A run as OpenTelemetry spans: of its steps and calls, beneath the caller's own.

A program that wants them sets up a tracer provider. Only names, numbers and outcomes are told: no prompt, answer,
instruction or message of an error.

Names are those of OpenTelemetry's conventions for generative AI, and our own. The conventions are still in development:
a name that they change is changed here alone.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

from tdgen.events import Event, FunctionEnded, ModelAnswered, ModelAsked, ModelFailed, StageFinished, StageStarted
from tdgen.protocols import Emit, Purpose
from tdgen.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer


TRACER: Final = "tdgen"
RUN: Final = "tdgen run"
STEP: Final = "tdgen step"
CHAT: Final = "chat"
"""A span's name is followed by what it is about: a step's name, a model's."""

OPERATION: Final = "gen_ai.operation.name"
MODEL: Final = "gen_ai.request.model"
INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
CACHED_TOKENS: Final = "gen_ai.usage.cache_read.input_tokens"
OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
ERROR: Final = "error.type"

TRUST: Final = "tdgen.trust"
STEP_NAME: Final = "tdgen.step"
PURPOSE: Final = "tdgen.purpose"
SUBJECT: Final = "tdgen.subject"
ATTEMPT: Final = "tdgen.attempt"
REPLAYED: Final = "tdgen.replayed"
COST: Final = "tdgen.cost"
"""In US dollars."""
FUNCTIONS: Final = "tdgen.functions"
"""Followed by an outcome: how many functions ended so."""


@contextmanager
def traced(emit: Emit, settings: Settings) -> Iterator[Emit]:
    """A span for a run, which ends with the block; what is emitted meanwhile has spans beneath it."""
    from opentelemetry.trace import get_tracer

    tracer = get_tracer(TRACER)
    with tracer.start_as_current_span(
        RUN,
        attributes={TRUST: settings.trust, MODEL: settings.model},
        record_exception=False,  # its message may quote the instruction
        set_status_on_exception=False,
    ) as span:
        spans = _Spans(tracer, span, settings)

        def told(event: Event) -> None:
            spans.hear(event)
            emit(event)

        try:
            yield told if span.is_recording() else emit
        except BaseException as error:
            _fail(span, type(error).__name__)
            raise
        finally:
            spans.close()


@dataclass(eq=False)
class _Spans:
    """The spans beneath a run's. A call is asked and answered in one thread; steps come one after the other."""

    _tracer: Tracer
    _run: Span
    _settings: Settings
    _step: Span | None = None
    _calls: dict[int, Span] = field(default_factory=dict)
    _outcomes: dict[str, str] = field(default_factory=dict)

    def hear(self, event: Event) -> None:
        """Begin or end a span, or tell the run's how a function ended."""
        match event:
            case StageStarted(stage=stage):
                self._step = self._begun(f"{STEP} {stage}", self._run, {STEP_NAME: stage})
            case StageFinished() if self._step:
                self._step.end()
                self._step = None
            case ModelAsked():
                self._calls[threading.get_ident()] = self._asked(event)
            case ModelAnswered() if call := self._calls.pop(threading.get_ident(), None):
                usage = event.usage
                cost = {} if usage.cost is None else {COST: usage.cost}
                tokens = {INPUT_TOKENS: usage.prompt_tokens, OUTPUT_TOKENS: usage.completion_tokens}
                call.set_attributes({**tokens, CACHED_TOKENS: usage.cached_tokens, REPLAYED: event.replayed, **cost})
                call.end()
            case ModelFailed(error=error) if call := self._calls.pop(threading.get_ident(), None):
                _fail(call, error)
                call.end()
            case FunctionEnded(function=function, outcome=outcome):
                self._outcomes[function] = outcome

    def close(self) -> None:
        """End what is open: a step that failed, calls that nobody waits for any more."""
        unfinished: list[Span] = []
        while self._calls:
            unfinished.append(self._calls.popitem()[1])
        for span in [*unfinished, self._step] if self._step else unfinished:
            _fail(span, "Unfinished")
            span.end()
        for outcome, count in Counter(self._outcomes.values()).items():
            self._run.set_attribute(f"{FUNCTIONS}.{outcome}", count)

    def _begun(self, name: str, parent: Span, attributes: dict[str, str | int], *, is_call: bool = False) -> Span:
        from opentelemetry.trace import SpanKind, set_span_in_context

        kind = SpanKind.CLIENT if is_call else SpanKind.INTERNAL
        return self._tracer.start_span(name, set_span_in_context(parent), kind=kind, attributes=attributes)

    def _asked(self, event: ModelAsked) -> Span:
        model = self._settings.model_for(cast("Purpose", event.purpose))
        called: dict[str, str | int] = {OPERATION: CHAT, MODEL: model}
        about: dict[str, str | int] = {
            PURPOSE: event.purpose,
            SUBJECT: event.subject,
            ATTEMPT: event.attempt,
        }
        return self._begun(f"{CHAT} {model}", self._step or self._run, called | about, is_call=True)


def _fail(span: Span, error: str) -> None:
    from opentelemetry.trace import StatusCode

    span.set_status(StatusCode.ERROR, error)
    span.set_attribute(ERROR, error)
