"""Plan cuts of boards."""

import re
from math import gcd

FOOT = 192
INCH = 16


class LengthError(ValueError):
    """A text that is no length, or a length that can't be cut."""


_LENGTH = re.compile(
    r"""(?:(?P<feet>[0-9]+)')?(?P<space>\ )?"""
    r"""(?P<inches>(?:(?P<whole>[0-9]+)|(?:(?P<mixed>[0-9]+)\ )?(?P<over>[0-9]+)/(?P<under>2|4|8|16))")?"""
)


def parse_length(text):
    match = _LENGTH.fullmatch(text)
    if match is None or bool(match["space"]) != (match["feet"] is not None and match["inches"] is not None):
        raise LengthError(f"not a length: {text!r}")
    if match["feet"] is None and match["inches"] is None:
        raise LengthError(f"not a length: {text!r}")
    inches = int(match["whole"] or match["mixed"] or 0) * INCH
    if match["over"] is not None:
        over, under = int(match["over"]), int(match["under"])
        if over >= under:
            raise LengthError(f"not a fraction below 1: {text!r}")
        inches += over * (INCH // under)
    if match["feet"] is None:
        return inches
    if inches >= FOOT:
        raise LengthError(f"more than a foot of inches: {text!r}")
    return int(match["feet"]) * FOOT + inches


def format_length(length):
    feet, rest = divmod(length, FOOT)
    whole, over = divmod(rest, INCH)
    inches = []
    if whole:
        inches.append(str(whole))
    if over:
        common = gcd(over, INCH)
        inches.append(f"{over // common}/{INCH // common}")
    parts = []
    if feet:
        parts.append(f"{feet}'")
    if inches:
        parts.append(" ".join(inches) + '"')
    return " ".join(parts) or '0"'


def fits(board, piece, stock, kerf):
    return sum(board) + len(board) * kerf + piece <= stock


def leftover(board, stock, kerf):
    return stock - sum(board) - max(0, len(board) - 1) * kerf


def cut_plan(pieces, stock, kerf):
    lengths = sorted(map(parse_length, pieces), reverse=True)
    whole, blade = parse_length(stock), parse_length(kerf)
    boards = []
    for length in lengths:
        if length > whole:
            raise LengthError(f"longer than the stock: {format_length(length)}")
        for board in boards:
            if fits(board, length, whole, blade):
                board.append(length)
                break
        else:
            boards.append([length])
    return [[format_length(length) for length in board] for board in boards]
