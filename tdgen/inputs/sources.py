"""Where inputs come from, each source an endless or long row of candidates that begins with the gentlest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

from tdgen.inputs.drawing import Undrawable, draw, first
from tdgen.inputs.holes import Slot
from tdgen.inputs.input_model import Candidate, InputModel, is_number
from tdgen.inputs.literals import clocks
from tdgen.inputs.mutants import mutants, one_mutant, turns
from tdgen.inputs.templates import CallTemplate
from tdgen.values.shapes import fits

_HOLLOW = 4
_MOST_DRAWN = 10**4
_EMPTY: tuple[Any, ...] = ("", b"", [], (), {}, set())


class Sources:
    """The ways to new inputs from what is known."""

    def __init__(self, inputs: InputModel, rng: Random) -> None:
        self.inputs, self.rng = inputs, rng

    def all(self) -> list[Iterator[Candidate]]:
        """Mutation, crossing, the annotations, constants, values drawn anew, several steps at once, pairs exchanged."""
        keys = self.inputs.keys
        mutated = [
            turns([self._mutated(template, key) for template in self.inputs.bases if _has(template, key)])
            for key in keys
        ]
        crossed = [self._replaced(key, self.inputs.profile(key).seen) for key in keys]
        made = [self._replaced(key, first(self.inputs.shape(key))) for key in keys]
        constants = [self._replaced(key, self._constants(key)) for key in keys]
        drawn, stepped = self._drawn(keys), self._stepped()
        return [turns(mutated), turns(crossed), turns(made), turns(constants), drawn, stepped, self._exchanged()]

    def _mutated(self, template: CallTemplate, key: str) -> Iterator[Candidate]:
        """One slot changed by one step."""
        n = _place(template, key)
        slot = template.slots[n]
        steps = (
            clocks(slot.value)
            if key == "clock"
            else mutants(slot.value, slot.shape, self.inputs.profile(key), self.rng)
        )
        hollow = any(slot.value in _EMPTY for m, slot in enumerate(template.slots) if m != n and slot.whole)
        return (
            Candidate(template, template.values).having(n, step) for step in islice(steps, _HOLLOW if hollow else None)
        )

    def _replaced(self, key: str, others: Any) -> Iterator[Candidate]:
        """One slot given another value, in the simplest call and in others."""
        for turn, other in enumerate(others):
            having = [template for template in self.inputs.bases if _has(template, key)]
            for template in having[:1] + having[1 + turn % max(1, len(having) - 1) :][:1]:
                n = _place(template, key)
                if fits(other, template.slots[n].shape):
                    yield Candidate(template, template.values).having(n, other)

    def _drawn(self, keys: Sequence[str]) -> Iterator[Candidate]:
        """All parameters drawn anew, small ones first, or one of them."""
        able = [template for template in self.inputs.bases if any(slot.whole for slot in template.slots)]
        for turn in range(_MOST_DRAWN if able and keys else 0):
            template = able[turn % len(able)]
            values = list(template.values)
            only = self.rng.randrange(len(values)) if turn % 3 == 2 else None
            for n, slot in enumerate(template.slots):
                if slot.whole and only in (None, n):
                    values[n] = self._draw(slot, min(turn // 10, 8))
            yield Candidate(template, tuple(values))

    def _draw(self, slot: Slot, size: int) -> Any:
        try:
            value = draw(self.inputs.shape(slot.key), self.inputs.profile(slot.key), self.rng, size)
        except (Undrawable, ValueError, TypeError, OverflowError):
            return slot.value
        return value if fits(value, slot.shape) else slot.value

    def _stepped(self) -> Iterator[Candidate]:
        """Two or three steps at once, in one slot or in several, from values of several calls."""
        able = [template for template in self.inputs.bases if template.slots]
        for turn in range(_MOST_DRAWN if able else 0):
            template = able[turn % len(able)]
            values = template.values
            for _ in range(2 + turn % 2):
                n = self.rng.randrange(len(values))
                slot = template.slots[n]
                step = one_mutant(values[n], slot.shape, self.inputs.profile(slot.key), self.rng)
                values = (*values[:n], step, *values[n + 1 :])
            yield Candidate(template, values)

    def _exchanged(self) -> Iterator[Candidate]:
        """Two arguments of one type that have to do with each other (a low and a high), each given as the other."""
        for relation in self.inputs.relations:
            for template in self.inputs.bases:
                if not (_has(template, relation.one) and _has(template, relation.other)):
                    continue
                one, other = _place(template, relation.one), _place(template, relation.other)
                if template.slots[one].shape == template.slots[other].shape:
                    first, second = template.values[one], template.values[other]
                    yield Candidate(template, template.values).having(one, second).having(other, first)

    def _constants(self, key: str) -> Iterator[Any]:
        shape, seen = self.inputs.shape(key), self.inputs.profile(key).seen
        kinds = {type(value) for value in seen}
        numbers = self.inputs.numbers if any(isinstance(value, str) and is_number(value) for value in seen) else []
        known = (*self.inputs.constants, *numbers)
        return (value for value in known if type(value) in kinds and fits(value, shape))


def _has(template: CallTemplate, key: str) -> bool:
    return any(slot.key == key for slot in template.slots)


def _place(template: CallTemplate, key: str) -> int:
    return next(n for n, slot in enumerate(template.slots) if slot.key == key)
