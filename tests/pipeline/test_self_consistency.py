"""At trust level strict each generated case is worked out twice before there is any code."""

from __future__ import annotations

import json

import pytest

from tdgen.errors import ModelError
from tdgen.events import CaseRevised, Noted
from tdgen.models.scripted import ScriptedAnswer
from tdgen.pipeline.self_consistency import CONFIRMED
from tdgen.protocols import Answer, Request

STRICT = {"trust": "strict"}
RIVAL = "def double(number: int) -> int:\n    return number + number"
QUOTE = "Twice the number."
OPEN = {"expect": "open"}


def gives(value: str, expect: str = "value") -> dict[str, str]:
    return {"expect": expect, "value": value}


def rulings(*told: dict[str, str]) -> list[ScriptedAnswer]:
    """Three votes that all say the same."""
    text = json.dumps({"rulings": list(told)})
    return [ScriptedAnswer(purpose="trial", variant="confirm", sample=vote, text=text) for vote in range(3)]


@pytest.fixture
def worked_out(solver, write, double):
    """`double(number)` on 0, 1, 7 and -4 (the last one perhaps wrong), worked out again as given, and solved."""

    def solve(*answers, last="-8", also=(), settings=STRICT, model=lambda inner: inner, text="Double.", **of_plan):
        cases = [write.returns(f"double({n})", str(2 * n), name=f"of_{n}") for n in (0, 1, 7)]
        cases.append(write.returns("double(-4)", last, name="of_minus_4"))
        again = [write.settles(*answers, variant="confirm")] if answers else []
        function = double(cases=cases, rival=RIVAL, also=[*again, *also])
        return solver.solve(function, text=text, settings=settings, model=model(solver.model(function, **of_plan)))

    return solve


def confirmed(solved) -> dict[str, bool]:
    return {case.name: CONFIRMED in case.confirmed for case in solved["double"].suite.cases}


ALL_RIGHT = (gives("0"), gives("2"), gives("14"), gives("-8"))


def second_workings(solved) -> list[str]:
    asked = [request for request in solved.model.asked if (request.purpose, request.variant) == ("settle", "confirm")]
    return [request.messages[-1].content for request in asked]


def test_a_case_that_comes_out_the_same_is_confirmed(worked_out):
    """By a sample that knows nothing of the first."""
    solved = worked_out(*ALL_RIGHT)
    assert solved.solution.all_tests_passed
    assert all(confirmed(solved).values())
    assert not solved.prompts("trial")
    told = {case["name"]: case["confirmed"] for case in solved.solution.to_dict()["tests"]["double"]}
    assert CONFIRMED in told["of_7"]


def test_the_second_working_sees_no_expectation(worked_out):
    """The contract and the calls, and not what the cases say of them."""
    (prompt,) = second_workings(worked_out(*ALL_RIGHT))
    assert prompt.partition("<calls>")[2].startswith(
        "\n1. `double(0)`\n2. `double(1)`\n3. `double(7)`\n4. `double(-4)`\n</calls>"
    )
    assert "`14`" not in prompt
    assert "of_minus_4" not in prompt


def test_no_code_is_there_yet(worked_out):
    """Cases are confirmed before anything is implemented."""
    purposes = [request.purpose for request in worked_out(*ALL_RIGHT).model.asked]
    assert purposes.index("settle") < purposes.index("implement")


def test_a_case_that_comes_out_otherwise_is_tried(worked_out):
    """Where the trial revises it, the developer never sees what it said before."""
    revised = {"case": "of_minus_4", "verdict": "revised", "value": "-8", "quote": QUOTE}
    solved = worked_out(*ALL_RIGHT, last="8", also=rulings(revised))
    assert solved.solution.all_tests_passed
    assert confirmed(solved) == {"of_0": True, "of_1": True, "of_7": True, "of_minus_4": False}
    (revision,) = solved.solution.revisions
    assert (revision.case, revision.action, revision.after) == ("of_minus_4", "revised", "`double(-4)` returns `-8`")
    assert revision in [event.revision for event in solved.happened(CaseRevised)]
    assert all("`double(-4)` returns `8`" not in prompt for prompt in solved.prompts("implement"))


def test_only_what_is_doubtful_is_tried(worked_out):
    """By a majority, as there is no implementation that could bear one word out."""
    upheld = {"case": "of_minus_4", "verdict": "upheld", "quote": QUOTE}
    solved = worked_out(*ALL_RIGHT[:3], gives("8"), also=rulings(upheld))
    assert solved.solution.all_tests_passed
    assert len(solved.prompts("trial")) == 2
    assert all("of_7" not in prompt.rpartition("<cases_in_doubt>")[2] for prompt in solved.prompts("trial"))
    (case,) = [case for case in solved["double"].suite.cases if case.name == "of_minus_4"]
    assert "trial" in case.confirmed


def test_what_stays_unsettled_is_set_aside(worked_out):
    """It is no case of the suite any more, and why is told."""
    unsettled = {"case": "of_minus_4", "verdict": "unsettled"}
    solved = worked_out(*ALL_RIGHT[:3], OPEN, also=rulings(unsettled))
    assert solved.solution.all_tests_passed
    assert "of_minus_4" not in confirmed(solved)
    assert [revision.action for revision in solved.solution.revisions] == ["quarantined"]


def test_a_trial_that_sets_most_aside_leaves_nothing_to_be_green_by(worked_out):
    """Whatever passes the rest."""
    names = ("of_1", "of_7", "of_minus_4")
    solved = worked_out(
        gives("0"), OPEN, OPEN, OPEN, also=rulings(*({"case": name, "verdict": "unsettled"} for name in names))
    )
    assert solved["double"].outcome == "undecided"
    assert not solved.solution.all_tests_passed


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("-8", gives("-8.0"), False),
        ("-8", gives("int('-8')"), True),
        ("-8", gives("result == -8", "check"), True),
        ("-8", gives("ValueError", "raises"), False),
    ],
    ids=["a float", "other words", "a predicate", "an exception"],
)
def test_what_counts_as_the_same(worked_out, first, second, same):
    """What the judge would take for the same; a predicate bears out whatever is no exception."""
    assert confirmed(worked_out(*ALL_RIGHT[:3], second, last=first))["of_minus_4"] is same


def test_law_is_not_asked_about(worked_out, write):
    """The user's word needs no second one; it is shown as what it is."""
    pinned = write.example("double(3) is 6", "double(3)", "6")
    solved = worked_out(*ALL_RIGHT, text="double(3) is 6", examples=[pinned])
    (prompt,) = second_workings(solved)
    assert "double(3)" not in prompt.rpartition("<calls>")[2]
    assert "`double(3)` returns `6`" in prompt.rpartition("<calls>")[0]
    (case,) = [case for case in solved["double"].suite.cases if case.is_pinned]
    assert not case.confirmed


@pytest.mark.parametrize("text", ["", "All of them are right.", '{"answers": []}'])
def test_a_nonsensical_working_changes_nothing(worked_out, text):
    """No case is confirmed, and none is tried."""
    said = [ScriptedAnswer(purpose="settle", variant="confirm", attempt=attempt, text=text) for attempt in (1, 2)]
    solved = worked_out(also=said)
    assert solved.solution.all_tests_passed
    assert not any(confirmed(solved).values())
    assert not solved.prompts("trial")


class Failing:
    """A model that fails when cases are to be worked out again."""

    def __init__(self, inner) -> None:
        self.inner = inner

    @property
    def asked(self):
        return self.inner.asked

    def ask(self, request: Request) -> Answer:
        if request.variant == "confirm":
            raise ModelError("the line is dead")
        return self.inner.ask(request)


def test_a_model_that_fails_leaves_the_suite_as_it_is(worked_out):
    """And a note."""
    solved = worked_out(model=Failing)
    assert solved.solution.all_tests_passed
    notes = [event.text for event in solved.happened(Noted)]
    assert "double: its cases were not worked out a second time: the line is dead" in notes


def test_no_call_that_others_need_is_spent_on_it(worked_out):
    """It is left out first."""
    solved = worked_out(settings=STRICT | {"budget": "calls=4"})
    assert solved["double"].outcome == "green"
    assert not second_workings(solved)


def test_below_strict_it_is_left_out(worked_out):
    """It costs a call for each function."""
    assert not second_workings(worked_out(settings={"trust": "standard"}))
