"""The service under load, on this machine: many posts at once, many who listen, and what that does to its memory.

`tdgen serve` runs in a process of its own, with a script for a model. Posts come all at once; those that are told to
come back do so. Listeners drop their line again and again and resume behind the last number they heard: every event of
every run that is listened to must have been heard once, in order.

    python benchmarks/bench_service.py --posts 200 --streams 50
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

PATIENCE_S = 600.0


def main() -> None:
    """Run the load, and print the figures."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--posts", type=int, default=200)
    reader.add_argument("--streams", type=int, default=50)
    reader.add_argument("--waiting", type=int, default=64)
    wanted = reader.parse_args()
    with tempfile.TemporaryDirectory(prefix="tdgen-bench-") as folder:
        service = _Service(Path(folder), wanted.waiting)
        try:
            figures = _load(service, wanted.posts, wanted.streams)
        finally:
            service.end()
    print(json.dumps(figures, indent=1))


class _Service:
    """`tdgen serve`, in a process of its own."""

    def __init__(self, folder: Path, waiting: int) -> None:
        script = folder / "script.json"
        script.write_text(json.dumps(_script()), encoding="utf-8")
        options = ["--trust", "quick", "--script", str(script), "--cache-dir", str(folder / "cache")]
        command = [sys.executable, "-m", "tdgen", "serve", "--port", "0", "--waiting", str(waiting), *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder)
        assert self.process.stderr is not None
        self.url = self.process.stderr.readline().split()[3].rstrip("/")
        self.memory: list[int] = []
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        """Its resident memory in KiB, twice a second."""
        while self.process.poll() is None:
            status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
            self.memory.append(int(status.partition("VmRSS:")[2].split()[0]))
            time.sleep(0.5)

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any, Any]:
        """Status, headers and document of an answer."""
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.url + path, data, {"content-type": "application/json"}, method=method)  # noqa: S310
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:  # noqa: S310
                return answer.status, answer.headers, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.headers, json.load(error)

    def end(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


def _script() -> dict[str, Any]:
    """One function, right at its second attempt."""
    spec = {
        "name": "double",
        "purpose": "Twice the number.",
        "parameters": [{"name": "number", "type": "int"}],
        "returns": "int",
        "raises": [],
        "dependencies": [],
    }
    cases = [{"name": f"of_{n}", "arguments": [str(n)], "expect": "value", "value": str(2 * n)} for n in range(4)]
    code = "```python\ndef double(number: int) -> int:\n    return {}\n```"
    answers = [
        {"purpose": "plan", "text": json.dumps({"module": "kit", "functions": [spec]})},
        {"purpose": "cases", "subject": "double", "text": json.dumps({"cases": cases})},
        {"purpose": "implement", "subject": "double", "text": code.format("number + number % 3 * 9")},
        {"purpose": "repair", "subject": "double", "attempt": 2, "text": code.format("2 * number")},
    ]
    return {"answers": answers}


def _load(service: _Service, posts: int, streams: int) -> dict[str, Any]:
    began = time.monotonic()
    statuses: Counter[int] = Counter()
    first: list[float] = []
    identities: list[str] = []
    guard = threading.Lock()

    def post(number: int) -> None:
        while time.monotonic() - began < PATIENCE_S:
            asked = time.monotonic()
            status, headers, document = service.call("POST", "/runs", {"instruction": f"Double number {number}."})
            with guard:
                statuses[status] += 1
                first.append(time.monotonic() - asked)
            if status == 202:
                with guard:
                    identities.append(document["id"])
                return
            if status != 429:
                return
            time.sleep(float(headers["retry-after"]) * random.uniform(0.2, 1.0))  # noqa: S311

    heard: dict[int, tuple[str, list[int], str]] = {}

    def listen(place: int) -> None:
        while not identities:
            time.sleep(0.01)
        identity = random.choice(identities)  # noqa: S311
        numbers: list[int] = []
        last = ""
        while last != "run_ended" and time.monotonic() - began < PATIENCE_S:
            last = _hear(service, identity, numbers, stop_after=random.randint(3, 30))  # noqa: S311
        heard[place] = (identity, numbers, last)

    with ThreadPoolExecutor(posts + streams) as pool:
        jobs = [pool.submit(post, number) for number in range(posts)]
        jobs += [pool.submit(listen, place) for place in range(streams)]
        for job in jobs:
            job.result()
    states = _settled(service, began)
    lost = sum(
        numbers != list(range(1, len(numbers) + 1)) or last != "run_ended" for _, numbers, last in heard.values()
    )
    third = len(service.memory) // 3
    return {
        "statuses": dict(statuses),
        "runs by state": states,
        "streams": len(heard),
        "streams that lost an event": lost,
        "events heard": sum(len(numbers) for _, numbers, _ in heard.values()),
        "post: median and worst ms": [round(statistics.median(first) * 1000, 1), round(max(first) * 1000, 1)],
        "seconds": round(time.monotonic() - began, 1),
        "MiB resident: first, at a third, at two thirds, last": [
            round(service.memory[place] / 1024, 1) for place in (0, third, 2 * third, -1)
        ],
    }


def _hear(service: _Service, identity: str, numbers: list[int], stop_after: int) -> str:
    """Hear so many events behind the last number, then drop the line; the last event's name."""
    last = ""
    asked = urllib.request.Request(  # noqa: S310
        f"{service.url}/runs/{identity}/events", headers={"last-event-id": str(numbers[-1] if numbers else 0)}
    )
    with urllib.request.urlopen(asked, timeout=120) as answer:  # noqa: S310
        for line in answer:
            if line.startswith(b"data: "):
                last = json.loads(line[6:])["event"]
            elif line.startswith(b"id: "):
                numbers.append(int(line[4:]))
                stop_after -= 1
                if stop_after == 0:
                    break
    return last


def _settled(service: _Service, began: float) -> dict[str, int]:
    while True:
        _, _, records = service.call("GET", "/runs")
        states = Counter(record["state"] for record in records)
        if not states["queued"] + states["running"] or time.monotonic() - began > PATIENCE_S:
            return dict(states)
        time.sleep(0.5)


if __name__ == "__main__":
    main()
