"""Web frameworks whose applications answer requests without a server: what prompts say of them.

A web application is a function that makes one. A case sends requests to it in its setup, by the framework's own test
client, and looks at status and body as plain data.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from tdgen.prompts import render


class _Framework(NamedTuple):
    """A framework: the packages it is written with, its class of applications, a client for one, how a body is read."""

    packages: tuple[str, ...]
    application: str
    client: str = "TestClient({}())"
    body: str = "answer.json()"


_FRAMEWORKS: Final = (
    _Framework(("fastapi", "pydantic"), "fastapi.FastAPI"),
    _Framework(("starlette",), "starlette.applications.Starlette"),
    _Framework(("flask",), "flask.Flask", "{}().test_client()", "answer.get_json()"),
)
_OPENAPI: Final = (
    " One case holds the documented routes against the words, where these settle how each path is spelled: `call` "
    "\"sorted((method, path) for path, methods in {}().openapi()['paths'].items() for method in methods)\", `value` "
    "\"[('get', '/pens/{{pen_id}}'), ('post', '/pens')]\"."
)


def web_scope(packages: Collection[str]) -> str:
    """What the planner is told of web applications, where one of the frameworks is among the packages allowed."""
    one = next((one for one in _FRAMEWORKS if one.packages[0] in packages), None)
    if one is None:
        return ""
    about = {"framework": one.packages[0], "packages": ", ".join(one.packages), "application": one.application}
    return "\n" + render("tdgen.specs", "web", client=one.client.format("create_app"), body=one.body, **about)


def web_cases(function: str, returns: str) -> str:
    """What the author of tests is told of a function that returns a web application."""
    one = next((one for one in _FRAMEWORKS if one.application == returns), None)
    if one is None:
        return ""
    openapi = _OPENAPI.format(function) if returns == "fastapi.FastAPI" else ""
    return "\n" + render("tdgen.testgen", "web", client=one.client.format(function), body=one.body, openapi=openapi)
