"""On what terms a generator solves, and arguments of the library's functions: no wrong type gets to any work."""

from __future__ import annotations

from os import PathLike
from typing import NamedTuple

from tdgen.errors import InputError
from tdgen.protocols import Ask, Emit
from tdgen.settings import Settings


class SolveOptions(NamedTuple):
    """Settings, who hears what happens, and who answers open questions where the setting `questions` is on."""

    settings: Settings
    emit: Emit
    ask: Ask | None = None


def expect(name: str, value: object, *types: type | None) -> None:
    """InputError where the argument `name` is of none of these types; None stands for itself."""
    kinds = tuple(kind or type(None) for kind in types)
    if isinstance(value, kinds):
        return
    wanted = " or ".join("None" if kind is None else kind.__name__ for kind in types)
    is_file = str in types and isinstance(value, PathLike)
    advice = ": give the file's text, as path.read_text() reads it" if is_file else ""
    raise InputError(f"{name} must be {wanted}, not {type(value).__name__}{advice}")


def expect_callable(name: str, value: object, method: str = "__call__") -> None:
    """InputError where the argument `name` is neither None nor has that method."""
    if value is None or (callable(getattr(value, method, None)) and not isinstance(value, type)):
        return
    wanted = "callable" if method == "__call__" else f"an object with a method {method}()"
    shown = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
    raise InputError(f"{name} must be {wanted}, not {shown}")
