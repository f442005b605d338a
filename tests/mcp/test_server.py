"""The tools, called by the protocol's own client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tdgen.models.scripted import Script, ScriptedModel

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import ElicitResult

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="tdgen's extra mcp is not installed")

MODES = ("legacy", "2026-07-28")


@asynccontextmanager
async def connected(generator: Any, root: Path, **client: Any) -> AsyncIterator[Client]:
    """A client of a server in this process."""
    from mcp import Client

    from tdgen.mcp.server import opened

    async with opened(generator, root) as server, Client(server, **client) as made:
        yield made


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool gives; what it says is wrong fails the test."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """What a tool says is wrong."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return result.content[0].text


async def ended(client: Client, begun: dict[str, Any]) -> dict[str, Any]:
    """How work stands in the end."""
    while begun["state"] in ("queued", "running"):
        begun = await call(client, "solve_status", id=begun["id"])
    return begun


@pytest.fixture
def unclear(solver, double) -> Any:
    """A model whose plan leaves a question open, until it is answered."""
    questions = [{"question": "Are floats allowed?", "assumption": "No.", "options": ["Yes.", "No."]}]
    model = solver.model(double(), questions=questions)
    again = solver.model(double())._script.answers[0].model_copy(update={"variant": "again"})
    return ScriptedModel(Script(answers=(*model._script.answers, again)))


@pytest.fixture
def using(solver, tmp_path) -> Callable[..., None]:
    """Use the tools of a server whose model answers so."""

    def run(use: Callable[[Client], Awaitable[None]], model: Any = None, **client: Any) -> None:
        async def go() -> None:
            async with connected(solver.generator(model or solver.model()), tmp_path, **client) as made:
                await use(made)

        asyncio.run(go())

    return run


def test_a_solve_from_its_start_to_its_files(using, solver, double):
    """The status says what to call next; the story is a resource; what is kept can be verified."""

    async def use(client: Client) -> None:
        begun = await call(client, "solve_start", instruction="double(n)")
        status = await ended(client, begun)
        assert (status["state"], status["functions"], status["error"]) == ("green", ["double"], "")
        assert status["next"] == "solve_result with this id"
        result = await call(client, "solve_result", id=begun["id"])
        assert result["all_tests_passed"]
        assert "def double" in "".join(result["files"].values())
        assert [one["outcome"] for one in result["functions"]] == ["green"]
        story = await client.read_resource(f"tdgen://runs/{begun['id']}/story")
        assert "double" in story.contents[0].text
        verified = await call(client, "verify", key=result["key"])
        assert (verified["state"], verified["result"]) == ("done", {"passed": True, "failed": [], "missing": []})

    using(use, solver.model(double()))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("action", ["accept", "decline"])
def test_an_open_question_is_put_to_the_user(using, unclear, mode, action):
    """Whichever way the client's protocol has for that; who declines has the assumption."""
    heard: list[str] = []

    async def answer(context: Any, asked: Any) -> ElicitResult:
        from mcp_types import ElicitResult

        heard.append(asked.message)
        return ElicitResult(action=action, content={"answer": "1"} if action == "accept" else None)

    async def use(client: Client) -> None:
        begun = await call(client, "solve_start", instruction="Write what is needed.")
        assert (await ended(client, begun))["state"] == "green"
        assert len(heard) == 1
        assert "Assumed unless you answer" in heard[0]
        result = await call(client, "solve_result", id=begun["id"])
        assert len(result["assumed"]) == (action == "decline")

    using(use, unclear, mode=mode, elicitation_callback=answer)


def test_a_client_that_can_not_ask_its_user(using, unclear, monkeypatch):
    """Finds the question in the status, and answers by a tool; who asks again without an answer waits."""
    monkeypatch.setattr("tdgen.mcp.server.ANSWER_S", 0.5)

    async def use(client: Client) -> None:
        status = await call(client, "solve_start", instruction="Write what is needed.")
        status = await call(client, "solve_status", id=status["id"])
        while not status["question"]:
            status = await call(client, "solve_status", id=status["id"])
        number = status["question"]["number"]
        began = time.monotonic()
        assert (await call(client, "solve_status", id=status["id"]))["question"] == status["question"]
        assert time.monotonic() - began > 0.4
        assert "solve_answer" in status["next"]
        assert "not open" in await refused(client, "solve_answer", id=status["id"], question=number + 1, answer="1")
        status = await call(client, "solve_answer", id=status["id"], question=number, answer="1")
        assert (await ended(client, status))["state"] == "green"

    using(use, unclear)


def test_no_answer_is_late(using, solver, double, gate, monkeypatch):
    """Whatever the work takes a call ends soon, with a heartbeat until then; and wild polling does no harm."""
    monkeypatch.setattr("tdgen.mcp.server.ANSWER_S", 0.5)
    monkeypatch.setattr("tdgen.mcp.server.BEAT_S", 0.1)
    gated = gate(solver.model(double()), "implement")
    beats: list[float] = []

    async def beat(progress: float, total: float | None, message: str | None) -> None:
        beats.append(progress)

    async def use(client: Client) -> None:
        begun = await call(client, "solve_start", instruction="double(n)")
        result = await client.call_tool("solve_status", {"id": begun["id"]}, progress_callback=beat)
        assert result.structured_content["state"] == "running"
        assert len(beats) >= 2
        polls = await asyncio.gather(*(call(client, "solve_status", id=begun["id"]) for _ in range(100)))
        assert {poll["state"] for poll in polls} == {"running"}
        assert "is running: ask solve_status" in await refused(client, "solve_result", id=begun["id"])
        gated.open.set()
        assert (await ended(client, begun))["state"] == "green"

    using(use, gated)


def test_cancelling(using, solver, double, gate):
    """Ends a solve, and other work; nothing more is asked of the model."""
    gated = gate(solver.model(double()), "cases")

    async def use(client: Client) -> None:
        for tool in ("solve_start", "write_tests"):
            gated.waiting.clear()
            waiting = asyncio.create_task(call(client, tool, instruction=f"double(n), for {tool}"))
            assert await asyncio.to_thread(gated.waiting.wait, 20)
            if tool == "write_tests":
                gated.open.set()
            status = await waiting
            if tool == "solve_start":
                await call(client, "solve_cancel", id=status["id"])
                gated.open.set()
                assert (await ended(client, status))["state"] == "cancelled"
                gated.open.clear()

    using(use, gated)


def test_tests_alone_and_then_their_judgement(using, solver, double):
    """An agent has tests written, writes the code itself, and hears whether the tests hold for it."""

    async def use(client: Client) -> None:
        written = (await ended(client, await call(client, "write_tests", instruction="double(n)")))["result"]
        assert next(iter(written["contracts"])).startswith("def double(")
        (tests,) = written["files"].values()
        right, wrong = "def double(number): return number * 2", "def double(number): return number"
        judged = [
            (await ended(client, await call(client, "judge", code=code, tests=tests, module=written["module"])))[
                "result"
            ]
            for code in (right, wrong)
        ]
        assert [one["holds"] for one in judged] == [True, False]
        assert judged[0]["strength"]
        assert judged[1]["failures"]

    using(use, solver.model(double()))


def test_what_can_not_be_used_is_said_in_a_line(using, solver, double, tmp_path):
    """By each tool, at once."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "bare.py").write_text("def f():\n    return 1\n")

    async def use(client: Client) -> None:
        for tool, arguments, told in [
            ("solve_start", {"instruction": " "}, "instruction"),
            ("solve_start", {"instruction": "x" * 1_000_000}, "characters"),
            ("solve_start", {"instruction": "double(n)", "budget": "calls=100000"}, "at most calls=30"),
            ("solve_start", {"instruction": "double(n)", "budget": "wishes=3"}, "wishes"),
            ("solve_start", {"instruction": "double(n)", "trust": "sloppy"}, "trust"),
            ("solve_start", {"instruction": "double(n)", "follow": "abc123"}, "abc123"),
            ("solve_start", {"instruction": "double(n)", "tests": "def f(:"}, "your test file is not Python"),
            ("solve_status", {"id": "none"}, "there is no work 'none'"),
            ("solve_result", {"id": "x" * 900}, "there is no work"),
            ("solve_cancel", {"id": "none"}, "there is no work"),
            ("solve_answer", {"id": "none", "question": 1, "answer": ""}, "there is no work"),
            ("verify", {"key": "none"}, "none"),
            ("judge", {"code": "def f(:", "tests": ""}, "can't be read"),
            ("guard", {"path": "../other.py"}, "leads out of"),
            ("guard", {"path": "/etc/passwd"}, "leads out of"),
            ("guard", {"path": "none.py"}, "none.py"),
            ("guard", {"path": "a\0b"}, "is no path"),
            ("guard", {"path": "bare.py"}, "nothing to guard"),
        ]:
            begun = await client.call_tool(tool, arguments)
            said = begun.content[0].text if begun.is_error else begun.structured_content["error"]
            assert told in said, (tool, arguments, said)
            assert "Traceback" not in said

    using(use, solver.model(double()))
