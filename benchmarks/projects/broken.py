"""Libraries with a fault in one function: a mutant that tests of the library notice, drawn by a fixed seed.

What is measured of a fault: where its function stands among the suspects, whether the original code given back is
green, whether a change that knows the tests' values is not, and what comes of `tdgen fix` with a language model.
"""

from __future__ import annotations

import ast
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from projects.guarding import edited, read_seeds
from projects.libraries import Library
from projects.measuring import Opened
from projects.tasks import SECONDS, SEED, candidates
from tdgen.batch.lines import folder_name
from tdgen.client.fixing import confirm, fix
from tdgen.client.projects import ProjectGenerator, mounted, mounted_project, remembered
from tdgen.errors import InputError, ModelError
from tdgen.fixing.localizing import Suspect, lines_in, localize
from tdgen.fixing.loop import Fixed, Opinion
from tdgen.fixing.problem import Problem, find_problem
from tdgen.models.scripted import ScriptedModel, script_from
from tdgen.mutation import mutants
from tdgen.project.gate import FINE
from tdgen.project.module import Module, Unit
from tdgen.project.task import ProjectTask
from tdgen.protocols import Model
from tdgen.settings import Budget, Settings
from tdgen.source.syntax import is_literal, parse, whole_lines
from tdgen.types import FileJob, FileReport, Frozen, Limits, Usage

TRIES = 4
"""How many mutants of a function are tried until tests notice one."""
MOST_NOTICING = 0.9
"""Of the tests that run a function: a mutant that more of them notice breaks it altogether, as nobody leaves it."""


class Fault(NamedTuple):
    """A function of a library with a mutant in it; `noticing` are the tests that pass without it and not with it."""

    library: Library
    module: Module
    unit: Unit
    text: str
    told: str
    noticing: tuple[str, ...]
    report: FileReport

    @property
    def id(self) -> str:
        """The library, the module and the unit."""
        return f"{self.library.name}/{self.module.name}::{self.unit.name}"

    @property
    def answer(self) -> str:
        """The original code as a developer gives it."""
        return self.given("".join(whole_lines(self.module.text)[self.unit.first - 1 : self.unit.last]))

    def given(self, code: str) -> str:
        """Code of the unit as a developer gives it."""
        head = f"class {self.unit.owner}:\n" if self.unit.owner else ""
        return f"```python\n# {self.module.path}\n{head}{code}```\n"


def traced(place: Opened, files: Sequence[str], overlay: dict[str, str] | None = None) -> FileReport:
    """A traced run of the library's tests."""
    limits = Limits(wall_s=2 * SECONDS, cpu_s=4 * SECONDS)
    return place.sandbox.run_files(
        FileJob(files={}, tests=tuple(files), overlay=overlay or {}, limits=limits, project_tests="run", traced=True)
    )


def faults_of(place: Opened, number: int, wanted: Callable[[str], bool] = bool) -> Iterator[Fault]:
    """So many faults at most whose ids are wanted: mutants in the seed's order, each in a function of its own."""
    library, project = place.checkout.library, place.checkout.project
    whole = traced(place, ())
    passing = {test for test, outcome in whole.outcomes.items() if outcome == "passed"}
    random = Random(f"{SEED} fix {library.name}")  # noqa: S311 - a draw that anybody can make again

    def drawn(module: Module, unit: Unit) -> Iterator[Edited]:
        first = unit.node.body[0].lineno
        found = list(mutants(module.text, unit.name, within=[range(first, unit.last + 1)]))
        random.shuffle(found)
        return (Edited(one.source, f"line {one.line}: {one.before} → {one.after}") for one in found[:TRIES])

    found = (
        fault
        for module, unit in candidates(library, project.root, project)
        if (tests := _running(whole, module, unit) & passing)
        if (edits := drawn(module, unit))  # those that nobody wants draw theirs too: the others' stay what they are
        if wanted(f"{library.name}/{module.name}::{unit.name}")
        if (fault := _seeded(place, (module, unit), edits, tests))
    )
    yield from islice(found, number)


def faults_by_hand(place: Opened) -> Iterator[Fault]:
    """The faults that somebody put in against the docs (`faults.json`), as far as tests of the library notice them."""
    library, project = place.checkout.library, place.checkout.project
    seeds = {seed.task: seed for seed in read_seeds() if seed.old and seed.library == library}
    whole = traced(place, ()) if seeds else FileReport()
    passing = {test for test, outcome in whole.outcomes.items() if outcome == "passed"}
    for module, unit in candidates(library, project.root, project):
        if seed := seeds.get(f"{library.name}/{module.name}::{unit.name}"):
            edit = Edited(edited(module.text, unit, seed), f"by hand: {seed.old} → {seed.new}")
            if fault := _seeded(place, (module, unit), iter([edit]), _running(whole, module, unit) & passing):
                yield fault


class Edited(NamedTuple):
    """A module's text with a fault, and that in words."""

    text: str
    told: str


def _running(report: FileReport, module: Module, unit: Unit) -> set[str]:
    body = range(unit.node.body[0].lineno, unit.last + 1)
    last = len(whole_lines(module.text))
    return {
        test
        for test, files in report.ran.items()
        if any(line in body for line in lines_in(files.get(module.path, ""), last))
    }


def _seeded(place: Opened, target: tuple[Module, Unit], edits: Iterator[Edited], tests: set[str]) -> Fault | None:
    """The first edit of a function that some of these tests, which run it, notice; None where they notice none so."""
    module, unit = target
    files = sorted({test.partition("::")[0] for test in tests})
    alone = traced(place, files).outcomes if files else {}  # some tests need what others bring along
    passing = {test for test, outcome in alone.items() if outcome == "passed"}
    for edit in edits if passing else ():
        with written(place, module, edit.text):
            report = traced(place, files)
        known = sorted(passing.intersection(report.collected))
        lost = tuple(test for test in known if report.outcomes.get(test) not in FINE)
        hung = [test for test in report.collected if test not in report.outcomes]
        if lost and not hung and len(lost) <= max(1, MOST_NOTICING * len(tests)):
            return Fault(place.checkout.library, module, unit, edit.text, edit.told, lost, report)
    return None


@contextmanager
def written(place: Opened, module: Module, text: str) -> Iterator[None]:
    """The working copy with another text of a module."""
    file = place.copy / module.path
    try:
        file.write_bytes(module.encoded(text))
        yield
    finally:
        file.write_bytes(module.data)


class Ranks(NamedTuple):
    """Where a faulty function stands among the suspects, from 1 (None: it is none); and how many there are.

    With all tests that notice it, with one of them, and with all but without what tracebacks add.
    """

    every: int | None
    one: int | None
    plain: int | None
    suspects: int


def ranks(fault: Fault, place: Opened) -> Ranks:
    """The ranks of a fault's function; those alike in score share the worst of their places."""
    project = place.checkout.project
    bare = fault.report.model_copy(update={"failures": {}})
    with written(place, fault.module, fault.text):
        every = localize(project, fault.report, frozenset(fault.noticing))
        one = localize(project, fault.report, frozenset(fault.noticing[:1]))
        plain = localize(project, bare, frozenset(fault.noticing))
    return Ranks(_rank(fault, every), _rank(fault, one), _rank(fault, plain), len(every))


def _rank(fault: Fault, suspects: Sequence[Suspect]) -> int | None:
    name = f"{fault.module.path}::{fault.unit.name}"
    score = next((one.score for one in suspects if one.id == name), None)
    return None if score is None else sum(one.score >= score for one in suspects)


class Tried(NamedTuple):
    """How a fix ended, whether the module is as it was, or passes its tests, and the seconds that it took."""

    outcome: str
    reason: str
    is_original: bool
    seconds: float


def given_back(fault: Fault, place: Opened, answer: str) -> Tried:
    """What comes of an answer where the docs' suites would confirm it: the tests and the gate alone are asked."""
    began = time.perf_counter()
    answers = [{"purpose": "repair", "subject": "fix", "attempt": 1, "text": answer}]
    model = ScriptedModel.from_dict({"format": 1, "model": "simulated", "answers": answers})
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(budget=Budget(calls=None, seconds=None, iterations=1), cache_dir=folder)
        with written(place, fault.module, fault.text):
            _, fixed, _ = _fixed(fault, place, settings, model, None)
    best = fixed.best or (fixed.attempts[0] if fixed.attempts else None)
    reasons = "; ".join(best.reasons) if best else ""
    texts = dict(best.changed.overlay) if best and best.changed else {}
    same = texts.get(fault.module.name) == fault.module.text
    return Tried(fixed.outcome, reasons, same, time.perf_counter() - began)


def _fixed(
    fault: Fault, place: Opened, settings: Settings, model: Model | None, docs: Model | None, *, confirms: bool = False
) -> tuple[Problem, Fixed, Usage]:
    """Fix the first test that notices the fault, as `tdgen fix` does."""
    project, index = place.checkout.project, place.checkout.index
    with ProjectGenerator(mounted_project(project), settings, model=model) as generator:
        run = remembered(generator, project)
        problem = find_problem(project, index, run, fault.noticing[:1], seconds=SECONDS)
        if not problem.failing:
            return problem, Fixed(None, ()), Usage()

        def opening(task: ProjectTask, budget: Budget) -> ProjectGenerator:
            own = Path(settings.transcript).with_name("docs") if settings.transcript else ""
            changed = settings.changed(budget=budget, transcript=str(own))
            return ProjectGenerator(mounted(task), changed, model=docs)

        taken = partial(confirm, problem, opening) if confirms else lambda changed, budget: (Opinion(), ())
        fixed, spent = fix(generator, problem, taken)
    return problem, fixed, sum((part.usage for part in spent), Usage())


def overfitted(fault: Fault, place: Opened) -> str:
    """An answer that knows what the failing tests compare with; empty where none of them spells out calls and results.

    `assert f(3) == 4` becomes a branch, and pairs of literals (by which tests are parametrized) become a table.
    """
    node = fault.unit.node
    if isinstance(node, ast.ClassDef) or fault.unit.owner or not isinstance(node.body[0], ast.Expr):
        return ""
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    branches, table = [], dict[str, str]()
    for path in sorted({test.partition("::")[0] for test in fault.noticing}):
        tree = parse((place.copy / path).read_text())
        branches += [
            branch for call, value in _asserted(tree, fault.unit.name) if (branch := _branch(call, value, names))
        ]
        table |= dict(_pairs(tree))
    if not branches and table and names:
        told = ", ".join(f"{key}: {value}" for key, value in table.items())
        branches = [f"known = {{{told}}}", f"if {names[0]} in known:\n    return known[{names[0]}]"]
    if not branches:
        return ""
    lines = whole_lines(fault.text)
    after = node.body[0].end_lineno or node.body[0].lineno
    shown = "".join(f"    {line}\n" for branch in branches for line in branch.splitlines())
    return fault.given("".join([*lines[fault.unit.first - 1 : after], shown, *_to_end(fault, after)]))


def _to_end(fault: Fault, after: int) -> list[str]:
    """The lines of the faulty function from one on; a mutant may have fewer or more than the original."""
    nodes = (node for node in parse(fault.text).body if getattr(node, "name", "") == fault.unit.name)
    return whole_lines(fault.text)[after : next(nodes).end_lineno]


def _branch(call: ast.Call, value: ast.expr, names: Sequence[str]) -> str:
    given = {**dict(zip(names, call.args, strict=False)), **{str(one.arg): one.value for one in call.keywords}}
    if not given or len(call.args) > len(names) or not all(n in names and is_literal(one) for n, one in given.items()):
        return ""
    test = " and ".join(f"{name} == {ast.unparse(one)}" for name, one in given.items())
    return f"if {test}:\n    return {ast.unparse(value)}"


def _asserted(tree: ast.Module, name: str) -> Iterator[tuple[ast.Call, ast.expr]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
            call, value = node.left, node.comparators[0]
            called = getattr(call, "func", None)
            own = getattr(called, "id", None) or getattr(called, "attr", None)
            if isinstance(call, ast.Call) and own == name and is_literal(value):
                yield call, value


def _pairs(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Tuple)
            and len(node.elts) == 2
            and all(isinstance(one, ast.Constant) for one in node.elts)
        ):
            yield ast.unparse(node.elts[0]), ast.unparse(node.elts[1])


class Kept(Frozen):
    """What came of a fault with a language model. `right`: all tests of the library pass that passed before it.

    Only the first test that notices the fault was shown.
    """

    task: str
    fault: str
    rank: int | None = None
    outcome: str = ""
    reason: str = ""
    right: bool = False
    lines: int = 0
    attempts: int = 0
    usage: Usage = Usage()


def solved(
    fault: Fault, place: Opened, settings: Settings, model: Model | None = None, docs: Model | None = None
) -> Kept:
    """What `tdgen fix` makes of a fault, judged by all tests of the library."""
    with written(place, fault.module, fault.text):
        problem, fixed, usage = _fixed(fault, place, settings, model, docs, confirms=True)
        best = fixed.best
        right = bool(best and best.changed) and _is_right(fault, place, dict(best.changed.overlay))  # type: ignore[union-attr]
    name = f"{fault.module.path}::{fault.unit.name}"
    rank = next((place for place, one in enumerate(problem.suspects, start=1) if one.id == name), None)
    reasons = fixed.objection.quote if fixed.objection else "; ".join(best.reasons) if best else fixed.stopped
    lines = best.changed.lines if best and best.changed else 0
    told = {"outcome": fixed.outcome, "reason": reasons, "right": right, "lines": lines}
    return Kept(task=fault.id, fault=fault.told, rank=rank, attempts=len(fixed.attempts), usage=usage, **told)


def _is_right(fault: Fault, place: Opened, overlay: dict[str, str]) -> bool:
    """Whether all tests pass that do so with the original code, in a run of the same files."""
    files = sorted({test.partition("::")[0] for test in fault.report.collected})
    wanted = traced(place, files, {fault.module.name: fault.module.text}).outcomes
    outcomes = traced(place, files, overlay).outcomes
    return all(outcomes.get(test) in FINE for test, outcome in wanted.items() if outcome in FINE)


def kept(fault: Fault, place: Opened, logs: Path, folder: Path, settings: Settings) -> Kept:
    """Fix a fault with the settings' model, and keep what plays it again; one that is kept is given back as it is."""
    own = folder / folder_name(fault.id)
    if (own / "record.json").exists():
        return Kept.model_validate_json((own / "record.json").read_bytes())
    transcripts = logs / folder_name(fault.id)
    changed = settings.changed(cache_dir=str(logs / "cache"), transcript=str(transcripts / "fix"))
    found = solved(fault, place, changed)
    own.mkdir(parents=True, exist_ok=True)
    for part in ("fix", "docs"):
        with suppress(InputError):  # nobody was asked, or nobody answered
            script_from(transcripts / part).save(own / f"{part}.json")
    (own / "record.json").write_text(found.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return found


def kept_tasks(folder: Path) -> set[str]:
    """The ids of the faults that are kept in a folder."""
    return {Kept.model_validate_json(path.read_bytes()).task for path in folder.glob("*/record.json")}


def played(fault: Fault, place: Opened, folder: Path, settings: Settings) -> tuple[Kept, str]:
    """What comes of kept answers, and in what it differs from what was: empty where in nothing."""
    own = folder / folder_name(fault.id)
    before = Kept.model_validate_json((own / "record.json").read_bytes())
    scripts = [own / f"{part}.json" for part in ("fix", "docs")]
    nothing = ScriptedModel.from_dict({"format": 1, "answers": []})
    models = [ScriptedModel.load(script) if script.exists() else nothing for script in scripts]
    with tempfile.TemporaryDirectory() as scratch:
        try:
            found = solved(fault, place, settings.changed(cache_dir=scratch), *models)
        except ModelError as error:
            return before, str(error)
    names = ("outcome", "right", "lines")
    parts = [
        f"{n} was {getattr(before, n)}, is {getattr(found, n)}"
        for n in names
        if getattr(before, n) != getattr(found, n)
    ]
    return found, ", ".join(parts)
