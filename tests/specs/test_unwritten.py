"""What stands in a module for a function that nobody has written yet."""

from __future__ import annotations

import ast

import pytest

from tdgen.specs.unwritten import stub, unwritten
from tdgen.types import FunctionSpec, Parameter, Returns


def spec(purpose: str = "Counts days. Then more.", **more) -> FunctionSpec:
    given = Parameter(name="day", type="date", default="date(2024, 1, 1)")
    return FunctionSpec(name="count", purpose=purpose, parameters=(given,), returns=Returns(type="int"), **more)


@pytest.mark.parametrize("is_async", [False, True])
def test_a_stub_raises_whenever_it_is_called(is_async):
    """It has the signature, what that names, and the first sentence of the purpose."""
    source = stub(spec(is_async=is_async))
    assert "from datetime import date\n" in source
    assert "def count(day: date = date(2024, 1, 1)) -> int:" in source
    assert '"""Counts days."""' in source
    assert 'raise NotImplementedError("count is not written yet")' in source
    assert unwritten(source, ("count",)) == ("count",)


@pytest.mark.parametrize("purpose", ['Says "no" \\ never', "", 'It ends with "x"', '"""'])
def test_any_purpose_is_a_docstring(purpose):
    """Whatever characters it has."""
    ast.parse(stub(spec(purpose)))


def test_what_a_module_lacks():
    """A function without a body is as missing as one that is not there; of what is no Python nothing can be said."""
    module = "def a():\n    return 1\n\n\ndef b():\n    ...\n\n\nasync def c():\n    raise NotImplementedError\n"
    assert unwritten(module, ("a", "b", "c", "d")) == ("b", "c", "d")
    assert unwritten("def a(:", ("a",)) == ()
