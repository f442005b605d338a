"""A right function that fails a wrong case only ends undecided, with the question, within a bounded number of calls."""

from __future__ import annotations

from collections import Counter

import pytest

RIGHT = """
def half(number: int) -> int:
    if number % 2:
        raise ValueError("odd")
    return number // 2
"""
ANOTHER = RIGHT.replace("number // 2", "int(number / 2)")
QUOTE = "Half the number"
MOST_CALLS = 11
"""Cases, the four attempts that the budget has, and three rulings twice."""


@pytest.fixture
def wrong(write):
    """Wrong cases, by what of them is wrong."""
    printing = {"stdout": "2\n", "files": [], "after": []}
    return {
        "value": write.returns("half(4)", "3", name="wrong"),
        "exception": write.raises("half(4)", "TypeError", name="wrong"),
        "stdout": write.returns("half(4)", "2", name="wrong", observe=printing),
        "message": write.raises("half(3)", "ValueError", match="even", name="wrong"),
    }


@pytest.fixture
def solve(solver, write):
    """The function solved with a wrong case, by attempts and rulings that are given."""

    def run(case, tries, rulings, **settings):
        sound = [write.returns(f"half({number})", str(number // 2)) for number in (0, 2, 8, 10, 12)]
        also = [
            write.rules({"case": "wrong", "working": "", "quote": QUOTE, **ruling}, sample=sample)
            for sample, ruling in enumerate(rulings)
        ]
        function = write.function(
            "half(number: int) -> int",
            f"{QUOTE}; odd ones are refused.",
            cases=[*sound, case],
            tries=tries,
            also=also,
            raises=["ValueError"],
        )
        return solver.solve(function, settings={"trust": "standard"} | settings)

    return run


DISAGREE = [
    {"verdict": "revised", "value": "17"},
    {"verdict": "unsettled"},
    {"verdict": "upheld"},
]
OBJECTING = f'OBJECTION wrong: "{QUOTE}" 4 is even\n```python{RIGHT}```'
KINDS = ["value", "exception", "stdout", "message"]


def calls(solved) -> Counter[str]:
    return Counter(request.purpose for request in solved.model.asked if request.subject == "half")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rulings", [DISAGREE * 2, []], ids=["arbiters who disagree", "arbiters who say nothing"])
@pytest.mark.parametrize("objects", [True, False], ids=["an objecting developer", "a silent developer"])
def test_it_ends_undecided(solve, wrong, write, kind, rulings, objects):
    """Whatever is wrong with the case: the question says what the case demands and what speaks against it."""
    again = write.said(OBJECTING) if objects else RIGHT
    solved = solve(wrong[kind], [again, again, again, write.said(f"```python{ANOTHER}```")], rulings)
    assert solved["half"].outcome == "undecided"
    assert "wrong" in solved["half"].reason
    (question,) = solved.solution.questions
    assert "The test wrong says: " in question.question
    assert sum(calls(solved).values()) <= MOST_CALLS


@pytest.mark.parametrize("kind", KINDS)
def test_an_objection_to_what_was_upheld_leaves_it_in_doubt(solve, wrong, write, kind):
    """Two words of developers outweigh an arbiter's; once there are three, nobody is asked for another attempt."""
    objecting = write.said(OBJECTING)
    solved = solve(wrong[kind], [objecting] * 4, [{"verdict": "upheld"}])
    assert solved["half"].outcome == "undecided"
    assert calls(solved) == {"cases": 1, "implement": 1, "trial": 1, "repair": 2}
    assert "4 is even" in solved.prompts("trial")[0]


def test_what_is_upheld_with_all_that_is_known_is_red(solve, wrong, write):
    """The arbiter was told that implementations agree, and upheld the case all the same."""
    upheld = [{"verdict": "upheld"}] * 6
    solved = solve(wrong["stdout"], [RIGHT, RIGHT, RIGHT, write.said(f"```python{ANOTHER}```")], upheld)
    assert solved["half"].outcome == "red"
    assert calls(solved)["trial"] == 2
    assert "2 implementations that share no code came to: stdout: '', expected '2\\n'" in solved.prompts("trial")[1]


def test_a_question_is_not_paid_for_twice(solve, wrong):
    """A run that was stopped between two rulings goes on with the second."""
    ruling = {"verdict": "revised", "value": "2"}
    stopped = solve(wrong["value"], [RIGHT], [ruling] * 2, budget="calls=4")
    assert stopped["half"].outcome != "green"
    assert len(stopped.prompts("trial")) == 1
    resumed = solve(wrong["value"], [RIGHT], [ruling] * 2)
    assert resumed.solution.all_tests_passed
    assert [request.sample for request in resumed.model.asked if request.purpose == "trial"] == [1]
