"""The simulated planner's and tester's answers: contracts and cases from what is known of a problem.

The plan has one function with the problem's own words. Its examples are the `>>>` lines that the reference bears
out; one that the reference contradicts is an open question, as a careful planner would have it. Cases are the
tester's share of the recorded calls, less what the user's examples show already; asked for more, the tester gives
what is left of its share.

The instruction is about this one function, so the planner says of every passage that it binds it, and the tester of
every case that it shows them all: no passage makes the tester write more than its share.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from simulated.problems import MOST_SEEN, Called, Problem
from simulated.reference import function_in, right_module

_COMPLEXITIES = ((8, "simple"), (16, "medium"))


def plan_reply(problem: Problem, passages: Sequence[int] = ()) -> dict[str, Any]:
    """The plan as a planner answers it."""
    spec = problem.spec
    function = {
        "name": spec.name,
        "purpose": spec.purpose,
        "parameters": [{"name": p.name, "type": p.type, "default": ""} for p in spec.parameters],
        "returns": spec.returns.type,
        "returns_description": "",
        "result_order_is_free": False,
        "raises": [],
        "dependencies": [],
        "complexity": _complexity(problem),
        "is_async": False,
        "sentences": list(passages),
    }
    return {
        "module": f"{problem.function.lower()}_module",
        "summary": spec.purpose.partition("\n")[0],
        "functions": [function],
        "types": [],
        "packages": [],
        "entry_function": "",
        "examples": [
            {"function": spec.name, "quote": e.quote, "call": e.call, "expect": "value", "value": e.value}
            for e in problem.examples
        ],
        "questions": [
            {"question": f"The example {e.quote!r} contradicts the text.", "assumption": "The text decides."}
            for e in problem.disputed
        ],
    }


def cases_reply(problem: Problem, *, more: bool, passages: Sequence[int] = ()) -> dict[str, Any]:
    """The cases as a tester answers them; `more` asks for those beyond the first answer."""
    told = {_dumped(example.call) for example in problem.examples}
    share = [call for call in problem.seen if _dumped(_expression(problem, call)) not in told]
    wanted = share[MOST_SEEN:] if more else share[:MOST_SEEN]
    return {"cases": [case_reply(call, f"call_{number}", passages) for number, call in _numbered(problem, wanted)]}


def _numbered(problem: Problem, calls: Iterable[Called]) -> list[tuple[int, Called]]:
    return [(problem.calls.index(call) + 1, call) for call in calls]


def case_reply(call: Called, name: str, passages: Sequence[int] = ()) -> dict[str, Any]:
    """A recorded call as a tester writes it down."""
    return {
        "name": name,
        "kind": "normal",
        "why": "worked out from the contract",
        "setup": "",
        "arguments": list(call.arguments),
        "call": "",
        "world": None,
        "expect": "value",
        "value": call.result,
        "match": "",
        "tolerance": 0,
        "observe": None,
        "passages": list(passages),
    }


def _expression(problem: Problem, call: Called) -> str:
    return f"{problem.function}({', '.join(call.arguments)})"


def _dumped(source: str) -> str:
    return ast.dump(ast.parse(source.strip(), mode="eval"))


def _complexity(problem: Problem) -> str:
    lines = len(ast.unparse(function_in(right_module(problem), problem.function)).splitlines())
    return next((name for most, name in _COMPLEXITIES if lines <= most), "complex")
