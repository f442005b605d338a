"""Contracts and cases in few words."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import pytest

from tdgen.impl import DeveloperContext
from tdgen.languages.python import Python
from tdgen.prompts.context import PromptContext
from tdgen.types import Case, Difference, FunctionSpec, Parameter, Plan, Returns, Suite, Value, Verdict


class Tell:
    """Makes what the developer is told."""

    @staticmethod
    def brief(signature: str = "f(x: int) -> int", *others: str, **more: Any) -> DeveloperContext:
        """The brief of a function by its `def` line without `def` and colon; `others` are functions of the plan."""
        specs = [_spec(line) for line in (signature, *(f"{name}(x: int) -> int" for name in others))]
        plan = Plan(module="kit", functions=tuple(specs), packages=more.pop("packages", ()))
        return DeveloperContext.of(Python(), PromptContext(spec=specs[0], plan=plan, **more))

    @staticmethod
    def case(name: str, argument: str, expected: str = "1") -> Case:
        return Case(name=name, function="f", arguments=(argument,), expectation=Value(source=expected))

    @staticmethod
    def suite(*cases: Case, held_out: tuple[str, ...] = ()) -> Suite:
        return Suite(function="f", cases=cases, held_out=frozenset(held_out))

    @staticmethod
    def verdict(name: str, actual: str = "", expected: str = "1", **more: Any) -> Verdict:
        """A verdict that fails where `actual` is told."""
        differences = (Difference(where="", expected=expected, actual=actual),) if actual else ()
        told = {"passed": not actual, "status": "returned", "differences": differences} | more
        return Verdict(function="f", case=name, **told)


def _spec(line: str) -> FunctionSpec:
    is_async = line.startswith("async ")
    node = ast.parse(f"def {line.removeprefix('async ')}: 0").body[0]
    assert isinstance(node, ast.FunctionDef)
    parameters = tuple(Parameter(name=arg.arg, type=ast.unparse(arg.annotation)) for arg in node.args.args)
    returns = Returns(type=ast.unparse(node.returns))
    return FunctionSpec(name=node.name, purpose="As told.", parameters=parameters, returns=returns, is_async=is_async)


@pytest.fixture(scope="session")
def tell() -> Tell:
    return Tell()


@pytest.fixture(scope="session")
def brief(tell: Tell) -> Callable[..., DeveloperContext]:
    return tell.brief
