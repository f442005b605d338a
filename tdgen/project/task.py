"""A task in a project: what is there, the target that the engine works on, and what is wanted, in prose."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from tdgen.errors import Contradicted, InputError
from tdgen.project.context import TOKENS, Context, context_of
from tdgen.project.edit import Change
from tdgen.project.focus import focus_on
from tdgen.project.formatting import formatted_module, formatted_tests
from tdgen.project.gate import Edit, GateReport, RunTests, check_edit, new_functions
from tdgen.project.index import Index
from tdgen.project.module import Module, unimportable
from tdgen.project.own_tests import names_unit, own_tests, places_of_tests, read_text, units_in_tests
from tdgen.project.pages import pages_in
from tdgen.project.recorded import Recorded, RecordedUnit, changed_record, new_names, recorded_units, retested
from tdgen.project.root import Project
from tdgen.project.selection import Selection
from tdgen.project.shown_tests import ShownTests
from tdgen.project.siblings import code_of_class, standing_in
from tdgen.project.usage import calls_of
from tdgen.types import Target
from tdgen.types.interface import module_case

OF_TESTS: Final = 1_000
"""How many tokens of the project's own tests a task's prose shows. Not tuned."""
_TESTED: Final = "The user's own tests of these; each call that they make gives what they say:"


class TaskTests(NamedTuple):
    """Those of the project's own tests that name a task's units: by their ids with these, and their source by file."""

    units: Mapping[str, tuple[str, ...]] = {}
    files: tuple[str, ...] = ()

    @property
    def prose(self) -> str:
        """What the task's prose says of them: a block of code for each file, or nothing."""
        blocks = (f"```python\n{file}\n```" for file in self.files)
        return "\n" + "\n\n".join([_TESTED, *blocks]) + "\n" if self.files else ""


def tests_of(project: Project, index: Index, module: Module, units: Collection[str]) -> TaskTests:
    """Those of the project's own tests that name units of a module: `function`, `Class.method`."""
    by_test = units_in_tests(project, index, module, units)
    owners = {test: tuple(dict.fromkeys(name.partition(".")[0] for name in named)) for test, named in by_test.items()}
    return TaskTests(owners, tuple(ShownTests(project).by_file(list(by_test), OF_TESTS)) if by_test else ())


class Replaced(NamedTuple):
    """A test file whose place a new one takes: its path in the project, and what was read; None where it is gone."""

    path: str
    data: bytes | None


@dataclass(frozen=True)
class ProjectTask:
    """A task in a module of a project, as it was read; `notes` say in a line each what was passed over.

    `replaced` are the files that new test files, called so, take the place of; the gate leaves them out. `laid` are the
    new sources of modules, by name, that tasks before this one have written and that no file holds yet.
    """

    project: Project
    index: Index
    module: Module
    target: Target
    instruction: str
    notes: tuple[str, ...] = ()
    replaced: Mapping[str, Replaced] = field(default_factory=dict)
    laid: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """What is to be written: functions, classes, and methods as `Class.method`."""
        if self.target.changed:
            return (self.target.changed,)
        units = self.target.units.items()
        return tuple(name for owner, methods in units for name in [f"{owner}.{one}" for one in methods] or [owner])

    def changes(self, text: str, tests: Mapping[str, str]) -> list[Change]:
        """The changes that make `text` the module's, and add the test files (sources by name) beside the project's.

        InputError where the module's encoding can't hold the text.
        """
        return changes_of([Done(self, text, tests)])

    def units(self, text: str, tests: Mapping[str, str]) -> Recorded:
        """What the project's record has of the units, with the module's text and the test files (sources by path)."""
        names = {*self.names, *new_names(self.module.text, text)}
        tops = {name.partition(".")[0] for name in names}
        # A test file's name, such as `test_prices_gross.py` or `gross_test.py`, has a unit's in it.
        own = {
            top: {path: source for path, source in tests.items() if f"_{module_case(top)}_" in f"_{Path(path).stem}_"}
            for top in tops
        }
        return recorded_units(self.module.path, text, names, own)

    def placed(self, error: Contradicted) -> Contradicted:
        """The same, led by the places of what it quotes: in the module, and in the tests and pages that are shown."""
        tests = [test.partition("::")[0] for test in self.target.tests]
        paths = dict.fromkeys([self.module.path, *tests, *pages_in(self.instruction)])
        places_of = (place for quote in error.quotes for place in self._places(quote, paths))
        places = ", ".join(dict.fromkeys(places_of))
        return Contradicted(f"{places}: {error}" if places else str(error), *error.quotes)

    def _places(self, quote: str, paths: Iterable[str]) -> Iterator[str]:
        """The file and line at which words stand, in the first of the files that has them, spaces aside."""
        words = re.compile(r"\s+".join(map(re.escape, quote.split())))
        for path in paths if quote.strip() else ():
            text = self.module.text if path == self.module.path else read_text(self.project, path)
            if there := words.search(text):
                yield f"{path}:{text.count(chr(10), 0, there.start()) + 1}"
                return

    def otherwise(self, tests: Iterable[str], planned: Target) -> tuple[str, ...]:
        """Those of the project's tests, by their ids, that may say what it did before.

        They name what changes, or a function that calls it. Of a class `planned` says which methods change, of which
        each is a name as the class's own is.
        """
        changed = self.target.changed
        methods = planned.units.get(changed, ())
        units = [changed, *(f"{changed}.{method}" for method in methods)] if changed else []
        calls = calls_of(self.project, self.index, self.module, units, self.laid).values()
        callers = {place for some in calls for place, _ in some} - self.index.sources.keys()
        names = [*units, *sorted(callers)]
        return tuple(test for test in tests if any(names_unit(self.project, test, name) for name in names))

    def check(self, text: str, run: RunTests, *, seconds: float) -> GateReport:
        """What the project's own tests say of `text` as the module's; see `check_edit`."""
        tests = own_tests(self.project, self.index, self.module).without([one.path for one in self.replaced.values()])
        edit = Edit({self.module.name: text}, frozenset({self.module.path}), new_functions(self.module.text, text))
        return check_edit(tests, edit, run, seconds=seconds)


class Done(NamedTuple):
    """A task with its module's new text, its new test files (sources by name), and the project's own that change."""

    task: ProjectTask
    text: str
    tests: Mapping[str, str]
    revised: tuple[Change, ...] = ()


def changes_of(done: Sequence[Done]) -> list[Change]:
    """The changes of all these tasks of one project together, each in another module; see `ProjectTask.changes`."""
    changes: list[Change] = []
    units: dict[str, RecordedUnit] = {}
    taken: set[str] = set()
    for task, text, tests, revised in done:
        module, root = task.module, task.project.root
        text, tests = formatted_module(module.text, text, root), formatted_tests(tests, root)
        before = len(changes)
        if text != module.text:
            changes.append(
                Change(module.file, module.path, None if module.is_new else module.data, module.encoded(text))
            )
        places = places_of_tests(task.project, task.index, module, tests, taken)
        places |= {name: one.path for name, one in task.replaced.items()}
        for name in tests:
            held = task.replaced[name].data if name in task.replaced else None
            changes.append(Change(root / places[name], places[name], held, tests[name].encode()))
        changes += revised
        taken.update(Path(places[name]).name for name in tests)
        units |= retested(root, revised)
        if len(changes) > before:
            units |= task.units(text, {places[name]: source for name, source in tests.items()})
    return [*changes, *changed_record(done[0].task.project.root, units)] if changes else []


def target_of(
    project: Project,
    index: Index,
    module: Module,
    selection: Selection,
    tokens: int = TOKENS,
    tests: TaskTests = TaskTests(),  # noqa: B008
    *,
    helpers: bool = True,
) -> Target:
    """The target for the selected units, whose classes the task's prose tells of.

    Prompts see of the project what fits in about `tokens`, with `helpers` also what new code may use.
    """
    owners = frozenset(unit.owner for unit in selection.units)
    focus = focus_on(module, selection.units).widened(tests.files)._replace(told=owners, helpers=helpers)
    target = target_with(project, index, module, context_of(index, module, focus, tokens), tests)
    target = target.model_copy(update={"units": selection.by_owner})
    classes = (code_of_class(module.text, owner, methods) for owner, methods in target.units.items() if methods)
    siblings = "\n\n".join(filter(None, classes))
    return target.model_copy(update={"siblings": siblings, "standing": standing_in(target, are_told=True)})


def target_with(
    project: Project,
    index: Index,
    module: Module,
    context: Context,
    tests: TaskTests = TaskTests(),  # noqa: B008
) -> Target:
    """The target in a module with what prompts see of its project; InputError for a name that no test can import."""
    if problem := unimportable(module.name):
        raise InputError(f"{module.path} can't be tested: {problem}")
    places = {name: place.rpartition(".")[0] for name, place in context.elsewhere.items()}
    return Target(
        module=module.name,
        path=module.path,
        source=module.text,
        context=context.prompt,
        code=context.code,
        helpers=context.helpers,
        packages=project.packages(),
        public=context.public,
        types=context.types,
        tests=dict(tests.units),
        elsewhere=context.elsewhere,
        late=tuple(name for name, origin in places.items() if index.leads_to(origin, module.name)),
    )
