"""Pick columns."""

import re
import sys


def parse_columns(text: str) -> list[tuple[int, int | None]]:
    """The first and the last column of each part."""
    columns: list[tuple[int, int | None]] = []
    for part in text.split(","):
        match = re.fullmatch(r"([0-9]*)(-?)([0-9]*)", part)
        if match is None or not (match[1] or match[3]):
            raise ValueError(f"not a column: {part!r}")
        first = int(match[1]) if match[1] else 1
        last: int | None = int(match[3]) if match[3] else None
        if not match[2]:
            last = first
        if first == 0 or last == 0:
            raise ValueError("columns are counted from 1")
        columns.append((first, last))
    return columns


def _numbers(columns: list[tuple[int, int | None]], count: int) -> list[int]:
    """The numbers of the columns for a line that has so many."""
    numbers: list[int] = []
    for first, last in columns:
        if last is None:
            numbers += range(first, count + 1)
        elif first <= last:
            numbers += range(first, last + 1)
        else:
            numbers += range(first, last - 1, -1)
    return numbers


def pick(line: str, columns: list[tuple[int, int | None]], separator: str) -> str:
    """The columns of a line."""
    if not line:
        return ""
    fields = line.split(separator)
    return separator.join(fields[n - 1] if n <= len(fields) else "" for n in _numbers(columns, len(fields)))


def main(argv: list[str]) -> int:
    """Run as a script."""
    separator = "\t"
    if argv[:1] == ["-d"]:
        separator = argv[1] if len(argv) > 1 else ""
        argv = argv[2:]
    if len(argv) != 1 or len(separator) != 1:
        print("usage: [-d C] COLUMNS", file=sys.stderr)
        return 2
    try:
        columns = parse_columns(argv[0])
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    short = 0
    for line in sys.stdin:
        line = line.removesuffix("\n")
        print(pick(line, columns, separator))
        count = len(line.split(separator))
        if any(n > count for n in _numbers(columns, count)):
            short += 1
    if short:
        print(f"{short} short line{'' if short == 1 else 's'}", file=sys.stderr)
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
