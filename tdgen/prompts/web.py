"""Web frameworks whose applications answer requests without a server: what prompts say of them.

A web application is a function that makes one. A case sends requests to it in its setup, by the framework's own test
client, and looks at status and body as plain data.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from tdgen.prompts import render


class _Framework(NamedTuple):
    """A framework: the packages it is written with, its class of applications, and a client for one.

    `body` reads an answer's body, `raw` sends one that is no JSON.
    """

    packages: tuple[str, ...]
    application: str
    client: str = "TestClient({}())"
    body: str = "answer.json()"
    raw: str = "client.post('/pens', content='{', headers={'content-type': 'application/json'})"


_RAW_FLASK: Final = "client.post('/pens', data='{', content_type='application/json')"
_FRAMEWORKS: Final = (
    _Framework(("fastapi", "pydantic", "starlette"), "fastapi.FastAPI"),
    _Framework(("starlette",), "starlette.applications.Starlette"),
    _Framework(("flask", "werkzeug"), "flask.Flask", "{}().test_client()", "answer.get_json()", _RAW_FLASK),
)
_OPENAPI: Final = (
    " One case compares the documented routes with the words: `call` "
    "\"sorted((method, re.sub('{{.+?}}', '{{}}', path)) for path, methods in {}().openapi()['paths'].items() "
    "for method in methods)\", `value` \"[('get', '/pens/{{}}'), ('post', '/pens')]\"."
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
    client = one.client.format(function)
    return "\n" + render("tdgen.testgen", "web", client=client, body=one.body, raw=one.raw, openapi=openapi)
