"""Who is wrong, the case or the code: how many votes decide, and what they change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tdgen.build.rulings import judge_doubtful
from tdgen.testgen.arbiter import Ruling
from tdgen.types import Case, Correction, Effects, Value, World


def case(name: str = "three", expects: str = "4") -> Case:
    return Case(name=name, function="f", arguments=("3",), expectation=Value(source=expects))


def upheld(name: str = "three") -> Ruling:
    return Ruling(case=name, verdict="upheld", quote="the words")


def revised(value: str, name: str = "three") -> Ruling:
    return Ruling(case=name, verdict="revised", quote="the words", effects=Effects(expectation=Value(source=value)))


def unsettled(name: str = "three") -> Ruling:
    return Ruling(case=name, verdict="unsettled")


def unfair(name: str = "three") -> Ruling:
    return Ruling(case=name, verdict="unfair")


def agree(one: Case, other: Case) -> bool:
    return one.expectation == other.expectation


class Court:
    """Rulings that are given in advance."""

    def __init__(self, *votes: Ruling | None) -> None:
        self.votes = list(votes)
        self.asked: list[int] = []

    def vote(self, cases: Sequence[Case], number: int) -> Mapping[str, Ruling]:
        self.asked.append(number)
        ruling = self.votes[number] if number < len(self.votes) else None
        return {ruling.case: ruling} if ruling else {}

    def judge(self, upholding: int = 1):
        return judge_doubtful([case()], self.vote, agree, upholding=upholding)


def test_what_refutes_the_contract_is_told_in_one_line():
    """Whoever of those that agree names the sentence; words that run over a line end in the instruction too."""
    named = revised("6").model_copy(update={"quote": "the\n  words", "refuted": "its sentence", "refuted_of": "f"})
    function, correction = Court(revised("6"), named).judge().corrections["three"]
    assert function == "f"
    assert correction == Correction(quote="the words", refuted="its sentence", effect="`f(3)` returns `6`")


def test_a_correction_shows_the_situation_of_its_example():
    """What the setup makes and which files there are: without them the call says nothing."""
    told = case().model_copy(update={"setup": "x = 2\ny = 3", "world": World(files={"a.txt": "1"})})
    named = revised("6").model_copy(update={"quote": "the words", "refuted": "its sentence", "refuted_of": "f"})
    judgement = judge_doubtful([told], Court(named, named).vote, agree, upholding=1)
    assert judgement.corrections["three"][1].effect == (
        "`f(3)` returns `6`\n  after setup:\n      x = 2\n      y = 3\n  with the file 'a.txt': '1'"
    )


def test_who_is_outvoted_corrects_no_contract():
    """What is named wrong goes with the ruling that names it."""
    named = revised("5").model_copy(update={"refuted": "its sentence"})
    assert not Court(named, revised("6"), revised("6")).judge().corrections


def test_one_word_for_a_case_is_enough_at_standard():
    """It stands, and it is noted that a trial bore it out."""
    court = Court(upheld())
    judgement = court.judge()
    assert court.asked == [0]
    assert judgement.changed["three"].confirmed == ("trial",)
    assert not judgement.revisions


@pytest.mark.parametrize("against", [revised("5"), unsettled(), unfair()])
def test_a_word_against_a_case_needs_a_second_that_says_the_same(against):
    """Whatever an implementation gives: two that agree decide."""
    court = Court(against, against)
    judgement = court.judge()
    assert court.asked == [0, 1]
    assert len(judgement.revisions) == 1


def test_a_revision_tells_what_was_changed_and_by_which_words():
    """For the record, in one line each."""
    (revision,) = Court(revised("9"), revised("9")).judge().revisions
    assert revision.action == "revised"
    assert (revision.before, revision.after) == ("`f(3)` returns `4`", "`f(3)` returns `9`")
    assert revision.quote == "the words"


@pytest.mark.parametrize(("third", "expects"), [(revised("5"), "5"), (upheld(), "4")])
def test_after_a_word_against_it_two_of_three_decide(third, expects):
    """One for it is not enough any more, nor is one against it."""
    court = Court(revised("5"), upheld(), third)
    judgement = court.judge()
    assert court.asked == [0, 1, 2]
    assert judgement.changed["three"].expectation.source == expects
    assert not judgement.changed["three"].doubts


@pytest.mark.parametrize(
    "votes",
    [
        (revised("5"), unsettled(), upheld()),
        (revised("5"), revised("6"), revised("7")),
        (revised("5"), revised("6"), unsettled()),
        (revised("5"), None),
    ],
)
def test_where_no_two_agree_the_case_stands_in_doubt(votes):
    """What each said is kept with it: a question for the user, if nothing else settles it."""
    judgement = Court(*votes).judge()
    assert judgement.changed["three"].expectation.source == "4"
    assert "one corrects it to: `f(3)` returns `5`" in judgement.changed["three"].doubts[0]
    assert not judgement.changed["three"].confirmed
    assert not judgement.revisions


@pytest.mark.parametrize("second", [unsettled(), unfair()])
def test_who_would_set_a_case_aside_agrees_with_who_would_too(second):
    """It goes; a question to the user is it only where the words leave the matter open."""
    judgement = Court(unfair(), second).judge()
    assert judgement.changed == {"three": None}
    assert judgement.open == (("three",) if second.verdict == "unsettled" else ())


def test_a_majority_is_heard_at_strict():
    """One word for the case is not enough."""
    court = Court(upheld(), revised("9"), revised("9"))
    judgement = court.judge(upholding=2)
    assert court.asked == [0, 1, 2]
    assert judgement.changed["three"].expectation.source == "9"


def test_silence_changes_nothing():
    """A trial that answers nonsense is asked no further."""
    court = Court(None)
    judgement = court.judge()
    assert court.asked == [0]
    assert not judgement.changed


def test_a_quarantined_case_is_set_aside():
    """None stands in its place, and why is told."""
    judgement = Court(unsettled(), unsettled()).judge()
    assert judgement.changed == {"three": None}
    (revision,) = judgement.revisions
    assert revision.action == "quarantined"
