"""The rows of a test's `parametrize` table: what each run of it puts in the place of its parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import NamedTuple

from tdgen.source.trees import Unread, dotted
from tdgen.testgen.reading.origins import Origins


class Row(NamedTuple):
    """One run of a test: what it is called by, and its parameters' values."""

    label: str
    values: Mapping[str, ast.expr]


def read_rows(test: ast.FunctionDef, origins: Origins) -> list[Row]:
    """A test's rows, a single empty one where it has no table.

    Unread where it takes what no single table of literals gives: fixtures, marks, stacked tables, computed rows.
    """
    takes = [arg.arg for arg in (*test.args.posonlyargs, *test.args.args, *test.args.kwonlyargs)]
    if test.args.vararg or test.args.kwarg or test.args.defaults:
        raise Unread("its parameters have defaults, or are open")
    if not test.decorator_list:
        if takes:
            raise Unread("it takes fixtures")
        return [Row("", {})]
    if len(test.decorator_list) != 1:
        raise Unread("it has several decorators")
    names, rows = _table(origins.renamed(test.decorator_list[0]))
    if sorted(names) != sorted(takes):
        raise Unread("it takes fixtures")
    return rows


def _table(decorator: ast.expr) -> tuple[list[str], list[Row]]:
    if not isinstance(decorator, ast.Call) or dotted(decorator.func) != "pytest.mark.parametrize":
        raise Unread("it has a decorator")
    given: dict[str, ast.expr] = dict(zip(("argnames", "argvalues"), decorator.args, strict=False))
    given |= {keyword.arg or "**": keyword.value for keyword in decorator.keywords}
    if not {"argnames", "argvalues"} <= given.keys() or given.keys() - {"argnames", "argvalues", "ids"}:
        raise Unread("its table is not plain")
    names = _names(given["argnames"])
    is_single = isinstance(given["argnames"], ast.Constant) and len(names) == 1
    items = _items(given["argvalues"])
    labels = [_label(item) for item in _items(given["ids"])] if "ids" in given else []
    if labels and len(labels) != len(items):
        raise Unread("it has more or fewer ids than rows")
    rows = [_row(item, names, is_single=is_single) for item in items]
    return names, [
        Row((labels[number] if labels else row.label) or str(number + 1), row.values) for number, row in enumerate(rows)
    ]


def _names(tree: ast.expr) -> list[str]:
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        return [name.strip() for name in tree.value.split(",") if name.strip()]
    return [item.value for item in _items(tree) if isinstance(item, ast.Constant) and isinstance(item.value, str)]


def _items(tree: ast.expr) -> list[ast.expr]:
    if not isinstance(tree, ast.List | ast.Tuple) or any(isinstance(item, ast.Starred) for item in tree.elts):
        raise Unread("its table is computed")
    return tree.elts


def _row(item: ast.expr, names: list[str], *, is_single: bool) -> Row:
    label = ""
    if isinstance(item, ast.Call) and dotted(item.func) == "pytest.param":
        if any(keyword.arg != "id" for keyword in item.keywords):
            raise Unread("a row of its table is marked")
        label = _label(item.keywords[0].value) if item.keywords else ""
        values = item.args
    else:
        values = [item] if is_single else _items(item)
    if len(values) != len(names) or any(isinstance(value, ast.Starred) for value in values):
        raise Unread("a row of its table has another length")
    return Row(label, dict(zip(names, values, strict=True)))


def _label(tree: ast.expr) -> str:
    """An id as part of a case's name."""
    if not isinstance(tree, ast.Constant):
        raise Unread("an id of its table is computed")
    return re.sub(r"\W+", "_", str(tree.value)).strip("_") if tree.value is not None else ""
