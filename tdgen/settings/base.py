"""What the models of settings have in common, and the limits within which one instruction is solved."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from tdgen.errors import InputError
from tdgen.types import Complexity

GONE: Final = {
    "allow_net": "is gone: pass functions what they talk to, or test them against a server on 127.0.0.1 with"
    " --allow-loopback (allow_loopback = true)"
}
"""Settings of earlier versions, and what there is in their place."""


SECRETS: Final = ("api_key", "store", "store_key")
"""Settings that no message quotes."""


def reason(error: Mapping[str, Any]) -> str:
    """What one of a ValidationError's errors says, as the end of a line."""
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    said = str(error["msg"]).partition(", unable")[0].replace("Input should", "it should", 1)
    shown = repr(error["input"])
    return f"{shown if len(shown) <= 60 else shown[:57] + '...'} is refused: {said}"


def refusal(error: Mapping[str, Any], label: str, known: Iterable[str]) -> str:
    """One of a ValidationError's errors in a line; `label` names the setting, `known` are those beside it."""
    if error["type"] == "extra_forbidden":
        if error["loc"][-1] in GONE:
            return f"{label} {GONE[error['loc'][-1]]}"
        return f"{label} is no setting of tdgen{nearest(str(error['loc'][-1]), known)}"
    if error["loc"][0] in SECRETS:
        return f"{label} is no text"
    return f"{label}: {reason(error)}"


def nearest(name: str, known: Iterable[str]) -> str:
    """` (did you mean …?)` with the nearest of the known names, or nothing where none is near."""
    import difflib

    matches = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {matches[0]}?)" if matches else ""


Init = TypeVar("Init", bound=Callable[..., None])


def constructor(init: Init) -> Init:
    """Mark an `__init__` as one that only direct calls go through.

    pydantic would call it for `model_validate` too, whose callers want the ValidationError as it is.
    """
    init.__dict__["__pydantic_base_init__"] = True
    return init


class SettingsModel(BaseModel):
    """A frozen model; its constructor says in one line what can't be used, `model_validate` in pydantic's way."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    called: ClassVar[str] = ""
    """What messages put before a field's name."""

    @constructor
    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            first = error.errors()[0]
            path = [part for part in first["loc"] if isinstance(part, str)]
            known = type(self).model_fields if len(path) == 1 else ()
            raise InputError(refusal(first, self.called + ".".join(path), known)) from None


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

    calls: int | None = Field(default=30, ge=0, description="model calls")
    tokens: int | None = Field(default=None, ge=0, description="tokens, prompts and answers (`100k`, `2m`)")
    money: float | None = Field(default=None, ge=0, allow_inf_nan=False, description="US dollars, by list prices")
    seconds: float | None = Field(default=600.0, ge=0, allow_inf_nan=False, description="time (`90s`, `10m`, `1h`)")
    iterations: int = Field(default=4, ge=1, description="attempts a function, the first included")

    @field_validator("calls", "tokens", "iterations", "money", "seconds", mode="before")
    @classmethod
    def _as_number(cls, value: object, info: ValidationInfo) -> object:
        if not isinstance(value, str):
            return value
        if info.field_name == "money":
            return _quantity(value.strip().removeprefix("$"), _MONEY, "0.50 or $2")
        if info.field_name == "seconds":
            return _quantity(value, _TIMES, "90s, 10m or 1h")
        return _quantity(value, _COUNTS, "100k or 2m")


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
