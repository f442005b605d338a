"""Contracts and cases in few words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tdgen.types import Case, Field, FunctionSpec, Parameter, Returns, SharedType, Value

POINT = SharedType(
    name="Point",
    kind="dataclass",
    fields=(Field(name="x", type="int"), Field(name="label", type="str | None", default="None")),
)
COLOR = SharedType(name="Color", kind="enum", fields=(Field(name="RED", default="1"), Field(name="BLUE", default="2")))


@pytest.fixture
def spec() -> Callable[..., FunctionSpec]:
    """`spec("a: int", "b: str = 'x'")` is the contract of a function `f`."""

    def build(*parameters: str, **more) -> FunctionSpec:
        found = []
        for text in parameters:
            name, _, rest = text.partition(": ")
            kind, _, default = rest.partition(" = ")
            found.append(Parameter(name=name, type=kind, default=default or None))
        return FunctionSpec(name="f", purpose="-", returns=Returns(type="int"), parameters=tuple(found), **more)

    return build


@pytest.fixture
def case() -> Callable[..., Case]:
    """`case("1", "'a'")` calls `f(1, 'a')`."""
    return lambda *arguments, **more: Case(
        name="c", function="f", arguments=arguments, expectation=more.pop("expectation", Value(source="0")), **more
    )
