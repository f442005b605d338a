"""What the values seen at one place have in common: signs, bounds, order, lengths, letters, and so on inside them.

Likely invariants from few examples, in the way of Daikon (Ernst et al. 2001, "Dynamically discovering likely program
invariants"). What is found so is wrong at times: it says which inputs are likelier to be inside the contract, and
forbids none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tdgen.values.shapes import Constructed, Word

Number = int | float
_SIZED = (list, tuple, set, frozenset, dict, str, bytes)
_ROOM = 10
_FIRST_PLURAL = 2
_FEWEST_RECORDS = 3
_DEEPEST = 6
_FEW = 50


_RUN = re.compile(r"[0-9]+|[a-z]+|[A-Z]+|[A-Za-z]+")
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_CLOSES = {opened: closed for closed, opened in _PAIRS.items()}
_FEW_LETTERS = 6


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

    def __init__(self, values: Sequence[str]) -> None:
        self.seen = values
        together = "".join(values)
        self.alphabet = "".join(sorted(set(together)))
        self.classes = frozenset(map(class_of, self.alphabet))
        letters = self.alphabet if len(self.alphabet) <= _FEW_LETTERS and len(together) > 2 * len(self.alphabet) else ""
        self.few = letters if len(values) > 1 else ""
        distinct = sorted(set(values))
        # The strings rather choose from a few than say anything: signs repeat sooner than words do by chance.
        signs = all(text and not any(map(str.isalnum, text)) for text in values)
        few = 3 * len(distinct) <= len(values) or (signs and 3 * len(distinct) <= 2 * len(values))
        self.choices = frozenset(distinct) if len(values) >= 6 and few else frozenset()
        words = [word for text in values for word in text.split()]
        spoken = sorted(set(words)) if len(words) > len(values) else []
        self.words = frozenset(spoken) if len(words) >= 6 and 3 * len(spoken) <= 2 * len(words) else frozenset()
        self.is_number = len(distinct) > 1 and all(map(_is_number, distinct))
        forms = {form_of(text) for text in distinct}
        self.form = forms.pop() if len(forms) == 1 and len(distinct) > 1 and len(form_of(distinct[0])) > 1 else ""
        self.trim = all(text == text.strip() for text in values)
        self.single_spaced = all("  " not in text for text in values)
        nested = [text for text in values if re.search(r"[()\[\]{}]", text)]
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


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


class Profile:
    """What all of `seen` keep to; with nothing seen, everything does."""

    def __init__(self, values: Sequence[Any], depth: int = 0) -> None:
        self.seen = values
        self.types = frozenset(map(kind_of, values))
        numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
        self.numbers = [v for v in numbers if abs(v) < math.inf]
        texts = [v for v in values if isinstance(v, str)]
        self.texts = Texts(texts) if texts else None
        self.low, self.high = min(self.numbers, default=0), max(self.numbers, default=0)
        self.bound = 2 * max(abs(self.low), abs(self.high)) + _ROOM
        self.is_share = self.low >= 0 and self.high <= 1 and any(n % 1 for n in self.numbers)
        self.lengths = [len(v) for v in values if isinstance(v, _SIZED)]
        self.shortest, self.longest = min(self.lengths, default=0), max(self.lengths, default=0)
        self.lists = [v for v in values if isinstance(v, list | tuple)]
        self.order = _order_of(self.lists)
        self.fields: tuple[Profile, ...] = ()
        self.items: Profile | None = None
        self.keys: Profile | None = None
        self.always = frozenset[Any]()
        if depth < _DEEPEST:
            self._look_inside(depth + 1)

    def _look_inside(self, depth: int) -> None:
        records = [v for v in self.seen if isinstance(v, Constructed)]
        rows = [v for v in self.seen if isinstance(v, tuple)]
        if rows and len({len(row) for row in rows}) == 1 and len(rows) > 1:
            self.fields = tuple(Profile(column, depth) for column in zip(*rows, strict=True))
        elif records and len({(r.name, len(r.positional), len(r.named)) for r in records}) == 1:
            self.fields = tuple(Profile(column, depth) for column in zip(*map(inside, records), strict=True))
        held = [i for v in self.seen if isinstance(v, list | tuple | set | frozenset) for i in ordered(v)]
        mappings = [v for v in self.seen if isinstance(v, dict)]
        held += [item for mapping in mappings for item in mapping.values()]
        self.items = Profile(held, depth) if held and not self.fields else None
        if len(mappings) >= _FEWEST_RECORDS:
            self.always = frozenset[Any](mappings[0]).intersection(*mappings)
        keys = [key for mapping in mappings for key in mapping]
        self.keys = Profile(keys, depth) if keys else None

    def keeps(self, value: Any) -> bool:
        """Whether a value keeps to it too."""
        if not self.seen:
            return True
        kind = kind_of(value)
        if kind not in self.types and not (kind == "int" and "float" in self.types):
            return False
        if kind in ("int", "float") and not isinstance(value, Constructed):  # `float(1 / 3)` is a call
            return self._keeps_bounds(value)
        if isinstance(value, str) and self.texts and not self.texts.keeps(value):
            return False
        if isinstance(value, _SIZED):
            is_fixed = self.shortest == self.longest and len(self.lengths) > 2
            is_short = self.shortest <= 2 and not isinstance(value, str)
            if len(value) < (self.shortest if is_fixed or is_short else min(self.shortest, 1)):
                return False
            if is_fixed and len(value) > self.shortest:
                return False
        if isinstance(value, list | tuple) and not self._keeps_order(value):
            return False
        return self._keeps_inside(value)

    def is_complete(self, value: Any) -> bool:
        """Whether each dict within a value has the keys that all dicts there have: those in lists are records."""
        if self.items is None or not isinstance(value, list | tuple | dict):
            return True
        parts, always = value.values() if isinstance(value, dict) else value, self.items.always
        return all(not isinstance(one, dict) or always <= one.keys() for one in parts) and all(
            map(self.items.is_complete, parts)
        )

    def mended(self, value: Any) -> Any:
        """The value changed so that it likelier keeps to it."""
        if isinstance(value, bool):
            return value
        if isinstance(value, int | float) and self.numbers:
            low, high = self.low, self.high
            value = abs(value) if low >= 0 else -abs(value) if high <= 0 else value
            value = value % (int(self.bound) + 1) if abs(value) > self.bound else value
            return low if value == 0 and (low > 0 or high < 0) else value
        if isinstance(value, str) and self.texts:
            return self.texts.mended(value)
        if isinstance(value, list | tuple):
            return self._mended_list(value)
        if isinstance(value, dict) and self.items and self.keys:
            return {self.keys.mended(k): self.items.mended(v) for k, v in value.items()}
        return value

    def _keeps_bounds(self, value: Number) -> bool:
        low, high = self.low, self.high
        if (
            (low > 0 and value <= 0)
            or (low >= 0 and value < 0)
            or (high < 0 and value >= 0)
            or (high <= 0 and value > 0)
        ):
            return False
        if low >= _FIRST_PLURAL > value:
            return False
        return value <= 1 if self.is_share else abs(value) <= self.bound

    def _keeps_order(self, value: Sequence[Any]) -> bool:
        kept = self.order
        if kept.way and not _is_in_order(value, kept.way):
            return False
        if kept.is_unique and not _is_unique(value):
            return False
        return not kept.is_even or _is_even(value, len(value) if kept.is_square and value else None)

    def _keeps_inside(self, value: Any) -> bool:
        if self.fields and isinstance(value, tuple | Constructed):
            parts = value if isinstance(value, tuple) else inside(value)
            return len(parts) == len(self.fields) and all(p.keeps(v) for p, v in zip(self.fields, parts, strict=True))
        if isinstance(value, dict):
            is_key, is_item = self.keys, self.items
            return all((not is_key or is_key.keeps(k)) and (not is_item or is_item.keeps(v)) for k, v in value.items())
        if self.items and isinstance(value, list | tuple | set | frozenset):
            return all(map(self.items.keeps, value))
        return True

    def _mended_list(self, value: Any) -> Any:
        if self.fields and len(self.fields) == len(value):
            return type(value)([p.mended(v) for p, v in zip(self.fields, value, strict=True)])
        items = [self.items.mended(item) for item in value] if self.items else list(value)
        if self.order.is_unique:
            items = list({repr(item): item for item in reversed(items)}.values())[::-1]
        if self.order.is_even and all(isinstance(item, list | tuple | str) for item in items):
            shortest = min(map(len, items), default=0)
            shortest = min(shortest, len(items)) if self.order.is_square else shortest
            items = [item[:shortest] for item in items][: shortest if self.order.is_square else None]
        if self.order.way and (in_order := sorted_or_none(items)) is not None:
            items = in_order if self.order.way > 0 else in_order[::-1]
        return type(value)(items)


def inside(record: Constructed) -> list[Any]:
    """A record's fields, positional ones first."""
    return [*record.positional, *(value for _, value in record.named)]


def ordered(values: Iterable[Any]) -> list[Any]:
    """Items in an order that no hash decides."""
    if not isinstance(values, set | frozenset):
        return list(values)
    in_order = sorted_or_none(list(values))
    return sorted(values, key=repr) if in_order is None else in_order


def kind_of(value: Any) -> str:
    """The type's name; that of the record's class, and one for all enums."""
    return (
        value.name.partition("(")[0]
        if isinstance(value, Constructed)
        else "enum"
        if isinstance(value, Word)
        else type(value).__name__
    )


def sorted_or_none(items: list[Any]) -> list[Any] | None:
    """The items in order; None where they have none."""
    try:
        return sorted(items)
    except TypeError:
        return None


class Order(NamedTuple):
    """How lists are built: up (1) or down (-1), without doubles, their items as long as each other, or as the list."""

    way: int = 0
    is_unique: bool = False
    is_even: bool = False
    is_square: bool = False


def _order_of(lists: Sequence[Sequence[Any]], least: int = 3) -> Order:
    """What at least `least` lists longer than one keep to, all of them; of rows two are enough."""
    longer = [v for v in lists if len(v) > 1]
    is_even = len(longer) >= least - 1 and all(map(_is_even, longer))
    is_square = is_even and all(_is_even(v, len(v)) for v in longer)
    if len(longer) < least:
        return Order(is_even=is_even, is_square=is_square)
    way = next((way for way in (1, -1) if all(_is_in_order(v, way) for v in longer)), 0)
    return Order(way, all(map(_is_unique, longer)), is_even, is_square)


def _is_in_order(items: Sequence[Any], way: int) -> bool:
    in_order = sorted_or_none(list(items))
    return in_order is not None and in_order[::way] == list(items)


def _is_unique(items: Sequence[Any]) -> bool:
    return all(item not in items[:n] for n, item in enumerate(items[:_FEW]))


def _is_even(rows: Sequence[Any], length: int | None = None) -> bool:
    """Whether the items are rows as long as each other, and of that length where it is given."""
    if not all(isinstance(row, list | tuple | str) for row in rows):
        return False
    return {len(row) for row in rows} <= {length if length is not None or not rows else len(rows[0])}


NOTHING = Profile(())
"""Of a place where nothing was seen."""
