"""How a rendered test compares: `==`, and something else only where `==` would refuse what the judge accepts.

That is so for floats, which may be off a little, for NaN, for iterators, exceptions and arrays as values, and where the
order of the items is free. It is never stricter than the judge; it is looser where `==` is (True is 1, 1.0 is 1).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from tdgen.syntax import literal
from tdgen.testgen.rendering.needs import (
    ENDLESS,
    FLOAT,
    ITERATORS,
    NOTHING,
    ODD,
    UNKNOWN,
    Needs,
    Reader,
    is_flat,
    is_sortable,
)
from tdgen.testgen.rendering.sources import dotted, expression, expression_text, last_name
from tdgen.types import Case, FunctionSpec, SharedType, Tolerance, Value
from tdgen.values.relation import Relation, relation_of_case

_KINDS = ("is", "==", "approx", "approximately", "comparable")
_ORDERS = ("", "sorted", "any")
_FINITE = (ITERATORS - ENDLESS) | {"list", "tuple", "sorted", "range"}
_UNLISTED = (ast.Constant, ast.JoinedStr, ast.Set, ast.Dict, ast.SetComp, ast.DictComp)
_MAKERS = {"np.array": "array", "pd.DataFrame": "frame", "pd.Series": "series"}


class Expected(NamedTuple):
    """An expected value and what reading tells of it.

    `listed` where the result is an iterator to be listed before it is compared, `order` how a free order of items is
    dealt with. `maker` is `array`, `frame` or `series` where numpy or pandas have an assertion for it.
    """

    text: str
    tree: ast.expr
    tolerance: Tolerance
    needs: Needs = NOTHING
    listed: bool = False
    order: Literal["", "sorted", "any"] = ""
    maker: str = ""

    @property
    def kind(self) -> str:
        """The plainest way to compare it by itself."""
        if isinstance(self.tree, ast.Constant) and (self.tree.value is None or isinstance(self.tree.value, bool)):
            return "is"
        if "odd" in self.needs:
            return "comparable"
        return "==" if not self.needs else "approx" if is_flat(self.tree) else "approximately"


def read_expected(value: Value, case: Case, spec: FunctionSpec, types: Mapping[str, SharedType]) -> Expected:
    """What is known of a value that `case` expects its call to give."""
    return read_value(value, relation_of_case(case, spec), types, "" if case.call else spec.returns.type)


def read_value(value: Value, relation: Relation, types: Mapping[str, SharedType], annotation: str = "") -> Expected:
    """What is known of an expected value, of a type that `annotation` tells where it is not empty."""
    text, tree = expression_text(value.source), expression(value.source)
    reader = Reader(types)
    found = Expected(text, tree, value.tolerance, reader.needs(tree), maker=_maker(tree, reader))
    if found.maker:
        return found._replace(needs=FLOAT if _may_hold_floats(tree, reader) else NOTHING)
    if "unknown" in found.needs:
        found = found._replace(needs=found.needs - UNKNOWN | reader.annotated(annotation))
    name = last_name(tree) if isinstance(tree, ast.Call) else ""
    if isinstance(tree, _UNLISTED) or name in ("set", "frozenset", "dict"):
        return found
    if relation.iterated or isinstance(tree, ast.GeneratorExp) or name in ITERATORS:
        found = _listed(found)
    if not relation.unordered:
        return found
    is_written_out = isinstance(found.tree, ast.List | ast.Tuple) and is_sortable(found.tree.elts)
    is_sorted = is_written_out and "nan" not in text and found.kind in ("==", "approx")
    return found._replace(order="sorted" if is_sorted else "any")


class Comparison:
    """How all of `values` are compared, which are one case's or those of a table."""

    def __init__(self, values: Sequence[Expected]) -> None:
        self._values = values
        self._maker, self._listed = values[0].maker, values[0].listed
        self.kind = max((value.kind for value in values), key=_KINDS.index)
        self._order = max((value.order for value in values), key=_ORDERS.index)
        self._is_float = any("float" in value.needs for value in values)
        self._tolerances = {value.tolerance for value in values if "float" in value.needs}
        is_one_approx = len(self._tolerances) == 1 and all(is_flat(value.tree) for value in values)
        self._in_cells = self.kind == "approx" and not is_one_approx
        if self._order and (self._in_cells or self.kind in ("approximately", "comparable")):
            self.kind, self._order, self._in_cells = max(self.kind, "approximately", key=_KINDS.index), "any", False

    @property
    def helpers(self) -> frozenset[str]:
        """The helpers of the file that it calls."""
        if self._maker:
            return frozenset()
        is_nested = self._is_float and (self.kind != "approx" or self._order == "any")
        named = {
            "comparable": self.kind == "comparable",
            "approximately": is_nested,
            "same_items": self._order == "any",
        }
        return frozenset(name for name, is_called in named.items() if is_called)

    @property
    def needs_one_tolerance(self) -> bool:
        """Whether its values must not differ in their tolerance."""
        return len(self._tolerances) > 1 and bool(self._maker or "approximately" in self.helpers)

    def cell(self, value: Expected) -> str:
        """An expected value as it stands in a table or an assertion."""
        is_in_cell = self._in_cells and "float" in value.needs
        return f"pytest.approx({value.text}{_approx_options(value)})" if is_in_cell else value.text

    def lines(self, call: str, expected: str) -> list[str]:
        """The statements that call and compare."""
        if self._maker:
            return [self._assertion_of_theirs(call, expected)]
        call = f"list({call})" if self._listed else call
        if self.kind == "comparable":
            call, expected = f"comparable({call})", f"comparable({expected})"
        if "approximately" in self.helpers:
            expected = f"approximately({expected}{self._helper_options()})"
        if self._order == "any":
            return [f"assert same_items({call}, {expected})"]
        if self._order == "sorted":
            call, expected = f"sorted({call})", _sorted(expected)
        if self.kind == "approx" and not self._in_cells:
            expected = f"pytest.approx({expected}{max(map(_approx_options, self._values), key=len)})"
        return [f"assert {call} {'is' if self.kind == 'is' else '=='} {expected}"]

    def _helper_options(self) -> str:
        (tolerance,) = self._tolerances
        return "" if tolerance == Tolerance() else f", rel={_number(tolerance.rel)}, abs={_number(tolerance.abs)}"

    def _assertion_of_theirs(self, call: str, expected: str) -> str:
        tolerance = self._values[0].tolerance
        close = f", rtol={_number(tolerance.rel)}, atol={_number(tolerance.abs)}" if self._is_float else ""
        if self._maker == "array":
            return f"np.testing.assert_{'allclose' if close else 'array_equal'}({call}, {expected}{close}, strict=True)"
        dated = ", check_freq=False" * any(_may_be_dated(value.tree) for value in self._values)
        return f"pd.testing.assert_{self._maker}_equal({call}, {expected}{close}{dated})"


def _listed(found: Expected) -> Expected:
    """An iterator's items as a list, taken from both sides; what may be endless, or no iterator, by a helper."""
    tree = found.tree
    if isinstance(tree, ast.List | ast.Tuple):
        as_list = ast.List(tree.elts, ast.Load())
        text = found.text if isinstance(tree, ast.List) else ast.unparse(as_list)
        return found._replace(text=text, tree=as_list, listed=True)
    names = {last_name(node) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    is_made_so = isinstance(tree, ast.ListComp | ast.GeneratorExp) or last_name(tree) in _FINITE
    if is_made_so and not names & ENDLESS:
        text = f"list({found.text})"
        return found._replace(text=text, tree=expression(text), listed=True, needs=found.needs - ODD)
    return found._replace(needs=found.needs | ODD)


def _maker(tree: ast.expr, reader: Reader) -> str:
    """Which assertion of numpy's or pandas' there is for it: a table, or an array of nothing but numbers or bools."""
    if not isinstance(tree, ast.Call) or not tree.args:
        return ""
    maker = _MAKERS.get(dotted(tree.func), "")
    kinds = {type(node.value) for node in ast.walk(tree.args[0]) if isinstance(node, ast.Constant)}
    is_of_numbers = not tree.keywords and reader.needs(tree.args[0]) <= FLOAT and kinds <= {int, float, complex, bool}
    return "" if maker == "array" and not is_of_numbers else maker


def _may_hold_floats(tree: ast.expr, reader: Reader) -> bool:
    """Whether an array or a table is compared within a tolerance; an empty one, and gaps among ints, make floats."""
    assert isinstance(tree, ast.Call)
    constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return bool(reader.all([*tree.args, *(k.value for k in tree.keywords)])) or not constants or None in constants


def _may_be_dated(tree: ast.expr) -> bool:
    """Whether dates may be in an index: with them comes a frequency, which is no part of the value."""
    made = {last_name(node) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return not (made <= {"DataFrame", "Series", "array", "float"} and names <= {"np", "pd", "float"})


def _sorted(text: str) -> str:
    """A list or tuple as a sorted list, written out where that can be."""
    try:
        return repr(sorted(literal(text)))
    except (ValueError, TypeError):
        return f"sorted({text})"


def _approx_options(value: Expected) -> str:
    """The options of pytest.approx, as they follow the expected value."""
    rel, abs_ = value.tolerance.rel, value.tolerance.abs
    text = "" if (rel, abs_) == (1e-6, 1e-12) else f", rel={_number(rel)}"
    text += "" if abs_ == 1e-12 else f", abs={_number(abs_)}"
    return text + (", nan_ok=True" if "nan" in value.text else "")


def _number(value: float) -> str:
    """A float as people write it: 1e-9 rather than 1e-09."""
    return repr(value).replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")
