"""Chance that repeats itself: a draw is a digest of what it is drawn for, so the order of questions changes none."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TypeVar

ItemT = TypeVar("ItemT")


def draw(*key: object) -> float:
    """A number from 0 to below 1, always the same for the same key."""
    return int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:7], "big") / 2**56


def shuffled(items: Sequence[ItemT], *key: object) -> list[ItemT]:
    """The items in an order that the key decides."""
    return [item for _, item in sorted(enumerate(items), key=lambda pair: draw(*key, pair[0]))]


def drawn(rates: Mapping[str, float], *key: object) -> str:
    """One of the names, each as likely as its rate says; empty for what the rates leave of 1."""
    point = draw(*key)
    for name, rate in rates.items():
        if point < rate:
            return name
        point -= rate
    return ""
