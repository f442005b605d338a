"""A test author who knows the contract, whatever call it is asked about, and functions for it to be asked about."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tdgen.build import patch_search, second_reading, strengthening
from tdgen.protocols import Answer, Model, Request
from tdgen.settings.policy import POLICIES
from tdgen.types import Job, Report

Known = Callable[..., object]


class Knowing:
    """A scripted model whose word on calls is what `known` gives for their arguments: None where it is open."""

    def __init__(self, script: Any, known: Known) -> None:
        self._script: Model = script
        self._known = known
        self._own: list[Request] = []

    @property
    def asked(self) -> tuple[Request, ...]:
        """Every request so far, those on calls last."""
        return (*self._script.asked, *self._own)

    @property
    def calls(self) -> list[str]:
        """The calls that were to be settled, in their order."""
        return [call for request in self._own for _, call in calls_of(request)]

    def ask(self, request: Request) -> Answer:
        """The script's answer, or one on the calls that are listed."""
        if request.purpose != "settle":
            return self._script.ask(request)
        self._own.append(request)
        told = [{"number": number} | self._told(call) for number, call in calls_of(request)]
        return Answer(text=json.dumps({"answers": told}))

    def _told(self, call: str) -> dict[str, str]:
        tree = ast.parse(call, mode="eval").body
        try:
            given = self._known(*(ast.literal_eval(argument) for argument in tree.args))
        except ValueError:
            return {"expect": "raises", "value": "ValueError"}
        return {"expect": "open"} if given is None else {"expect": "value", "value": repr(given)}


def calls_of(request: Request) -> list[tuple[int, str]]:
    """The calls of a request to settle them, with their numbers."""
    told = request.messages[-1].content.rpartition("<calls>")[2].partition("</calls>")[0]
    return [(int(number), call) for number, call in re.findall(r"^(\d+)\. `(.*)`$", told, re.MULTILINE)]


class Recorder:
    """A sandbox that keeps what it was asked to run."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.jobs: list[Job] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def run(self, job: Job) -> Report:
        """Note the job, and run it."""
        self.jobs.append(job)
        report: Report = self.inner.run(job)
        return report


@pytest.fixture
def recorder(solver):
    """The solver's sandbox, which keeps what it was asked to run."""
    return Recorder(solver.sandbox)


def be_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give time for all that is tried."""
    for level in ("standard", "strict"):
        monkeypatch.setitem(POLICIES, level, POLICIES[level]._replace(seconds=60.0))
    for module in (strengthening, second_reading, patch_search):
        monkeypatch.setattr(module, "PATIENCE_S", 2.0)


@pytest.fixture(autouse=True)
def no_mutants(change_policy):
    """Where nobody is patient, green is strengthened by nothing that takes time."""
    for level in ("standard", "strict"):
        change_policy(level, seconds=0.0)


@pytest.fixture
def patient(no_mutants, monkeypatch):
    """What a busy machine makes slow is not taken for endless, and there is time for all that is tried."""
    be_patient(monkeypatch)


def solve_knowing(solver: Any, function: Any, gives: Known, **settings: Any) -> Any:
    """Solve a function at trust level standard with a test author who knows what its calls must give."""
    model = Knowing(solver.model(function), gives)
    return solver.solve(function, model=model, settings={"trust": "standard"} | settings)


@pytest.fixture
def known(solver):
    """Solves a function with such an author."""
    return partial(solve_knowing, solver)


@pytest.fixture(scope="module")
def strengthened(one_studio, grade):
    """`grade`, right at once, with an author who knows what its calls must give; nobody may change it."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setitem(POLICIES, "standard", POLICIES["standard"]._replace(readings=0))
        be_patient(monkeypatch)
        right = grade("return 'pass' if points >= 50 else 'fail'")
        return solve_knowing(one_studio, right, lambda points: "pass" if points >= 50 else "fail")


@pytest.fixture(scope="session")
def grade(write):
    """`grade(points)`, passed from 50 on, with cases that are far from there; the tries are given."""

    def make(*tries: str, points=(10, 20, 80, 90), **more: Any):
        cases = [write.returns(f"grade({n})", repr("pass" if n >= 50 else "fail")) for n in points]
        return write.function(
            "grade(points: int) -> str",
            "'pass' from 50 points on, else 'fail'.",
            cases=cases,
            tries=[f"def grade(points: int) -> str:\n    {body}" for body in tries],
            **more,
        )

    return make
