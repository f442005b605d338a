"""Arbiters: asked which of the outcomes that were seen the user's words bear out, and their rulings read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import WithJsonSchema

from tdgen.errors import ReplyError
from tdgen.prompts import conversation
from tdgen.prompts.cases import outcome_text, outcomes_text
from tdgen.prompts.context import PromptContext
from tdgen.protocols import Model, Request, RequestKey, Variant
from tdgen.replies import ObserveReply, Reply, ask_for, expected
from tdgen.testgen.reply import slug
from tdgen.types import Case, Effects, Frozen, Value, digest

Found = Literal["upheld", "revised", "unsettled", "unfair"]
LETTERS: Final = ("A", "B", "C", "D")
"""Under which the outcomes stand from which an arbiter chooses: what the case expects, and what else was seen."""
_ASKED_FOR: Final = [*LETTERS, "revised", "unsettled", "unfair"]

_OF_ALL: Final = (
    "the instruction, the assumptions or the contract. Where\n  the instruction and the contract say different things, "
    "the instruction decides"
)
_OF_PROJECT: Final = (
    "the instruction, the assumptions, the contract, or\n  what `<project>` says of what exists. Where they say "
    "different things, the instruction decides"
)
_OF_DOCS: Final = (
    "the instruction, which holds the docs. There is\n  code already, and one of the outcomes may be its own: only a "
    "sentence of its docs shows that it is wrong. The\n  contract, and what is assumed, were made from these docs and "
    "settle nothing"
)

Word = Literal["A", "B", "C", "D", "upheld", "revised", "unsettled", "unfair"]
"""A verdict; "upheld" is what arbiters said before there were letters, and what old logs hold."""


class RulingReply(Reply):
    """What is said of one case. An empty `value`, and what `observe` lacks, leave that part as the case has it.

    `verdict` is the letter of an outcome, or a word.
    `name` is a new one for a case whose own says what is not right; empty where that fits.
    `refuted` is the sentence of a contract or an assumption that the quoted words contradict; empty where they don't.
    """

    case: str
    working: str = ""
    quote: str = ""
    refuted: str = ""
    verdict: Annotated[Word, WithJsonSchema({"enum": _ASKED_FOR, "type": "string"})]
    expect: Literal["value", "raises", "check", "exits"] = "value"
    value: str = ""
    match: str = ""
    observe: ObserveReply | None = None
    name: str = ""

    def effects(self, case: Case) -> Effects:
        """What is right in place of what the case observes; a value's tolerance stays the case's."""
        expectation = case.expectation
        if self.value.strip():
            expect = "exits" if case.world.script is not None else self.expect
            expectation = expected(expect, self.value, match=self.match)
            if isinstance(expectation, Value) and isinstance(case.expectation, Value):
                expectation = expectation.model_copy(update={"tolerance": case.expectation.tolerance})
        said = self.observe or ObserveReply()
        stated = said.beside(expectation)
        return case.effects.model_copy(
            update={"expectation": expectation, **{name: getattr(stated, name) for name in said.model_fields_set}}
        )


class RulingsReply(Reply):
    """The rulings on all cases that were in doubt."""

    rulings: list[RulingReply]


Evaluate = Callable[[Sequence[Case]], Mapping[str, str]]
LONGEST_REASON, LONGEST_REFUTED = 600, 300


class Ruling(Frozen):
    """What a trial says of one case.

    Where the verdict is `revised`, `effects` are what is right, and `name` is what the case is called then; empty where
    it keeps its name. `refuted` is the planner's sentence that the user's words, as quoted, contradict, and
    `refuted_of` the function whose contract it is of.
    """

    case: str
    verdict: Found
    reason: str = ""
    quote: str = ""
    refuted: str = ""
    refuted_of: str = ""
    effects: Effects | None = None
    name: str = ""


class CaseInDoubt(NamedTuple):
    """A case with the outcomes that may be right, by letter; `expected` is the letter of its own."""

    case: Case
    outcomes: Mapping[str, str]
    expected: str

    @classmethod
    def of(cls, case: Case, outcomes: Sequence[str], *, swapped: bool) -> CaseInDoubt:
        """A case with its own outcome and the first of the others that were seen; `swapped`, its own comes last."""
        texts = [*dict.fromkeys(outcomes or [outcome_text(case)])][: len(LETTERS)]
        own = texts[0]
        lettered = dict(zip(LETTERS, reversed(texts) if swapped else texts, strict=False))
        return cls(case, lettered, next(letter for letter, outcome in lettered.items() if outcome == own))


def ask_arbiter(
    model: Model,
    context: PromptContext,
    cases: Sequence[Case],
    *,
    evaluate: Evaluate,
    doubts: Mapping[str, Sequence[str]] = MappingProxyType({}),
    outcomes: Mapping[str, Sequence[str]] = MappingProxyType({}),
    variant: Variant = "",
    ordinal: int = 1,
    sample: int = 0,
) -> dict[str, Ruling]:
    """The rulings on `cases`, by name; a case on which no usable word was said has none.

    `doubts` says by case what speaks against it: a developer's objection, what implementations written apart give;
    `outcomes` are in a line each what the case expects, and then what else was seen. They stand under letters, which do
    not tell which is which. Another `sample` has cases and outcomes in the other order: two votes that are
    asked for alike would hardly be two.
    A ruling counts where its quote is in the instruction or the contract and, if it revises, where `evaluate` (which
    runs what needs no implementation) finds nothing wrong with the case as revised. What is wrong goes back once.
    """
    cases = list(reversed(cases)) if sample % 2 else cases
    on_trial = {
        case.name: CaseInDoubt.of(case, outcomes.get(case.name, ()), swapped=bool(sample % 2)) for case in cases
    }
    sound: dict[str, Ruling] = {}

    def problems(reply: RulingsReply) -> list[str]:
        missing = {name: case for name, case in on_trial.items() if name not in sound}
        rulings, reasons = _sound(reply.rulings, missing, context, evaluate)
        sound.update(rulings)
        spoken_of = {ruling.case for ruling in reply.rulings}
        return [*reasons, *(f"there is no ruling on the case {name!r}" for name in missing if name not in spoken_of)]

    with suppress(ReplyError):
        request = _request(
            context, [*on_trial.values()], doubts, RequestKey("trial", context.spec.name, variant, ordinal, 1, sample)
        )
        ask_for(model, request, RulingsReply, problems, part="rulings")
    return sound


def _sound(
    replies: Sequence[RulingReply], on_trial: Mapping[str, CaseInDoubt], context: PromptContext, evaluate: Evaluate
) -> tuple[dict[str, Ruling], list[str]]:
    """The rulings that can be used, by case, and what is wrong with the others."""
    rulings: dict[str, Ruling] = {}
    reasons = []
    for reply in replies:
        asked = on_trial.get(reply.case)
        if asked is None or reply.case in rulings:
            continue
        case, word = asked.case, reply.verdict
        own: Found = "upheld" if word == asked.expected else "revised"
        verdict = word if word in ("upheld", "revised", "unsettled", "unfair") else own
        ruling = _ruling(reply, verdict, case, context)
        problem = _unproven(ruling, context) or _unsaid(reply, verdict, asked)
        if not problem and ruling.effects is not None:
            problem = evaluate([case.observing(ruling.effects)]).get(case.name, "")
        if problem:
            reasons.append(f"the ruling on {reply.case!r}: {problem}")
        else:
            rulings[reply.case] = ruling
    return rulings, reasons


def _ruling(reply: RulingReply, verdict: Found, case: Case, context: PromptContext) -> Ruling:
    """A reply as a ruling; one that revises to what the case expects already upholds it.

    What it calls refuted counts where that is a planner's own, and the words against it are the user's.
    """
    reason = " ".join(reply.working.split())[:LONGEST_REASON]
    quote, refuted = reply.quote.strip(), " ".join(reply.refuted.split())[:LONGEST_REFUTED]
    of = context.refuted_of(quote, refuted) if quote and refuted else ""
    ruling = Ruling(
        case=reply.case, verdict=verdict, reason=reason, quote=quote, refuted=refuted if of else "", refuted_of=of
    )
    if verdict != "revised":
        return ruling
    effects = reply.effects(case)
    if effects == case.effects:
        return ruling.model_copy(update={"verdict": "upheld"})
    return ruling.model_copy(update={"effects": effects, "name": slug(reply.name) if reply.name.strip() else ""})


def _unsaid(reply: RulingReply, verdict: Found, asked: CaseInDoubt) -> str:
    """What is missing where a ruling revises a case, and to nothing that is said."""
    if reply.verdict in LETTERS and reply.verdict not in asked.outcomes:
        return f"there is no outcome {reply.verdict}"
    if verdict == "revised" and not reply.value.strip() and reply.observe is None:
        return "it does not say what is right: give `value`, or `observe`, also for an outcome with a letter"
    if verdict == "revised" and reply.verdict in LETTERS and reply.effects(asked.case) == asked.case.effects:
        return f"what it calls right is not outcome {reply.verdict}: give `value`, and `observe` with all that it has"
    return ""


def _unproven(ruling: Ruling, context: PromptContext) -> str:
    """Why the words that a ruling quotes prove nothing; empty where they are the user's, or the contract's."""
    if ruling.verdict in ("unsettled", "unfair"):
        return ""
    if not ruling.quote:
        return "it quotes nothing: copy the words that settle it, or say that it is unsettled"
    if context.plan.is_existing and not context.is_of_user(ruling.quote):
        text = ruling.quote[:200]
        return f"its quote {text!r} is not in the instruction, and the contract's words prove nothing: copy those"
    if not context.says(ruling.quote):
        text = ruling.quote[:200]
        return f"its quote {text!r} is neither in the instruction nor in the contract: copy the words exactly"
    return ""


def _request(
    context: PromptContext, cases: Sequence[CaseInDoubt], doubts: Mapping[str, Sequence[str]], key: RequestKey
) -> Request:
    by_case = {one.case.name: outcomes_text(one.case, one.outcomes) for one in cases}
    text = "\n".join("\n".join([case, *(f"  {d}" for d in doubts.get(name, ()))]) for name, case in by_case.items())
    quoted = _OF_DOCS if context.plan.is_existing else _OF_PROJECT if context.plan.target else _OF_ALL
    return Request(
        **key._asdict(),
        messages=conversation(
            "tdgen.testgen", "arbitrate", unit=context.spec.unit, context=context.text, cases=text, quoted=quoted
        ),
        schema_name="trial",
        items={name: digest(case) for name, case in by_case.items()},
    )
