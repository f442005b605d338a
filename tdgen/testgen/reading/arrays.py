"""What numpy's and pandas' own assertions say: `np.testing.assert_allclose` and its like.

They look at what an array holds and not at its dtype, and take a list for an array. So where the expected array is
written out, the case looks at the result as a plain list: `np.asarray(f(x)).tolist()` is `[1.0, 2.0]`, within the
tolerance. All others stay what they are, as a check of the result.
"""

from __future__ import annotations

import ast
import math
import re
from typing import NamedTuple

from tdgen.source.syntax import expression, literal
from tdgen.source.trees import Unread, dotted
from tdgen.types import Tolerance

_ASSERTION = re.compile(r"(np|numpy|pd|pandas)\.testing\.(assert_\w+)")
_MADE_OF = re.compile(r"(np|numpy)\.(array|asarray)")
_NUMBERS = re.compile(r"(np|numpy|math)\.(nan|inf|pi|e)")
_SILENT = ("err_msg", "verbose", "equal_nan")


class Listed(NamedTuple):
    """A call whose result is an array, told as a plain list, and the list that it is."""

    call: ast.expr
    value: ast.expr
    tolerance: Tolerance


def is_assertion(tree: ast.AST) -> bool:
    """Whether it calls one of numpy's or pandas' assertions."""
    return isinstance(tree, ast.Call) and bool(_ASSERTION.fullmatch(dotted(tree.func)))


def sides(assertion: ast.Call) -> list[ast.expr]:
    """The two values that it compares; Unread where they are not given by position."""
    if len(assertion.args) < 2:
        raise Unread("what it compares is not given by position")
    return assertion.args[:2]


def silent(assertion: ast.Call) -> ast.expr:
    """The assertion as an expression that is true where it raises nothing."""
    return ast.Compare(assertion, [ast.Is()], [ast.Constant(None)])


def listed_assertion(assertion: ast.Call, call: ast.expr, expected: ast.expr) -> Listed | None:
    """`assert_allclose` and `assert_array_equal` on an array that is written out, else None."""
    name = dotted(assertion.func).rpartition(".")[2]
    tolerance = _tolerance(assertion) if name == "assert_allclose" else Tolerance(rel=0.0, abs=0.0)
    plain = {keyword.arg for keyword in assertion.keywords} <= {*_SILENT, *_options(name)}
    if name not in ("assert_allclose", "assert_array_equal") or not plain or len(assertion.args) > 2:
        return None
    return listed(call, expected, tolerance) if tolerance else None


def listed(call: ast.expr, expected: ast.expr, tolerance: Tolerance) -> Listed | None:
    """`call` as a plain list beside the list that `expected` is; None where that is no array written out in literals.

    Numbers become floats where there is a tolerance, so that it holds for them.
    """
    made = isinstance(expected, ast.Call) and _MADE_OF.fullmatch(dotted(expected.func))
    if isinstance(expected, ast.Call):
        expected = expected.args[0] if made and len(expected.args) == 1 and not expected.keywords else expected
    kinds: set[type] = set()
    is_exact = not (tolerance.rel or tolerance.abs)
    value = _literal(expected, kinds, is_exact=is_exact) if isinstance(expected, ast.List | ast.Tuple) else None
    if value is None or not (kinds <= {int, float} or (is_exact and len(kinds) == 1)):
        return None
    array = ast.Call(expression("np.asarray"), [call], [])
    return Listed(ast.Call(ast.Attribute(array, "tolist", ast.Load()), [], []), value, tolerance)


def _literal(tree: ast.expr, kinds: set[type], *, is_exact: bool) -> ast.expr | None:
    """A list of literals as it comes out of an array; None where it holds anything else. `kinds` gets the items'."""
    if isinstance(tree, ast.List | ast.Tuple):
        items = [_literal(item, kinds, is_exact=is_exact) for item in tree.elts]
        whole = [item for item in items if item is not None]
        return ast.List(whole, ast.Load()) if len(whole) == len(items) else None
    if _NUMBERS.fullmatch(dotted(tree)):
        kinds.add(float)
        return tree
    try:
        value = literal(tree)
    except ValueError:
        return None
    if type(value) not in (int, float, bool, str):
        return None
    kinds.add(type(value))
    return tree if is_exact or type(value) is not int or abs(value) >= 2**53 else _number(float(value))


def _number(value: float) -> ast.expr:
    """A float as it is written."""
    sign = math.copysign(1.0, value)
    constant = ast.Constant(abs(value))
    return constant if sign > 0 else ast.UnaryOp(ast.USub(), constant)


def _tolerance(assertion: ast.Call) -> Tolerance | None:
    """The tolerance of `assert_allclose`; None where it is computed, or adds a relative and an absolute one."""
    given = {"rtol": 1e-7, "atol": 0.0}
    for keyword in assertion.keywords:
        if keyword.arg in given:
            try:
                number = literal(keyword.value)
            except ValueError:
                return None
            if not isinstance(number, int | float):
                return None
            given[keyword.arg] = float(number)
        elif keyword.arg == "equal_nan" and not (isinstance(keyword.value, ast.Constant) and keyword.value.value):
            return None
    return None if given["rtol"] and given["atol"] else Tolerance(rel=given["rtol"], abs=given["atol"])


def _options(name: str) -> tuple[str, ...]:
    return ("rtol", "atol") if name == "assert_allclose" else ()
