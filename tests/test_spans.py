"""Spans of a run: of its steps and calls, beneath the caller's own, without a word of what was asked or answered."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from tdgen.client.asynchronous import AsyncClient
from tdgen.errors import ModelError
from tdgen.pipeline import STEPS

ASKED = "double(number): twice the number, says Xanthippe"


@pytest.fixture
def spans(monkeypatch):
    """What a program's exporter is given, by name, in the order in which spans end."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    yield exporter.get_finished_spans
    provider.shutdown()


def test_a_run_its_steps_and_its_calls(solver, double, spans):
    """A tree under the caller's span; calls by the conventions for generative AI, each beneath its step."""
    with trace.get_tracer("program").start_as_current_span("the caller's"):
        solver.solve(double(), text=ASKED)
    found = {span.context.span_id: span for span in spans()}
    named = {span.name: span for span in found.values()}
    run = named["tdgen run"]
    assert found[run.parent.span_id].name == "the caller's"
    assert dict(run.attributes)["tdgen.functions.green"] == 1
    steps = [span for span in found.values() if span.name.startswith("tdgen step ")]
    assert [span.name.removeprefix("tdgen step ") for span in steps] == [step.name for step in STEPS]
    assert {span.parent.span_id for span in steps} == {run.context.span_id}
    calls = [span for span in found.values() if span.kind is SpanKind.CLIENT]
    assert [call.attributes["tdgen.purpose"] for call in calls] == ["plan", "cases", "implement"]
    assert [found[call.parent.span_id].attributes["tdgen.step"] for call in calls] == ["plan", "tests", "build"]
    assert {call.attributes["gen_ai.operation.name"] for call in calls} == {"chat"}
    assert all(call.name == f"chat {call.attributes['gen_ai.request.model']}" for call in calls)
    assert all(call.attributes["gen_ai.usage.output_tokens"] >= 0 for call in calls)


def test_no_content_is_told(solver, double, spans):
    """Neither the instruction's words, nor cases, nor code."""
    solver.solve(double(), text=ASKED)
    told = " ".join(span.to_json() for span in spans())
    assert "tdgen step plan" in told
    assert not [word for word in ("Xanthippe", "Twice the number", "return 2", "double(7)") if word in told]


def test_what_fails_ends_its_spans(solver, spans):
    """Call, step and run have an error's kind, without its message."""

    class Down:
        def ask(self, request):
            raise ModelError("Xanthippe does not answer")

    with pytest.raises(ModelError):
        solver.generator(Down()).solve(ASKED)
    told = {span.name: span for span in spans()}
    kinds = {name: span.attributes["error.type"] for name, span in told.items()}
    assert kinds == {"chat Down": "ModelError", "tdgen step plan": "Unfinished", "tdgen run": "ModelError"}
    assert not any(span.status.is_ok or span.events or "Xanthippe" in span.to_json() for span in told.values())


def test_an_awaited_solve_is_beneath_the_task_that_awaits_it(solver, double, spans, tmp_path, warm):
    """Though it goes on in a thread."""

    async def solve():
        async with AsyncClient(cache_dir=tmp_path, model=solver.model(double())) as client:
            with trace.get_tracer("program").start_as_current_span("the task's"):
                await client.solve(ASKED, trust="quick")

    asyncio.run(solve())
    named = {span.name: span for span in spans()}
    assert named["tdgen run"].parent.span_id == named["the task's"].context.span_id


def test_nothing_of_it_is_imported():
    """Where the program does not use it."""
    code = "import sys, tdgen.client.generator; print([name for name in sys.modules if 'opentelemetry' in name])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
