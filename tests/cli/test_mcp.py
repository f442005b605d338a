"""`tdgen mcp` in a process of its own, over stdin and stdout and over HTTP, with the protocol's own client."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

if TYPE_CHECKING:
    from mcp import Client

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="tdgen's extra mcp is not installed")

TOOLS = {"solve_start", "solve_status", "solve_answer", "solve_cancel", "solve_result", "write_tests", "judge"}
CODE = "def double(n: int) -> int:\n    return 2 * n\n"
TESTS = "from solution import double\n\ndef test_double():\n    assert double(3) == 6\n"


async def judged(client: Client) -> dict[str, Any]:
    """What a server says of tests that hold; its tools are all there."""
    assert {tool.name for tool in (await client.list_tools()).tools} == {*TOOLS, "verify", "guard"}
    status = (await client.call_tool("judge", {"code": CODE, "tests": TESTS})).structured_content
    while status["state"] == "running":
        status = (await client.call_tool("solve_status", {"id": status["id"]})).structured_content
    return status["result"]


@pytest.mark.slow
def test_over_stdin_and_stdout(tmp_path):
    """Nothing but the protocol is on stdout; the server ends with its client."""
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = StdioServerParameters(command=sys.executable, args=["-m", "tdgen", "mcp"], env=environment)

    async def use() -> dict[str, Any]:
        # by itself it writes to what was the standard error when it was imported: to a capture that has ended, perhaps
        async with Client(stdio_client(command, errlog=sys.stderr), read_timeout_seconds=60) as client:
            return await judged(client)

    assert asyncio.run(use())["holds"]


def test_over_http(start, finished):
    """On this machine alone: a page in a browser is refused, as is a request that is too large."""
    from mcp import Client

    process = start("mcp", "--http", "0")
    url = process.stderr.readline().decode().split()[2]

    async def use() -> dict[str, Any]:
        async with Client(url, read_timeout_seconds=60) as client:
            return await judged(client)

    assert asyncio.run(use())["holds"]
    with httpx2.Client(trust_env=False) as http:
        headers = {"accept": "application/json, text/event-stream"}
        page = http.post(url, json={}, headers=headers | {"origin": "http://elsewhere.example"})
        assert page.status_code == 403
        assert http.post(url, json={}, headers=headers | {"host": "elsewhere.example"}).status_code == 421
        assert http.post(url, content=b"x" * 2_000_000, headers=headers).status_code == 413
    process.send_signal(signal.SIGINT)
    assert finished(process).code == 0
