"""Existing code as a task: its signatures and docstrings are all that the authors of its tests see."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tdgen.errors import InputError
from tdgen.project.context import TOKENS
from tdgen.project.filling import instruction_of, one_module
from tdgen.project.index import Index, read_index
from tdgen.project.module import Module, Unit, is_abstract, read_module, units_of
from tdgen.project.own_tests import is_test
from tdgen.project.pages import shown_on_pages
from tdgen.project.revisions import changed_files, changed_units
from tdgen.project.root import Project, find_project
from tdgen.project.selection import Selection, is_docstring_alone, select, undocumented
from tdgen.project.task import ProjectTask, target_of
from tdgen.settings.base import nearest
from tdgen.source.replacing import emptied
from tdgen.source.syntax import Function, parse
from tdgen.types import Target

MOST_NAMED = 8
_CALLED = re.compile(r"(\S+) is not written yet")
_BLANK = "\t\n\r\f"
_WANTED = "These exist in the module `{}`, each to do what its signature and docstring say."
_ALONE = (
    "\nThis is all that is promised: what it leaves open may be done in any way. So assume nothing there, ask nothing, "
    "and test nothing of it.\n"
)


def read_guardings(
    paths: Sequence[str], folder: Path | None = None, *, revision: str = "", concern: str = ""
) -> tuple[list[ProjectTask], list[str]]:
    """The tasks that paths name, module by module, and what was passed over; see `read_guarding`.

    A path may be a folder: of its modules those in which there is something to guard. Without paths it is the project
    that the working folder is in, or what of it changed since the revision.
    """
    tasks: list[ProjectTask] = []
    notes: list[str] = []
    modules: dict[str, list[str]] = {}
    for path in paths or ["."]:
        if Path(path).is_dir():
            below, passed = _below(find_project(Path(path)), Path(path), folder, revision, concern)
            tasks += below
            notes += passed
        else:
            modules.setdefault(path.partition("::")[0], []).append(path)
    tasks += [read_guarding(one, folder, revision=revision, concern=concern) for one in modules.values()]
    if len({task.project.root for task in tasks}) > 1:
        raise InputError(f"{' and '.join(paths)} are in several projects: name one at a time")
    return list({task.module.path: task for task in tasks}.values()), notes


def _below(
    project: Project, folder: Path, cache: Path | None, revision: str, concern: str
) -> tuple[list[ProjectTask], list[str]]:
    """The tasks in the modules of a folder, less its tests, and why modules were passed over."""
    files = [file for file in project.modules() if file.is_relative_to(project.inside(folder))]
    tasks: list[ProjectTask] = []
    notes: list[str] = []
    for file in changed_files(project.root, files, revision) if revision else files:
        try:
            task = read_guarding([str(file)], cache, revision=revision, concern=concern)
        except InputError as error:
            notes.append(f"passed over: {error}")
            continue
        if task.names:
            tasks.append(task)
    return tasks, notes


def read_guarding(
    paths: Sequence[str],
    folder: Path | None = None,
    tokens: int = TOKENS,
    *,
    revision: str = "",
    concern: str = "",
) -> ProjectTask:
    """The task that paths of one module name, each `PATH` or `PATH::name`; `folder` keeps what was read of the project.

    With a `revision` only what changed since then is in it, perhaps nothing. InputError, in one line, for whatever
    can't be guarded.
    """
    file, names = one_module(paths)
    project = find_project(file)
    module = read_module(project, file)
    if is_test(project, module.file):
        raise InputError(f"{module.path} is a file of tests: name the code that is to be guarded")
    passed: dict[str, str] = {}
    if names:
        chosen = list({unit.name: unit for name in names for unit in _named(module, name)}.values())
    else:
        functions = [unit for unit in module.units.values() if not isinstance(unit.node, ast.ClassDef)]
        chosen, passed = _documented(module, functions)
    if revision:
        changed = changed_units(module, revision)
        chosen = [unit for unit in chosen if unit.name in changed]
        passed = {name: reason for name, reason in passed.items() if name in changed}
    index = read_index(project, folder)
    return replace(guarding_of(project, index, module, chosen, tokens, concern), notes=tuple(_notes(module, passed)))


def guarding_of(
    project: Project, index: Index, module: Module, units: Collection[Unit], tokens: int = TOKENS, concern: str = ""
) -> ProjectTask:
    """The task of guarding these units of a module, whose text need not be that of its file."""
    stubs = with_stubs(module, units)
    selection = select(stubs, [unit.name for unit in units]) if units else Selection((), ())
    target = target_of(project, index, stubs, selection, tokens, helpers=False)
    existing = {name: target.model_copy(update={"source": module.text}).text_of(name) for name in target.units}
    target = target.model_copy(update={"code": "", "existing": existing, "concern": " ".join(concern.split())})
    pages = shown_on_pages(project, index, module, [unit.name for unit in units])
    return ProjectTask(project, index, module, target, f"{instruction_of(stubs, selection, _WANTED)}{pages}{_ALONE}")


def without_called(task: ProjectTask, fault: Callable[[Target], str]) -> ProjectTask:
    """The task without what the project calls while it is imported; `fault` says why a target can't be imported.

    What can't be left out, or is all that there is, stays.
    """
    while len(task.names) > 1 and (called := _CALLED.search(fault(task.target))) and called[1] in task.names:
        units = [task.module.units[name] for name in task.names if name != called[1]]
        note = f"passed over: {called[1]} is called when the project is imported: no stub can stand in its place"
        fewer = guarding_of(task.project, task.index, task.module, units, concern=task.target.concern)
        task = replace(fewer, notes=(*task.notes, note))
    return task


def unguardable(module: Module, unit: Unit) -> str:
    """Why a function or method can't be guarded; empty where it can."""
    return _reason(module, unit, _used_on_import(module))


def _notes(module: Module, passed: Mapping[str, str]) -> Iterator[str]:
    """What is said of those that are passed over, by their names, with the reasons: of what has no docs in one line."""
    bare = [name for name in passed if undocumented(module, module.units[name])]
    if bare:
        more = f" and {len(bare) - MOST_NAMED} more" if len(bare) > MOST_NAMED else ""
        yield f"passed over, without a docstring to hold their code against: {', '.join(bare[:MOST_NAMED])}{more}"
    yield from (f"passed over: {reason}" for name, reason in passed.items() if name not in bare)


def _named(module: Module, name: str) -> list[Unit]:
    """The units that one name stands for: a class for all of its methods that have docs."""
    unit = module.units.get(name)
    if unit is None:
        raise InputError(f"{module.path} defines no {name}{nearest(name, module.units)}")
    if isinstance(unit.node, ast.ClassDef) and not unit.refused:
        return _documented(module, [other for other in module.units.values() if other.owner == name])[0]
    if reason := _reason(module, unit, _used_on_import(module)):
        raise InputError(f"{module.path}: {reason}")
    return [unit]


def _documented(module: Module, units: Collection[Unit]) -> tuple[list[Unit], dict[str, str]]:
    """Those of the public units that can be guarded, and why others can't; InputError where none can."""
    used = _used_on_import(module)
    # A special method without docs of its own stays what it is: others are tried through it.
    public = [unit for unit in units if not (_is_private(unit) or (unit.name.endswith("__") and not unit.docstring))]
    reasons = {unit.name: _reason(module, unit, used) for unit in public}
    chosen = [unit for unit in public if not reasons[unit.name]]
    if not chosen:
        first = next(filter(None, reasons.values()), "it has no public function or method")
        raise InputError(f"{module.path} has nothing to guard: {first}")
    return chosen, {name: reason for name, reason in reasons.items() if reason}


def _reason(module: Module, unit: Unit, used: Collection[str]) -> str:
    """Why a function or method can't be guarded; empty where it can."""
    where = f"{unit.name} (line {unit.node.lineno})"
    if unit.refused:
        return unit.refused
    if undocumented(module, unit):
        return f"{where} has no docstring, so there is nothing to hold its code against: say what it does"
    if strange := next((c for c in unit.docstring if unicodedata.category(c) in ("Cc", "Cs") and c not in _BLANK), ""):
        return f"{where} has a docstring with the character U+{ord(strange):04X}, which no prompt can hold: escape it"
    if unit.is_stub or is_docstring_alone(unit):
        return f"{where} is a stub: `tdgen fill` writes its body"
    if isinstance(unit.node, Function) and is_abstract(unit.node):
        return f"{where} is abstract: guard a class that has it"
    if unit.name in used:
        return f"{where} is used while the module is imported, so that no stub can stand in its place"
    return ""


def _is_private(unit: Unit) -> bool:
    return any(part.startswith("_") and not part.endswith("__") for part in unit.name.split("."))


def _used_on_import(module: Module) -> frozenset[str]:
    """The functions of the module that it names where code runs when it is imported."""
    names = {node.id for node in _run_on_import(parse(module.text)) if isinstance(node, ast.Name)}
    return frozenset(names & module.units.keys())


def _run_on_import(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes outside of functions' bodies, and beside annotations."""
    for field, value in ast.iter_fields(tree):
        is_late = isinstance(tree, Function | ast.Lambda) and field == "body"
        if is_late or field in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            is_main = isinstance(child, ast.If) and "__name__" in ast.unparse(child.test)
            only_names = isinstance(child, ast.Assign) and isinstance(child.value, ast.Name)  # binds or lists a name
            if isinstance(child, ast.AST) and not (is_main or only_names):
                yield child
                yield from _run_on_import(child)


def with_stubs(module: Module, units: Collection[Unit]) -> Module:
    """The module with a stub in the place of each of the units."""
    text = emptied(module.text, [unit.node for unit in units if isinstance(unit.node, Function)])
    return module._replace(text=text, units=units_of(text))
