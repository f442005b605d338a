"""Items put into a list that stands in a source: where they are sorted, on lines of their own where the items are."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from tdgen.source.syntax import Edit


def listed(
    lines: Sequence[str], items: Sequence[ast.expr | ast.alias], keys: Sequence[str], new: Mapping[str, str]
) -> Iterator[Edit]:
    """The edits that put texts, by their keys, among items, of which there is one or more, with keys of their own.

    Where the items are not sorted, they go behind the last.
    """
    orders: tuple[Callable[[str], tuple[int, str]], ...] = (_by_kind, _by_letter, _by_small_letter)
    fold = next((fold for fold in orders if list(keys) == sorted(keys, key=fold)), None)
    places: dict[int, list[str]] = {}
    for key in sorted(new, key=fold) if fold else new:
        place = sum(fold(one) < fold(key) for one in keys) if fold else len(keys)
        places.setdefault(place, []).append(new[key])
    for place, texts in places.items():
        near = items[min(place, len(items) - 1)]
        before = lines[near.lineno - 1].encode()[: near.col_offset].decode()
        between = ", " if before.strip() else f",\n{before}"
        if place < len(items):
            yield Edit(near.lineno, near.col_offset, near.lineno, near.col_offset, between.join([*texts, ""]))
        else:
            row, column = near.end_lineno or 0, near.end_col_offset or 0
            yield Edit(row, column, row, column, between.join(["", *texts]))


def _by_kind(name: str) -> tuple[int, str]:
    """Constants first, then classes, then all else, as isort sorts them."""
    return 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2, name


def _by_letter(name: str) -> tuple[int, str]:
    return 0, name


def _by_small_letter(name: str) -> tuple[int, str]:
    return 0, name.lower()
