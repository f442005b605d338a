"""Strings: one step from one, and what those at one place have in common."""

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
    for match in list(re.finditer(r"\d{1,15}", text))[:4]:
        number = int(match[0])
        for other in (number + 1, max(number - 1, 0), 0, number * 10):
            yield text[: match.start()] + str(other).zfill(len(match[0])) + text[match.end() :]


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


_RUN = re.compile(r"[0-9]+|[a-z]+|[A-Z]+|[A-Za-z]+")
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_CLOSES = {opened: closed for closed, opened in _PAIRS.items()}
_FEW = 6


def class_of(letter: str) -> str:
    """The sort of a character: lower or upper case, digit, other letter, blank, or, for all else, itself."""
    if letter.isascii():
        if letter.isalpha():
            return "lower" if letter.islower() else "upper"
        return "digit" if letter.isdigit() else letter
    return "letter" if letter.isalpha() else "sign"


def form_of(text: str) -> str:
    """A text with each run of digits, or of letters, as one sign: `2024-01-31` is `0-0-0`."""
    return _RUN.sub(lambda run: "0" if run[0][0].isdigit() else "a", text)


def balanced(text: str) -> bool:
    """Whether each bracket closes another."""
    is_open: list[str] = []
    for letter in text:
        if letter in "([{<":
            is_open.append(letter)
        elif letter in _PAIRS and (not is_open or is_open.pop() != _PAIRS[letter]):
            return False
    return not is_open


def balance(text: str) -> str:
    """The text without brackets that close nothing, and with those closed that it leaves open."""
    is_open: list[str] = []
    kept = []
    for letter in text:
        if letter in _CLOSES:
            is_open.append(_CLOSES[letter])
        elif letter in _PAIRS:
            if not is_open or is_open[-1] != letter:
                continue
            is_open.pop()
        kept.append(letter)
    return "".join([*kept, *is_open[::-1]])


class Texts:
    """What the strings seen at one place keep to."""

    def __init__(self, seen: Sequence[str]) -> None:
        self.seen = seen
        together = "".join(seen)
        self.alphabet = "".join(sorted(set(together)))
        self.classes = frozenset(map(class_of, self.alphabet))
        letters = self.alphabet if len(self.alphabet) <= _FEW and len(together) > 2 * len(self.alphabet) else ""
        self.few = letters if len(seen) > 1 else ""
        distinct = sorted(set(seen))
        self.choices = frozenset(distinct) if _repeats(seen, len(distinct)) else frozenset()
        words = [word for text in seen for word in text.split()]
        spoken = sorted(set(words)) if len(words) > len(seen) else []
        self.words = frozenset(spoken) if len(words) >= 6 and 3 * len(spoken) <= 2 * len(words) else frozenset()
        self.is_number = len(distinct) > 1 and all(map(_is_number, distinct))
        forms = {form_of(text) for text in distinct}
        self.form = forms.pop() if len(forms) == 1 and len(distinct) > 1 and len(form_of(distinct[0])) > 1 else ""
        self.trim = all(text == text.strip() for text in seen)
        self.single_spaced = all("  " not in text for text in seen)
        nested = [text for text in seen if re.search(r"[()\[\]{}]", text)]
        self.balanced = len(nested) > 1 and all(map(balanced, nested))

    def keeps(self, text: str) -> bool:
        """Whether a string keeps to it too."""
        if self.choices and text not in self.choices:
            return False
        if self.words and not self.words.issuperset(text.split()):
            return False
        if self.is_number and not _is_number(text):
            return False
        if self.few and not set(text) <= set(self.few):
            return False
        if not {class_of(letter) for letter in set(text)} <= self.classes:
            return False
        if self.form and form_of(text) != self.form:
            return False
        if self.balanced and not balanced(text):
            return False
        return (not self.trim or text == text.strip()) and (not self.single_spaced or "  " not in text)

    def mended(self, text: str) -> str:
        """The string with what it may not have left out."""
        if self.choices or self.form or self.is_number:
            return text
        if self.words:
            return " ".join(word for word in text.split() if word in self.words)
        if self.few:
            text = "".join(letter for letter in text if letter in self.few)
        else:
            text = "".join(letter for letter in text if class_of(letter) in self.classes)
        text = balance(text) if self.balanced else text
        text = re.sub(" {2,}", " ", text) if self.single_spaced else text
        return text.strip() if self.trim else text


def _repeats(seen: Sequence[str], distinct: int) -> bool:
    """Whether the strings rather choose from a few than say anything: signs repeat sooner than words do by chance."""
    signs = all(text and not any(map(str.isalnum, text)) for text in seen)
    return len(seen) >= 6 and (3 * distinct <= len(seen) or (signs and 3 * distinct <= 2 * len(seen)))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
