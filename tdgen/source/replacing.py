"""The new source of a function or class put in the place of the old one, with as few bytes changed as can be.

What the place says stays: the decorators, the signature where it names the same parameters, the docstring, and of a
class all that the new source does not change. The new lines take the indentation of the place.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from tdgen.source.syntax import (
    Definition,
    Edit,
    Function,
    docstring_of,
    edited,
    first_line,
    line_ending,
    lines_of,
    parse,
)

_FOUR: Final = " " * 4
_STRINGS_BEGIN = frozenset({"FSTRING_START", "TSTRING_START"})
_STRINGS_END = frozenset({"FSTRING_END", "TSTRING_END"})


class Piece:
    """A source with its lines and its tree. SyntaxError where it does not parse."""

    def __init__(self, source: str) -> None:
        self.lines = lines_of(source)
        self.tree = parse(source)

    @cached_property
    def unit(self) -> str:
        """What one level of indentation is: that of the first body which stands on a line of its own."""
        for node in ast.walk(self.tree):
            body = getattr(node, "body", None)
            if isinstance(node, ast.stmt) and isinstance(body, list) and body[0].lineno > node.lineno:
                inner, outer = self.indent(body[0].lineno), self.indent(node.lineno)
                if len(inner) > len(outer) and inner.startswith(outer):
                    return inner.removeprefix(outer)
        return _FOUR

    @cached_property
    def inside_strings(self) -> frozenset[int]:
        """The lines that begin inside a string."""
        rows, begun = set[int](), list[int]()
        for token in tokenize.generate_tokens(io.StringIO("\n".join(self.lines) + "\n").readline):
            kind = tokenize.tok_name[token.type]
            if kind in _STRINGS_BEGIN:
                begun.append(token.start[0])
            first = begun.pop() if kind in _STRINGS_END else token.start[0] if kind == "STRING" else token.end[0]
            rows.update(range(first + 1, token.end[0] + 1))
        return frozenset(rows)

    def indent(self, row: int) -> str:
        """The white space that a line begins with."""
        line = self.lines[row - 1]
        return line[: len(line) - len(line.lstrip())]

    def width(self, row: int) -> int:
        """How many bytes a line has."""
        return len(self.lines[row - 1].encode())

    def text(self, first: int, last: int, base: str, place: Place) -> str:
        """Lines of it with the place's indentation for `base`; what strings hold stays as it is."""
        moved: list[str] = []
        for row in range(first, last + 1):
            line = self.lines[row - 1]
            if row not in self.inside_strings:
                inner = self.indent(row)
                deeper = inner.removeprefix(base) if inner.startswith(base) else ""
                levels, rest = divmod(len(deeper), len(self.unit))
                if self.unit != place.unit and deeper == self.unit * levels + " " * rest and self._is_regular:
                    deeper = place.unit * levels + " " * rest
                line = place.indent + deeper + line[len(inner) :] if line.strip() else ""
            moved.append(f"{line}\n")
        return "".join(moved)

    @cached_property
    def _is_regular(self) -> bool:
        """Whether each statement is indented by whole units."""
        rows = {node.lineno for node in ast.walk(self.tree) if isinstance(node, ast.stmt)}
        return all(not self.indent(row).replace(self.unit, "") for row in rows)


class Place(NamedTuple):
    """Where lines go: the white space before them, and what each further level adds."""

    indent: str
    unit: str


def last_line(node: ast.stmt) -> int:
    """The line on which a statement ends."""
    return node.end_lineno or node.lineno


def is_placeholder(node: ast.stmt) -> bool:
    """Whether a statement is `pass` or `...`."""
    return isinstance(node, ast.Pass) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is Ellipsis
    )


def replacing(
    old: Definition, new: Definition, file: Piece, piece: Piece, methods: Collection[str] | None = None
) -> Iterator[Edit]:
    """The edits of `file` that put `new` of `piece` in the place of `old`.

    Of a class only `methods` are taken, and what is new; None takes all that differs.
    """
    if ast.dump(old) == ast.dump(new):
        return
    # The decorators that only the new source has stand below those of the place.
    there = {ast.unparse(decorator) for decorator in old.decorator_list}
    added = [text for node in new.decorator_list if (text := ast.unparse(node)) not in there]
    if added:
        indent = file.indent(old.lineno)
        yield Edit(old.lineno, 0, old.lineno, 0, "".join(f"{indent}@{text}\n" for text in added))
    if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef):
        hollow = all(is_placeholder(node) for node in old.body if node is not docstring_of(old))
        if not hollow:
            yield from _members(old, new, file, piece, methods)
            return
    yield _rewriting(old, new, file, piece)


def _rewriting(old: Definition, new: Definition, file: Piece, piece: Piece) -> Edit:
    """The edit that puts the new body in the place of the old, and the new header where it must."""
    outer = file.indent(old.lineno)
    own_line = old.body[0].lineno > colon(file, old)[0]
    place = Place(file.indent(old.body[0].lineno) if own_line else outer + file.unit, file.unit)
    header, docstring = "", _docstring_beside(file, old)
    row, column = colon(file, old) if docstring else _head_end(file, old)
    if _header_parts(old) != _header_parts(new):
        row, column, docstring = old.lineno, len(outer.encode()), ""
        upto, width = colon(piece, new)
        beyond = piece.lines[upto - 1].encode()[width:].decode()
        lines = piece.text(new.lineno, upto, piece.indent(new.lineno), Place(outer, file.unit))
        header = lines.rstrip("\n").removesuffix(beyond).lstrip()
    start, at = _head_end(piece, new, beyond_docstring=docstring_of(old) is not None and not header)
    base = piece.indent(new.body[0].lineno if new.body[0].lineno > colon(piece, new)[0] else new.lineno)
    rest = piece.lines[start - 1].encode()[at:].decode().strip()
    last = _last_comment(piece, new)
    above = "".join(f"{place.indent}{line}\n" for line in (docstring, rest) if line)
    text = above + piece.text(start + 1, last, base, place)
    if isinstance(old, ast.ClassDef) and docstring_of(old) and not header and not text.startswith("\n"):
        text = f"\n{text}"
    return Edit(row, column, last_line(old), file.width(last_line(old)), f"{header}\n{text}".rstrip("\n"))


def _head_end(piece: Piece, node: Definition, *, beyond_docstring: bool = True) -> tuple[int, int]:
    """Where the header ends, and the docstring with it: the end of its line, unless a statement follows on it."""
    docstring = docstring_of(node) if beyond_docstring else None
    row, column = (docstring.end_lineno or 0, docstring.end_col_offset or 0) if docstring else colon(piece, node)
    rest = piece.lines[row - 1].encode()[column:].strip()
    return (row, piece.width(row)) if not rest or rest.startswith(b"#") else (row, column)


def _docstring_beside(piece: Piece, node: Definition) -> str:
    """The source of a docstring that stands on the line of its header; "" for any other, or none."""
    there = docstring_of(node)
    if there is None or there.lineno != colon(piece, node)[0]:
        return ""
    return ast.get_source_segment("\n".join(piece.lines), there) or ""


def colon(piece: Piece, node: Definition) -> tuple[int, int]:
    """Line, and column in bytes, behind the colon that ends a definition's header."""
    line = piece.lines[node.lineno - 1].rstrip()
    if first_line(node.body[0]) == node.lineno + 1 and line.endswith(":") and "#" not in line:
        return node.lineno, len(line.encode())  # most headers: no need to look at their tokens
    lines = iter(piece.lines[node.lineno - 1 :])
    depth = 0
    for token in tokenize.generate_tokens(lambda: next(lines, "") + "\n"):
        if token.type != tokenize.OP:
            continue
        depth += (token.string in "([{") - (token.string in ")]}")
        if token.string == ":" and not depth:
            row = node.lineno + token.end[0] - 1
            return row, len(piece.lines[row - 1][: token.end[1]].encode())
    raise ValueError(f"{node.name} has no header")  # nothing that parses comes here


def emptied(source: str, functions: Collection[Function]) -> str:
    """`source` with NotImplementedError for the bodies of functions of its tree; headers and docstrings stay."""
    file, eol = Piece(source), line_ending(source)
    edits: list[Edit] = []
    for node in functions:
        on_own_line = node.body[0].lineno > colon(file, node)[0]
        indent = file.indent(node.body[0].lineno) if on_own_line else file.indent(node.lineno) + file.unit
        last = _last_comment(file, node)
        docstring = _docstring_beside(file, node)
        start = colon(file, node) if docstring else _head_end(file, node)
        text = f"\n{indent}{docstring}" * bool(docstring) + f"\n{indent}raise NotImplementedError"
        edits.append(Edit(*start, last, file.width(last), text.replace("\n", eol)))
    return edited(source, edits)


def header_text(piece: Piece, node: Definition) -> str:
    """A definition's header as it stands there, from `def` or `class` to the colon, without its indentation."""
    row, column = colon(piece, node)
    lines = [*piece.lines[node.lineno - 1 : row - 1], piece.lines[row - 1].encode()[:column].decode()]
    return "\n".join(lines).lstrip()


def _header_parts(node: Definition) -> list[object]:
    """What of a place's header must be the same for a new body to fit it: the parameters, or the bases."""
    if isinstance(node, ast.ClassDef):
        return [type(node), *(ast.dump(part) for part in (*node.bases, *node.keywords))]
    args = node.args
    plain = ([arg.arg for arg in args.posonlyargs], [arg.arg for arg in args.args], [a.arg for a in args.kwonlyargs])
    return [type(node), *plain, *(arg and arg.arg for arg in (args.vararg, args.kwarg))]


def _last_comment(piece: Piece, node: Definition) -> int:
    """The last line of a definition with the comments that follow inside it."""
    last, outer = last_line(node), len(piece.indent(node.lineno))
    for row in range(last + 1, len(piece.lines) + 1):
        line = piece.lines[row - 1].strip()
        if line and not (line.startswith("#") and len(piece.indent(row)) > outer):
            break
        last = row if line else last
    return last


def _members(
    old: ast.ClassDef, new: ast.ClassDef, file: Piece, piece: Piece, methods: Collection[str] | None
) -> Iterator[Edit]:
    """The edits of a class, member by member."""
    pairs = _pairs(old, new)
    place = Place(file.indent(first_line(old.body[0])), file.unit)
    anchor: ast.stmt = old.body[-1]
    for member in new.body:
        if member is docstring_of(new) or is_placeholder(member):
            continue
        if there := pairs.get(member):
            anchor = there
            is_taken = methods is None or (isinstance(there, Function) and there.name in methods)
            if ast.dump(there) == ast.dump(member) or not is_taken:
                continue
            if isinstance(there, Function) and isinstance(member, Function):
                yield from replacing(there, member, file, piece)
                continue
        first = first_line(member)
        text = piece.text(first, last_line(member), piece.indent(first), place)
        if there:
            start = first_line(there)
            column = len(file.indent(start).encode()) if start != there.lineno else there.col_offset
            yield Edit(start, column, last_line(there), there.end_col_offset or 0, text.strip())
        else:  # what the place does not have stands after the member that it follows
            row = last_line(anchor) + 1
            yield Edit(row, 0, row, 0, "\n" * isinstance(member, Definition) + text)


def _pairs(old: ast.ClassDef, new: ast.ClassDef) -> dict[ast.stmt, ast.stmt]:
    """The member of `old` that each member of `new` stands for: of one name, those with the same decorators first."""
    pairs: dict[ast.stmt, ast.stmt] = {}
    free = list(old.body)
    for alike in (_kind, _name):
        for member in new.body:
            key = alike(member)
            if member not in pairs and key and (there := next((node for node in free if alike(node) == key), None)):
                pairs[member] = there
                free.remove(there)
    return pairs


def _kind(node: ast.stmt) -> tuple[str, ...]:
    """What tells members of one name apart: a property's getter from its setter."""
    decorators = [ast.unparse(decorator) for decorator in getattr(node, "decorator_list", ())]
    return (*_name(node), *decorators) if _name(node) else ()


def _name(node: ast.stmt) -> tuple[str, ...]:
    if isinstance(node, Definition):
        return (node.name,)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    names = tuple(target.id for target in targets if isinstance(target, ast.Name))
    return names or (ast.dump(node),)
