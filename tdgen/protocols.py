"""What the stages need from the outside: a model that answers, a sandbox that runs, a store that keeps.

What stays open for a while is closed by its `with` block. Nothing here knows OpenAI, Docker or diskcache;
`tdgen.runtime` alone picks the concrete ones; who writes suites as test files is found by its entry point.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import MappingProxyType, TracebackType
from typing import Any, Final, Literal, NamedTuple, Protocol, Self

from pydantic import Field

from tdgen.events import Event
from tdgen.extensions import TESTS, part
from tdgen.types import (
    Asked,
    Case,
    FileJob,
    FileReport,
    Frozen,
    FunctionSpec,
    Job,
    Layer,
    Limits,
    Plan,
    Property,
    Report,
    Suite,
    Target,
    Usage,
)

Purpose = Literal["plan", "cases", "settle", "properties", "implement", "repair", "trial", "reading"]
Variant = Literal[
    "",
    "again",
    "more",
    "rewrite",
    "revise",
    "confirm",
    "reading",
    "concern",
    "survivors",
    "rivals",
    "properties",
    "caller",
    "edits",
    "neighbours",
]
"""Which question of a purpose is put, empty for the ordinary one.

Of a plan: `again`, with what the user said of the first. Of cases: `more` for a weak suite, `rewrite` for those that
can't be observed, `revise` for a test of a project's own that a change may contradict. Of an arbitration: of cases that
are to `confirm`, or from which a second `reading` differs; and which lines of code a `concern` of the user's is decided
at. Calls are settled for what is named: mutants that survive (`survivors`), implementations that differ (`rivals`),
falsified `properties`, the call of a `caller` that a dependency may fail, `edits` that pass alike, `neighbours` of what
failed, a second `reading`, cases that are to `confirm`.
"""
Role = Literal["planner", "tester", "developer", "trial"]
Emit = Callable[[Event], None]
Ask = Callable[[Asked], str]
"""Puts an open question to the user: how it is meant, in words; where it has options one's number, a value's source or
`raises E`; "" for the assumption."""

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


class RequestKey(NamedTuple):
    """What tells a request from all others of a solve, whatever its words."""

    purpose: Purpose
    subject: str
    variant: Variant
    ordinal: int
    attempt: int
    sample: int

    def __str__(self) -> str:
        """The key in words, without what is as it mostly is."""
        variant = f" ({self.variant})" * bool(self.variant)
        about = f" of {self.subject}" if self.subject else ""
        ordinal = f", time {self.ordinal}" if self.ordinal > 1 else ""
        sample = f", sample {self.sample}" if self.sample else ""
        return f"{self.purpose}{variant}{about}{ordinal}, attempt {self.attempt}{sample}"


class Identified(Frozen):
    """What is asked of a model, or answered: for what purpose, about which function, which variant of the question.

    `ordinal` is 1 for the first question of its kind, 2 for the next, on other calls or cases. `attempt` is the attempt
    at a function's code, and of any other question the second where the first answer could not be used. A further
    `sample` is one more independent answer to the same question.
    """

    purpose: Purpose
    subject: str = ""
    variant: Variant = ""
    ordinal: int = Field(default=1, ge=1)
    attempt: int = Field(default=1, ge=1)
    sample: int = Field(default=0, ge=0)

    @property
    def key(self) -> RequestKey:
        """What it is told from all others by."""
        return RequestKey(self.purpose, self.subject, self.variant, self.ordinal, self.attempt, self.sample)


class Request(Identified):
    """What a model is asked.

    `schema_name` and `json_schema` ask for JSON of that shape; without them the answer is free text. `schema_told` is
    the part of a message that tells its form: an endpoint that enforces the schema need not be sent both. Journals keep
    answers by all of these fields and their names: one that is called otherwise is asked and paid for again. `items`
    alone is no part of that: where one by one is asked about, a digest of each by the name that the answer gives it.
    """

    messages: tuple[Message, ...]
    schema_name: str = ""
    json_schema: dict[str, Any] | None = None
    schema_told: str = ""
    max_tokens: int = 8192
    items: Mapping[str, str] = Field(default_factory=dict)


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


class Answers(Protocol):
    """Where an unfinished run keeps what models answered. Safe to call from several threads at once."""

    def get(self, key: str) -> str | None:
        """The text kept under `key`, or None."""

    def put(self, key: str, text: str) -> None:
        """Keep `text` under `key`."""


class Sandbox(Protocol):
    """A place where generated code may run. Safe to call from several threads at once."""

    def run(self, job: Job) -> Report:
        """Evaluate the job's probes. A hostile or dying program is an observation, never an exception.

        SandboxError where the sandbox itself can't be started, or died twice.
        """

    def run_files(self, job: FileJob) -> FileReport:
        """Run pytest on the job's files, in a scratch folder of their own."""

    def layers(self) -> tuple[Layer, ...]:
        """What this sandbox enforces here, found by trying."""

    def describe(self) -> str:
        """One line for people: which kind, and what it enforces."""

    def close(self) -> None:
        """End all that runs and remove all that was written. Closing twice is allowed."""


NO_CONTEXT: Final = "(Nothing beside what the instruction shows.)"
"""What stands in a prompt for the context of a target that has none."""


class Placing(Protocol):
    """Plans for a target whose units the plan names: what is added to a module of a project, or changes there."""

    def told(self, target: Target) -> str:
        """What the planner is told of the place; "" where the units stand in the module already."""

    def problems(self, plan: Plan, text: str) -> list[str]:
        """What of a plan for the instruction `text` does not fit the place."""

    def settled(self, plan: Plan) -> Plan:
        """The plan with what it says of its target's units laid into that target."""


class Store(Protocol):
    """Texts by key, kept between processes. Safe to call from several threads and processes at once."""

    def get(self, key: str) -> str | None:
        """The text kept under `key`, or None."""

    def put(self, key: str, text: str) -> None:
        """Keep `text` under `key`, in place of what was there."""

    def delete(self, key: str) -> bool:
        """Forget `key`; whether there was something to forget."""

    def keys(self, prefix: str = "") -> Iterator[str]:
        """All keys that start with `prefix`, sorted."""

    def lock(
        self, key: str, is_cancelled: Callable[[], bool] | None = None, on_lost: Callable[[], None] = lambda: None
    ) -> AbstractContextManager[None]:
        """Hold `key` alone among all threads and processes; a holder that dies lets go.

        Cancelled where `is_cancelled` says so while others hold it. Where the lock can be lost, `on_lost` is called,
        and Cancelled, by which work ends then, becomes LostLock.
        """

    def close(self) -> None:
        """Let go of what is open; the store opens it again when it is used."""


class ReadTests(Frozen):
    """What a test file says: its cases, the tests that could not be read, and which names each of these `needs`.

    `module` is the one under test, and `functions` are those of it that the file calls or imports.
    """

    cases: tuple[Case, ...]
    unread: tuple[str, ...]
    needs: dict[str, frozenset[str]]
    functions: tuple[str, ...]
    module: str


NONE_FAILING: Final[Mapping[str, str]] = MappingProxyType({})


class SuiteFiles(Protocol):
    """Suites as the test files that users read and run, and users' own test files as cases."""

    def render_suite(
        self,
        suite: Suite,
        spec: FunctionSpec,
        plan: Plan,
        *,
        isolated: bool = False,
        failing: Mapping[str, str] = NONE_FAILING,
    ) -> str:
        """The file that states a suite's cases and runs beside the module; those `failing` are expected to, and why.

        Where `isolated`, every test runs in a folder of its own. ValueError, naming the case, where one can't stand in
        a test.
        """

    def node_ids(
        self, suite: Suite, spec: FunctionSpec, plan: Plan, *, failing: Mapping[str, str] = NONE_FAILING
    ) -> dict[str, str]:
        """By each case's name the id of its test in that file."""

    def render_properties(
        self, properties: Sequence[Property], spec: FunctionSpec, plan: Plan, *, isolated: bool = False
    ) -> str:
        """The file of a function's properties; ValueError where one names what nobody knows."""

    def read_tests(
        self,
        source: str,
        functions: Collection[str] | None = None,
        packages: Collection[str] = (),
        *,
        name: str = "your test file",
    ) -> ReadTests:
        """What a user's file says of `functions`, or where that is None of what it calls of the module it imports.

        Cases may name what `packages` have, the plan's. InputError, with the file's `name`, where it holds no test.
        """


def suite_files() -> SuiteFiles:
    """Those of pytest, found by their entry point and imported when they are first needed; InputError for none."""
    files: SuiteFiles = part("pytest", TESTS)
    return files


class Promised(NamedTuple):
    """Properties that can be used, and those set aside with the reason, by name."""

    properties: tuple[Property, ...] = ()
    set_aside: Mapping[str, str] = {}


class PropertyTests(Protocol):
    """What is done with properties; tools, drafts and groups are those of `tdgen.build`."""

    LIMITS: Limits
    """Of the run of one function's properties."""

    def read_sources(self, sources: Sequence[str], spec: FunctionSpec, plan: Plan) -> Promised:
        """The properties of these sources, checked by reading alone."""

    def add_properties(self, tools: Any, draft: Any) -> Any:
        """The draft with what its functions' suites have of properties seen to fail where nothing is written."""

    def strengthen_by_properties(self, build: Any, name: str) -> Any:
        """The group after a green function's properties were run, as tried: its suite may have grown."""

    def check_in_module(self, tools: Any, draft: Any) -> Any:
        """The draft after all properties were run on the finished module."""


def property_tests() -> PropertyTests:
    """What knows of properties, found by its entry point and imported when it is first needed."""
    tests: PropertyTests = part("properties")
    return tests


class Closing(ABC):
    """Something open: a context manager that gives itself and closes itself."""

    @abstractmethod
    def close(self) -> None:
        """Close it. Closing twice is allowed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
