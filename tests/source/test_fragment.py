"""A function's code taken apart and put together."""

import ast

import pytest

from tdgen.errors import ReplyError
from tdgen.source.fragment import assemble, read_fragment, rename, trusted_fragment


def test_imports_are_told_apart_from_the_body_and_comments_stay():
    """The body keeps what a person wrote."""
    piece = read_fragment(
        "import re\nfrom __future__ import annotations\n\n# how\ndef f(x):\n    return x  # why\n", "f", ()
    )
    assert piece.imports == ("import re",)
    assert piece.body == "# how\ndef f(x):\n    return x  # why\n"


def test_what_the_module_has_already_is_left_out():
    """A model that repeats the shared types or a dependency does not replace them."""
    code = "@dataclass\nclass Point:\n    x: int\n\ndef helper(x):\n    return 0\n\ndef f(p):\n    return helper(p.x)\n"
    assert read_fragment(code, "f", {"Point", "helper"}).body == "def f(p):\n    return helper(p.x)\n"


def test_docstrings_and_main_blocks_at_module_level_are_left_out():
    """They are no part of a function."""
    code = '"""Module."""\n\ndef f():\n    return 1\n\nif __name__ == "__main__":\n    print(f())\n'
    assert read_fragment(code, "f", ()).body == "def f():\n    return 1\n"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def f(:\n  pass", "the code does not parse: invalid syntax (line 1: `def f(:`)"),
        ("def g():\n    pass\n", "the code does not define 'f'; it defines: g"),
        ("def f(): pass\nprint('hello')\n", "line 2: a statement at module level"),
        ("from os import *\ndef f(): pass\n", "line 1: `from … import *` is not allowed"),
        ("x = '\x00'\ndef f(): pass", "the code does not parse"),
        ("(" * 5000, "the code does not parse"),
    ],
)
def test_code_that_can_not_be_used_is_told_why(code, told):
    """Each reason says the line, or what is missing."""
    with pytest.raises(ReplyError) as caught:
        read_fragment(code, "f", ())
    assert any(told in reason for reason in caught.value.reasons)


def test_helpers_get_the_functions_name_so_that_no_two_meet():
    """Constants keep their capitals; strings and attributes are not touched."""
    helper = "_SEEN = {}\ndef _split(t):\n    return t.split('_split')\n"
    code = helper + "def f(t):\n    _SEEN[t] = _split(t)\n    return obj._split\n"
    body = read_fragment(code, "f", ()).body
    assert "_F_SEEN = {}" in body
    assert "def _f_split(t):\n    return t.split('_split')" in body
    assert "_F_SEEN[t] = _f_split(t)\n    return obj._split" in body


def test_a_helper_whose_name_begins_with_the_classs_keeps_it():
    """Unless it may be a helper of another class, whose name begins so too."""
    code = "class _TillRow:\n    pass\nclass Till:\n    rows: list[_TillRow]\n"
    assert "class _TillRow:" in read_fragment(code, "Till", {"f"}).body
    assert "class _Till_TillRow:" in read_fragment(code, "Till", {"TillRow"}).body


def test_a_name_whose_attribute_is_set_is_not_the_functions_own():
    """`string.digits = ...` binds nothing called `string`."""
    assert (
        "string.x = 1"
        in read_fragment("import string\nstring.x, _a = 1, 2\nstring.x = 1\ndef f(): pass\n", "f", ()).body
    )


def test_names_inside_f_strings_are_renamed_too():
    """Python before 3.12 does not know their place; they must follow all the same."""
    body = read_fragment("_W = 3\ndef f(x):\n    return f'{x:>{_W}}|{_W}'\n", "f", ()).body
    assert "f'{x:>{_F_W}}|{_F_W}'" in body


def test_renaming_keeps_text_before_it_on_the_line():
    """Columns count bytes, so that accents before a name move nothing."""
    assert rename("x = 'é'; y = old\n", {"old": "new"}) == "x = 'é'; y = new\n"


def test_a_module_has_its_imports_once_and_starts_by_its_entry():
    """Docstring, imports, types, functions in order, then the call of the entry."""
    pieces = [
        trusted_fragment("import re\n\n\ndef a():\n    pass\n"),
        trusted_fragment("import re\n\n\ndef main(argv):\n    return 0\n"),
    ]
    module = assemble(
        "from dataclasses import dataclass\n\n\n@dataclass\nclass P:\n    x: int\n",
        pieces,
        docstring="Say.",
        entry="main(sys.argv[1:])",
    )
    ast.parse(module)
    assert module.count("import re") == 1
    assert module.startswith('"""Say."""\n\nfrom __future__ import annotations')
    assert module.index("class P") < module.index("def a") < module.index("def main")
    assert module.endswith('if __name__ == "__main__":\n    raise SystemExit(main(sys.argv[1:]))\n')


ODD = "_BREAK = '\x0c \x1c \u2028'\n\n\ndef words(text):\n    import re\n    return _BREAK.join(text)\n\n\nimport os\n"


def test_a_character_that_ends_no_line_for_the_parser_ends_none_here():
    """A form feed or U+2028 in a string leaves imports found where they are, and helpers renamed where they stand."""
    piece = read_fragment(ODD, "words", ())
    assert piece.imports == ("import os",)
    assert piece.body == ODD.replace("_BREAK", "_WORDS_BREAK").removesuffix("\n\n\nimport os\n") + "\n"
