"""The head of a function or method in a module: what its users see of it, shown, or said anew with no body yet."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from textwrap import dedent

from tdgen.source.replacing import Function, Piece, colon, docstring_of, emptied, last_line
from tdgen.source.syntax import Edit, definition, edited, first_line, line_ending, over

_BOM = "\ufeff"
_LEFT_OPEN = "raise NotImplementedError"


def function_in(tree: ast.Module, unit: str) -> Function:
    """The function, or method (`Class.method`), of that name; ValueError where a module has none."""
    outer, _, method = unit.partition(".")
    node = definition(tree, outer)
    node = definition(node, method) if method and node else node
    if not isinstance(node, Function):
        raise ValueError(f"the module does not define {unit}")
    return node


def code_of(text: str, unit: str) -> str:
    """A function's lines as they stand in a module, decorators too."""
    piece = Piece(text.removeprefix(_BOM))
    node = function_in(piece.tree, unit)
    return "\n".join(piece.lines[first_line(node) - 1 : last_line(node)])


def head_of(text: str, unit: str) -> str:
    """A function's decorators, signature and docstring as they stand in a module."""
    hollow = with_head(text, unit)
    return dedent(code_of(hollow, unit)).removesuffix(_LEFT_OPEN).rstrip()


def with_head(text: str, unit: str, header: Sequence[str] = (), docstring: str = "") -> str:
    """`text` with a function's body taken out, its header and what its docstring says replaced where they are given.

    A header's lines have their indentation. Decorators, and the quotes of a docstring, stay.
    """
    mark = _BOM if text.startswith(_BOM) else ""
    whole = Piece(text.removeprefix(mark))
    source = emptied(text.removeprefix(mark), [function_in(whole.tree, unit)])
    piece = Piece(source)
    node = function_in(piece.tree, unit)
    edits = []
    if header:
        edits.append(Edit(node.lineno, 0, *colon(piece, node), "\n".join(header)))
    if docstring and (there := docstring_of(node)):
        edits.append(over(there, _restated(piece, there, docstring)))
    eol = line_ending(text)
    placed = (edit._replace(text=edit.text.replace("\n", eol)) for edit in edits)
    return mark + edited(source, placed)


def _restated(piece: Piece, there: ast.Expr, text: str) -> str:
    """Another text in a docstring's quotes, its lines indented as it is."""
    written = ast.get_source_segment("\n".join(piece.lines), there) or ""
    opening = written[: len(written) - len(written.lstrip("rRuU"))]
    rest = written[len(opening) :]
    quotes = rest[:3] if rest[:3] in ('"""', "'''") else '"""'
    is_beside = "\n" not in rest or bool(rest[3:].partition("\n")[0].strip())
    if "r" not in opening.lower() or quotes in text:
        opening = ""
        text = text.replace("\\", "\\\\").replace(quotes, f"\\{quotes}")
    if "\n" not in text and "\n" not in rest and not text.endswith(quotes[0]):
        return f"{opening}{quotes}{text}{quotes}"
    lines = text.split("\n")
    first = [f"{opening}{quotes}{lines[0]}", *lines[1:]] if is_beside else [f"{opening}{quotes}", *lines]
    indent = piece.indent(there.lineno)
    return f"\n{indent}".join([*first, quotes]).replace(f"\n{indent}\n", "\n\n")
