"""What a function's cases cost in each language, side by side, without a model.

The same function, in Python, JavaScript, TypeScript, C and C++, is run by turns on one case and on more. Told is the
time of a whole run in a warm sandbox, from the job to the report, a moment after the one before it, as a model's answer
takes longer, and at once; and the processor that all of its processes took, also for what they had ready before.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from shutil import which
from statistics import median
from typing import NamedTuple

from tdgen.language import Language
from tdgen.languages.c import C
from tdgen.languages.cpp import Cpp
from tdgen.languages.javascript import JavaScript
from tdgen.languages.typescript import TypeScript
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.server import Opened
from tdgen.types import FunctionSpec, Job, Limits, Parameter, Plan, Probe, Returns

ROUNDS, MORE = 15, 11
PAUSE_S = 0.25
PLAN = Plan(
    module="kit",
    functions=(
        FunctionSpec(
            name="total",
            purpose="",
            parameters=(Parameter(name="numbers", type="list[int]"),),
            returns=Returns(type="int"),
        ),
    ),
)
PYTHON = "def total(numbers):\n    return sum(numbers)\n"
SOURCES = {
    "JavaScript": "function total(numbers) {\n  return numbers.reduce((sum, one) => sum + one, 0);\n}\n",
    "TypeScript": (
        "function total(numbers: Array<number>): number {\n  return numbers.reduce((sum, one) => sum + one, 0);\n}\n"
    ),
    "C++": (
        "std::int64_t total(const std::vector<std::int64_t>& numbers) {\n"
        "    return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});\n}\n"
    ),
    "C": (
        "int64_t total(list_int numbers) {\n    int64_t sum = 0;\n"
        "    for (size_t n = 0; n < numbers.length; n++) sum += numbers.items[n];\n    return sum;\n}\n"
    ),
}


class Spent(NamedTuple):
    """Seconds, and those of a processor, in milliseconds."""

    wall: float
    processor: float


def processor() -> float:
    """The processor seconds of all processes that this one started, and of those that they waited for."""
    parents: dict[int, tuple[int, float]] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(folder.name)] = int(fields[1]), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def is_ours(pid: int) -> bool:
        while pid in parents:
            pid = parents[pid][0]
            if pid == os.getpid():
                return True
        return False

    return sum(spent for pid, (_, spent) in parents.items() if is_ours(pid))


def timed(sandbox: LocalSandbox, source: str, cases: int, limits: Limits, pause_s: float = 0) -> Spent:
    """One run of so many cases, after a pause."""
    probes = tuple(Probe(name=str(n), call=f"total([1, 2, {n}])") for n in range(cases))
    job = Job(module="kit", source=source, probes=probes, limits=limits)
    before = processor()
    time.sleep(pause_s)
    began = time.perf_counter()
    report = sandbox.run(job)
    taken = time.perf_counter() - began
    if [one.value for one in report.observations] != [3 + n for n in range(cases)]:
        raise SystemExit(f"a run came out wrong: {report.observations[0]}")
    return Spent(taken * 1000, (processor() - before) * 1000)


def candidates() -> dict[str, tuple[LocalSandbox, str, Limits]]:
    """By each language's name where its code is run, as what, and within which limits."""
    found = {"Python": (LocalSandbox(), PYTHON, Limits())}
    languages: tuple[Language, ...] = (JavaScript(), TypeScript(), C(), Cpp())
    for language in languages:
        if missing := [program for program in language.programs if which(program) is None]:
            print(f"{language.name}: {missing[0]} is not here: {language.advice}")
            continue
        limits = Limits(memory_mb=512 + language.overhead_mb)
        source = language.module(PLAN, {"total": SOURCES[language.name]}, "")
        found[language.name] = LocalSandbox(opened=Opened.to_run(language, limits)), source, limits
    return found


def print_costs(rounds: int = ROUNDS) -> None:
    """Print the table."""
    runs = candidates()
    spent: dict[tuple[str, int, float], list[Spent]] = {}
    for turn in range(rounds + 2):
        for name, (sandbox, source, limits) in runs.items():
            for cases, pause_s in ((1, PAUSE_S), (MORE, PAUSE_S), (1, 0)):
                found = timed(sandbox, source, cases, limits, pause_s)
                if turn >= 2:
                    spent.setdefault((name, cases, pause_s), []).append(found)
    print(f"| language | one case | at once | of a processor | each further | of a processor |   ({rounds} rounds)")
    print("|---|---|---|---|---|---|")
    for name, (sandbox, _, _) in runs.items():
        ways = ((1, PAUSE_S), (MORE, PAUSE_S), (1, 0))
        one, more, soon = ([median(values) for values in zip(*spent[name, *way], strict=True)] for way in ways)
        each = [(b - a) / (MORE - 1) for a, b in zip(one, more, strict=True)]
        print(
            f"| {name} | {one[0]:.1f} ms | {soon[0]:.1f} ms | {one[1]:.0f} ms | {each[0]:.2f} ms | {each[1]:.2f} ms |"
        )
        sandbox.close()
