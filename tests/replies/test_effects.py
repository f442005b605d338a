"""One place turns what models say of a result into an expectation."""

import pytest
from pydantic import ValidationError

from tdgen.replies import ObserveReply, expected
from tdgen.types import Check, Exits, ExpectedException, Pattern, Tolerance, Value


def test_an_exception_is_named_with_its_message():
    """By the fields that every answer has."""
    assert expected("raises", " ValueError ", match="empty") == ExpectedException(type="ValueError", match="empty")


def test_a_check_is_a_predicate():
    """On the result."""
    assert expected("check", "result > 0\n") == Check(source="result > 0")


def test_a_value_may_be_near():
    """A tolerance that is none leaves tdgen's own."""
    assert expected("value", " 0.5 ", relative=0.1) == Value(source="0.5", tolerance=Tolerance(rel=0.1))
    assert expected("value", "0.5", relative=-1.0) == expected("value", "0.5") == Value(source="0.5")


def test_an_exit_code_is_a_number():
    """What is none stays a value, which no script gives: the case is refused."""
    assert expected("exits", " 2 ") == Exits(code=2)
    assert expected("exits", "two") == Value(source="two")


def test_a_file_without_a_text_must_not_exist():
    """Standard error and files are told beside the rest."""
    told = {"stderr": "no\n", "files": [{"name": "a", "text": None}, {"name": "b", "text": "x"}]}
    effects = ObserveReply.model_validate(told).beside(Value(source="1"))
    assert (effects.stderr, effects.files) == ("no\n", {"a": None, "b": "x"})


def test_bytes_are_a_literal():
    """In place of a file's text; those that are text are taken as such."""
    told = {"files": [{"name": "a", "text": {"bytes": "b'\\x89PNG'"}}, {"name": "b", "text": {"bytes": "b'x'"}}]}
    assert ObserveReply.model_validate(told).beside(Value(source="1")).files == {"a": b"\x89PNG", "b": "x"}


@pytest.mark.parametrize("source", ["'x'", "x", "b'x' * 9", "open('a').read()", "b'", ""])
def test_what_is_no_literal_of_bytes_goes_back(source):
    """With an example of one; nothing of it is run."""
    with pytest.raises(ValidationError, match="bytes are a literal such as"):
        ObserveReply.model_validate({"files": [{"name": "a", "text": {"bytes": source}}]})


def test_a_stream_is_a_text_or_a_pattern_that_is_found_in_it():
    """A wording that nobody promised is no expectation."""
    told = ObserveReply.model_validate({"stdout": "", "stderr": {"match": "line 3", "why": "unread"}})
    effects = told.beside(Exits(code=1))
    assert (effects.stdout, effects.stderr) == ("", Pattern(match="line 3"))
    assert effects.patterns == {"stderr": "line 3"}


@pytest.mark.parametrize("told", [{"pattern": "line 3"}, {"match": None}, ["line 3"], 3])
def test_a_stream_of_another_form_is_no_answer(told):
    """It goes back to its author."""
    with pytest.raises(ValidationError, match="stderr"):
        ObserveReply.model_validate({"stderr": told})
