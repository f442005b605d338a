"""Thousands of instructions: `python benchmarks/bench_batch.py` prints what a batch costs beside its model.

- A: lines that are all in the cache: lines a second, and the process's peak memory at 1,000 and at 10,000 of them
- B: HumanEval's 164 problems and the simulated model, whose answers are recorded first and played again then, so that
  what is left is tdgen's own time, at trust quick and standard
- C: the same batch as a command, killed with SIGKILL in the middle and given again: are the rows the same, and was any
  question asked again that had been answered?

B and C read the data set when they run (`--data`, or BENCHMARK_DATA); where it is not there they are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from simulated.bench import Bench
from simulated.endpoint import MODEL, Endpoint, tokens
from simulated.mind import SimulatedModel
from simulated.problems import Problem, data_path, load
from tables import table

from tdgen.batch import run_file
from tdgen.batch.results import Row
from tdgen.cache import Solutions, open_store
from tdgen.client import Generator
from tdgen.demo import demo_instruction, demo_settings
from tdgen.errors import InputError
from tdgen.protocols import Answer, Request
from tdgen.settings import Settings
from tdgen.specs.instruction import read_instruction
from tdgen.types import Limits, Trust, Usage, digest

TRUSTS: tuple[Trust, ...] = ("quick", "standard")
_LIMITS = Limits(wall_s=2.0, cpu_s=4.0)
_COMPARED = ("id", "outcome", "functions", "source", "cases", "first_failed", "last_failed", "repairs")
_MEASURED = """
import json, resource, sys
from pathlib import Path
from tdgen.batch import run_file
from tdgen.demo import demo_settings
file, out, cache = sys.argv[1:]
settings = demo_settings(cache)
summary = run_file(Path(file), Path(out), settings=settings)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"seconds": summary.seconds, "peak": peak, "cached": summary.cached}))
"""


class Remembered:
    """The simulated model behind the Model protocol: who asks the same words again gets the same answer.

    `fresh` counts the answers that were worked out, and `again` those that were played again.
    """

    def __init__(self, simulated: SimulatedModel) -> None:
        self._simulated = simulated
        self._lock = threading.Lock()
        self._answers: dict[str, str] = {}
        self.fresh = 0
        self.again = 0

    def reply(self, body: Mapping[str, Any]) -> str:
        """The answer to a chat completion's body."""
        key = digest([body["messages"], body.get("response_format")])
        with self._lock:
            known = self._answers.get(key)
            self.again += known is not None
        if known is None:
            known = self._simulated.reply(dict(body))
            with self._lock:
                self.fresh += 1
                self._answers[key] = known
        return known

    def ask(self, request: Request) -> Answer:
        """The answer to a request. Samples of one question are told apart."""
        messages = [message.model_dump() for message in request.messages]
        body: dict[str, Any] = {"messages": messages, "sample": request.sample}
        if request.schema_name:
            wanted = {"name": request.schema_name, "schema": request.json_schema}
            body["response_format"] = {"type": "json_schema", "json_schema": wanted}
        text = self.reply(body)
        prompt = sum(tokens(message.content) for message in request.messages)
        return Answer(
            text=text, usage=Usage(calls=1, prompt_tokens=prompt, completion_tokens=tokens(text)), model=MODEL
        )


def main() -> int:
    """Run the parts and print their tables; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="", help="HumanEval.jsonl.gz or its folder; else BENCHMARK_DATA")
    parser.add_argument("--parts", default="ABC", help="which of the parts A to C")
    parser.add_argument("--problems", type=int, default=None, help="only the first so many problems")
    parser.add_argument("--lines", type=int, nargs="+", default=[1_000, 10_000], help="cached lines of A")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if "A" in options.parts:
            cached(Path(folder), options.lines)
        if set(options.parts) & set("BC"):
            try:
                path = data_path(options.data)
            except InputError as error:
                print(f"B and C are left out: {error}")
                return 0
            with closing(Bench.open()) as bench:
                problems = load(path, bench.sandbox)[: options.problems]
                if "B" in options.parts:
                    own_time(Path(folder), problems, bench)
                if "C" in options.parts:
                    killed(Path(folder), problems, bench)
    return 0


def cached(folder: Path, sizes: Sequence[int]) -> None:
    """Part A."""
    cache = folder / "cache"
    settings = demo_settings(cache)
    instruction = demo_instruction()
    texts = [f"{instruction}\nThis is wish number {number}." for number in range(max(sizes))]
    with Generator(settings) as generator, closing(open_store(str(cache))) as store:
        solution = generator.solve(instruction)
        kept = Solutions(store)
        for text in texts:
            update = {"instruction": text, "key": generator.key(read_instruction(text))}
            kept.put(solution.model_copy(update=update))
    rows = []
    for size in sizes:
        file = folder / f"{size}.jsonl"
        file.write_text(
            "".join(json.dumps({"id": str(n), "instruction": t}) + "\n" for n, t in enumerate(texts[:size]))
        )
        command = [sys.executable, "-c", _MEASURED, str(file), str(folder / f"out{size}"), str(cache)]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        rows.append([f"{size:,}", found["cached"], found["seconds"], size / found["seconds"], found["peak"]])
    table("A: lines that are in the cache", ["lines", "cached", "seconds", "lines a second", "peak MiB"], rows)


def own_time(folder: Path, problems: Sequence[Problem], bench: Bench) -> None:
    """Part B."""
    model = Remembered(SimulatedModel(problems, bench))
    file = _file(folder, problems)
    rows = []
    for trust in TRUSTS:
        for turn in ("recorded", "played"):
            model.fresh = model.again = 0
            place = folder / f"{trust}-{turn}"
            settings = Settings(trust=trust, cache_dir=str(place / "cache"), limits=_LIMITS, model=MODEL)
            before = _processor()
            with Generator(settings, model=model) as generator:
                summary = run_file(file, place / "out", settings=settings, generator=generator, on_row=_tell_failure)
        counts = " ".join(f"{number} {name}" for name, number in sorted(summary.outcomes.items()))
        calls, wall, busy = (n / len(problems) for n in (summary.usage.calls, summary.seconds, _processor() - before))
        rows.append([trust, counts, calls, 1000 * wall, 1000 * busy, model.fresh])
    head = ["trust", "ended", "calls a problem", "ms a problem, played again", "of processor", "answers not recorded"]
    table(f"B: {len(problems)} problems beside the model, {_load()}", head, rows)


def killed(folder: Path, problems: Sequence[Problem], bench: Bench) -> None:
    """Part C."""
    model = Remembered(SimulatedModel(problems, bench))
    file = _file(folder, problems)
    with Endpoint(model.reply) as endpoint:

        def command(name: str) -> list[str]:
            where = ["-o", str(folder / name), "--cache-dir", str(folder / f"{name}-cache"), "--base-url", endpoint.url]
            return [sys.executable, "-m", "tdgen", "batch", str(file), *where, "--trust", "quick", "-m", MODEL, "-q"]

        subprocess.run(command("whole"), check=False, env=_environment())
        asked, model.fresh, model.again = len(endpoint.asked), 0, 0
        process = subprocess.Popen(command("cut"), env=_environment())
        while process.poll() is None and _finished(folder / "cut") < len(problems) // 2:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        at_kill = _finished(folder / "cut")
        subprocess.run(command("cut"), check=False, env=_environment())
        cut_asked = len(endpoint.asked) - asked
        # What differs between two runs that nobody killed is the clock's work, not the kill's.
        subprocess.run(command("other"), check=False, env=_environment())
        other_asked = len(endpoint.asked) - asked - cut_asked
    whole = dict(_compared(folder / "whole"))
    rows = [["uninterrupted", "", len(whole), "", asked]]
    for name, title, at, questions in (
        ("cut", "killed and given again", at_kill, cut_asked),
        ("other", "uninterrupted again", "", other_asked),
    ):
        found = dict(_compared(folder / name))
        rows.append([title, at, len(found), sum(whole[key] != found.get(key) for key in whole), questions])
    head = ["run", "finished at the kill", "rows in the end", "other than the first run's", "questions answered"]
    table(f"C: killed in the middle, {_load()}", head, rows)


def _processor() -> float:
    """Seconds of processor that this process and the sandboxes that it closed have used."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _tell_failure(row: Row, ended: int, total: int) -> None:
    if row.outcome == "failed":
        print(f"  {row.id} ({ended} of {total}): {row.reason}")


def _file(folder: Path, problems: Sequence[Problem]) -> Path:
    path = folder / "problems.jsonl"
    rows = ({"id": problem.name, "instruction": problem.instruction} for problem in problems)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TDGEN_")}
    # A search that ends by the clock finds now this, now that: without it two runs can be compared.
    return {**kept, "OPENAI_API_KEY": "none", "TDGEN_SEARCH_SECONDS": "0"}


def _finished(folder: Path) -> int:
    path = folder / "results.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _compared(folder: Path) -> Iterator[tuple[str, list[Any]]]:
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    twice = [name for name, number in Counter(row["id"] for row in rows).items() if number > 1]
    if twice:
        raise InputError(f"{twice[0]} has two rows")
    for row in rows:
        yield row["id"], [row[name] for name in _COMPARED]


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


if __name__ == "__main__":
    sys.exit(main())
