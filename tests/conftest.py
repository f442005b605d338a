"""Instructions told with all of a model's answers, and a studio that solves them for real: sandbox, cache and all.

    double = write.function(
        "double(number: int) -> int",
        cases=[write.returns("double(2)", "4"), write.returns("double(0)", "0")],
        tries=["def double(number: int) -> int: return number", "def double(number: int) -> int: return 2 * number"],
    )
    solved = studio.solve(double)

The first try is what the model answers when it is asked to implement, the others when it is asked to repair.
"""

from __future__ import annotations

import ast
import builtins
import json
import math
import os
import platform
import re
import sqlite3
import sys
import threading
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

import pytest
from _pytest._code import code

from tdgen.cache import disk
from tdgen.client import Generator, Handed
from tdgen.errors import Cancelled, LostLock, ModelError
from tdgen.events import Event
from tdgen.files import ruff
from tdgen.models import Script, ScriptedAnswer, ScriptedModel
from tdgen.pipeline.testing import hold_out
from tdgen.protocols import Answer, Model, Request, Sandbox
from tdgen.sandbox import launching, local
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.mounted import Mounted
from tdgen.sandbox.packages import Packages, Supply
from tdgen.sandbox.server import NOTHING, Opened, Plan
from tdgen.settings import Settings
from tdgen.settings.policy import POLICIES
from tdgen.solution import Solution
from tdgen.source import syntax
from tdgen.testgen.reply import CaseReply, slug
from tdgen.types import FileJob, FileReport, FunctionResult, Job, Layer, Report, Trust

SLOW = frozenset(
    (
        *("shared_sandboxes", "array_sandbox", "sandbox", "local", "docker_client", "opening", "driver", "start"),
        *("shelf", "make_shelf", "with_numpy", "bare_environment", "in_project", "bench", "reader"),
        *("node_sandbox", "typed_sandbox", "gcc_sandbox", "gpp_sandbox"),
    )
)
"""Fixtures that bring a sandbox, a container, a browser, pip or processes: a test with one is marked `slow`."""


def pytest_configure(config: pytest.Config) -> None:
    """Let pytest, which parses the source of what failed, wait for threads that parse: see `tdgen.source.syntax`."""
    parsing = code.getstatementrange_ast

    def alone(*given: Any, **more: Any) -> Any:
        with syntax._parser:
            return parsing(*given, **more)

    code.getstatementrange_ast = alone


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow, and begin with the tests that are given more time than others: else one processor waits."""
    for item in items:
        if item.get_closest_marker("timeout") or SLOW.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("slow")
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)


@pytest.fixture(scope="session")
def bare_environment() -> Callable[[Path], None]:
    """Gives a project an environment without packages: the pytest that is lent there brings no plugins to load."""

    def make(root: Path) -> None:
        folder = root / ".venv"
        (folder / "bin").mkdir(parents=True)
        (folder / "bin/python").symlink_to(Path(sys.executable).resolve())
        (folder / "pyvenv.cfg").write_text(f"version = {platform.python_version()}\n")

    return make


@pytest.fixture(scope="session", autouse=True)
def no_endpoint() -> Iterator[None]:
    """No test sees this machine's settings, keys and active environment: `Settings()` would ask where they lead."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("TDGEN_", "OPENAI_")) or name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
                patch.delenv(name)
        yield


@pytest.fixture(scope="session", autouse=True)
def nothing_waits_for_a_disk() -> Iterator[None]:
    """What is written outlives a process that is killed without being synced; no test takes the power away."""
    connect = sqlite3.connect

    def unsynced(*given: Any, **more: Any) -> sqlite3.Connection:
        connection = connect(*given, **more)
        with suppress(sqlite3.Error):  # it may be no database at all
            connection.execute("PRAGMA synchronous = OFF")
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        patch.setattr(sqlite3, "connect", unsynced)
        patch.setitem(disk._SETTINGS, "sqlite_synchronous", 0)
        yield


@pytest.fixture
def change_policy(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Change what a trust level means, by field, for the length of a test."""

    def change(level: Trust, **changes: Any) -> None:
        monkeypatch.setitem(POLICIES, level, POLICIES[level]._replace(**changes))

    return change


@pytest.fixture(autouse=True)
def no_second_reading(change_policy: Callable[..., None]) -> None:
    """No second reading is asked for: most scripts hold none. Tests that are about it override this."""
    change_policy("standard", readings=0)
    change_policy("strict", readings=0)


class Said(NamedTuple):
    """An answer word for word, where it is not just code."""

    text: str
    finish_reason: str = "stop"


@dataclass(frozen=True)
class Written:
    """One function: its contract as the planner answers it, and what test author and developer answer."""

    spec: dict[str, Any]
    cases: Sequence[Sequence[dict[str, Any]] | Said] = ()
    tries: Sequence[str | Said] = ()
    rival: str | Said | None = None
    also: Sequence[ScriptedAnswer] = ()

    @property
    def name(self) -> str:
        return self.spec["name"]

    @property
    def held_out(self) -> list[dict[str, Any]]:
        """Those of the cases that no prompt may show, as the test author wrote them."""
        cases = self.cases[-1]
        names = hold_out([CaseReply(**case).case(self.name) for case in cases])
        return [case for case in cases if slug(case["name"]) in names]

    def answers(self) -> Iterator[ScriptedAnswer]:
        for number, given in enumerate(self.cases, start=1):
            said = given if isinstance(given, Said) else Said(json.dumps({"cases": given}))
            # the second answer mends the first; the third and fourth are to a question for more cases
            key = {"attempt": number} if number <= 2 else {"variant": "more", "attempt": number - 2}
            yield _answer("cases", self.name, said=said, **key)
        for number, given in enumerate(self.tries, start=1):
            yield _answer("implement" if number == 1 else "repair", self.name, number, _code(given))
            if number > 1:  # a fresh attempt, if one is asked for in place of a repair
                yield from (_answer("implement", self.name, number, _code(given), line) for line in (1, 2))
        if self.rival is not None:
            yield _answer("implement", self.name, 1, _code(self.rival), 1)
        yield from (answer.model_copy(update={"subject": self.name}) for answer in self.also)


class Write:
    """Functions and cases in few words."""

    said = Said

    @staticmethod
    def function(
        signature: str,
        purpose: str = "It does as its cases say.",
        *,
        cases: Sequence[dict[str, Any]] | Said = (),
        mended_cases: Sequence[dict[str, Any]] | Said | None = None,
        tries: Sequence[str | Said] = (),
        rival: str | Said | None = None,
        also: Sequence[ScriptedAnswer] = (),
        uses: Sequence[str] = (),
        raises: Sequence[str] = (),
        **more: Any,
    ) -> Written:
        """A function by its `def` line without `def` and colon; `mended_cases` is the test author's second answer."""
        tree = ast.parse(
            f"{signature.replace('async ', 'async def ') if 'async ' in signature else 'def ' + signature}: 0"
        )
        node = tree.body[0]
        spec = {
            "name": node.name,
            "purpose": purpose,
            "parameters": list(_parameters(node.args)),
            "returns": ast.unparse(node.returns),
            "raises": [{"type": name, "when": "its cases say when"} for name in raises],
            "dependencies": list(uses),
            "is_async": isinstance(node, ast.AsyncFunctionDef),
        }
        answers = [cases] if mended_cases is None else [cases, mended_cases]
        return Written(spec | more, answers, tries, rival, also)

    @staticmethod
    def klass(
        skeleton: str,
        *,
        cases: Sequence[dict[str, Any]] | Said = (),
        mended_cases: Sequence[dict[str, Any]] | Said | None = None,
        tries: Sequence[str | Said] = (),
        also: Sequence[ScriptedAnswer] = (),
        uses: Sequence[str] = (),
        raises: Sequence[str] = (),
        **more: Any,
    ) -> Written:
        """A class by its source without bodies; each public method may raise what `raises` names."""
        (node,) = ast.parse(dedent(skeleton)).body
        attributes = [part for part in node.body if isinstance(part, ast.AnnAssign)]
        spec = {
            "name": node.name,
            "purpose": ast.get_docstring(node) or "It does as its cases say.",
            "bases": [ast.unparse(base) for base in node.bases],
            "attributes": [{"name": a.target.id, "type": ast.unparse(a.annotation)} for a in attributes],
            "methods": [
                _method(part, raises) for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
            ],
            "dependencies": list(uses),
        }
        answers = [cases] if mended_cases is None else [cases, mended_cases]
        return Written(spec | more, answers, tries, None, also)

    @staticmethod
    def settles(*answers: dict[str, Any], variant: str = "survivors", **key: int) -> ScriptedAnswer:
        """What the test author says of calls: see `gives` and `leaves_open`, in the order of the calls."""
        told = [answer | {"number": number} for number, answer in enumerate(answers, start=1)]
        return ScriptedAnswer(purpose="settle", variant=variant, text=json.dumps({"answers": told}), **key)

    @staticmethod
    def rules(*rulings: dict[str, Any], **key: Any) -> ScriptedAnswer:
        """What a trial says of cases, one vote."""
        return ScriptedAnswer(purpose="trial", text=json.dumps({"rulings": list(rulings)}), **key)

    @staticmethod
    def returns(call: str, value: str, **more: Any) -> dict[str, Any]:
        """A case in which the call returns a value."""
        return _case(call, "value", value, more)

    @staticmethod
    def raises(call: str, exception: str, **more: Any) -> dict[str, Any]:
        """A case in which the call raises an exception."""
        return _case(call, "raises", exception, {"kind": "error", **more})

    @staticmethod
    def holds(call: str, check: str, **more: Any) -> dict[str, Any]:
        """A case in which a check holds for the call's result."""
        return _case(call, "check", check, more)

    @staticmethod
    def exits(words: Sequence[str], code: int, **more: Any) -> dict[str, Any]:
        """A case in which the module, run as a script with these words, ends with an exit code."""
        name = "_".join(["script", *words, str(code)])
        return {"name": name, "arguments": list(words), "expect": "exits", "value": str(code), **more}

    @staticmethod
    def example(quote: str, call: str, value: str, expect: str = "value") -> dict[str, Any]:
        """An example that the planner found in the instruction."""
        return {"function": call.partition("(")[0], "quote": quote, "call": call, "value": value, "expect": expect}


def _parameters(arguments: ast.arguments) -> Iterator[dict[str, str]]:
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + list(arguments.defaults)
    for argument, default in zip(arguments.args, defaults, strict=True):
        told = {"name": argument.arg, "type": ast.unparse(argument.annotation)}
        yield told | ({"default": ast.unparse(default)} if default else {})


_KINDS = {"classmethod": "class", "staticmethod": "static", "property": "property", "abstractmethod": "abstract"}


def _method(node: ast.FunctionDef | ast.AsyncFunctionDef, raises: Sequence[str]) -> dict[str, Any]:
    """A method as the planner answers it."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    kind = "setter" if any(d.endswith(".setter") for d in decorators) else _KINDS.get("".join(decorators), "instance")
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    is_async = isinstance(node, ast.AsyncFunctionDef)
    return {
        "signature": f"{'async ' * is_async}{node.name}({ast.unparse(node.args)}){returns}",
        "kind": kind,
        "purpose": ast.get_docstring(node) or "",
        "raises": [{"type": name, "when": "its cases say when"} for name in raises],
    }


def _case(call: str, expect: str, value: str, more: dict[str, Any]) -> dict[str, Any]:
    """A plain call is told by its arguments, as test authors do it, and gives the case its name."""
    tree = ast.parse(call, mode="eval").body
    is_plain = isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id not in vars(builtins)
    plain = {"arguments": [ast.unparse(argument) for argument in tree.args]} if is_plain else {}
    how = plain if is_plain and not tree.keywords else {"call": call}
    name = re.sub(r"\W+", "_", call).strip("_").lower()
    return {"name": name, **how, "expect": expect, "value": value} | more


def _code(given: str | Said) -> Said:
    return given if isinstance(given, Said) else Said(f"Here it is.\n```python\n{dedent(given).strip()}\n```")


def _answer(purpose: str, subject: str, attempt: int, said: Said, sample: int = 0, variant: str = "") -> ScriptedAnswer:
    return ScriptedAnswer(
        purpose=purpose,
        subject=subject,
        attempt=attempt,
        sample=sample,
        variant=variant,
        text=said.text,
        finish_reason=said.finish_reason,
    )


class Obliging(ScriptedModel):
    """A scripted model that leaves every call open, rules on no case and knows no property, unless its script does."""

    def ask(self, request: Request) -> Answer:
        try:
            return super().ask(request)
        except ModelError:
            if request.purpose not in ("settle", "trial", "properties"):
                raise
            calls = re.findall(r"^(\d+)\. ", text_of(request).rpartition("<calls>")[2], re.MULTILINE)
            said = {"answers": [{"number": int(n), "expect": "open"} for n in calls], "rulings": [], "properties": []}
            return Answer(text=json.dumps(said))


@dataclass
class Solved:
    """A solution, what was asked on the way to it, and what happened."""

    solution: Solution
    model: Any
    events: list[Event] = field(default_factory=list)

    def __getitem__(self, function: str) -> FunctionResult:
        return next(result for result in self.solution.results if result.function == function)

    def prompts(self, purpose: str, subject: str = "") -> list[str]:
        """What was asked for a purpose (about one function), each request as one text."""
        return [text_of(r) for r in self.model.asked if r.purpose == purpose and subject in ("", r.subject)]

    def happened(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]


def text_of(request: Request) -> str:
    return "\n".join(message.content for message in request.messages)


def with_answer(model, purpose, text, **key):
    """The same model with one answer more."""
    script = Script(answers=(*model._script.answers, ScriptedAnswer(purpose=purpose, text=text, **key)))
    return type(model)(script)


class Studio:
    """Makes generators that share a warm sandbox, and a cache folder of the test's own."""

    def __init__(self, sandbox: Sandbox, oracle: Sandbox, cache_dir: Path, packages: Packages | None = None) -> None:
        self.sandbox = sandbox
        self.oracle = oracle
        self.packages = packages
        self.cache_dir = cache_dir
        self.events: list[Event] = []
        self._generators: list[Generator] = []

    def model(
        self,
        *functions: Written,
        plan: dict[str, Any] | Said | None = None,
        readings: Sequence[str | Said] = (),
        **of_plan: Any,
    ) -> ScriptedModel:
        """A model that plans these functions, and answers what they say; `plan` is its whole answer instead.

        `readings` are its answers to the whole instruction, one after the other.
        """
        specs = [function.spec for function in functions]
        classes = [spec for spec in specs if "methods" in spec]
        told = {"module": "kit", "functions": [spec for spec in specs if spec not in classes], **of_plan}
        told |= {"classes": classes} if classes else {}
        said = plan if isinstance(plan, Said) else Said(json.dumps(plan or told))
        answers = [answer for function in functions for answer in function.answers()]
        answers += [_answer("reading", "", 1, _code(given), sample) for sample, given in enumerate(readings)]
        return Obliging(Script(answers=(_answer("plan", "", 1, said), *answers)))

    def generator(self, model: Model | None = None, executor: Executor | None = None, /, **settings: Any) -> Generator:
        """A generator at trust level quick, unless said otherwise."""
        chosen = Settings(**{"trust": "quick", "search_seconds": 0, "cache_dir": str(self.cache_dir)} | settings)
        made = Generator(chosen, on_event=self.events.append, model=model, executor=executor)
        vars(made._runtime).update(sandbox=self.sandbox, oracle=self.oracle, _packages=self.packages)
        self._generators.append(made)
        return made

    def solve(
        self,
        *functions: Written,
        text: str = "Write what is needed.",
        handed: Handed = Handed(),  # noqa: B008 - immutable
        model: Model | None = None,
        settings: dict[str, Any] | None = None,
        **of_plan: Any,
    ) -> Solved:
        """An instruction solved by a model that answers what the functions say."""
        answering = model or self.model(*functions, **of_plan)
        self.events.clear()
        solution = self.generator(answering, **settings or {}).solve(text, handed)
        return Solved(solution, answering, list(self.events))

    def close(self) -> None:
        for generator in self._generators:
            generator.close()


class Reports:
    """What jobs were seen to do this session, by all that they depend on: each run of one, in turn."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], list[Any]] = {}
        self._lock = threading.Lock()

    def of(self, key: tuple[str, ...], turn: int, run: Callable[[], Any], seconds: float = math.inf) -> Any:
        """What is known of that turn, if it took no longer, or comes of a run.

        What ran out of time or died is not kept: that may have been the machine's fault.
        """
        known = self._known.setdefault(key, [])
        if turn < len(known) and (seconds == math.inf or known[turn].resources.wall_s < seconds):
            return known[turn]
        report = run()
        with self._lock:
            if turn == len(known) and _has_ended(report):
                known.append(report)
        return report


def _has_ended(report: Report | FileReport | tuple[Layer, ...]) -> bool:
    """Whether nothing was cut off."""
    if isinstance(report, FileReport):
        return report.complete
    if isinstance(report, Report):
        return all(seen.status in ("returned", "raised") for seen in report.observations)
    return True


class Remembering:
    """A sandbox that runs a job once a session: what another test ran is told from then.

    Of the same job again in one test each run counts for itself, as two runs of a job may differ. In a project a job is
    the same where each of the project's files holds the same, too.
    """

    def __init__(self, sandbox: LocalSandbox, reports: Reports) -> None:
        self._sandbox, self._reports = sandbox, reports
        self._turns: Counter[tuple[str, ...]] = Counter()
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sandbox, name)

    def __enter__(self) -> Remembering:
        return self

    def __exit__(self, *given: object) -> None:
        self._sandbox.close()

    def begin(self) -> None:
        """Another test: what is known is told from the first run on."""
        self._turns.clear()

    def run(self, job: Job) -> Report:
        """As the sandbox itself."""
        return self._once(("run", repr(job)), lambda: self._sandbox.run(job))

    def run_files(self, job: FileJob) -> FileReport:
        """As the sandbox itself. What a project's tests are given is what is left of all their time."""
        limits = job.limits.model_copy(update={"wall_s": 0.0, "cpu_s": 0.0})
        asked = ("run_files", repr(job.model_copy(update={"limits": limits})))
        return self._once(asked, lambda: self._sandbox.run_files(job), min(job.limits.wall_s, job.limits.cpu_s))

    def layers(self) -> tuple[Layer, ...]:
        """As the sandbox itself: what holds in one project holds in the next."""
        return self._reports.of(("layers", repr(self._sandbox.opened)), 0, self._sandbox.layers)

    def _once(self, asked: tuple[str, ...], run: Callable[[], Any], seconds: float = math.inf) -> Any:
        mounted = self._sandbox.mounted
        held = _held(mounted.root) if mounted else ()
        key = (*asked, repr(self._sandbox._plan("probes", 0)), *held)
        with self._lock:
            turn = self._turns[key]
            self._turns[key] += 1
        return self._reports.of(key, turn, run, seconds)


def _held(root: str) -> Iterator[str]:
    """The files of a project, and what each of them holds."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - {".git"})
        for path in (Path(folder, name) for name in sorted(names)):
            yield str(path)
            yield str(path.readlink()) if path.is_symlink() else path.read_text("latin-1")


@pytest.fixture(scope="session")
def reports() -> Reports:
    """What was seen of jobs."""
    return Reports()


@pytest.fixture(scope="session")
def shared_sandboxes(reports: Reports) -> Iterator[tuple[Sandbox, Sandbox]]:
    """One sandbox for candidates and one for expected values, warm for the whole session."""
    with LocalSandbox() as candidates, LocalSandbox() as oracle:
        yield Remembering(candidates, reports), Remembering(oracle, reports)


@pytest.fixture(scope="session", autouse=True)
def launchers() -> Iterator[None]:
    """What launches servers stays for the session: else each test that opens a sandbox would load it anew."""
    start, kept = launching.launcher, set[launching.Launcher]()

    def keep(plan: Plan) -> launching.Launcher:
        kept.add(found := start(plan))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launching, "launcher", keep)
        yield


@pytest.fixture(autouse=True)
def each_run_counts(request: pytest.FixtureRequest) -> None:
    """Of the shared sandboxes, those that a test has."""
    for name in {"shared_sandboxes", "array_sandbox"}.intersection(request.fixturenames):
        given = request.getfixturevalue(name)
        for sandbox in given if isinstance(given, tuple) else (given,):
            sandbox.begin()


@pytest.fixture(scope="session", autouse=True)
def formatted_once() -> Iterator[None]:
    """Ruff is asked once a session for what it is given as text: the same text, the same answer."""
    run, known = ruff._run, {}

    def once(arguments: list[str], source: str) -> Any:
        if "--isolated" not in arguments or arguments[-1] != "-":  # settings and files may be others the next time
            return run(arguments, source)
        key = (ruff.ruff(), *arguments, source)
        if key not in known:
            known[key] = run(arguments, source)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ruff, "_run", once)
        yield


class Lent:
    """A sandbox of the session's, which a command that closes it leaves as it is."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sandbox, name)

    def close(self) -> None:
        pass


@pytest.fixture
def warm(shared_sandboxes: tuple[Sandbox, Sandbox], reports: Reports, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who chooses a sandbox in this process takes one of the session's, unless it wants what these do not have.

    In a project that is as another test had it, at the same place, what ran there is known.
    """
    lent = cycle(map(Lent, shared_sandboxes))

    def make(
        python: str = "",
        *,
        packages: Supply | None = None,
        opened: Opened = NOTHING,
        mounted: Mounted | None = None,
    ) -> Any:
        if (python, packages, opened, mounted) == ("", None, NOTHING, None):
            return next(lent)
        own = LocalSandbox(python, packages=packages, opened=opened, mounted=mounted)
        return Remembering(own, reports) if mounted else own

    monkeypatch.setattr(local, "LocalSandbox", make)


@pytest.fixture(scope="session")
def _place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("place") / "work"


@pytest.fixture
def work(_place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory, empty, at the same place for all tests; afterwards it lies in the test's own folder."""
    _place.mkdir()
    monkeypatch.chdir(_place)
    yield _place
    _place.rename(tmp_path / "work")


@pytest.fixture(scope="session")
def array_sandbox(reports: Reports) -> Iterator[Sandbox]:
    """A sandbox in which numpy and pandas can be imported, from where they are installed for the tests."""
    specs = [find_spec(name) for name in ("numpy", "pandas")]
    folders = {Path(str(spec.origin)).parents[1] for spec in specs if spec}
    if None in specs or len(folders) != 1:
        pytest.skip("numpy and pandas are not installed side by side")
    with LocalSandbox(packages=lambda _: str(*folders)) as made:
        yield Remembering(made, reports)


@pytest.fixture
def studio(shared_sandboxes: tuple[Sandbox, Sandbox], tmp_path: Path) -> Iterator[Studio]:
    made = Studio(*shared_sandboxes, tmp_path / "cache")
    yield made
    made.close()


@pytest.fixture
def array_studio(array_sandbox: Sandbox, tmp_path: Path) -> Iterator[Studio]:
    """A studio whose user allows numpy and pandas."""
    packages = Packages(imports=frozenset({"numpy", "pandas"}))
    made = Studio(array_sandbox, array_sandbox, tmp_path / "cache", packages)
    yield made
    made.close()


@pytest.fixture(scope="module")
def one_studio(shared_sandboxes: tuple[Sandbox, Sandbox], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio for a module's tests that all look at one solution."""
    made = Studio(*shared_sandboxes, tmp_path_factory.mktemp("studio") / "cache")
    yield made
    made.close()


@pytest.fixture(scope="session")
def write() -> Write:
    return Write()


@pytest.fixture(scope="session")
def double(write: Write) -> Callable[..., Written]:
    """`double(number)` with four cases, one of which is held out, and right at once unless told otherwise."""

    def make(*tries: str | Said, **more: Any) -> Written:
        right = "def double(number: int) -> int:\n    '''Twice the number.'''\n    return 2 * number"
        told = {
            "cases": [write.returns(f"double({number})", str(2 * number)) for number in (0, 1, 7, -4)],
            "tries": tries or [right],
        }
        return write.function("double(number: int) -> int", "Twice the number.", **told | more)

    return make


class Gate:
    """A model that answers only while its gate is open; `waiting` is set when somebody stands before it.

    It is closed for a purpose, or for one about a function: `implement double`.
    """

    def __init__(self, inner: Model, closed_for: str) -> None:
        self.inner = inner
        self.name = getattr(inner, "name", "")
        self.closed_for = closed_for
        self.waiting = threading.Event()
        self.open = threading.Event()
        self.asked: list[Request] = []

    def ask(self, request: Request) -> Answer:
        self.asked.append(request)
        if self.closed_for in (request.purpose, f"{request.purpose} {request.subject}"):
            self.waiting.set()
            assert self.open.wait(30.0), "nobody opened the gate"
        return self.inner.ask(request)


@pytest.fixture(scope="session")
def gate() -> Callable[[Model, str], Gate]:
    return Gate


class KeptSolutions:
    """A folder of wheels that pip finds in place of an index."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(
        self, name: str, version: str = "1.0", needs: Sequence[str] = (), tag: str = "py3-none-any", **modules: str
    ) -> None:
        """A wheel of the distribution `name` with these modules' sources."""
        stem = f"{name.replace('-', '_')}-{version}"
        info = f"{stem}.dist-info"
        files = {f"{module}.py": source for module, source in modules.items()}
        files[f"{info}/METADATA"] = "\n".join(
            ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {n}" for n in needs)]
        )
        files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n"
        record = "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"])
        with zipfile.ZipFile(self.folder / f"{stem}-{tag}.whl", "w") as archive:
            for file, text in (files | {f"{info}/RECORD": record}).items():
                archive.writestr(file, text)


@pytest.fixture(scope="session")
def make_shelf() -> Callable[[Path, pytest.MonkeyPatch], KeptSolutions]:
    """Makes a folder the only place where pip looks: no index, nothing of this machine's settings."""

    def make(folder: Path, monkeypatch: pytest.MonkeyPatch) -> KeptSolutions:
        folder.mkdir()
        for name, value in {"NO_INDEX": "1", "FIND_LINKS": str(folder), "CONFIG_FILE": os.devnull}.items():
            monkeypatch.setenv(f"PIP_{name}", value)
        return KeptSolutions(folder)

    return make


@pytest.fixture
def shelf(
    make_shelf: Callable[[Path, pytest.MonkeyPatch], KeptSolutions], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> KeptSolutions:
    """A shelf of the test's own."""
    return make_shelf(tmp_path / "shelf", monkeypatch)


class TeamServer:
    """What a Redis keeps for a team, in a dict; `error`, where it is set, is raised by whatever is asked of it.

    `lose` has the lock that was taken last be lost.
    """

    address = "redis.test:6379"

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.error: Exception | None = None
        self.note: Callable[[str], None] = lambda text: None
        self.asked = 0
        self.locked = 0
        self.lose: Callable[[], object] = lambda: None

    @property
    def held(self) -> dict[str, str]:
        return {}

    def get(self, key: str) -> str | None:
        self._answer()
        return self.texts.get(key)

    def get_many(self, keys: Sequence[str]) -> list[str | None]:
        self._answer()
        return [self.texts.get(key) for key in keys]

    def keys(self, prefix: str = "") -> Iterator[str]:
        self._answer()
        return iter(sorted(key for key in self.texts if key.startswith(prefix)))

    def put(self, key: str, text: str, *, under: Any = None, ttl_s: float | None = None) -> None:
        self._answer()
        self.texts[key] = text

    def delete(self, key: str, *, under: Any = None) -> bool:
        self._answer()
        return self.texts.pop(key, None) is not None

    @contextmanager
    def lock(self, key: str, is_cancelled: Any = None, on_lost: Any = None) -> Iterator[None]:
        self._answer()
        is_lost = threading.Event()
        self.lose = lambda: (is_lost.set(), on_lost())
        self.locked += 1
        try:
            yield
        except Cancelled:
            raise LostLock if is_lost.is_set() else Cancelled from None

    def close(self) -> None:
        pass

    def _answer(self) -> None:
        self.asked += 1
        if self.error is not None:
            raise self.error


@pytest.fixture
def team_server() -> TeamServer:
    """A team's store that is empty."""
    return TeamServer()
