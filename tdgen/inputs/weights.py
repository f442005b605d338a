"""Which of several calls is the simplest: the one that a person reads fastest."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tdgen.types import Call

_TOKEN = re.compile(r"\w+|[^\w\s]")


def weight(call: Call) -> tuple[int, ...]:
    """A call's weight, lighter ones first: what surrounds it, its length in characters, its odd ones, its parts.

    Of two calls as long, plain letters come before signs, and small digits and first letters before others.
    """
    world = call.world
    surroundings = (call.setup, world.stdin or "", *world.files.values(), *world.environment.values())
    around = sum(map(len, surroundings))
    text = call.expression
    odd = (
        (0 if text.isascii() else sum(not letter.isascii() for letter in text)) + 2 * text.count("\\") + text.count("-")
    )
    return around, len(text), odd, len(_TOKEN.findall(text)), sum(map(ord, text))


def simplest(calls: Iterable[Call]) -> Call:
    """The lightest of some calls; ValueError where there is none."""
    return min(calls, key=lambda call: (weight(call), call.situation))
