"""The test author: one model call a function, which sees the contract and never an implementation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tdgen.briefs import cases_section, contract, dependencies_section, types_section
from tdgen.prompts import conversation
from tdgen.protocols import Model, Request
from tdgen.replies import ask_for
from tdgen.testgen.problems import faults
from tdgen.testgen.reply import CasesReply
from tdgen.types import Case, FunctionSpec, Plan

COUNTS = {"simple": "5 to 8", "medium": "7 to 10", "complex": "9 to 14"}
MAX_CASES = 60
Evaluate = Callable[[Sequence[Case]], Mapping[str, str]]


class Written(NamedTuple):
    """Cases that can be used, and those set aside with the reason, by name."""

    cases: tuple[Case, ...]
    set_aside: dict[str, str]


def write_cases(
    model: Model, spec: FunctionSpec, plan: Plan, *, types: str, law: Sequence[Case], evaluate: Evaluate
) -> Written:
    """Cases for `spec`, checked by reading and then by `evaluate`, which runs what needs no implementation.

    Whatever is wrong goes back to the author once; of the second answer the sound cases are kept and the others set
    aside. ReplyError where nothing sound is left.
    """
    answers: list[Written] = []

    def problems(reply: CasesReply) -> list[str]:
        cases = _named_apart([case.case(spec.name) for case in reply.cases[:MAX_CASES]])
        found = faults(cases, law, spec)
        found |= evaluate([case for case in cases if case.name not in found])
        answers.append(Written(tuple(case for case in cases if case.name not in found), found))
        if len(answers) > 1 and (answers[-1].cases or law):
            return []
        if not cases and not law:
            return ["there is no case: the function needs at least one"]
        return [f"case {name!r}: {problem}" for name, problem in found.items()]

    ask_for(model, _request(spec, plan, types, law), CasesReply, problems)
    return answers[-1]


def _named_apart(cases: Sequence[Case]) -> list[Case]:
    """The same cases, a name that was there before made another by a number."""
    seen: dict[str, int] = {}
    apart = []
    for case in cases:
        seen[case.name] = seen.get(case.name, 0) + 1
        again = seen[case.name] > 1
        apart.append(case.model_copy(update={"name": f"{case.name}_{seen[case.name]}"}) if again else case)
    return apart


def _request(spec: FunctionSpec, plan: Plan, types: str, law: Sequence[Case]) -> Request:
    allowed = ", ".join(plan.packages)
    return Request(
        purpose="cases",
        subject=spec.name,
        messages=conversation(
            "tdgen.testgen",
            "cases",
            count=COUNTS[spec.complexity],
            function=spec.name,
            packages=f", {allowed}" if allowed else "",
            contract=contract(spec),
            types=types_section(types),
            dependencies=dependencies_section("functions_it_calls", (plan.spec(name) for name in spec.dependencies)),
            law=cases_section("law", law),
        ),
        schema_name="cases",
    )
