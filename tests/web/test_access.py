"""The access log says who was answered how, and nothing of what was said."""

from __future__ import annotations

import asyncio
import logging

import pytest

from tdgen.web.access import LONGEST, AccessLog


async def answering(scope, receive, send):
    """An application that finds nothing."""
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b"secret"})


async def failing(scope, receive, send):
    """One that breaks before it answers."""
    raise ConnectionResetError


def asked(app, path="/runs", **scope):
    """Ask for a path; what is sent is lost."""

    async def nothing(*_):
        return {}

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"token=secret", "headers": []} | scope
    asyncio.run(AccessLog(app)(scope, nothing, nothing))


def test_a_request_is_one_line(caplog):
    """Method, path, status, milliseconds; no query. What a path would forge is quoted, and a long one cut."""
    caplog.set_level(logging.INFO, "tdgen.access")
    asked(answering)
    asked(answering, "/a\nGET /forged 200")
    asked(answering, "/" + "x" * 10_000)
    told = [record.getMessage() for record in caplog.records]
    assert told[0].startswith("GET /runs 404 ")
    assert "secret" not in "".join(told)
    assert told[1].startswith("GET /a%0AGET%20/forged%20200 404 ")
    assert len(told[2]) < LONGEST + 40
    assert caplog.records[0].tdgen_status == 404


def test_what_is_never_answered(caplog):
    """Is told with status 0, and what went wrong goes on its way."""
    caplog.set_level(logging.INFO, "tdgen.access")
    with pytest.raises(ConnectionResetError):
        asked(failing)
    assert "GET /runs 0 " in caplog.text


def test_nobody_listens(caplog):
    """Nothing is told."""
    asked(answering)
    assert caplog.records == []
