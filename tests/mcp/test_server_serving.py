"""The tools in the service: behind its guard, on its queue."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from tdgen.web.callers import only_caller
from tdgen.web.listening import Address, listening
from tdgen.web.run_folder import RunFolder
from tdgen.web.server import Queue, make_server

if TYPE_CHECKING:
    from mcp import Client

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="tdgen's extra mcp is not installed")

TOKEN = "a-token-of-some-length"
LET_IN = {"authorization": f"Bearer {TOKEN}"}


@asynccontextmanager
async def service(generator: Any, root: Path | None) -> AsyncIterator[httpx2.AsyncClient]:
    """Who may call a service that has a token, in this loop."""
    from tdgen.mcp.server import in_service

    address, ready = Address(port=0, callers=(only_caller(TOKEN),)), asyncio.Event()
    with listening(address) as listener:
        server = make_server(generator, RunFolder(generator.folder), address, Queue(), ready.set, in_service(root))
        serving = asyncio.create_task(server.serve([listener]))
        await ready.wait()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        async with httpx2.AsyncClient(base_url=url, headers=LET_IN, timeout=30, trust_env=False) as http:
            yield http
        server.should_exit = True
        await serving


@pytest.fixture
def using(solver) -> Callable[..., None]:
    """Use the tools of a service, and the service itself."""

    def run(use: Callable[[Client, httpx2.AsyncClient], Awaitable[None]], model: Any, root: Path | None = None) -> None:
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        async def go() -> None:
            async with service(solver.generator(model), root) as http:
                tools = streamable_http_client(str(http.base_url.join("/mcp")), http_client=http)
                async with Client(tools) as client:
                    await use(client, http)

        asyncio.run(go())

    return run


async def told(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool gives, once its work has ended."""
    status = (await client.call_tool(tool, arguments)).structured_content
    while status["state"] in ("queued", "running"):
        status = (await client.call_tool("solve_status", {"id": status["id"]})).structured_content
    return status


def test_agents_and_the_page_share_a_queue(using, solver, double):
    """A run that an agent began is seen over HTTP, and an agent sees one that was begun there, to its result."""

    async def use(client: Client, http: httpx2.AsyncClient) -> None:
        agents = await told(client, "solve_start", instruction="double(n)")
        assert (await http.get(f"/runs/{agents['id']}")).json()["state"] == "green"
        posted = (await http.post("/runs", json={"instruction": "double(n), from the page"})).json()["id"]
        assert (await told(client, "solve_status", id=posted))["state"] == "green"
        result = await client.call_tool("solve_result", {"id": posted})
        assert result.structured_content["all_tests_passed"]
        listed = json.loads((await client.read_resource("tdgen://runs")).contents[0].text)
        assert [one["id"] for one in listed] == [posted, agents["id"]]

    using(use, solver.model(double()))


def test_the_services_guard_stands_before_the_tools(using, solver):
    """Its token, its hosts, its bound on a request; a page of another origin is refused."""

    async def use(client: Client, http: httpx2.AsyncClient) -> None:
        for headers, status in (
            ({"authorization": "Bearer wrong"}, 401),
            ({"origin": "http://evil.example"}, 403),
            ({"host": "evil.example"}, 421),
        ):
            answer = await http.post("/mcp", json={}, headers=headers)
            assert (answer.status_code, list(answer.json())) == (status, ["error"])
        assert (await http.post("/mcp", content=b"x" * 1_000_001)).status_code == 413

    using(use, solver.model())


def test_without_a_root_no_file_is_shown(using, solver):
    """Callers of a service may be on another machine: whoever starts it says which project they may name."""

    async def use(client: Client, http: httpx2.AsyncClient) -> None:
        refused = await client.call_tool("guard", {"path": "kit.py"})
        assert "tdgen serve --root FOLDER" in refused.content[0].text

    using(use, solver.model())


@pytest.mark.slow
def test_what_no_call_needs_yet_is_not_loaded():
    """A client waits for the first word, some of them 5 s: the service's routes and the pipeline come later."""
    late = {"fastapi", "tdgen.pipeline", "tdgen.web.server"}
    code = f"import sys, tdgen.mcp.server; sys.exit(' '.join({late!r} & {{*sys.modules}}) or 0)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
