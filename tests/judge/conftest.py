"""Cases and specs in few words, and a sandbox that answers from a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tdgen.types import (
    Case,
    Check,
    ExpectedException,
    FunctionSpec,
    Job,
    Observation,
    Parameter,
    Probe,
    Raised,
    Report,
    Returns,
    Value,
)


class TableSandbox:
    """Answers each probe by `answer`, and keeps every job it was given."""

    def __init__(self, answer: Callable[[Probe], Observation]) -> None:
        self._answer = answer
        self.jobs: list[Job] = []

    def run(self, job: Job) -> Report:
        self.jobs.append(job)
        return Report(observations=tuple(self._answer(probe) for probe in job.probes))


@pytest.fixture
def table_sandbox() -> type[TableSandbox]:
    return TableSandbox


@pytest.fixture
def make_case() -> Callable[..., Case]:
    """A case of `f`, by default `f(1)` with the value 2."""

    def make(**changes: Any) -> Case:
        fields = {"name": "case", "function": "f", "arguments": ("1",), "expectation": Value(source="2")}
        if "raises" in changes:
            changes["expectation"] = ExpectedException(type=changes.pop("raises"), match=changes.pop("match", ""))
        if "check" in changes:
            changes["expectation"] = Check(source=changes.pop("check"))
        return Case(**fields | changes)

    return make


@pytest.fixture
def make_spec() -> Callable[..., FunctionSpec]:
    """The contract of `f(x)` with a return annotation."""

    def make(
        returns: str = "float", *, unordered: bool = False, parameters: tuple[Parameter, ...] = ()
    ) -> FunctionSpec:
        return FunctionSpec(
            name="f",
            purpose="",
            parameters=parameters or (Parameter(name="x", type="int"),),
            returns=Returns(type=returns, unordered=unordered),
        )

    return make


@pytest.fixture
def returned() -> Callable[..., Observation]:
    """A call that returned a wire value."""
    return lambda value, **fields: Observation(name="case", status="returned", value=value, **fields)


@pytest.fixture
def raised() -> Callable[..., Observation]:
    """A call that raised; the class's bases follow its name."""

    def make(*types: str, message: str = "", **fields: Any) -> Observation:
        return Observation(name="case", status="raised", raised=Raised(types=types, message=message), **fields)

    return make
