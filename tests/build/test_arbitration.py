"""Before code is bent to a doubtful case, the case is tried; and what bounds the harm of a trial that can't judge."""

from __future__ import annotations

from typing import ClassVar

import pytest

from tdgen.events import CaseRevised

STANDARD = {"trust": "standard"}
RIGHT = "def double(number: int) -> int:\n    return 2 * number"
BUT_SEVEN = "def double(number: int) -> int:\n    return 2 * number if number != 7 else 0"
BENT = "def double(number: int) -> int:\n    return 2 * number if number >= 0 else -2 * number"
ONLY_ZERO = "def double(number: int) -> int:\n    return 2 * number if number == 0 else 1"
QUOTE = "Twice the number."


def word(case: str, verdict: str, value: str = "", quote: str = QUOTE, **more: str) -> dict[str, str]:
    """A ruling as a trial gives it."""
    return {"case": case, "verdict": verdict, "value": value, "quote": quote, "working": "2 * -4", **more}


TO_RIGHT = word("wrong", "revised", "-8")
UNSETTLED = word("wrong", "unsettled", quote="")


@pytest.fixture
def doubtful(double, write):
    """`double` with one case that is wrong and shown; the trial's votes and the developer's tries are given."""

    def make(*votes, tries=(RIGHT,), wrong="8"):
        sound = [write.returns(f"double({number})", str(2 * number)) for number in (0, 1, 7, 9, 12)]
        cases = [*sound, write.returns("double(-4)", wrong, name="wrong", kind="edge")]
        also = [write.rules(*rulings, sample=place) for place, rulings in enumerate(votes)]
        return double(*tries, cases=cases, also=also)

    return make


def wrong_case(solved):
    return next(case for case in solved["double"].suite.cases if case.name == "wrong")


class TestAWrongCase:
    """A right first implementation fails it."""

    def test_is_revised_before_anybody_is_asked_to_repair(self, solver, doubtful):
        """Two rulings, which see no code, come to the same: the case changes, not the code."""
        solved = solver.solve(doubtful([TO_RIGHT], [TO_RIGHT]), settings=STANDARD)
        assert solved.solution.all_tests_passed
        assert len(solved["double"].history) == 1
        assert not solved.prompts("repair")
        assert wrong_case(solved).expectation.source == "-8"
        assert wrong_case(solved).confirmed == ("trial",)

    def test_the_trial_sees_no_code(self, solver, doubtful):
        """But what it gave, as an outcome like the one that the case expects; and the second vote has them swapped."""
        first, second = solver.solve(doubtful([TO_RIGHT], [TO_RIGHT]), settings=STANDARD).prompts("trial")
        assert "- wrong: `double(-4)`\n  A: returns `8`\n  B: returns `-8`\n</cases_in_doubt>" in first
        assert "- wrong: `double(-4)`\n  A: returns `-8`\n  B: returns `8`\n</cases_in_doubt>" in second
        assert "2 * number" not in first

    def test_nor_what_a_single_second_reading_gives(self, solver, doubtful, change_policy):
        """Whose outcome is whose would tell which is the test's own."""
        change_policy("standard", readings=1)
        reading = "def double(number):\n    return abs(2 * number)"
        solved = solver.solve(doubtful([TO_RIGHT], [TO_RIGHT]), settings=STANDARD, readings=[reading])
        assert "independent" not in solved.prompts("trial")[0]

    def test_every_revision_is_told(self, solver, doubtful):
        """In the solution and as an event, with the words that decided it; the test file has no such notes."""
        solved = solver.solve(doubtful([TO_RIGHT], [TO_RIGHT]), settings=STANDARD)
        (revision,) = solved.solution.revisions
        assert (revision.action, revision.quote) == ("revised", QUOTE)
        assert (revision.before, revision.after) == ("`double(-4)` returns `8`", "`double(-4)` returns `-8`")
        assert [event.revision for event in solved.happened(CaseRevised)] == [revision]
        assert "revised" not in solved.solution.test_files["test_double.py"]
        (told,) = solved.solution.to_dict()["revisions"]
        assert told["quote"] == QUOTE

    def test_is_renamed_as_the_ruling_says(self, solver, doubtful):
        """Its old name may say what is not right; it is told in the revision, and what was held out stays so."""
        renamed = TO_RIGHT | {"name": "Negative is doubled"}
        solved = solver.solve(doubtful([renamed], [renamed]), settings=STANDARD)
        assert solved.solution.all_tests_passed
        names = [case.name for case in solved["double"].suite.cases]
        assert "wrong" not in names
        assert "negative_is_doubled" in names
        (revision,) = solved.solution.revisions
        assert (revision.case, revision.after) == (
            "wrong",
            "`double(-4)` returns `-8`; it is called negative_is_doubled now",
        )

    def test_keeps_its_name_where_another_case_has_the_new_one(self, solver, doubtful):
        """Two cases of one name could not be told apart."""
        taken = TO_RIGHT | {"name": "double_7"}
        solved = solver.solve(doubtful([taken], [taken]), settings=STANDARD)
        assert solved.solution.all_tests_passed
        assert wrong_case(solved).expectation.source == "-8"

    def test_is_quarantined_where_two_find_it_unsettled(self, solver, doubtful):
        """It never returns, and what it asked is a question, with the assumption that what was written is meant."""
        solved = solver.solve(doubtful([UNSETTLED], [UNSETTLED]), settings=STANDARD)
        assert solved.solution.all_tests_passed
        assert not solved.prompts("repair")
        assert "wrong" not in [case.name for case in solved["double"].suite.cases]
        (revision,) = solved.solution.revisions
        assert (revision.case, revision.action) == ("wrong", "quarantined")
        (question,) = solved.solution.questions
        assert (question.function, question.call) == ("double", "double(-4)")
        assert "the implementation does: it returned -8" in question.assumption

    def test_is_revised_to_what_two_of_three_demand(self, solver, doubtful):
        """One that errs is outvoted."""
        once = word("wrong", "revised", "-9")
        solved = solver.solve(doubtful([once], [TO_RIGHT], [TO_RIGHT]), settings=STANDARD)
        assert solved.solution.all_tests_passed
        assert len(solved.prompts("trial")) == 3
        assert wrong_case(solved).expectation.source == "-8"


class TestARightCase:
    """A wrong implementation fails it."""

    def test_is_upheld_and_the_code_repaired(self, solver, doubtful):
        """One word for it is enough, and it is noted."""
        upheld = word("double_7", "upheld")
        solved = solver.solve(doubtful([upheld], tries=(BUT_SEVEN, RIGHT), wrong="-8"), settings=STANDARD)
        assert solved.solution.all_tests_passed
        assert len(solved.prompts("repair")) == 1
        assert not solved.solution.revisions
        (case,) = [case for case in solved["double"].suite.cases if case.name == "double_7"]
        assert case.confirmed == ("trial",)

    def test_is_tried_as_soon_as_right_code_fails_it_in_place_of_one_that_was_upheld(self, solver, doubtful):
        """As many cases pass as before, but those that somebody looked at twice count for more."""
        wrong_alike = "def double(number: int) -> int:\n    return 0 if number == 7 else 2 * abs(number)"
        upheld = word("double_7", "upheld")
        solved = solver.solve(doubtful([upheld, TO_RIGHT], [TO_RIGHT], tries=(wrong_alike, RIGHT)), settings=STANDARD)
        assert solved.solution.all_tests_passed
        assert [attempt.rung for attempt in solved["double"].history] == ["first", "repair"]
        assert wrong_case(solved).expectation.source == "-8"

    def test_is_not_tried_where_most_fail(self, solver, doubtful):
        """Then the code is what is likelier wrong, and the repair comes first."""
        never = "def double(number: int) -> int:\n    return 99"
        solved = solver.solve(doubtful(tries=(never, RIGHT), wrong="-8"), settings=STANDARD)
        assert solved.solution.all_tests_passed
        assert not solved.prompts("trial")

    def test_goes_on_trial_where_most_fail_when_a_repair_was_no_help(self, solver, doubtful):
        """A failure that outlasts a repair may be the cases' fault after all."""
        upheld = [word(f"double_{n}", "upheld") for n in (1, 7, 9, 12)] + [word("wrong", "upheld")]
        tries = (ONLY_ZERO, ONLY_ZERO, RIGHT)
        solved = solver.solve(doubtful(upheld, tries=tries, wrong="-8"), settings=STANDARD)
        assert solved.solution.all_tests_passed
        asked = [r.purpose for r in solved.model.asked if r.purpose in ("trial", "repair", "implement")]
        assert asked.index("trial") > asked.index("repair")


class TestLaw:
    """The user's word is not in doubt."""

    def test_is_never_tried(self, solver, doubtful, write):
        """The implementation that fails it is repaired, and goes red where it can't be."""
        pinned = write.example("double(3) is 5", "double(3)", "5")
        solved = solver.solve(
            doubtful(tries=(RIGHT, RIGHT), wrong="-8"),
            text="double(number): double(3) is 5",
            settings=STANDARD | {"budget": "iterations=2"},
            examples=[pinned],
        )
        assert solved["double"].outcome == "red"
        assert "double(3)" in [case.expression for case in solved["double"].suite.cases]
        assert all("- example" not in p.rpartition("<cases_in_doubt>")[2] for p in solved.prompts("trial"))

    def test_is_shown_to_the_trial_of_others(self, solver, doubtful, write):
        """It says what the user means."""
        pinned = write.example("double(3) is 6", "double(3)", "6")
        solved = solver.solve(
            doubtful([TO_RIGHT], [TO_RIGHT]), text="double(3) is 6", settings=STANDARD, examples=[pinned]
        )
        prompt, *_ = solved.prompts("trial")
        assert "`double(3)` returns `6`" in prompt.rpartition("<users_examples>")[2]


class TestAnObjection:
    """A developer names a case that contradicts the words, and answers with the code that it stands by."""

    NEVER = "def double(number: int) -> int:\n    return 99"
    OBJECTING = f'OBJECTION wrong: "{QUOTE}"\n```python\n{RIGHT}\n```'

    def test_is_told_to_the_trial_which_decides(self, solver, doubtful, write):
        """The words are quoted beside the case; the code is not shown."""
        tries = (self.NEVER, write.said(self.OBJECTING))
        solved = solver.solve(doubtful([TO_RIGHT], [TO_RIGHT], tries=tries), settings=STANDARD)
        assert solved.solution.all_tests_passed
        prompt, second = solved.prompts("trial")
        told = prompt.rpartition("<cases_in_doubt>")[2]
        objection = f'\n  a developer objects, quoting "{QUOTE}"'
        assert f"- wrong: `double(-4)`\n  A: returns `8`\n  B: returns `-8`{objection}" in told
        assert f"  A: returns `-8`\n  B: returns `8`{objection}" in second
        assert "2 * number" not in prompt
        assert wrong_case(solved).expectation.source == "-8"

    def test_is_not_heard_twice_on_the_same_words(self, solver, doubtful, write):
        """The case stands, and the developer is told so as one reader's word, not as an authority's."""
        tries = (self.NEVER, write.said(self.OBJECTING), write.said(self.OBJECTING))
        function = doubtful([word("wrong", "upheld")], tries=tries)
        solved = solver.solve(function, settings=STANDARD | {"budget": "iterations=3"})
        assert len(solved.prompts("trial")) == 1
        assert (
            "one reader of the instruction worked this test out again and came to the same"
            in solved.prompts("repair")[1]
        )

    def test_to_what_the_user_wrote_is_a_question(self, solver, doubtful, write):
        """No trial touches it. Two attempts that object are enough: the function ends undecided, not red."""
        pinned = write.example("double(3) is 5", "double(3)", "5")
        objecting = write.said(self.OBJECTING.replace("wrong", "example_1"))
        solved = solver.solve(
            doubtful(tries=(RIGHT, objecting, objecting, RIGHT, RIGHT), wrong="-8"),
            text="double(number): double(3) is 5",
            settings=STANDARD | {"budget": "iterations=5"},
            examples=[pinned],
        )
        assert solved["double"].outcome == "undecided"
        assert "example_1" in solved["double"].reason
        assert len(solved["double"].history) == 3
        assert not solved.prompts("trial")
        (question,) = solved.solution.questions
        assert QUOTE in question.question
        assert question.call == "double(3)"


NOT_NEGATIVE = "a negative one counts as 0"
EVEN_NEGATIVE = "negative or not"


class TestAContractThatTheInstructionRefutes:
    """The plan misread a sentence, and a case was made from what it says."""

    WORDS = f"double a number; {NOT_NEGATIVE}. quadruple does so twice."
    AS_THE_WORDS_SAY = "def double(number: int) -> int:\n    return 2 * max(number, 0)"
    AS_THE_CONTRACT_SAYS = "def double(number: int) -> int:\n    return 2 * number"
    CORRECTION = (
        f'Corrected: "{NOT_NEGATIVE}" holds, and not "{EVEN_NEGATIVE}". For example:\n  `double(-4)` returns `0`'
    )

    @pytest.fixture
    def solve(self, solver, write):
        """`double`, and a function that stands on it, by rulings and tries that are given."""

        def run(*rulings, tries=(self.AS_THE_WORDS_SAY,), expected="-8", **settings):
            sound = [write.returns(f"double({n})", str(2 * n)) for n in (0, 1, 7, 9, 12)]
            double = write.function(
                "double(number: int) -> int",
                f"Twice the number, {EVEN_NEGATIVE}.",
                cases=[*sound, write.returns("double(-4)", expected, name="wrong", kind="edge")],
                tries=tries,
                also=[write.rules(ruling, sample=sample) for sample, ruling in enumerate(rulings)],
            )
            quadruple = write.function(
                "quadruple(number: int) -> int",
                cases=[write.returns(f"quadruple({n})", str(4 * n)) for n in (0, 1, 2, 3, 7)],
                tries=["def quadruple(number: int) -> int:\n    return double(double(number))"],
                uses=["double"],
            )
            return solver.solve(double, quadruple, text=self.WORDS, settings=STANDARD | settings)

        return run

    REFUTED: ClassVar = word("wrong", "revised", "0", quote=NOT_NEGATIVE, refuted=EVEN_NEGATIVE)

    def test_is_shown_corrected_to_all_that_stand_on_it(self, solve):
        """The function that calls it sees the words that hold, with what they come to."""
        solved = solve(self.REFUTED, self.REFUTED)
        assert solved.solution.all_tests_passed
        first, last = solved.prompts("implement")
        assert "Corrected:" not in first
        assert self.CORRECTION in last.rpartition("<functions_it_calls>")[2]

    def test_is_told_with_the_solution(self, solve):
        """As a note, and in the contract as data."""
        solution = solve(self.REFUTED, self.REFUTED).solution
        assert f'double: the plan said "{EVEN_NEGATIVE}", against your words "{NOT_NEGATIVE}", which hold' in (
            solution.notes
        )
        told = next(one for one in solution.to_dict()["function_specs"] if one["name"] == "double")
        (correction,) = told["corrections"]
        assert correction["refuted"] == EVEN_NEGATIVE

    def test_is_corrected_by_a_case_that_is_upheld_too(self, solve):
        """Code that followed the contract is repaired by who sees the correction."""
        upheld = word("wrong", "upheld", quote=NOT_NEGATIVE, refuted=EVEN_NEGATIVE)
        solved = solve(upheld, tries=(self.AS_THE_CONTRACT_SAYS, self.AS_THE_WORDS_SAY), expected="0")
        assert solved.solution.all_tests_passed
        (repair,) = solved.prompts("repair")
        assert self.CORRECTION in repair

    @pytest.mark.parametrize(
        "word",
        [
            REFUTED | {"refuted": "negative or positive"},
            REFUTED | {"refuted": NOT_NEGATIVE},
            REFUTED | {"quote": "Twice the number"},
        ],
        ids=["a sentence that the contract lacks", "the user's own words", "on the contract's word"],
    )
    def test_is_not_corrected_without_proof(self, solve, word):
        """The words that are refuted are the contract's, and those that refute them the user's."""
        solved = solve(word, word)
        assert solved.solution.all_tests_passed
        assert not solved.solution.plan.spec("double").corrections

    def test_does_not_tell_what_a_held_out_case_expects(self, solve, monkeypatch):
        """The words are shown, and not what they come to."""
        monkeypatch.setattr("tdgen.pipeline.testing.hold_out", _wrong_and_seven)
        last = solve(self.REFUTED, self.REFUTED).prompts("implement")[-1]
        assert f'Corrected: "{NOT_NEGATIVE}" holds, and not "{EVEN_NEGATIVE}".' in last
        assert "For example:" not in last

    def test_is_objected_to_by_a_developer(self, solve, write):
        """The objection stands beside each case in doubt, and the arbiter decides."""
        objecting = write.said(
            f'OBJECTION contract: "{NOT_NEGATIVE}" it says otherwise\n```python\n{self.AS_THE_WORDS_SAY}\n```'
        )
        solved = solve(self.REFUTED, self.REFUTED, tries=(objecting,))
        assert solved.solution.all_tests_passed
        told = solved.prompts("trial")[0].rpartition("<cases_in_doubt>")[2]
        assert f'a developer objects to the contract, quoting "{NOT_NEGATIVE}": it says otherwise' in told


def _wrong_and_seven(cases):
    return frozenset(case.name for case in cases) & {"wrong", "quadruple_7"}


def test_at_quick_nothing_is_tried(solver, doubtful):
    """The repair comes at once; the wrong case stays what it is."""
    solved = solver.solve(doubtful([TO_RIGHT], tries=(RIGHT, BENT)))
    assert not solved.prompts("trial")
    assert len(solved.prompts("repair")) == 1
    assert wrong_case(solved).expectation.source == "8"


class TestATrialThatCanNotJudge:
    """It changes little, and none of it unseen."""

    @pytest.mark.parametrize(
        "vote",
        [
            [],
            [word("nobody", "upheld")],
            [word("wrong", "revised", "-8", quote="I am sure of it.")],
            [word("wrong", "revised", "-8 +")],
            [word("wrong", "revised", "nowhere")],
            [word("wrong", "revised", "result", expect="check", quote="")],
        ],
        ids=["silent", "of another case", "a made-up quote", "no Python", "an unknown name", "no quote"],
    )
    def test_nonsense_changes_nothing(self, solver, doubtful, vote):
        """The case stands, and the ladder goes on to a repair."""
        settings = STANDARD | {"budget": "iterations=2"}
        solved = solver.solve(doubtful(vote, vote, tries=(RIGHT, RIGHT)), settings=settings)
        assert solved["double"].outcome == "red"
        assert wrong_case(solved).expectation.source == "8"
        assert not solved.solution.revisions
        assert solved.prompts("repair")

    def test_one_that_always_sides_with_the_case(self, solver, doubtful):
        """Costs the green: the case stays, tried a bounded number of times, and the best attempt is still there."""
        upheld = [[word("wrong", "upheld")]] * 6
        solved = solver.solve(doubtful(*upheld, tries=[RIGHT] * 4), settings=STANDARD)
        assert solved["double"].outcome == "red"
        assert solved["double"].best.passed == 5
        assert len(solved.prompts("trial")) <= 2

    def test_one_that_always_sides_against_the_case(self, solver, doubtful):
        """Costs the cases that the attempt fails, and says so of each: they are questions of the solution."""
        unsettled = [[word("double_7", "unsettled", quote="")]] * 6
        solved = solver.solve(doubtful(*unsettled, tries=(BUT_SEVEN,), wrong="-8"), settings=STANDARD)
        assert [revision.case for revision in solved.solution.revisions] == ["double_7"]
        assert [question.call for question in solved.solution.questions] == ["double(7)"]
        assert len(solved["double"].suite.cases) == 5

    def test_one_that_sets_most_cases_aside(self, solver, doubtful):
        """What is left says too little to call anything right."""
        names = [f"double_{n}" for n in (1, 7, 9, 12)] + ["wrong"]
        vote = [word(name, "unsettled", quote="") for name in names]
        solved = solver.solve(doubtful(*[vote] * 6, tries=[ONLY_ZERO] * 4, wrong="-8"), settings=STANDARD)
        assert solved["double"].outcome == "undecided"
        assert "5 of its 6 cases were set aside" in solved["double"].reason
        assert not solved.solution.all_tests_passed
        assert len(solved.solution.questions) == 5

    def test_law_stands_whatever_it_says(self, solver, doubtful, write):
        """An attempt that breaks it is never green."""
        pinned = write.example("double(3) is 6", "double(3)", "6")
        but_three = "def double(number: int) -> int:\n    return 2 * number if number != 3 else 0"
        against = [[word("example_1", "unsettled", quote="")]] * 6
        solved = solver.solve(
            doubtful(*against, tries=(but_three, but_three), wrong="-8"),
            text="double(3) is 6",
            settings=STANDARD | {"budget": "iterations=2"},
            examples=[pinned],
        )
        assert solved["double"].outcome == "red"
        assert not solved.solution.revisions


class TestAContractOfWhatItCalls:
    """The plan misread a sentence in the contract of a dependency, whose cases and code follow that."""

    WORDS = f"tripled gives three times a number; {NOT_NEGATIVE}. scored adds one to that."
    AS_THE_CONTRACT_SAYS = "def tripled(number: int) -> int:\n    return 3 * number"
    CALLER = "def scored(number: int) -> int:\n    return tripled(number) + 1"
    UPHELD = word("wrong", "upheld", quote=NOT_NEGATIVE, refuted=EVEN_NEGATIVE)

    @pytest.fixture
    def solve(self, solver, write):
        """`scored`, which is right, on `tripled`, whose contract is found wrong by a case of the former."""

        def run(caller=self.CALLER):
            tripled = write.function(
                "tripled(number: int) -> int",
                f"Three times the number, {EVEN_NEGATIVE}.",
                cases=[write.returns(f"tripled({n})", str(3 * n)) for n in (0, 1, 7, 9, -4)],
                tries=[self.AS_THE_CONTRACT_SAYS],
            )
            scored = write.function(
                "scored(number: int) -> int",
                cases=[
                    *(write.returns(f"scored({n})", str(3 * n + 1)) for n in (0, 1, 2, 3, 7)),
                    write.returns("scored(-4)", "1", name="wrong", kind="edge"),
                ],
                tries=[caller],
                uses=["tripled"],
                also=[write.rules(self.UPHELD)],
            )
            return solver.solve(tripled, scored, text=self.WORDS, settings=STANDARD)

        return run

    def test_is_corrected_and_left_open(self, solve):
        """What passes cases that may follow a refuted sentence is not green; the user is asked."""
        solved = solve()
        assert (solved["tripled"].outcome, solved["scored"].outcome) == ("undecided", "blocked")
        assert EVEN_NEGATIVE in solved["tripled"].reason
        (correction,) = solved["tripled"].corrections
        assert (correction.quote, correction.refuted, correction.effect) == (NOT_NEGATIVE, EVEN_NEGATIVE, "")
        note = "scored: the contract of tripled, which it calls, was corrected: tripled goes back to work"
        assert note in solved.solution.notes
        open_ones = [one.function for one in solved.solution.questions if EVEN_NEGATIVE in one.question]
        assert open_ones == ["tripled"]

    def test_is_objected_to_by_its_name(self, solve, write):
        """The objection stands beside the caller's cases in doubt."""
        objecting = write.said(f'OBJECTION tripled: "{NOT_NEGATIVE}" it says otherwise\n```python\n{self.CALLER}\n```')
        told = solve(caller=objecting).prompts("trial", "scored")[0].rpartition("<cases_in_doubt>")[2]
        assert f'a developer objects to the contract of tripled, quoting "{NOT_NEGATIVE}": it says otherwise' in told


def test_an_assumption_that_the_instruction_refutes_is_corrected(solver, write):
    """It is part of the contract of who is asked about: who calls that reads both."""
    assumed = {"question": "What of negative numbers in `double`?", "assumption": "They are doubled as they are."}
    refuted = word("wrong", "revised", "0", quote=NOT_NEGATIVE, refuted="They are doubled as they are.")
    double = write.function(
        "double(number: int) -> int",
        cases=[
            *(write.returns(f"double({n})", str(2 * n)) for n in (0, 1, 7, 9, 12)),
            write.returns("double(-4)", "-8", name="wrong", kind="edge"),
        ],
        tries=[TestAContractThatTheInstructionRefutes.AS_THE_WORDS_SAY],
        also=[write.rules(refuted, sample=sample) for sample in (0, 1)],
    )
    more = write.function(
        "more(number: int) -> int",
        cases=[write.returns(f"more({n})", str(2 * n + 1)) for n in (0, 1, 2, 3, 7)],
        tries=["def more(number: int) -> int:\n    return double(number) + 1"],
        uses=["double"],
    )
    words = f"double a number; {NOT_NEGATIVE}. more is one more than that."
    solved = solver.solve(double, more, text=words, questions=[assumed], settings=STANDARD)
    assert solved.solution.all_tests_passed
    (correction,) = solved.solution.plan.spec("double").corrections
    assert correction.refuted == "They are doubled as they are."
    last = solved.prompts("implement", "more")[0]
    assert f'They are doubled as they are. Corrected: "{NOT_NEGATIVE}" holds.\n</assumptions>' in last
