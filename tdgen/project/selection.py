"""Which of a module's units are to be filled: those that are named, or all stubs that say what they do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tdgen.errors import InputError
from tdgen.project.module import Module, Unit
from tdgen.settings.base import nearest

_STUBS = "`...`, `pass` or `raise NotImplementedError`"


class Selection(NamedTuple):
    """The units to be filled, in the module's order, and in a line each why others were passed over."""

    units: tuple[Unit, ...]
    notes: tuple[str, ...]

    @property
    def by_owner(self) -> dict[str, tuple[str, ...]]:
        """Each top-level function and class, and of a class those of its methods that are to be filled."""
        names: dict[str, tuple[str, ...]] = {}
        for unit in self.units:
            owner, _, method = unit.name.partition(".")
            names[owner] = (*names.get(owner, ()), method) if method else ()
        return names


def select(module: Module, names: Sequence[str] = ()) -> Selection:
    """The units that `names` name (`function`, `Class`, `Class.method`); without names, all documented stubs.

    InputError for a name that the module does not define once and for all, that has a body already, or that has no
    docstring; and where there is nothing to fill.
    """
    if names:
        chosen = {unit.name: unit for name in names for unit in _named(module, name)}
        return Selection(tuple(sorted(chosen.values(), key=lambda unit: unit.first)), ())
    stubs = [unit for unit in module.units.values() if unit.is_stub and not isinstance(unit.node, ast.ClassDef)]
    reasons = {unit.name: unit.refused or undocumented(module, unit) for unit in stubs}
    notes = tuple(f"passed over: {reason}" for reason in reasons.values() if reason)
    units = tuple(sorted((unit for unit in stubs if not reasons[unit.name]), key=lambda unit: unit.first))
    if not units:
        first = next(filter(None, reasons.values()), f"no body in it is {_STUBS}")
        raise InputError(f"{module.path} has nothing to fill: {first}")
    return Selection(units, notes)


def _named(module: Module, name: str) -> Iterator[Unit]:
    """The units that one name stands for: a class stands for its stubs, or for itself where it is empty."""
    unit = module.units.get(name)
    if unit is None:
        raise InputError(f"{module.path} defines no {name}{nearest(name, module.units)}")
    if unit.refused:
        raise InputError(f"{module.path}: {unit.refused}")
    if isinstance(unit.node, ast.ClassDef) and not unit.is_stub:
        methods = [other for other in module.units.values() if other.owner == name and other.is_stub]
        if not methods:
            raise InputError(f"{module.path}: no method of {name} is a stub: its body would be {_STUBS}")
        for method in methods:
            yield from _named(module, method.name)
        return
    if not (unit.is_stub or is_docstring_alone(unit)):
        raise InputError(f"{module.path}: {name} is no stub: tdgen fills bodies that are {_STUBS}")
    if reason := undocumented(module, unit):
        raise InputError(f"{module.path}: {reason}")
    yield unit


def undocumented(module: Module, unit: Unit) -> str:
    """Why there is nothing to go by for a stub: neither it nor its class says what it does; "" where one does."""
    method = unit.name.rpartition(".")[2]
    owner = module.units.get(unit.owner)
    is_documented = owner is not None and re.search(rf"\b{re.escape(method)}\b", owner.docstring)
    special = owner is not None and owner.docstring and method.startswith("__")
    if unit.docstring or is_documented or special:
        return ""
    return f"{unit.name} (line {unit.node.lineno}) has no docstring, so there is nothing to go by: say what it does"


def is_docstring_alone(unit: Unit) -> bool:
    """Whether nothing but a docstring is its body."""
    return bool(unit.docstring) and len(unit.node.body) == 1
