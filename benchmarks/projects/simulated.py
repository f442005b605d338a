"""A simulated model for a task: it plans what stands there, takes cases from the doctests, gives the body back."""

from __future__ import annotations

import ast
import doctest
import json
from collections.abc import Iterator
from textwrap import dedent
from typing import Any

from projects.tasks import Task
from tdgen.models.scripted import ScriptedModel
from tdgen.source.syntax import expression_or_none, is_literal
from tdgen.source.trees import dotted
from tdgen.types import Target

MOST = 8
"""How many cases are taken."""


def scripted(task: Task, target: Target) -> ScriptedModel:
    """What it answers to each question of trust level quick."""
    name = task.unit.owner or task.unit.name
    code = {"purpose": "implement", "subject": name, "text": f"```python\n{task.answer}```"}
    answers = [*plan_and_cases(task, target), code]
    return ScriptedModel.from_dict({"format": 1, "model": "simulated", "answers": answers})


def plan_and_cases(task: Task, target: Target) -> list[dict[str, Any]]:
    """The plan of what stands there, and the doctests' cases."""
    text = json.dumps({"cases": cases(task)})
    subject = {"purpose": "cases", "subject": task.unit.owner or task.unit.name, "text": text}
    return [{"purpose": "plan", "text": json.dumps(_plan(task, target))}, *(subject | {"attempt": n} for n in (1, 2))]


def _plan(task: Task, target: Target) -> dict[str, Any]:
    unit, summary = task.unit, task.unit.docstring.partition("\n")[0] or task.unit.name
    planned: dict[str, Any] = {"module": target.module, "summary": summary, "functions": [], "classes": []}
    node = unit.node
    assert not isinstance(node, ast.ClassDef)
    told = {"name": unit.name, "purpose": summary, "dependencies": []}
    if unit.owner:
        methods = [{"signature": unit.signature.rstrip(" :"), "purpose": summary, "decorators": _decorators(node)}]
        planned["classes"] = [told | {"name": unit.owner, "methods": methods}]
    else:
        returns = ast.unparse(node.returns) if node.returns else "Any"
        planned["functions"] = [told | {"parameters": list(_parameters(node.args)), "returns": returns}]
    return planned | {"questions": []}


def _decorators(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    names = [ast.unparse(one) for one in node.decorator_list]
    return [name for name in names if name not in ("staticmethod", "classmethod")]


def _parameters(given: ast.arguments) -> Iterator[dict[str, str]]:
    """The parameters as a plan has them; `*` stands before those by name alone."""
    places = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(places) - len(given.defaults))
    pairs = list(zip(places, [*defaults, *given.defaults], strict=True))
    for one, default in pairs:
        yield _parameter(one.arg, one.annotation, default)
    if given.vararg:
        yield _parameter(f"*{given.vararg.arg}", given.vararg.annotation, None)
    elif given.kwonlyargs:
        yield {"name": "*", "type": ""}
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        yield _parameter(one.arg, one.annotation, default)
    if given.kwarg:
        yield _parameter(f"**{given.kwarg.arg}", given.kwarg.annotation, None)


def _parameter(name: str, annotation: ast.expr | None, default: ast.expr | None) -> dict[str, str]:
    told = {"name": name, "type": ast.unparse(annotation) if annotation else "Any"}
    return told | ({"default": ast.unparse(default)} if default is not None else {})


def cases(task: Task) -> list[dict[str, str]]:
    """The docstring's doctests that expect a literal or an exception, with what was done before each as its setup."""
    found: list[dict[str, str]] = []
    before: list[str] = []
    try:
        examples = doctest.DocTestParser().get_examples(dedent(task.unit.docstring))
    except ValueError:  # a doctest that is none
        return []
    for example in examples:
        call, told = expression_or_none(example.source.strip()), example.want.strip()
        if call is None:
            before.append(example.source.strip())
        elif example.exc_msg:
            kind = example.exc_msg.partition(":")[0].strip().rpartition(".")[2]
            found.append({"setup": "\n".join(before), "call": ast.unparse(call), "expect": "raises", "value": kind})
        elif is_literal(told) and _calls(call):
            found.append({"setup": "\n".join(before), "call": ast.unparse(call), "expect": "value", "value": told})
            if before:  # it may have taken from an iterator that was made there
                before.append(example.source.strip())
        elif _calls(call):
            before.append(example.source.strip())
    return [{"name": f"doctest_{number}", **one} for number, one in enumerate(found[:MOST], 1)]


def _calls(node: ast.expr) -> bool:
    return any(isinstance(inner, ast.Call) and dotted(inner.func) for inner in ast.walk(node))
