"""Sources of inputs whose elements, arguments and words have to do with each other, each a row of candidates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

from tdgen.inputs.known import Candidate, Known
from tdgen.inputs.mutants import turns
from tdgen.inputs.related import matched, parts, related, with_part
from tdgen.values.shapes import fits

_MANY = 20
_MOST = 10**4
_WORD = re.compile(r"\S+")


class Relations:
    """The ways to inputs whose parts have to do with each other."""

    def __init__(self, known: Known, rng: Random) -> None:
        self.known, self.rng = known, rng

    def all(self) -> list[Iterator[Candidate]]:
        """Elements of a list, arguments of a call, words of texts."""
        elements = [self._elements(n, form) for form in self.known.bases for n in range(len(form.slots))]
        return [turns(elements), self._matched(), self._reworded()]

    def _elements(self, n: int, form: Any) -> Iterator[Candidate]:
        """One of a list's elements brought into relation with another; the list in other orders, and long."""
        slot, values = form.slots[n], Candidate(form, form.values)
        if not slot.whole or not isinstance(slot.value, list | tuple) or not slot.value:
            return
        items = list(slot.value)
        for found in related(items, self.rng):
            for order in (found, found[::-1]):
                yield values.having(n, type(slot.value)(order))
        yield values.having(n, type(slot.value)((items * _MANY)[:_MANY]))

    def _matched(self) -> Iterator[Candidate]:
        """One argument equal to another, to its length, to one of its items, or near."""
        for form in self.known.bases:
            whole = [(n, slot) for n, slot in enumerate(form.slots) if slot.whole]
            for (n, slot), (_, other) in permutations(whole, 2):
                for value in matched(slot.value, other.value):
                    if fits(value, slot.shape):
                        yield Candidate(form, form.values).having(n, value)

    def _reworded(self) -> Iterator[Candidate]:
        """Texts in which up to four words are others of the same shape: a date for a date, a name for a name."""
        words: dict[str, list[str]] = {}
        for text in self.known.constants:
            for word in _WORD.findall(text) if isinstance(text, str) else ():
                words.setdefault(_shape(word), []).append(word)
        able = [(form, n) for form in self.known.bases for n, slot in enumerate(form.slots) if _texts(slot.value)]
        for turn in range(_MOST if able else 0):
            form, n = able[turn % len(able)]
            value = form.slots[n].value
            for _ in range(1 + turn % 4):
                path = self.rng.choice(_texts(value))
                value = _put(value, path, self._one_reworded(_taken(value, path), words))
            yield Candidate(form, form.values).having(n, value)

    def _one_reworded(self, text: str, words: dict[str, list[str]]) -> str:
        found = list(_WORD.finditer(text))
        if not found:
            return text
        word = self.rng.choice(found)
        other = self.rng.choice(words.get(_shape(word[0]), [word[0]]))
        return text[: word.start()] + other + text[word.end() :]


def _shape(word: str) -> str:
    """A word by its characters' sorts, either sign being one; of small letters only that there are some counts."""
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]", "A", re.sub(r"[0-9]", "0", word.replace("+", "-"))))


def _texts(value: Any, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Where a value holds texts."""
    if isinstance(value, str):
        return [path]
    held = parts(value)
    return [] if held == [value] else [place for n, part in enumerate(held) for place in _texts(part, (*path, n))]


def _taken(value: Any, path: tuple[int, ...]) -> str:
    for place in path:
        value = parts(value)[place]
    return str(value)


def _put(value: Any, path: tuple[int, ...], text: str) -> Any:
    if not path:
        return text
    return with_part(value, path[0], _put(parts(value)[path[0]], path[1:], text))
