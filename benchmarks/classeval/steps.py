"""ClassEval's unittest tests as cases: what the simulated test author knows of a class.

Of the tests, in their order, **every second one (the first, the third, …) is the author's share**, as of HumanEval's
calls; the others stay hidden and only measure. A test becomes the case of its last assertion: the statements before it
are the setup, what it looks at is the call, and what the reference gives is expected. What is no literal, or another
value on a second run (random numbers, the time), is no case.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tdgen.protocols import Sandbox
from tdgen.source.syntax import is_literal
from tdgen.types import Job, Limits, Probe, World
from tdgen.values.decode import decode

MOST = 24
"""How many cases at most: a test author's suite of a class is asked for at about this size."""
_LIMITS = Limits(wall_s=2.0, cpu_s=4.0)


class Step(NamedTuple):
    """A case as sources: its name, the setup, the call, and the value or the exception's name."""

    name: str
    setup: str
    call: str
    value: str = ""
    raises: str = ""


def known_steps(test: str, imports: str, reference: str, sandbox: Sandbox) -> list[Step]:
    """The author's share of a test program, with what the reference gives."""
    tree = ast.parse(test)
    needed = [node for node in (*ast.parse(imports).body, *tree.body) if isinstance(node, ast.Import | ast.ImportFrom)]
    share = list(_tests(tree))[::2]
    found = [step for name, body in share if (step := _step(name, body, needed)) is not None]
    return list(_given(list(dict.fromkeys(found)), reference, sandbox))[:MOST]


def values(
    calls: Sequence[tuple[str, str]], reference: str, sandbox: Sandbox, seed: int = 1
) -> list[tuple[str, str] | None]:
    """What each setup and call gives: a literal's source, or the name of an exception; None where neither."""
    probes = tuple(
        Probe(name=str(n), setup=setup, call=f"repr({call})", world=World(seed=seed))
        for n, (setup, call) in enumerate(calls)
    )
    job = Job(module="solution", source=reference, probes=probes, limits=_LIMITS)
    found: list[tuple[str, str] | None] = []
    for seen in sandbox.run(job).observations if probes else ():
        text = decode(seen.value) if seen.status == "returned" else None
        name = seen.raised.type.rpartition(".")[2] if seen.status == "raised" and seen.raised else ""
        is_known = bool(name) and hasattr(builtins, name)
        found.append((text, "") if isinstance(text, str) and is_literal(text) else ("", name) if is_known else None)
    return found


def _given(steps: Sequence[Step], reference: str, sandbox: Sandbox) -> Iterator[Step]:
    calls = [(step.setup, step.call) for step in steps]
    first, second = (values(calls, reference, sandbox, seed) for seed in (1, 2))
    for step, one, other in zip(steps, first, second, strict=True):
        if one is not None and one == other and bool(step.raises) == bool(one[1]):
            yield step._replace(value=one[0], raises=one[1])


def _tests(tree: ast.Module) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Each test with what its class sets up before it; what `self` holds is a name of its own."""
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
        before = [statement for part in methods if part.name == "setUp" for statement in part.body]
        for part in methods:
            if part.name.startswith("test"):
                body = ast.Module([*copy.deepcopy(before), *copy.deepcopy(part.body)], [])
                yield f"{node.name}_{part.name}", _Plain().visit(body).body


class _Plain(ast.NodeTransformer):
    """`self.jar` as `jar`; asserting calls stay as they are."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        is_own = isinstance(node.value, ast.Name) and node.value.id == "self" and not node.attr.startswith("assert")
        return ast.Name(node.attr, node.ctx) if is_own else node


def _step(name: str, body: list[ast.stmt], needed: Sequence[ast.stmt]) -> Step | None:
    """A test as a case without a value; None where its last assertion looks at nothing that can be called."""
    places = [place for place, node in enumerate(body) if _asserted(node) is not None]
    if not places:
        return None
    before = [node for node in body[: places[-1]] if _asserted(node) is None]
    looked_at, raises = _asserted(body[places[-1]]) or (None, "")
    if isinstance(looked_at, ast.Name) and before and _binds(before[-1], looked_at.id):
        last = before.pop()
        looked_at = last.value if isinstance(last, ast.Assign) else looked_at
    if not isinstance(looked_at, ast.Call | ast.Attribute | ast.Subscript) or _is_private([*before, looked_at]):
        return None
    used = {node.id for part in [*before, looked_at] for node in ast.walk(part) if isinstance(node, ast.Name)}
    imports = [node for node in needed if any((a.asname or a.name).split(".")[0] in used for a in node.names)]
    lines = dict.fromkeys(ast.unparse(ast.fix_missing_locations(node)) for node in [*imports, *before])
    return Step(name, "\n".join(lines), ast.unparse(looked_at), raises=raises)


def _asserted(node: ast.stmt) -> tuple[ast.expr | None, str] | None:
    """What an assertion looks at, and the exception that it expects; None where it is no assertion."""
    if isinstance(node, ast.With) and _method(node.items[0].context_expr) == "assertRaises":
        call, only = node.items[0].context_expr, node.body[-1]
        name = ast.unparse(call.args[0]) if isinstance(call, ast.Call) and call.args else ""
        return (only.value if isinstance(only, ast.Expr | ast.Assign) else None), name
    if isinstance(node, ast.Expr) and _method(node.value).startswith("assert") and isinstance(node.value, ast.Call):
        plain = [one for one in node.value.args if not is_literal(ast.unparse(one))]
        return (plain[0] if plain else None), ""
    return None


def _method(node: ast.expr) -> str:
    """The method of `self` that is called; empty where none is."""
    is_own = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return node.func.attr if is_own and ast.unparse(node.func.value) == "self" else ""


def _binds(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [name]


def _is_private(nodes: Sequence[ast.AST]) -> bool:
    attributes = [node.attr for part in nodes for node in ast.walk(part) if isinstance(node, ast.Attribute)]
    return any(name.startswith("_") for name in attributes) or any(
        isinstance(node, ast.Name) and node.id == "self" for part in nodes for node in ast.walk(part)
    )
