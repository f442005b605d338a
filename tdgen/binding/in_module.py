"""Binding in a file of a project: what `tdgen fill` wrote there, else what it left in the cache, all green."""

from __future__ import annotations
import __future__

import ast
import os
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from tdgen.binding.stubs import is_decorated, unit_in
from tdgen.errors import InputError, TdgenError
from tdgen.project.filling import read_fillings
from tdgen.project.module import Module, Unit, read_module
from tdgen.project.recorded import as_recorded, read_recorded
from tdgen.project.root import find_project
from tdgen.project.selection import is_docstring_alone, undocumented
from tdgen.project.task import ProjectTask
from tdgen.source.syntax import compiled, parse

if TYPE_CHECKING:
    from tdgen.protocols import Emit, Model
    from tdgen.settings import Settings
    from tdgen.solution import Solution


def bound_in_module(
    function: FunctionType,
    file: Path,
    options: Mapping[str, Any],
    model: Model | None,
    on_event: Emit | None,
    *,
    solve: bool,
) -> FunctionType:
    """The function as `tdgen fill` wrote it, or bound to a green solution; InputError where there is none."""
    project = find_project(file)
    module = read_module(project, file)
    unit = unit_in(module.text, function, module.path)
    if not (unit.is_stub or is_docstring_alone(unit)):
        _must_be_made(project.root, module, unit)
        return function
    if reason := undocumented(module, unit):
        raise InputError(f"{module.path}: {reason}")
    solution = _solution(module, unit, options, model, on_event, solve=solve)
    if not solution.all_tests_passed:
        raise TdgenError(not_green(unit, solution))
    return _function_of(function, module, solution)


def not_green(unit: Unit, solution: Solution) -> str:
    """Why a function is not bound, in a line."""
    ends = ", ".join(f"{one.function} is {one.outcome}" for one in solution.results if one.outcome != "green")
    why = ends or "the whole module is not"
    return f"{unit.name} is not bound, as not all is green: {why}; `tdgen show {solution.key[:12]}` tells more"


def _must_be_made(root: Path, module: Module, unit: Unit) -> None:
    """InputError where a body is none that tdgen wrote under this contract."""
    now = as_recorded(module.path, module.text, unit)
    recorded = (read_recorded(root) or {}).get(now.id)
    place = shlex.quote(f"{_shown(module.file)}::{unit.name}")
    if recorded is None:
        raise InputError(f"{now.id} has a body that tdgen did not write: remove @tdgen.implement from it")
    if not now.has_docs_of(recorded):
        raise InputError(f"{now.id}: its docs changed since tdgen wrote it: `tdgen sync {place}`")
    if now.code != recorded.code:
        raise InputError(f"{now.id}: its code changed since tdgen wrote it: `tdgen sync {place} --apply` tests it")


def _solution(
    module: Module,
    unit: Unit,
    options: Mapping[str, Any],
    model: Model | None,
    on_event: Emit | None,
    *,
    solve: bool,
) -> Solution:
    """The kept solution of the decorated stubs, of all stubs or of this one; else a new one, where that is allowed."""
    from tdgen.cache import cache_folder
    from tdgen.client import Handed
    from tdgen.client.projects import ProjectGenerator, mounted
    from tdgen.settings import load_settings

    chosen = load_settings(options, directory=module.file.parent)
    tasks = list(_tasks(module, unit, cache_folder(chosen.cache_dir) / "projects"))
    with ProjectGenerator(mounted(tasks[0]), chosen, model=model, on_event=on_event) as generator:
        for task in tasks:
            kept = generator.kept(task.instruction, Handed(target=task.target))
            if kept is not None and unit.name in kept:
                return kept
        if solve:
            return generator.solve(tasks[0].instruction, Handed(target=tasks[0].target))
    raise InputError(
        f"{unit.name} is not written yet, or what it stands on changed since: run `{_command(module, options, chosen)}`"
    )


def _tasks(module: Module, unit: Unit, folder: Path) -> Iterator[ProjectTask]:
    """What `tdgen fill` would be asked: all decorated stubs of the module, all stubs, this one."""
    path = str(module.file)
    asked: list[dict[str, tuple[str, ...]]] = []
    whole = [path] if _taken_unnamed(module) else []
    for paths in ([f"{path}::{name}" for name in _decorated(module)], whole, [f"{path}::{unit.name}"]):
        if not paths:
            continue
        task = read_fillings(paths, folder).task(0, {})
        if task.target.units not in asked:
            asked.append(task.target.units)
            yield task


def _decorated(module: Module) -> list[str]:
    """The names of the stubs that are decorated, and that `tdgen fill` would take."""
    units = module.units.values()
    stubs = [one for one in units if (one.is_stub or is_docstring_alone(one)) and not (one.owner or one.refused)]
    return [one.name for one in stubs if is_decorated(one) and not undocumented(module, one)]


def _taken_unnamed(module: Module) -> list[str]:
    """The names of what `tdgen fill` takes of the module where nothing in it is named."""
    stubs = [one for one in module.units.values() if one.is_stub and not one.refused]
    return [one.name for one in stubs if not undocumented(module, one) and not isinstance(one.node, ast.ClassDef)]


def _command(module: Module, options: Mapping[str, Any], chosen: Settings) -> str:
    """The command that leaves in the cache what is looked for; settings as variables, which there are for each."""
    path = _shown(module.file)
    names = _decorated(module)
    places = [path] if _taken_unnamed(module) == names else [f"{path}::{name}" for name in names]
    variables = {name: getattr(chosen, name) for name in options if name != "api_key"}
    given = [
        f"TDGEN_{name.upper()}={shlex.quote(','.join(value) if isinstance(value, tuple) else str(value))}"
        for name, value in variables.items()
        if isinstance(value, str | int | float | tuple | Path)
    ]
    return " ".join([*given, "tdgen fill", *map(shlex.quote, places)])


def _shown(file: Path) -> str:
    """A file as a command names it here."""
    relative = os.path.relpath(file)
    return str(file) if relative.startswith("..") else relative


def _function_of(stub: FunctionType, module: Module, solution: Solution) -> FunctionType:
    """The solution's function, made in the module's own namespace, with the helpers and imports that it needs.

    What stands in the module already is not run again. InputError where it calls another stub that nothing binds.
    """
    name = stub.__name__
    there = {ast.dump(node) for node in parse(module.text).body}
    units = set(solution) - {name}
    taken: list[ast.stmt] = []
    for node in parse(solution.module_source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            node.decorator_list = []
        elif getattr(node, "name", None) in units or ast.dump(node) in there:
            continue
        taken.append(node)
    called = {inner.id for node in taken for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    for other in sorted(called & units):
        if other not in _decorated(module):
            path = shlex.quote(_shown(module.file))
            raise InputError(
                f"{name} calls {other}, which is a stub without @tdgen.implement: `tdgen fill {path} --apply`"
            )
    run_source(ast.unparse(ast.Module(taken, [])), f"<tdgen {module.path} {solution.key[:12]}>", stub.__globals__, stub)
    return own_function(stub, stub.__globals__[name])


def run_source(source: str, filename: str, namespace: dict[str, Any], stub: FunctionType) -> None:
    """Run green code in a namespace, in this interpreter, under the stub's `__future__` imports; tracebacks show it."""
    import linecache

    futures = [getattr(__future__, feature).compiler_flag for feature in __future__.all_feature_names]
    flags = stub.__code__.co_flags & sum(set(futures))
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compiled(source, filename, flags), namespace)  # noqa: S102 - asked for


def own_function(stub: FunctionType, function: FunctionType) -> FunctionType:
    """The function, with the stub's docstring and module."""
    function.__doc__ = stub.__doc__
    function.__module__ = stub.__module__
    return function
