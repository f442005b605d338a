"""A project of many lines, generated: what its context and a case in it cost, in time and memory.

All functions have a docstring and a body, each module imports another, and one function is a stub. Each measurement
has a process of its own, so that what one has read is in no other's memory.
"""

from __future__ import annotations

import resource
import statistics
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from project_costs import FEW, FILES, MANY, WAYS, processor_s
from tables import table

from tdgen.project.filling import read_filling

LINES = (10_000, 100_000)
FUNCTIONS = 40
"""In each module of 400 lines."""
ROUNDS = 3
FUNCTION = '''

def part_{number}(items: list[int], limit: int = {number}) -> int:
    """The sum of those of `items` that are below `limit` times {number}."""
    total = 0
    for item in items:
        if item < limit * {number}:
            total += item
    return total
'''
STUB = '''

def whole(items: list[int]) -> int:
    """The sum of `items`, by `part_1`."""
    raise NotImplementedError
'''


class Reading(NamedTuple):
    """What reading a task cost: seconds by the clock and of the processor, and the process's memory in MiB."""

    seconds: float
    processor_s: float
    memory: float


def generate(root: Path, lines: int) -> Path:
    """Write a project of so many lines, the modules that cases are tried in among them; the module with the stub."""
    package = root / "shop"
    package.mkdir(parents=True)
    root.chmod(0o755)
    (root / "pyproject.toml").write_text("[project]\nname = 'shop'\n", encoding="utf-8")
    for name, text in FILES.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    body = "".join(FUNCTION.format(number=number) for number in range(1, FUNCTIONS + 1))
    count = lines // len(body.splitlines())
    for number in range(count):
        head = f"from shop import m{number - 1}\n" if number else ""
        tail = STUB if number == count - 1 else ""
        (package / f"m{number}.py").write_text(f'"""Sums, part {number}."""\n\n{head}{body}{tail}', encoding="utf-8")
    return package / f"m{count - 1}.py"


def read(module: Path, folder: Path) -> Reading:
    """Read the stub's task with all that prompts see of the project."""
    clock, processor = time.perf_counter(), time.process_time()
    read_filling([f"{module}::whole"], folder)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Reading(time.perf_counter() - clock, time.process_time() - processor, memory)


def read_apart(module: Path, folder: Path) -> Reading:
    """The same in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(read, module, folder).result()


def large_project() -> None:
    """Print the table: of each size the medians of some rounds."""
    rows = []
    for lines in LINES:
        with tempfile.TemporaryDirectory(prefix="tdgen-large-") as scratch:
            module = generate(Path(scratch, "project"), lines)
            kept = Path(scratch, "index")
            first = [read_apart(module, Path(scratch, f"index-{number}")) for number in range(ROUNDS)]
            read_apart(module, kept)
            again = [read_apart(module, kept) for _ in range(ROUNDS)]
            cases = [_times(module.parents[1]) for _ in range(ROUNDS)]
        middle = [Reading(*map(statistics.median, zip(*found, strict=True))) for found in (first, again)]
        rows.append(
            (lines, *middle[0][:2], *middle[1][:2], middle[0].memory, middle[1].memory, statistics.median(cases))
        )
    head = ("lines", "first s", "processor s", "again s", "processor s", "first MiB", "again MiB", "a case, times")
    table(f"A large project's context, and a case beside the same without a project, medians of {ROUNDS}", head, rows)


def _times(root: Path) -> float:
    """How many times a case in the project costs what it costs without one, by turns."""
    alone, inside = (processor_s(way, MANY, root) - processor_s(way, FEW, root) for way in WAYS[:2])
    return inside / alone
