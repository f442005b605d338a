"""Where inputs come from, each source an endless or long row of candidates that begins with the gentlest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

from tdgen.inputs.drawing import Undrawable, draw, first
from tdgen.inputs.forms import Form
from tdgen.inputs.holes import Slot
from tdgen.inputs.known import Candidate, Known, is_number
from tdgen.inputs.literals import clocks
from tdgen.inputs.mutants import mutants, one_mutant, turns
from tdgen.values.shapes import fits

_HOLLOW = 4
_MOST_DRAWN = 10**4
_EMPTY: tuple[Any, ...] = ("", b"", [], (), {}, set())


class Sources:
    """The ways to new inputs from what is known."""

    def __init__(self, known: Known, rng: Random) -> None:
        self.known, self.rng = known, rng

    def all(self) -> list[Iterator[Candidate]]:
        """Mutation, crossing, the annotations, constants, values drawn anew, several steps at once, pairs exchanged."""
        keys = self.known.keys
        mutated = [turns([self._mutated(form, key) for form in self.known.bases if _has(form, key)]) for key in keys]
        crossed = [self._replaced(key, self.known.profile(key).seen) for key in keys]
        made = [self._replaced(key, first(self.known.shape(key))) for key in keys]
        constants = [self._replaced(key, self._constants(key)) for key in keys]
        drawn, stepped = self._drawn(keys), self._stepped()
        return [turns(mutated), turns(crossed), turns(made), turns(constants), drawn, stepped, self._exchanged()]

    def _mutated(self, form: Form, key: str) -> Iterator[Candidate]:
        """One slot changed by one step."""
        n = _place(form, key)
        slot = form.slots[n]
        steps = (
            clocks(slot.value) if key == "clock" else mutants(slot.value, slot.shape, self.known.profile(key), self.rng)
        )
        hollow = any(slot.value in _EMPTY for m, slot in enumerate(form.slots) if m != n and slot.whole)
        return (Candidate(form, form.values).having(n, step) for step in islice(steps, _HOLLOW if hollow else None))

    def _replaced(self, key: str, others: Any) -> Iterator[Candidate]:
        """One slot given another value, in the simplest call and in others."""
        for turn, other in enumerate(others):
            having = [form for form in self.known.bases if _has(form, key)]
            for form in having[:1] + having[1 + turn % max(1, len(having) - 1) :][:1]:
                n = _place(form, key)
                if fits(other, form.slots[n].shape):
                    yield Candidate(form, form.values).having(n, other)

    def _drawn(self, keys: Sequence[str]) -> Iterator[Candidate]:
        """All parameters drawn anew, small ones first, or one of them."""
        able = [form for form in self.known.bases if any(slot.whole for slot in form.slots)]
        for turn in range(_MOST_DRAWN if able and keys else 0):
            form = able[turn % len(able)]
            values = list(form.values)
            only = self.rng.randrange(len(values)) if turn % 3 == 2 else None
            for n, slot in enumerate(form.slots):
                if slot.whole and only in (None, n):
                    values[n] = self._draw(slot, min(turn // 10, 8))
            yield Candidate(form, tuple(values))

    def _draw(self, slot: Slot, size: int) -> Any:
        try:
            value = draw(self.known.shape(slot.key), self.known.profile(slot.key), self.rng, size)
        except (Undrawable, ValueError, TypeError, OverflowError):
            return slot.value
        return value if fits(value, slot.shape) else slot.value

    def _stepped(self) -> Iterator[Candidate]:
        """Two or three steps at once, in one slot or in several, from values of several calls."""
        able = [form for form in self.known.bases if form.slots]
        for turn in range(_MOST_DRAWN if able else 0):
            form = able[turn % len(able)]
            values = form.values
            for _ in range(2 + turn % 2):
                n = self.rng.randrange(len(values))
                slot = form.slots[n]
                step = one_mutant(values[n], slot.shape, self.known.profile(slot.key), self.rng)
                values = (*values[:n], step, *values[n + 1 :])
            yield Candidate(form, values)

    def _exchanged(self) -> Iterator[Candidate]:
        """Two arguments of one type that have to do with each other (a low and a high), each given as the other."""
        for relation in self.known.relations:
            for form in self.known.bases:
                if not (_has(form, relation.one) and _has(form, relation.other)):
                    continue
                one, other = _place(form, relation.one), _place(form, relation.other)
                if form.slots[one].shape == form.slots[other].shape:
                    first, second = form.values[one], form.values[other]
                    yield Candidate(form, form.values).having(one, second).having(other, first)

    def _constants(self, key: str) -> Iterator[Any]:
        shape, seen = self.known.shape(key), self.known.profile(key).seen
        kinds = {type(value) for value in seen}
        numbers = self.known.numbers if any(isinstance(value, str) and is_number(value) for value in seen) else []
        known = (*self.known.constants, *numbers)
        return (value for value in known if type(value) in kinds and fits(value, shape))


def _has(form: Form, key: str) -> bool:
    return any(slot.key == key for slot in form.slots)


def _place(form: Form, key: str) -> int:
    return next(n for n, slot in enumerate(form.slots) if slot.key == key)
