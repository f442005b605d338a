"""Where inputs come from, each source an endless or long row of candidates that begins with the gentlest.

The constants that code spells out are hints for them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, permutations
from random import Random
from typing import Any, Final

from tdgen.inputs.drawing import Undrawable, draw, first
from tdgen.inputs.input_model import Candidate, InputModel, is_number
from tdgen.inputs.literals import clocks
from tdgen.inputs.mutants import mutants, one_mutant, turns
from tdgen.inputs.relations import Place, matched, places, put, related
from tdgen.inputs.templates import CallTemplate
from tdgen.source.syntax import literal, parse
from tdgen.values.shapes import fits

_HOLLOW = 4
_MOST_DRAWN = 10**4
_EMPTY: tuple[Any, ...] = ("", b"", [], (), {}, set())


_MANY = 20
_WORD = re.compile(r"\S+")
_LONGEST_RETYPED = 40
_TYPED = " -+aA0.\n"
"""A blank, a sign, a letter of either case, a digit, a point, a line's end: what grammars mostly tell apart."""


@dataclass(eq=False)
class Sources:
    """The ways to new inputs from what is known."""

    inputs: InputModel
    rng: Random

    def all(self) -> list[Iterator[Candidate]]:
        """Mutation, crossing, the annotations, constants, values drawn anew, several steps at once, pairs exchanged."""
        keys = self.inputs.keys
        mutated = [
            turns([self._mutated(template, key) for template in self.inputs.bases if _place(template, key) >= 0])
            for key in keys
        ]
        return [
            turns(mutated),
            turns([self._replaced(key, self.inputs.profile(key).seen) for key in keys]),
            turns([self._replaced(key, first(self.inputs.shape(key))) for key in keys]),
            turns([self._replaced(key, self._constants(key)) for key in keys]),
            self._drawn(keys),
            self._stepped(),
            self._exchanged(),
        ]

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
            having = [template for template in self.inputs.bases if _place(template, key) >= 0]
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
                    shape, profile = self.inputs.shape(slot.key), self.inputs.profile(slot.key)
                    try:
                        value = draw(shape, profile, self.rng, min(turn // 10, 8))
                    except (Undrawable, ValueError, TypeError, OverflowError):
                        continue
                    if fits(value, slot.shape):
                        values[n] = value
            yield Candidate(template, tuple(values))

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
                one, other = _place(template, relation.one), _place(template, relation.other)
                if min(one, other) < 0:
                    continue
                if template.slots[one].shape == template.slots[other].shape:
                    first, second = template.values[one], template.values[other]
                    yield Candidate(template, template.values).having(one, second).having(other, first)

    def _constants(self, key: str) -> Iterator[Any]:
        shape, values = self.inputs.shape(key), self.inputs.profile(key).seen
        kinds = {type(value) for value in values}
        numbers = self.inputs.numbers if any(isinstance(value, str) and is_number(value) for value in values) else []
        known = (*self.inputs.constants, *numbers)
        return (value for value in known if type(value) in kinds and fits(value, shape))

    def between_parts(self) -> list[Iterator[Candidate]]:
        """Parts that have to do with each other: elements of a list, arguments of a call, words of texts."""
        elements = [self._elements(n, template) for template in self.inputs.bases for n in range(len(template.slots))]
        return [turns(elements), self._matched(), self._reworded(), self._retyped()]

    def _elements(self, n: int, template: CallTemplate) -> Iterator[Candidate]:
        """One of a list's elements brought into relation with another; the list in other orders, and long."""
        slot, values = template.slots[n], Candidate(template, template.values)
        if not slot.whole or not isinstance(slot.value, list | tuple) or not slot.value:
            return
        items = list(slot.value)
        for related_items in related(items, self.rng):
            for order in (related_items, related_items[::-1]):
                yield values.having(n, type(slot.value)(order))
        yield values.having(n, type(slot.value)((items * _MANY)[:_MANY]))

    def _matched(self) -> Iterator[Candidate]:
        """One argument equal to another, to its length, to one of its items, or near."""
        for template in self.inputs.bases:
            whole = [(n, slot) for n, slot in enumerate(template.slots) if slot.whole]
            for (n, slot), (_, other) in permutations(whole, 2):
                for value in matched(slot.value, other.value):
                    if fits(value, slot.shape):
                        yield Candidate(template, template.values).having(n, value)

    def _reworded(self) -> Iterator[Candidate]:
        """Texts in which up to four words are others of the same shape: a date for a date, a name for a name."""
        words: dict[str, list[str]] = {}
        for text in (*self.inputs.constants, *self.inputs.numbers):
            for word in _WORD.findall(text) if isinstance(text, str) else ():
                words.setdefault(_shape(word), []).append(word)
        able = [
            (template, n)
            for template in self.inputs.bases
            for n, slot in enumerate(template.slots)
            if _texts(slot.value)
        ]
        for turn in range(_MOST_DRAWN if able else 0):
            template, n = able[turn % len(able)]
            value = template.slots[n].value
            for _ in range(1 + turn % 4):
                place = self.rng.choice(_texts(value))
                text, found = place.value, list(_WORD.finditer(place.value))
                if found:
                    word = self.rng.choice(found)
                    other = self.rng.choice(words.get(_shape(word[0]), [word[0]]))
                    value = put(value, place.path, text[: word.start()] + other + text[word.end() :])
            yield Candidate(template, template.values).having(n, value)

    def _retyped(self) -> Iterator[Candidate]:
        """Short texts one character off, each once, in any order: what a reader of a grammar may let through."""
        by_text: dict[tuple[str, str], Candidate] = {}
        for template in self.inputs.bases:
            for n, slot in enumerate(template.slots):
                for path, text in _texts(slot.value):
                    for other in _one_character_off(text) if len(text) <= _LONGEST_RETYPED else ():
                        value = put(slot.value, path, other)
                        by_text.setdefault((slot.key, other), Candidate(template, template.values).having(n, value))
        candidates = list(by_text.values())
        self.rng.shuffle(candidates)
        yield from candidates


def _place(template: CallTemplate, key: str) -> int:
    """The number of the first slot of that key; -1 where there is none."""
    return next((n for n, slot in enumerate(template.slots) if slot.key == key), -1)


def _one_character_off(text: str) -> Iterator[str]:
    """The text with each character of `_TYPED` put in at each place, without each of its own, and in its other case."""
    for place in range(len(text) + 1):
        yield from (text[:place] + typed + text[place:] for typed in _TYPED)
    for place, letter in enumerate(text):
        yield text[:place] + text[place + 1 :]
        if letter.swapcase() != letter:
            yield text[:place] + letter.swapcase() + text[place + 1 :]


def _shape(word: str) -> str:
    """A word by its characters' sorts, either sign being one.

    Of small letters, and of a word that is a whole number, only that there are some counts.
    """
    if word.isdecimal():
        return "0"
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]", "A", re.sub(r"[0-9]", "0", word.replace("+", "-"))))


def _texts(value: Any) -> list[Place]:
    """Where a value holds texts."""
    return [place for place in places(value) if isinstance(place.value, str)]


MOST_HINTS: Final = 60
LONGEST_TEXT: Final = 60
"""How many constants of a source are hints for inputs, and how long a text among them may be. Not tuned."""


_LITERAL: Final = re.compile(
    r"""//[^\n]*|/\*.*?\*/|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\b0[xX][0-9a-fA-F]+|\b\d+(?:_\d+)*(?:\.\d+)?)""",
    re.DOTALL,
)
"""A comment, or a literal, as many languages write them."""
_LIMITS: Final = (
    (
        2**63 - 1,
        re.compile(r"\b(?:INT64|LL?ONG)_M(?:AX|IN)\b|\bint64_t>::m(?:ax|in)\b|\b__builtin_\w+_overflow\b|\b__int128\b"),
    ),
    (2**31 - 1, re.compile(r"\bINT(?:32)?_M(?:AX|IN)\b|\bint(?:32_t)?>::m(?:ax|in)\b")),
    (2**53 - 1, re.compile(r"\bM(?:AX|IN)_SAFE_INTEGER\b|\bBigInt\b")),
)
"""What such languages call the largest integer, or what they have beyond it."""


def seed_constants(*sources: str) -> list[int | float | str]:
    """The numbers and short texts that the sources spell out, each int with its neighbours, each thing once."""
    constants: dict[tuple[str, str], int | float | str] = {}
    for source in sources:
        for spelled in _constants(source):
            constants |= {(type(value).__name__, repr(value)): value for value in _near(spelled)}
    return list(constants.values())[:MOST_HINTS]


def _constants(source: str) -> Iterator[object]:
    """What a source spells out; one that is no Python is read by its literals alone."""
    try:
        tree = parse(source)
    except SyntaxError:
        yield from (number for most, named in _LIMITS if named.search(source) for number in (most, -most - 1))
        for spelled in filter(None, _LITERAL.findall(source)):
            with suppress(ValueError, SyntaxError):
                yield literal(spelled if spelled[1:2] in ("x", "X") else spelled.lstrip("0") or "0")
        return
    idle = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    yield from (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in idle)


def _near(value: object) -> list[int | float | str]:
    if isinstance(value, bool):
        return []
    if isinstance(value, int):
        return [value, value - 1, value + 1, -value]
    if isinstance(value, float):
        return [value]
    return [value] if isinstance(value, str) and len(value) <= LONGEST_TEXT else []
