"""Kills at random: `python benchmarks/bench_chaos.py` prints what became of a batch and a service, killed in parts.

A scheduler, workers with a cache each (as on hosts of their own), a real redis-server, `tdgen batch` and two hosts of a
service with several workers run on this machine. While lines and runs go through, one of them is killed (SIGKILL) every
few seconds and started again: a worker's process, a whole worker, the scheduler, the store, the command, a service's
process, a whole service. What must come out: each line has one row, each run that was taken has ended and its events
are numbered without a gap, all are green and right, and no question was answered twice beyond those that were on their
way at a kill.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from simulated import multiples
from simulated.endpoint import Endpoint
from simulated.prompts import read
from tables import table

VICTIMS: Final = ("worker's process", "worker", "scheduler", "store", "command", "service's process", "service")
ENDED: Final = (0, 1)
FIRST_RUN: Final = 100_001
"""Runs of the service are no lines of the batch."""


class Counted:
    """The model, who counts how often each question was answered, and how many are on their way."""

    def __init__(self, latency: float) -> None:
        self.answered: Counter[str] = Counter()
        self.flying = 0
        self._latency = latency
        self._lock = threading.Lock()

    def reply(self, body: dict[str, Any]) -> str:
        """The answer, after a while."""
        with self._lock:
            self.flying += 1
        time.sleep(self._latency)
        text = multiples.reply(body)
        with self._lock:
            self.flying -= 1
            self.answered[f"{read(body).stage} {text}"] += 1
        return text


class Asker:
    """Who posts runs to whichever host of the service answers, and waits for all that were taken."""

    def __init__(self, ports: Sequence[int], runs: int, every: float) -> None:
        self._ports = cycle(ports)
        self._wanted = [multiples.instruction(FIRST_RUN + number) for number in range(runs)]
        self._every = every
        self.taken: dict[str, str] = {}
        self.unanswered = 0
        self._thread = threading.Thread(target=self._post, daemon=True)

    def start(self) -> None:
        """Begin to post."""
        self._thread.start()

    @property
    def is_done(self) -> bool:
        """Whether all was posted and has ended."""
        if self._thread.is_alive():
            return False
        rows = self.asked("/runs")
        return rows is not None and all(row["ended"] for row in rows)

    def asked(self, path: str, body: object = None) -> Any:
        """What one of the hosts answers; None where it does not."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{next(self._ports)}{path}", data, {"content-type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - of our own making
                return json.load(answer) if path[-7:] != "/events" else answer.read().decode()
        except (OSError, http.client.HTTPException):
            return None

    def _post(self) -> None:
        for instruction in self._wanted:
            while (record := self.asked("/runs", {"instruction": instruction})) is None:
                self.unanswered += 1
                time.sleep(0.5)
            self.taken[record["id"]] = instruction
            time.sleep(self._every)


class Fleet:
    """All processes by name; who has ended is started again, but for the command, which may have come to its end."""

    def __init__(
        self, folder: Path, url: str, workers: int, lines: Path, ports: Sequence[int], chance: random.Random
    ) -> None:
        self._folder = folder
        self._chance = chance
        store, scheduler = _free_port(), _free_port()
        address = f"tcp://127.0.0.1:{scheduler}"
        own = {k: v for k, v in os.environ.items() if not k.startswith(("TDGEN_", "XDG_"))}
        self._environment = own | {
            "TDGEN_STORE": f"redis://127.0.0.1:{store}/0?namespace=chaos",
            "TDGEN_STORE_KEY": "a team's key",
            "TDGEN_BASE_URL": url,
            "TDGEN_API_KEY": "none",
            "TDGEN_MODEL": "multiples",
            "TDGEN_TRUST": "quick",
            "TDGEN_SEARCH_SECONDS": "0",
            # Here workers die for no fault of their lines.
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "20",
        }
        dask, tdgen = ([sys.executable, "-m", module] for module in ("distributed.cli.dask_scheduler", "tdgen"))
        redis = shutil.which("redis-server") or "redis-server"
        self.commands: dict[str, list[str]] = {
            "store": [redis, "--port", str(store), "--appendonly", "yes", "--appendfsync", "always", "--save", ""],
            "scheduler": [*dask, "--host", "127.0.0.1", "--port", str(scheduler), "--no-dashboard"],
            **{f"worker {n}": [*tdgen, "worker", address, "--threads", "4"] for n in range(1, workers + 1)},
            **{
                f"service {n}": [*tdgen, "serve", "--port", str(port), "--workers", "2", "--waiting", "1000"]
                for n, port in enumerate(ports, 1)
            },
            "command": [*tdgen, "batch", str(lines), "-o", str(folder / "out"), "--cluster", address, "-q"],
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def tend(self) -> bool:
        """Start what does not run; whether the command has come to its end."""
        for name, command in self.commands.items():
            process = self.processes.get(name)
            code = process.poll() if process else None
            if process and (code is None or (name == "command" and code in ENDED)):
                continue
            self.processes[name] = self._started(name, command)
        return self.processes["command"].poll() in ENDED

    def kill(self, victim: str) -> bool:
        """Kill one of that kind; whether there was one."""
        if victim in ("store", "scheduler", "command"):
            return self._killed(self.processes[victim].pid)
        kind, _, part = victim.partition("'")
        host = self._chance.choice([p for name, p in self.processes.items() if name.startswith(kind)])
        if not part:
            return self._killed(host.pid)
        # A worker's keeper starts it from a thread of its own.
        children = Path(f"/proc/{host.pid}/task").glob("*/children")
        found = [pid for some in children for pid in some.read_text().split()]
        # All of a service's; of a worker's the one that solves, not the one that keeps count of resources.
        solving = [
            pid for pid in found if kind == "service" or b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]
        return bool(solving) and self._killed(int(self._chance.choice(solving)))

    def close(self) -> None:
        """End all of them."""
        for process in reversed(self.processes.values()):
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()

    def _killed(self, pid: int) -> bool:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            return True
        return False

    def _started(self, name: str, command: Sequence[str]) -> subprocess.Popen[bytes]:
        place = self._folder / name.replace(" ", "-")
        place.mkdir(exist_ok=True)
        environment = self._environment | {"XDG_CACHE_HOME": str(place / "cache")}
        with (place / "log").open("ab") as log:
            return subprocess.Popen(command, cwd=place, env=environment, stdout=log, stderr=log)


def main() -> int:
    """Run it, print what came of it; 0 where nothing was lost, doubled, wrong or paid too often."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=100, help="runs of the service")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--latency", type=float, default=1.0, help="seconds that the model takes")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between kills, in the mean")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the logs of all processes")
    options = parser.parse_args()
    chance = random.Random(options.seed)  # noqa: S311 - it picks whom to kill
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or Path(name)
        folder.mkdir(exist_ok=True)
        file = folder / "lines.jsonl"
        file.write_text("".join(f"{json.dumps(line)}\n" for line in _lines(options.lines)))
        model = Counted(options.latency)
        with Endpoint(model.reply) as endpoint:
            ports = [_free_port(), _free_port()]
            fleet = Fleet(folder, endpoint.url, options.workers, file, ports, chance)
            asker = Asker(ports, options.runs, options.lines * options.latency / options.runs / 10)
            began = time.monotonic()
            try:
                kills, flying = _chaos(fleet, asker, model, options.every, chance)
                seconds = time.monotonic() - began
                fleet.tend()
                faults = _service_faults(asker)
            finally:
                fleet.close()
        return _told(folder / "out", options.lines, asker, faults, model, kills, flying, seconds)


def _lines(number: int) -> list[dict[str, str]]:
    return [{"id": str(n), "instruction": multiples.instruction(n)} for n in range(1, number + 1)]


def _service_faults(asker: Asker) -> list[str]:
    """What is wrong with the service's runs."""
    rows = {row["id"]: row for row in _until(lambda: asker.asked("/runs"))}
    faults = []
    for identity, instruction in asker.taken.items():
        row = rows.get(identity)
        number = instruction.partition("(")[0].removeprefix("times_")
        if row is None:
            faults.append(f"run {identity} is lost")
            continue
        told = _until(lambda identity=identity: asker.asked(f"/runs/{identity}/events"))
        numbers = [int(line[4:]) for line in told.splitlines() if line.startswith("id: ")]
        if row["state"] != "green":
            faults.append(f"run {identity} is {row['state']}")
        elif (
            f"{number} * number"
            not in _until(lambda identity=identity: asker.asked(f"/runs/{identity}/solution"))["module_source"]
        ):
            faults.append(f"run {identity} is wrong")
        if numbers != list(range(1, len(numbers) + 1)) or told.count('"event":"run_ended"') != 1:
            faults.append(f"the events of run {identity} have a gap, or another end than one")
    return faults


def _until(call: Callable[[], Any]) -> Any:
    """What it gives, asked again while it gives nothing."""
    while (found := call()) is None:
        time.sleep(0.5)
    return found


def _chaos(fleet: Fleet, asker: Asker, model: Counted, every: float, chance: random.Random) -> tuple[Counter[str], int]:
    """Kill until the command has come to its end; how often whom, and what was on its way at these moments."""
    kills: Counter[str] = Counter()
    flying = 0
    due = time.monotonic() + 3 * every
    asker.start()
    while not (fleet.tend() and asker.is_done):
        if time.monotonic() >= due:
            victim = chance.choice(VICTIMS)
            on_their_way = model.flying
            if fleet.kill(victim):
                kills[victim] += 1
                flying += on_their_way
            due = time.monotonic() + chance.uniform(0.5, 1.5) * every
        time.sleep(0.2)
    return kills, flying


def _told(
    out: Path,
    lines: int,
    asker: Asker,
    faults: Sequence[str],
    model: Counted,
    kills: Mapping[str, int],
    flying: int,
    seconds: float,
) -> int:
    rows = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    ids = Counter(row["id"] for row in rows)
    lost = lines - len(ids)
    doubled = sum(ids.values()) - len(ids)
    wrong = sum(row["outcome"] != "green" or f"{row['id']} * number" not in row["source"] for row in rows)
    again = sum(model.answered.values()) - len(model.answered)
    found = [
        ["lines", lines],
        ["seconds", seconds],
        *([f"kills: {name}", count] for name, count in kills.items()),
        ["lines lost", lost],
        ["lines with two rows", doubled],
        ["lines not green, or wrong", wrong],
        ["runs that the service took", len(asker.taken)],
        ["posts without an answer", asker.unanswered],
        ["faults of runs", len(faults)],
        ["questions answered", sum(model.answered.values())],
        ["answered more than once", again],
        ["on their way at a kill", flying],
    ]
    table(f"chaos, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", ["", "figure"], found)
    for row in rows:
        if row["outcome"] != "green":
            print(f"  {row['id']} {row['outcome']}: {row['reason']}")
    print("".join(f"  {fault}\n" for fault in faults), end="")
    return int(bool(lost or doubled or wrong or faults or again > flying))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main())
