"""A change of a function's contract as a task: the user's sentence says what changes."""

from __future__ import annotations

import ast
from pathlib import Path

from tdgen.errors import InputError
from tdgen.project.context import TOKENS, context_of
from tdgen.project.focus import focus_on
from tdgen.project.index import Index, read_index
from tdgen.project.module import Module, Unit, read_module
from tdgen.project.own_tests import unreadable_tests
from tdgen.project.root import find_project
from tdgen.project.task import ProjectTask, target_with
from tdgen.settings.base import nearest


def read_change(place: str, prose: str, folder: Path | None = None, tokens: int = TOKENS) -> ProjectTask:
    """The task that `PATH::function`, `PATH::Class::method` or `PATH::Class` and prose make.

    `folder` keeps what was read. InputError, in one line, for what can't be changed so.
    """
    path, _, name = place.partition("::")
    file = Path(path)
    project = find_project(file)
    module = read_module(project, file)
    unit = _changeable(module, name.replace("::", "."))
    read = read_index(project, folder)
    index = _without(read, module, unit)
    focus = focus_on(module, [unit])
    context = context_of(index, module, focus._replace(text=f"{prose}\n{focus.text}"), tokens)
    target = target_with(project, index, module, context)
    public = target.public
    if isinstance(unit.node, ast.ClassDef):
        public = {**public, f"{module.name}.{unit.name}": read.attributes(module.name, unit.name)}
    target = target.model_copy(update={"changed": unit.name, "public": public})
    return ProjectTask(project, index, module, target, prose, tuple(unreadable_tests(project, index)))


def _changeable(module: Module, name: str) -> Unit:
    """The function, method or class of that name; InputError where it can't be told, or has no docs or no code."""
    if not name:
        raise InputError(f"name what changes in {module.path}: {module.path}::function, ::Class.method or ::Class")
    unit = module.units.get(name)
    if unit is None:
        raise InputError(f"{module.path} defines no {name}{nearest(name, module.units)}")
    if unit.refused:
        raise InputError(f"{module.path}: {unit.refused}")
    if unit.is_stub:
        raise InputError(
            f"{module.path}: {name} is a stub: say in its docstring what it does, and `tdgen fill` writes it"
        )
    if not unit.docstring:
        raise InputError(
            f"{module.path}: {name} (line {unit.node.lineno}) has no docstring, so nothing says what stays: "
            "say what it does"
        )
    return unit


def _without(index: Index, module: Module, unit: Unit) -> Index:
    """The index without a class, or what a method's class says of it: what holds from now on is the plan's to say."""
    name = unit.name.rpartition(".")[2]
    source = index.sources[module.name]
    is_class = isinstance(unit.node, ast.ClassDef)
    entries = tuple(
        entry._replace(members=tuple(one for one in entry.members if not (one.is_method and one.name == name)))
        if entry.name == unit.owner
        else entry
        for entry in source.outline.entries
        if not (is_class and entry.name == unit.name)
    )
    held = source._replace(outline=source.outline._replace(entries=entries))
    return Index({**index.sources, module.name: held})
