"""What rulings on doubtful cases come to: which cases stand, change, are set aside, or stay in doubt.

An arbiter sees the words and the case, never code. A first ruling that upholds a case ends the matter (at trust level
strict a second one must). Whatever speaks against a case needs two of three independent rulings that come to the same,
also where an implementation gives just that: it may be wrong in the same way. Where no two agree, the case stands in
doubt. What the user wrote is never arbitrated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from tdgen.prompts.cases import claim_text, example_text, observed_text
from tdgen.types import ARBITRATED, Case, Correction, Revision, Suite

if TYPE_CHECKING:
    from tdgen.testgen.arbiter import Ruling


Vote = Callable[[Sequence[Case], int], Mapping[str, "Ruling"]]
Agree = Callable[[Case, Case], bool]
MOST_TRIED: Final = 8
MOST_VOTES: Final = 3
MAJORITY: Final = 2
"""How many cases one request asks about, which is not tuned; of three votes at most, two that agree decide."""


class Judgement(NamedTuple):
    """How cases change (None: set aside; what is in doubt says so in its `doubts`), and what is recorded of it.

    `open` are the cases, set aside, of which the words don't say what is right: a question to the user. `corrections`
    are what the words refute, and of which function's contract, by the case that showed it.
    """

    changed: dict[str, Case | None]
    revisions: tuple[Revision, ...]
    open: tuple[str, ...]
    corrections: Mapping[str, tuple[str, Correction]] = MappingProxyType({})

    def corrections_beside(self, suite: Suite) -> dict[str, tuple[Correction, ...]]:
        """The corrections as prompts may show them, by function: none tells what a held-out case expects."""
        corrections: dict[str, tuple[Correction, ...]] = {}
        for case, (function, one) in self.corrections.items():
            shown = one.model_copy(update={"effect": ""}) if case in suite.held_out else one
            corrections[function] = (*corrections.get(function, ()), shown)
        return corrections


def judge_doubtful(cases: Sequence[Case], vote: Vote, agree: Agree, *, upholding: int) -> Judgement:
    """Ask for rulings on `cases` until each is decided, or `MOST_VOTES` were given.

    `vote` asks for the ruling of a number, `agree` tells whether two corrections of a case come to the same. So many
    rulings as `upholding` must check_properties a case that no ruling speaks against.
    """
    given: dict[str, list[Ruling]] = {case.name: [] for case in cases}
    decided: dict[str, Ruling] = {}
    pending = list(cases)
    for number in range(MOST_VOTES):
        rulings = vote(pending, number)
        for case in pending:
            given[case.name] += [rulings[case.name]] if case.name in rulings else []
            ruling = _decided(case, given[case.name], agree, upholding)
            if ruling is not None:
                decided[case.name] = ruling
        pending = [case for case in pending if case.name not in decided]
        if not pending or not any(case.name in rulings for case in pending):
            break
    return _judgement(cases, given, decided, agree)


def claims(case: Case) -> str:
    """All that a case says, in one line."""
    return "; ".join([claim_text(case), *(line.strip() for line in observed_text(case))])


def _decided(case: Case, given: Sequence[Ruling], agree: Agree, upholding: int) -> Ruling | None:
    """The ruling that stands after those given; None where another must be asked for, or none can stand."""
    if not given:
        return None
    latest = given[-1]
    alike = [ruling for ruling in given if _alike(case, ruling, latest, agree)]
    is_unopposed = latest.verdict == "upheld" and len(alike) == len(given)
    return latest if len(alike) >= (upholding if is_unopposed else MAJORITY) else None


def _alike(case: Case, one: Ruling, other: Ruling, agree: Agree) -> bool:
    """Whether two rulings have the same outcome: the case stands, changes to the same, or is set aside."""
    if one.effects is None or other.effects is None:
        return one.effects == other.effects and (one.verdict == "upheld") == (other.verdict == "upheld")
    return one is other or agree(case.observing(one.effects), case.observing(other.effects))


def _judgement(
    cases: Sequence[Case], given: Mapping[str, Sequence[Ruling]], decided: Mapping[str, Ruling], agree: Agree
) -> Judgement:
    changed: dict[str, Case | None] = {}
    revisions = []
    for case in cases:
        ruling = decided.get(case.name)
        if ruling is None:
            if any(ruling.verdict != "upheld" for ruling in given[case.name]):
                words = {"upheld": "upholds it", "unsettled": "finds it unsettled", "unfair": "finds it unfair"}
                said = [
                    words.get(r.verdict) or f"corrects it to: {claims(_corrected(case, r))}" for r in given[case.name]
                ]
                doubt = f"arbiters do not agree: one {', one '.join(said)}"
                changed[case.name] = case.model_copy(update={"doubts": tuple(dict.fromkeys([*case.doubts, doubt]))})
        elif ruling.verdict == "upheld":
            beside = {"why": ruling.quote} if ruling.quote else {}
            changed[case.name] = case.model_copy(update={"confirmed": (*case.confirmed, ARBITRATED), **beside})
        elif ruling.effects is not None:
            now = _corrected(case, ruling)
            changed[case.name] = now
            renamed = f"; it is called {now.name} now" if now.name != case.name else ""
            revisions.append(_revision(case, ruling, "revised", f"{claims(now)}{renamed}"))
        else:
            changed[case.name] = None
            revisions.append(_revision(case, ruling, "quarantined", ""))
    left_open = [name for name, ruling in decided.items() if ruling.verdict == "unsettled"]
    return Judgement(changed, tuple(revisions), tuple(left_open), _corrections(cases, given, decided, changed, agree))


def _corrections(
    cases: Sequence[Case],
    given: Mapping[str, Sequence[Ruling]],
    decided: Mapping[str, Ruling],
    changed: Mapping[str, Case | None],
    agree: Agree,
) -> dict[str, tuple[str, Correction]]:
    """What the rulings that were decided by name as wrong, and of which function's contract, by case."""
    corrections = {}
    for case in (case for case in cases if case.name in decided):
        # The first ruling with the outcome that was decided which names a planner's sentence as wrong.
        ruling = decided[case.name]
        alike = (one for one in given[case.name] if one.refuted and _alike(case, one, ruling, agree))
        named = next(alike, None) if ruling.verdict in ("upheld", "revised") else None
        if named is not None:
            # Who reads another function's contract knows nothing of the case's call.
            effect = example_text(changed.get(case.name) or case) if named.refuted_of == case.function else ""
            correction = Correction(quote=" ".join(named.quote.split()), refuted=named.refuted, effect=effect)
            corrections[case.name] = (named.refuted_of, correction)
    return corrections


def _corrected(case: Case, ruling: Ruling) -> Case:
    """The case as a ruling corrects it: its name and what was said against it spoke of what it expected before."""
    effects = ruling.effects or case.effects
    return case.observing(effects).model_copy(
        update={"name": ruling.name or case.name, "why": ruling.quote, "confirmed": (ARBITRATED,), "doubts": ()},
    )


def _revision(case: Case, ruling: Ruling, action: str, after: str) -> Revision:
    return Revision.model_validate(
        {
            "function": case.function,
            "case": case.name,
            "action": action,
            "reason": ruling.reason or "the contract does not settle it",
            "quote": ruling.quote,
            "call": case.done.text,
            "before": claims(case),
            "after": after,
        }
    )
