"""What prompts say of web applications, and when."""

from __future__ import annotations

import pytest

from tdgen.prompts.web import web_cases, web_scope


@pytest.mark.parametrize(
    ("package", "application", "client"),
    [
        ("fastapi", "fastapi.FastAPI", "client = TestClient(create_app())"),
        ("starlette", "starlette.applications.Starlette", "client = TestClient(create_app())"),
        ("flask", "flask.Flask", "client = create_app().test_client()"),
    ],
)
def test_where_a_framework_is_allowed_a_web_api_is_in_scope(package, application, client):
    """The planner hears what to plan, and both it and the author how requests are sent."""
    scope, cases = web_scope({package, "numpy"}), web_cases("create_app", application)
    assert f"`create_app() -> {application}`" in scope
    assert client in scope
    assert client in cases


def test_else_nothing_is_said():
    """Neither to the planner where none is allowed, nor to the author of other functions' tests."""
    assert web_scope({"numpy", "pydantic"}) == ""
    assert web_cases("total", "int") == ""


def test_routes_that_are_documented_are_compared_where_there_is_a_document():
    """FastAPI makes one of its routes; Flask does not."""
    assert "make_app().openapi()" in web_cases("make_app", "fastapi.FastAPI")
    assert "openapi" not in web_cases("make_app", "flask.Flask")
