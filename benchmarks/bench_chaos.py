"""Kills at random: `python benchmarks/bench_chaos.py` prints what became of a batch whose cluster was killed in parts.

A scheduler, workers with a cache each (as on hosts of their own), a real redis-server and `tdgen batch` run on this
machine. While the lines go through, one of them is killed (SIGKILL) every few seconds and started again: a worker's
process, a whole worker, the scheduler, the store, the command. What must come out: each line has one row, all are
green and right, and no question was answered twice beyond those that were on their way at a kill.
"""

from __future__ import annotations

import argparse
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
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from simulated import multiples
from simulated.endpoint import Endpoint
from simulated.prompts import read
from tables import table

VICTIMS: Final = ("worker's process", "worker", "scheduler", "store", "command")
ENDED: Final = (0, 1)


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


class Fleet:
    """All processes by name; who has ended is started again, but for the command, which may have come to its end."""

    def __init__(self, folder: Path, url: str, workers: int, lines: Path, chance: random.Random) -> None:
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
            "command": [*tdgen, "batch", str(lines), "-o", str(folder / "out"), "--cluster", address, "-q"],
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.ended: list[int] = []

    def tend(self) -> bool:
        """Start what does not run; whether the command has come to its end."""
        for name, command in self.commands.items():
            process = self.processes.get(name)
            code = process.poll() if process else None
            if process and code is None:
                continue
            if name == "command" and code is not None:
                self.ended.append(code)
                if code in ENDED:
                    return True
            self.processes[name] = self._started(name, command)
        return False

    def kill(self, victim: str) -> bool:
        """Kill one of that kind; whether there was one."""
        if victim in ("store", "scheduler", "command"):
            return self._killed(self.processes[victim].pid)
        worker = self._chance.choice([p for name, p in self.processes.items() if name.startswith("worker")])
        if victim == "worker":
            return self._killed(worker.pid)
        children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children")
        found = children.read_text().split() if children.exists() else []
        solving = [pid for pid in found if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        return bool(solving) and self._killed(int(solving[0]))

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
            fleet = Fleet(folder, endpoint.url, options.workers, file, chance)
            began = time.monotonic()
            try:
                kills, flying = _chaos(fleet, model, options.every, chance)
            finally:
                fleet.close()
        return _told(folder / "out", options.lines, model, kills, flying, time.monotonic() - began)


def _lines(number: int) -> list[dict[str, str]]:
    return [{"id": str(n), "instruction": multiples.instruction(n)} for n in range(1, number + 1)]


def _chaos(fleet: Fleet, model: Counted, every: float, chance: random.Random) -> tuple[Counter[str], int]:
    """Kill until the command has come to its end; how often whom, and what was on its way at these moments."""
    kills: Counter[str] = Counter()
    flying = 0
    due = time.monotonic() + 3 * every
    while not fleet.tend():
        if time.monotonic() >= due:
            victim = chance.choice(VICTIMS)
            on_their_way = model.flying
            if fleet.kill(victim):
                kills[victim] += 1
                flying += on_their_way
            due = time.monotonic() + chance.uniform(0.5, 1.5) * every
        time.sleep(0.2)
    return kills, flying


def _told(out: Path, lines: int, model: Counted, kills: Mapping[str, int], flying: int, seconds: float) -> int:
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
        ["questions answered", sum(model.answered.values())],
        ["answered more than once", again],
        ["on their way at a kill", flying],
    ]
    table(f"chaos, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", ["", "figure"], found)
    for row in rows:
        if row["outcome"] != "green":
            print(f"  {row['id']} {row['outcome']}: {row['reason']}")
    return int(bool(lost or doubled or wrong or again > flying))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main())
