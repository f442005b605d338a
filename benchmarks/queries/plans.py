"""Plans and suites for tasks of `live/`: signatures from `plans.toml`, cases from it or from the hidden tests."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tdgen.evaluation import read_tasks
from tdgen.judge import candidate_probe
from tdgen.protocols import Sandbox
from tdgen.pytest_files.reading import read_tests
from tdgen.source.syntax import parse
from tdgen.types import (
    After,
    Case,
    Check,
    ExpectedException,
    Field,
    FunctionSpec,
    Job,
    Parameter,
    Plan,
    Raises,
    Returns,
    SharedType,
    Value,
    World,
)
from tdgen.values.show import show_wire

LIVE = Path(__file__).parents[1] / "live"
PLANS = Path(__file__).with_name("plans.toml")
MOST_CASES = 6
LONGEST = 10**6
_KINDS = {"NamedTuple": "named_tuple", "TypedDict": "typed_dict"}


class Planned(NamedTuple):
    """A task with its plan, each function's cases, and modules: the reference first, then those that are wrong."""

    name: str
    instruction: str
    plan: Plan
    cases: dict[str, tuple[Case, ...]]
    modules: tuple[str, ...]


def planned_tasks(sandbox: Sandbox, names: Sequence[str] = ()) -> Iterator[Planned]:
    """The tasks that are planned here, or those of them that are named."""
    told = tomllib.loads(PLANS.read_text())
    for task in read_tasks(LIVE):
        problem = task.problem
        if problem.id not in told or (names and problem.id not in names):
            continue
        plan = _plan(told[problem.id]["stubs"], problem.reference)
        own = [_case(number, row) for number, row in enumerate(told[problem.id].get("cases", ()))]
        cases = _expected(sandbox, problem.reference, own) if own else _hidden(problem.program, plan)
        by_function = {s.name: tuple(case for case in cases if case.function == s.name) for s in plan.functions}
        yield Planned(problem.id, problem.instruction, plan, by_function, (problem.reference, *task.faulty))


def _plan(stubs: str, reference: str) -> Plan:
    tree = parse(stubs)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    bodies = {node.name: node for node in parse(reference).body if isinstance(node, ast.FunctionDef)}
    names = [node.name for node in functions]
    return Plan(
        module="solution",
        functions=tuple(_spec(node, _needs(bodies[node.name], names)) for node in functions),
        types=tuple(_type(node) for node in tree.body if isinstance(node, ast.ClassDef)),
    )


def _needs(body: ast.FunctionDef, names: Sequence[str]) -> tuple[str, ...]:
    read = {node.id for node in ast.walk(body) if isinstance(node, ast.Name)}
    return tuple(name for name in names if name in read and name != body.name)


def _spec(node: ast.FunctionDef, needs: tuple[str, ...]) -> FunctionSpec:
    defaults: list[ast.expr | None] = [None] * (len(node.args.args) - len(node.args.defaults))
    parameters = tuple(
        Parameter(name=a.arg, type=_source(a.annotation), default=_source(default) if default else None)
        for a, default in zip(node.args.args, [*defaults, *node.args.defaults], strict=True)
    )
    raises = (ast.get_docstring(node) or "").split()
    return FunctionSpec(
        name=node.name,
        purpose="As the instruction says.",
        parameters=parameters,
        returns=Returns(type=_source(node.returns)),
        raises=tuple(Raises(type=name, when="as the instruction says") for name in raises),
        dependencies=needs,
    )


def _type(node: ast.ClassDef) -> SharedType:
    base = _source(node.bases[0]) if node.bases else ""
    fields = tuple(
        Field(name=_source(f.target), type=_source(f.annotation), default=_source(f.value) or None)
        for f in node.body
        if isinstance(f, ast.AnnAssign)
    )
    kind = _KINDS.get(base, "exception" if base else "dataclass")
    return SharedType.model_validate(
        {"name": node.name, "kind": kind, "base": base if kind == "exception" else "", "fields": fields}
        | {"frozen": bool(node.decorator_list)}
    )


def _source(node: ast.AST | None) -> str:
    return ast.unparse(node) if node is not None else ""


def _hidden(program: str, plan: Plan) -> list[Case]:
    """Every so many of the hidden tests, as cases of an author."""
    names = [spec.name for spec in plan.functions]
    read = read_tests(program.replace("solution.", ""), names).cases
    found: list[Case] = []
    for name in names:
        own = [case for case in read if case.function == name and not isinstance(case.expectation, Check)]
        found += own[:: max(1, len(own) // MOST_CASES)][:MOST_CASES]
    return [case.model_copy(update={"provenance": "model"}) for case in found]


def _case(number: int, row: dict[str, Any]) -> Case:
    call = row["call"]
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    return Case(
        name=f"case_{number}",
        function=_source(node.func),
        setup=row.get("setup", "").strip(),
        arguments=(*map(_source, node.args), *(f"{k.arg}={_source(k.value)}" for k in node.keywords)),
        world=World(files=row.get("files", {}), stdin=row.get("stdin")),
        expectation=Value(source="None"),
        after=tuple(After(expression=text, source="None") for text in row.get("after", ())),
    )


def _expected(sandbox: Sandbox, reference: str, cases: Sequence[Case]) -> list[Case]:
    """The cases with what the reference does on them."""
    job = Job(module="solution", source=reference, probes=tuple(candidate_probe(case) for case in cases))
    found = []
    for case, seen in zip(cases, sandbox.run(job).observations, strict=True):
        if seen.status == "raised" and seen.raised is not None:
            name = seen.raised.type.rpartition(".")[2]
            found.append(case.model_copy(update={"expectation": ExpectedException(type=name), "kind": "error"}))
            continue
        if seen.status != "returned":
            raise RuntimeError(f"{case.expression}: {seen.status} {seen.detail}")
        after = tuple(
            one.model_copy(update={"source": show_wire(value, LONGEST)})
            for one, value in zip(case.after, seen.after, strict=True)
        )
        expectation = Value(source=show_wire(seen.value, LONGEST))
        told = {"expectation": expectation, "after": after, "stdout": seen.stdout or None}
        found.append(case.model_copy(update=told))
    return found
