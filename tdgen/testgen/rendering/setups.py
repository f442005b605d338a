"""A case's setup as it stands in a test that a type checker reads: annotations where needed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tdgen.source.names import KNOWN_NAMES, PACKAGES, STDLIB
from tdgen.testgen.rendering.annotations import Annotations
from tdgen.testgen.rendering.sources import ALIASES, expression, last_name
from tdgen.types import FunctionSpec

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
    passed = dict(_passed([*setup, call], spec))
    kept = [statement for statement in setup if not _is_in_head(statement)]
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
    return all(_is_well_known(alias, module) for alias in statement.names)


def _is_well_known(alias: ast.alias, module: str | None) -> bool:
    name = (alias.asname or alias.name).partition(".")[0]
    if alias.asname is not None and (alias.name, alias.asname) != (PACKAGES.get(name), name):
        return False
    known = KNOWN_NAMES.get(name) if module else name if name in STDLIB else PACKAGES.get(name)
    return known == (module or alias.name) and (module is not None or name not in ALIASES)


def _passed(trees: Sequence[ast.AST], spec: FunctionSpec) -> Iterator[tuple[str, str]]:
    """The names that are passed to the function as they are, with the parameters that they are passed for."""
    parameters = [parameter.name for parameter in spec.parameters]
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and last_name(node) == spec.name:
            given = [*zip(node.args, parameters, strict=False), *((k.value, k.arg or "") for k in node.keywords)]
            yield from ((value.id, name) for value, name in given if isinstance(value, ast.Name))


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
    inferred = {f"{type(value).__name__.lower()}[{kind}]" for kind in _kinds(value)}
    is_scalar = isinstance(value, ast.Constant | ast.UnaryOp)
    if not annotation or {annotation} == inferred or (is_scalar and annotation != "Any"):
        return statement
    return ast.AnnAssign(target=target, annotation=expression(annotation), value=value, simple=1)


def _kinds(value: ast.expr) -> set[str]:
    """The types of the items of a list or set written out, where they are constants."""
    items = value.elts if isinstance(value, ast.List | ast.Set) else []
    return {type(item.value).__name__ if isinstance(item, ast.Constant) else "" for item in items}
