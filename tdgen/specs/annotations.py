"""Types as the specs write them: annotations that parse, say nothing but types, and name only what can be imported."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterable
from typing import TypeGuard

from tdgen.source.names import KNOWN_NAMES, PACKAGES, STDLIB
from tdgen.source.syntax import expression

_ALLOWED = (
    ast.Expression, ast.Name, ast.Load, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.BinOp, ast.BitOr,
    ast.Constant, ast.UnaryOp, ast.USub,
)  # fmt: skip
_BUILTIN_TYPES = frozenset(name for name, thing in vars(builtins).items() if isinstance(thing, type))


def package_names(packages: Iterable[str]) -> frozenset[str]:
    """The names by which contracts and cases name what is in `packages`: `flask`, and `np` too for numpy."""
    tops = {package.partition(".")[0] for package in packages}
    return frozenset(tops | {name for name, package in PACKAGES.items() if package in tops})


def annotation_names(annotation: str) -> frozenset[str]:
    """The names an annotation uses, a dotted one by its first part; those in quotes too, but for a Literal's."""
    names: set[str] = set()
    tree = expression(annotation)
    texts = {id(part) for node in ast.walk(tree) if _is_literal(node) for part in ast.walk(node.slice)}
    for node in (node for node in ast.walk(tree) if id(node) not in texts):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            names.add(node.value)
    return frozenset(names)


def _is_literal(node: ast.AST) -> TypeGuard[ast.Subscript]:
    name = node.value if isinstance(node, ast.Subscript) else None
    return (name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")) == "Literal"


def annotation_problem(annotation: str, shared: Collection[str]) -> str | None:
    """What is wrong with an annotation, or None; `shared` names the plan's own types and its packages."""
    try:
        tree = expression(annotation)
    except SyntaxError:
        return f"{annotation!r} is not a Python annotation"
    odd = next((node for node in ast.walk(tree) if not isinstance(node, _ALLOWED)), None)
    if odd is not None:
        return f"{annotation!r} is not a type: it holds a {type(odd).__name__}"
    unknown = sorted(name for name in annotation_names(annotation) if not _is_known(name, shared))
    if unknown:
        names, missing = ", ".join(unknown), sorted({PACKAGES[name] for name in unknown if name in PACKAGES})
        advice = f" (the plan's packages do not have {' and '.join(missing)})" if missing else ""
        return f"{annotation!r} names {names}: not built in, not of the standard library, and no shared type{advice}"
    return None


def _is_known(name: str, shared: Collection[str]) -> bool:
    return name in shared or name in _BUILTIN_TYPES or name in KNOWN_NAMES or name in STDLIB or name == "None"
