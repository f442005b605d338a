"""Stubs of a project as a task: their signatures and docstrings say what is wanted."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent

from tdgen.errors import InputError
from tdgen.project.context import TOKENS
from tdgen.project.index import read_index
from tdgen.project.module import Module, Unit, read_module
from tdgen.project.root import find_project
from tdgen.project.selection import Selection, select
from tdgen.project.task import ProjectTask, target_of
from tdgen.source.syntax import lines_of


def read_filling(paths: Sequence[str], folder: Path | None = None, tokens: int = TOKENS) -> ProjectTask:
    """The task that paths of one module name, each `PATH` or `PATH::name`; `folder` keeps what was read of the project.

    InputError, in one line, for whatever can't be filled.
    """
    file, names = one_module(paths)
    project = find_project(file)
    module = read_module(project, file)
    selection = select(module, names)
    index = read_index(project, folder)
    target = target_of(project, index, module, selection, tokens)
    return ProjectTask(project, index, module, target, instruction_of(module, selection), selection.notes)


def one_module(paths: Sequence[str]) -> tuple[Path, Sequence[str]]:
    """The module that paths name, and what of it: `Class.method` or `function`; no names where a path has none.

    InputError where they name several modules.
    """
    files = dict.fromkeys(path.partition("::")[0] for path in paths)
    if len(files) != 1:
        raise InputError(f"{' and '.join(files)}: name one module at a time")
    names = [name.replace("::", ".") for path in paths if (name := path.partition("::")[2])]
    return Path(next(iter(files))), names if len(names) == len(paths) else ()


def instruction_of(module: Module, selection: Selection) -> str:
    """What is wanted, in prose: each stub's signature as code, and below it its docstring, word for word.

    The docstring is prose of the instruction, so that each of its sentences is a passage.
    """
    parts = [f"Write the bodies of these stubs of the module `{module.name}`, each as its signature and docstring say."]
    for unit in selection.units:
        if not unit.owner:
            kind = "class" if isinstance(unit.node, ast.ClassDef) else "function"
            parts += [f"The {kind} `{unit.name}`:", *_stated(module, unit)]
    for owner in dict.fromkeys(unit.owner for unit in selection.units if unit.owner):
        methods = [unit for unit in selection.units if unit.owner == owner]
        names = ", ".join(f"`{unit.name.partition('.')[2]}`" for unit in methods)
        noun = "method" if len(methods) == 1 else "methods"
        parts += [f"Of the class `{owner}` the {noun} {names}:", *_stated(module, module.units[owner])]
        parts += [part for method in methods for part in _stated(module, method)]
    return "\n\n".join(parts) + "\n"


def _stated(module: Module, unit: Unit) -> Iterator[str]:
    """A unit's decorators and signature in a block of code, and its docstring, less its indent."""
    decorators = lines_of(module.text)[unit.first - 1 : unit.node.lineno - 1]
    yield f"```python\n{dedent(chr(10).join([*decorators, f'{_indent(unit)}{unit.signature} ...']))}\n```"
    if unit.docstring:
        yield unit.docstring.strip()


def _indent(unit: Unit) -> str:
    return " " * unit.node.col_offset
