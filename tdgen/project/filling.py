"""Stubs of a project as a task: their signatures and docstrings say what is wanted."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Final

from tdgen.errors import InputError
from tdgen.project.context import TOKENS
from tdgen.project.index import Index, read_index
from tdgen.project.module import Module, Unit, read_module
from tdgen.project.own_tests import unreadable_tests
from tdgen.project.pages import shown_on_pages
from tdgen.project.root import Project, find_project
from tdgen.project.selection import Selection, select
from tdgen.project.task import ProjectTask, target_of, tests_of
from tdgen.project.usage import calls_shown
from tdgen.source.syntax import lines_of


@dataclass(frozen=True)
class Filling:
    """What is to be filled in modules of a project, in the order of their imports; `notes` tell what is passed over."""

    project: Project
    index: Index
    parts: tuple[tuple[Module, Selection], ...]
    notes: tuple[str, ...] = ()

    def task(
        self, place: int, laid: Mapping[str, str], tokens: int = TOKENS, *, with_tests: bool = True
    ) -> ProjectTask:
        """The task in the module at a place, where others that come before it have the sources `laid` by now.

        Its prose shows the project's own tests of the stubs, but not `with_tests` false: who measures what comes of the
        stubs by these tests hides them.
        """
        module, selection = self.parts[place]
        index = self.index.over(laid)
        names = [unit.name for unit in selection.units] if with_tests else []
        tests = tests_of(self.project, index, module, names)
        target = target_of(self.project, index, module, selection, tokens, tests)
        calls = calls_shown(self.project, index, module, [unit.name for unit in selection.units], laid)
        if calls:
            target = target.model_copy(update={"context": f"{target.context}\n\n{calls}".strip()})
        pages = shown_on_pages(self.project, index, module, [unit.name for unit in selection.units])
        instruction = instruction_of(module, selection) + tests.prose + pages
        notes = (*self.notes, *selection.notes) if place == 0 else selection.notes
        return ProjectTask(self.project, index, module, target, instruction, notes, laid=laid)

    def needs(self, place: int) -> tuple[str, ...]:
        """The names of those of the modules that the one at a place imports, by others or itself."""
        name = self.parts[place][0].name
        names = (module.name for module, _ in self.parts)
        return tuple(other for other in names if other != name and self.index.leads_to(name, other))


def read_filling(
    paths: Sequence[str], folder: Path | None = None, tokens: int = TOKENS, *, with_tests: bool = True
) -> ProjectTask:
    """The task in the one module that paths name; see `read_fillings` and `Filling.task`."""
    one_module(paths)
    return read_fillings(paths, folder).task(0, {}, tokens, with_tests=with_tests)


def read_fillings(paths: Sequence[str], folder: Path | None = None) -> Filling:
    """What paths name, each a module, a folder with modules, or `PATH::name`; `folder` keeps what was read of projects.

    InputError, in one line, for whatever can't be filled; of a folder's modules those are passed over.
    """
    if not all(path.partition("::")[0] for path in paths):  # as of a variable that is not set: not the whole project
        raise InputError("an empty path names nothing to fill: a module, a folder (`.` is this one), or PATH::name")
    project = find_project(Path(paths[0].partition("::")[0]))
    names: dict[str, list[str]] = {}
    notes: list[str] = []
    parts: dict[str, tuple[Module, Selection]] = {}
    for path in paths:
        place, _, name = path.partition("::")
        if Path(place).is_dir() and not name:
            parts |= {module.path: (module, selection) for module, selection in _below(project, Path(place), notes)}
        else:
            names.setdefault(place, []).append(name.replace("::", "."))
    for place, chosen in names.items():
        module = read_module(project, Path(place))
        parts[module.path] = module, select(module, chosen if all(chosen) else ())
    if not parts:
        raise InputError(f"{' and '.join(paths)}: {notes[0] if notes else 'no module has a stub to fill'}")
    index = read_index(project, folder)
    notes += unreadable_tests(project, index)
    left, ordered = sorted(parts.values(), key=lambda part: part[0].path), []
    while left:  # each module comes after those that it imports, as far as they don't import each other
        every = [module.name for module, _ in left]
        needs = [sum(index.leads_to(name, other) for other in every if other != name) for name in every]
        ordered.append(left.pop(needs.index(min(needs))))
    return Filling(project, index, tuple(ordered), tuple(notes))


def _below(project: Project, folder: Path, notes: list[str]) -> Iterator[tuple[Module, Selection]]:
    """The modules in a folder that have documented stubs; why others with stubs are passed over is added to `notes`."""
    real = project.inside(folder)
    for file in project.sources():
        if not file.is_relative_to(real) or any(file.is_relative_to(tests) for tests in project.test_folders):
            continue
        try:
            module = read_module(project, file)
            if any(unit.is_stub for unit in module.units.values()):
                yield module, select(module)
        except InputError as error:
            notes.append(f"passed over: {error}")


def one_module(paths: Sequence[str]) -> tuple[Path, Sequence[str]]:
    """The module that paths name, and what of it: `Class.method` or `function`; no names where a path has none.

    InputError where they name several modules.
    """
    files = dict.fromkeys(path.partition("::")[0] for path in paths)
    if len(files) != 1:
        raise InputError(f"{' and '.join(files)}: name one module at a time")
    names = [name.replace("::", ".") for path in paths if (name := path.partition("::")[2])]
    return Path(next(iter(files))), names if len(names) == len(paths) else ()


_WANTED: Final = "Write the bodies of these stubs of the module `{}`, each as its signature and docstring say."


def instruction_of(module: Module, selection: Selection, wanted: str = _WANTED) -> str:
    """What is wanted, in prose: each stub's signature as code, and below it its docstring, word for word.

    The docstring is prose of the instruction, so that each of its sentences is a passage.
    """
    parts = [wanted.format(module.name)]
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
    header = f"{' ' * unit.node.col_offset}{unit.signature} ..."
    yield f"```python\n{dedent(chr(10).join([*decorators, header]))}\n```"
    if unit.docstring:
        yield unit.docstring.strip()
