"""What several functions brought alike stands in the module once; all else stays as each of them wrote it."""

import re
from textwrap import dedent

import pytest

from tdgen.impl import assemble
from tdgen.impl.merging import merged_pieces
from tdgen.source.fragment import read_fragment


def merged(**codes: str) -> str:
    """The module of these functions, each read as a developer's answer."""
    sources = {name: read_fragment(dedent(code), name, codes.keys() - {name}).source for name, code in codes.items()}
    return assemble("", merged_pieces(sources))


PARSE = """
    import re

    # A number and its unit.
    _PARSE_PATTERN = re.compile(r"(\\d+)([hm])")
    _PARSE_MINUTES = {"h": 60, "m": 1}


    def _parse_clean(text: str) -> str:
        return text.strip().lower()


    def parse(text: str) -> int:
        return sum(int(n) * _PARSE_MINUTES[unit] for n, unit in _PARSE_PATTERN.findall(_parse_clean(text)))
"""
CHECK = """
    import re

    _CHECK_PATTERN = re.compile(r"(\\d+)([hm])")
    _CHECK_MINUTES = {"h": 60, "m": 1}


    def _check_clean(text: str) -> str:
        return text.strip().lower()


    def check(text: str) -> bool:
        return all(unit in _CHECK_MINUTES for _, unit in _CHECK_PATTERN.findall(_check_clean(text)))
"""


def test_constants_and_helpers_that_are_alike_are_written_once():
    """Before the functions, without a function's name in theirs, with the comment above them; the module works."""
    module = merged(parse=PARSE, check=CHECK)
    assert module == dedent(
        """\
        from __future__ import annotations

        import re

        # A number and its unit.
        _PATTERN = re.compile(r"(\\d+)([hm])")


        _MINUTES = {"h": 60, "m": 1}


        def _clean(text: str) -> str:
            return text.strip().lower()


        def parse(text: str) -> int:
            return sum(int(n) * _MINUTES[unit] for n, unit in _PATTERN.findall(_clean(text)))


        def check(text: str) -> bool:
            return all(unit in _MINUTES for _, unit in _PATTERN.findall(_clean(text)))
        """
    )


@pytest.mark.parametrize(
    ("brought", "used"),
    [
        ("_{F}_SEEN = {{}}", "_{F}_SEEN.setdefault(n, n)"),
        ("_{F}_SEEN = [0]", "add(_{F}_SEEN)"),
        ("_{F}_SEEN = make()", "_{F}_SEEN[n]"),
        ("def _{f}_seen(n, seen=[]):\n    return seen", "_{f}_seen(n)"),
        ("@cache\ndef _{f}_seen(n):\n    return n", "_{f}_seen(n)"),
        ("class _{f}_Seen:\n    all = []", "_{f}_Seen.all"),
        ("_{F}_LIMIT = len('{f}')", "_{F}_LIMIT"),
    ],
)
def test_what_could_tell_that_it_is_shared_is_not(brought: str, used: str):
    """What is changed, keeps something between calls, or comes of a call."""
    codes = {f: f"{brought}\n\n\ndef {f}(n):\n    return {used}\n" for f in ("one", "two")}
    sources = {f: code.format(f=f, F=f.upper()) for f, code in codes.items()}
    module = merged(**sources)
    assert all(len(re.findall(rf"_{f}_(?:seen|limit)", module, re.IGNORECASE)) == 2 for f in codes)


def test_what_differs_stays_with_each():
    """And what needs it stays, too, though it reads alike."""
    code = (
        "_{F}_RATE = {rate}\n\n\ndef _{f}_tax(n):\n    return n * _{F}_RATE\n\n\ndef {f}(n):\n    return _{f}_tax(n)\n"
    )
    module = merged(**{f: code.format(f=f, F=f.upper(), rate=rate) for f, rate in (("one", 2), ("two", 3))})
    assert module.count("def _one_tax") == module.count("def _two_tax") == 1


def test_a_name_that_the_module_has_is_not_given_again():
    """A parameter or a local variable of that name would hide it."""
    code = "_{F}_LIMIT = 3\n\n\ndef {f}(_LIMIT):\n    return _LIMIT + _{F}_LIMIT\n"
    module = merged(**{f: code.format(f=f, F=f.upper()) for f in ("one", "two")})
    assert "_ONE_LIMIT = 3" in module
    assert "_TWO_LIMIT = 3" in module


def test_functions_that_share_nothing_stay_as_they_are():
    """Letter by letter."""
    codes = {"one": "_ONE_A = 1\n\n\ndef one():\n    return _ONE_A\n", "two": "def two():\n    return 2\n"}
    assert [piece.source for piece in merged_pieces(codes)] == [codes["one"], codes["two"]]
