"""Where a case's names come from: the candidate's module, its own setup, or the standard library, numpy and pandas.

A name that the table of well-known names has, or that is a module of the standard library, means just that, whatever
the candidate's module happened to import under it. Only what the candidate itself defines comes first, and in a
project what its module has of the project or of a package.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import types
from collections.abc import Callable, Mapping
from typing import Any

from tdgen.source.names import KNOWN_NAMES, PACKAGES, STDLIB, is_in_module
from tdgen.values.facts import module_of

_KNOWN = frozenset([*KNOWN_NAMES, *STDLIB, *PACKAGES])


def names_in(code: types.CodeType) -> frozenset[str]:
    """The names that an expression's code looks up, attributes among them."""
    inner = (names_in(constant) for constant in code.co_consts if isinstance(constant, types.CodeType))
    return frozenset(code.co_names).union(*inner)


def is_bound(name: str, namespace: dict[str, Any], own: frozenset[str], elsewhere: Mapping[str, str]) -> bool:
    """Whether `resolve` surely leaves that name as it is: told without a tree, which takes longer."""
    if name in own:
        return True
    return name not in _KNOWN and (name in namespace or (name not in elsewhere and hasattr(builtins, name)))


def resolve(
    nodes: list[ast.AST],
    namespace: dict[str, Any],
    is_meant: Callable[[str], bool],
    own: frozenset[str],
    elsewhere: Mapping[str, str] = types.MappingProxyType({}),
) -> None:
    """Bind in `namespace` what a tree names of the standard library and, if they are here, numpy and pandas.

    `nodes` are all of the tree's. `is_meant` tells of a module's name whether cases mean what is of it: that stays
    where the candidate's module has it, and so do names in `own`, which are the case's. `elsewhere` are names of a
    project's other modules, by what they stand for: the candidate's module may lack them.
    """
    as_module = {
        node.value.id
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and is_in_module(node.value.id, node.attr)
    }
    for name in {node.id for node in nodes if isinstance(node, ast.Name)} - own:
        if name in _KNOWN and (name not in namespace or not _is_of(namespace[name], is_meant)):
            _bind(namespace, name, whole=name in as_module or name not in KNOWN_NAMES)
        elif name not in namespace and name in elsewhere:
            module, _, origin = elsewhere[name].rpartition(".")
            with contextlib.suppress(ImportError, AttributeError):
                namespace[name] = getattr(importlib.import_module(module), origin)
        elif name not in namespace and not hasattr(builtins, name):
            _bind(namespace, name, whole=True)  # a package that the user allows, or nothing


def _bind(namespace: dict[str, Any], name: str, *, whole: bool) -> None:
    """Import `name`: as the `whole` module of that name, or from the module that the table has for it."""
    with contextlib.suppress(ImportError, AttributeError):
        namespace[name] = (
            importlib.import_module(PACKAGES.get(name, name))
            if whole
            else getattr(importlib.import_module(KNOWN_NAMES[name]), name)
        )


def _is_of(value: Any, is_meant: Callable[[str], bool]) -> bool:
    """Whether `value` is, or is defined by, a module that is meant; what none defines was made by the candidate."""
    kind = type(value)
    if kind is types.BuiltinFunctionType:
        return False
    if kind is types.ModuleType:
        module = vars(value).get("__name__")
    elif issubclass(kind, type):
        module = module_of(value)
    elif kind is types.FunctionType:
        module = types.FunctionType.__dict__["__globals__"].__get__(value).get("__name__")
    else:
        return True
    return type(module) is str and is_meant(module)
