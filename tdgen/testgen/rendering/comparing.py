"""How a rendered test compares, so that it says what the judge says: one Form for all the values of one table.

Python's `==` is kept wherever it is exact. It is too loose where True passes for 1 or 2.0 for an exact int, too strict
for floats and NaN. A Form adds what is missing, the simplest thing that is exact: `is`, an assertion on types,
`pytest.approx`, what numpy and pandas have for their values, and only for what is nested the helpers of `helpers`.
It is never stricter than the judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tdgen.testgen.rendering.arrays import Compared
from tdgen.testgen.rendering.families import Expected, Family
from tdgen.types import Tolerance
from tdgen.values.relation import Relation

_THEIRS = ("np.", "pd.")


class Form(NamedTuple):
    """How the values of one table are compared.

    `op` is `is`, `==`, a helper's name or an assertion of numpy or pandas; `also` are assertions on `result` beside it;
    `options` are those of pytest.approx where floats are compared (`in_cells`: in the table's cells, each by itself),
    or of that function.
    """

    op: str = "=="
    also: tuple[str, ...] = ()
    options: str | None = None
    in_cells: bool = False
    listed: bool = False
    ordered: bool = False

    @property
    def is_helped(self) -> bool:
        """Whether a helper of the file compares."""
        return self.op not in ("is", "==") and not self.op.startswith(_THEIRS)

    def asserts(self, call: str, expected: str) -> list[str]:
        """The statements that call and compare."""
        call = f"list({call})" if self.listed else call
        if not self.also:
            return [self._assert(call, expected)]
        if self.op.startswith(_THEIRS) and call.isidentifier():
            return [self._assert(call, expected), *(f"assert {test.replace('result', call)}" for test in self.also)]
        return [f"result = {call}", self._assert("result", expected), *(f"assert {test}" for test in self.also)]

    def _assert(self, result: str, expected: str) -> str:
        if self.ordered:
            return f"assert sorted({result}) == " + (f"sorted({expected})" if expected == "expected" else expected)
        if self.op.startswith(_THEIRS):
            return f"{self.op}({result}, {expected}{self.options or ''})"
        if self.is_helped:
            return f"assert {self.op}({result}, {expected}{self.options or ''})"
        is_approx = self.options is not None and not self.in_cells
        return f"assert {result} {self.op} " + (f"pytest.approx({expected}{self.options})" if is_approx else expected)

    def cell(self, value: Expected) -> str:
        """An expected value as it stands in the table."""
        if self.in_cells and value.leaves & {"float", "nan"}:
            return f"pytest.approx({value.text}{approx_options(value.tolerance, value.leaves)})"
        return value.text


def form_of(family: Family, values: Sequence[Expected], relation: Relation) -> Form:
    """The form in which the values, compared in that family, say what the judge says."""
    leaves = frozenset(leaf for value in values for leaf in value.leaves)
    if family.kind == "single":
        return Form("is")
    if family.theirs is not None:
        return _their_form(family.theirs, values[0].tolerance)
    if family.kind in ("same", "any order"):
        return _helper_form(family, values)
    if family.kind == "number":
        return _number_form(values, leaves, relation)
    if family.kind == "exact":
        also = ("isinstance(result, (set, frozenset))",) if family.container == "set" else ()
        return Form(also=also, listed=family.listed)
    return _flat_form(family, values, leaves, relation)


def _their_form(theirs: Compared, tolerance: Tolerance) -> Form:
    """An assertion that numpy or pandas have; all the values have one tolerance."""
    close = f", rtol={number(tolerance.rel)}, atol={number(tolerance.abs)}" if theirs.close else ""
    if theirs.kind == "array":
        op = "np.testing.assert_allclose" if theirs.close else "np.testing.assert_array_equal"
        return Form(op, ("isinstance(result, np.ndarray)",), f"{close}, strict=True")
    if theirs.kind == "index":
        close = close and f", check_exact=False{close}"
    elif theirs.dated:
        close += ", check_freq=False"
    return Form(f"pd.testing.assert_{theirs.kind}_equal", options=close)


def _helper_form(family: Family, values: Sequence[Expected]) -> Form:
    tolerances = {value.tolerance for value in values}
    options = _helper_options(tolerances.pop()) if len(tolerances) == 1 else ""
    return Form("same_value" if family.kind == "same" else "same_in_any_order", options=options, listed=family.listed)


def _number_form(values: Sequence[Expected], leaves: frozenset[str], relation: Relation) -> Form:
    is_int = relation.exact_int and "int" in leaves
    if is_int and leaves - {"int", "unit"}:
        return _helper_form(Family("same"), values)
    also = _also("result", is_int=is_int, not_bool="unit" in leaves)
    if not leaves & {"float", "nan"}:
        return Form(also=also)
    options = {approx_options(value.tolerance, leaves) for value in values}
    in_cells = len(options) > 1 or any(not value.leaves & {"float", "nan"} for value in values)
    return Form(also=also, options=min(options), in_cells=in_cells)


def _flat_form(family: Family, values: Sequence[Expected], leaves: frozenset[str], relation: Relation) -> Form:
    """A container of numbers side by side: equality, and what its items may be."""
    ordered = family.kind == "sorted"
    kinds = {"set": "(set, frozenset)"}.get(family.container, family.container)
    of_kind = (
        (f"isinstance(result, {kinds})",) if ordered or family.item == "float" or family.container == "set" else ()
    )
    also: tuple[str, ...] = () if family.listed or family.container == "dict" else of_kind
    if family.item == "bool":
        also += (f"all(isinstance(item, bool) for item in {_items(family)})",)
    elif each := _also("item", is_int=relation.exact_int and family.item == "int", not_bool="unit" in leaves):
        also += (f"all({each[0]} for item in {_items(family)})".replace("all(not ", "not any("),)
    if family.item != "float":
        return Form(also=also, listed=family.listed, ordered=ordered)
    options = {approx_options(value.tolerance, leaves) for value in values}
    return Form(also=also, options=min(options), in_cells=len(options) > 1, listed=family.listed)


def _items(family: Family) -> str:
    return "result.values()" if family.container == "dict" else "result"


def _also(name: str, *, is_int: bool, not_bool: bool) -> tuple[str, ...]:
    """What `==` lets through: whether it is really an int, and not a bool that passes for one."""
    tests = [f"isinstance({name}, int)"] * is_int + [f"not isinstance({name}, bool)"] * not_bool
    return (" and ".join(tests),) if tests else ()


def approx_options(tolerance: Tolerance, leaves: frozenset[str]) -> str:
    """The options of pytest.approx that say `tolerance`, as they follow the expected value."""
    rel = "" if tolerance.rel == 1e-6 else f", rel={number(tolerance.rel)}"
    also = "" if tolerance.abs == 1e-12 else f", abs={number(tolerance.abs)}"
    if not rel and also:
        rel = ", rel=1e-6"
    return rel + also + (", nan_ok=True" if "nan" in leaves else "")


def _helper_options(tolerance: Tolerance) -> str:
    rel = "" if tolerance.rel == 1e-9 else f", rel={number(tolerance.rel)}"
    return rel + ("" if tolerance.abs == 1e-12 else f", abs={number(tolerance.abs)}")


def number(value: float) -> str:
    """A float as people write it: 1e-9 rather than 1e-09."""
    return repr(value).replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")
