"""Docstrings as a module writes them."""

import ast

import pytest

from tdgen.source.docstrings import DocStyle, docstring_lines, style_of
from tdgen.source.replacing import Piece


def test_one_sentence_is_one_line():
    """With its white space folded."""
    assert docstring_lines("Return\n  it.", (), DocStyle(), 4) == ['"""Return it."""']


def test_the_first_sentence_stands_alone():
    """And the others below, folded at the width that is left."""
    text = "Return it. It is made of many words, so that a line ends before all of them are told."
    lines = docstring_lines(text, (), DocStyle(width=60), 8)
    assert lines == [
        '"""Return it.', "", "It is made of many words, so that a line ends before", "all of them are told.", '"""',
    ]  # fmt: skip
    assert docstring_lines("Return it. More.", (), DocStyle(is_beside=False), 4)[:2] == ['"""', "Return it."]


@pytest.mark.parametrize(
    ("sections", "told"),
    [
        ("", ["Raises KeyError: where it lacks one."]),
        ("google", ["Raises:", "    KeyError: where it lacks one."]),
        ("numpy", ["Raises", "------", "KeyError", "    where it lacks one."]),
        ("sphinx", [":raises KeyError: where it lacks one."]),
    ],
)
def test_exceptions_are_told_as_the_module_tells_them(sections, told):
    """Below all else."""
    lines = docstring_lines("Do it.", [("KeyError", "where it\nlacks one.")], DocStyle(sections=sections), 4)
    assert lines == ['"""Do it.', "", *told, '"""']


@pytest.mark.parametrize("text", ['Say "yes"', "End with \\", 'Hold """ in it.', "It's 'so'"])
@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_whatever_the_words_hold_the_docstring_is_python(text, quotes):
    """And says the same."""
    source = "\n".join(docstring_lines(text, (), DocStyle(quotes), 4))
    assert ast.literal_eval(source).strip().replace(" ", "") == text.replace(" ", "")


def test_the_style_is_that_of_most_docstrings():
    """Quotes, the first line, how exceptions are told, and the width of the widest line."""
    text = "def f():\n    '''\n    Do it.\n\n    :raises KeyError: never\n    '''\n\n\ndef g():\n    '''Do.'''\n"
    assert style_of(Piece(text)) == DocStyle("'''", is_beside=False, sections="sphinx", width=88)
    assert style_of(Piece(f'def f():\n    """Do."""\n    # {"x" * 92}\n')) == DocStyle(width=98)
    assert style_of(Piece("")) == DocStyle()
