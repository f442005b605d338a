"""Verified solutions, verified functions and the user's answers, under the keys of what they depend on.

Only green is kept. What was kept by an older version and no longer has today's shape counts as absent. Beside each
solution lies a row of a few words, so that a listing need not read them all.

The answers of an unfinished run lie in a file that only grows: a header line, then one JSON line for each. An answer is
on the disk before `append` returns, so that a run killed at any moment finds it again. What the kill tore is the last
line; it is cut off.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic_core import PydanticSerializationError

from tdgen.errors import InputError, StoreError
from tdgen.protocols import Store
from tdgen.solution import Solution
from tdgen.types import Example, Frozen, FunctionResult, KeptClass, Trust

FORMAT: Final = 1


class Kept(NamedTuple):
    """What a file held: its answers by key, how many of its bytes are sound (0: start anew), and what is odd in it."""

    texts: dict[str, str]
    sound: int
    note: str = ""


class AnswerFile:
    """The answers of the run `run_key` at `path`, open for more. One writer at a time."""

    def __init__(self, path: Path, run_key: str, instruction: str = "") -> None:
        """Open the file, making it and its folder where needed; `kept` tells what was in it.

        A new file's header holds the instruction, so that a listing can say what the run was asked.
        """
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.kept = read(path, run_key) if path.exists() else Kept({}, 0)
        if self.kept.sound:
            os.truncate(path, self.kept.sound)
            os.utime(path)
        elif path.exists():
            # Another version's answers may be worth something to that version.
            path.replace(unread(path))
        self._file = path.open("ab")
        if not self.kept.sound:
            self._write({"format": FORMAT, "key": run_key, "instruction": instruction})

    def append(self, key: str, text: str) -> None:
        """Keep one more answer; it is on the disk when this returns."""
        self._write({"key": key, "text": text})

    def close(self) -> None:
        """Close the file. Closing twice is allowed."""
        with contextlib.suppress(OSError):
            self._file.close()

    def _write(self, content: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(content).encode("ascii") + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError:
            # A torn line may be there now, which nothing may follow.
            self.close()
            raise


def unread(path: Path) -> Path:
    """Where answers that could not be read are set aside."""
    return path.with_suffix(".unread")


def read(path: Path, run_key: str) -> Kept:
    """What the file at `path` holds for the run `run_key`."""
    lines = path.read_bytes().splitlines(keepends=True)
    if not lines or not lines[0].endswith(b"\n"):
        return Kept({}, 0)
    header = _parsed(lines[0])
    if header is None or header.get("key") != run_key:
        return Kept({}, 0, "the unfinished run's answers can't be read: starting anew")
    if header.get("format") != FORMAT:
        return Kept({}, 0, "the unfinished run's answers were written by another version of tdgen: starting anew")
    texts: dict[str, str] = {}
    sound = len(lines[0])
    for line in lines[1:]:
        answer = _parsed(line) or {}
        key, text = answer.get("key"), answer.get("text")
        if not isinstance(key, str) or not isinstance(text, str):
            damaged = line is not lines[-1] or line.endswith(b"\n")
            note = f"the unfinished run's answers are damaged after the first {len(texts)}" if damaged else ""
            return Kept(texts, sound, note)
        texts[key] = text
        sound += len(line)
    return Kept(texts, sound)


def _parsed(line: bytes) -> dict[str, Any] | None:
    """The JSON object on a whole line, or None."""
    try:
        content = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


_PLACE = "answers/"


class Said(Frozen):
    """A user's answers: as examples, which are pinned, and as remarks in words."""

    answers: tuple[Example, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(eq=False)
class _InStore:
    """What is kept in a store."""

    _store: Store


class Answered(_InStore):
    """Answers in a store, so that nobody is asked twice."""

    def get(self, key: str) -> Said:
        """What was said to the instruction of that key; nothing where nobody was asked, or it can't be read."""
        return Said.from_json(self._store.get(_PLACE + key)) or Said()

    def put(self, key: str, said: Said) -> None:
        """Keep it; StoreError where the store can't."""
        self._store.put(_PLACE + key, said.model_dump_json())


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


def solution_place(key: str) -> str:
    """Where in a store the solution of that key lies."""
    return f"solution/{key}"


def row_place(key: str) -> str:
    """Where in a store the row of the solution of that key lies."""
    return f"row/{key}"


def row_text(solution: Solution, size: int) -> str:
    """A solution's row as it lies in a store; StoreError where it can't. `size` counts its own text."""
    lines = solution.instruction.strip().splitlines()
    return _json(
        Row(
            key=solution.key,
            instruction=lines[0].strip() if lines else "",
            functions=len(solution.plan.functions),
            names=tuple(spec.name for spec in solution.plan.functions),
            trust=solution.trust,
            model=solution.model,
            created=datetime.now(UTC).isoformat(timespec="microseconds"),
            size=size,
        )
    )


def newest_first(rows: Iterable[Row | None]) -> list[Row]:
    """Rows in the order of a listing."""
    return sorted((row for row in rows if row is not None), key=lambda row: row.created, reverse=True)


def solution_text(solution: Solution) -> str:
    """A solution as it lies in a store; StoreError where it can't."""
    return _json(solution.model_copy(update={"cached": True}))


def read_solution(key: str, text: str | None) -> Solution | None:
    """The solution of that key; None where the text is none, or none of today's shape."""
    solution = Solution.from_json(text)
    return solution if solution is not None and solution.key == key and solution.is_kept else None


class Solutions(_InStore):
    """Verified solutions in a store."""

    def get(self, key: str) -> Solution | None:
        """The solution kept for `key`, marked `cached`; None where there is none of today's shape."""
        return read_solution(key, self._store.get(solution_place(key)))

    def put(self, solution: Solution) -> None:
        """Keep a solution; ValueError for one that is not to be kept, StoreError where the store can't."""
        if not solution.is_kept:
            raise ValueError("only a solution that is all green, or tells of existing code, may be kept")
        text = solution_text(solution)
        self._store.put(solution_place(solution.key), text)
        self._store.put(row_place(solution.key), row_text(solution, len(text)))

    def delete(self, key: str) -> bool:
        """Forget a solution; whether there was one."""
        self._store.delete(row_place(key))
        return self._store.delete(solution_place(key))

    def rows(self) -> list[Row]:
        """All kept solutions in a few words each, the newest first."""
        rows: list[Row | None] = []
        for key in self.keys():
            row = Row.from_json(self._store.get(row_place(key)))
            # The keeping of one may have been cut off before its row was written.
            if row is None and (solution := self.get(key)) is not None:
                text = row_text(solution, len(self._store.get(solution_place(key)) or ""))
                self._store.put(row_place(key), text)
                row = Row.from_json(text)
            rows.append(row)
        return newest_first(rows)

    def keys(self) -> list[str]:
        """The keys of all kept solutions."""
        return [key.removeprefix("solution/") for key in self._store.keys("solution/")]


def match_key(prefix: str, keys: Iterable[str]) -> str:
    """The one of `keys` that starts with `prefix` (at least 4 hex digits, with or without their `sha256:`).

    InputError where no key does, or more than one.
    """
    digits = prefix.strip().lower().removeprefix(_TAG)
    if not re.fullmatch("[0-9a-f]{4,64}", digits):
        raise InputError(
            f"{prefix[:80]!r} is neither a folder that is there nor a solution's key (4 hex digits or more)"
        )
    matches = sorted({key for key in keys if key.startswith(_TAG + digits)})
    if not matches:
        raise InputError(f"no kept solution's key starts with {digits}: `tdgen cache list` shows them all")
    if len(matches) > 1:
        shown = ", ".join(key.removeprefix(_TAG)[: len(digits) + 4] for key in matches[:3])
        raise InputError(f"{len(matches)} kept solutions' keys start with {digits} ({shown}…): give more digits")
    return matches[0]


class Functions(_InStore):
    """Verified functions in a store, by the digest of their spec and of what they depend on.

    Classes lie there once more, with their contract, by the digest of all but their methods.
    """

    def get(self, key: str) -> FunctionResult | None:
        """The function kept for `key`; None where there is none of today's shape."""
        result = FunctionResult.from_json(self._store.get(f"function/{key}"))
        return result if result is not None and _is_green(result) else None

    def put(self, key: str, result: FunctionResult) -> None:
        """Keep a function; ValueError unless it is green, StoreError where the store can't."""
        if not _is_green(result):
            raise ValueError("only a function that is green may be kept")
        self._store.put(f"function/{key}", _json(result))

    def get_class(self, key: str) -> KeptClass | None:
        """The class kept last for `key`; None where there is none of today's shape."""
        kept = KeptClass.from_json(self._store.get(f"class/{key}"))
        return kept if kept is not None and _is_green(kept.result) else None

    def put_class(self, key: str, kept: KeptClass) -> None:
        """Keep a class in place of any other; ValueError unless it is green, StoreError where the store can't."""
        if not _is_green(kept.result):
            raise ValueError("only a class that is green may be kept")
        self._store.put(f"class/{key}", _json(kept))


def _is_green(result: FunctionResult) -> bool:
    return result.outcome == "green" and result.best is not None


def _json(value: Frozen) -> str:
    try:
        return value.model_dump_json()
    except PydanticSerializationError:
        raise StoreError(
            "the result can't be kept: it holds text that is no valid Unicode (a lone surrogate)"
        ) from None
