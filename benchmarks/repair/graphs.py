"""Part D, graphs of functions: ten generations, each on the one before, one function in each wrong at first.

The wrong ones give a constant at first and are mended by one model repair. Their model answers after a stated
number of seconds. Three figures bound the wall time: the **longest path** is what the model alone takes where
nothing waits for anything but what it needs (the plan, the cases, and along the dependencies each function's
answers); our **CPU time** is that of this process and of the sandboxes it ended, over the cores; the wall should
stay within 1.2 times their sum. That is to hold on a machine that does nothing else: where others use its processors
too (a load average well above their number), the wall grows and the floor does not.
"""

from __future__ import annotations

import os
import resource
import tempfile
import time
from typing import NamedTuple

from tables import table

from repair.toys import CODE, Toy, ToyModel, fenced
from tdgen.client import Generator
from tdgen.protocols import Request
from tdgen.settings import Settings
from tdgen.settings.base import Budget
from tdgen.types import Trust

GENERATIONS = 10
_INPUTS = (0, 1, 5, -3, 12)
_PRIME = 1_000_003


class Ran(NamedTuple):
    """One graph solved; all times in seconds."""

    functions: int
    latency: float
    green: bool
    wall: float
    path: float
    cpu: float
    calls: int
    load: float

    @property
    def floor(self) -> float:
        """The longest path and our CPU time over the cores."""
        return self.path + self.cpu / len(os.sched_getaffinity(0))


def graph(functions: int) -> list[Toy]:
    """That many functions in ten generations."""
    width = max(1, functions // GENERATIONS)
    values: dict[tuple[int, int], dict[int, int]] = {}
    toys = []
    for generation in range(GENERATIONS):
        for place in range(width):
            below = [(generation - 1, place), (generation - 1, (place + 1) % width)] if generation else []
            names = [f"step_{g}_{p}" for g, p in dict.fromkeys(below)]
            body = " + ".join([f"{name}(x)" for name in names] or ["x"])
            gives = {
                x: (sum(values[b][x] for b in dict.fromkeys(below)) if below else x) * 3 % _PRIME + place
                for x in _INPUTS
            }
            values[generation, place] = gives
            toys.append(
                Toy(
                    name=f"step_{generation}_{place}",
                    purpose=f"Three times ({body}), modulo {_PRIME}, plus {place}.",
                    parameters=("x",),
                    body=f"return ({body}) * 3 % {_PRIME} + {place}",
                    gives={(x,): value for x, value in gives.items()},
                    dependencies=tuple(names),
                )
            )
    return toys


def solve(functions: int, latency: float, trust: Trust = "quick") -> Ran:
    """Solve one graph."""
    toys = graph(functions)
    model = ToyModel(toys, _wrong_at_first, latency=latency)
    before, began = _cpu(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            trust=trust,
            cache_dir=folder,
            concurrency=max(8, functions),
            max_functions=max(200, functions),
            budget=Budget(calls=None, seconds=3600),
        )
        with Generator(settings, model=model) as generator:
            solution = generator.solve(f"The {functions} functions of a benchmark, in {GENERATIONS} generations.")
            wall = time.perf_counter() - began
    return Ran(
        functions=len(toys),
        latency=latency,
        green=solution.all_tests_passed,
        wall=wall,
        path=latency * _longest_path(toys, model),
        cpu=_cpu() - before,
        calls=sum(model.asked.values()),
        load=os.getloadavg()[0],
    )


def report(runs: list[Ran]) -> None:
    """The table."""
    rows = [
        (
            one.functions,
            one.latency,
            one.green,
            one.calls,
            one.wall,
            one.path,
            one.cpu,
            one.wall / one.floor,
            1000 * (one.wall - one.path) / one.functions,
            one.load,
        )
        for one in runs
    ]
    columns = (
        "functions",
        "s an answer",
        "all green",
        "calls",
        "wall s",
        "longest path s",
        "our CPU s",
        "wall / (path + CPU/cores)",
        "ms a function beyond the path",
        "load average",
    )
    table("D. Graphs of functions in ten generations, one of each wrong at first", columns, rows)


def _wrong_at_first(toy: Toy, number: int, request: Request) -> str:
    del request
    is_faulty = toy.name.endswith("_0") and number == 1
    return fenced(toy.with_body("return 7654321") if is_faulty else toy.code)


def _longest_path(toys: list[Toy], model: ToyModel) -> int:
    """In answers: the plan, the cases that take longest, and the dearest way along the dependencies."""
    asked = model.asked
    ends: dict[str, int] = {}
    for toy in toys:
        ends[toy.name] = asked[CODE, toy.name] + max((ends[name] for name in toy.dependencies), default=0)
    cases = max(asked["cases", toy.name] for toy in toys)
    return asked["plan", ""] + cases + max(ends.values())


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
