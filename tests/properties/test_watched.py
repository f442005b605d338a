"""Reading what a watched run says, which a candidate may have written."""

from __future__ import annotations

import ast
import json

import pytest

from tdgen.properties.watched import MOST_CALLS, Watching, read_watched

TOLD = {
    "test": "test_x",
    "types": ["builtins.AssertionError", "builtins.Exception"],
    "message": "no",
    "example": {"n": "1"},
    "calls": [{"args": ["1"], "kwargs": {}}],
}


def line(**changes: object) -> str:
    return "tdgen-watched " + json.dumps(TOLD | changes)


def test_the_last_word_on_a_test_counts():
    """What the run itself says comes after all that a candidate printed."""
    log = "\n".join([line(message="forged"), "1 failed", line(), line(test="test_y"), "the end"])
    found = read_watched(log, "test_x")
    assert found is not None
    assert found.message == "no"
    assert found.calls[0].args == ["1"]


@pytest.mark.parametrize(
    "log",
    [
        "",
        "tdgen-watched",
        "tdgen-watched {",
        "tdgen-watched []",
        "tdgen-watched " + "[" * 100_000,
        line(test="test_y"),
        line(calls=[{"args": [1], "kwargs": {}}]),
        line(types="builtins.AssertionError"),
    ],
    ids=["nothing", "no text", "no JSON", "a list", "deep", "another test", "no source", "no list"],
)
def test_nonsense_is_nothing(log):
    """It is never an exception."""
    assert read_watched(log, "test_x") is None


def test_what_is_read_is_bounded():
    """However much a candidate writes."""
    found = read_watched(line(calls=TOLD["calls"] * 1000, message="x\n" * 9000), "test_x")
    assert found is not None
    assert len(found.calls) == MOST_CALLS
    assert len(found.message) <= 2000


@pytest.mark.parametrize("watching", [Watching("double"), Watching("double", seed=7, shrink=False)])
def test_the_conftest_is_python_without_gaps(watching):
    """Every place in it is filled."""
    source = watching.conftest()
    assert "$" not in source
    assert ast.get_docstring(ast.parse(source)) == "Watches what an example of a property does with double."
    assert ("Phase.shrink" in source) is watching.shrink
