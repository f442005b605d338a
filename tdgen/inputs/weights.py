"""Which of several calls is the simplest, the one that a person reads fastest, and which are alike to that person."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tdgen.types import Call

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_RUNS = tuple((re.compile(f"[{letters}]+"), sign) for letters, sign in (("0-9", "0"), ("a-z", "a"), ("A-Z", "A")))
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
    return min(calls, key=lambda call: (weight(call), call.call_key))


def alike(one: Call, other: Call) -> bool:
    """Whether two calls have the same text pattern."""
    return text_pattern(one) == text_pattern(other)


def text_pattern(call: Call) -> tuple[str, ...]:
    """A call's sources and texts, each run of digits, small or capital letters in a text as one character.

    To find which of many calls are alike, compare their patterns: each is made once.
    """
    world = call.world
    texts = (world.stdin or "", *world.files.values(), *world.environment.values())
    sources = (_QUOTED.sub(lambda text: _run_classes(text[0]), source) for source in (call.setup, call.expression))
    return (*sources, *map(_run_classes, texts))


def _run_classes(text: str) -> str:
    for run, sign in _RUNS:
        text = run.sub(sign, text)
    return text
