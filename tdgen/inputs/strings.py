"""One step from a string: of its characters, its words, its lines, the numbers in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

_NEAR = {"a": "b", "z": "a", "Z": "A", "9": "0"}
_FOREIGN = ("é", "ß", "日", "\U0001f600", "İ")


def strings(text: str, others: Sequence[str], alphabet: str, rng: Random) -> Iterator[str]:
    """What is one step away; `others` are strings seen elsewhere, `alphabet` the characters seen at this place."""
    if text:
        yield from _characters(text, alphabet, rng)
    yield from ("", text[:1], text + text, text[::-1], text.swapcase(), text.upper(), text.lower())
    yield from _numbers(text)
    yield from _words(text, rng)
    if "\n" in text:
        yield from _lines(text)
    yield from _joined(text, others)
    yield from (text + letter for letter in _some(alphabet, rng, 3))
    yield from ("".join(sorted(text)), text.capitalize(), text.title(), text.strip(), text.replace(" ", ""))
    yield from (f" {text}", f"{text} ", text.replace(" ", "  "), f"{text}\n", f"\t{text}", " ", "0")
    yield from (text[: len(text) // 2] + letter + text[len(text) // 2 :] for letter in _FOREIGN)


def _characters(text: str, alphabet: str, rng: Random) -> Iterator[str]:
    places = _places(len(text), rng)
    for place in places:
        yield text[:place] + text[place + 1 :]
    for place in places:
        yield text[:place] + _near(text[place]) + text[place + 1 :]
    for place in places:
        yield text[: place + 1] + text[place:]
    for place in places:
        for letter in _some(alphabet, rng, 2):
            yield text[:place] + letter + text[place + 1 :]
            yield text[:place] + letter + text[place:]
    for place in places[:-1]:
        yield text[:place] + text[place : place + 2][::-1] + text[place + 2 :]


def _near(letter: str) -> str:
    if letter in _NEAR:
        return _NEAR[letter]
    return chr(ord(letter) + 1) if letter.isascii() and letter.isalnum() else letter.swapcase()


def _numbers(text: str) -> Iterator[str]:
    for found in list(re.finditer(r"\d{1,15}", text))[:4]:
        number = int(found[0])
        for other in (number + 1, max(number - 1, 0), 0, number * 10):
            yield text[: found.start()] + str(other).zfill(len(found[0])) + text[found.end() :]


def _words(text: str, rng: Random) -> Iterator[str]:
    gap = next((gap for gap in (" ", ",", "-", "_", "/", ".", ":") if gap in text.strip()), "")
    parts = text.split(gap) if gap else []
    if len(parts) < 2 or len(parts) > 200:
        return
    for place in _places(len(parts), rng):
        yield gap.join(parts[:place] + parts[place + 1 :])
        yield gap.join(parts[: place + 1] + parts[place:])
    yield from (gap.join(parts[::-1]), gap.join(sorted(parts)), gap + text, text + gap, gap.join([*parts, *parts]))
    yield text.replace(gap, gap * 2, 1)


def _lines(text: str) -> Iterator[str]:
    lines = text.splitlines(keepends=True)
    yield from ("".join(lines[:n] + lines[n + 1 :]) for n in range(min(len(lines), 4)))
    yield from ("".join(lines[::-1]), "".join(lines + lines[-1:]), text.rstrip("\n"), "\n" + text)
    yield text.replace("\n", "\r\n")


def _joined(text: str, others: Sequence[str]) -> Iterator[str]:
    for other in others[:4]:
        yield text + other
        yield text[: len(text) // 2] + other[len(other) // 2 :]
        yield other + text


def _places(length: int, rng: Random) -> list[int]:
    """The first, the last, the middle and one more."""
    return sorted({0, length - 1, length // 2, rng.randrange(length)}) if length else []


def _some(alphabet: str, rng: Random, count: int) -> list[str]:
    return [rng.choice(alphabet) for _ in range(count)] if alphabet else []
