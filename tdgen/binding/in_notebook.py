"""Binding in a notebook's cell: the stub is solved as a module of its own, and the story is shown below the cell."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from tdgen.binding.in_module import not_green, own_function, run_source
from tdgen.binding.stubs import source_of, unit_in
from tdgen.errors import InputError, TdgenError
from tdgen.project.module import Unit
from tdgen.project.selection import is_docstring_alone
from tdgen.source.syntax import definition, parse

if TYPE_CHECKING:
    from tdgen.protocols import Emit, Model
    from tdgen.solution import Solution


def bound_in_notebook(
    stub: FunctionType,
    options: Mapping[str, Any],
    model: Model | None,
    on_event: Emit | None,
    *,
    solve: bool,
) -> FunctionType:
    """The function of the stub's green solution, which is solved where it is not kept and `solve` says so."""
    unit = unit_in(source_of(stub), stub, "the cell")
    if not (unit.is_stub or is_docstring_alone(unit)):
        raise InputError(f"{stub.__name__} has a body already: @tdgen.implement takes `...`, and a docstring")
    if not unit.docstring:
        raise InputError(f"{stub.__name__} has no docstring, so there is nothing to go by: say what it does")
    if own := next(_notebook_names(unit, stub.__globals__), ""):
        raise InputError(
            f"the signature of {stub.__name__} names {own}, which this notebook defines and tdgen does not see: put "
            "both into a module, and import them"
        )
    solution = _solution(unit, options, model, on_event, solve=solve)
    # the story below the cell; in a terminal's IPython, three lines
    shown = {"text/plain": str(solution), "text/html": solution._repr_html_()}
    import_module("IPython.display").display(shown, raw=True)
    if not solution.all_tests_passed:
        raise TdgenError(not_green(unit, solution))
    return _function_of(stub, unit, solution)


def _notebook_names(unit: Unit, names: Mapping[str, Any]) -> Iterator[str]:
    """The names of the signature that the notebook itself defines."""
    assert isinstance(unit.node, ast.FunctionDef | ast.AsyncFunctionDef)
    for part in [unit.node.args, *([unit.node.returns] if unit.node.returns else [])]:
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and node.id in names and node.id not in vars(builtins):
                value = names[node.id]
                if not isinstance(value, ModuleType) and getattr(value, "__module__", "__main__") == "__main__":
                    yield node.id


def _solution(
    unit: Unit, options: Mapping[str, Any], model: Model | None, on_event: Emit | None, *, solve: bool
) -> Solution:
    from tdgen.client import Generator
    from tdgen.settings import load_settings
    from tdgen.terminal.progress import progress_teller

    text = f"Write the function `{unit.name}`:\n\n```python\n{unit.signature} ...\n```\n\n{unit.docstring.strip()}\n"
    with (
        progress_teller() as teller,
        Generator(load_settings(options), model=model, on_event=on_event or teller) as generator,
    ):
        kept = generator.kept(text)
        if kept is None and not solve:
            raise InputError(f"{unit.name} is not kept, and solve=False: leave that out to have it written")
        return kept or generator.solve(text)


def _function_of(stub: FunctionType, unit: Unit, solution: Solution) -> FunctionType:
    """The solution's function, of a module made of the solution's; InputError where it takes other parameters."""
    node = definition(parse(solution.module_source), unit.name)
    assert isinstance(unit.node, ast.FunctionDef | ast.AsyncFunctionDef)
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or _taking(node) != _taking(unit.node):
        raise TdgenError(
            f"{unit.name} is not bound: the written one takes other parameters; name them in its docstring"
        )
    module = ModuleType(f"{solution.plan.module}_{solution.key[:12]}")
    sys.modules[module.__name__] = module  # dataclasses, and pickle, look their module up
    run_source(solution.module_source, f"<tdgen {module.__name__}>", vars(module), stub)
    function: FunctionType = vars(module)[unit.name]
    return own_function(stub, function)


def _taking(node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[object, ...]:
    """How a function is called: its parameters without their annotations, and whether it is awaited."""
    args = node.args
    kinds = (args.posonlyargs, args.args, args.kwonlyargs, [args.vararg], [args.kwarg])
    defaults = [default and ast.unparse(default) for default in (*args.defaults, *args.kw_defaults)]
    return isinstance(node, ast.AsyncFunctionDef), [[one and one.arg for one in kind] for kind in kinds], defaults
