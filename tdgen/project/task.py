"""A task in a project: what is there, the target that the engine works on, and what is wanted, in prose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tdgen.project.context import TOKENS, Context, context_of, focus_on
from tdgen.project.edit import Change
from tdgen.project.gate import Edit, GateReport, RunTests, check_edit, new_functions
from tdgen.project.index import Index
from tdgen.project.module import Module
from tdgen.project.own_tests import names_unit, own_tests, test_places
from tdgen.project.root import Project
from tdgen.project.selection import Selection
from tdgen.types import Target


@dataclass(frozen=True)
class ProjectTask:
    """A task in a module of a project, as it was read; `notes` say in a line each what was passed over."""

    project: Project
    index: Index
    module: Module
    target: Target
    instruction: str
    notes: tuple[str, ...] = ()

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
        changes = []
        if text != self.module.text:
            data, before = self.module.encoded(text), None if self.module.is_new else self.module.data
            changes.append(Change(self.module.file, self.module.path, before, data))
        for name, path in test_places(self.project, self.index, self.module, tests).items():
            changes.append(Change(self.project.root / path, path, None, tests[name].encode()))
        return changes

    def otherwise(self, tests: Iterable[str]) -> tuple[str, ...]:
        """Those of the project's tests, by their ids, that name what changes: they may say what it did before."""
        changed = self.target.changed
        return tuple(test for test in tests if changed and names_unit(self.project, test, changed))

    def check(self, text: str, run: RunTests, *, seconds: float) -> GateReport:
        """What the project's own tests say of `text` as the module's; see `check_edit`."""
        tests = own_tests(self.project, self.index, self.module)
        edit = Edit({self.module.name: text}, frozenset({self.module.path}), new_functions(self.module.text, text))
        return check_edit(tests, edit, run, seconds=seconds)


def target_of(project: Project, index: Index, module: Module, selection: Selection, tokens: int = TOKENS) -> Target:
    """The target for the selected units; prompts see of the project what fits in about `tokens`."""
    context = context_of(index, module, focus_on(module, selection.units), tokens)
    return target_with(project, index, module, context).model_copy(update={"units": selection.by_owner})


def target_with(project: Project, index: Index, module: Module, context: Context) -> Target:
    """The target in a module with what prompts see of its project."""
    places = {name: place.rpartition(".")[0] for name, place in context.elsewhere.items()}
    return Target(
        module=module.name,
        path=module.path,
        source=module.text,
        context=context.prompt,
        code=context.code,
        packages=project.packages(),
        public=context.public,
        types=context.types,
        elsewhere=context.elsewhere,
        late=tuple(name for name, origin in places.items() if index.leads_to(origin, module.name)),
    )
