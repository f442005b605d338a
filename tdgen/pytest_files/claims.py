"""What a test says of a call: in an assert, in `pytest.raises`, in rows of `parametrize`, by numpy and pandas.

What numpy's and pandas' own assertions say stays what it is, as a check of the result. `pytest.approx` of an array
takes a list for one, and looks at no dtype: so the case looks at the result as a plain list. What is expected is floats
there, so that the tolerance holds; the result is not made any, or texts and complex numbers would pass for them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from tdgen.pytest_files.origins import Origins
from tdgen.source.syntax import expression, literal_or
from tdgen.source.trees import Unread, dotted, read_names, replaced
from tdgen.types import ExpectedException, Tolerance

_ASSERTION = re.compile(r"(np|numpy|pd|pandas)\.testing\.(assert_\w+)")


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


class Row(NamedTuple):
    """One run of a test: what it is called by, and its parameters' values."""

    label: str
    values: Mapping[str, ast.expr]


def read_rows(test: ast.FunctionDef, origins: Origins, fixtures: Mapping[str, ast.expr]) -> list[Row]:
    """A test's rows, a single empty one where it has no table; `fixtures` are those that are known.

    Unread where it takes what no single table of literals gives: other fixtures, marks, stacked tables, computed rows.
    """
    arguments = (*test.args.posonlyargs, *test.args.args, *test.args.kwonlyargs)
    takes = [argument.arg for argument in arguments if argument.arg not in fixtures]
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


_DTYPES = ("dtype", "dtypes")
_SINGLES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Said(NamedTuple):
    """What an assert says of `call`: the value that it gives, or else a check of it as an expression over `result`."""

    call: ast.expr
    check: ast.expr
    value: ast.expr | None = None
    tolerance: Tolerance = Tolerance()


def said(test: ast.expr, origins: Origins, call: ast.expr | None = None) -> Said:
    """What `test` says: of `call`, which it names `result`, or else of the call within it."""
    if call is None:
        part = _subject(test, origins)
        call, test = part, replaced(test, part, "result")
    if isinstance(test, ast.Call) and is_assertion(test):
        return Said(call, silent(test))
    claim = _value(test, call)
    if (
        claim
        and claim.value
        and any(dotted(node) == "pytest.approx" for node in ast.walk(claim.check))
        and _may_be_array(claim.value, origins)
    ):
        listed = expression(f"np.asarray({ast.unparse(call)}).tolist()")
        return claim._replace(call=listed, value=expression(f"np.asarray({ast.unparse(claim.value)}, float).tolist()"))
    return claim if claim and _is_plain(claim, origins) else Said(call, test)


def _may_be_array(value: ast.expr, origins: Origins) -> bool:
    """Whether it is an array, or a row that one may be taken for: of real numbers, as far as its words say."""
    is_array = isinstance(value, ast.Call) and not origins.packages.isdisjoint(read_names(value))
    is_row = isinstance(value, ast.List | ast.Tuple) and bool(origins.packages)
    constants = (node.value for node in ast.walk(value) if isinstance(node, ast.Constant))
    return (is_array or is_row) and all(type(constant) in (int, float) for constant in constants)


def _is_plain(claim: Said, origins: Origins) -> bool:
    """Whether the judge takes what the user's `==` takes: it looks at an array's dtype, and numpy's True is no True."""
    if not origins.packages or claim.value is None:
        return True
    is_bool = isinstance(claim.value, ast.Constant) and isinstance(claim.value.value, bool)
    return not is_bool and not read_names(claim.value) & origins.packages


def _subject(test: ast.expr, origins: Origins) -> ast.expr:
    """The part of `test` that is the case's call: a side of a comparison, an argument of isclose, or the only call."""
    compared: list[ast.expr] = []
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        compared = [test.left, test.comparators[0]]
    elif isinstance(test, ast.Call) and dotted(test.func) in ("math.isclose", "isclose"):
        compared = test.args[:2]
    elif isinstance(test, ast.Call) and is_assertion(test):
        compared = sides(test)
    if any(isinstance(side, ast.Attribute) and side.attr in _DTYPES for side in compared):
        compared = []
    about = [side for side in compared if origins.calls(side)]
    if len(about) == 1 and all(origins.is_free(side) for side in compared if side is not about[0]):
        return about[0]
    if compared or len(origins.calls(test)) != 1:
        raise Unread("it compares what functions under test give")
    call = origins.calls(test)[0]
    if any(isinstance(node, _SINGLES) and call in ast.walk(node) for node in ast.walk(test)):
        raise Unread("it calls a function under test again and again")
    return call


def _value(test: ast.expr, call: ast.expr) -> Said | None:
    if isinstance(test, ast.Call) and dotted(test.func) in ("math.isclose", "isclose") and len(test.args) == 2:
        options = _options(test, "rel_tol", "abs_tol")
        other = _other(*test.args)
        tolerance = Tolerance(rel=options.get("rel_tol", 1e-9), abs=options.get("abs_tol", 0.0))
        return Said(call, test, ast.fix_missing_locations(_Floats().visit(other)), tolerance) if other else None
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    other = _other(test.left, test.comparators[0])
    if other is None:
        return None
    if isinstance(test.ops[0], ast.Is):
        # None, True and False, of each of which there is one
        is_single = isinstance(other, ast.Constant) and (other.value is None or isinstance(other.value, bool))
        return Said(call, test, other) if is_single else None
    if not isinstance(test.ops[0], ast.Eq):
        return None
    if isinstance(other, ast.Call) and dotted(other.func) == "pytest.approx":
        return _approx(other, call, test)
    return Said(call, test, other)


def _other(left: ast.expr, right: ast.expr) -> ast.expr | None:
    """The side that is not `result`, where exactly the other one is."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, ast.Name) and one.id == "result" and "result" not in read_names(other):
            return other
    return None


def _approx(approx: ast.Call, call: ast.expr, test: ast.expr) -> Said:
    """`pytest.approx` with its defaults: 1e-6 and 1e-12, and no relative tolerance where only an absolute is given."""
    options = _options(approx, "rel", "abs", "nan_ok", positional=1)
    rel = options.get("rel", 0.0 if "abs" in options else 1e-6)
    value = ast.fix_missing_locations(_Floats().visit(approx.args[0]))
    return Said(call, test, value, Tolerance(rel=rel, abs=options.get("abs", 1e-12)))


def _options(call: ast.Call, *names: str, positional: int = 2) -> dict[str, float]:
    """The call's options, given by name as plain numbers."""
    options: dict[str, float] = {}
    for keyword in call.keywords:
        number = literal_or(keyword.value)
        if keyword.arg not in names or not isinstance(number, int | float):
            if isinstance(keyword.value, ast.Constant) and keyword.value.value is None:
                continue
            raise Unread("a tolerance is computed")
        options[keyword.arg] = float(number)
    if len(call.args) != positional:
        raise Unread("a tolerance is given by position")
    return options


class _Floats(ast.NodeTransformer):
    """Integers become floats, so that the tolerance holds for them; what is not a value of the result stays."""

    def visit(self, node: ast.AST) -> Any:
        """The node as it is to stand there."""
        if isinstance(node, ast.Call | ast.Subscript | ast.BinOp):
            return node
        if isinstance(node, ast.Dict):
            return ast.Dict(node.keys, [self.visit(value) for value in node.values])
        if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 2**53:
            return ast.Constant(float(node.value))
        return self.generic_visit(node)


def expected_exception(statement: ast.With, origins: Origins) -> tuple[ExpectedException, ast.expr]:
    """What a `with pytest.raises(...)` around a single call says, and the call."""
    context = statement.items[0].context_expr
    if len(statement.items) != 1 or not isinstance(context, ast.Call) or dotted(context.func) != "pytest.raises":
        raise Unread("it has a with statement that is not pytest.raises")
    if len(context.args) != 1 or not (kind := dotted(context.args[0])) or not origins.knows(kind.partition(".")[0]):
        raise Unread("it expects one of several exceptions")
    if len(statement.body) != 1 or not isinstance(statement.body[0], ast.Expr | ast.Assign):
        raise Unread("more than one statement may raise")
    call = statement.body[0].value
    if not origins.calls(call):
        raise Unread("what may raise is not a function under test")
    return ExpectedException(type=kind, match=_match(context)), call


def _match(raises: ast.Call) -> str:
    if not raises.keywords:
        return ""
    if len(raises.keywords) != 1 or raises.keywords[0].arg != "match":
        raise Unread("pytest.raises has options other than match")
    pattern = raises.keywords[0].value
    is_escaped = isinstance(pattern, ast.Call) and dotted(pattern.func) == "re.escape" and len(pattern.args) == 1
    constant = pattern.args[0] if is_escaped and isinstance(pattern, ast.Call) else pattern
    if isinstance(constant, ast.Constant) and constant.value is None:
        return ""
    if not isinstance(constant, ast.Constant) or not isinstance(constant.value, str):
        raise Unread("the pattern is computed")
    return re.escape(constant.value) if is_escaped else constant.value
