"""What a decorator may stand on: a stub at the top level of a file or a cell; all else is refused in one line."""

from __future__ import annotations

import inspect
import linecache
import sys
from pathlib import Path
from types import FunctionType
from typing import Final

from tdgen.errors import InputError
from tdgen.project.module import Unit, units_of
from tdgen.project.recorded import is_implement

_WHAT: Final = "@tdgen.implement is for functions at the top level"


def checked(stub: object) -> FunctionType:
    """The function that is decorated; InputError where it is none, or none at the top level."""
    name = getattr(stub, "__qualname__", None) or repr(stub)
    if isinstance(stub, type):
        raise InputError(f"{_WHAT}, and {name} is a class: `tdgen fill` takes classes")
    if isinstance(stub, staticmethod | classmethod | property):
        raise InputError(f"{_WHAT}, and {getattr(stub, '__name__', name)} is a method: `tdgen fill` takes methods")
    if not isinstance(stub, FunctionType):
        raise InputError(f"{_WHAT}, and this is of type {type(stub).__name__}: put it right above `def`")
    if hasattr(stub, "__wrapped__"):
        raise InputError(f"{name} has another decorator below @tdgen.implement: put @tdgen.implement right above `def`")
    if stub.__name__ == "<lambda>":
        raise InputError(f"{_WHAT}, and this is a lambda: write `def` with a docstring")
    if "<locals>" in name:
        raise InputError(f"{_WHAT}, and {stub.__name__} is defined within {name.partition('.')[0]}: move it out of it")
    if "." in name:
        raise InputError(f"{_WHAT}, and {name} is a method: `tdgen fill` takes methods")
    if inspect.isasyncgenfunction(stub):
        raise InputError(f"{name} is an async generator, which tdgen does not write: give back a list, or an iterator")
    return stub


def file_of(function: FunctionType) -> Path | None:
    """The file that a function is defined in; None for a notebook's cell.

    InputError where there is neither, as after `exec` and at Python's own prompt.
    """
    filename = function.__code__.co_filename
    if Path(filename).is_file():
        return Path(filename).absolute()
    # Where IPython runs in this process, as in a notebook's kernel; it is not imported for that.
    ipython = sys.modules.get("IPython")
    if ipython is not None and ipython.get_ipython() is not None and linecache.getlines(filename):
        return None
    raise InputError(
        f"the source of {function.__name__} is not there ({filename}), and tdgen reads stubs from it: put the stub "
        "into a file, or into a notebook's cell"
    )


def source_of(function: FunctionType) -> str:
    """The source of the cell that a function is defined in, as IPython keeps it."""
    return "".join(linecache.getlines(function.__code__.co_filename))


def unit_in(text: str, function: FunctionType, where: str) -> Unit:
    """The decorated function in a module's or a cell's text; InputError where it can't be told which code it is."""
    name = function.__name__
    try:
        unit = units_of(text).get(name)
    except SyntaxError as error:
        raise InputError(f"{where} does not parse: {error.msg} (line {error.lineno or 1})") from None
    if unit is not None and unit.refused:
        raise InputError(f"{where}: {unit.refused}")
    if unit is None or not is_decorated(unit):
        raise InputError(
            f"{where} has no `@tdgen.implement` above `def {name}`: write it there, or import anew what changed"
        )
    return unit


def is_decorated(unit: Unit) -> bool:
    """Whether `@implement`, by whatever name of its module, stands on a unit."""
    return any(map(is_implement, unit.node.decorator_list))
