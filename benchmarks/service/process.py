"""`tdgen serve` in a process of its own, with a script for a model, watched from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

PATIENCE_S = 600.0


class Service:
    """A running service, and a client of it."""

    def __init__(self, folder: Path, answers: list[dict[str, Any]], *options: str) -> None:
        script = folder / "script.json"
        script.write_text(json.dumps({"answers": answers}), encoding="utf-8")
        given = ["--trust", "quick", "--script", str(script), "--cache-dir", str(folder / "cache"), *options]
        command = [sys.executable, "-m", "tdgen", "serve", "--port", "0", *given]
        plain = os.environ | {"TDGEN_SEARCH_SECONDS": "0"}  # what is wrong is repaired by the model
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder, env=plain)
        assert self.process.stderr is not None
        self.url = self.process.stderr.readline().split()[3].rstrip("/")
        self.memory: list[float] = [self.resident]
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def resident(self) -> float:
        """Its resident memory in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def _watch(self) -> None:
        """Note its memory, twice a second."""
        while self.process.poll() is None:
            time.sleep(0.5)
            try:
                self.memory.append(self.resident)
            except (OSError, IndexError):
                return

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any, Any]:
        """Status, headers and document of an answer."""
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.url + path, data, {"content-type": "application/json"}, method=method)  # noqa: S310
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:  # noqa: S310
                return answer.status, answer.headers, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.headers, json.load(error)

    def post(self, instruction: str) -> str:
        """The id of a new run."""
        status, _, document = self.call("POST", "/runs", {"instruction": instruction})
        assert status == 202, document
        return str(document["id"])

    def settled(self) -> list[dict[str, Any]]:
        """All runs, once none of them waits or works."""
        end = time.monotonic() + PATIENCE_S
        while True:
            _, _, records = self.call("GET", "/runs")
            if all(record["ended"] for record in records) or time.monotonic() > end:
                return list(records)
            time.sleep(0.2)


@contextmanager
def serving(answers: list[dict[str, Any]], *options: str) -> Iterator[Service]:
    """A service for as long as the block runs."""
    with TemporaryDirectory(prefix="tdgen-bench-") as folder:
        service = Service(Path(folder), answers, *options)
        try:
            yield service
        finally:
            service.process.terminate()
            service.process.communicate(timeout=30)


def script(names: list[str], needs: dict[str, list[str]] | None = None) -> list[dict[str, Any]]:
    """Answers for functions that double a number, each right at its second attempt."""
    specs = [
        {
            "name": name,
            "purpose": "Twice the number.",
            "parameters": [{"name": "number", "type": "int"}],
            "returns": "int",
            "raises": [],
            "dependencies": (needs or {}).get(name, []),
        }
        for name in names
    ]
    cases = [{"name": f"of_{n}", "arguments": [str(n)], "expect": "value", "value": str(2 * n)} for n in range(4)]
    answers: list[dict[str, Any]] = [{"purpose": "plan", "text": json.dumps({"module": "kit", "functions": specs})}]
    for name in names:
        code = f"```python\ndef {name}(number: int) -> int:\n    return {{}}\n```"
        wrong, right = code.format("number + number % 3 * 9"), code.format("2 * number")
        answers += [
            {"purpose": "cases", "subject": name, "text": json.dumps({"cases": cases})},
            {"purpose": "implement", "subject": name, "text": wrong},
            {"purpose": "repair", "subject": name, "attempt": 2, "text": right},
        ]
    return answers
