"""The published suites, half of them, with a label on each assert; and each problem's further inputs as hidden tests.

An assert becomes a case: `f(x) == y` a value, `f(x)` and `not f(x)` a truth value, all else a call that must be True.
Asserts that never call the function under test are left out.
"""

from __future__ import annotations

import ast
import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from simulated.problems import Problem
from simulated.reference import right_source

from tdgen.protocols import Sandbox
from tdgen.types import Call, Case, Job, Limits, Probe, Value

SUITES = "model_written_suites_half.json"
PLUS = "HumanEvalPlus-Mini.jsonl.gz"
LONGEST = 2_000


class Labelled(NamedTuple):
    """A case, and whether the reference bears it out."""

    case: Case
    holds: bool


class Task(NamedTuple):
    """A problem with a suite that was written for it, its hidden inputs, and what the contract demands of any input.

    `faulty` are bodies that do something else on hidden inputs.
    """

    problem: Problem
    suite: tuple[Labelled, ...]
    hidden: tuple[Call, ...]
    contract: str
    faulty: tuple[str, ...] = ()

    @property
    def reference(self) -> str:
        """The right implementation."""
        return right_source(self.problem)


def read_tasks(folder: Path, problems: Sequence[Problem], most: int | None) -> list[Task]:
    """The problems that have a suite, in the suites' order."""
    by_name = {problem.name: problem for problem in problems}
    suites = json.loads((folder / SUITES).read_text(encoding="utf-8"))
    plus = read_plus(folder)
    tasks = []
    for told in suites[:most]:
        problem = by_name.get(told["task_id"])
        if problem is None:
            continue
        row = plus[problem.name]
        cases = [_case(problem.function, one["source"], number) for number, one in enumerate(told["asserts"], 1)]
        labelled = zip(cases, (one["holds_for_reference"] for one in told["asserts"]), strict=True)
        suite = tuple(Labelled(case, holds) for case, holds in labelled if case is not None)
        tasks.append(Task(problem, suite, tuple(inputs_of(row)), row["contract"]))
    return tasks


def read_plus(folder: Path) -> dict[str, dict[str, Any]]:
    """The rows of the further inputs, by the problem's name."""
    with gzip.open(folder / PLUS, "rt", encoding="utf-8") as lines:
        return {row["task_id"]: row for row in map(json.loads, lines)}


def inputs_of(row: Mapping[str, Any]) -> list[Call]:
    """A row's inputs, each a list of arguments, as calls; very long ones left out."""
    rows = [tuple(map(repr, given)) for given in (*row["base_input"], *row["plus_input"])]
    return [Call(function=row["entry_point"], arguments=given) for given in rows if sum(map(len, given)) <= LONGEST]


def _case(function: str, source: str, number: int) -> Case | None:
    """An assert as a case; None where it is not about the function."""
    test = ast.parse(source).body[0]
    if not isinstance(test, ast.Assert) or function not in {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}:
        return None
    asked, value = _parts(test.test)
    call = as_call(function, ast.unparse(asked))
    return Case(
        name=f"assert_{number}",
        function=function,
        arguments=call.arguments,
        call=call.call,
        expectation=Value(source=value),
    )


def as_call(function: str, expression: str) -> Call:
    """An expression as a call: by its arguments where it is a plain call of the function."""
    tree = ast.parse(expression, mode="eval").body
    named = isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == function
    if isinstance(tree, ast.Call) and named and not tree.keywords:
        return Call(function=function, arguments=tuple(map(ast.unparse, tree.args)))
    return Call(function=function, call=expression)


def _parts(test: ast.expr) -> tuple[ast.expr, str]:
    """What an assert calls, and what that must give."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.Is):
        return test.left, ast.unparse(test.comparators[0])
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand, "False"
    return test, "True"


def allowed(task: Task, calls: Sequence[Call], sandbox: Sandbox) -> list[bool]:
    """For each call whether the data's own contract allows its input; what can't be asked is not allowed."""
    names = [parameter.name for parameter in task.problem.spec.parameters]
    body = task.contract.strip("\n") or "    pass"
    source = f"{_header(task)}def allowed({', '.join(names)}):\n{body}\n    return True\n"
    probes = tuple(
        Probe(name=str(n), setup=call.setup, function="allowed", arguments=call.arguments)
        for n, call in enumerate(calls)
    )
    seen = sandbox.run(Job(module="contract", source=source, probes=probes, limits=Limits(wall_s=2.0))).observations
    plain = [not call.call for call in calls]
    return [one.status == "returned" and one.value is True and p for one, p in zip(seen, plain, strict=True)]


def _header(task: Task) -> str:
    """What stands before the function in the problem's own text: imports and helpers that a contract may use."""
    lines = task.problem.reference.splitlines()
    start = task.problem.definition.lineno - 1
    return "\n".join(lines[:start]) + "\n"
