"""A piece of a rendered file: one test function, and what has to stand above it."""

from __future__ import annotations

from typing import NamedTuple

from tdgen.testgen.rendering.families import Expected


class Block(NamedTuple):
    """One test function.

    `text` is its source, `fixtures` what it takes of pytest and the file. `sources` are the pieces whose free names are
    imported, each a scope of its own. `ids` has the end of the test's id, what comes after the function's name,
    by each case that it states. `compared` are the values that a helper compares.
    """

    name: str
    text: str
    sources: tuple[str, ...]
    ids: dict[str, str]
    fixtures: tuple[str, ...] = ()
    compared: tuple[Expected, ...] = ()
    any_order: bool = False
