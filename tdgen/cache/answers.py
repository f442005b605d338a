"""Answers that are kept for another run: a model's of a run that has not ended, a user's to open questions.

The append-only file in which an unfinished run's answers lie: a header line, then one JSON line for each.

An answer is on the disk before `append` returns, so that a run killed at any moment finds it again. What the kill tore
is the last line; it is cut off. Raises OSError where the file can't be written, and nothing else.

What users answered to open questions, under the key of the instruction that left them open.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from tdgen.protocols import Store
from tdgen.types import Example, Frozen

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


class Answered:
    """Answers in a store, so that nobody is asked twice."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, key: str) -> Said:
        """What was said to the instruction of that key; nothing where nobody was asked, or it can't be read."""
        text = self._store.get(_PLACE + key)
        try:
            return Said.model_validate_json(text) if text is not None else Said()
        except ValidationError:
            return Said()

    def put(self, key: str, said: Said) -> None:
        """Keep it; StoreError where the store can't."""
        self._store.put(_PLACE + key, said.model_dump_json())
