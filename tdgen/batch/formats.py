"""Records in a file, one by one, as JSON objects or rows of CSV; what is none is a text that says why."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, BinaryIO, Final

from tdgen.errors import InputError
from tdgen.settings.wording import nearest

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
        found = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return "it is not UTF-8 text"
    except (ValueError, RecursionError) as error:
        return f"it is no JSON: {str(error)[:120]}"
    return found if isinstance(found, dict) else "it is no JSON object"


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
    found = {column: value for column, value in zip(header, row, strict=False) if value != ""}
    if any("\udc80" <= character <= "\udcff" for value in found.values() for character in value):
        return "it is not UTF-8 text"
    return found
