"""What a cluster adds to a batch: `python benchmarks/bench_cluster.py` prints three tables.

- A: lines a second with a model that takes a second for each answer, on 1, 2, 4 and 8 processes of this machine that
  have each solved a line before, beside what as many would do that take no time of their own; the processor time of a
  line, and at how many lines a second that fills the processors
- B: the processor time of a line in one process and in a cluster of one, with a model that answers at once, in turns
  that alternate while both are open and warm: so what they differ by stands out of the noise; beside it that of a task
  that does nothing, and of a second in which nothing is done
- C: lines that a team's store has, through a redis-server, each of other code: judged again on a machine that sees them
  for the first time, and from that machine's cache then, by one process and by a cluster of two; and a tenth as many of
  code that could reach others

Timings of a busy machine are low: the load is told with each table. C needs a redis-server (`.ci/redis`).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from processes import processor_seconds
from simulated import multiples
from simulated.endpoint import Endpoint
from tables import table

from tdgen.batch import run_file
from tdgen.cache.solutions import solution_place, solution_text
from tdgen.client import Generator
from tdgen.cluster import connected
from tdgen.errors import StoreError
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.specs.instruction import read_instruction
from tdgen.team.redis import RedisStore

ANSWERS_A_LINE = 3
IDLE_S = 5.0
PATTERN = 123_457_001
"""None of its multiples that the cases name is a part of another text of its solution."""
APART = "\n\nfrom functools import cache\n"
"""A line of code that could reach others in its process."""


def main() -> int:
    """Run the parts and print their tables; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default="ABC", help="which of the parts A to C")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4, 8], help="how many processes in A")
    parser.add_argument("--lines", type=int, default=12, help="lines a worker in A, and of each turn in B")
    parser.add_argument("--turns", type=int, default=8, help="turns of B")
    parser.add_argument("--cached", type=int, default=10_000, help="lines of C")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "A" in options.parts:
            throughput(folder, options.workers, options.lines)
        if "B" in options.parts:
            overhead(folder, options.lines, options.turns)
        if "C" in options.parts:
            through_redis(folder, options.cached)
    return 0


def throughput(folder: Path, workers: Sequence[int], lines: int) -> None:
    """Part A: each worker solves one line at a time."""
    rows = []
    single = 0.0
    with Endpoint(multiples.reply, latency=1.0) as endpoint:
        for number in workers:
            place = folder / f"A{number}"
            place.mkdir()
            settings = _settings(place, endpoint.url, concurrency=number)
            with _open(settings, number) as given:
                run_file(_file(place, 1, number), place / "first", settings=settings, **given)
                began = processor_seconds()
                summary = run_file(
                    _file(place, number + 1, (lines + 1) * number), place / "out", settings=settings, **given
                )
                each = (processor_seconds() - began) / (lines * number)
            rate = summary.outcomes.get("green", 0) / summary.seconds
            single = single or rate / number
            of_model, of_one = rate / (number / ANSWERS_A_LINE), rate / (number * single)
            rows.append([number, lines * number, rate, of_model, of_one, 1000 * each, (os.cpu_count() or 1) / each])
    head = ["workers", "green", "lines a second", "of the model's own rate", "of linear"]
    head += ["processor ms a line", "full at lines a second"]
    table(f"A: answers of 1 s, {ANSWERS_A_LINE} a line, {_load()}", head, rows)


def overhead(folder: Path, lines: int, turns: int) -> None:
    """Part B: one process, and a cluster of one with as many threads."""
    names = ("one process", "a cluster of one")
    spent: dict[str, list[float]] = {name: [] for name in names}
    with Endpoint(multiples.reply) as endpoint, ExitStack() as opened:
        open_ones = {}
        for workers, name in enumerate(names):
            place = folder / f"B{workers}"
            place.mkdir()
            settings = _settings(place, endpoint.url, concurrency=2)
            open_ones[name] = place, settings, opened.enter_context(_open(settings, workers))
        began = processor_seconds()
        time.sleep(IDLE_S)
        idle = (processor_seconds() - began) / IDLE_S
        nothing = _of_nothing(open_ones[names[1]][2]["executor"])
        for turn in range(turns + 1):  # the first warms
            for name in names if turn % 2 else reversed(names):
                place, settings, given = open_ones[name]
                file = _file(place, turn * lines + 1, (turn + 1) * lines)
                began, wall = processor_seconds(), time.monotonic()
                run_file(file, place / f"out-{turn}", settings=settings, **given)
                # What the open cluster takes while one process works is none of that one's.
                others = idle * (time.monotonic() - wall) if name == names[0] else 0.0
                if turn:
                    spent[name].append(1000 * (processor_seconds() - began - others) / lines)
    more = [there - here for here, there in zip(*spent.values(), strict=True)]
    rows = [[name, statistics.mean(each), _error(each)] for name, each in {**spent, "difference": more}.items()]
    rows += [["a task that does nothing", 1000 * nothing, ""], ["a second of nothing", 1000 * idle, ""]]
    head = ["how", "processor ms a line", "standard error"]
    table(f"B: answers at once, {turns} turns of {lines} lines, {_load()}", head, rows)


def _of_nothing(executor: Executor) -> float:
    """Processor seconds of a task that does nothing, one after the other."""
    for wanted in (20, 200):  # the first warm
        began = processor_seconds()
        for _ in range(wanted):
            executor.submit(abs, 1).result()
    return (processor_seconds() - began) / wanted


def _error(each: Sequence[float]) -> float:
    return statistics.stdev(each) / math.sqrt(len(each))


def through_redis(folder: Path, lines: int) -> None:
    """Part C."""
    rows = []
    with redis(folder) as address:
        for how, key, tail, number in (
            ("signed", "a team's key", "", lines),
            ("not signed", "", "", lines),
            ("signed, any code", "a team's key", APART, lines // 10),
            ("not signed, any code", "", APART, lines // 10),
        ):
            place = folder / f"C-{how}"
            settings = _settings(place, "http://127.0.0.1:9/v1", concurrency=4, store=address, store_key=key)
            made = _kept_for_the_team(place, settings, number, tail)
            for by, workers in (("", 0), (", a cluster of two", 2)):
                its_own = settings.changed(cache_dir=str(place / f"cache-{workers}"))
                with _open(its_own, workers) as given:
                    for what in (f"judged again, {how}{by}", f"from this machine's cache{by}"):
                        began = processor_seconds()
                        summary = run_file(made, place / what, settings=its_own, **given)
                        busy = processor_seconds() - began
                        rows.append([what, number, summary.cached, number / summary.seconds, 1000 * busy / number])
    head = ["lines of the team's", "lines", "green from a cache", "lines a second", "processor ms a line"]
    table(f"C: through a redis-server, {_load()}", head, rows)


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    """A redis-server on a socket; the address of a store there."""
    found = shutil.which("redis-server")
    if not found:
        raise SystemExit("there is no redis-server here: .ci/redis installs it on Debian")
    given = [found, "--port", "0", "--unixsocket", f"{folder}/s", "--save", "", "--dir", str(folder)]
    server = subprocess.Popen(given, stdout=subprocess.DEVNULL)
    address = f"unix://{folder}/s?namespace=bench"
    try:
        for _ in range(200):
            with suppress(StoreError):
                RedisStore(address).get("ready")
                break
            time.sleep(0.05)
        yield address
    finally:
        server.kill()
        server.wait()


def _kept_for_the_team(folder: Path, settings: Settings, lines: int, tail: str) -> Path:
    """A file of lines that the team's store has: one solved, the rest made after it. Their code ends with `tail`."""
    folder.mkdir()
    with Endpoint(multiples.reply) as endpoint:
        own = settings.changed(cache_dir=str(folder / "ci"), store="", base_url=endpoint.url)
        with Generator(own) as generator:
            pattern = solution_text(generator.solve(multiples.instruction(PATTERN)))
            server = RedisStore(settings.store.get_secret_value(), settings.store_key.get_secret_value().encode())
            file = folder / "C.jsonl"
            with file.open("w") as out:
                for number in range(1, lines + 1):
                    text = multiples.instruction(number)
                    key = generator.key(read_instruction(text))
                    server.put(solution_place(key), solution_text(_variant(pattern, number, key, tail)))
                    out.write(json.dumps({"id": str(number), "instruction": text}) + "\n")
    return file


def _variant(pattern: str, number: int, key: str, tail: str) -> Solution:
    """The solution for another number; all that it multiplies has that number in it as well."""
    for factor in (7, 2, 1):
        pattern = pattern.replace(str(factor * PATTERN), str(factor * number))
    made = Solution.model_validate_json(pattern)
    return made.model_copy(update={"key": key, "module_source": made.module_source + tail})


@contextmanager
def _open(settings: Settings, workers: int) -> Iterator[dict[str, Any]]:
    """What solves lines: this process (0 workers), or a cluster of so many."""
    if not workers:
        with Generator(settings) as generator:
            generator.open()  # as a cluster's are
            yield {"generator": generator}
    else:
        with connected(f"local:{workers}", settings, settings.concurrency) as cluster:
            yield {"executor": cluster, "at_once": cluster.threads}


def _file(folder: Path, first: int, last: int) -> Path:
    """A file of the lines of these numbers."""
    file = folder / f"lines-{first}.jsonl"
    rows = ({"id": str(n), "instruction": multiples.instruction(n)} for n in range(first, last + 1))
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def _settings(folder: Path, url: str, **more: Any) -> Settings:
    return Settings(
        base_url=url,
        api_key="none",
        model="multiples",
        trust="quick",
        search_seconds=0,
        cache_dir=str(folder / "cache"),
        **more,
    )


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


if __name__ == "__main__":
    sys.exit(main())
