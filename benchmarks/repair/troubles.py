"""Part E, bad input: models that answer nonsense, code that is hard to speak of, and budgets of next to nothing.

Each line is one run on an instruction of two small functions, of which the second stands on the first, with a model
whose plan and cases are right. What must come of it: an end within the limits, one of the documented exit codes,
and prompts of bounded length, whatever the code returned.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from typing import NamedTuple

from tables import table

from repair.healing import crash_of
from repair.toys import Toy, ToyModel, fenced
from tdgen.client import Generator
from tdgen.errors import TdgenError
from tdgen.protocols import Request
from tdgen.settings import Settings
from tdgen.settings.base import Budget

_TOYS = (
    Toy("double", "Twice the number.", ("x",), "return 2 * x", {(0,): 0, (1,): 2, (4,): 8, (-3,): -6, (50,): 100}),
    Toy(
        "quadruple",
        "Twice the double of the number.",
        ("x",),
        "return 2 * double(x)",
        {(0,): 0, (1,): 4, (4,): 16, (-3,): -12, (50,): 200},
        dependencies=("double",),
    ),
)
_WRONG = "return len(str(x)) * 17"
_REPR = "class Odd:\n    def __repr__(self):\n        while True:\n            pass\n"


class Ended(NamedTuple):
    """How a run ended."""

    name: str
    outcome: str
    exit: int
    calls: int
    longest: int
    seconds: float


def _for_ever(body: str) -> Callable[[Toy, int, Request], str]:
    return lambda toy, number, request: fenced(toy.with_body(body))


def _first(body: str) -> Callable[[Toy, int, Request], str]:
    """The body as the first answer for each function, then the right one."""
    return lambda toy, number, request: fenced(toy.with_body(body) if number == 1 else toy.code)


def _answers(text: str) -> Callable[[Toy, int, Request], str]:
    return lambda toy, number, request: text


def _rewrites_others(toy: Toy, number: int, request: Request) -> str:
    others = [other.with_body("return 0") for other in _TOYS if other.name != toy.name]
    return fenced("\n\n".join([*others, toy.with_body(_WRONG) if number == 1 else toy.code]))


def _deletes(toy: Toy, number: int, request: Request) -> str:
    return fenced(toy.with_body(_WRONG) if number == 1 else f"def not_{toy.name}(x: int) -> int:\n    return x\n")


def _right(toy: Toy, number: int, request: Request) -> str:
    return fenced(toy.code)


_MODELS = {
    "a model that returns the same fault for ever": _for_ever(_WRONG),
    "a model that answers with prose": _answers("I would rather talk about the weather."),
    "a model that answers with nothing": _answers(""),
    "a model that deletes the function in its repair": _deletes,
    "a model that rewrites the other function": _rewrites_others,
    "code that returns 100 MB at first": _first("return 'x' * 100_000_000"),
    "code that prints 100 MB at first": _first("print('x' * 100_000_000)\nreturn -x"),
    "an object whose repr never ends, at first": _first(f"{_REPR}return Odd()"),
    "an exception with such an object at hand, at first": _first(f"{_REPR}odd = Odd()\nraise ValueError(odd)"),
    "an exception with a binary message, at first": _first("raise ValueError(b'\\xff\\x00\\xfe' * 50_000, '\\udc80')"),
    "an exception of 100 MB, at first": _first("raise ValueError('x' * 100_000_000)"),
    "code that never ends, at first": _first("while True:\n    pass"),
    "code that ends the process, for ever": _for_ever("import os\nos._exit(0)"),
}
_BUDGETS = {
    "a budget of no call": Budget(calls=0),
    "a budget of one call": Budget(calls=1),
    "a budget of no token": Budget(tokens=0),
    "a budget of one token": Budget(tokens=1),
    "a budget of no second": Budget(seconds=0),
    "a budget of one second, the model takes 0.4": Budget(seconds=1),
    "a budget of one attempt, the first is wrong": Budget(iterations=1),
}


def run_all() -> list[Ended]:
    """Every run."""
    ended = [_run(name, ToyModel(_TOYS, write), Budget()) for name, write in _MODELS.items()]
    for name, budget in _BUDGETS.items():
        write = _first(_WRONG) if budget.iterations == 1 else _right
        latency = 0.4 if budget.seconds == 1 else 0.0
        ended.append(_run(name, ToyModel(_TOYS, write, latency=latency), budget))
    return ended


def report(ended: list[Ended]) -> None:
    """The table."""
    columns = ("what", "exit", "calls", "longest prompt", "s", "outcome")
    rows = [(one.name, one.exit, one.calls, one.longest, one.seconds, one.outcome) for one in ended]
    table("E. Bad input", columns, rows)


def _run(name: str, model: ToyModel, budget: Budget) -> Ended:
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(trust="quick", cache_dir=folder, budget=budget)
        with Generator(settings, model=model) as generator:
            outcome, code = _outcome(generator)
    seconds = time.perf_counter() - began
    return Ended(name, outcome, code, sum(model.asked.values()), model.longest, seconds)


def _outcome(generator: Generator) -> tuple[str, int]:
    """What came of it in a line, and the exit code that the command would end with."""
    try:
        solution = generator.solve("Double and quadruple a number.")
    except TdgenError as error:
        return crash_of(error), error.exit_code
    except Exception as error:  # noqa: BLE001 - the other lines still count
        return crash_of(error), -1
    said = ", ".join(f"{one.function} {one.outcome} ({len(one.history)})" for one in solution.results)
    if solution.all_tests_passed:
        return said, 0
    return f"{said}{'; ' + solution.stopped if solution.stopped else ''}"[:110], 3 if solution.stopped else 1
