"""The trial of doubtful cases: one model call, held to the words that it quotes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

from tdgen.briefs import PromptContext, case_text
from tdgen.errors import ReplyError
from tdgen.prompts import conversation
from tdgen.protocols import Model, Request
from tdgen.replies import ask_for
from tdgen.testgen.rulings import Found, RulingReply, RulingsReply
from tdgen.types import Case, Effects, Frozen

Evaluate = Callable[[Sequence[Case]], Mapping[str, str]]
LONGEST_REASON, LONGEST_REFUTED = 600, 300


class Ruling(Frozen):
    """What a trial says of one case; `effects` are what is right where the verdict is `revised`.

    `refuted` is the contract's sentence that the user's words, as quoted, contradict.
    """

    case: str
    verdict: Found
    reason: str = ""
    quote: str = ""
    refuted: str = ""
    effects: Effects | None = None


def ask_arbiter(
    model: Model,
    context: PromptContext,
    cases: Sequence[Case],
    *,
    evaluate: Evaluate,
    doubts: Mapping[str, Sequence[str]] = MappingProxyType({}),
    attempt: int = 1,
    sample: int = 0,
) -> dict[str, Ruling]:
    """The rulings on `cases`, by name; a case on which no usable word was said has none.

    `doubts` says by case what speaks against it: a developer's objection, what implementations written apart give.
    A ruling counts where its quote is in the instruction or the contract and, if it revises, where `evaluate` (which
    runs what needs no implementation) finds nothing wrong with the case as revised. What is wrong goes back once.
    """
    on_trial = {case.name: case for case in cases}
    sound: dict[str, Ruling] = {}

    def problems(reply: RulingsReply) -> list[str]:
        missing = {name: case for name, case in on_trial.items() if name not in sound}
        found, reasons = _sound(reply.rulings, missing, context, evaluate)
        sound.update(found)
        spoken_of = {ruling.case for ruling in reply.rulings}
        return [*reasons, *(f"there is no ruling on the case {name!r}" for name in missing if name not in spoken_of)]

    with suppress(ReplyError):
        ask_for(model, _request(context, cases, doubts, attempt, sample), RulingsReply, problems, part="rulings")
    return sound


def _sound(
    replies: Sequence[RulingReply], on_trial: Mapping[str, Case], context: PromptContext, evaluate: Evaluate
) -> tuple[dict[str, Ruling], list[str]]:
    """The rulings that can be used, by case, and what is wrong with the others."""
    found: dict[str, Ruling] = {}
    reasons = []
    for reply in replies:
        case = on_trial.get(reply.case)
        if case is None or reply.case in found:
            continue
        ruling = _ruling(reply, case, context)
        problem = _unproven(ruling, context) or ("it does not say what is right" if _says_nothing(reply) else "")
        if not problem and ruling.effects is not None:
            problem = evaluate([case.observing(ruling.effects)]).get(case.name, "")
        if problem:
            reasons.append(f"the ruling on {reply.case!r}: {problem}")
        else:
            found[reply.case] = ruling
    return found, reasons


def _ruling(reply: RulingReply, case: Case, context: PromptContext) -> Ruling:
    """A reply as a ruling; one that revises to what the case expects already upholds it.

    What it calls refuted counts where that is the contract's own, and the words against it are the user's.
    """
    reason = " ".join(reply.working.split())[:LONGEST_REASON]
    quote, refuted = reply.quote.strip(), " ".join(reply.refuted.split())[:LONGEST_REFUTED]
    refuted = refuted if quote and refuted and context.refutes(quote, refuted) else ""
    ruling = Ruling(case=reply.case, verdict=reply.verdict, reason=reason, quote=quote, refuted=refuted)
    if reply.verdict != "revised":
        return ruling
    effects = reply.effects(case)
    if effects == case.effects:
        return ruling.model_copy(update={"verdict": "upheld"})
    return ruling.model_copy(update={"effects": effects})


def _says_nothing(reply: RulingReply) -> bool:
    """Whether a ruling revises a case, and to nothing."""
    return reply.verdict == "revised" and not reply.value.strip() and reply.observe is None


def _unproven(ruling: Ruling, context: PromptContext) -> str:
    """Why the words that a ruling quotes prove nothing; empty where they are the user's, or the contract's."""
    if ruling.verdict in ("unsettled", "unfair"):
        return ""
    if not ruling.quote:
        return "it quotes nothing: copy the words that settle it, or say that it is unsettled"
    if not context.says(ruling.quote):
        told = ruling.quote[:200]
        return f"its quote {told!r} is neither in the instruction nor in the contract: copy the words exactly"
    return ""


def _request(
    context: PromptContext, cases: Sequence[Case], doubts: Mapping[str, Sequence[str]], attempt: int, sample: int
) -> Request:
    told = "\n".join("\n".join([case_text(case), *(f"  {d}" for d in doubts.get(case.name, ()))]) for case in cases)
    return Request(
        purpose="trial",
        subject=context.spec.name,
        attempt=attempt,
        sample=sample,
        messages=conversation("tdgen.testgen", "arbitrate", context=context.text, cases=told),
        schema_name="trial",
    )
