"""An instruction's passages: sentences, list items, table rows and blocks of code, by the number that a plan names.

The planner says by number which passages bind which function. So each function knows the user's words that it must
hold to, and what no function was assigned is found by counting.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

OPENING, CLOSING = "⟦", "⟧"
_MARK = re.compile(rf"{OPENING}\d+{CLOSING} ?")
_FENCE = re.compile(r"\s*(```|~~~)")
_PROMPT = re.compile(r"\s*>>>")
_OWN_LINE = re.compile(r"\s*(?:[-*+•]\s|\d+[.)]\s|#|\||>)")
_MARKER = re.compile(r"\s*(?:\d{1,3}|[A-Za-z])[.)]\s*")
_CODE = re.compile(r"`[^`]+`")
_SENTENCE_END = re.compile(
    r"(?<![Ee]\.g\.)(?<![Ii]\.e\.)(?<!\bcf\.)(?<!\bvs\.)(?<=[.!?])[\"'”’)\]`*]*\s+(?=[\"'“‘(\[`*_]*[A-Z0-9])"
)


def passages(text: str) -> tuple[str, ...]:
    """The passages of a text in its order, each as it stands there, less the white space around it."""
    return tuple(text[start:end] for start, end in _spans(text))


def numbered(text: str, marked: Sequence[str]) -> str:
    """The text with its number, from 1, before each of the passages: `⟦1⟧ Slugify a title. ⟦2⟧ Words are …`.

    `marked` are in the text's order; one that stands in it twice is marked where it comes after the one before it.
    """
    parts, done = [], 0
    for number, passage in enumerate(marked, start=1):
        start = text.find(passage, done)
        if start >= 0:
            parts += [text[done:start], f"{OPENING}{number}{CLOSING} ", passage]
            done = start + len(passage)
    return "".join([*parts, text[done:]])


def unmarked(text: str) -> str:
    """A text that was copied out of a numbered one, without the numbers."""
    return _MARK.sub("", text)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where each passage begins and ends."""
    for start, end, is_prose in _blocks(text):
        ends = [match.end() for match in _SENTENCE_END.finditer(text, start, end)] if is_prose else []
        ends = [cut for cut in ends if not _MARKER.fullmatch(text, start, cut)]
        code = [match.span() for match in _CODE.finditer(text, start, end)]
        cuts = [cut for cut in ends if not any(first < cut < last for first, last in code)]
        for first, last in zip([start, *cuts], [*cuts, end], strict=True):
            words = text[first:last].strip()
            if any(map(str.isalnum, words)):  # a table's rule says nothing
                begin = text.index(words, first)
                yield begin, begin + len(words)


def _blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where each block begins and ends, and whether it is prose: else it is code, in a fence or as a doctest."""
    lines = text.splitlines(keepends=True)
    places = [0, *accumulate(map(len, lines))]
    number = 0
    while number < len(lines):
        first, line = number, lines[number]
        number += 1
        if not line.strip():
            continue
        is_prose = False
        if _FENCE.match(line):
            ends = (place + 1 for place in range(number, len(lines)) if _FENCE.match(lines[place]))
            number = next(ends, len(lines))
        elif _PROMPT.match(line):
            number = _end(lines, number, lambda other: True)
        else:
            is_prose = True
            goes_on = _is_indented if _OWN_LINE.match(line) else _is_plain
            number = _end(lines, number, goes_on)
        yield places[first], places[number], is_prose


def _end(lines: Sequence[str], number: int, goes_on: Callable[[str], bool]) -> int:
    """The first line from `number` on that is blank, or with which a block does not go on."""
    while number < len(lines) and lines[number].strip() and goes_on(lines[number]):
        number += 1
    return number


def _is_plain(line: str) -> bool:
    """Whether a line goes on with the paragraph above it."""
    return not (_FENCE.match(line) or _PROMPT.match(line) or _OWN_LINE.match(line))


def _is_indented(line: str) -> bool:
    """Whether a line goes on with the list item above it."""
    return line[0] in " \t" and _is_plain(line)
