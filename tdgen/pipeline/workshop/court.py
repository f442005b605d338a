"""Who is wrong, the case or the code? Doubtful cases are put on trial before any code is bent to them.

The trial sees contract and case, never code. Its word against a case is taken at once only where it demands just what
the implementation, which it has not seen, gave: two who know nothing of each other. Otherwise two of up to three
votes decide. Law is never tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tdgen.briefs import claim_text, observed_text
from tdgen.testgen.problems import same_effects
from tdgen.trials import Ruling
from tdgen.types import ARBITRATED, Case, Revision

Vote = Callable[[Sequence[Case], int], Mapping[str, Ruling]]
Passes = Callable[[Sequence[Case]], Mapping[str, bool]]
MOST_TRIED = 8
MOST_VOTES = 3


class Judgement(NamedTuple):
    """What came of a trial: how cases change (None: set aside), what is recorded of it, and whom it bore out."""

    changed: dict[str, Case | None]
    revisions: tuple[Revision, ...]
    upheld: tuple[str, ...]


def judge_doubtful(cases: Sequence[Case], vote: Vote, passes: Passes, *, votes: int) -> Judgement:
    """Hold the trial of `cases`; `vote` asks for a numbered vote, `passes` tells which cases the implementation passes.

    `votes` is how many heads must be heard on every case (1: a word for the case is taken at once; 3: a majority).
    A case that no majority speaks against stands.
    """
    heard: dict[str, list[Ruling]] = {case.name: [] for case in cases}
    pending = list(cases)
    decided: dict[str, Ruling] = {}
    for number in range(MOST_VOTES):
        rulings = vote(pending, number)
        for case in pending:
            if case.name in rulings:
                heard[case.name].append(rulings[case.name])
        borne_out = _borne_out(pending, rulings, passes)
        for case in pending:
            ruling = _decided(heard[case.name], borne_out, votes)
            if ruling is not None:
                decided[case.name] = ruling
        pending = [case for case in pending if case.name not in decided]
        if not pending or not any(case.name in rulings for case in pending):
            break
    return _judgement(cases, decided)


def votes_for(trust: str) -> int:
    """How many votes every doubtful case gets at a trust level."""
    return {"quick": 0, "standard": 1}.get(trust, MOST_VOTES)


def _borne_out(cases: Sequence[Case], rulings: Mapping[str, Ruling], passes: Passes) -> set[str]:
    """The cases that the implementation passes as they were revised."""
    revised = [
        case.observing(ruling.effects)
        for case in cases
        if (ruling := rulings.get(case.name)) is not None and ruling.effects is not None
    ]
    return {name for name, passed in passes(revised).items() if passed} if revised else set()


def _decided(heard: Sequence[Ruling], borne_out: set[str], votes: int) -> Ruling | None:
    """The ruling that stands after so many votes; None where another must be heard, or none can stand."""
    if not heard:
        return None
    latest = heard[-1]
    if votes == 1 and len(heard) == 1 and (latest.verdict == "upheld" or latest.case in borne_out):
        return latest
    alike = [ruling for ruling in heard if _alike(ruling, latest)]
    return latest if len(alike) * 2 > MOST_VOTES else None


def _alike(one: Ruling, other: Ruling) -> bool:
    if one.effects is None or other.effects is None:
        return one.verdict == other.verdict
    return same_effects(one.effects, other.effects)


def _judgement(cases: Sequence[Case], decided: Mapping[str, Ruling]) -> Judgement:
    changed: dict[str, Case | None] = {}
    revisions, upheld = [], []
    for case in cases:
        ruling = decided.get(case.name)
        if ruling is None:
            continue
        if ruling.verdict == "upheld":
            upheld.append(case.name)
            changed[case.name] = case.model_copy(update={"confirmed": (*case.confirmed, ARBITRATED)})
        elif ruling.effects is not None:
            now = case.observing(ruling.effects).model_copy(update={"why": ruling.quote, "confirmed": (ARBITRATED,)})
            changed[case.name] = now
            revisions.append(_revision(case, ruling, "revised", _claims(now)))
        else:
            changed[case.name] = None
            revisions.append(_revision(case, ruling, "quarantined", ""))
    return Judgement(changed, tuple(revisions), tuple(upheld))


def _revision(case: Case, ruling: Ruling, action: str, after: str) -> Revision:
    return Revision.model_validate(
        {
            "function": case.function,
            "case": case.name,
            "action": action,
            "reason": ruling.reason or "the contract does not settle it",
            "quote": ruling.quote,
            "call": case.expression,
            "before": _claims(case),
            "after": after,
        }
    )


def _claims(case: Case) -> str:
    """All that a case says, in one line."""
    return "; ".join([claim_text(case), *(line.strip() for line in observed_text(case))])
