"""Sources to change."""

import sys

import pytest

BUSY = '''"""Module's own words."""

from __future__ import annotations

import math  # for floor

LIMITS = {"low": 1, "high": 9}  # inclusive


def helper(xs: list[int], *, step: int = 2) -> list[int]:
    """Every one from 5 to 7, or so."""
    return [x + step for x in xs if x > 0]  # positive ones


def unreached(x):
    return x + 12345


def f(xs: list[int], n: int = 3) -> str | None:
    """Say how 1 + 1 is 2."""
    # a comment of its own
    total = 0
    if not xs or n < 0:  # why
        raise ValueError(f"bad {n + 4711}")
    for i, x in enumerate(helper(xs)[1:n]):
        if i == n - 1:
            break
        total += (
            x  # this one
            * LIMITS["low"]
        )
    try:
        total = math.floor(total / len(xs))
    except ZeroDivisionError:
        return None
    while total > 9 and "é":
        total //= 10; n -= 1
    return f"{total:>3}é{n + 1}".strip() if total else "-"
'''


@pytest.fixture
def busy():
    """A source with something of everything: comments, messages, f-strings, two statements on a line, umlauts."""
    return BUSY


@pytest.fixture
def usual_depth():
    """Python's usual limit of recursion: other tests of this process may have raised it."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(before)
