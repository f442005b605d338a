"""What a file holds: text where it is text, else bytes, each kept in one form."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from tdgen.types import Case, Value, World, data_of
from tdgen.types.base import content_of


@pytest.mark.parametrize("data", [b"\x89PNG", b"\xff", b"a\x00b", b"\xed\xb2\x80", b"M\xfcller\n"])
def test_what_is_no_text_is_bytes(data):
    """No UTF-8, or with a null; whatever form it is told in, it is the same."""
    world = World(files={"a": data})
    assert world.files["a"] == content_of(data) == data
    assert World.model_validate_json(world.model_dump_json()) == world
    assert World.model_validate(world.model_dump(mode="python")) == world


@pytest.mark.parametrize("text", ["", "é\r\n", "\\x89", '{"base64": "iVA="}'])
def test_what_is_text_is_text(text):
    """Also where it is told in bytes, and where it looks like an escape."""
    assert World(stdin=text.encode()).stdin == World(stdin=text).stdin == text
    assert data_of(text) == text.encode()


def test_a_text_is_kept_as_it_always_was():
    """So old records are read, and call keys stay what they are."""
    case = Case(name="c", function="f", expectation=Value(source="1"), files={"a": "x", "b": None, "c": b"\xff"})
    assert json.loads(case.model_dump_json())["files"] == {"a": "x", "b": None, "c": {"base64": "/w=="}}
    assert Case.model_validate_json(case.model_dump_json()) == case


def test_two_worlds_of_other_bytes_are_two_calls():
    """Bytes and the text of their escapes are not alike."""
    keys = {
        Case(name="c", function="f", expectation=Value(source="1"), world=World(stdin=told)).call_key
        for told in (b"\xff", b"\xfe", "\\xff", "ÿ")
    }
    assert len(keys) == 4


@pytest.mark.parametrize("told", [{"base64": "&"}, {"base64": 3}, {"hex": "00"}, 7])
def test_what_is_no_content_is_refused(told):
    """A record that somebody changed, or a hostile process."""
    with pytest.raises(ValidationError):
        World(files={"a": told})
