"""Why a case or a function is as it is: the record's own words, found by call, name or value."""

from __future__ import annotations

import pytest

from tdgen.chat.why import why_lines
from tdgen.errors import InputError
from tdgen.types import ClassInterface, Method, Revision

WRONG = "def double(number: int) -> int:\n    return number * number"
RIGHT = "def double(number: int) -> int:\n    return number + number"


@pytest.fixture(scope="module")
def solution(one_studio, double, write):
    """`double` with an example of the user's, a first attempt that is wrong, and a ruling on a case."""
    cases = [write.returns(f"double({n})", str(2 * n), why=f"Twice {n}.", passages=[1]) for n in (0, 1, 7, -4)]
    written = double(WRONG, RIGHT, cases=cases, sentences=[1])
    example = write.example("double(3) == 6", "double(3)", "6")
    solved = one_studio.solve(written, text="Twice the number. So: double(3) == 6", examples=[example]).solution
    ruling = Revision(function="double", case="double_8", action="revised", reason="it is twice", quote="Twice")
    gone = Revision(function="double", case="double_99", action="quarantined", reason="nothing settles it")
    return solved.model_copy(update={"revisions": (ruling.model_copy(update={"call": "double(7)"}), gone)})


@pytest.fixture
def said(solution):
    """What is said to a question, as one text."""
    return lambda question: "\n".join(line.text for line in why_lines(solution, question))


def test_the_users_example_is_quoted(said):
    """And it is said that nobody may change it."""
    told = said("why does double( 3 ) expect 6?")
    assert "`double(3)` returns `6`" in told
    assert "your words; pinned" in told
    assert "you wrote: “double(3) == 6”" in told


@pytest.mark.parametrize("question", ["why does double(7) give 14?", "double_7", "why does this case expect 14?"])
def test_a_case_is_found(said, question):
    """By its call, its name, or the value; with its reason, the words, the ruling, and what code failed it."""
    told = said(question)
    assert "double, double_7: `double(7)` returns `14`" in told
    assert "because    Twice 7." in told
    assert "words      “Twice the number.”" in told
    assert "ruling     revised: it is twice" in told
    assert "attempt 1, written from the contract, failed it: 49, expected 14" in told


def test_a_call_within_another_is_not_meant(said):
    """The longest call that stands in the question is."""
    assert said("why double(-4)?").startswith("double, double_4")


def test_a_case_is_found_by_the_words_of_its_name(said):
    """All of them, in any order: who asks of a situation has not its name at hand."""
    assert said("why is 7 seen to DOUBLE so?").startswith("double, double_7")


def test_a_call_that_no_case_has(said):
    """It is no question about a value: the function is told, and how a call comes to have a case."""
    told = said("why does double(100) give 14?")
    assert told.startswith("no case has this call of double; an example of it that you give is pinned")
    assert "double: green" in told


def test_a_case_that_is_gone(said):
    """Was set aside for a reason."""
    assert said("why double_99?") == "  ruling     double_99 of double was quarantined: nothing settles it"


def test_a_function(said):
    """How it ended, by which words, and how its attempts went."""
    told = said("why is double green?")
    assert told.startswith("double: green")
    assert "attempt 1, written from the contract: 1 of 5 cases pass" in told
    assert "attempt 2, repaired from what failed: 5 of 5 cases pass" in told


def test_what_several_cases_expect(said, solution):
    """Is asked back."""
    many = solution.model_copy(update={"results": (solution.results[0], solution.results[0])})
    lines = [line.text for line in why_lines(many, "double_7")]
    assert lines[0] == "2 cases may be meant; ask by a name or a call:"
    assert len(lines) == 3


def test_a_method(solution):
    """Is a question about its class."""
    (spec,) = solution.plan.functions
    has_put = spec.model_copy(
        update={"interface": ClassInterface(methods=(Method(signature="def put(self) -> None"),))}
    )
    plan = solution.plan.model_copy(update={"functions": (has_put,)})
    lines = [line.text for line in why_lines(solution.model_copy(update={"plan": plan}), "why put?")]
    assert lines[0] == "double: green"


def test_what_is_not_there(said):
    """Is said with what is near, and with what there is."""
    with pytest.raises(InputError, match=r"did you mean double\?\): it has double"):
        said("why duble?")
