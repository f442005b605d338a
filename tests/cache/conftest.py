"""What the cache's tests share: green solutions, and real processes to contend with."""

import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from tdgen.solution import Solution
from tdgen.types import (
    Attempt,
    Case,
    FunctionResult,
    FunctionSpec,
    Outcome,
    Plan,
    Returns,
    Suite,
    Value,
    Verdict,
    digest,
)

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def make_function() -> Callable[..., FunctionResult]:
    """Make how a function ended, green unless said otherwise."""

    def make(outcome: Outcome = "green", name: str = "double") -> FunctionResult:
        case = Case(name="two", function=name, arguments=("2",), expectation=Value(source="4"))
        verdict = Verdict(function=name, case="two", passed=outcome == "green", status="returned", actual="4")
        source = f"def {name}(n: int) -> int:\n    return n * 2\n"
        best = Attempt(function=name, number=1, source=source, verdicts=(verdict,))
        suite = Suite(function=name, cases=(case,), held_out=frozenset({"two"}))
        return FunctionResult(function=name, outcome=outcome, suite=suite, best=best)

    return make


@pytest.fixture
def make_solution(make_function: Callable[..., FunctionResult]) -> Callable[..., Solution]:
    """Make a solution of one function, green unless said otherwise."""

    def make(instruction: str = "Double a number.", *, key: str = "", outcome: Outcome = "green") -> Solution:
        spec = FunctionSpec(name="double", purpose="Doubles.", returns=Returns(type="int"))
        return Solution(
            key=key or digest(instruction),
            instruction=instruction,
            plan=Plan(module="doubling", functions=(spec,)),
            results=(make_function(outcome),),
            module_source="def double(n: int) -> int:\n    return n * 2\n",
            test_files={"test_doubling.py": "def test_two():\n    assert True\n"},
            model="m",
        )

    return make


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a Python process that runs a script with arguments; what still runs at the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(script: str, *arguments: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", script, *map(str, arguments)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()
