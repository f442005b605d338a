"""`tdgen demo`: the whole way on a real instruction, with answers recorded from a language model."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from tdgen.terminal.output import Line, asked_lines, count, give_lines, one_line

if TYPE_CHECKING:
    from tdgen.client import Generator
    from tdgen.solution import Solution

Out = Annotated[Path | None, Option("--out", "-o", metavar="FOLDER", help="Write the package there.")]
FullStack = Annotated[bool, Option("--full-stack", help="A service in Python and its page instead, in a Chromium.")]


def demo(*, out: Out = None, full_stack: FullStack = False) -> int:
    """Solve a recorded instruction: no key and no network, but the real pipeline and the real sandbox.

    It shows the plan's graph, every case failing while nothing is written, a first attempt that is wrong and mended,
    the files, their tests run by plain pytest inside the sandbox, and the same instruction again, from the cache.

    \b
    tdgen demo
    tdgen demo -o work_hours               and keep the package
    tdgen demo --full-stack -o packing     a service and its page, in a Chromium
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.client import Generator
    from tdgen.demo import demo_instruction, demo_settings
    from tdgen.files.saving import Place
    from tdgen.terminal.progress import progress_teller

    if out is not None:
        Place(out).check()
    with tempfile.TemporaryDirectory(prefix="tdgen-demo-") as cache:
        instruction, settings = demo_instruction(full_stack=full_stack), demo_settings(cache, full_stack=full_stack)
        give_lines(list(asked_lines(instruction)))
        with progress_teller() as emit, Generator(settings, on_event=emit) as generator:
            solution = generator.solve(instruction)
        with Generator(settings) as generator:
            give_lines(
                [*_graph(solution), *_came_to(solution), *_files(solution, out), *_tried_again(solution, generator)]
            )
    return 0 if solution.all_tests_passed else 1


def _graph(solution: Solution) -> Iterator[Line]:
    from tdgen.depgraph import Dependencies

    yield Line("")
    yield Line("the plan's graph, dependencies first:", "strong")
    for group in Dependencies(solution.plan).order:
        for name in group:
            calls = ", ".join(solution.plan.spec(name).dependencies)
            yield Line("    " + one_line(f"{name:16}" + (f"calls {calls}" if calls else "")).rstrip())


def _came_to(solution: Solution) -> Iterator[Line]:
    from tdgen.cli.summary import failures, summary

    yield Line("")
    for result in solution.results:
        for attempt in result.history[:-1]:
            yield Line(f"{result.function}, attempt {attempt.number}, was wrong:", "bad")
            earlier = result.model_copy(update={"best": attempt})
            yield from (Line(f"    {line}") for line in failures(earlier))
    yield from summary(solution)


def _files(solution: Solution, out: Path | None) -> Iterator[Line]:
    from tdgen.outputs.places import read_package

    files = solution.files() if out is None else read_package(solution.save(out), out).files
    yield Line("")
    yield Line(f"wrote to {out}:" if out else "its files (--out FOLDER writes them):", "strong")
    for name, text in files.items():
        yield Line(f"    {name:26} {count(text.count(chr(10)), 'line')}")


def _tried_again(solution: Solution, generator: Generator) -> Iterator[Line]:
    from tdgen.cli.verifying import verified_lines

    yield Line("")
    tests = "the page's own" if solution.plan.language else "plain pytest"
    yield Line(f"its tests again, by the judge and by {tests} in the sandbox:", "strong")
    began = time.monotonic()
    verification = generator.verify(solution)
    yield from verified_lines(solution.plan.module, verification, round((time.monotonic() - began) * 1000))
    began = time.monotonic()
    again = generator.solve(solution.instruction)
    milliseconds = (time.monotonic() - began) * 1000
    how = "from the cache, without a model call" if again.cached else "solved anew"
    yield Line("")
    yield Line(f"the same instruction again: {how}, in {milliseconds:.1f} ms", "good" if again.cached else "bad")
