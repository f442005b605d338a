"""The head of a function, method or class in a module: what its users see of it, shown, or said anew with no body."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from textwrap import dedent

from tdgen.source.replacing import Function, Piece, colon, docstring_of, emptied, last_line
from tdgen.source.syntax import Definition, Edit, definition, edited, first_line, line_ending, over

_BOM = "\ufeff"
_LEFT_OPEN = "raise NotImplementedError"


def unit_in(tree: ast.Module, unit: str) -> Definition:
    """The function, class, or method (`Class.method`), of that name; ValueError where a module has none."""
    outer, _, method = unit.partition(".")
    node = definition(tree, outer)
    node = definition(node, method) if method and node else node
    if node is None:
        raise ValueError(f"the module does not define {unit}")
    return node


def function_in(tree: ast.Module, unit: str) -> Function:
    """The function, or method (`Class.method`), of that name; ValueError where a module has none."""
    node = unit_in(tree, unit)
    if not isinstance(node, Function):
        raise ValueError(f"the module does not define {unit}")
    return node


def code_of(text: str, unit: str) -> str:
    """A definition's lines as they stand in a module, decorators too."""
    piece = Piece(text.removeprefix(_BOM))
    node = unit_in(piece.tree, unit)
    return "\n".join(piece.lines[first_line(node) - 1 : last_line(node)])


def head_of(text: str, unit: str) -> str:
    """A function's decorators, signature and docstring as they stand in a module; a class with those of its methods.

    Methods whose names begin with an underscore, special ones aside, are nobody's to see.
    """
    plain = text.removeprefix(_BOM)
    node = unit_in(Piece(plain).tree, unit)
    if isinstance(node, Function):
        return dedent(code_of(with_head(plain, unit), unit)).removesuffix(_LEFT_OPEN).rstrip()
    methods = [one for one in node.body if isinstance(one, Function)]
    hollow = Piece(emptied(plain, methods))
    node = unit_in(hollow.tree, unit)
    left = [row for row in range(first_line(node), last_line(node) + 1) if not _is_private(node, row)]
    lines = (hollow.lines[row - 1] for row in left)
    return "\n".join(line.replace(_LEFT_OPEN, "...") for line in lines)


def _is_private(owner: Definition, row: int) -> bool:
    """Whether a line of a class is that of a private method."""
    return any(
        isinstance(one, Function) and first_line(one) <= row <= last_line(one)
        for one in owner.body
        if getattr(one, "name", "").startswith("_") and not getattr(one, "name", "").endswith("__")
    )


def with_docstring(text: str, unit: str, docstring: str) -> str:
    """`text` with what a class's docstring says replaced; as it is where the class has none."""
    mark = _BOM if text.startswith(_BOM) else ""
    piece = Piece(text.removeprefix(mark))
    there = docstring_of(unit_in(piece.tree, unit))
    if there is None:
        return text
    edit = over(there, _restated(piece, there, docstring).replace("\n", line_ending(text)))
    return mark + edited(text.removeprefix(mark), [edit])


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
