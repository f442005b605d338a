"""What a function's cases cost in each language, side by side, without a model.

The same function, in Python, JavaScript, TypeScript, C and C++, is run by turns on one case and on more; in a page a
case opens a document that shows the sum, and reads it, or clicks on it first. Told is the time of a whole run in a warm
sandbox, from the job to the report, a moment after the one before it, as a model's answer takes longer, and at once;
and the processor that all of its processes took, also for what they had ready before. What is compiled is told compiled
anew, and kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from shutil import which
from statistics import median
from typing import NamedTuple

from processes import processor_seconds

from tdgen.language import Language
from tdgen.languages.c import C
from tdgen.languages.cpp import Cpp
from tdgen.languages.javascript import JavaScript
from tdgen.languages.page import PageScript
from tdgen.languages.typescript import TypeScript
from tdgen.protocols import Sandbox
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.server import Opened
from tdgen.types import FunctionSpec, Job, Limits, Parameter, Plan, Probe, Returns

ROUNDS, MORE = 15, 11
PAUSE_S, BROWSER_S = 0.25, 1.5
"""The moment, and that in which a browser starts; where others take the processor both may be too short."""
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
SHOWING = Plan(
    module="kit",
    packages=("dom",),
    functions=(
        FunctionSpec(
            name="show",
            purpose="",
            parameters=(Parameter(name="root", type="dom.Element"), Parameter(name="numbers", type="list[int]")),
            returns=Returns(type="None"),
        ),
    ),
)
READ = "int(page.inner_text('button'))"
SHOWN = """function show(root, numbers) {
  const button = document.createElement("button");
  button.textContent = numbers.reduce((sum, one) => sum + one, 0);
  button.addEventListener("click", () => { button.textContent = Number(button.textContent) + 1; });
  root.replaceChildren(button);
}"""
OPEN = "page = dom.Page('<main id=\"app\"></main>')\nshow(page.locator('#app'), [1, {}, {}])"
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


class Candidate(NamedTuple):
    """Code, where it is run and within which limits, and a case of it, of a number: it gives three more."""

    sandbox: Sandbox
    source: str
    limits: Limits
    call: str = "total([1, 2, {0}])"
    setup: str = ""
    pause_s: float = PAUSE_S
    anew: Callable[[], str] | None = None
    """The source with something else in it each time, where it is made into a program that is kept else."""


def timed(one: Candidate, cases: int, pause_s: float) -> Spent:
    """One run of so many cases, after a pause."""
    probes = tuple(
        Probe(name=str(n), setup=one.setup.format(n, 2 - ("click" in one.setup)), call=one.call.format(n))
        for n in range(cases)
    )
    job = Job(module="kit", source=one.anew() if one.anew else one.source, probes=probes, limits=one.limits)
    before = processor_seconds(own=False)
    time.sleep(pause_s)
    began = time.perf_counter()
    report = one.sandbox.run(job)
    taken = time.perf_counter() - began
    if [seen.value for seen in report.observations] != [3 + n for n in range(cases)]:
        raise SystemExit(f"a run came out wrong: {report.observations[0]}")
    return Spent(taken * 1000, (processor_seconds(own=False) - before) * 1000)


def candidates() -> dict[str, Candidate]:
    """By the name of each row what is run."""
    found = {"Python": Candidate(LocalSandbox(), PYTHON, Limits())}
    languages: tuple[Language, ...] = (JavaScript(), TypeScript(), C(), Cpp(), PageScript())
    for language in languages:
        if missing := [program for program in language.programs if which(program) is None]:
            print(f"{language.name}: {missing[0]} is not here: {language.advice}")
            continue
        limits = Limits(memory_mb=512 + language.overhead_mb, wall_s=30, cpu_s=60)
        sandbox = language.keeping(LocalSandbox(opened=Opened.to_run(language, limits)))
        if language.browses:
            shown = Candidate(sandbox, language.module(SHOWING, {"show": SHOWN}, ""), limits, READ, OPEN, BROWSER_S)
            found["a page, read"] = shown
            found["a page, clicked"] = shown._replace(setup=f"{OPEN}\npage.click('button')")
        else:
            source = language.module(PLAN, {"total": SOURCES[language.name]}, "")
            found[language.name] = Candidate(sandbox, source, limits)
            if language.compiles:
                again = _modules(language)
                found[f"{language.name}, compiled"] = found[language.name]._replace(anew=partial(next, again))
    return found


def _modules(language: Language) -> Iterator[str]:
    """What stands for the function, each time with another comment."""
    for number in count():
        yield language.module(PLAN, {"total": f"{SOURCES[language.name]}/* {number} */\n"}, "")


def print_costs(rounds: int = ROUNDS) -> None:
    """Print the table."""
    runs = candidates()
    spent: dict[tuple[str, int, float], list[Spent]] = {}
    for turn in range(rounds + 2):
        for name, one in runs.items():
            for cases, pause_s in _ways(one):
                found = timed(one, cases, pause_s)
                if turn >= 2:
                    spent.setdefault((name, cases, pause_s), []).append(found)
    print(f"| language | one case | at once | of a processor | each further | of a processor |   ({rounds} rounds)")
    print("|---|---|---|---|---|---|")
    for name, run in runs.items():
        one, more, soon = ([median(values) for values in zip(*spent[name, *way], strict=True)] for way in _ways(run))
        each = [(b - a) / (MORE - 1) for a, b in zip(one, more, strict=True)]
        print(
            f"| {name} | {one[0]:.1f} ms | {soon[0]:.1f} ms | {one[1]:.0f} ms | {each[0]:.2f} ms | {each[1]:.2f} ms |"
        )
        run.sandbox.close()


def _ways(one: Candidate) -> tuple[tuple[int, float], ...]:
    """How many cases, after which pause: one, more, and one at once."""
    return (1, one.pause_s), (MORE, one.pause_s), (1, 0)
