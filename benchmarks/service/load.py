"""Many posts at once and many who listen.

Posts that are told to come back do so. Listeners drop their line again and again and resume behind the last number they
heard: every event of every run that is listened to must have been heard once, in order, up to the run's end.
"""

from __future__ import annotations

import json
import random
import statistics
import threading
import time
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from service.process import PATIENCE_S, Service, script, serving


def load(posts: int, streams: int, waiting: int) -> dict[str, object]:
    """So many posts and listeners, and a queue in which so many may wait; the figures."""
    with serving(script(["double"]), "--waiting", str(waiting)) as service:
        began = time.monotonic()
        crowd = _Crowd(service)
        with ThreadPoolExecutor(posts + streams) as pool:
            jobs = [pool.submit(crowd.post, number) for number in range(posts)]
            jobs += [pool.submit(crowd.listen) for _ in range(streams)]
            for job in jobs:
                job.result()
        states = Counter(record["state"] for record in service.settled())
        seconds = time.monotonic() - began
        time.sleep(1.0)
        memory = service.memory
    third = len(memory) // 3
    return {
        "posts": posts,
        "answers to them": ", ".join(f"{number} times {status}" for status, number in sorted(crowd.statuses.items())),
        "runs by state": ", ".join(f"{number} {state}" for state, number in states.items()),
        "streams; each dropped and resumed": f"{crowd.heard}; {crowd.resumed / max(1, crowd.heard):.1f} times",
        "events heard": crowd.events,
        "streams that lost an event": crowd.lost,
        "a post, ms: median, worst": f"{statistics.median(crowd.waits) * 1000:.1f}, {max(crowd.waits) * 1000:.1f}",
        "seconds": f"{seconds:.1f}",
        "resident MiB: before, at a third, at two thirds, after": ", ".join(
            f"{memory[place]:.1f}" for place in (0, third, 2 * third, -1)
        ),
    }


class _Crowd:
    """Those who post and those who listen."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._guard = threading.Lock()
        self._identities: list[str] = []
        self._end = time.monotonic() + PATIENCE_S
        self.statuses: Counter[int] = Counter()
        self.waits: list[float] = []
        self.heard = self.resumed = self.events = self.lost = 0

    def post(self, number: int) -> None:
        """Post an instruction, until it is taken or refused for good."""
        status = 429
        while status == 429 and time.monotonic() < self._end:
            asked = time.monotonic()
            status, headers, document = self._service.call("POST", "/runs", {"instruction": f"Double number {number}."})
            with self._guard:
                self.statuses[status] += 1
                self.waits.append(time.monotonic() - asked)
                if status == 202:
                    self._identities.append(document["id"])
            if status == 429:
                time.sleep(float(headers["retry-after"]) * random.uniform(0.2, 1.0))  # noqa: S311

    def listen(self) -> None:
        """Hear a run to its end, with a line that breaks often."""
        while not self._identities:
            time.sleep(0.01)
        identity, numbers, last, lines = random.choice(self._identities), list[int](), "", 0  # noqa: S311
        while last != "run_ended" and time.monotonic() < self._end:
            last = self._hear(identity, numbers, random.randint(3, 30))  # noqa: S311
            lines += 1
        with self._guard:
            self.heard += 1
            self.resumed += lines - 1
            self.events += len(numbers)
            self.lost += numbers != list(range(1, len(numbers) + 1)) or last != "run_ended"

    def _hear(self, identity: str, numbers: list[int], most: int) -> str:
        """Hear so many events behind the last number, then drop the line; the last event's name."""
        last = ""
        headers = {"last-event-id": str(numbers[-1] if numbers else 0)}
        asked = urllib.request.Request(f"{self._service.url}/runs/{identity}/events", headers=headers)  # noqa: S310
        with urllib.request.urlopen(asked, timeout=120) as answer:  # noqa: S310
            for line in answer:
                if line.startswith(b"data: "):
                    last = json.loads(line[6:])["event"]
                elif line.startswith(b"id: "):
                    numbers.append(int(line[4:]))
                    most -= 1
                    if most == 0:
                        break
        return last
