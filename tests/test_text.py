"""What a reader can't see or tell from something else stands there as an escape, and nothing else does."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdgen.text import visible

HIDDEN = {
    "a letter and its accent": ("cafe\u0301", "cafe\\u0301"),
    "an accent that has no letter with it": ("i\u0307", "i\\u0307"),
    "an accent alone": ("'\u0301'", "'\\u0301'"),
    "an accent on a composed letter": ("\xe9\u0323", "\xe9\\u0323"),
    "accents in another order": ("\u03b1\u0301\u0323", "\u03b1\\u0301\\u0323"),
    "parts of a syllable": ("\u1112\u1161\u11ab", "\u1112\\u1161\u11ab"),
    "a sign for which another stands": ("\u212b \u2126", "\\u212b \\u2126"),
    "other blanks": ("a\xa0b\u2009c\u3000d\u2800e\u3164f", "a\\xa0b\\u2009c\\u3000d\\u2800e\\u3164f"),
    "no width": ("a\u200bb\ufeffc\u00add\u2060e", "a\\u200bb\\ufeffc\\xadd\\u2060e"),
    "direction": ("\u202eabc\u2066", "\\u202eabc\\u2066"),
    "how an emoji looks": ("\u2764\ufe0f", "\u2764\\ufe0f"),
    "a lone surrogate": ("\udc80", "\\udc80"),
    "more marks than a letter has": ("\u05e9" + "\u05b0" * 40, "\u05e9" + "\u05b0" * 30 + "\\u05b0" * 10),
}


@pytest.mark.parametrize(("text", "told"), HIDDEN.values(), ids=HIDDEN)
def test_what_can_not_be_told_is_escaped(text, told):
    """And once is enough."""
    assert visible(text) == told == visible(told)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n\tb\\u0301",
        "\xe9\xdf\u0141",
        "\u0928\u092e\u0938\u094d\u0924\u0947",
        "\u65e5\u672c\u8a9e",
        "\ud55c",
        "🎉",
        "\u05e9\u05c1",
        "→ “quoted” …",
    ],
)
def test_what_can_be_told_stays(text):
    """Composed letters, other scripts, emoji, typographers' signs, and line ends."""
    assert visible(text) == text


@given(st.text(st.one_of(st.characters(), st.sampled_from("e\u0301\u0323\u0307\xa0\u1112\u1161\u05b0")), max_size=50))
def test_a_literal_keeps_its_value(text):
    """Whatever is escaped in it."""
    told = visible(repr(text))
    assert ast.literal_eval(told) == text
    assert visible(told) == told
