"""What would a solve cost? Told before it, without asking anything of a model.

Calls are counted as they come when every first attempt is right: one for the plan, two a function, and the second
readings that the trust level asks for. Prompts are the real ones, rendered for the instruction (or for its plan, where
that is there) and measured. Answers are guessed: about as long as those of models that do not think aloud. Money is
told where the models' list prices are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from tdgen.impl import DeveloperContext, implement
from tdgen.impl.reading import read_again
from tdgen.language import Language
from tdgen.models import Prices
from tdgen.models.costs import estimated_usage
from tdgen.models.endpoint import open_endpoint, scheme_of
from tdgen.prompts.context import PromptContext
from tdgen.protocols import Answer, Model, Placing, Request
from tdgen.settings import Settings
from tdgen.specs.declarations import declared_by
from tdgen.specs.planner import Rules, make_plan
from tdgen.testgen.author import write_cases
from tdgen.testgen.pinned import pinned_of
from tdgen.types import (
    Case,
    Frozen,
    FunctionSpec,
    Instruction,
    Parameter,
    Plan,
    Returns,
    Suite,
    Usage,
    Value,
)

SIZES: Final = (1, 3, 5)
"""How many functions are reckoned with where there is no plan yet."""

PLAN_ANSWER: Final = 150
FUNCTION_IN_PLAN: Final = 220
CASES_ANSWER: Final = 900
CODE_ANSWER: Final = 350
SHOWN_CASES: Final = 5


class Estimate(Frozen):
    """The model calls, the tokens and the dollars for so many functions, every first attempt being right.

    `cost` is None where one of the models has no known price.
    """

    functions: int
    calls: int
    prompt_tokens: int
    answer_tokens: int
    cost: float | None = None

    @property
    def tokens(self) -> int:
        """Tokens in and out together."""
        return self.prompt_tokens + self.answer_tokens


def estimates(
    asked: Instruction, settings: Settings, language: Language, *, placing: Placing | None = None
) -> tuple[Estimate, ...]:
    """One estimate for the plan that came with the instruction, or for as many functions as its target has.

    Where neither is known, one for each of `SIZES`. PlanError where the plan that came can't be used.
    """
    if asked.plan is not None:
        plan = _planned(_Listener(), asked, settings, language, placing)
        return (_estimate(plan, asked, settings, language, []),)
    planning = _requests_of(lambda model: _planned(model, asked, settings, language, placing))
    # How many functions and classes are added to a module only a plan can tell.
    sizes = SIZES if asked.target is None or asked.target.added_to == "" else (max(1, len(asked.target.units)),)
    return tuple(_estimate(_supposed(asked, size), asked, settings, language, planning) for size in sizes)


def _estimate(
    plan: Plan, asked: Instruction, settings: Settings, language: Language, before: list[Request]
) -> Estimate:
    """What the plan's functions take, on top of the requests before."""
    given = {suite.function: suite for suite in asked.suites}
    requests = list(before)
    types, pinned = declared_by(language, plan), pinned_of(plan)

    def context(spec: FunctionSpec) -> PromptContext:
        return PromptContext(spec=spec, plan=plan, instruction=asked.text, types=types, pinned=pinned[spec.name])

    def ask_cases(model: Model, spec: FunctionSpec) -> None:
        beside = settings.policy.properties_with_cases
        write_cases(model, context(spec), evaluate=lambda cases: {}, properties=beside)

    def ask_code(model: Model, spec: FunctionSpec) -> None:
        suite = given.get(spec.name) or Suite(function=spec.name, cases=(*pinned[spec.name], *_supposed_cases(spec)))
        implement(model, DeveloperContext.of(language, context(spec)), suite)

    if any(spec.name not in given for spec in plan.functions):
        again = partial(read_again, instruction=asked.text, plan=plan, types=types, language=language)
        requests += [
            request for n in range(settings.policy.readings) for request in _requests_of(partial(again, sample=n))
        ]
    for spec in plan.functions:
        if spec.name not in given:
            requests += _requests_of(partial(ask_cases, spec=spec))
        if not (asked.target and asked.target.existing):
            requests += _requests_of(partial(ask_code, spec=spec))
    usage = _usage(
        requests,
        len(plan.functions),
        open_endpoint(scheme_of(settings)).prices(settings),
    )
    return Estimate(
        functions=len(plan.functions),
        calls=usage.calls,
        prompt_tokens=usage.prompt_tokens,
        answer_tokens=usage.completion_tokens,
        cost=None if usage.unpriced else usage.cost,
    )


def _usage(requests: Iterable[Request], functions: int, prices: Prices) -> Usage:
    """What the requests use, where each is answered as it mostly is."""
    answers = {"plan": PLAN_ANSWER + FUNCTION_IN_PLAN * functions, "cases": CASES_ANSWER, "implement": CODE_ANSWER}
    answers["reading"] = CODE_ANSWER * functions
    used = Usage()
    for request in requests:
        prompt, answer = estimated_usage(request, "").prompt_tokens, answers[request.purpose]
        price = prices(request.purpose)
        cost = None if price is None else price.cost(prompt, answer)
        used += Usage(calls=1, prompt_tokens=prompt, completion_tokens=answer, cost=cost)
    return used


def _planned(model: Model, asked: Instruction, settings: Settings, language: Language, placing: Placing | None) -> Plan:
    # An estimate installs nothing: what the allowed packages are imported as is only known where they are.
    packages = frozenset([*settings.allow, *(asked.plan.packages if asked.plan else ())])
    rules_of_language = language.planning(() if asked.target else packages)
    rules = Rules(packages=packages, max_functions=settings.max_functions, language=rules_of_language, placing=placing)
    return make_plan(model, asked, rules)


def _supposed(asked: Instruction, size: int) -> Plan:
    """A plan of so many functions whose contracts together say what the instruction says."""
    part = -(-len(asked.text) // size)
    return Plan(
        module="supposed",
        functions=tuple(
            FunctionSpec(
                name=f"function_{number}",
                purpose=asked.text[number * part : (number + 1) * part],
                parameters=(Parameter(name="first", type="list[str]"), Parameter(name="second", type="int")),
                returns=Returns(type="list[str]", description="what the instruction says"),
                dependencies=(f"function_{number - 1}",) if number else (),
                complexity="medium",
            )
            for number in range(size)
        ),
    )


def _supposed_cases(spec: FunctionSpec) -> Iterator[Case]:
    for number in range(SHOWN_CASES):
        yield Case(
            name=f"an_ordinary_case_{number}",
            function=spec.name,
            arguments=("['one', 'two']", str(number)),
            expectation=Value(source="['two', 'one']"),
        )


class _WasAsked(Exception):
    """The question was asked, and that was all that was wanted."""


@dataclass(eq=False)
class _Listener:
    """A model that keeps what it is asked, and never answers."""

    requests: list[Request] = field(default_factory=list)

    def ask(self, request: Request) -> Answer:
        self.requests.append(request)
        raise _WasAsked


def _requests_of(asking: Callable[[Model], object]) -> list[Request]:
    """What is asked of a model, up to the first answer that would be needed."""
    listener = _Listener()
    with suppress(_WasAsked):
        asking(listener)
    return listener.requests
