"""Where a solve's time goes beside the model's: run `python benchmarks/bench_solve.py`, it prints its tables.

The demo's instruction is solved with its recorded answers, so that the model's share is nil. Whole commands are run as
processes, in turn with what they are compared with; medians are shown with the fastest and slowest run.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tables import head, row, timed

from tdgen.client import Generator
from tdgen.demo import demo_instruction, demo_settings
from tdgen.events import Event, ModelAnswered, StageFinished


def solves(runs: int) -> None:
    """Cold, warm and cached solves in one process, and what each step takes."""
    cold, warm, cached = [], [], []
    steps: dict[str, list[float]] = {}
    model = 0.0

    def hear(event: Event) -> None:
        nonlocal model
        if isinstance(event, StageFinished):
            steps.setdefault(event.stage, []).append(event.seconds)
        elif isinstance(event, ModelAnswered):
            model += event.seconds

    text = demo_instruction()
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            settings = demo_settings(folder).model_copy(update={"fresh": True})
            with Generator(settings, on_event=hear) as generator:
                cold.append(timed(lambda: generator.solve(text)))
                steps.clear()
                warm += [timed(lambda: generator.solve(text)) for _ in range(3)]
            with Generator(demo_settings(folder)) as generator:
                generator.solve(text)
                cached += [timed(lambda: generator.solve(text)) for _ in range(20)]
    head("the demo's solve, without the model")
    row("cold: sandbox, libraries and all", cold, f"the scripted model took {1000 * model:.1f} ms of all runs")
    row("warm: the sandbox is up", warm)
    row("cached repeat in a running process", cached)
    head("the steps of a warm solve")
    for name, seconds in steps.items():
        row(name, seconds)


def commands(runs: int) -> None:
    """Whole commands in turn with what they are measured against."""
    with tempfile.TemporaryDirectory() as folder:
        cache = str(Path(folder, "cache"))
        settings = demo_settings(cache)
        text = Path(folder, "instruction.txt")
        text.write_text(demo_instruction(), encoding="utf-8")
        with Generator(settings) as generator:
            generator.solve(demo_instruction())
        options = ["--script", settings.script, "--trust", "quick", "--cache-dir", cache, "--quiet"]
        solve = [str(Path(sys.executable).with_name("tdgen")), "solve", str(text), *options]
        pairs = {
            "tdgen solve, cached": (solve, [sys.executable, "-c", "import pydantic, typer"]),
            "import tdgen": (
                [sys.executable, "-c", "import tdgen"],
                [sys.executable, "-c", "from pydantic import BaseModel"],
            ),
            "import tdgen, first use of tdgen.Solution": (
                [sys.executable, "-c", "import tdgen; tdgen.Solution"],
                [sys.executable, "-c", "from pydantic import BaseModel"],
            ),
        }
        head("whole commands, in turn")
        for name, (ours, theirs) in pairs.items():
            _in_turn(name, ours, theirs, runs)


def _in_turn(name: str, ours: list[str], theirs: list[str], runs: int) -> None:
    def once(command: list[str]) -> float:
        return timed(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    once(ours), once(theirs)
    both = [(once(ours), once(theirs)) for _ in range(runs)]
    ratio = statistics.median(a / b for a, b in both)
    row(name, [a for a, _ in both], f"{ratio:.2f} times the next line")
    row("  " + theirs[-1], [b for _, b in both])


def main() -> None:
    """Run and print all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    solves(options.runs)
    commands(3 * options.runs)


if __name__ == "__main__":
    main()
