"""A model that answers by the library as it was: what the best author, who reads every docstring right, could say.

Its cases are the docstring's doctests, its reading is the original body; what calls must give it sees by running the
original code in the sandbox. So it measures what guarding makes of answers that are right, and not how answers are had.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from projects.simulated import cases, plan_and_cases
from projects.tasks import Task
from tdgen.protocols import Answer, Request, Sandbox
from tdgen.types import Job, Observation, Probe, Usage
from tdgen.values.decode import decode
from tdgen.values.kinds import holds_opaque
from tdgen.values.readers import Unreadable
from tdgen.values.show import show_wire

LONGEST = 2_000
_BLOCK = re.compile(r"^(?:(?P<number>\d+)\. |- (?P<name>\w+): )`(?P<call>.+)`\n?(?P<more>(?:  .*\n?)*)", re.MULTILINE)
_SETUP = re.compile(r"^  after setup:(?: `(?P<one>.+)`|\n(?P<more>(?:      .*\n?)+))", re.MULTILINE)
_OUTCOME = re.compile(r"^  (?P<letter>[A-D]): (?P<told>.+)$", re.MULTILINE)


class Asked(NamedTuple):
    """A call that a prompt asks about, under its number or its case's name; `outcomes` by letter, if there are any."""

    number: str
    name: str
    call: str
    setup: str
    outcomes: dict[str, str]


class Knowing:
    """Answers for one task; `original` is its module's text as it was, which `sandbox` has the project for."""

    name = "knowing"

    def __init__(self, task: Task, target: Any, original: str, sandbox: Sandbox) -> None:
        self._task, self._target, self._original, self._sandbox = task, target, original, sandbox
        self._quote = task.unit.docstring.strip().partition("\n")[0]

    def ask(self, request: Request) -> Answer:
        """The answer to what the request is for."""
        text = request.messages[-1].content
        told: dict[str, Any] | str = {}
        if request.purpose == "plan":
            told = str(plan_and_cases(self._task, self._target)[0]["text"])
        elif request.purpose == "cases":
            told = {"cases": cases(self._task) if not request.variant else []}
        elif request.purpose == "reading":
            told = f"```python\n{self._task.answer}```"
        elif request.purpose == "settle":
            told = {"answers": [self._settled(one) for one in asked_in(text, "calls")]}
        elif request.purpose == "trial":
            told = {"rulings": [self._ruling(one) for one in asked_in(text, "cases_in_doubt")]}
        return Answer(text=told if isinstance(told, str) else json.dumps(told), usage=Usage(calls=1), model=self.name)

    def _settled(self, one: Asked) -> dict[str, Any]:
        expect, value = self._known(one)
        return {"number": int(one.number), "working": "", "expect": expect, "value": value, "why": self._quote}

    def _ruling(self, one: Asked) -> dict[str, Any]:
        expect, value = self._known(one)
        told = {"case": one.name, "working": "", "quote": self._quote, "expect": expect, "value": value}
        if expect not in ("value", "raises"):
            return {"case": one.name, "working": "", "quote": "", "verdict": "unsettled"}
        right = f"raises {value}" if expect == "raises" else f"returns `{value}`"
        letter = next((letter for letter, said in one.outcomes.items() if said == right), "revised")
        return told | {"verdict": letter}

    def _known(self, one: Asked) -> tuple[str, str]:
        """What the original comes to, as an answer says it; what its docs never name is not for anybody to expect."""
        probe = Probe(name="call", setup=one.setup, call=one.call)
        job = Job(module=self._task.module.name, source=self._original, probes=(probe,))
        (seen,) = self._sandbox.run(job).observations
        if seen.status == "raised" and seen.raised is not None:
            kind = seen.raised.type.rpartition(".")[2]
            return ("raises", kind) if kind in self._task.unit.docstring else ("not_allowed", "")
        return ("value", show_wire(seen.value, LONGEST)) if _is_plain(seen) else ("open", "")


def asked_in(text: str, section: str) -> Sequence[Asked]:
    """The calls in a section of a prompt."""
    inside = text.partition(f"<{section}>\n")[2].partition(f"\n</{section}>")[0] + "\n"
    found = []
    for block in _BLOCK.finditer(inside):
        setup = _SETUP.search(block["more"])
        lines = (setup["one"] or "\n".join(line[6:] for line in setup["more"].splitlines())) if setup else ""
        outcomes = {one["letter"]: one["told"] for one in _OUTCOME.finditer(block["more"])}
        found.append(Asked(block["number"] or "", block["name"] or "", block["call"], lines, outcomes))
    return found


def _is_plain(seen: Observation) -> bool:
    try:
        return seen.status == "returned" and not holds_opaque(decode(seen.value))
    except Unreadable:
        return False
