"""What is worth keeping: verified solutions by instruction key, and verified functions by theirs.

Only green is kept. What was kept by an older version and no longer has today's shape counts as absent. Beside each
solution lies a row of a few words, so that a listing need not read them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from tdgen.errors import InputError, StoreError
from tdgen.protocols import Store
from tdgen.solution import Solution
from tdgen.types import Frozen, FunctionResult, Trust

_TAG: Final = "sha256:"


class Row(Frozen):
    """A kept solution in a few words: `created` is ISO 8601 in UTC, `size` counts the characters of its JSON."""

    key: str
    instruction: str
    functions: int
    names: tuple[str, ...] = ()
    trust: Trust
    model: str
    created: str
    size: int


class Solutions:
    """Verified solutions in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, key: str) -> Solution | None:
        """The solution kept for `key`, marked `cached`; None where there is none of today's shape."""
        text = self._store.get(f"solution/{key}")
        try:
            solution = Solution.model_validate_json(text) if text is not None else None
        except ValidationError:
            return None
        return solution if solution is not None and solution.key == key and solution.all_tests_passed else None

    def put(self, solution: Solution) -> None:
        """Keep a solution; ValueError unless all of it is green, StoreError where the store can't."""
        if not solution.all_tests_passed:
            raise ValueError("only a solution that is all green may be kept")
        text = _json(solution.model_copy(update={"cached": True}))
        self._store.put(f"solution/{solution.key}", text)
        self._store.put(f"row/{solution.key}", _json(_row(solution, len(text))))

    def delete(self, key: str) -> bool:
        """Forget a solution; whether there was one."""
        self._store.delete(f"row/{key}")
        return self._store.delete(f"solution/{key}")

    def rows(self) -> list[Row]:
        """All kept solutions in a few words each, the newest first."""
        found = (self._read_row(key) for key in self.keys())
        return sorted((row for row in found if row is not None), key=lambda row: row.created, reverse=True)

    def keys(self) -> list[str]:
        """The keys of all kept solutions."""
        return [key.removeprefix("solution/") for key in self._store.keys("solution/")]

    def _read_row(self, key: str) -> Row | None:
        text = self._store.get(f"row/{key}")
        try:
            return Row.model_validate_json(text) if text is not None else self._make_row(key)
        except ValidationError:
            return self._make_row(key)

    def _make_row(self, key: str) -> Row | None:
        """The row of a solution whose keeping was cut off before its row was written."""
        solution = self.get(key)
        if solution is None:
            return None
        row = _row(solution, len(self._store.get(f"solution/{key}") or ""))
        self._store.put(f"row/{key}", _json(row))
        return row


def match_key(prefix: str, keys: Iterable[str]) -> str:
    """The one of `keys` that starts with `prefix` (at least 4 hex digits, with or without their `sha256:`).

    InputError where no key does, or more than one.
    """
    digits = prefix.strip().lower().removeprefix(_TAG)
    if not re.fullmatch("[0-9a-f]{4,64}", digits):
        raise InputError(f"{prefix[:80]!r} is no solution's key: give at least 4 of its hex digits")
    found = sorted({key for key in keys if key.startswith(_TAG + digits)})
    if not found:
        raise InputError(f"no kept solution's key starts with {digits}: `tdgen cache list` shows them all")
    if len(found) > 1:
        shown = ", ".join(key.removeprefix(_TAG)[: len(digits) + 4] for key in found[:3])
        raise InputError(f"{len(found)} kept solutions' keys start with {digits} ({shown}…): give more digits")
    return found[0]


class Functions:
    """Verified functions in a store, by the digest of their spec and of what they depend on."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, key: str) -> FunctionResult | None:
        """The function kept for `key`; None where there is none of today's shape."""
        text = self._store.get(f"function/{key}")
        try:
            result = FunctionResult.model_validate_json(text) if text is not None else None
        except ValidationError:
            return None
        return result if result is not None and _is_green(result) else None

    def put(self, key: str, result: FunctionResult) -> None:
        """Keep a function; ValueError unless it is green, StoreError where the store can't."""
        if not _is_green(result):
            raise ValueError("only a function that is green may be kept")
        self._store.put(f"function/{key}", _json(result))


def _is_green(result: FunctionResult) -> bool:
    return result.outcome == "green" and result.best is not None


def _row(solution: Solution, size: int) -> Row:
    lines = solution.instruction.strip().splitlines()
    return Row(
        key=solution.key,
        instruction=lines[0].strip() if lines else "",
        functions=len(solution.plan.functions),
        names=tuple(spec.name for spec in solution.plan.functions),
        trust=solution.trust,
        model=solution.model,
        created=datetime.now(UTC).isoformat(timespec="microseconds"),
        size=size,
    )


def _json(value: Frozen) -> str:
    try:
        return value.model_dump_json()
    except PydanticSerializationError:
        raise StoreError(
            "the result can't be kept: it holds text that is no valid Unicode (a lone surrogate)"
        ) from None
