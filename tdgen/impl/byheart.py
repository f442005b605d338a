"""Whether an implementation knows test inputs by heart: whether it spells them out, and what the cases expect of them.

The rule. A place in the code is an *entry* where it gives a literal for a literal input: a branch on equality with a
parameter (`==`, `in` a container, `match`), a table's key, a row of a list, two lists side by side, whatever the
input is written as (`repr`, a joined text, codes of characters, a digest). An entry is a *hit* where its input is a
visible case's and its literal is what that case expects. A hit alone on one of several arguments counts where that
argument tells the case from all others. Entries stand in groups: each table by itself, all branches together. A group
is reported where more than half of its entries are hits, those for small inputs left out: nothing, truth values,
numbers up to 3, one letter, empty containers, which any contract names and any recursion ends with. Where only True,
False or None is given, at least three hits are asked for.

So neither a table of months of which the cases show a few is reported, nor `if n == 0: return 1`. A contract may ask
for just the table that is found here: a finding is a reason to refuse only where a case fails that was never shown.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from tdgen.impl.entries import Entry, Raises, entry_groups
from tdgen.impl.spellings import canonical, is_small, row_spellings, spellings, value_of
from tdgen.syntax import parse
from tdgen.types import Case, ExpectedException, Value, argument_value

_LEAST_TRUTHS = 3
_MOST_SMALL = 2


class _Shown(NamedTuple):
    """A visible case: all ways to write its arguments together and one by one, and what it expects."""

    case: Case
    whole: frozenset[str]
    parts: tuple[frozenset[str], ...]
    telling: tuple[bool, ...]
    is_small: bool
    expected: Any


def known_by_heart(source: str, function: str, cases: Sequence[Case]) -> tuple[str, ...]:
    """One sentence for each of the (visible) cases whose input the source answers by heart; empty where none.

    SyntaxError where the source is no Python.
    """
    shown = _shown(function, cases)
    found: dict[str, str] = {}
    for group in entry_groups(parse(source)):
        for entry, told in _hits(group, shown):
            found.setdefault(told.case.name, _sentence(entry, told))
    return tuple(found.values())


def _hits(group: Sequence[Entry], shown: Sequence[_Shown]) -> list[tuple[Entry, _Shown]]:
    """The hits of a group that is to be reported, those for small inputs left out."""
    pairs = [(entry, _hit(entry, shown)) for entry in group]
    every = [(entry, told) for entry, told in pairs if told]
    large = [(entry, told) for entry, told in every if not told.is_small]
    entries = [entry for entry, told in pairs if not (told.is_small if told else all(map(is_small, entry.keys)))]
    few_small = len(group) - len(entries) <= _MOST_SMALL
    if not large or 2 * len(large) <= len(entries) or not (few_small or 2 * len(every) > len(group)):
        return []
    only_truths = all(entry.gives is None or isinstance(entry.gives, bool) for entry, _ in large)
    return [] if only_truths and len(large) < _LEAST_TRUTHS else large


def _hit(entry: Entry, shown: Sequence[_Shown]) -> _Shown | None:
    """The case that an entry answers; of several, one with a large input."""
    keys = [canonical(key) for key in entry.keys]
    found = [told for told in shown if _gives(entry.gives, told.expected) and _asks(keys, told)]
    return min(found, key=lambda told: told.is_small) if found else None


def _asks(keys: Sequence[str], told: _Shown) -> bool:
    if len(keys) == 1 and keys[0] in told.whole:
        return True
    if len(keys) == 1:
        return any(keys[0] in part and telling for part, telling in zip(told.parts, told.telling, strict=True))
    left = list(told.parts)
    for key in keys:
        place = next((n for n, part in enumerate(left) if key in part), None)
        if place is None:
            return False
        del left[place]
    return not left or any(told.telling)


def _gives(given: Any, expected: Any) -> bool:
    return isinstance(given, Raises) == isinstance(expected, Raises) and canonical(given) == canonical(expected)


def _shown(function: str, cases: Sequence[Case]) -> list[_Shown]:
    rows = [(case, row) for case in cases if (row := _arguments(case, function))]
    counts = Counter((n, canonical(value)) for _, row in rows for n, value in enumerate(row))
    found = []
    for case, row in rows:
        expected = _expected(case)
        if expected is _NOTHING:
            continue
        telling = tuple(not is_small(v) and counts[n, canonical(v)] == 1 for n, v in enumerate(row))
        whole = row_spellings(row) | (spellings(row[0]) if len(row) == 1 else frozenset())
        found.append(_Shown(case, whole, tuple(map(spellings, row)), telling, all(map(is_small, row)), expected))
    return found


def _arguments(case: Case, function: str) -> list[Any]:
    """The values of the arguments that a case's call gives to the function."""
    if not case.call:
        return [value_of(expression) for expression in map(_expression, map(argument_value, case.arguments))]
    calls = [n for n in ast.walk(_expression(case.call)) if isinstance(n, ast.Call)]
    ours = [n for n in calls if isinstance(n.func, ast.Name) and n.func.id == function]
    return [value_of(a) for a in (*ours[0].args, *(k.value for k in ours[0].keywords))] if len(ours) == 1 else []


def _expected(case: Case) -> Any:
    match case.expectation:
        case Value(source=source):
            return value_of(_expression(source))
        case ExpectedException(type=name):
            return Raises(name.rpartition(".")[2])
    return _NOTHING


_NOTHING: Any = object()


def _expression(source: str) -> ast.expr:
    body = parse(source.strip()).body
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else ast.Constant(value=...)


def _sentence(entry: Entry, told: _Shown) -> str:
    match told.case.expectation:
        case ExpectedException(type=name):
            given = f"raises `{name}`"
        case expectation:
            given = f"gives `{expectation.source}`" if isinstance(expectation, Value) else "its outcome"
    return (
        f"line {entry.line} spells out the input of the case {told.case.name!r}, `{told.case.expression}`, and {given} "
        "for it"
    )
