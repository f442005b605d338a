"""What the stages need from the outside: a model that answers, a sandbox that runs, a store that keeps.

Nothing here knows OpenAI, Docker or diskcache; `tdgen.runtime` alone picks the concrete ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, Protocol, get_args

from pydantic import Field

from tdgen.events import Event
from tdgen.types import (
    Asked,
    Case,
    FileJob,
    FileReport,
    Frozen,
    FunctionSpec,
    Job,
    Layer,
    Mutant,
    Plan,
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
    "corrected",
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
are to `confirm`, from which a second `reading` differs, or whose contract was `corrected`; and which lines of code a
`concern` of the user's is decided at. Calls are settled for what is named: mutants that survive (`survivors`),
implementations that differ (`rivals`), falsified `properties`, the call of a `caller` that a dependency may fail,
`edits` that pass alike, `neighbours` of what failed, a second `reading`, cases that are to `confirm`.
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

    def lock(
        self, key: str, is_cancelled: Callable[[], bool] | None = None, on_lost: Callable[[], None] = lambda: None
    ) -> AbstractContextManager[None]:
        """Hold `key` alone among all threads and processes; a holder that dies lets go.

        Cancelled where `is_cancelled` says so while others hold it. Where the lock can be lost, `on_lost` is called,
        and Cancelled, by which work ends then, becomes LostLock.
        """
        ...

    def close(self) -> None:
        """Let go of what is open; the store opens it again when it is used."""
        ...


Capability = Literal[
    "mutants", "patches", "traces", "calls", "properties", "decomposition", "pytest", "versions", "parts", "projects"
]
"""What can be done with code in some languages, and not in others.

Single edits of a function are made, which measure its suite (`mutants`) or mend it (`patches`); line `traces` are
taken, `calls` of what a function stands on recorded; `properties` are tested; a function is divided into helpers
(`decomposition`); its tests are run by `pytest`, beside the judge; `versions` of it stand side by side in one module;
a repair of a large class gives its changed methods alone (`parts`); and it is written for tests of the user's and into
`projects` that there are.
"""
CAPABILITIES: Final[frozenset[Capability]] = frozenset(get_args(Capability))


class ReadCode(NamedTuple):
    """Code as a developer gave it, what stands against it before it is run, and what was mended of it, in words."""

    source: str
    findings: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()


class ReadModule(NamedTuple):
    """Code for a whole plan without the shared types, and which units it has.

    It may come in `parts`, by unit, with stubs in the place of those that it does not have.
    """

    source: str
    functions: frozenset[str]
    parts: Mapping[str, str] = MappingProxyType({})


class Findings(NamedTuple):
    """What stands against the code, and what is worth saying only when it fails.

    `objections` stand against it until its author was told of them and comes back with the same.
    """

    blocking: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    objections: tuple[str, ...] = ()


class Surroundings(NamedTuple):
    """What a back end is made for: the cache's `folder`, the version of `python`, and the user's word on imports."""

    folder: Path | None = None
    python: str = ""
    allowed: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()


class Language(Protocol):
    """A language that code is written in; it is made with `Surroundings`.

    Contracts, cases and what they expect are Python, and so is whoever judges. A back end says how code is asked for
    and read, and gives the Python module that stands for it in the sandbox: its functions, under their planned names,
    call the code, and give plain data or raise.
    """

    name: str
    advice: str
    """What to install where one of its programs is not here."""
    compiles: bool
    """Whether they make a program of the code, which is started then."""
    browses: bool
    """Whether it is run in a page of a browser."""
    parses: bool
    """Whether an answer is parsed when it is read: what can't be run else is told as a finding."""
    packages: frozenset[str]
    """Modules by whose names contracts and cases speak of what the code has beside the language; the sandbox has them
    where its code runs, and nowhere else."""
    overhead_mb: int
    """The memory that these programs take for themselves, beside what the limits grant the code."""
    note: str
    """What prompts about a function say of it below the contract, also to who writes tests and who rules on them."""
    overhead_s: float
    """The seconds that they take before a first case, beside what the limits grant it."""
    reply: type[Any] | None
    """The shape of a planner's answer, where that says more than a plan in one language does."""
    warming: str
    """Python that a process runs while it waits for a job, to start what takes long; `limit`, which it may call in a
    copy of that process, puts a job's limits on it."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What can be done with its code, beside what is done with any."""
        ...

    @property
    def programs(self) -> tuple[str, ...]:
        """What its code is made and run by, in the sandbox."""
        ...

    @property
    def shown(self) -> tuple[str, ...]:
        """Files and folders that these programs read, beside what an interpreter needs."""
        ...

    def planning(self, packages: Collection[str]) -> str:
        """What the planner is told of it, where these packages are allowed."""
        ...

    def unit_note(self, spec: FunctionSpec, plan: Plan) -> str:
        """What prompts about one unit say beside `note`."""
        ...

    def problems(self, plan: Plan) -> list[str]:
        """What of a plan can't be written in it."""
        ...

    def rules(self, spec: FunctionSpec, plan: Plan, *, is_repair: bool = False) -> str:
        """What the developer is told: how the contract reads in it, and what the code, or a repair, must hold to."""
        ...

    def read(self, text: str, spec: FunctionSpec, plan: Plan, *, repaired: str = "") -> ReadCode:
        """The code of a developer's answer, which may be a part of what is `repaired`; ReplyError where it has none."""
        ...

    def module_rules(self, plan: Plan) -> tuple[str, str]:
        """What is told who writes all of the plan at once, for a second reading, and what is wanted in a word."""
        ...

    def read_module(self, text: str, plan: Plan) -> ReadModule:
        """The code of such an answer; ReplyError where it can't be used."""
        ...

    def findings(self, module: str, source: str, spec: FunctionSpec, plan: Plan) -> Findings:
        """What reading finds in code within the module that stands for it, beside what was found when it came."""
        ...

    def memorized(self, source: str, name: str, cases: Sequence[Case]) -> tuple[str, ...]:
        """Which of the cases the code of a function looks up, in a sentence each."""
        ...

    def stub(self, spec: FunctionSpec) -> str:
        """What stands for a unit that nobody could write, where others are run."""
        ...

    def unwritten(self, plan: Plan, types: str, unit: str = "") -> str:
        """The module in which nothing is written yet: to call a unit fails by an exception `_Unwritten`."""
        ...

    def module(self, plan: Plan, sources: Mapping[str, str], types: str, unit: str = "") -> str:
        """The module that stands for these sources, by function in the order of work.

        `types` declares the plan's types. It is for cases of that `unit`, where one is named: lines are told of it, and
        units in another language are as they are seen from there.
        """
        ...

    def module_of(
        self, plan: Plan, text: str, types: str, unit: str = "", beside: Mapping[str, str] | None = None
    ) -> str:
        """The same of a whole file; `beside` are the texts of the files in its folder, by name."""
        ...

    def modules(
        self, plan: Plan, around: Mapping[str, str], name: str, versions: Sequence[str], types: str
    ) -> Sequence[str]:
        """The modules of several versions of one function, in their order, all else being as it is `around`."""
        ...

    def mutants(self, source: str, most: int) -> Sequence[Mutant]:
        """At most so many single edits of a function's code; asked for where its capabilities have them."""
        ...

    def finished(self, plan: Plan, sources: Mapping[str, str]) -> str:
        """The file that the user gets, of all functions in this order; a source is empty where there is none."""
        ...

    def file(self, plan: Plan) -> str:
        """That file's name."""
        ...

    def tests(self, plan: Plan, suites: Sequence[Suite], sources: Mapping[str, str]) -> dict[str, str]:
        """The files beside it, by name: its tests in the language's own framework, and what they are run by.

        Where a plan has units in several languages, files of the sources that are not in the first one, too.
        """
        ...

    def commands(self, plan: Plan) -> tuple[tuple[str, ...], ...]:
        """What runs these tests in their folder, by its programs, in order: each ends with 0 where they pass."""
        ...

    def defined(self, text: str, names: Sequence[str]) -> list[str]:
        """Those of the names that such a file defines, with a body."""
        ...
