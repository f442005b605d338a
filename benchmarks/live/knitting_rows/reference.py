"""Rows of knitting patterns."""

import re
from itertools import groupby

STITCHES = {"K": (1, 1), "P": (1, 1), "YO": (0, 1), "INC": (1, 2), "DEC": (2, 1)}
_OTHER_SIDE = {"K": "P", "P": "K"}
_TOKEN = re.compile(r" *(?:([A-Z]+)([0-9]*)|(x) *([0-9]+)|([(),]))")


class PatternError(ValueError):
    """A row that can't be read, or that does not match the one before."""


def _tokens(text):
    tokens = []
    place = 0
    text = text.rstrip(" ")
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise PatternError(f"not a row: {text!r}")
        name, count, times, factor, sign = match.groups()
        if name is not None:
            if name not in STITCHES:
                raise PatternError(f"unknown stitch: {name}")
            tokens.append(("stitch", name, int(count or 1)))
        elif times is not None:
            tokens.append(("times", "", int(factor)))
        else:
            tokens.append((sign, "", 1))
        if tokens[-1][2] < 1:
            raise PatternError(f"a count of nothing: {text!r}")
        place = match.end()
    return tokens


def _row(tokens, place):
    """The stitches of the row that begins at a place, and where it ends."""
    stitches = []
    while True:
        kind, name, count = tokens[place] if place < len(tokens) else ("end", "", 1)
        if kind == "stitch":
            stitches += [name] * count
            place += 1
        elif kind == "(":
            inner, place = _row(tokens, place + 1)
            closed = [token[0] for token in tokens[place : place + 2]] == [")", "times"]
            if not closed:
                raise PatternError("a group without its end or count")
            stitches += inner * tokens[place + 1][2]
            place += 2
        else:
            raise PatternError("an item is missing")
        if place >= len(tokens) or tokens[place][0] != ",":
            return stitches, place
        place += 1


def expand(text):
    tokens = _tokens(text)
    stitches, place = _row(tokens, 0)
    if place != len(tokens):
        raise PatternError(f"not a row: {text!r}")
    return stitches


def compress(stitches):
    runs = [(name, len(list(run))) for name, run in groupby(stitches)]
    return ", ".join(name if count == 1 else f"{name}{count}" for name, count in runs)


def wrong_side(text):
    return compress([_OTHER_SIDE.get(name, name) for name in reversed(expand(text))])


def count_stitches(text):
    stitches = expand(text)
    return sum(STITCHES[name][0] for name in stitches), sum(STITCHES[name][1] for name in stitches)


def check_pattern(rows, cast_on):
    there = cast_on
    for number, row in enumerate(rows, 1):
        taken, put = count_stitches(row)
        if taken != there:
            raise PatternError(f"row {number} takes {taken} of {there} stitches")
        there = put
    return there
