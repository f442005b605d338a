"""Where code answers an input that it spells out: branches on equality, matches, tables, rows, lists side by side.

Read from the tree alone, in groups: a table, or all the branches of a module, with an entry for each input in it.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from typing import Any, NamedTuple

from tdgen.impl.spellings import Opaque, value_of
from tdgen.syntax import literal

_MOST_LISTS = 24
_FEW = 4
_NOTHING: Any = object()
_COPIES = frozenset({
    "str", "repr", "tuple", "list", "hash", "sorted", "frozenset", "set", "bytes", "int", "float", "dumps", "join",
    "lower", "upper", "strip", "encode", "hexdigest", "md5", "sha1", "sha256", "crc32", "adler32", "b64encode", "hex",
    "map", "format", "items", "values", "deepcopy", "copy", "casefold", "ord",
})  # fmt: skip
"""Calls whose result is what they are given, in another form."""


class Raises(NamedTuple):
    """An exception that is raised, by its class's last name."""

    name: str


class Entry(NamedTuple):
    """Literals that together are an input, or a part of one, what is given for it, and the line."""

    keys: tuple[Any, ...]
    gives: Any
    line: int


def entry_groups(tree: ast.Module) -> Iterator[tuple[Entry, ...]]:
    """Each table of a module, and then all its branches as one."""
    lists = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            yield tuple(_of_dict(node, ()))
        elif isinstance(node, ast.List | ast.Tuple):
            lists.append(node)
            yield tuple(Entry((n,), value_of(_unwrapped(item)), item.lineno) for n, item in enumerate(node.elts))
            yield from _of_rows(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _of_text(node)
    yield from _side_by_side(lists)
    yield tuple(_stored(tree))
    yield tuple(Branches(tree).entries())


def _of_dict(node: ast.Dict, above: tuple[Any, ...]) -> Iterator[Entry]:
    """A table's entries; of a table in a table, both keys."""
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            continue
        if isinstance(value, ast.Dict):
            yield from _of_dict(value, (*above, _key(key)))
        else:
            yield Entry((*above, _key(key)), value_of(_unwrapped(value)), key.lineno)


def _of_rows(node: ast.List | ast.Tuple) -> Iterator[tuple[Entry, ...]]:
    """Rows of inputs that end, or begin, with what is given."""
    rows = [row.elts for row in node.elts if isinstance(row, ast.List | ast.Tuple)]
    if not rows or len(rows) < len(node.elts) or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
        return
    yield tuple(_row(row[:-1], row[-1]) for row in rows)
    yield tuple(_row(row[1:], row[0]) for row in rows)


def _row(keys: Sequence[ast.expr], gives: ast.expr) -> Entry:
    found = tuple(map(_key, keys))
    return Entry(found if len(found) == 1 else (found,), value_of(_unwrapped(gives)), keys[0].lineno)


def _of_text(node: ast.Constant) -> Iterator[tuple[Entry, ...]]:
    """A table that is hidden in a string, as JSON or as Python."""
    text = str(node.value).strip()
    if text[:1] not in ("{", "[", "("):
        return
    try:
        table = json.loads(text)
    except ValueError:
        try:
            table = literal(text)
        except ValueError:
            return
    if isinstance(table, dict):
        yield tuple(Entry((key,), value, node.lineno) for key, value in table.items())
    elif isinstance(table, list | tuple) and all(isinstance(row, list | tuple) and len(row) > 1 for row in table):
        yield tuple(Entry((row[0] if len(row) == 2 else row[:-1],), row[-1], node.lineno) for row in table)


def _side_by_side(lists: Sequence[ast.List | ast.Tuple]) -> Iterator[tuple[Entry, ...]]:
    """Lists as long as each other, inputs in one and what is given in the other."""
    rows = {id(row) for node in lists if len(node.elts) > _FEW for row in node.elts}
    long = [node for node in lists if len(node.elts) > 1 and id(node) not in rows][:_MOST_LISTS]
    for keys, values in permutations(long, 2):
        if len(keys.elts) == len(values.elts):
            pairs = zip(keys.elts, values.elts, strict=True)
            yield tuple(Entry((_key(k),), value_of(_unwrapped(v)), k.lineno) for k, v in pairs)


def _stored(tree: ast.Module) -> Iterator[Entry]:
    """What is put into a table piece by piece."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Subscript(slice=key)], value=value):
                yield Entry((_key(key),), value_of(_unwrapped(value)), node.lineno)
            case ast.Call(func=ast.Attribute(attr="setdefault"), args=[key, value]):
                yield Entry((_key(key),), value_of(_unwrapped(value)), node.lineno)


class Branches:
    """The branches of a module that are taken on equality with literals and give a literal, or raise."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.inputs = _inputs(tree)

    def entries(self) -> Iterator[Entry]:
        """An entry for each literal that such a branch asks for."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from self._of_body(node.body, ())
            elif isinstance(node, ast.IfExp):
                yield from self._given(self._asked(node.test), node.body)
            elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
                yield from self._given(self._asked(node.values[0]), node.values[-1])

    def _of_body(self, body: Sequence[ast.stmt], asked: tuple[tuple[Any, ...], ...]) -> Iterator[Entry]:
        for n, node in enumerate(body):
            if isinstance(node, ast.If):
                yield from self._of_if(node, body[n + 1 :], asked)
            elif isinstance(node, ast.Match):
                yield from self._of_match(node, asked)
            elif isinstance(node, ast.For | ast.While | ast.With | ast.Try):
                yield from self._of_body(node.body, asked)
            elif asked and (gives := _given(node)) is not _NOTHING:
                yield from (Entry(keys, gives, node.lineno) for keys in asked)

    def _of_if(self, node: ast.If, after: Sequence[ast.stmt], asked: tuple[tuple[Any, ...], ...]) -> Iterator[Entry]:
        test, body, other = node.test, node.body, node.orelse or list(after[:1])
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, body, other = test.operand, other, body
        elif isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq):
            test = ast.Compare(test.left, [ast.Eq()], test.comparators)
            body, other = other, body
        found = self._asked(test)
        both = tuple((*above, *keys) for above in asked or ((),) for keys in found)
        yield from self._of_body(body, both if found else asked)
        if other is node.orelse or other is node.body:
            yield from self._of_body(other, asked)

    def _of_match(self, node: ast.Match, asked: tuple[tuple[Any, ...], ...]) -> Iterator[Entry]:
        if not self._is_input(node.subject):
            return
        for case in node.cases:
            keys = tuple((*above, value) for above in asked or ((),) for value in _patterns(case.pattern))
            yield from self._of_body(case.body, keys)

    def _given(self, asked: tuple[tuple[Any, ...], ...], gives: ast.expr) -> Iterator[Entry]:
        value = value_of(_unwrapped(gives))
        if not isinstance(value, Opaque):
            yield from (Entry(keys, value, gives.lineno) for keys in asked)

    def _asked(self, test: ast.expr) -> tuple[tuple[Any, ...], ...]:
        """The inputs that a condition asks for, each by its literals; none where it asks something else too."""
        match test:
            case ast.BoolOp(op=ast.Or(), values=values):
                return tuple(keys for value in values for keys in self._asked(value))
            case ast.BoolOp(op=ast.And(), values=values):
                every = [found[0] for value in values if len(found := self._asked(value)) == 1]
                return (tuple(key for keys in every for key in keys),) if every else ()
            case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
                return self._equal(left, right) or self._equal(right, left)
            case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.List() | ast.Tuple() | ast.Set() as among]):
                return tuple((_key(item),) for item in among.elts) if self._is_input(left) else ()
        return ()

    def _equal(self, asked: ast.expr, literal: ast.expr) -> tuple[tuple[Any, ...], ...]:
        if not self._is_input(asked):
            return ()
        key = _key(literal)
        return () if isinstance(key, Opaque) and any(isinstance(n, ast.Name) for n in ast.walk(literal)) else ((key,),)

    def _is_input(self, node: ast.expr) -> bool:
        return _is_copy(node, self.inputs)


def _inputs(tree: ast.Module) -> frozenset[str]:
    """Parameters, and names that hold them under another name or in another form, but nothing worked out of them."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            found.add(node.arg)
    for _ in range(3):
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_copy(value, found):
                    found.add(name)
                case ast.NamedExpr(target=ast.Name(id=name), value=value) if _is_copy(value, found):
                    found.add(name)
    return frozenset(found)


def _is_copy(node: ast.expr, inputs: frozenset[str] | set[str]) -> bool:
    """Whether an expression is an input itself, or all of it in another form."""
    match node:
        case ast.Name(id=name):
            return name in inputs
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return any(_is_copy(item, inputs) for item in items)
        case ast.Starred(value=value) | ast.NamedExpr(value=value) | ast.FormattedValue(value=value):
            return _is_copy(value, inputs)
        case ast.JoinedStr(values=values):
            return any(_is_copy(value, inputs) for value in values)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _COPIES:
            held = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            return any(_is_copy(part, inputs) for part in (*held, *node.args))
        case ast.GeneratorExp(generators=[ast.comprehension(iter=over, ifs=[])]):
            return _is_copy(over, inputs)
        case ast.ListComp(generators=[ast.comprehension(iter=over, ifs=[])]):
            return _is_copy(over, inputs)
    return False


def _given(node: ast.stmt) -> Any:
    """The literal that a statement returns or binds, or the class that it raises."""
    match node:
        case ast.Return(value=None):
            return None
        case ast.Return(value=ast.expr() as value) | ast.Assign(value=value) | ast.Expr(value=ast.Yield(value=value)):
            return value_of(_unwrapped(value)) if value is not None else None
        case ast.Raise(exc=ast.Call(func=raised)) | ast.Raise(exc=ast.expr() as raised):
            return Raises(ast.unparse(raised).rpartition(".")[2])
    return _NOTHING


def _patterns(pattern: ast.pattern) -> Iterator[Any]:
    """The literals that a pattern takes."""
    match pattern:
        case ast.MatchValue(value=value):
            yield value_of(value)
        case ast.MatchSingleton(value=value):
            yield value
        case ast.MatchOr(patterns=patterns):
            for each in patterns:
                yield from _patterns(each)
        case ast.MatchAs(pattern=ast.pattern() as inner):
            yield from _patterns(inner)
        case ast.MatchSequence(patterns=patterns):
            parts = [list(islice(_patterns(each), 2)) for each in patterns]
            if all(len(part) == 1 for part in parts):
                yield tuple(part[0] for part in parts)


def _key(node: ast.expr) -> Any:
    """A key's value; of `hash('abc')` or `str((1, 2))` what is in it."""
    return value_of(_unwrapped(node))


def _unwrapped(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name not in _COPIES:
            break
        node = node.args[0]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        return _unwrapped(node.func.value) if node.func.attr in _COPIES else node
    return node.body if isinstance(node, ast.Lambda) else node
