"""A check written out as asserts, over `result` and over the arguments as they were before the call.

The judge evaluates a check on arguments made afresh, whatever the function did to those that it got. So an argument
that could be changed in place is copied where the check looks at it again.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from typing import NamedTuple

from tdgen.source.imports import free_names
from tdgen.testgen.rendering.setups import annotate_functions
from tdgen.testgen.rendering.sources import Argument, expression, expression_text, own_nodes, statements, unparse
from tdgen.types import Case, Check, FunctionSpec

_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


class Checked(NamedTuple):
    """A checked call: what is arranged before it, the call, and the asserts after it."""

    before: list[str]
    call: str
    asserts: list[str]


def read_by(check: Check) -> frozenset[str]:
    """The names that a check reads and does not bind."""
    return free_names(ast.Module(statements(check.source, in_function=True), []))


def checked(case: Case, check: Check, spec: FunctionSpec, arguments: Sequence[Argument], call: str) -> Checked:
    """The check of a case by itself; `call` is the case's own, empty for the plain one on `arguments`."""
    setup = statements(case.setup)
    read = read_by(check)
    kept = [name for name in _displayed(setup) if name in read]
    before = [f"{name}_before = deepcopy({name})" for name in kept]
    names = {parameter.name: parameter.default for parameter in spec.parameters}
    wanted = {name for name in names if name in read} - _bound(setup) - {"result"}
    bound, passed = _passed(arguments, list(names), wanted) if not call else ([], [])
    given = {line.partition(" = ")[0] for line in bound}
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
        bound.append(f"{name} = deepcopy({given.text})" if isinstance(tree, ast.Name) else f"{name} = {given.text}")
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
    found = [node for node in ast.walk(expression(text)) if isinstance(node, ast.Name) and node.id in names]
    line = text.encode()
    for node in sorted(found, key=lambda node: -node.col_offset):
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


def _displayed(setup: Sequence[ast.stmt]) -> list[str]:
    """The names that a setup binds to a list, dict or set."""
    found: list[str] = []
    for statement in setup:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, _DISPLAYS):
            found += [target.id for target in statement.targets if isinstance(target, ast.Name)]
    return list(dict.fromkeys(found))


def _bound(setup: Sequence[ast.stmt]) -> set[str]:
    nodes = (node for statement in setup for node in ast.walk(statement) if isinstance(node, ast.Name))
    return {node.id for node in nodes if isinstance(node.ctx, ast.Store)}
