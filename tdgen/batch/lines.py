"""A batch's lines: JSONL or CSV, read one by one, so that a file of any length takes no more memory than a short one.

    {"instruction": "slugify(text): lower case, words joined by single hyphens"}
    {"id": "cal-7", "instruction": "...", "trust": "quick", "budget": "calls=12", "tests": "tests/test_cal.py"}

`instruction` must be there; a line without `id` is called by its number (`line-7`). `trust` and `budget` are what the
options of these names are, for this line alone (a budget's limits take the place of those it names); `tests` is the
path of an own pytest file, relative to the batch's file. A CSV file (`.csv`) names its columns in its first line; an
empty field is one that is not given.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, NamedTuple

from pydantic import ValidationError, field_validator

from tdgen.errors import InputError
from tdgen.settings.base import nearest, parse_budget, reason
from tdgen.types import Frozen, Trust, digest

LONGEST_ID: Final = 200


class Line(Frozen):
    """One instruction of a batch; `number` is where it stands in its file, from 1. `tests` is an absolute path."""

    number: int
    id: str
    instruction: str
    trust: Trust | Literal[""] = ""
    budget: str = ""
    tests: str = ""

    @field_validator("id", mode="before")
    @classmethod
    def _usable(cls, value: object) -> object:
        name = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if isinstance(name, str) and not (name.strip() and name.isprintable() and len(name) <= LONGEST_ID):
            raise ValueError(f"an id is 1 to {LONGEST_ID} printable characters")
        return name

    @field_validator("budget", mode="before")
    @classmethod
    def _spelled(cls, value: object) -> object:
        if isinstance(value, str | int) and not isinstance(value, bool):
            try:
                if value != "":
                    parse_budget(str(value))
            except InputError as error:
                raise ValueError(str(error)) from None
            return str(value)
        return value

    @property
    def mark(self) -> int:
        """A number that tells this line from any other, wherever it stands in its file."""
        return mark_of(self.id, self.model_dump(exclude={"number"}))


class Malformed(NamedTuple):
    """A line that can't be used, and why; `id` where it has one."""

    number: int
    reason: str
    id: str = ""

    @property
    def mark(self) -> int:
        """A number that tells this line from any other."""
        return mark_of(self.id, [self.number, self.reason])


class Examined(NamedTuple):
    """A file that was read through once: the digest of its content, and how many lines it has to work on."""

    digest: str
    lines: int


FIELDS: Final = tuple(name for name in Line.model_fields if name != "number")


def folder_name(name: str) -> str:
    """An id as a folder's name that is safe on any disk: one of plain characters is its own."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:80]
    return plain if plain == name else f"{plain}-{digest(name)[-8:]}"


def mark_of(name: str, content: Any) -> int:
    """64 bits of a digest: a set of these stays small where one of texts would not."""
    return int(digest([name, content])[-16:], 16)


def read_lines(path: Path) -> Iterator[Line | Malformed]:
    """The lines of a file in order, blank ones left out; InputError where the file can't be read or is no such one."""
    with _opened(path) as file:
        records = csv_records(file, FIELDS, str(path)) if path.suffix.lower() == ".csv" else json_records(file)
        for number, record in records:
            yield Malformed(number, record) if isinstance(record, str) else _line(number, record, path.parent)


def examine(path: Path) -> Examined:
    """Read a file through before any work. InputError for an id that two lines have, and where no line can be used."""
    ids: set[int] = set()
    lines, first_fault = 0, ""
    for line in read_lines(path):
        lines += 1
        if isinstance(line, Malformed):
            first_fault = first_fault or f"line {line.number}: {line.reason}"
            continue
        mark = mark_of(line.id, "")
        if mark in ids:
            _refuse_twin(path, line)
        ids.add(mark)
    if not lines:
        raise InputError(f"{path} holds no line: give one JSON object a line, with an instruction")
    if not ids:
        raise InputError(f"no line of {path} can be used: {first_fault}")
    hashed = hashlib.sha256()
    with _opened(path) as file:
        while piece := file.read(1_000_000):
            hashed.update(piece)
    return Examined(f"sha256:{hashed.hexdigest()}", lines)


def _line(number: int, record: dict[str, Any], folder: Path) -> Line | Malformed:
    name = record.get("id")
    known = name if isinstance(name, str) and len(name) <= LONGEST_ID else ""
    for field in record:
        if field not in FIELDS:
            return Malformed(number, f"there is no field {field[:60]!r}{nearest(field, FIELDS)}", known)
    if record.get("instruction") in (None, ""):
        return Malformed(number, "it has no instruction", known)
    given = {"id": f"line-{number}"} | {field: value for field, value in record.items() if value is not None}
    try:
        line = Line.model_validate(given | {"number": number})
    except ValidationError as error:
        first = error.errors()[0]
        return Malformed(number, f"its {first['loc'][0]}: {reason(first)}", known)
    if not line.tests:
        return line
    return line.model_copy(update={"tests": str((folder / line.tests).absolute())})


def _refuse_twin(path: Path, second: Line) -> None:
    """InputError with the numbers of both lines; nothing where only the ids' marks are the same."""
    for first in read_lines(path):
        if first.number >= second.number:
            return
        if isinstance(first, Line) and first.id == second.id:
            both = f"lines {first.number} and {second.number} of {path}"
            raise InputError(f"{both} have the same id {second.id!r}: give each line an id of its own")


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    if path.is_dir():
        raise InputError(f"{path} is a folder: name a file")
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        why = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise InputError(f"{path} can't be read: {why}") from None


Record = tuple[int, dict[str, Any] | str]
MOST_BYTES: Final = 4_000_000
"""No line that is meant is longer; the rest of one that is gets skipped, not read into memory."""


def json_records(file: BinaryIO) -> Iterator[Record]:
    """Each line's number and its JSON object, or why it holds none."""
    number = 0
    while line := file.readline(MOST_BYTES + 1):
        number += 1
        if len(line) > MOST_BYTES:
            while line and not line.endswith(b"\n"):
                line = file.readline(MOST_BYTES)
            yield number, f"it has more than {MOST_BYTES // 1_000_000} MB"
        elif line.strip(b" \t\r\n\xef\xbb\xbf"):
            yield number, _object(line)


def csv_records(file: BinaryIO, fields: Sequence[str], name: str) -> Iterator[Record]:
    """Each row's first line's number and its fields that are not empty, or why it can't be used.

    InputError where the first line names no columns that a batch has.
    """
    with io.TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape", newline="") as text:
        rows = csv.reader(iter(partial(text.readline, MOST_BYTES), ""), strict=True)
        try:
            header = [column.strip() for column in next(rows, [])]
        except csv.Error as error:
            raise InputError(f"{name} is no CSV file: {error}") from None
        _check_header(header, fields, name)
        while True:
            number = rows.line_num + 1
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                yield number, f"it is no row of CSV: {error}"
                continue
            if row:
                yield number, _fields(header, row)


def _object(line: bytes) -> dict[str, Any] | str:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return "it is not UTF-8 text"
    except (ValueError, RecursionError) as error:
        return f"it is no JSON: {str(error)[:120]}"
    return value if isinstance(value, dict) else "it is no JSON object"


def _check_header(header: Sequence[str], fields: Sequence[str], name: str) -> None:
    for column in header:
        if column not in fields:
            known = ", ".join(fields)
            raise InputError(f"{name} has a column {column[:60]!r}{nearest(column, fields)}: a batch has {known}")
    if "instruction" not in header:
        raise InputError(f"{name} needs a column instruction in its first line")
    for column in fields:
        if header.count(column) > 1:
            raise InputError(f"{name} has two columns {column} in its first line: leave one")


def _fields(header: Sequence[str], row: Sequence[str]) -> dict[str, Any] | str:
    if len(row) > len(header):
        return f"it has {len(row)} fields, and the first line names {len(header)}: put quotes around commas"
    fields = {column: value for column, value in zip(header, row, strict=False) if value != ""}
    if any("\udc80" <= character <= "\udcff" for value in fields.values() for character in value):
        return "it is not UTF-8 text"
    return fields
