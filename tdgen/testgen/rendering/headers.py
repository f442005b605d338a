"""What stands above a rendered file's tests: its docstring, and imports of what the tests name and nothing else."""

from __future__ import annotations

import builtins
from collections.abc import Iterable

from tdgen.syntax import parse
from tdgen.testgen.rendering.words import docstring
from tdgen.types import FunctionSpec, Plan
from tdgen.values.imports import free_names, import_lines
from tdgen.values.names import KNOWN_NAMES, PACKAGES, STDLIB

ALIASES = {name: {"datetime": "dt"}.get(name, f"{name}_module") for name in KNOWN_NAMES if name in STDLIB}
"""For a class whose module has its very name: the name under which a test file imports the module."""

_BROUGHT = {"pandas": "numpy"}


def header(sources: Iterable[str], spec: FunctionSpec, plan: Plan, defined: frozenset[str] = frozenset()) -> str:
    """The docstring and the imports for tests whose free names are those of `sources`; `defined` are the file's own.

    ValueError where a name is nobody's: neither the plan's nor the standard library's nor an allowed package's.
    """
    texts = list(dict.fromkeys(sources))
    free = frozenset[str]().union(*(free_names(parse(text)) for text in texts)) - frozenset(vars(builtins))
    declared = {function.name for function in plan.functions} | {shared.name for shared in plan.types}
    own = sorted(free & declared)
    allowed = {*plan.packages, *(_BROUGHT[package] for package in plan.packages if package in _BROUGHT)}
    modules = {name: PACKAGES.get(name, name) for name in free - declared if PACKAGES.get(name, name) in allowed}
    aliased = {module: name for module, name in ALIASES.items() if name in free}
    known = {*own, *modules, *aliased.values(), plan.module, "pytest", *defined}
    _refuse(free - known - KNOWN_NAMES.keys() - STDLIB)
    standard = [f"import {module} as {name}" for module, name in aliased.items()] + [*import_lines(texts, known)]
    third = [f"import {m}" + (f" as {name}" if name != m else "") for name, m in modules.items()]
    third += ["import pytest"] * ("pytest" in free)
    local = [f"import {plan.module}"] * (plan.module in free) + [f"from {plan.module} import {', '.join(own)}"] * bool(
        own
    )
    groups = ["\n".join(lines) for lines in (sorted(standard, key=_plain_first), sorted(third), local) if lines]
    not_tests = [f"{name}.__test__ = False  # not a test, but what is tested" for name in own if _looks_like_test(name)]
    first = docstring(f"Tests of {spec.name}: {spec.purpose}")
    return "\n\n".join([first, *groups, *["\n".join(not_tests)] * bool(not_tests)])


def _plain_first(line: str) -> tuple[bool, str]:
    return line.startswith("from "), line


def _looks_like_test(name: str) -> bool:
    """Whether pytest would collect it."""
    return name.startswith(("test", "Test"))


def _refuse(unknown: frozenset[str]) -> None:
    if unknown:
        raise ValueError(f"nobody knows the name {min(unknown)}: neither the plan nor the standard library has it")
