"""What a class declares in its body is written by tdgen: no line of it is the developer's."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import indent

from tdgen.source.fragment import Definition
from tdgen.source.syntax import lines_of, parse
from tdgen.types import FunctionSpec, SharedType


def with_declared(code: str, spec: FunctionSpec) -> str:
    """`code` with the exceptions that the class of `spec` declares in its body written out; as it is where they are.

    They stand first in the body, below its docstring. Code that has no such class, or one in a line, is left as it is.
    """
    types = spec.interface.types if spec.interface else ()
    found = [node for node in parse(code).body if isinstance(node, ast.ClassDef) and node.name == spec.name]
    if not types or not found or found[-1].body[0].lineno == found[-1].lineno:
        return code
    node, names = found[-1], {one.name for one in types}
    written = [part for part in node.body if names.intersection(_bound(part))]
    if [ast.dump(part) for part in written] == [ast.dump(_tree(one)) for one in types]:
        return code
    has_docstring = ast.get_docstring(node, clean=False) is not None
    first = node.body[0]
    place = (first.end_lineno or 0) if has_docstring else _first(first)
    margin, lines = " " * first.col_offset, lines_of(code)
    for part in reversed(written):
        lines[_first(part) : part.end_lineno] = [""] * len(range(_first(part), part.end_lineno or 0))
    declared = [line for one in types for line in ("", *indent(one.source, margin).split("\n"))]
    lines[place:place] = [*declared, ""] if has_docstring else [*declared[1:], ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _tree(shared: SharedType) -> ast.stmt:
    return parse(shared.source).body[0]


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement of a class's body binds."""
    if isinstance(node, Definition):
        yield node.name
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    yield from (target.id for target in targets if isinstance(target, ast.Name))


def _first(node: ast.stmt) -> int:
    """The line, from 0, on which a statement begins, its decorators counted."""
    decorators = node.decorator_list if isinstance(node, Definition) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1
