"""How long pytest takes to start with tdgen's plugin, and without: `make bench-plugin`.

Two environments have pytest alone and pytest beside an installed tdgen. In each a file with one test is run, in turns.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
import venv
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROUNDS = 60
ROOT = Path(__file__).resolve().parents[1]
INSTALLED = {"without": ["pytest>=9.2,<10"], "with": ["pytest>=9.2,<10", "--no-deps", str(ROOT)]}


def made(folder: Path, what: list[str]) -> Path:
    """The interpreter of a new environment."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    for words in (what[:1], what[1:]):
        if words:
            subprocess.run(
                [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *words], check=True
            )
    return python


class Start(NamedTuple):
    """How long a start took, and how much of a processor: the latter depends little on what else runs."""

    seconds: float
    processor: float


def start(python: Path, folder: Path) -> Start:
    """One start, from the process's begin to its end."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    words = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    subprocess.run(words, check=True, cwd=folder, stdout=subprocess.DEVNULL, env=environment)
    taken, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Start(taken, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def main() -> None:
    """Print the table."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else ROUNDS
    with TemporaryDirectory() as made_in:
        folder = Path(made_in)
        pythons = {name: made(folder / name, what) for name, what in INSTALLED.items()}
        tests = folder / "tests"
        tests.mkdir()
        (tests / "test_one.py").write_text("def test_one():\n    assert True\n")
        starts: dict[str, list[Start]] = {name: [] for name in pythons}
        for number in range(rounds + 3):
            for name, python in pythons.items():
                taken = start(python, tests)
                if number >= 3:
                    starts[name].append(taken)
    print(f"{'plugin':<8} {'':<10} {'median':>8} {'quartiles':>17}   ({rounds} starts each, in turns)")
    for field in Start._fields:
        for name, taken in starts.items():
            low, middle, high = quantiles([getattr(one, field) for one in taken])
            told = f"{middle * 1000:>5.0f} ms {low * 1000:>6.0f} to {high * 1000:>4.0f} ms"
            print(f"{name:<8} {field:<10} {told}")
        ratio = median(getattr(one, field) for one in starts["with"]) / median(
            getattr(one, field) for one in starts["without"]
        )
        print(f"ratio of the medians: {ratio:.3f}")


if __name__ == "__main__":
    main()
