"""Text as a reader can tell it: what looks like something else, or like nothing, stands there as its escape.

An `e` with a combining accent looks like `é`, a no-break space like a blank, a zero-width joiner like nothing at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import category, normalize

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""What Python holds to be printable, and nobody sees: fillers, variation selectors, the blank of Braille."""
_REORDERING = frozenset("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LEFT_OUT = re.compile(r"\s*\[(?:…|\.\.\.)\]\s*")
_MOST_MARKS = 30
"""On one character, as the Unicode standard's stream-safe text has it."""


def safe(text: str, keep: str = "") -> str:
    """`text` with escapes for all that could command a terminal or reorder what is shown, but for `keep`."""
    if text.isprintable():
        return text
    commands = {c for c in text if c in _REORDERING or category(c) in ("Cc", "Cs")}.difference(keep)
    return "".join(c.encode("unicode_escape").decode() if c in commands else c for c in text)


def joined(text: str) -> str:
    """The lines of `text` as one. Runs of blanks within a line stay: they may be what the words are about."""
    return " ".join(filter(None, map(str.strip, text.splitlines())))


def quoted_parts(words: str) -> list[str]:
    """The stretches of a quote that leaves words out (`f(2) […] gives 4`); of any other itself alone."""
    return [part for part in _LEFT_OUT.split(words) if part.strip()]


def visible(text: str) -> str:
    """`text` with escapes, as a literal has them, for all beyond ASCII that can't be seen or told from something else.

    That are characters that aren't printable, and those that normalization (NFC) would join or replace. Composed
    letters, other scripts and emoji stay as they are. It changes nothing the second time.
    """
    return text if text.isascii() else "".join(_escaped(text))


def _escaped(text: str) -> Iterator[str]:
    before = ""  # the last character that is shown as it is, with the marks on it
    for character in text:
        is_mark = category(character) in ("Mn", "Me")
        if _is_plain(character, before, is_mark=is_mark):
            before = before + character if is_mark else character
            yield character
        else:
            before = ""
            yield character.encode("unicode_escape").decode("ascii")


def _is_plain(character: str, before: str, *, is_mark: bool) -> bool:
    """Whether a character can be told where it stands: a mark on the letter that it belongs to."""
    if character.isascii():
        return True
    if not character.isprintable() or _UNSEEN.match(character):
        return False
    if is_mark and (not before or before[0].isascii() or len(before) > _MOST_MARKS):
        return False
    return normalize("NFC", before + character) == before + character
