"""Who is wrong, the case or the code: how many votes decide, and what they change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tdgen.pipeline.workshop.court import judge_doubtful, votes_for
from tdgen.trials import Ruling
from tdgen.types import Case, Effects, Value


def case(name: str = "three", expects: str = "4") -> Case:
    return Case(name=name, function="f", arguments=("3",), expectation=Value(source=expects))


def upheld(name: str = "three") -> Ruling:
    return Ruling(case=name, verdict="upheld", quote="the words")


def revised(value: str, name: str = "three") -> Ruling:
    return Ruling(case=name, verdict="revised", quote="the words", effects=Effects(expectation=Value(source=value)))


def unsettled(name: str = "three") -> Ruling:
    return Ruling(case=name, verdict="unsettled")


class Court:
    """Votes that are given in advance; the implementation gives `gives`."""

    def __init__(self, *votes: Ruling | None, gives: str = "9") -> None:
        self.votes = list(votes)
        self.gives = gives
        self.asked: list[int] = []

    def vote(self, cases: Sequence[Case], number: int) -> Mapping[str, Ruling]:
        self.asked.append(number)
        ruling = self.votes[number] if number < len(self.votes) else None
        return {ruling.case: ruling} if ruling else {}

    def passes(self, cases: Sequence[Case]) -> Mapping[str, bool]:
        return {c.name: isinstance(c.expectation, Value) and c.expectation.source == self.gives for c in cases}

    def judge(self, votes: int):
        return judge_doubtful([case()], self.vote, self.passes, votes=votes)


def test_one_word_for_a_case_is_enough_at_standard():
    """It stands, and it is noted that a trial bore it out."""
    court = Court(upheld())
    judgement = court.judge(votes=1)
    assert court.asked == [0]
    assert judgement.upheld == ("three",)
    assert judgement.changed["three"].confirmed == ("trial",)
    assert not judgement.revisions


def test_a_revision_to_what_the_implementation_gives_is_taken_at_once():
    """Two who know nothing of each other say the same."""
    court = Court(revised("9"), gives="9")
    judgement = court.judge(votes=1)
    assert court.asked == [0]
    (revision,) = judgement.revisions
    assert revision.action == "revised"
    assert (revision.before, revision.after) == ("`f(3)` returns `4`", "`f(3)` returns `9`")
    assert revision.quote == "the words"
    assert judgement.changed["three"].expectation.source == "9"


@pytest.mark.parametrize("against", [revised("5"), unsettled()])
def test_a_word_that_nothing_bears_out_needs_a_second(against):
    """Two votes that say the same decide."""
    court = Court(against, against)
    judgement = court.judge(votes=1)
    assert court.asked == [0, 1]
    assert len(judgement.revisions) == 1


@pytest.mark.parametrize("against", [revised("5"), unsettled()])
def test_a_case_stands_where_two_of_three_are_for_it(against):
    """One erring vote drops no right case."""
    court = Court(against, upheld(), upheld())
    judgement = court.judge(votes=1)
    assert court.asked == [0, 1, 2]
    assert not judgement.revisions
    assert judgement.upheld == ("three",)


def test_where_no_two_votes_agree_nothing_changes():
    """The case stands, unconfirmed."""
    judgement = Court(revised("5"), unsettled(), upheld()).judge(votes=1)
    assert not judgement.changed
    assert not judgement.revisions


def test_a_majority_is_heard_at_strict():
    """One word for the case is not enough, and one against it that the implementation bears out is not either."""
    court = Court(upheld(), revised("9"), revised("9"), gives="9")
    judgement = court.judge(votes=3)
    assert court.asked == [0, 1, 2]
    assert judgement.changed["three"].expectation.source == "9"


def test_silence_changes_nothing():
    """A trial that answers nonsense is asked no further."""
    court = Court(None)
    judgement = court.judge(votes=1)
    assert court.asked == [0]
    assert not judgement.changed


def test_a_quarantined_case_is_set_aside():
    """None stands in its place, and why is told."""
    judgement = Court(unsettled(), unsettled()).judge(votes=1)
    assert judgement.changed == {"three": None}
    (revision,) = judgement.revisions
    assert revision.action == "quarantined"


def test_trust_levels_set_the_votes():
    """None at quick, one at standard, a majority of three at strict."""
    assert [votes_for(trust) for trust in ("quick", "standard", "strict")] == [0, 1, 3]
