"""Work in a user's project, as calls: what `tdgen add`, `change`, `fill`, `guard`, `fix` and `sync` do there.

A call reads the project anew and never imports it: all code runs in sandboxes. What comes of it is a proposal: nothing
is written before its `apply`. The command line and the tools for agents go the same way, and tell what happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tdgen.cache import cache_folder
from tdgen.client.handed import Handed, expect, expect_callable
from tdgen.client.projects import ProjectGenerator, mounted, mounted_project, remembered
from tdgen.client.proposals import Fix, Part, Proposal
from tdgen.errors import BudgetSpent, Cancelled, Contradicted, InputError
from tdgen.events import Noted
from tdgen.models import Ledger
from tdgen.project.applying import finish_changes
from tdgen.project.root import find_project, root_of
from tdgen.project.task import ProjectTask
from tdgen.settings import Settings, load_settings

if TYPE_CHECKING:
    from typing import Unpack

    from tdgen.fixing.problem import Problem
    from tdgen.project.filling import Filling
    from tdgen.project.syncing import Differences
    from tdgen.protocols import Ask, Emit, Model
    from tdgen.settings import Budget
    from tdgen.settings.model import AllOptions
    from tdgen.solution import Solution

NOTHING_CHANGES: Final = "the code as it stands passes all of these tests, too: they show nothing that had to change"
Opening = Callable[[ProjectTask, Settings], AbstractContextManager[ProjectGenerator]]
"""Opens a generator whose sandboxes show a task's project, with settings that have what is left of the budget."""


def _unheard(news: object) -> None:
    """Nobody looks on."""


class ProjectClient:
    """Works in projects with one set of settings. Each call has the whole budget, for all of its modules together."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        model: Model | str | None = None,
        on_event: Emit | None = None,
        on_question: Ask | None = None,
        on_module: Callable[[ProjectTask | Part], object] = _unheard,
        opening: Opening | None = None,
        **options: Unpack[AllOptions],
    ) -> None:
        """`settings` default to those of the environment and of the nearest pyproject.toml, changed by `options`.

        `model`, `on_event` and `on_question` are those of `Generator`. `on_module` is told each task as it begins, and
        what came of it. `opening` opens generators in place of those made of these arguments. InputError where one of
        them can't be used.
        """
        expect("settings", settings, Settings, None)
        for name, value in {"on_event": on_event, "on_question": on_question, "on_module": on_module}.items():
            expect_callable(name, value)
        given = dict(options) | ({"questions": "ask"} if on_question else {})
        self.settings = load_settings(given) if settings is None else settings.changed(**given)
        self._model, self._on_event, self._on_question = model, on_event, on_question
        self._on_module = on_module
        self._open = opening or self._generator
        self._running: list[ProjectGenerator] = []
        self._is_cancelled = False

    @property
    def folder(self) -> Path:
        """The folder that keeps what was read of projects, beside kept solutions."""
        return cache_folder(self.settings.cache_dir) / "projects"

    def add(self, place: str | Path, instruction: str) -> Proposal:
        """Something new in a module, or methods of `PATH::Class`, from prose; InputError where it can't be there."""
        from tdgen.project.adding import read_addition

        expect("the instruction", instruction, str)
        return self.one(read_addition(self._settled(place), instruction, self.folder))

    def change(self, place: str | Path, instruction: str) -> Proposal:
        """What `PATH::function`, `PATH::Class` or `PATH::Class.method` does, changed by a sentence.

        Tests of the project that it contradicts are revised. InputError where it can't be.
        """
        from tdgen.project.changing import read_change

        expect("the instruction", instruction, str)
        return self.one(read_change(self._settled(place), instruction, self.folder))

    def fill(self, *paths: str | Path) -> Proposal:
        """Bodies of the stubs in modules, folders, or of `PATH::name`; InputError where there are none to fill."""
        from tdgen.project.filling import read_fillings

        if not paths:
            raise InputError("name a module, a folder, or PATH::name, with stubs to fill")
        return self.filled(read_fillings([self._settled(path) for path in paths], self.folder))

    def guard(self, *paths: str | Path, revision: str = "", concern: str = "") -> Proposal:
        """Tests for code that is there, from its docs alone, of modules, folders or `PATH::name`; see `findings`.

        Of what changed since a git revision, where one is given; `concern` is what the user worries about.
        """
        from tdgen.project.guarding import read_guardings

        chosen = [self._settled(path) for path in paths]
        tasks, passed = read_guardings(chosen, self.folder, revision=revision, concern=concern)
        return self.guarded([task for task in tasks if task.names], tuple(passed))

    def fix(self, *tests: str, folder: str | Path = ".") -> Fix:
        """The smallest change that makes failing tests of the folder's project pass: those named, or all that fail."""
        problem = self.problem(tests, Path(folder))
        if not problem.can_change:
            return Fix(problem, None, (), self.settings)
        with ProjectGenerator(mounted_project(problem.project), self.settings, on_event=self._on_event) as one:
            return self.fixed(problem, one)

    def drift(self, *paths: str | Path, folder: str | Path = ".") -> Differences:
        """What of a folder's project is no longer as tdgen left it, as `tdgen sync` tells; no model is asked."""
        from tdgen.project.recorded import read_recorded
        from tdgen.project.syncing import chosen_units, differences

        self._settled(folder)
        project = find_project(Path(folder))
        record = read_recorded(project.root) or {}
        return differences(project, chosen_units(record, [str(path) for path in paths], project.root))

    def sync(self, *paths: str | Path, folder: str | Path = ".") -> Proposal:
        """The units written anew whose docs alone changed since tdgen wrote them; see `drift` for all that did."""
        from tdgen.project.recorded import read_recorded
        from tdgen.project.syncing import by_module, rebuilding

        drift = self.drift(*paths, folder=folder)
        project = find_project(Path(folder))
        record, ledger = read_recorded(project.root) or {}, Ledger(self.settings.budget)
        stale = by_module([one for one in drift.drifted if one.of_docs and not one.is_conflict])
        tasks = [rebuilding(project, path, names, record, self.folder) for path, names in stale.items()]
        return self._gathered(tasks, partial(self.work, ledger=ledger))

    def cancel(self, *, at_once: bool = False) -> None:
        """End what is going on, from any thread, as `Generator.cancel` does; nothing more is begun: Cancelled then."""
        self._is_cancelled = True
        for generator in tuple(self._running):
            generator.cancel(at_once=at_once)

    def one(self, task: ProjectTask) -> Proposal:
        """The proposal of one task."""
        part = self.work(task)
        return Proposal((part,), self.settings)

    def filled(self, filling: Filling) -> Proposal:
        """Modules filled in order, each with those before it; what imports one that is not green is not begun."""
        if len(filling.parts) == 1:
            return self.one(filling.task(0, {}))
        ledger, parts, left = Ledger(self.settings.budget), list[Part](), dict[str, Exception]()
        failed: set[str] = set()
        for place, (module, _) in enumerate(filling.parts):
            if lacking := [name for name in filling.needs(place) if name in failed]:
                left[module.path] = InputError(f"it imports {lacking[0]}, which is not green")
                failed.add(module.name)
                continue
            task = filling.task(place, {one.task.module.name: one.text for one in parts if one.is_green})
            try:
                parts.append(self.work(task, ledger))
            except (BudgetSpent, InputError) as error:
                left[module.path] = error
            if module.path in left or not parts[-1].is_green:
                failed.add(module.name)
        return Proposal(tuple(parts), self.settings, left)

    def guarded(self, tasks: Sequence[ProjectTask], notes: Sequence[str] = ()) -> Proposal:
        """Tests for the code of these tasks."""
        ledger = Ledger(self.settings.budget)
        return self._gathered(tasks, partial(self._guard, ledger=ledger), tuple(notes))

    def work(self, task: ProjectTask, ledger: Ledger | None = None) -> Part:
        """A task solved, within what is left of an account; all green, the project's own tests are asked as well."""
        account = ledger or Ledger(self.settings.budget)
        with self._opened(task, ledger) as generator:
            try:
                solution = self._charged(generator.solve(task.instruction, Handed(target=task.target)), account)
            except Contradicted as error:
                raise task.placed(error) from None
            part = Part(task, solution)
            if solution.all_tests_passed:
                run = remembered(generator, task.project, task.laid)
                gate = task.check(solution.module_source, run, seconds=self.settings.gate_seconds)
                part = part._replace(gate=gate)
                if task.target.changed:
                    part = self._revised(generator, part, account.rest())
        self._on_module(part)
        return part

    def _revised(self, generator: ProjectGenerator, part: Part, budget: Budget) -> Part:
        """The same with those of the project's tests revised that name what changes, and contradict it."""
        from tdgen.client.revising import revise

        task, solution, gate = part.task, part.solution, part.gate
        # Does the code that stands there pass all cases that the change is held to?
        before = generator.verify(solution.model_copy(update={"module_source": task.module.text}))
        if all(verdict.passed for verdicts in before.verdicts.values() for verdict in verdicts):
            part = part._replace(notes=(NOTHING_CHANGES,))
        if gate is None or not (otherwise := part.otherwise):
            return part
        revised, spent = revise(generator, task, solution.module_source, otherwise, budget)
        broken = tuple(test for test in gate.broken if test.partition("[")[0] not in revised.tests)
        return part._replace(gate=gate._replace(broken=broken), revised=revised, spent=spent)

    def problem(self, tests: Sequence[str], folder: Path) -> Problem:
        """The failing tests of a folder's project, and where the fault may be; no model is asked."""
        from tdgen.fixing.problem import find_problem, named_tests
        from tdgen.project.index import read_index

        self._settled(folder)
        project = find_project(folder)
        index, names = read_index(project, self.folder), named_tests(project, tests, folder.absolute())
        with ProjectGenerator(mounted_project(project), self.settings) as generator:
            run = remembered(generator, project)
            return find_problem(project, index, run, names, seconds=self.settings.gate_seconds)

    def fixed(self, problem: Problem, generator: ProjectGenerator) -> Fix:
        """Changes asked for until one is green; `generator` shows the project, and tells what happens."""
        from tdgen.client.fixing import confirm, fix

        fixed, spent = fix(generator, problem, partial(confirm, problem, self._confirming))
        return Fix(problem, fixed, spent, self.settings)

    def _guard(self, task: ProjectTask, ledger: Ledger) -> Part:
        from tdgen.project.guarding import without_called

        with self._opened(task, ledger) as generator:
            fewer = without_called(task, generator.import_fault)
            solution = self._charged(generator.solve(fewer.instruction, Handed(target=fewer.target)), ledger)
        part = Part(fewer, solution, passed=fewer.notes[len(task.notes) :])
        self._on_module(part)
        return part

    def _gathered(
        self, tasks: Sequence[ProjectTask], work: Callable[[ProjectTask], Part], notes: Sequence[str] = ()
    ) -> Proposal:
        """What comes of each task; of several, one that can't be done does not keep the others from it."""
        parts, left = list[Part](), dict[str, Exception]()
        for task in tasks:
            try:
                parts.append(work(task))
            except (BudgetSpent, InputError) as error:
                if len(tasks) == 1:
                    raise
                left[task.module.path] = error
        return Proposal(tuple(parts), self.settings, left, tuple(notes))

    @contextmanager
    def _opened(self, task: ProjectTask, ledger: Ledger | None) -> Iterator[ProjectGenerator]:
        from tdgen.project.own_tests import places_of_tests
        from tdgen.project.recorded import read_recorded

        # Where no tests could go, and where what is written could not be recorded, nothing is paid for.
        places_of_tests(task.project, task.index, task.module, ())
        read_recorded(task.project.root)
        if self._is_cancelled:
            raise Cancelled
        self._on_module(task)
        within = self.settings.changed(budget=ledger.rest()) if ledger else self.settings
        with self._open(task, within) as generator:
            self._running.append(generator)
            yield generator
            self._running.remove(generator)

    @staticmethod
    def _charged(solution: Solution, ledger: Ledger | None) -> Solution:
        if ledger is not None and not solution.cached:
            ledger.charge(solution.spent)
        return solution

    def _generator(self, task: ProjectTask, settings: Settings) -> ProjectGenerator:
        return ProjectGenerator(
            mounted(task), settings, model=self._model, on_event=self._on_event, on_question=self._on_question
        )

    def _confirming(self, task: ProjectTask, budget: Budget) -> ProjectGenerator:
        return self._generator(task, self.settings.changed(budget=budget))

    def _settled(self, path: str | Path) -> str:
        """The path; what a command was cut off in while it wrote there is finished, or taken back, and told."""
        expect("a path", path, str, Path)
        root = root_of(Path(str(path).partition("::")[0]).absolute())
        if root is not None and (sentence := finish_changes(root)) and self._on_event:
            self._on_event(Noted(text=sentence))
        return str(path)
