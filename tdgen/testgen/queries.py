"""What must these calls give? Asked of the test author, who sees the contract and the calls, and nobody's answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from tdgen.errors import ReplyError
from tdgen.prompts import conversation
from tdgen.prompts.cases import call_text
from tdgen.prompts.context import PromptContext
from tdgen.protocols import Model, Request, Variant
from tdgen.replies import ObserveReply, Reply, ask_for, expected
from tdgen.testgen.author import Evaluate
from tdgen.testgen.pinned import named_apart
from tdgen.testgen.problems import faults
from tdgen.testgen.reply import slug
from tdgen.types import Call, Case, FunctionSpec, Provenance, digest


class SettledReply(Reply):
    """What is said of one call."""

    number: int
    working: str = ""
    expect: Literal["value", "raises", "check", "exits", "open", "not_allowed"]
    value: str = ""
    match: str = ""
    observe: ObserveReply | None = None
    name: str = ""
    why: str = ""


class SettleReply(Reply):
    """What is said of all calls."""

    answers: list[SettledReply]


class QueryResult(NamedTuple):
    """Calls as cases, by their place among those asked; which the contract leaves open, and which it forbids.

    `covered` are those that nobody was asked about, as there is a case of each.
    """

    cases: dict[int, Case]
    open: frozenset[int] = frozenset()
    forbidden: frozenset[int] = frozenset()
    covered: frozenset[int] = frozenset()

    @property
    def answered(self) -> int:
        """Of how many calls something usable is said."""
        return len(self.cases) + len(self.open) + len(self.forbidden)

    def at(self, places: Sequence[int]) -> QueryResult:
        """The same where the calls asked stand at these places among others."""
        return QueryResult(
            {places[place]: case for place, case in self.cases.items()},
            frozenset(places[place] for place in self.open),
            frozenset(places[place] for place in self.forbidden),
        )

    @property
    def in_order(self) -> list[Case]:
        """The cases in the order of the calls."""
        return [self.cases[place] for place in sorted(self.cases)]


class Query(NamedTuple):
    """Why calls are settled and for which time, where the cases come from, and which there are already.

    A further `sample` is an answer that knows nothing of the first.
    """

    provenance: Provenance = "survivor"
    variant: Variant = "survivors"
    ordinal: int = 1
    sample: int = 0
    there: tuple[Case, ...] = ()


def query_expectations(
    model: Model,
    context: PromptContext,
    calls: Sequence[Call],
    *,
    evaluate: Evaluate,
    asking: Query = Query(),  # noqa: B008 - immutable
) -> QueryResult:
    """What each of `calls` must give by the contract; a call on which nothing usable is said is in no part.

    What is wrong goes back once; of two answers the one that settles more counts. Nothing is raised for a nonsensical
    answer: BudgetSpent and ModelError pass through.
    """
    best = QueryResult({})

    def problems(reply: SettleReply) -> list[str]:
        nonlocal best
        expectations, wrong = _read(reply, context.spec, calls, evaluate, asking)
        if expectations.answered > best.answered:
            best = expectations
        missing = [n for n in range(1, len(calls) + 1) if n not in {answer.number for answer in reply.answers}]
        return [
            *(f"call {place + 1}: {reason}" for place, reason in wrong.items()),
            *(f"call {n} has no answer" for n in missing),
        ]

    try:
        ask_for(model, _request(context, calls, asking), SettleReply, problems)
    except ReplyError:
        return best
    return best


def _read(
    reply: SettleReply, spec: FunctionSpec, calls: Sequence[Call], evaluate: Evaluate, asking: Query
) -> tuple[QueryResult, dict[int, str]]:
    """The usable answers, and what is wrong with the others, by the call's place."""
    said = {a.number - 1: a for a in reversed(reply.answers) if 0 < a.number <= len(calls)}
    left_open, forbidden = (
        frozenset(place for place, answer in said.items() if answer.expect == word) for word in ("open", "not_allowed")
    )
    for place, answer in said.items():
        # What a drawn call does with a result raises, as with a None: that says nothing of the function.
        is_slip = answer.expect == "raises" and answer.value.strip() in ("AttributeError", "TypeError")
        if is_slip and calls[place].call and answer.value.strip() not in spec.model_dump_json():  # nobody names it
            forbidden |= {place}
    places = [place for place in sorted(said) if place not in left_open | forbidden]
    named = named_apart([_case(calls[place], said[place], asking.provenance) for place in places], asking.there)
    cases = dict(zip(places, named, strict=True))
    wrong = dict(faults(named, asking.there, spec))
    wrong |= evaluate([case for case in named if case.name not in wrong])
    sound = {place: case for place, case in cases.items() if case.name not in wrong}
    return QueryResult(sound, left_open, forbidden), {
        place: wrong[case.name] for place, case in cases.items() if case.name in wrong
    }


def _case(call: Call, answer: SettledReply, provenance: Provenance) -> Case:
    expectation = expected(answer.expect, answer.value, match=answer.match)
    return Case(
        name=slug(answer.name or call.expression),
        function=call.function,
        kind="error" if answer.expect == "raises" else "edge",
        provenance=provenance,
        setup=call.setup,
        arguments=call.arguments,
        call=call.call,
        world=call.world,
        **dict((answer.observe or ObserveReply()).beside(expectation)),
        why=" ".join(answer.why.split()),
    )


def _request(context: PromptContext, calls: Sequence[Call], asking: Query) -> Request:
    by_number = {str(number): call_text(call) for number, call in enumerate(calls, start=1)}
    return Request(
        purpose="settle",
        subject=context.spec.name,
        variant=asking.variant,
        ordinal=asking.ordinal,
        sample=asking.sample,
        messages=conversation(
            "tdgen.testgen",
            "settle",
            unit=context.spec.unit,
            context=context.text,
            calls="\n".join(f"{number}. {text}" for number, text in by_number.items()),
        ),
        schema_name="settle",
        items={number: digest(text) for number, text in by_number.items()},
    )
