"""New definitions in an existing module: their place, and its `__all__`. Pure text: every other byte stays.

They go behind the last definition of the top level, or behind what they need when the module is imported, and never
behind the lines that run it as a script.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tdgen.source.fragment import Fragment
from tdgen.source.imports import Imports, bindings, listed, together
from tdgen.source.laying import laid
from tdgen.source.replacing import Piece, header_text, last_line
from tdgen.source.syntax import Definition, Edit, Function, definition, edited, line_ending, over, parse

_BOM = "\ufeff"


def with_added(text: str, added: Mapping[str, Fragment], *, module: str = "") -> str:
    """`text` with new definitions of its top level, by name and in this order, and public ones in a literal `__all__`.

    SyntaxError where a text does not parse. What they import goes to the module's imports.
    """
    mark = _BOM if text.startswith(_BOM) else ""
    source = text.removeprefix(mark)
    ends = bool(source) and not source.endswith(("\n", "\r"))
    eol = line_ending(source)
    piece = Piece(source + "\n" * ends)
    body = "\n\n\n".join(fragment.body.strip("\n") for fragment in added.values()) + "\n"
    anchor = _anchor(piece.tree, body)
    row = _beyond(piece, anchor) if anchor else len(piece.lines) + 1
    above = "\n\n" if source.strip() else ""
    below = "\n\n" if row <= len(piece.lines) and piece.lines[row - 1].strip() else ""
    edits = [Edit(row, 0, row, 0, f"{above}{body}{below}")]
    edits += _exporting(piece, [name for name in added if not name.startswith("_")])
    placed = edited(source + eol * ends, [edit._replace(text=edit.text.replace("\n", eol)) for edit in edits])
    return mark + laid(placed.removesuffix(eol) if ends else placed, added, module=module)


def with_methods(text: str, owner: str, added: Fragment, *, module: str = "") -> str:
    """`text` with new methods behind all that the class `owner` has; `added` holds them under any `class` line.

    ValueError where the module has no such class.
    """
    piece = Piece(text.removeprefix(_BOM))
    there = definition(piece.tree, owner)
    if there is None:
        raise ValueError(f"the module does not define {owner}")
    body = added.body.partition("\n")[2]
    named = tuple(node.name for node in ast.walk(parse(added.body)) if isinstance(node, Function))
    whole = Fragment(added.imports, f"{header_text(piece, there)}\n{body}")
    return laid(text, {owner: whole}, methods={owner: named}, module=module)


def with_type_imports(text: str, lines: Iterable[str], *, module: str = "") -> str:
    """`text` with imports that only type checkers see, in the block of such imports that it has, or a new one."""
    mark = _BOM if text.startswith(_BOM) else ""
    source = text.removeprefix(mark)
    piece = Piece(source)
    imports = Imports(piece.tree, module)
    new = [ast.unparse(node) for node in together(line for line in lines if not imports.has_line(line))]
    if not new:
        return text
    conditions = ((node, ast.walk(node.test)) for node in piece.tree.body if isinstance(node, ast.If))
    blocks = (
        node
        for node, parts in conditions
        if any(getattr(part, "id", getattr(part, "attr", "")) == "TYPE_CHECKING" for part in parts)
    )
    block = next((node for node in blocks if node.body[0].lineno > node.lineno), None)
    merged: list[Edit] = []
    if block:
        row, indent = last_line(block.body[-1]) + 1, piece.indent(block.body[-1].lineno)
        edits = {row: "".join(f"{indent}{line}\n" for line in new)}
    else:
        imports.take(Fragment(("from typing import TYPE_CHECKING",), "TYPE_CHECKING"))
        merged = list(imports.merged(piece.lines))
        edits = imports.insertions(piece.lines)
        head = [node for node in piece.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        row = max([*(last_line(node) + 1 for node in head), *edits])
        lazily = "".join(f"{piece.unit}{line}\n" for line in new)
        above = f"{edits[row].rstrip()}\n" if row in edits else ""
        below = "\n\n" if row <= len(piece.lines) and piece.lines[row - 1].strip() else ""
        edits[row] = f"{above}\nif TYPE_CHECKING:\n{lazily}{below}"
    eol = line_ending(source)
    placed = [*merged, *(Edit(row, 0, row, 0, text) for row, text in edits.items())]
    return mark + edited(source, [edit._replace(text=edit.text.replace("\n", eol)) for edit in placed])


def _anchor(tree: ast.Module, body: str) -> ast.stmt | None:
    """The statement behind which new definitions go; None in an empty module."""
    needed = _needed(parse(body))
    guards = {
        node
        for node in tree.body
        if isinstance(node, ast.If)
        and any(isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(node.test))
    }
    statements = [node for node in tree.body if node not in guards]
    last = None
    for node in statements:
        if isinstance(node, Definition) or any(one.name in needed for one in bindings(node)):
            last = node
    if last is None or isinstance(last, ast.Import | ast.ImportFrom):
        return statements[-1] if statements else None
    return last


def _needed(tree: ast.Module) -> set[str]:
    """The names that definitions read when they are made: defaults, decorators, bases, annotations, class bodies."""
    waiting: list[ast.AST] = [tree]
    names: set[str] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            names.add(node.id)
        inner = node.body if isinstance(node, Function) else []
        waiting += [child for child in ast.iter_child_nodes(node) if child not in inner]
    return names


def _beyond(piece: Piece, anchor: ast.stmt) -> int:
    """The row behind a statement and the comments that are indented below it."""
    row = last_line(anchor) + 1
    end = row
    while row <= len(piece.lines):
        line = piece.lines[row - 1]
        if line.strip() and not (line.lstrip().startswith("#") and line[:1].isspace()):
            break
        row += 1
        end = row if line.strip() else end
    return end


def exported(tree: ast.Module) -> ast.List | ast.Tuple | None:
    """The list or tuple of texts that is `__all__`; None where there is none, or where it is put together."""
    bindings_of_all = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and _binds_all(node)]
    if len(bindings_of_all) != 1 or bindings_of_all[0] not in tree.body:
        return None
    value = getattr(bindings_of_all[0], "value", None)
    if not isinstance(bindings_of_all[0], ast.Assign | ast.AnnAssign) or not isinstance(value, ast.List | ast.Tuple):
        return None
    texts = [one for one in value.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return value if len(texts) == len(value.elts) else None


def has_computed_all(tree: ast.Module) -> bool:
    """Whether there is an `__all__` that new names can't be written into."""
    there = any(_binds_all(node) for node in ast.walk(tree) if isinstance(node, ast.stmt))
    return there and exported(tree) is None


def _binds_all(node: ast.stmt) -> bool:
    """Whether a statement sets `__all__`, or adds to it."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        bound: list[ast.expr | None] = [called.value] if isinstance(called, ast.Attribute) else []
    else:
        bound = [*node.targets] if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return any(isinstance(one, ast.Name) and one.id == "__all__" for one in bound)


def _exporting(piece: Piece, names: Sequence[str]) -> Iterator[Edit]:
    """The edits that put names into a literal `__all__`, each where it is sorted if those there are."""
    there = exported(piece.tree)
    held = [str(one.value) for one in there.elts if isinstance(one, ast.Constant)] if there else []
    new = [name for name in names if name not in held]
    if there is None or not new:
        return
    if not there.elts:
        inner = ", ".join(f'"{name}"' for name in new) + "," * (isinstance(there, ast.Tuple) and len(new) == 1)
        text = f"[{inner}]" if isinstance(there, ast.List) else f"({inner})"
        yield over(there, text)
        return
    first = there.elts[0]
    quote = piece.lines[first.lineno - 1].encode()[first.col_offset : first.col_offset + 1].decode()
    quote = quote if quote in "\"'" else '"'
    yield from listed(piece.lines, there.elts, held, {name: f"{quote}{name}{quote}" for name in new})


def members(node: ast.ClassDef) -> frozenset[str]:
    """The names that a class has of its own: what its body binds, and the attributes that its methods set."""
    names = {one.name for statement in node.body for one in bindings(statement)}
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and isinstance(part.value, ast.Name):
            names |= {part.attr} if part.value.id in ("self", "cls") else set()
    return frozenset(names)
