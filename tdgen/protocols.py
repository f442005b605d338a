"""What the stages need from the outside: a model that answers, a sandbox that runs, a store that keeps.

Nothing here knows OpenAI, Docker or diskcache; `tdgen.runtime` alone picks the concrete ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol

from tdgen.events import Event
from tdgen.types import Asked, FileJob, FileReport, Frozen, Job, Layer, Report, Usage

Purpose = Literal["plan", "cases", "settle", "properties", "implement", "repair", "trial", "reading"]
Role = Literal["planner", "tester", "developer", "trial"]
Emit = Callable[[Event], None]
Ask = Callable[[Asked], str]
"""Puts an open question to the user: an option's number, a value's source, `raises E`, or "" for the assumption."""

ROLES: dict[Purpose, Role] = {
    "plan": "planner",
    "cases": "tester",
    "settle": "tester",
    "properties": "tester",
    "implement": "developer",
    "repair": "developer",
    "trial": "trial",
    "reading": "developer",
}


class Message(Frozen):
    """One turn of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    content: str


class Request(Frozen):
    """What a model is asked: for what purpose, about which function, at which attempt (from 1), which sample of it.

    `schema_name` and `json_schema` ask for JSON of that shape; without them the answer is free text. `schema_told` is
    the part of a message that tells its form: an endpoint that enforces the schema need not be sent both.
    """

    purpose: Purpose
    subject: str = ""
    attempt: int = 1
    sample: int = 0
    messages: tuple[Message, ...]
    schema_name: str = ""
    json_schema: dict[str, Any] | None = None
    schema_told: str = ""
    max_tokens: int = 8192


class Answer(Frozen):
    """What a model said, what it cost, and why it stopped (`stop`, or `length` where it was cut short)."""

    text: str
    usage: Usage = Usage()
    finish_reason: str = "stop"
    model: str = ""
    replayed: bool = False


class Model(Protocol):
    """Somebody who answers. Safe to call from several threads at once.

    What it solves is kept under its `name`, where it has such an attribute, else under its class's.
    """

    def ask(self, request: Request) -> Answer:
        """Answer `request`; ModelError where nobody does, BudgetSpent where a limit forbids asking."""
        ...


class Answers(Protocol):
    """Where an unfinished run keeps what models answered. Safe to call from several threads at once."""

    def get(self, key: str) -> str | None:
        """The text kept under `key`, or None."""
        ...

    def put(self, key: str, text: str) -> None:
        """Keep `text` under `key`."""
        ...


class Sandbox(Protocol):
    """A place where generated code may run. Safe to call from several threads at once."""

    def run(self, job: Job) -> Report:
        """Evaluate the job's probes. A hostile or dying program is an observation, never an exception.

        SandboxError where the sandbox itself can't be started, or died twice.
        """
        ...

    def run_files(self, job: FileJob) -> FileReport:
        """Run pytest on the job's files, in a scratch folder of their own."""
        ...

    def layers(self) -> tuple[Layer, ...]:
        """What this sandbox enforces here, found by trying."""
        ...

    def describe(self) -> str:
        """One line for people: which kind, and what it enforces."""
        ...

    def close(self) -> None:
        """End all that runs and remove all that was written. Closing twice is allowed."""
        ...


class Store(Protocol):
    """Texts by key, kept between processes. Safe to call from several threads and processes at once."""

    def get(self, key: str) -> str | None:
        """The text kept under `key`, or None."""
        ...

    def put(self, key: str, text: str) -> None:
        """Keep `text` under `key`, in place of what was there."""
        ...

    def delete(self, key: str) -> bool:
        """Forget `key`; whether there was something to forget."""
        ...

    def keys(self, prefix: str = "") -> Iterator[str]:
        """All keys that start with `prefix`, sorted."""
        ...

    def lock(self, key: str) -> AbstractContextManager[None]:
        """Hold `key` alone among all threads and processes; a holder that dies lets go."""
        ...
