"""What a user may answer to an open question, and the pinned that comes of it."""

from __future__ import annotations

import pytest

from tdgen.build.answers import QUOTE, pinned_by_answer, read_answer
from tdgen.types import Call, Case, ExpectedException, Question, Value, World

QUESTION = Question(
    question="`slugify('')`: '' or ValueError?",
    assumption="it returned ''",
    function="slugify",
    call="slugify('')",
    options=("returned ''", "raised ValueError: nothing is left"),
)
CALL = Call(function="slugify", arguments=("''",), setup="x = 1", world=World(seed=1))


@pytest.mark.parametrize(
    ("text", "expect", "value"),
    [
        ("1", "value", "''"),
        (" 2 \n", "raises", "ValueError"),
        ("'none'", "value", "'none'"),
        ("returns 'none'", "value", "'none'"),
        ("gives None", "value", "None"),
        ("raises KeyError", "raises", "KeyError"),
        ("raise json.JSONDecodeError", "raises", "json.JSONDecodeError"),
        ("[1,\n 2]", "value", "[1,\n 2]"),
        ("3", "value", "3"),
    ],
)
def test_an_answer_is_an_option_an_exception_or_a_value(text, expect, value):
    """A number that is no option is a value."""
    answer = read_answer(QUESTION, text)
    assert (answer.expect, answer.value) == (expect, value)
    assert (answer.function, answer.call, answer.quote) == ("slugify", "slugify('')", QUOTE)


@pytest.mark.parametrize("text", ["", "  ", "no idea", "raises hell!", "1 +", "1; 2", ")(", "x = 1"])
def test_what_can_not_be_read_answers_nothing(text):
    """The assumption stands."""
    assert read_answer(QUESTION, text) is None


def test_an_answer_is_law():
    """The case does what the call does, and is never held out or tried."""
    case = pinned_by_answer(CALL, read_answer(QUESTION, "1"), ())
    assert case.is_pinned
    assert case.done == CALL
    assert case.expectation == Value(source="''")


def test_an_exception_may_be_the_answer():
    """It is a case of that kind."""
    case = pinned_by_answer(CALL, read_answer(QUESTION, "2"), ())
    assert case.kind == "error"
    assert case.expectation == ExpectedException(type="ValueError")


def test_its_name_is_its_own():
    """Whatever is there already."""
    first = pinned_by_answer(CALL, read_answer(QUESTION, "1"), ())
    there = (Case(name=first.name, function="slugify", expectation=Value(source="1")),)
    assert pinned_by_answer(CALL, read_answer(QUESTION, "1"), there).name != first.name
