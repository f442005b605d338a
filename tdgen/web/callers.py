"""Who may call the service, and how much each may ask of it: tokens by name, each with a budget and a rate.

A file of them is TOML, a table for each:

    [ci]
    token = "…"                       # 16 characters at the least
    budget = "calls=20,money=0.50"    # at most so much for an instruction; never above the service's own
    daily = "money=5"                 # at most so much in a day (UTC), what goes on counted at its most
    rpm = 10                          # instructions in any minute
"""

from __future__ import annotations

import hashlib
import hmac
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ConfigDict, Field, ValidationError, field_validator

from tdgen.errors import InputError
from tdgen.settings import Budget
from tdgen.settings.base import parse_budget
from tdgen.types import Frozen

SHORTEST_TOKEN: Final = 16
LIMITS: Final = ("calls", "tokens", "money", "seconds", "iterations")
DAILY: Final = ("calls", "tokens", "money")


class Caller(Frozen):
    """Somebody with a token, which no representation of this shows; without one, whoever reaches the service."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    token: str = Field(default="", repr=False)
    budget: dict[str, Any] = Field(default_factory=dict)
    daily: dict[str, Any] = Field(default_factory=dict)
    rpm: int = Field(default=0, ge=0, strict=True)

    @field_validator("budget", "daily", mode="before")
    @classmethod
    def _limits(cls, value: object) -> object:
        """The limits that a text names; ValueError where it names none."""
        if not isinstance(value, str):
            raise ValueError('write it like "calls=20,money=0.50"')
        try:
            return parse_budget(value)
        except InputError as error:
            raise ValueError(str(error)) from None

    @field_validator("daily")
    @classmethod
    def _sums(cls, value: dict[str, Any]) -> dict[str, Any]:
        if odd := sorted(value.keys() - set(DAILY)):
            raise ValueError(f"a day has no limit of {odd[0]}: it has {', '.join(DAILY)}")
        return value

    @field_validator("token")
    @classmethod
    def _safe(cls, value: str) -> str:
        if len(value) < SHORTEST_TOKEN:
            raise ValueError(f"the token is too short to be safe: give {SHORTEST_TOKEN} characters at the least")
        if not value.isascii() or any(c.isspace() for c in value):
            raise ValueError("the token must be of ASCII characters without spaces: it travels in a header")
        return value

    @property
    def session(self) -> str:
        """What the page's cookie holds: it proves the token without being it."""
        return hmac.new(self.token.encode(), b"tdgen page", hashlib.sha256).hexdigest()


ANYBODY: Final = Caller()


def with_token(callers: Iterable[Caller], given: str, *, as_session: bool = False) -> Caller | None:
    """Whose token that is, or whose page's cookie `as_session`.

    It is found out in a time that does not depend on how much of it is right, or of whose.
    """
    match = None
    for caller in callers:
        secret = caller.session if as_session else caller.token
        if hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode()):
            match = caller
    return match


def only_caller(token: str) -> Caller:
    """Whoever has the one token; InputError where that is none that is safe."""
    return _made({"token": token}, "")


def read_token(path: Path) -> str:
    """The token in a file; InputError where there is none."""
    token = _text(path, "the token's file").strip()
    if not token:
        raise InputError(f"the token's file {path} is empty: write the token in it")
    return token


def read_callers(path: Path) -> tuple[Caller, ...]:
    """Those of a file; InputError, which shows no token, for what can't be used in it."""
    try:
        tables = tomllib.loads(_text(path, "the file of tokens"))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"the file of tokens {path} is no TOML: {error}") from None
    if not tables:
        raise InputError(f'the file of tokens {path} has none: write a table for each, as [ci] and token = "…"')
    callers = []
    for name, table in tables.items():
        where = f"[{name}] in the file of tokens {path}: "
        if not isinstance(table, Mapping):
            raise InputError(f'{where}write a table, as [ci] and token = "…" below it')
        callers.append(_made({**table, "name": name}, where))
    if len({caller.token for caller in callers}) < len(callers):
        raise InputError(f"two names in the file of tokens {path} have one token: give each its own")
    return tuple(callers)


def _made(given: Mapping[str, object], where: str) -> Caller:
    try:
        return Caller.model_validate({"token": "", **given})
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        fault = first.get("ctx", {}).get("error", f"{first['loc'][0]}: {first['msg']}")
        raise InputError(f"{where}{fault}") from None


def _text(path: Path, what: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InputError(f"{what} {path} can't be read: {why}") from None


def within(most: Budget, asked: Mapping[str, Any], *less: Mapping[str, Any]) -> dict[str, Any]:
    """The limits of an instruction: what is `asked` within `most` and what there is `less`; InputError for more."""
    limits = {name: least(getattr(most, name), *(one.get(name) for one in less)) for name in LIMITS}
    for name, limit in limits.items():
        if name in asked and limit is not None and (asked[name] is None or asked[name] > limit):
            raise InputError(f"this server spends at most {name}={limit:g} on an instruction: ask for less")
    return {name: limits[name] for one in less for name in one} | dict(asked)


def budget_text(limits: Mapping[str, Any]) -> str:
    """Limits as an order has them."""
    return ",".join(f"{name}={'none' if limit is None else limit}" for name, limit in limits.items())


def least(*limits: float | None) -> float | None:
    """The least of limits, of which None is no limit."""
    return min((limit for limit in limits if limit is not None), default=None)
