"""Stubs of a project as a task: their signatures and docstrings say what is wanted."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from tdgen.errors import InputError
from tdgen.project.context import TOKENS
from tdgen.project.index import read_index
from tdgen.project.module import Module, Unit, read_module
from tdgen.project.root import find_project
from tdgen.project.selection import Selection, select
from tdgen.project.task import ProjectTask, target_of
from tdgen.source.replacing import docstring_of
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
    """What is wanted, in prose: each stub's signature and docstring, word for word, in a block of code of its own."""
    parts = [f"Write the bodies of these stubs of the module `{module.name}`, each as its signature and docstring say."]
    for unit in selection.units:
        if not unit.owner:
            kind = "class" if isinstance(unit.node, ast.ClassDef) else "function"
            parts.append(f"The {kind} `{unit.name}`:\n\n{_block(_shown(module, unit))}")
    for owner in dict.fromkeys(unit.owner for unit in selection.units if unit.owner):
        methods = [unit for unit in selection.units if unit.owner == owner]
        names = ", ".join(f"`{unit.name.partition('.')[2]}`" for unit in methods)
        shown = [_shown(module, module.units[owner]), *(_shown(module, method) for method in methods)]
        noun = "method" if len(methods) == 1 else "methods"
        parts.append(f"Of the class `{owner}` the {noun} {names}:\n\n{_block(f'{chr(10)}{chr(10)}'.join(shown))}")
    return "\n\n".join(parts) + "\n"


def _block(code: str) -> str:
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}python\n{code}\n{fence}"


def _shown(module: Module, unit: Unit) -> str:
    """A unit's lines from its decorators to the end of its docstring; of an empty class that is all."""
    return "\n".join(_head_lines(lines_of(module.text), unit))


def _head_lines(lines: list[str], unit: Unit) -> Iterator[str]:
    docstring = docstring_of(unit.node)
    yield from lines[unit.first - 1 : unit.node.lineno - 1]
    if docstring and docstring.lineno > unit.node.lineno + unit.signature.count("\n"):
        yield from lines[unit.node.lineno - 1 : docstring.end_lineno]
    else:
        indent = lines[unit.node.lineno - 1][: unit.node.col_offset]
        yield f"{indent}{unit.signature}" + " ..." * (docstring is None)
        if docstring and isinstance(docstring.value, ast.Constant):
            yield f"{indent}    {ast.get_source_segment(chr(10).join(lines), docstring)}"
