"""The developer: one model call an attempt, which sees the contract and the cases that may be shown."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tdgen.briefs import cases_section, contract, dependencies_section, types_section
from tdgen.errors import ReplyError
from tdgen.impl.feedback import feedback
from tdgen.impl.findings import FORBIDDEN, import_findings
from tdgen.impl.piece import read_piece
from tdgen.prompts import conversation, render
from tdgen.protocols import Answer, Model, Purpose, Request
from tdgen.replies import find_code
from tdgen.types import Attempt, Frozen, FunctionSpec, Plan, Suite


class Brief(Frozen):
    """What a developer is told of a function beside its cases: its contract, and what surrounds it."""

    spec: FunctionSpec
    plan: Plan
    types: str = ""
    python: str = ""
    allowed: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()

    @property
    def others(self) -> frozenset[str]:
        """What the module holds beside this function, and a developer's code must not define again."""
        names = {spec.name for spec in self.plan.functions} | {shared.name for shared in self.plan.types}
        return frozenset(names - {self.spec.name})


def implement(model: Model, brief: Brief, suite: Suite) -> Attempt:
    """The first attempt, not yet run; what can't be used of an answer stands in its findings."""
    request = _request("implement", 1, brief, suite)
    return _attempt(model.ask(request), brief, 1)


def repair(model: Model, brief: Brief, suite: Suite, best: Attempt, history: Sequence[Attempt]) -> Attempt:
    """The next attempt, made from the best so far and what was observed of it."""
    number = len(history) + 1
    earlier = [attempt for attempt in history if attempt.number != best.number]
    request = _request("repair", number, brief, suite, source=best.source, feedback=feedback(best, suite, earlier))
    return _attempt(model.ask(request), brief, number)


def _request(purpose: Purpose, number: int, brief: Brief, suite: Suite, **more: str) -> Request:
    spec, packages = brief.spec, ", ".join(brief.plan.packages)
    return Request(
        purpose=purpose,
        subject=spec.name,
        attempt=number,
        messages=conversation(
            "tdgen.impl",
            purpose,
            function=spec.name,
            capitals=spec.name.upper(),
            signature=spec.signature,
            packages=f", and {packages}" if packages else "",
            forbidden=", ".join(sorted((FORBIDDEN | brief.forbidden) - brief.allowed)),
            python=brief.python,
            domain=render("tdgen.impl", f"domains/{brief.plan.domain}") + "\n",
            contract=contract(spec),
            types=types_section(brief.types),
            dependencies=dependencies_section(
                "functions_you_may_call", (brief.plan.spec(name) for name in spec.dependencies)
            ),
            cases=cases_section("some_of_the_tests", suite.visible),
            **more,
        ),
    )


def _attempt(answer: Answer, brief: Brief, number: int) -> Attempt:
    function = brief.spec.name
    try:
        if answer.finish_reason == "length":
            raise ReplyError(f"the answer was cut off after {answer.usage.completion_tokens} tokens: write less")
        source = read_piece(find_code(answer.text), function, brief.others).source
    except ReplyError as error:
        return Attempt(function=function, number=number, source="", findings=error.reasons or (str(error),))
    findings = import_findings(
        source, packages=_tops(brief.plan.packages), allowed=brief.allowed, forbidden=brief.forbidden
    )
    return Attempt(function=function, number=number, source=source, findings=findings)


def _tops(packages: Collection[str]) -> frozenset[str]:
    return frozenset(package.split(".")[0] for package in packages)
