"""What the engine needs to know of the language that code is written in, and what a back end gives back.

The back ends are packages under `tdgen.languages` or a user's own; `tdgen.runtime` alone picks one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, NamedTuple, Protocol, get_args

from tdgen.protocols import Sandbox
from tdgen.types import Case, FunctionSpec, Mutant, Plan, Suite

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
    start_s: float
    """The seconds that one of them may take to start where a probe has to wait for that: no time of the probe's own."""
    reply: type[Any] | None
    """The shape of a planner's answer, where that says more than a plan in one language does."""
    warming: str
    """Python that a process runs while it waits for a job, to start what takes long; `limit`, which it may call in a
    copy of that process, puts a job's limits on it, and `scratch` is the folder that jobs may write to."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What can be done with its code, beside what is done with any."""

    @property
    def programs(self) -> tuple[str, ...]:
        """What its code is made and run by, in the sandbox."""

    @property
    def shown(self) -> tuple[str, ...]:
        """Files and folders that these programs read, beside what an interpreter needs."""

    @property
    def judged_by(self) -> tuple[str, ...]:
        """These programs with their versions, for the keys of what is kept: what others judged is judged anew."""

    @property
    def lacks(self) -> tuple[str, ...]:
        """What it does without on this machine, though it could be had, each with what to install."""

    def keeping(self, sandbox: Sandbox) -> Sandbox:
        """The sandbox in which its code is run: one that keeps what it makes of code, where that takes long."""

    def planning(self, packages: Collection[str]) -> str:
        """What the planner is told of it, where these packages are allowed."""

    def name_of(self, spec: FunctionSpec) -> str:
        """The language that a unit is written in, where a plan may have several."""

    def unit_note(self, spec: FunctionSpec, plan: Plan) -> str:
        """What prompts about one unit say beside `note`."""

    def unshown(self, spec: FunctionSpec, plan: Plan, cases: Sequence[Case]) -> str:
        """What a unit's cases must show before it is green, and none does, in words; empty where nothing lacks."""

    def problems(self, plan: Plan) -> list[str]:
        """What of a plan can't be written in it."""

    def rules(self, spec: FunctionSpec, plan: Plan, *, is_repair: bool = False) -> str:
        """What the developer is told: how the contract reads in it, and what the code, or a repair, must hold to."""

    def read(self, text: str, spec: FunctionSpec, plan: Plan, *, repaired: str = "") -> ReadCode:
        """The code of a developer's answer, which may be a part of what is `repaired`; ReplyError where it has none."""

    def module_rules(self, plan: Plan) -> tuple[str, str]:
        """What is told who writes all of the plan at once, for a second reading, and what is wanted in a word."""

    def read_module(self, text: str, plan: Plan) -> ReadModule:
        """The code of such an answer; ReplyError where it can't be used."""

    def findings(self, module: str, source: str, spec: FunctionSpec, plan: Plan) -> Findings:
        """What reading finds in code within the module that stands for it, beside what was found when it came."""

    def memorized(self, source: str, name: str, cases: Sequence[Case]) -> tuple[str, ...]:
        """Which of the cases the code of a function looks up, in a sentence each."""

    def stub(self, spec: FunctionSpec) -> str:
        """What stands for a unit that nobody could write, where others are run."""

    def unwritten(self, plan: Plan, types: str, unit: str = "") -> str:
        """The module in which nothing is written yet: to call a unit fails by an exception `_Unwritten`."""

    def module(self, plan: Plan, sources: Mapping[str, str], types: str, unit: str = "") -> str:
        """The module that stands for these sources, by function in the order of work.

        `types` declares the plan's types. It is for cases of that `unit`, where one is named: lines are told of it, and
        units in another language are as they are seen from there.
        """

    def module_of(
        self, plan: Plan, text: str, types: str, unit: str = "", beside: Mapping[str, str] | None = None
    ) -> str:
        """The same of a whole file; `beside` are the texts of the files in its folder, by name."""

    def modules(
        self, plan: Plan, around: Mapping[str, str], name: str, versions: Sequence[str], types: str
    ) -> Sequence[str]:
        """The modules of several versions of one function, in their order, all else being as it is `around`."""

    def mutants(
        self, source: str, unit: str, *, most: int, within: Sequence[range] = (), near: Collection[int] = ()
    ) -> Sequence[Mutant]:
        """At most so many single edits of a unit's code; asked for where its capabilities have them.

        They begin `within` these lines, where there are any; those at lines that are `near` come first.
        """

    def repairs(self, source: str, unit: str, *, suspicion: Mapping[int, float]) -> Iterator[Mutant]:
        """Single edits that may mend a unit, the likeliest first; asked for where its capabilities have `patches`.

        `suspicion` is a share from 0 to 1 by line.
        """

    def finished(self, plan: Plan, sources: Mapping[str, str]) -> str:
        """The file that the user gets, of all functions in this order; a source is empty where there is none."""

    def file(self, plan: Plan) -> str:
        """That file's name."""

    def tests(self, plan: Plan, suites: Sequence[Suite], sources: Mapping[str, str]) -> dict[str, str]:
        """The files beside it, by name: its tests in the language's own framework, and what they are run by.

        Where a plan has units in several languages, files of the sources that are not in the first one, too.
        """

    def commands(self, plan: Plan) -> tuple[tuple[str, ...], ...]:
        """What runs these tests in their folder, by its programs, in order: each ends with 0 where they pass."""

    def defined(self, text: str, names: Sequence[str]) -> list[str]:
        """Those of the names that such a file defines, with a body."""


class OneLanguage:
    """What back ends have alike whose units are all in one language, and whose code runs as it is."""

    name: ClassVar[str]

    def keeping(self, sandbox: Sandbox) -> Sandbox:
        """The same: nothing is made of the code before it runs."""
        return sandbox

    def name_of(self, spec: FunctionSpec) -> str:
        """The same for all units."""
        return self.name

    def unit_note(self, spec: FunctionSpec, plan: Plan) -> str:
        """Nothing beside: what there is to say holds for all units."""
        return ""

    def unshown(self, spec: FunctionSpec, plan: Plan, cases: Sequence[Case]) -> str:
        """Nothing: any case does."""
        return ""
