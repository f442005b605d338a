"""Suites as pytest files, and users' pytest files as cases: `SuiteFiles` of `tdgen.protocols`.

A function's suite becomes the file `test_<function>.py` that a careful colleague would write.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence

from tdgen.files.ruff import format_source
from tdgen.protocols import NONE_FAILING, ReadTests
from tdgen.pytest_files.comparing import Comparison, RenderedTest, Row, Table, columns, read_value
from tdgen.pytest_files.headers import Annotations, docstring, header, render_properties, slug, unique
from tdgen.pytest_files.helpers import helper_sources
from tdgen.pytest_files.scenes import Scene
from tdgen.pytest_files.sources import argument, expression, visible_texts
from tdgen.source.syntax import walk
from tdgen.source.trees import free_names
from tdgen.types import (
    Case,
    Check,
    Effects,
    ExpectedException,
    FunctionSpec,
    Plan,
    Suite,
    Value,
    World,
    file_of_tests,
    module_case,
)
from tdgen.values.equality import relation_of_case

__all__ = ["node_ids", "read_tests", "render_properties", "render_suite"]

_FIRST = ("instruction", "user")
_UNWRITABLE = (ValueError, SyntaxError, RecursionError, OverflowError)


def render_suite(
    suite: Suite, spec: FunctionSpec, plan: Plan, *, isolated: bool = False, failing: Mapping[str, str] = NONE_FAILING
) -> str:
    """The formatted source of a file that states the suite's cases and runs with pytest alone, the module beside it.

    Where `isolated`, and where a case has files, every test runs in a folder of its own. No implementation that the
    judge accepts fails the file; where Python's `==` is looser than the judge, so is the file. Cases that are `failing`
    stand alone as expected failures, with the reason that is given for each. ValueError, naming the case, where a
    source is no Python, can't stand in a test, or names what nobody knows.
    """
    tests = _SuiteFile(spec, plan, failing).tests(suite.cases)
    used = {helper for test in tests for helper in test.helpers} | ({"inside_tmp_path"} if isolated else set())
    texts = [test.text for test in tests]
    helpers = helper_sources(used, plan, "\n".join(texts))
    above = header([*texts, *helpers], plan, defined=frozenset(used))
    parts = [f"{docstring(f'Tests of {spec.name}.')}\n\n{above}", *texts, *helpers]
    return format_source(visible_texts("\n\n\n".join(parts)) + "\n")


def node_ids(
    suite: Suite, spec: FunctionSpec, plan: Plan, *, failing: Mapping[str, str] = NONE_FAILING
) -> dict[str, str]:
    """By each case's name the id that pytest gives to its test in the rendered file `test_<function>.py`."""
    tests = _SuiteFile(spec, plan, failing).tests(suite.cases)
    return {case: f"{file_of_tests(spec.name)}::{test.name}{end}" for test in tests for case, end in test.ids.items()}


def read_tests(
    source: str,
    functions: Collection[str] | None = None,
    packages: Collection[str] = (),
    *,
    name: str = "your test file",
) -> ReadTests:
    """What a user's test file says; see `tdgen.pytest_files.reading`."""
    from tdgen.pytest_files import reading

    return reading.read_tests(source, functions, packages, name=name)


class _SuiteFile:
    """One file's test functions as they are put together."""

    def __init__(self, spec: FunctionSpec, plan: Plan, failing: Mapping[str, str]) -> None:
        self.spec, self.plan, self.failing = spec, plan, failing
        self.types = {shared.name: shared for shared in plan.data_types if shared.name not in plan.compared_by_state}
        self.functions = {function.name for function in plan.functions}
        self.annotations = Annotations(plan)
        self.names: set[str] = set()
        self.first: tuple[str, ...] | None = None

    def tests(self, cases: Sequence[Case]) -> list[RenderedTest]:
        """The test functions in the file's order: what the user wrote first, else as the cases come."""
        groups: dict[object, list[Row]] = {}
        for case in sorted(cases, key=lambda case: _FIRST.index(case.provenance) if case.is_pinned else len(_FIRST)):
            try:
                row = Row(case, () if case.call else tuple(argument(source) for source in case.arguments))
                expression(f"_({', '.join(given.source for given in row.arguments)})")  # none by position after a name
                if isinstance(case.expectation, Value):
                    row = row._replace(
                        expected=read_value(case.expectation, relation_of_case(case, self.spec), self.types)
                    )
                groups.setdefault(self._alike(row) or case.name, []).append(row)
            except _UNWRITABLE as error:
                raise ValueError(f"case {case.name!r}: {error}") from None
        return [self._together(rows) for rows in groups.values()]

    def _alike(self, row: Row) -> object:
        """What cases of one table have in common; None for a case that stands alone."""
        case, expectation = row.case, row.case.expectation
        if case.name in self.failing:
            return None
        is_bare = not (case.setup.strip() or case.call) and case.effects == Effects(expectation=expectation)
        if not is_bare or isinstance(expectation, Check) or case.world != World():
            return None
        if not row.arguments or any(argument.unpacked for argument in row.arguments):
            return None
        trees = [expression(given.text) for given in row.arguments]
        if row.expected:
            trees.append(row.expected.tree)
        if any(isinstance(node, ast.NamedExpr) for tree in trees for node in walk(tree)):
            return None
        if any(free_names(tree) & self.functions for tree in trees):
            return None
        expected = row.expected
        alike = (expected.wrap, expected.any_order, expected.tolerance) if expected else ()
        return (expectation.form, row.shape, *alike)

    def _together(self, rows: list[Row]) -> RenderedTest:
        values = [row.expected for row in rows if row.expected]
        case = rows[0].case
        try:
            if len(rows) == 1:
                name = slug(case.name).removeprefix(slug(self.spec.name)).strip("_") or "case"
                scene = Scene(case, self.spec, self.types, self.annotations)
                return scene.rendered(self._name(name), failing=self.failing.get(case.name, ""))
            if isinstance(case.expectation, ExpectedException):
                return Table(self._name("raises"), rows, self.spec, self.annotations).errors()
            name = self._name(self._difference(rows[0]))
            return Table(name, rows, self.spec, self.annotations).values(Comparison(values))
        except _UNWRITABLE as error:
            names = ", ".join(row.case.name for row in rows)
            which = f"one of the cases {names}" if len(rows) > 1 else f"case {case.name!r}"
            raise ValueError(f"{which}: {error}") from None

    def _difference(self, row: Row) -> str:
        """What a table's columns have more or less than those of the file's first table."""
        names = columns(row, self.spec)
        if self.first is None:
            self.first = tuple(names)
        more, less = [n for n in names if n not in self.first], [n for n in self.first if n not in names]
        return "_".join(["with", *more] if more else ["without", *less] if less else [])

    def _name(self, aspect: str) -> str:
        return unique("_".join(filter(None, ["test", module_case(self.spec.name), aspect])), self.names)
