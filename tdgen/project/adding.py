"""Something new in a module of a project as a task: the user's prose says what."""

from __future__ import annotations

import ast
from pathlib import Path

from tdgen.errors import InputError
from tdgen.project.context import TOKENS, context_of
from tdgen.project.focus import focus_of
from tdgen.project.index import Index, Source, read_index
from tdgen.project.module import Module, new_module, read_module
from tdgen.project.outline import Outline
from tdgen.project.own_tests import lacking, unreadable_tests
from tdgen.project.root import find_project
from tdgen.project.siblings import code_of_class
from tdgen.project.task import ProjectTask, target_with, tests_of
from tdgen.settings.base import nearest
from tdgen.source.adding import has_computed_all
from tdgen.source.syntax import parse


def read_addition(
    place: str, prose: str, folder: Path | None = None, tokens: int = TOKENS, *, with_tests: bool = True
) -> ProjectTask:
    """The task that a place (`PATH`, or `PATH::Class` for methods) and prose make; `folder` keeps what was read.

    A module that is not there is to be made, in a folder that is. `with_tests` as in `Filling.task`.

    InputError, in one line, for a place where nothing can be added.
    """
    path, _, owner = place.partition("::")
    file = Path(path)
    is_new = bool(path) and not (owner or file.exists() or file.is_symlink())
    project = find_project(file, is_new=is_new)
    module = new_module(project, file) if is_new else read_module(project, file)
    if owner:
        _must_be_class(module, owner)
    index = read_index(project, folder)
    if is_new:
        index = Index({**index.sources, module.name: Source(module.file, Outline())})
    tests = tests_of(project, index, module, lacking(project, index, module) if with_tests and not owner else [])
    context = context_of(index, module, focus_of(prose, owner).widened(tests.files), tokens)
    siblings = code_of_class(module.text, owner, ()) if owner else ""
    target = target_with(project, index, module, context, tests)
    target = target.model_copy(update={"added_to": owner, "siblings": siblings})
    instruction = prose.rstrip("\n") + "\n" + tests.prose if tests.files else prose
    notes = unreadable_tests(project, index)
    if module.is_new:
        notes.insert(0, f"{module.path} is not there yet: it is made")
    elif not owner and has_computed_all(parse(module.text)):
        left = "is put together when it is imported: what is new is not written into it"
        notes.insert(0, f"`__all__` of {module.path} {left}")
    return ProjectTask(project, index, module, target, instruction, tuple(notes))


def _must_be_class(module: Module, name: str) -> None:
    unit = module.units.get(name.replace("::", "."))
    if unit is None:
        classes = [one.name for one in module.units.values() if isinstance(one.node, ast.ClassDef)]
        raise InputError(f"{module.path} defines no class {name}{nearest(name, classes)}")
    if not isinstance(unit.node, ast.ClassDef):
        what = "method" if unit.owner else "function"
        raise InputError(f"{name} is a {what} of {module.path}: name a class to add methods to, or the module alone")
    if unit.refused:
        raise InputError(f"{module.path}: {unit.refused}")
