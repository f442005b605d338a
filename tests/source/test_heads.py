"""The head of a function in a module, shown and said anew; docstrings as a module writes them."""

import ast

import pytest

from tdgen.source.heads import DocStyle, code_of, docstring_lines, head_of, style_of, with_docstring, with_head
from tdgen.source.replacing import Piece

MODULE = '''import x


class A:
    @x.deco
    def f(self, a, b=2):  # noqa
        """Do it.

        Really so.
        """
        # why
        return a
        # end

    def g(self): "One."; return 2


def h(x):
\tr\'\'\'
\tDo \\d.
\t\'\'\'
\treturn 1
'''


def test_a_head_is_decorators_signature_and_docstring():
    """Without the indentation of its class."""
    assert head_of(MODULE, "A.f") == '@x.deco\ndef f(self, a, b=2):  # noqa\n    """Do it.\n\n    Really so.\n    """'
    assert head_of(MODULE, "A.g") == 'def g(self):\n    "One."'
    assert code_of(MODULE, "A.g") == '    def g(self): "One."; return 2'


def test_a_body_is_taken_out_and_all_else_stays():
    """What stands in it goes, with its comments."""
    body = "        # why\n        return a\n        # end\n"
    assert with_head(MODULE, "A.f") == MODULE.replace(body, "        raise NotImplementedError\n")


@pytest.mark.parametrize("end", ["\n        ", "\n\n        ", ""])
def test_the_quotes_behind_a_docstring_stay_where_they_are(end):
    """On a line of their own, below a blank one, or beside its last word."""
    text = MODULE.replace("Really so.\n        ", f"Really so.{end}")
    assert f'Really not.{end}"""\n' in with_head(text, "A.f", (), "Do it.\n\nReally not.")


def test_header_and_docstring_are_said_anew():
    """Decorators and what follows on the header's line stay."""
    text = with_head(MODULE, "A.f", ["    def f(self, a, c):"], "Do that.\n\nSay \\ so.")
    head = '    def f(self, a, c):  # noqa\n        """Do that.\n\n        Say \\\\ so.\n        """\n'
    assert f"    @x.deco\n{head}        raise NotImplementedError\n\n    def g(self)" in text


@pytest.mark.parametrize(
    ("unit", "said", "told"),
    [
        ("h", "Do \\d.\n\nMore.", "\tr'''\n\tDo \\d.\n\n\tMore.\n\t'''\n\traise NotImplementedError\n"),
        ("h", "Say '''.", "\t'''\n\tSay \\'''.\n\t'''\n\traise NotImplementedError\n"),
        ("A.g", "Two.", '    def g(self):\n        """Two."""\n        raise NotImplementedError\n'),
        ("A.g", 'Say "x"', '        """Say "x"\n        """\n'),
        ("A.f", "Do it.", '        """Do it.\n        """\n'),
    ],
)
def test_a_docstring_keeps_its_quotes_and_its_form(unit, said, told):
    """Whatever it says."""
    assert told in with_head(MODULE, unit, (), said)


def test_line_ends_are_the_files():
    """Also in what is new."""
    text = with_head("\ufeff" + MODULE.replace("\n", "\r\n"), "h", (), "Do.\n\nMore.")
    assert text.replace("\r\n", "").count("\n") == 0
    assert text.startswith("\ufeffimport x\r\n")


def test_a_class_is_shown_with_the_heads_of_its_methods():
    """What it has besides, too; private methods are nobody's to see. Its docstring is said anew as a function's is."""
    module = (
        'class B(A):\n    """Two."""\n\n    x = 1\n\n    def _p(self):\n        return 1\n\n'
        '    @property\n    def __len__(self) -> int:\n        """Its length."""\n        return self._p()\n'
    )
    shown = head_of(module, "B")
    assert shown.startswith('class B(A):\n    """Two."""\n\n    x = 1\n')
    assert shown.endswith('    @property\n    def __len__(self) -> int:\n        """Its length."""\n        ...')
    assert "_p" not in shown
    assert with_docstring(module, "B", "Three.\n\nFour.") == module.replace('Two."""', 'Three.\n\n    Four.\n    """')
    assert with_docstring(MODULE, "A", "One.") == MODULE


def test_what_is_not_there_has_none():
    """Neither a method nor a name of the module."""
    for unit in ("A.k", "k"):
        with pytest.raises(ValueError, match=f"does not define {unit}"):
            head_of(MODULE, unit)


def test_one_sentence_is_one_line():
    """Its lines are joined."""
    assert docstring_lines("Return\n  it.", (), DocStyle(), 4) == ['"""Return it."""']


def test_blanks_within_a_line_stay():
    """They may be what the words are about; how lines were broken is nobody's."""
    assert docstring_lines("Begin with `  at`\n  and end.", (), DocStyle(), 4) == ['"""Begin with `  at` and end."""']


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
