"""Each place of a value changed, in the ways in which code slips there.

A place is what a value holds that holds nothing else (a number, a day, a text), and each list, text or mapping by its
own items, lines and words. Changes go by what is there, not by what was seen: numbers at their bounds, days at the
calendar's, texts by the signs that readers let through, rows by items that are missing, doubled, or in another order.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import islice
from operator import add, mul, truediv
from random import Random
from typing import Any, NamedTuple

from tdgen.inputs.input_model import Candidate, InputModel
from tdgen.inputs.literals import tried
from tdgen.inputs.mutants import turns
from tdgen.inputs.profiles import sorted_or_none
from tdgen.inputs.relations import Place, near, places, put
from tdgen.inputs.templates import CallTemplate
from tdgen.values.shapes import fits

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_DAY = re.compile(r"(?<![0-9])([0-9]{4})([-/.]?)([0-9]{2})\2([0-9]{2})(?![0-9])")
_WORD = re.compile(r"[^\W_]+")
_GAP = re.compile(r"[^\w\s]|[ \t]+")
_FAR = 10**6 + 3
_SHORT = 3
_SIGNS = ("-", "+", " ", "0", "--")
_DIGITS = {ord("0") + n: 0x660 + n for n in range(10)}
"""To Arabic-Indic ones, which `str.isdigit` and `int` take for digits."""
_MOST_ITEMS = 12
_MOST_FOUND = 8
_MOST_CHANGES = 400
_MOST_TURNS = 10**4


class Changes:
    """The ways to inputs in which one place of a call, or several at once, are changed."""

    def __init__(self, inputs: InputModel, constants: Sequence[Any], rng: Random) -> None:
        self.constants, self.rng = constants, rng
        slots = [(template, n, slot) for template in inputs.bases for n, slot in enumerate(template.slots)]
        self.found = [
            _SlotPlace(template, n, place) for template, n, slot in slots for place in places(slot.value, _MOST_ITEMS)
        ]
        rng.shuffle(self.found)
        self._options: dict[int, list[Any]] = {}

    def all(self) -> list[Iterator[Candidate]]:
        """One place changed, and several; each has two turns, as most of what is found comes of them."""
        one, several = self._one(), self._several()
        return [one, one, several, several]

    def _one(self) -> Iterator[Candidate]:
        """Each place changed, those of each argument in turn.

        Where one place of an argument begins with its ways another goes on, so that all ways come soon.
        """
        groups: dict[tuple[str, int, type], list[int]] = {}
        for number, (template, n, place) in enumerate(self.found):
            groups.setdefault((template.slots[n].key, len(place.path), type(place.value)), []).append(number)
        by_group = [[self._from(number, k / len(group)) for k, number in enumerate(group)] for group in groups.values()]
        yield from turns([turns(ways) for ways in by_group])

    def _from(self, number: int, share: float) -> Iterator[Candidate]:
        template, options = self.found[number].template, self._changes(number)
        start = int(share * len(options))
        for option in [*options[start:], *options[:start]]:
            if candidate := self._put(Candidate(template, template.values), number, option):
                yield candidate

    def _several(self) -> Iterator[Candidate]:
        """Two places of a call changed, or three; every other time places of one type."""
        by_template: dict[int, list[int]] = {}
        for number, slot_place in enumerate(self.found):
            by_template.setdefault(id(slot_place.template), []).append(number)
        able = [numbers for numbers in by_template.values() if len(numbers) > 1]
        for turn in range(_MOST_TURNS if able else 0):
            numbers = self.rng.choice(able)
            kind = type(self.found[self.rng.choice(numbers)].place.value)
            alike = [number for number in numbers if turn % 2 or type(self.found[number].place.value) is kind]
            template = self.found[numbers[0]].template
            candidate: Candidate | None = Candidate(template, template.values)
            for number in self.rng.sample(alike, min(2 + turn // 2 % 2, len(alike))):
                if candidate and (options := self._changes(number)):
                    candidate = self._put(candidate, number, self.rng.choice(options))
            if candidate:
                yield candidate

    def _changes(self, number: int) -> list[Any]:
        if number not in self._options:
            value = self.found[number].place.value
            self._options[number] = list(islice(changes(value, self.constants), _MOST_CHANGES))
        return self._options[number]

    def _put(self, candidate: Candidate, number: int, option: Any) -> Candidate | None:
        """The candidate with an option in a place; None where that is gone, or the annotation does not admit it."""
        _, n, place = self.found[number]
        slot = candidate.template.slots[n]
        try:
            value = put(candidate.values[n], place.path, option)
        except (IndexError, TypeError, ValueError):
            return None
        return candidate.having(n, value) if fits(value, slot.shape) or not fits(slot.value, slot.shape) else None


class _SlotPlace(NamedTuple):
    """A place of a call: the call's template, the slot's number, and where in the slot's value it is."""

    template: CallTemplate
    slot: int
    place: Place


def changes(value: Any, constants: Sequence[Any] = ()) -> Iterator[Any]:
    """What may stand for a value, by its type, the ways in turn; `constants` are those of the code."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float | Decimal):
        yield from _numbers(value, constants)
    elif isinstance(value, dt.date):
        yield from _days(value)
    elif isinstance(value, str):
        yield from turns([*_texts(value, constants), *([_lines(value)] if "\n" in value.strip("\n") else [])])
    elif isinstance(value, list | tuple):
        yield from (type(value)(items) for items in _rows(list(value)))
    elif isinstance(value, dict):
        yield from (dict(pairs) for pairs in _rows(list(value.items())))


def _numbers(value: Any, constants: Sequence[Any]) -> Iterator[Any]:
    """Nothing, one, the neighbours, the other sign, what the code compares with, and far off."""
    kind = type(value)
    yield from (kind(0), kind(1), *list(near(value))[1:], -value, kind(-1))
    yield from tried(mul, value, 2)
    for constant in constants:
        if type(constant) is int or type(constant) is kind:
            yield from tried(kind, constant)
    yield from (*tried(mul, value, 10), *tried(add, value, kind(_FAR)))
    if kind is not int:
        yield from (*tried(truediv, value, 2), *tried(add, value, kind("0.005")))


def _days(value: dt.date) -> Iterator[dt.date]:
    """The calendar's limits around a day: leap days, the ends of months and years, the week, years far off."""
    leap = value.year - value.year % 4
    steps = [moved for days in (1, -1, 7, -7, 2, -2, 3, -3) for moved in tried(add, value, dt.timedelta(days))]
    limits = [(leap, 2, 29), (leap + 4, 2, 29), (value.year, 2, 28), (value.year, 3, 1), (value.year, 12, 31)]
    limits += [(value.year + 1, 1, 1), (value.year, value.month, 1), (leap + 5, 2, 28), (leap + 5, 3, 1)]
    limits += [(value.year, value.month, calendar.monthrange(value.year, value.month)[1]), (leap - 4, 2, 29)]
    limits += [(2000, 2, 29), (2100, 2, 28), (2100, 3, 1), (1900, 3, 1), (value.year, 1, 31), (value.year, 1, 30)]
    limits += [(value.year + years, value.month, value.day) for years in (1, -1, 4, 100)]
    limits += [(value.year, value.month % 12 + 1, value.day), (value.year, (value.month - 2) % 12 + 1, value.day)]
    for n in range(max(len(steps), len(limits))):
        yield from steps[n : n + 1]
        for year, month, day in limits[n : n + 1]:
            with suppress(ValueError):
                yield value.replace(year=year, month=month, day=day)


def _texts(text: str, constants: Sequence[Any]) -> list[Iterator[str]]:
    """A text's ways: its numbers, its days, its words, what separates them, its edges, the code's own texts in it."""
    words = [constant for constant in constants if isinstance(constant, str) and constant]
    numbers = [constant for constant in constants if type(constant) is int]
    return [
        turns([_renumbered(text, match, numbers) for match in _matches(_NUMBER, text)]),
        turns([_signed(text, match) for match in _matches(_NUMBER, text)]),
        turns([_redated(text, match) for match in _matches(_DAY, text)]),
        turns([_reworded(text, match) for match in _matches(_WORD, text)]),
        turns([_reparted(text, match, words) for match in _matches(_GAP, text)]),
        _edged(text),
        (_spliced(text, match, word) for word in words for match in [*_matches(_WORD, text)[:2], None]),
    ]


def _matches(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    matches = list(pattern.finditer(text))
    return matches if len(matches) <= _MOST_FOUND else [*matches[: _MOST_FOUND - 2], *matches[-2:]]


def _spliced(text: str, match: re.Match[str] | None, new: str) -> str:
    """The text with another in place of what was found; as a whole where nothing was."""
    return text[: match.start()] + new + text[match.end() :] if match else new


def _renumbered(text: str, match: re.Match[str], constants: Sequence[int]) -> Iterator[str]:
    if match[0].isdecimal() and len(match[0]) < _MOST_ITEMS:
        number, width = int(match[0]), len(match[0])
        for other in (0, number + 1, max(number - 1, 0), 1, *constants, number * 10, number + 100):
            if other >= 0:  # as long as it was, as in a field of fixed width, or as long as it is
                yield from (_spliced(text, match, f"{other:0{n}}") for n in sorted({width, 1}, reverse=True))
    yield from (_spliced(text, match, new) for new in ("", match[0] + ".5", match[0] + "."))


def _signed(text: str, match: re.Match[str]) -> Iterator[str]:
    """What readers of numbers let through: a sign, a blank, a nought before it, `1_0`, digits of another script."""
    yield from (text[: match.start()] + sign + text[match.start() :] for sign in _SIGNS)
    if match.start() and not text[match.start() - 1].isalnum():
        yield text[: match.start() - 1] + text[match.start() :]
    yield _spliced(text, match, f"{match[0][:1]}_{match[0][1:] or '0'}")
    yield from (_spliced(text, match, new) for new in (match[0].translate(_DIGITS), match[0][1:], match[0] + "\u00b2"))


def _redated(text: str, match: re.Match[str]) -> Iterator[str]:
    year, gap, month, day = match.groups()
    with suppress(ValueError, OverflowError):
        moved = _days(dt.date(int(year), int(month), int(day)))
        yield from (_spliced(text, match, f"{on:%Y}{gap}{on:%m}{gap}{on:%d}") for on in moved)
    yield from (_spliced(text, match, f"{year}{gap}{rest}") for rest in (f"02{gap}30", f"13{gap}01", f"00{gap}10"))


def _reworded(text: str, match: re.Match[str]) -> Iterator[str]:
    """A word in other cases, one of its letters in the other, without it, and twice."""
    word = match[0]
    yield from (_spliced(text, match, new) for new in (word.swapcase(), word[:1].swapcase() + word[1:], ""))
    yield _spliced(text, match, f"{word} {word}")
    yield from (_spliced(text, match, new) for new in (word[:-1] + word[-1:].swapcase(), word + word[-1:], word[1:]))
    yield _spliced(text, match, f"{word[:1]}é{word[1:]}")


def _reparted(text: str, match: re.Match[str], words: Sequence[str]) -> Iterator[str]:
    """What is between words doubled, left out, with blanks around it, and one of the code's own in its place."""
    gap = match[0]
    yield from (_spliced(text, match, new) for new in (gap * 2, "", f" {gap} ", f"{gap} ", f" {gap}", "\t"))
    yield from (_spliced(text, match, word) for word in words if len(word) < _SHORT and word != gap)


def _edged(text: str) -> Iterator[str]:
    """Empty, blank, with blanks around, without its ends, in other cases."""
    yield from ("", f" {text}", f"{text} ", text[:-1], text[1:], text.upper(), text.lower(), f"{text}{text[-1:]}")
    yield from (f"{text}\n", " ", f"\t{text}", text.swapcase(), f"\u00a0{text}", text * 2)


def _lines(text: str) -> Iterator[str]:
    """A text whose lines are a row: and with empty and blank ones among them, and other ends."""
    lines = text.splitlines(keepends=True)
    ended = [line if line.endswith("\n") else f"{line}\n" for line in lines]
    for n in range(min(len(ended), _MOST_ITEMS)):
        for more in ("\n", "  \n"):
            yield "".join([*ended[:n], more, *ended[n:]])
    yield from (text.rstrip("\n"), text + "\n", text.replace("\n", "\r\n"), "\ufeff" + text, text + "x")
    yield from ("".join(row) for row in _rows(ended))


def _rows(items: list[Any]) -> Iterator[list[Any]]:
    """Items missing, doubled (there and at the end), exchanged with others, in other orders, cut."""
    count, in_order = min(len(items), _MOST_ITEMS), sorted_or_none(items) or items
    ways: list[Iterator[list[Any]]] = [
        (items[:n] + items[n + 1 :] for n in range(count)),
        (items[: n + 1] + items[n:] for n in range(count)),
        ([*items, items[n]] for n in range(count - 1)),
        ([*items[:n], items[n + 1], items[n], *items[n + 2 :]] for n in range(count - 1)),
        ([*items[:n], items[0], *items[n + 1 :]] for n in range(1, count)),
        iter([[], items[::-1], items[:1], items[1:], items[-1:], in_order, in_order[::-1]]),
    ]
    yield from turns(ways)
