"""A model for the benchmarks that need no data set: it knows functions that are made up here."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tdgen.errors import ModelError
from tdgen.models.costs import estimated_usage
from tdgen.protocols import Answer, Request


class Toy(NamedTuple):
    """A function of one integer or more: its contract, its right body, and what it gives for some arguments."""

    name: str
    purpose: str
    parameters: tuple[str, ...]
    body: str
    gives: Mapping[tuple[int, ...], int]
    dependencies: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """The right answer."""
        return self.with_body(self.body)

    def with_body(self, body: str) -> str:
        """The function with another body, in one line."""
        parameters = ", ".join(f"{name}: int" for name in self.parameters)
        lines = "\n    ".join(body.splitlines())
        return f'def {self.name}({parameters}) -> int:\n    """{self.purpose}"""\n    {lines}\n'


CODE = "code"
Write = Callable[[Toy, int, Request], str]
"""The text of a developer's answer: for which function, the how many-th for it (from 1), and the question."""


class ToyModel:
    """Plans the toys, writes their cases, and codes as `write` says; thinks `latency` seconds before each answer."""

    def __init__(self, toys: Sequence[Toy], write: Write, *, latency: float = 0.0) -> None:
        self._toys = {toy.name: toy for toy in toys}
        self._write = write
        self._latency = latency
        self._lock = threading.Lock()
        self._asked: Counter[tuple[str, str]] = Counter()
        self.longest = 0

    @property
    def asked(self) -> Counter[tuple[str, str]]:
        """How many questions there were, by purpose (`CODE` for all that want code) and function."""
        with self._lock:
            return Counter(self._asked)

    def ask(self, request: Request) -> Answer:
        """The answer, with its tokens guessed."""
        with self._lock:
            what = request.purpose if request.schema_name else CODE
            self._asked[what, request.subject] += 1
            written = self._asked[CODE, request.subject]
            self.longest = max(self.longest, sum(len(message.content) for message in request.messages))
        if self._latency:
            time.sleep(self._latency)
        text = self._text(request, written)
        return Answer(text=text, usage=estimated_usage(request, text, self._latency), model="toy")

    def _text(self, request: Request, written: int) -> str:
        if request.purpose == "plan":
            return json.dumps(plan_of(list(self._toys.values())))
        if request.purpose == "reading":
            raise ModelError("a toy is not read a second time")
        toy = self._toys[request.subject]
        if request.purpose == "cases":
            return json.dumps(cases_of(toy))
        if request.schema_name:
            return "{}"
        return self._write(toy, written, request)


def fenced(code: str) -> str:
    """Code as an answer holds it."""
    return f"```python\n{code}```\n"


def plan_of(toys: Sequence[Toy]) -> dict[str, Any]:
    """The toys as a planner's answer."""
    return {
        "module": "toys",
        "summary": "Functions made up for a benchmark.",
        "functions": [
            {
                "name": toy.name,
                "purpose": toy.purpose,
                "parameters": [{"name": name, "type": "int", "default": ""} for name in toy.parameters],
                "returns": "int",
                "dependencies": list(toy.dependencies),
            }
            for toy in toys
        ],
    }


def cases_of(toy: Toy) -> dict[str, Any]:
    """A toy's cases as a tester's answer."""
    return {
        "cases": [
            {"name": f"case_{n}", "arguments": list(map(str, given)), "expect": "value", "value": str(value)}
            for n, (given, value) in enumerate(toy.gives.items(), 1)
        ]
    }
