"""What stands in a module for a function that nobody has written yet.

The instruction: what may be one, and when two of them are the same.
"""

from __future__ import annotations

import ast

import pytest

from tdgen.errors import InputError
from tdgen.specs.instruction import normalise, read_instruction, stub, unwritten
from tdgen.types import FunctionSpec, Parameter, Returns


def spec(purpose: str = "Counts days. Then more.", **more) -> FunctionSpec:
    given = Parameter(name="day", type="date", default="date(2024, 1, 1)")
    return FunctionSpec(name="count", purpose=purpose, parameters=(given,), returns=Returns(type="int"), **more)


@pytest.mark.parametrize("is_async", [False, True])
def test_a_stub_raises_whenever_it_is_called(is_async):
    """It has the signature, what that names, and the first sentence of the purpose."""
    source = stub(spec(is_async=is_async))
    assert "from datetime import date\n" in source
    assert "def count(day: date = date(2024, 1, 1)) -> int:" in source
    assert '"""Counts days."""' in source
    assert 'raise NotImplementedError("count is not written yet")' in source
    assert unwritten(source, ("count",)) == ("count",)


@pytest.mark.parametrize("purpose", ['Says "no" \\ never', "", 'It ends with "x"', '"""'])
def test_any_purpose_is_a_docstring(purpose):
    """Whatever characters it has."""
    ast.parse(stub(spec(purpose)))


def test_what_a_module_lacks():
    """A function without a body is as missing as one that is not there; of what is no Python nothing can be said."""
    module = "def a():\n    return 1\n\n\ndef b():\n    ...\n\n\nasync def c():\n    raise NotImplementedError\n"
    assert unwritten(module, ("a", "b", "c", "d")) == ("b", "c", "d")
    assert unwritten("def a(:", ("a",)) == ()


@pytest.mark.parametrize("text", ["", "   \n\t  "])
def test_a_blank_instruction_is_refused(text):
    """Nothing asked is nothing to do, and said so."""
    with pytest.raises(InputError, match=r"^the instruction is empty: say in a sentence"):
        read_instruction(text)


def test_a_megabyte_is_refused_with_both_sizes():
    """The line says how long it is and how long it may be."""
    with pytest.raises(InputError, match="1,000,000 characters, at most 100,000"):
        read_instruction("a" * 1_000_000)


@pytest.mark.parametrize("text", ["sort\x00 it", "sort \x1b[31mit", "sort \ud800 it"])
def test_what_is_no_text_is_refused_by_its_character(text):
    """Binary data, terminal escapes and lone surrogates are no prose."""
    with pytest.raises(InputError, match=r"not text: it holds the character U\+"):
        read_instruction(text)


@pytest.mark.parametrize("text", ["foo.py", " image.png\n", "docs/spec", "C:\\docs\\spec.txt", "größe.md"])
def test_the_name_of_a_file_is_no_instruction(text):
    """Whoever hands it in: nothing can be planned from it."""
    with pytest.raises(InputError, match=r"the instruction is only the name of a file, .*: give what the file says"):
        read_instruction(text)


@pytest.mark.parametrize(
    "text",
    ["double(n)->int", "f(2)==4", "refactor foo.py", "計算a/bの値を返す。", "https://example.com/spec.md", "sort"],
)
def test_what_only_resembles_a_path_is_text(text):
    """A call, a sentence in a script without spaces, an address, a word."""
    assert read_instruction(text).text == text


def test_prose_is_the_same_however_it_is_wrapped():
    """White space between words does not make another instruction; composed accents neither."""
    assert normalise("Write  a\n   cafe\u0301 menu ") == normalise("Write a caf\u00e9 menu")


@pytest.mark.parametrize("code", ['"a  b"', "'a  b'", "`a  b`", "```\nx  =  1\n```"])
def test_what_is_quoted_or_code_keeps_each_character(code):
    """Two spaces inside quotes mean two spaces."""
    assert code in normalise(f"Split   {code}  on blanks")


def test_an_apostrophe_opens_no_quote():
    """It's prose that the user's apostrophes are in."""
    assert normalise("the user's   list isn't   sorted") == "the user's list isn't sorted"


def test_doctest_lines_stay_as_they_are():
    """Examples are pinned to the letter."""
    assert ">>> f('a  b')" in normalise("Do it:\n>>> f('a  b')\n")
