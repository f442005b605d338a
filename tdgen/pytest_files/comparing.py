"""Cases that differ in their arguments alone: one parametrized test for all that are called and compared alike.

No comparison is stricter than the judge; it is looser where `==` is (True is 1).
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from tdgen.pytest_files.headers import Annotations, comment, local_name, slug, unique
from tdgen.pytest_files.sources import Argument, dotted_name, expression, expression_text, last_name
from tdgen.source.syntax import expression_or_none, literal_or
from tdgen.types import Case, ExpectedException, FunctionSpec, SharedType, Tolerance, Value
from tdgen.values.equality import Relation

_RESERVED = frozenset({"expected", "result", "match", "error", "request", "item", "pytest", "same_value", "same_items"})
_SECTIONS = {"instruction": "Examples of the instruction.", "user": "The user's own tests."}
_FURTHER = "Further cases."


class RenderedTest(NamedTuple):
    """One test function: its source, the end of each case's test id, and the helpers and fixtures it needs."""

    name: str
    text: str
    ids: Mapping[str, str]
    helpers: frozenset[str] = frozenset()


class Row(NamedTuple):
    """A case with its arguments read, and what is known of the value that it expects."""

    case: Case
    arguments: tuple[Argument, ...]
    expected: Expected | None = None

    @property
    def shape(self) -> tuple[str, ...]:
        """The names of its arguments as they are passed; positional ones have none."""
        return tuple(argument.name for argument in self.arguments)


class Table:
    """The parametrized test of cases whose arguments have one shape."""

    def __init__(self, name: str, rows: Sequence[Row], spec: FunctionSpec, annotations: Annotations) -> None:
        self._name, self._rows, self._spec, self._annotations = name, rows, spec, annotations
        self.columns = columns(rows[0], spec)
        self._typed = dict(self.columns)
        self._cells: list[list[str]] = [[argument.text for argument in row.arguments] for row in rows]
        for place, (column, parameter) in enumerate(self.columns.items()):
            cells = [row[place] for row in self._cells]
            self._typed[column] = annotations.of_parameter(parameter, spec, cells)

    def call(self) -> str:
        """The call on the columns."""
        given = [f"{key}={name}" if key else name for key, name in zip(self._rows[0].shape, self.columns, strict=True)]
        return f"{self._spec.name}({', '.join(given)})"

    def values(self, comparison: Comparison) -> RenderedTest:
        """The table of arguments and expected values."""
        cells = [comparison.cell(row.expected) for row in self._rows if row.expected]
        if comparison.form == "is" and len(set(cells)) == 1:
            is_nothing = cells[0] == self._spec.returns.type.strip() == "None"
            return self._rendered([self.call() if is_nothing else comparison.line(self.call(), cells[0])])
        self._add("expected", cells, self._annotations.of_expected(self._spec, cells))
        return self._rendered([comparison.line(self.call(), "expected")], comparison.helpers)

    def errors(self) -> RenderedTest:
        """The table of arguments, exceptions and patterns."""
        errors = [row.case.expectation for row in self._rows if isinstance(row.case.expectation, ExpectedException)]
        kinds, patterns = [dotted_name(error.type) for error in errors], [pattern_text(error.match) for error in errors]
        kind, match = kinds[0], patterns[0]
        if len(set(kinds)) > 1:
            kind = "error"
            self._add(kind, kinds, "type[BaseException]")
        if len(set(patterns)) > 1:
            match = "match"
            self._add(match, [pattern or "None" for pattern in patterns], "str" + " | None" * ("" in patterns))
        return self._rendered([raises_line(kind, match), f"    {self.call()}"])

    def _add(self, column: str, cells: Sequence[str], annotation: str) -> None:
        self._typed[column] = annotation
        for row, cell in zip(self._cells, cells, strict=True):
            row.append(cell)

    def _rendered(self, body: Sequence[str], helpers: frozenset[str] = frozenset()) -> RenderedTest:
        taken: set[str] = set()
        ids = [unique(slug(row.case.name), taken) for row in self._rows]
        names = [repr(name) for name in self._typed]
        lines = [
            "@pytest.mark.parametrize(",
            f"    ({', '.join(names)})," if len(names) > 1 else f"    {names[0]},",
            "    [",
            *self._params(ids),
            "    ],",
            ")",
            f"def {self._name}({', '.join(f'{name}: {type_}' for name, type_ in self._typed.items())}) -> None:",
            *(f"    {line}" for line in body),
        ]
        by_case = {row.case.name: f"[{label}]" for row, label in zip(self._rows, ids, strict=True)}
        return RenderedTest(self._name, "\n".join(lines), by_case, helpers)

    def _params(self, ids: Sequence[str]) -> list[str]:
        """The rows, those of the user apart from the others."""
        lines: list[str] = []
        section, above = _FURTHER, list[str]()
        for row, cells, label in zip(self._rows, self._cells, ids, strict=True):
            if (own := _SECTIONS.get(row.case.provenance, _FURTHER)) != section:
                section = own
                lines += [*[""] * bool(lines), f"    # {section}"]
            if (why := remarks(row.case, indent=8)) != above:  # what holds for several rows in line is said once
                lines += [f"    {line}" for line in why]
                above = why
            lines.append(f"    pytest.param({', '.join([*cells, f'id={label!r}'])}),")
        return lines


def columns(row: Row, spec: FunctionSpec) -> dict[str, str]:
    """The columns for rows of that shape: their names, and the parameter that each stands for."""
    parameters = [parameter.name for parameter in spec.parameters]
    starred = next((place for place, name in enumerate(parameters) if name.startswith("*")), len(parameters))
    taken = _RESERVED | {spec.name}
    by_column: dict[str, str] = {}
    for place, argument in enumerate(row.arguments):
        plain = argument.name or (parameters[place] if place < starred else f"argument_{place + 1}")
        by_column[local_name(plain, taken | by_column.keys())] = plain
    return by_column


def whose(case: Case) -> list[str]:
    """A comment on whose case it is, where the user wrote it."""
    return [f"# {_SECTIONS[case.provenance]}"] if case.is_pinned else []


def remarks(case: Case, *, indent: int = 0) -> list[str]:
    """The comment above a case: why it is there, where neither its name nor its call says that already."""
    said = {slug(case.name), slug(case.expression)}
    is_said = slug(case.why) in said or "".join(case.expression.split()) in "".join(case.why.split())
    return comment(case.why, indent) if case.why and not is_said else []


def pattern_text(pattern: str) -> str:
    """A regular expression as source: raw where that reads better; empty for an empty one."""
    is_raw = "\\" in pattern and pattern.isprintable() and '"' not in pattern and not pattern.endswith("\\")
    return "" if not pattern else f'r"{pattern}"' if is_raw else repr(pattern)


def raises_line(error: str, match: str) -> str:
    """The `with` line that expects an exception, `match` being source or empty."""
    return f"with pytest.raises({error}, match={match}):" if match else f"with pytest.raises({error}):"


Form = Literal["is", "==", "approx", "same"]
_FORMS: tuple[Form, ...] = ("is", "==", "approx", "same")
_EXACT_CALLS = frozenset({"str", "bytes", "bytearray", "int", "bool", "len", "ord", "chr", "repr", "range"}).union(
    ("date", "datetime", "time", "timedelta", "timezone", "ZoneInfo", "Timestamp", "Timedelta", "Decimal", "Fraction"),
    ("Path", "PurePath", "PurePosixPath", "PureWindowsPath", "UUID", "ip_address", "IPv4Address", "IPv6Address"),
)
_EXACT_HOLDERS = frozenset({"list", "tuple", "sorted", "set", "frozenset", "dict", "Counter"})
_EXACT_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_UNLISTED = (ast.Constant, ast.JoinedStr, ast.Set, ast.Dict, ast.SetComp, ast.DictComp)
_LARGEST_APPROXIMATE = 1e300
"""pytest.approx makes floats of numbers, which an int beyond all of them can't be."""


class Expected(NamedTuple):
    """An expected value and how it is compared by itself, the result put through `wrap` (`list` or `sorted`) first."""

    text: str
    tree: ast.expr
    tolerance: Tolerance
    form: Form
    wrap: str = ""
    any_order: bool = False


def read_value(value: Value, relation: Relation, types: Mapping[str, SharedType]) -> Expected:
    """An expected value of one relation."""
    text, tree = expression_text(value.source), expression(value.source)
    form: Form = "==" if _is_exact(tree, types) else "approx" if _is_flat(tree) else "same"
    if isinstance(tree, ast.Constant) and (tree.value is None or isinstance(tree.value, bool)):
        form = "is"
    expected = Expected(text, tree, value.tolerance, form)
    if isinstance(tree, _UNLISTED):
        return expected
    is_display = isinstance(tree, ast.List | ast.Tuple)
    if relation.unordered:
        items: list[Any] = list(literal_or(tree, [None])) if is_display else [None]
        if {type(item) for item in items} not in (set(), {int}, {str}):
            return expected._replace(form="same", any_order=last_name(tree) not in ("set", "frozenset", "dict"))
        return expected._replace(text=repr(sorted(items)), form="==", wrap="sorted")
    if relation.iterated and is_display:
        listed = ast.unparse(ast.List(tree.elts, ast.Load())) if isinstance(tree, ast.Tuple) else text
        return expected._replace(text=listed, wrap="list")
    return expected._replace(form="same") if relation.iterated else expected


class Comparison:
    """How all of `values` are compared, which are one case's or those of a table: alike but for value and form."""

    def __init__(self, values: Sequence[Expected]) -> None:
        self._values, self._first = values, values[0]
        self.form = max((value.form for value in values), key=_FORMS.index)
        self._in_cells = self.form == "approx" and not all(_is_flat(value.tree) for value in values)

    @property
    def helpers(self) -> frozenset[str]:
        """The helpers of the file that it calls."""
        called = {"same_value"} if self.form == "same" else set[str]()
        return frozenset(called | ({"same_items"} if self._first.any_order else set()))

    def cell(self, value: Expected) -> str:
        """An expected value as it stands in a table or an assertion."""
        return self._approx(value.text) if self._in_cells and value.form == "approx" else value.text

    def line(self, call: str, expected: str) -> str:
        """The statement that calls and compares."""
        call = f"{self._first.wrap}({call})" if self._first.wrap else call
        if self.form == "same":
            tolerance = self._first.tolerance
            options = f", rel={_number(tolerance.rel)}, abs={_number(tolerance.abs)}" * (tolerance != Tolerance())
            return f"assert {'same_items' if self._first.any_order else 'same_value'}({call}, {expected}{options})"
        if self.form == "approx" and not self._in_cells:
            expected = self._approx(expected)
        return f"assert {call} {'is' if self.form == 'is' else '=='} {expected}"

    def _approx(self, expected: str) -> str:
        rel, abs_ = self._first.tolerance.rel, self._first.tolerance.abs
        options = "" if (rel, abs_) == (1e-6, 1e-12) else f", rel={_number(rel)}"
        options += "" if abs_ == 1e-12 else f", abs={_number(abs_)}"
        options += ", nan_ok=True" * any("nan" in value.text for value in self._values)
        return f"pytest.approx({expected}{options})"


def _is_exact(tree: ast.expr | None, types: Mapping[str, SharedType]) -> bool:
    """Whether `==` accepts all that the judge does: nothing in it has a tolerance or is compared by its identity."""
    match tree:
        case ast.Constant(value=value):
            return not isinstance(value, float | complex)
        case ast.Name(id=name):
            return name in vars(builtins)
        case ast.Attribute(value=ast.Name(id=owner)):
            return owner in types and types[owner].kind == "enum"
        case ast.BinOp(op=op, right=right) if not isinstance(op, _EXACT_OPERATORS):
            return isinstance(op, ast.Pow) and isinstance(right, ast.Constant) and _is_exact(tree.left, types)
        case ast.Call():
            return _is_exact_call(tree, types)
        case ast.JoinedStr() | ast.Compare():
            return True
        case ast.UnaryOp() | ast.Starred() | ast.BinOp() | ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            inner = (node for node in ast.iter_child_nodes(tree) if isinstance(node, ast.expr))
            return all(_is_exact(node, types) for node in inner)
    return False


def _is_exact_call(tree: ast.Call, types: Mapping[str, SharedType]) -> bool:
    name = last_name(tree)
    parts = [*tree.args, *(keyword.value for keyword in tree.keywords)]
    if name in _EXACT_CALLS:
        return "nan" not in ast.unparse(tree).lower()
    if name in types:
        if types[name].kind in ("enum", "exception"):
            return types[name].kind == "enum"
        defaults = [expression_or_none(field.default) for field in types[name].fields if field.default]
        return all(_is_exact(part, types) for part in (*parts, *defaults))
    return name in _EXACT_HOLDERS and all(_is_exact(part, types) for part in parts)


def _is_flat(tree: ast.expr) -> bool:
    """Whether pytest.approx takes it: a number, or a list, tuple or dict of nothing but numbers."""
    if isinstance(tree, ast.List | ast.Tuple):
        return all(map(_is_scalar, tree.elts))
    if isinstance(tree, ast.Dict):
        return None not in tree.keys and all(map(_is_scalar, tree.values))
    return _is_scalar(tree)


def _is_scalar(tree: ast.expr) -> bool:
    match tree:
        case ast.Constant(value=value):
            return isinstance(value, int | float | complex) and not abs(value) > _LARGEST_APPROXIMATE
        case ast.UnaryOp(operand=operand):
            return _is_scalar(operand)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
            return _is_scalar(left) and _is_scalar(right)
        case ast.Attribute(value=ast.Name(id="math")):
            return True
        case ast.Call():
            return last_name(tree) in ("float", "complex")
    return False


def _number(value: float) -> str:
    """A float as people write it: 1e-9 rather than 1e-09."""
    return repr(value).replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")
