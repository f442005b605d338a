"""From prose to green with a web application: requests are sent to it in the sandbox, without a server."""

from __future__ import annotations

import pytest

from tdgen.sandbox.packages import Packages
from tests.scripted import Solver

APP = """
import starlette.applications
from starlette.responses import JSONResponse
from starlette.routing import Route


def create_app() -> starlette.applications.Starlette:
    '''An application that keeps the names it is sent.'''
    names: list[str] = []

    async def add(request):
        names.append((await request.json())["name"])
        return JSONResponse({"id": len(names)}, status_code=201)

    async def show(request):
        number = request.path_params["number"]
        if number > len(names):
            return JSONResponse({"detail": "no such name"}, status_code=404)
        return JSONResponse({"name": names[number - 1]})

    return starlette.applications.Starlette(
        routes=[Route("/names", add, methods=["POST"]), Route("/names/{number:int}", show)]
    )
"""
CLIENT = "client = TestClient(create_app())\n"
ADD = "client.post('/names', json={'name': 'Ada'})\n"


@pytest.fixture
def web_studio(array_sandbox, tmp_path):
    """A solver whose user allows starlette, which is installed for the tests beside numpy."""
    pytest.importorskip("starlette")
    made = Solver(array_sandbox, array_sandbox, tmp_path / "cache", Packages(imports=frozenset({"starlette"})))
    yield made
    made.close()


@pytest.fixture
def create_app(write):
    """`create_app()`, with requests as cases, of which later ones depend on earlier ones."""

    def make(*tries):
        answered = "[answer.status_code, answer.json()]"
        cases = [
            write.returns(answered, value, name=name, setup=CLIENT + setup)
            for name, setup, value in [
                ("added", f"answer = {ADD}", "[201, {'id': 1}]"),
                ("kept", f"{ADD}answer = client.get('/names/1')", "[200, {'name': 'Ada'}]"),
                ("counted", f"{ADD}{ADD}answer = {ADD}", "[201, {'id': 3}]"),
                ("not_there", f"{ADD}answer = client.get('/names/2')", "[404, {'detail': 'no such name'}]"),
            ]
        ]
        return write.function("create_app() -> starlette.applications.Starlette", cases=cases, tries=tries)

    return make


def test_an_application_is_solved_by_requests(web_studio, create_app):
    """The author of tests hears how they are sent, and the tests that are written send them."""
    solved = web_studio.solve(create_app(APP), packages=["starlette"])
    assert solved["create_app"].outcome == "green", solved["create_app"].reason
    (asked,) = solved.prompts("cases", "create_app")
    assert "Each case sends requests" in asked
    tests = solved.solution.test_files["test_create_app.py"]
    assert "\n\nfrom starlette.testclient import TestClient\n\n" in tests
    assert 'answer = client.get("/names/1")' in tests


def test_a_wrong_status_is_told_with_the_request(web_studio, create_app):
    """As any other difference, and mended."""
    wrong = APP.replace("status_code=404", "status_code=400")
    solved = web_studio.solve(create_app(wrong, APP), packages=["starlette"])
    assert solved["create_app"].outcome == "green", solved["create_app"].reason
    (repair,) = solved.prompts("repair", "create_app")
    assert "[0]: 400, expected 404" in repair
    assert "client.get('/names/2')" in repair
