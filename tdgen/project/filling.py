"""Stubs of a project as a task: the target that the engine works on, and the instruction that says what is wanted."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tdgen.errors import InputError
from tdgen.project.context import TOKENS, context_of
from tdgen.project.edit import Change
from tdgen.project.gate import GateReport, RunTests, check_edit
from tdgen.project.index import Index, read_index
from tdgen.project.module import Module, Unit, read_module
from tdgen.project.own_tests import own_tests, test_places
from tdgen.project.root import Project, find_project
from tdgen.project.selection import Selection, select
from tdgen.source.replacing import docstring_of
from tdgen.source.syntax import lines_of
from tdgen.types import Target


@dataclass(frozen=True)
class Filling:
    """A task in a project, as it was read: where, what, and all that was found there."""

    project: Project
    index: Index
    module: Module
    selection: Selection
    target: Target

    @property
    def instruction(self) -> str:
        """The task in prose."""
        return instruction_of(self.module, self.selection)

    def changes(self, text: str, tests: Mapping[str, str]) -> list[Change]:
        """The changes that make `text` the module's, and add the test files (sources by name) beside the project's.

        InputError where the module's encoding can't hold the text.
        """
        changes = []
        if text != self.module.text:
            data = self.module.encoded(text)
            changes.append(Change(self.module.file, self.module.path, self.module.data, data))
        for name, path in test_places(self.project, self.index, self.module, tests).items():
            changes.append(Change(self.project.root / path, path, None, tests[name].encode()))
        return changes

    def check(self, text: str, run: RunTests, *, seconds: float) -> GateReport:
        """What the project's own tests say of `text` as the module's; see `check_edit`."""
        tests = own_tests(self.project, self.index, self.module)
        return check_edit(tests, {self.module.name: text}, run, seconds=seconds)


def read_filling(paths: Sequence[str], folder: Path | None = None, tokens: int = TOKENS) -> Filling:
    """The task that paths of one module name, each `PATH` or `PATH::name`; `folder` keeps what was read of the project.

    InputError, in one line, for whatever can't be filled.
    """
    files = dict.fromkeys(path.partition("::")[0] for path in paths)
    if len(files) != 1:
        raise InputError(f"{' and '.join(files)}: name one module at a time")
    names = [name.replace("::", ".") for path in paths if (name := path.partition("::")[2])]
    file = Path(next(iter(files)))
    project = find_project(file)
    module = read_module(project, file)
    selection = select(module, names if len(names) == len(paths) else ())
    index = read_index(project, folder)
    return Filling(project, index, module, selection, target_of(project, index, module, selection, tokens))


def target_of(project: Project, index: Index, module: Module, selection: Selection, tokens: int = TOKENS) -> Target:
    """The target for the selected units; prompts see of the project what fits in about `tokens`."""
    context = context_of(index, module, selection.units, tokens)
    return Target(
        module=module.name,
        path=module.path,
        source=module.text,
        units=selection.by_owner,
        context=context.prompt,
        code=context.code,
        packages=project.packages(),
        public=context.public,
        types=context.types,
        elsewhere=context.elsewhere,
    )


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
