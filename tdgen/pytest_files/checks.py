"""What stands around a rendered call: its setup, and a check written out as asserts.

The setup has annotations where a type checker needs them. A check becomes asserts over `result` and over the arguments
as they were before the call: the judge evaluates it on arguments made afresh, whatever the function did to those that
it got. So an argument that could be changed in place is copied where the check looks at it again.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from typing import NamedTuple

from tdgen.pytest_files.headers import Annotations
from tdgen.pytest_files.sources import (
    ALIASES,
    Argument,
    expression,
    expression_text,
    last_name,
    own_nodes,
    statements,
    unparse,
)
from tdgen.source.names import KNOWN_NAMES, PACKAGES, STDLIB
from tdgen.source.trees import free_names, stored_names
from tdgen.types import Case, Check, FunctionSpec

_ANY = ast.Name("Any", ast.Load())
_EMPTY = {
    "[]": "list[Any]",
    "list()": "list[Any]",
    "{}": "dict[Any, Any]",
    "dict()": "dict[Any, Any]",
    "set()": "set[Any]",
}


def typed_setup(
    setup: Sequence[ast.stmt], call: ast.expr, spec: FunctionSpec, annotations: Annotations
) -> list[ast.stmt]:
    """The setup's statements without the imports that the file's head has.

    What `call` or the setup passes to the function is annotated as its parameter is, where that says more.
    """
    passed: dict[str, str] = {}
    parameters = [parameter.name for parameter in spec.parameters]
    for node in (node for tree in [*setup, call] for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and last_name(node) == spec.name:
            given = [*zip(node.args, parameters, strict=False), *((k.value, k.arg or "") for k in node.keywords)]
            passed |= {value.id: name for value, name in given if isinstance(value, ast.Name)}
    kept = [one for one in setup if not (_is_in_head(one) or isinstance(one, ast.Pass))]
    for statement in kept:
        annotate_functions(statement)
    return [_typed(statement, passed, spec, annotations) for statement in kept]


def annotate_functions(tree: ast.AST) -> None:
    """Give the functions in `tree` annotations where they have none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = node.returns or _ANY
            given = node.args
            for one in [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]:
                if one is not None and one.arg not in ("self", "cls"):
                    one.annotation = one.annotation or _ANY


def _is_in_head(statement: ast.stmt) -> bool:
    """Whether it is an import of nothing but well-known names, which the file's head imports where a test uses them."""
    if not isinstance(statement, ast.Import | ast.ImportFrom):
        return False
    module = statement.module if isinstance(statement, ast.ImportFrom) else None
    for alias in statement.names:
        name = (alias.asname or alias.name).partition(".")[0]
        if alias.asname is not None and (alias.name, alias.asname) != (PACKAGES.get(name), name):
            return False
        known = KNOWN_NAMES.get(name) if module else name if name in STDLIB else PACKAGES.get(name)
        if known != (module or alias.name) or (module is None and name in ALIASES):
            return False
    return True


def _typed(statement: ast.stmt, passed: dict[str, str], spec: FunctionSpec, annotations: Annotations) -> ast.stmt:
    """An assignment with an annotation where a type checker asks for one, or would infer another than is passed on."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return statement
    target, value = statement.targets[0], statement.value
    if not isinstance(target, ast.Name):
        return statement
    text = ast.unparse(value)
    annotation = _EMPTY.get(text, "")
    is_display = isinstance(value, ast.List | ast.Dict | ast.Set | ast.Tuple | ast.Constant | ast.UnaryOp)
    if target.id in passed and is_display:
        annotation = annotations.of_parameter(passed[target.id], spec, [text])
    items = value.elts if isinstance(value, ast.List | ast.Set) else []
    kinds = {type(item.value).__name__ if isinstance(item, ast.Constant) else "" for item in items}
    inferred = {f"{type(value).__name__.lower()}[{kind}]" for kind in kinds}
    is_scalar = isinstance(value, ast.Constant | ast.UnaryOp)
    if not annotation or {annotation} == inferred or (is_scalar and annotation != "Any"):
        return statement
    return ast.AnnAssign(target=target, annotation=expression(annotation), value=value, simple=1)


_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


class Checked(NamedTuple):
    """A checked call: what is arranged before it, the call, and the asserts after it."""

    before: list[str]
    call: str
    asserts: list[str]


def checked(case: Case, check: Check, spec: FunctionSpec, arguments: Sequence[Argument], call: str) -> Checked:
    """The check of a case by itself; `call` is the case's own, empty for the plain one on `arguments`."""
    setup = statements(case.setup)
    read = free_names(ast.Module(statements(check.source, in_function=True), []))
    displayed: list[str] = []
    for statement in setup:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, _DISPLAYS):
            displayed += [target.id for target in statement.targets if isinstance(target, ast.Name)]
    kept = [name for name in dict.fromkeys(displayed) if name in read]
    before = [f"{name}_before = deepcopy({name})" for name in kept]
    names = {parameter.name: parameter.default for parameter in spec.parameters}
    wanted = {name for name in names if name in read} - set[str]().union(*map(stored_names, setup)) - {"result"}
    bound, passed = _passed(arguments, list(names), wanted) if not call else ([], [])
    given = {line.partition(" = ")[0].partition(":")[0] for line in bound}
    defaults = [f"{n} = {expression_text(names[n] or '')}" for n in sorted(wanted - given) if names[n] is not None]
    asserts = check_lines(check, {name: f"{name}_before" for name in kept})
    return Checked([*bound, *defaults, *before], call or f"{case.function}({', '.join(passed)})", asserts)


def _passed(
    arguments: Sequence[Argument], names: Sequence[str], wanted: Collection[str]
) -> tuple[list[str], list[str]]:
    """Assignments for the arguments that are looked at again, and all arguments as they are passed."""
    bound: list[str] = []
    passed: list[str] = []
    for place, given in enumerate(arguments):
        name = given.name or (names[place] if place < len(names) and not given.unpacked else "")
        if not name or name not in wanted:
            passed.append(given.source)
            continue
        tree = expression(given.text)
        target = f"{name}: {_EMPTY[given.text]}" if given.text in _EMPTY else name
        bound.append(f"{target} = " + (f"deepcopy({given.text})" if isinstance(tree, ast.Name) else given.text))
        again = name if is_constant(tree) else f"deepcopy({name})" if is_display(tree) else given.text
        passed.append(given._replace(text=again).source)
    return bound, passed


def check_lines(check: Check, renamed: dict[str, str] | None = None) -> list[str]:
    """The asserts of a check, some of the names in it replaced."""
    body = statements(check.source, in_function=True)
    for node in (node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name)):
        node.id = (renamed or {}).get(node.id, node.id)
    for statement in body:
        annotate_functions(statement)
    if any(isinstance(node, ast.Return) for statement in body for node in own_nodes(statement)):
        inner = [f"    {line}" for statement in body for line in unparse(statement).split("\n")]
        return ["def holds(result: Any) -> Any:", *inner, "    return True", "assert holds(result)"]
    lines: list[str] = []
    for number, statement in enumerate(body, start=1):
        if isinstance(statement, ast.Expr) and number == len(body):
            text = respelled(check.source, renamed or {}) if len(body) == 1 else unparse(statement.value)
            lines.append(f"assert bool({text})" if isinstance(statement.value, ast.Tuple) else f"assert {text}")
        else:
            lines += unparse(statement).split("\n")
    return lines


def respelled(source: str, names: dict[str, str]) -> str:
    """An expression with names replaced where they stand, all else kept word for word if that can be."""
    text = expression_text(source)
    places = [node for node in ast.walk(expression(text)) if isinstance(node, ast.Name) and node.id in names]
    line = text.encode()
    for node in sorted(places, key=lambda node: -node.col_offset):
        line = line[: node.col_offset] + names[node.id].encode() + line[node.end_col_offset :]
    return line.decode()


def is_constant(tree: ast.expr) -> bool:
    """Whether it is a value that nothing can change: a literal, or a tuple of such."""
    if isinstance(tree, ast.Tuple):
        return all(map(is_constant, tree.elts))
    return isinstance(tree, ast.Constant) or (isinstance(tree, ast.UnaryOp) and is_constant(tree.operand))


def is_display(tree: ast.expr) -> bool:
    """Whether it is a list, dict, set or tuple written out in literals, which can be copied."""
    inner = (node for node in ast.walk(tree) if isinstance(node, ast.expr))
    return all(isinstance(n, ast.Constant | ast.UnaryOp | ast.List | ast.Dict | ast.Set | ast.Tuple) for n in inner)
