"""Which cases share a table, which stand alone, and what the test functions are called."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from tdgen.testgen.rendering.blocks import Block
from tdgen.testgen.rendering.checks import check_lines, is_constant, is_display, read_by
from tdgen.testgen.rendering.comparing import form_of
from tdgen.testgen.rendering.families import Expected, Family, joined, promises_text, read_expected
from tdgen.testgen.rendering.meanings import unambiguous
from tdgen.testgen.rendering.scenes import Scene
from tdgen.testgen.rendering.sources import argument, expression
from tdgen.testgen.rendering.tables import Row, check_table, columns, error_table, value_table
from tdgen.testgen.rendering.words import slug, unique
from tdgen.types import Case, Check, ExpectedException, FunctionSpec, Plan, Suite, Tolerance, Value, World
from tdgen.values.imports import free_names
from tdgen.values.relation import relation_for

_FIRST = ("instruction", "user")
_UNWRITABLE = (ValueError, SyntaxError, RecursionError, OverflowError)


def blocks_of(suite: Suite, spec: FunctionSpec, plan: Plan, notes: Mapping[str, str]) -> list[Block]:
    """The suite's test functions in the file's order: what the user wrote first, else as the cases come.

    ValueError, naming the case, where one of its sources can't stand in a test.
    """
    return _Grouping(spec, plan, notes).blocks(sorted(suite.cases, key=_rank))


def _rank(case: Case) -> int:
    return _FIRST.index(case.provenance) if case.is_law else len(_FIRST)


class _Grouping:
    """One file's test functions, as they are put together."""

    def __init__(self, spec: FunctionSpec, plan: Plan, notes: Mapping[str, str]) -> None:
        self.spec = spec
        self.notes = notes
        self.types = {shared.name: shared for shared in plan.types}
        self.functions = {function.name for function in plan.functions}
        self.is_text = promises_text(spec.returns.type)
        self.parameters = _positional(spec)
        self.names: set[str] = set()
        self.first: tuple[str, ...] | None = None

    def blocks(self, cases: Sequence[Case]) -> list[Block]:
        groups: dict[object, list[Row]] = {}
        for case in cases:
            try:
                row = self._row(unambiguous(case))
                groups.setdefault(self._alike(row) or case.name, []).append(row)
            except _UNWRITABLE as error:
                raise ValueError(f"case {case.name!r}: {error}") from None
        return [block for rows in groups.values() for block in self._together(rows)]

    def _row(self, case: Case) -> Row:
        arguments = () if case.call else tuple(argument(source) for source in case.arguments)
        expression(f"_({', '.join(given.source for given in arguments)})")  # a positional one after one by name is none
        return Row(case, arguments)

    def _alike(self, row: Row) -> object:
        """What cases of one table have in common; None for a case that stands alone."""
        case, expectation = row.case, row.case.expectation
        is_bare = not (case.setup.strip() or case.call or case.files or case.after) and case.stdout is None
        if not is_bare or case.world != World() or not row.arguments or any(a.unpacked for a in row.arguments):
            return None
        trees = [expression(given.text) for given in row.arguments]
        if isinstance(expectation, Value):
            trees.append(expression(expectation.source))
        if any(isinstance(node, ast.NamedExpr) for tree in trees for node in ast.walk(tree)):
            return None
        if any(free_names(tree) & self.functions for tree in trees):
            return None
        if isinstance(expectation, Check):
            return ("check", row.shape, expectation.source) if self._is_tabular(row, expectation) else None
        return expectation.form, row.shape

    def _is_tabular(self, row: Row, check: Check) -> bool:
        """Whether the check looks at nothing but the result and arguments that can be copied."""
        columns_read = dict(zip(columns(row, self.parameters).names, row.arguments, strict=True))
        read = read_by(check)
        if read & {parameter.name for parameter in self.spec.parameters} - columns_read.keys():
            return False
        trees = [expression(given.text) for name, given in columns_read.items() if name in read]
        return all(is_constant(tree) or is_display(tree) for tree in trees)

    def _together(self, rows: list[Row]) -> list[Block]:
        if len(rows) == 1:
            return [self._scene(rows[0].case)]
        expectation = rows[0].case.expectation
        table = columns(rows[0], self.parameters)
        try:
            if isinstance(expectation, ExpectedException):
                return [error_table(self._name("raises"), rows, table, self.notes)]
            if isinstance(expectation, Check):
                return [self._checks(rows, expectation)]
            return self._values(rows)
        except _UNWRITABLE as error:
            names = ", ".join(row.case.name for row in rows)
            raise ValueError(f"one of the cases {names}: {error}") from None

    def _values(self, rows: list[Row]) -> list[Block]:
        """Tables of values, one for each family that is compared in its own way."""
        relation = relation_for(self.spec)
        known = [row._replace(expected=self._expected(row.case)) for row in rows]
        values = [row.expected for row in known if row.expected]
        families: dict[tuple[Family, Tolerance | None], list[Row]] = {}
        for row, value, family in zip(known, values, joined(values), strict=True):
            by_helper = value.tolerance if family.kind in ("tested", "same", "any order") else None
            families.setdefault((family, by_helper), []).append(row)
        found: list[Block] = []
        for (family, _), together in families.items():
            if len(together) == 1:
                found.append(self._scene(together[0].case))
                continue
            form = form_of(family, [row.expected for row in together if row.expected], relation)
            table = columns(together[0], self.parameters)
            name = self._name("none" if family.kind == "single" and found else self._difference(table.names))
            found.append(value_table(name, together, form, table, self.notes))
        return found

    def _expected(self, case: Case) -> Expected:
        assert isinstance(case.expectation, Value)
        return read_expected(case.expectation, relation_for(self.spec), self.types, is_text=self.is_text)

    def _checks(self, rows: list[Row], check: Check) -> Block:
        """A table of arguments for which one check holds; those it looks at again are copied for the call."""
        table = columns(rows[0], self.parameters)
        changeable = {
            name
            for row in rows
            for name, given in zip(table.names, row.arguments, strict=True)
            if name in read_by(check) and not is_constant(expression(given.text))
        }
        passed = [
            f"{key}={copied}" if key else copied
            for key, name in zip(rows[0].shape, table.names, strict=True)
            for copied in [f"deepcopy({name})" if name in changeable else name]
        ]
        call = f"{self.spec.name}({', '.join(passed)})"
        return check_table(self._name("holds"), rows, check_lines(check), table._replace(call=call), self.notes)

    def _scene(self, case: Case) -> Block:
        name = slug(case.name).removeprefix(slug(self.spec.name)).strip("_") or "case"
        try:
            return Scene(case, self.spec, self.types).block(self._name(name), self.notes, is_text=self.is_text)
        except _UNWRITABLE as error:
            raise ValueError(f"case {case.name!r}: {error}") from None

    def _difference(self, names: Sequence[str]) -> str:
        """What a table's columns have more or less than those of the file's first table."""
        if self.first is None:
            self.first = tuple(names)
        more, less = [n for n in names if n not in self.first], [n for n in self.first if n not in names]
        return "_".join(["with", *more] if more else ["without", *less] if less else [])

    def _name(self, aspect: str) -> str:
        return unique("_".join(filter(None, ["test", self.spec.name, aspect])), self.names)


def _positional(spec: FunctionSpec) -> tuple[str, ...]:
    """The names of the parameters that arguments are passed to by position, up to one that takes any number."""
    names = [parameter.name for parameter in spec.parameters]
    starred = next((place for place, name in enumerate(names) if name.startswith("*")), len(names))
    return tuple(names[:starred])
