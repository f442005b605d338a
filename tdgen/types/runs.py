"""What was observed: jobs for a sandbox, its reports, and the judge's verdicts on them.

Values travel as `Wire`: the JSON form that `tdgen.values` encodes to and decodes from.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from tdgen.types.base import Content, Frozen
from tdgen.types.cases import World, plain_world

Wire = Any
PublicState = dict[str, tuple[str, ...]]
"""By the names of classes those of their public attributes and properties; a name with dots is of any module."""
Watch = Literal["", "lines", "values"]
Status = Literal["returned", "raised", "died", "timeout", "unreadable", "not_run"]


class Limits(Frozen):
    """What one run may use; `wall_s` is counted for each probe (and for a whole pytest run)."""

    wall_s: float = Field(default=5.0, description="seconds for each probe, and for a whole pytest run")
    start_s: float = Field(default=0.0, description="seconds beside, for a program that a probe has to start first")
    cpu_s: float = Field(default=10.0, description="seconds of a processor")
    call_cpu_s: float = Field(default=0.0, description="seconds of a processor for each probe; 0: as many as for all")
    memory_mb: int = Field(default=512, description="memory")
    file_mb: int = Field(default=16, description="what is written to files")
    output_kb: int = Field(default=1024, description="what is printed")
    processes: int = Field(default=32, description="processes")


class Probe(Frozen):
    """One thing to evaluate: `setup` is executed, then `arguments` and `call`, then each of `after`.

    What the call logs is told where `logs` says so. `given` binds names to wire values first. With a `call` the
    arguments are not evaluated. `module` is the number, from 1, of its module among its job's `others`; 0 is the job's.
    """

    name: str
    function: str = ""
    setup: str = ""
    arguments: tuple[str, ...] = ()
    call: str = ""
    world: World = Field(default_factory=plain_world)
    after: tuple[str, ...] = ()
    given: dict[str, Wire] = Field(default_factory=dict)
    logs: bool = False
    module: int = 0


class Module(Frozen):
    """A module's name and source, and what is `public` of its classes."""

    name: str
    source: str
    public: PublicState = Field(default_factory=dict)


class Job(Frozen):
    """A module's source and the probes to evaluate in its namespace, each in a fresh copy of it.

    `watch` has the module's code watched while it runs: which of its lines and branches each probe takes, or what its
    variables hold line by line. Where `stop_early`, a probe that dies or runs out of time ends the job, and those
    after it are not run. Instances of the classes of `public`, and of what inherits from them, are told as their
    public attributes and properties, by name. With `warnings_as_errors` the module's own warnings are raised as it is
    executed. In a sandbox with a project the source takes the place of that module of it, or is a new one there;
    `overlay` are further modules of it, by name, with the sources that take the places of theirs. `others` are modules
    that some of the probes are of, each with a namespace of its own. What a job that `is_plain` evaluates can do
    nothing to the process that it runs in. With `at_once` a process is told all probes together, which takes less than
    telling each when it is due: for code that may know them, or can't look.
    """

    module: str
    source: str
    probes: tuple[Probe, ...]
    limits: Limits = Limits()
    watch: Watch = ""
    stop_early: bool = False
    public: PublicState = Field(default_factory=dict)
    warnings_as_errors: bool = False
    overlay: dict[str, str] = Field(default_factory=dict)
    others: tuple[Module, ...] = ()
    is_plain: bool = False
    at_once: bool = False


class FileJob(Frozen):
    """Files by relative path, and those among them that pytest is to run.

    `hash_seed` sets PYTHONHASHSEED and `shuffle` the seed by which the tests' order is shuffled. `overlay` are modules
    of the project that the sandbox has, by name, with the source that takes the place of theirs. With `project_tests`
    there are no files: the project's own tests are run, or collected alone, as its settings say; `tests` are then ids
    or files, from the project's root, and none for all that there are; `test_overlay` are files of them, by path, with
    the texts that take the places of theirs. Where `traced`, the lines of the project's own modules that each test runs
    are told.
    """

    files: dict[str, str]
    tests: tuple[str, ...]
    limits: Limits = Limits(wall_s=30.0, cpu_s=60.0)
    hash_seed: int = 0
    shuffle: int | None = None
    overlay: dict[str, str] = Field(default_factory=dict)
    project_tests: Literal["", "run", "collect"] = ""
    test_overlay: dict[str, str] = Field(default_factory=dict)
    traced: bool = False


class Frame(Frozen):
    """A line of generated code that an exception passed through, with the values of its locals, cut short."""

    function: str
    line: int
    text: str = ""
    locals: dict[str, str] = Field(default_factory=dict)


class Raised(Frozen):
    """An exception: the qualified names of its class and that class's bases in order, its message and frames.

    `is_within` says that it came out of the code under test, which has no frames where it is in another language.
    `exit_code` is the code with which a SystemExit ends the process.
    """

    types: tuple[str, ...]
    message: str = ""
    frames: tuple[Frame, ...] = ()
    is_within: bool = False
    exit_code: int | None = None

    @property
    def type(self) -> str:
        """The qualified name of its class."""
        return self.types[0] if self.types else "unknown"


class Step(Frozen):
    """One line of generated code as it ran: the line's number (from 1), and the values that changed since the last."""

    function: str
    line: int
    changed: dict[str, str] = Field(default_factory=dict)


class Observation(Frozen):
    """What one probe did. `status` tells which of the others have a meaning.

    Where the job was watched, `lines` are the numbers of the module's lines that ran inside functions, `arcs` the
    pairs of lines that followed each other there (-1 for a function's entry and exit), `steps` the run line by line.
    """

    name: str
    status: Status
    value: Wire = None
    raised: Raised | None = None
    after: tuple[Wire, ...] = ()
    mutated: dict[str, Wire] = Field(default_factory=dict)
    stdout: str = ""
    stderr: str = ""
    files: dict[str, Content] = Field(default_factory=dict)
    logs: tuple[tuple[str, str, str], ...] = ()
    detail: str = ""
    seconds: float = 0.0
    lines: tuple[int, ...] = ()
    arcs: tuple[tuple[int, int], ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def is_evidence(self) -> bool:
        """Whether the probe was run, or could not be for a reason of its own (`raised`): else it says nothing of it."""
        return self.status != "not_run" or self.raised is not None

    @property
    def has_result(self) -> bool:
        """Whether it came to its end: the call returned, or the script exited."""
        return self.status == "returned" or (self.raised is not None and self.raised.exit_code is not None)


class Resources(Frozen):
    """What a run used: wall and CPU time in seconds, peak resident memory in KiB, and KiB of files it ended with.

    Wall time is the host's. The rest is, of a process that ended in order, its own word, checked to be plausible, and
    of any other the kernel's.
    """

    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_kb: int = 0
    written_kb: int = 0


class Report(Frozen):
    """What one sandboxed job observed: exactly one observation for each probe, in the job's order."""

    observations: tuple[Observation, ...] = ()
    denied: tuple[str, ...] = ()
    resources: Resources = Resources()


class Place(Frozen):
    """A line (from 1) of a function that an exception passed through.

    `path` is that of its file, from the project's root where the file is the project's own.
    """

    path: str
    line: int
    function: str


class Failure(Frozen):
    """The exception by which a test failed, or a file could not be collected.

    `places` has the outermost first; behind its own stand those of the exceptions that it came of.
    """

    type: str
    message: str = ""
    places: tuple[Place, ...] = ()


class FileReport(Frozen):
    """What a pytest run observed: the outcome of each test id; `log` is what it printed, cut short.

    `reasons` tell of a test that failed, and of a file that could not be collected, what pytest says of it. `collected`
    are the ids of the tests that there are to run. Of a project's own tests `failures` has the exceptions, by id or
    file. Where the run was traced, `ran` has the lines of functions that each test ran, by path (`{"a/b.py": "3-5,9"}`)
    and `modules` the name by which each path was imported.
    """

    collected: tuple[str, ...] = ()
    outcomes: dict[str, str] = Field(default_factory=dict)
    reasons: dict[str, str] = Field(default_factory=dict)
    failures: dict[str, Failure] = Field(default_factory=dict)
    ran: dict[str, dict[str, str]] = Field(default_factory=dict)
    modules: dict[str, str] = Field(default_factory=dict)
    complete: bool = False
    log: str = ""
    resources: Resources = Resources()

    @property
    def passed(self) -> bool:
        """Whether it ended by itself, ran something, and all it ran passed."""
        return self.complete and bool(self.outcomes) and all(o == "passed" for o in self.outcomes.values())


class Layer(Frozen):
    """One layer of a sandbox's isolation, whether this machine enforces it (found by trying), and what that means."""

    name: str
    enforced: bool
    detail: str = ""


class Difference(Frozen):
    """Where and how what was observed differs from what was expected, in a form that fits a line."""

    where: str
    expected: str
    actual: str

    @property
    def sentence(self) -> str:
        """It in one line: `[2]: 3, expected 5`."""
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.actual}, expected {self.expected}"


class Verdict(Frozen):
    """What the judge says of one case.

    `actual` says in a short line what was observed. `value_json` is the whole value that was returned, where JSON
    keeps it as it is; `value_cut` says that it is left out for its size.
    """

    function: str
    case: str
    passed: bool
    status: Status
    differences: tuple[Difference, ...] = ()
    actual: str = ""
    value_json: str = ""
    value_cut: bool = False
    raised: Raised | None = None
    stdout: str = ""
    stderr: str = ""
    mutated: dict[str, str] = Field(default_factory=dict)
    detail: str = ""
