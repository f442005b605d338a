"""The limits within which one instruction is solved, and the short way of writing them: `calls=40,money=0.50`."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final

from pydantic import Field, ValidationError, field_validator

from tdgen.errors import InputError
from tdgen.settings.base import SettingsModel, nearest, reason
from tdgen.types import Complexity

WEIGHTS: Final[dict[Complexity, int]] = {"simple": 1, "medium": 2, "complex": 3}
"""How a function's complexity weighs where functions share what is left."""

_MONEY: Final = {"": 1}
_COUNTS: Final = {"": 1, "k": 1_000, "m": 1_000_000}
_TIMES: Final = {"": 1, "s": 1, "m": 60, "h": 3_600}
_QUANTITY: Final = re.compile(r"([0-9][0-9_]{0,14}(?:\.[0-9]{1,9})?) ?([a-z]?)")


class Budget(SettingsModel):
    """The limits within which one instruction is solved. None is no limit.

    A limit may be given as text: `100k` and `2m` count in thousands and millions, `90s`, `10m` and `1h` are times,
    `0.50` and `$0.50` are US dollars, and `none` lifts it.
    """

    called: ClassVar[str] = "the budget's "

    calls: int | None = Field(default=30, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    money: float | None = Field(default=None, ge=0, allow_inf_nan=False, description="US dollars, by list prices")
    seconds: float | None = Field(default=600.0, ge=0, allow_inf_nan=False)
    iterations: int = Field(default=4, ge=1, description="attempts a function, the first included")

    @field_validator("calls", "tokens", "iterations", mode="before")
    @classmethod
    def _count(cls, value: object) -> object:
        return _quantity(value, _COUNTS, "100k or 2m") if isinstance(value, str) else value

    @field_validator("money", mode="before")
    @classmethod
    def _money(cls, value: object) -> object:
        text = value.strip().removeprefix("$") if isinstance(value, str) else ""
        return _quantity(text, _MONEY, "0.50 or $2") if isinstance(value, str) else value

    @field_validator("seconds", mode="before")
    @classmethod
    def _time(cls, value: object) -> object:
        return _quantity(value, _TIMES, "90s, 10m or 1h") if isinstance(value, str) else value


def parse_budget(text: str) -> dict[str, Any]:
    """The limits named in `calls=40,tokens=100k,money=0.50,seconds=5m`, by name; InputError where it says no such.

    A number alone is a number of calls; `none` alone lifts every limit that can be lifted, and after a name that one.
    """
    try:
        terms = budget_terms(text)
        budget = Budget.model_validate(terms)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f"the budget's {first['loc'][0]}: {reason(first)}") from None
    except ValueError as error:
        raise InputError(f"the budget {text!r} can't be read: {error}") from None
    return {name: getattr(budget, name) for name in terms}


def budget_terms(text: str) -> dict[str, str]:
    """The names and the values, unread, of a budget's text; ValueError where it isn't of that form."""
    text = text.strip()
    if text.lower() == "none":
        return dict.fromkeys(("calls", "tokens", "money", "seconds"), "none")
    if text and "=" not in text:
        return {"calls": text}
    terms: dict[str, str] = {}
    for term in text.split(","):
        name, equals, value = (part.strip() for part in term.partition("="))
        if not equals or not value:
            raise ValueError("write it like calls=40,tokens=100k,money=0.50,seconds=5m,iterations=3")
        if name not in Budget.model_fields:
            raise ValueError(f"there is no limit {name!r}{nearest(name, Budget.model_fields)}")
        if name in terms:
            raise ValueError(f"{name} is given twice")
        terms[name] = value
    return terms


def _quantity(text: str, units: dict[str, int], examples: str) -> float | None:
    """The number that `text` says in one of `units`, None for `none`; ValueError where it says none."""
    lowered = text.strip().lower()
    if lowered == "none":
        return None
    match = _QUANTITY.fullmatch(lowered)
    if match is None or match[2] not in units:
        raise ValueError(f"{text!r} is no number (such as {examples}) nor `none`")
    number = float(match[1].replace("_", "")) * units[match[2]]
    return int(number) if number.is_integer() else number
