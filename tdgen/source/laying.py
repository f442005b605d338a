"""New source laid into what there is: each unit in its place, its helpers before it, its imports with the others.

That is a module of the user's, or a large class of which an answer gives the changed methods alone.

Pure text: nothing is run, and every byte that is not replaced stays. Where new code binds a name that the module uses
for something else, the new code's name gives way.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from textwrap import dedent, indent
from typing import Final, NamedTuple

from tdgen.source.fragment import Fragment, rename
from tdgen.source.imports import Imports, bindings, with_comments
from tdgen.source.replacing import Piece, Place, last_line, replacing
from tdgen.source.syntax import (
    Definition,
    Edit,
    Function,
    class_named,
    definition,
    edited,
    first_line,
    line_ending,
    lines_of,
    methods_of,
    parse,
    statements_of,
)

_BOM: Final = "\ufeff"


def laid(
    text: str,
    fragments: Mapping[str, Fragment],
    *,
    methods: Mapping[str, Collection[str]] | None = None,
    module: str = "",
) -> str:
    """`text` with each unit's new source in its place.

    A key of `fragments` names a function or class at the top level of `text`, or a method as `Class.method`. A body
    holds the unit's whole definition (for a method the function, unindented) and perhaps helpers. Of a class in
    `methods` only these methods are taken, and what is new; of others, all that differs. Imports from the module itself
    are left out where `module` names it. ValueError where a unit is not in the text or not in its fragment;
    SyntaxError where a text does not parse.
    """
    mark = _BOM if text.startswith(_BOM) else ""
    source = text.removeprefix(mark)
    ends = bool(source) and not source.endswith(("\n", "\r"))
    eol = line_ending(source)
    file = Piece(source + "\n" * ends)
    laying = _Laying(file, module, fragments)
    for unit in sorted(fragments, key=lambda unit: first_line(laying.place(unit))):
        laying.lay(unit, fragments[unit], (methods or {}).get(unit))
    edits = [edit._replace(text=edit.text.replace("\n", eol)) for edit in laying.edits()]
    result = edited(source + eol * ends, edits)
    return mark + (result.removesuffix(eol) if ends else result)


class _Chunk(NamedTuple):
    """Statements of a body that stand on the same lines, with the comments above them: lines from 1, both included."""

    nodes: tuple[ast.stmt, ...]
    first: int
    last: int


class _Laying:
    """The edits of a file, collected unit by unit."""

    def __init__(self, file: Piece, module: str, units: Collection[str]) -> None:
        self._file = file
        self._units = {unit.partition(".")[0] for unit in units}
        self._imports = Imports(file.tree, module)
        self._replaced: list[Edit] = []
        self._inserted: dict[int, str] = {}

    def edits(self) -> Iterator[Edit]:
        """All edits; what is inserted on one line is one."""
        yield from self._imports.merged(self._file.lines)
        inserted = dict(self._inserted)
        for row, text in self._imports.insertions(self._file.lines).items():
            inserted[row] = text + inserted.get(row, "")
        yield from (Edit(row, 0, row, 0, text) for row, text in inserted.items())
        yield from self._replaced

    def place(self, unit: str) -> Definition:
        """The definition that a unit's name stands for in the file."""
        outer, _, method = unit.partition(".")
        node = definition(self._file.tree, outer)
        node = definition(node, method) if method and node else node
        if node is None:
            raise ValueError(f"the module does not define {unit}")
        return node

    def lay(self, unit: str, fragment: Fragment, methods: Collection[str] | None) -> None:
        """Collect the edits of one unit."""
        name = unit.rpartition(".")[2]
        outer = self.place(unit.partition(".")[0])
        body = self._with_free_names(fragment, name)
        piece = Piece(body)
        new = definition(piece.tree, name)
        if new is None:
            raise ValueError(f"the code does not define {name}")
        for edit in replacing(self.place(unit), new, self._file, piece, methods):
            if (edit.line, edit.column) == (edit.end_line, edit.end_column) and edit.column == 0:
                self._insert(edit.line, edit.text)
            else:
                self._replaced.append(edit)
        self._lay_helpers(piece, new, outer)

    def _with_free_names(self, fragment: Fragment, name: str) -> str:
        """The body, with its imports taken in; what would bind a name anew in the file has another one."""
        bound = [binding for node in parse(fragment.body).body for binding in bindings(node)]
        own = {name, *self._units}
        clashing = {one.name for one in bound if one.name not in own and self._imports.clashes(one)}
        names = {helper: self._imports.free_name(helper) for helper in clashing}
        names |= self._imports.take(fragment)
        return rename(fragment.body, names) if names else fragment.body

    def _lay_helpers(self, piece: Piece, new: Definition, outer: Definition) -> None:
        """Put what stands beside the unit before it; what needs the unit when the module is imported goes behind it."""
        above = with_comments(outer, self._file.lines)
        late = {new.name}
        behind = False
        for chunk in _chunks(piece):
            if new in chunk.nodes:
                behind = True
                comments = piece.lines[chunk.first - 1 : first_line(new) - 1]
                self._insert(above, "".join(f"{line}\n" for line in comments if line.strip()))
                continue
            bound = [binding for node in chunk.nodes for binding in bindings(node)]
            if all(one.name in self._units or self._imports.has(one) for one in bound):
                continue
            self._imports.add(bound)
            text = piece.text(chunk.first, chunk.last, "", Place("", self._file.unit)).strip("\n")
            # What the statements read when the module is imported: of functions the decorators alone.
            parts = [
                part for node in chunk.nodes for part in (node.decorator_list if isinstance(node, Function) else [node])
            ]
            reads = (inner.id for part in parts for inner in ast.walk(part) if isinstance(inner, ast.Name))
            if behind and not late.isdisjoint(reads):
                late |= {one.name for one in bound}
                self._insert(last_line(outer) + 1, f"\n\n{text}\n")
            else:
                self._insert(above, f"{text}\n\n\n")

    def _insert(self, row: int, text: str) -> None:
        if text:
            self._inserted[row] = self._inserted.get(row, "") + text


def _chunks(piece: Piece) -> Iterator[_Chunk]:
    nodes: list[ast.stmt] = []
    first, last = 1, 0
    for node in piece.tree.body:
        if nodes and first_line(node) > last:
            yield _Chunk(tuple(nodes), first, last)
            nodes, first = [], last + 1
        nodes.append(node)
        last = max(last, last_line(node))
    if nodes:
        yield _Chunk(tuple(nodes), first, last)


def with_changed_methods(code: str, written: str, name: str, methods: Collection[str]) -> str:
    """The class `name` as it was `written`, with the methods, imports, constants and helpers of `code` in their places.

    Code that has all of the `methods` is the class as a whole. It is taken as it is, and so is what does not parse or
    has no such class.
    """
    new, old = (ast.Module(statements_of(source), []) for source in (code, written))
    given, kept = class_named(new, name), class_named(old, name)
    if given is None or kept is None:
        return code
    if {*methods} <= {method.name for method in methods_of(given)}:
        return code
    lines, others = lines_of(written), lines_of(code)
    changes = [*_changes(kept.body, given.body, others), *_changes(old.body, new.body, others, name)]
    for first, last, text in sorted(changes, key=lambda change: change[:2], reverse=True):
        lines[first:last] = text
    return "\n".join([*_imports(new, old), *lines]).rstrip("\n") + "\n"


def _changes(
    kept: Sequence[ast.stmt], given: Sequence[ast.stmt], others: list[str], unit: str = ""
) -> Iterator[tuple[int, int, list[str]]]:
    """What comes in place of which lines (from 0, the last not included) of one level of the code.

    What is new stands at the end of a class, and in a module before the class `unit`.
    """
    places = {_key(node): node for node in kept if _key(node)}
    margin = " " * (kept[0].col_offset if kept else 0)
    for node in given:
        key = _key(node)
        if not key or key == unit:
            continue
        text = indent(dedent("\n".join(others[first_line(node) - 1 : node.end_lineno])), margin).split("\n")
        if key in places:
            yield first_line(places[key]) - 1, places[key].end_lineno or 0, text
        elif unit:
            before = first_line(places[unit]) - 1
            yield before, before, [*text, "", ""]
        elif isinstance(node, Function):
            end = kept[-1].end_lineno or 0
            yield end, end, ["", *text]
        else:
            before = first_line(next((one for one in kept if isinstance(one, Function)), kept[-1])) - 1
            yield before, before, [*text, ""]


def _imports(new: ast.Module, old: ast.Module) -> list[str]:
    """The imports that are new, a line each; that of the future is written by the tool."""
    there = {ast.unparse(node) for node in old.body}
    imports = [node for node in new.body if isinstance(node, ast.Import | ast.ImportFrom)]
    plain = [node for node in imports if not (isinstance(node, ast.ImportFrom) and node.module == "__future__")]
    return [text for node in plain if (text := ast.unparse(node)) not in there]


def _key(node: ast.stmt) -> str:
    """What a definition or an assignment is known by: its name, with the role of a setter or deleter; or nothing."""
    if isinstance(node, Definition):
        decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
        return next((text for text in decorators if text.endswith((".setter", ".deleter"))), node.name)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return " = ".join(map(ast.unparse, targets))
