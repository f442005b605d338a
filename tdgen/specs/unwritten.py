"""Functions and classes that nobody has written yet: what stands for them, and how they are found in a module."""

from __future__ import annotations

import ast

from tdgen.source.imports import import_lines
from tdgen.source.syntax import parse
from tdgen.types import FunctionSpec

_CONSTRUCTOR = "    def __init__(self, *args: object, **kwargs: object) -> None:\n"
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def stub(spec: FunctionSpec) -> str:
    """The source of a unit that raises NotImplementedError whenever it is called, with what its signature names."""
    docstring = " ".join(spec.purpose.split()).partition(". ")[0].rstrip(".").replace("\\", "\\\\").replace('"', '\\"')
    head = f'{spec.signature}:\n    """{docstring}."""\n' if docstring else f"{spec.signature}:\n"
    source = f'{head}    raise NotImplementedError("{spec.name} is not written yet")\n'
    if spec.interface:
        body = source.removeprefix(head).replace("    raise", "        raise")
        lines = (head.replace(spec.signature, f"class {spec.name}"), _CONSTRUCTOR, body)
        source = "".join(lines)
    return "\n".join([*import_lines([source]), "", source])


def unwritten(source: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the functions that a module does not define, or only without a body; none where it is no Python."""
    try:
        defined = {node.name: node for node in parse(source).body if isinstance(node, _Function | ast.ClassDef)}
    except (SyntaxError, ValueError):
        return ()
    return tuple(name for name in names if name not in defined or is_open(defined[name]))


def is_open(function: _Function | ast.ClassDef) -> bool:
    """Whether a function has no body yet: a docstring, `...`, `pass`, or NotImplementedError alone.

    A class is open where all of its methods are.
    """
    if isinstance(function, ast.ClassDef):
        methods = [node for node in function.body if isinstance(node, _Function)]
        return bool(methods) and all(map(is_open, methods))
    return all(
        isinstance(node, ast.Pass)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.Raise) and node.exc is not None and "NotImplementedError" in ast.unparse(node.exc))
        for node in function.body
    )
