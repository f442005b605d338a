"""Render tab-separated text as a table."""

import argparse
import sys


def _at_least(least: int):
    def parse(text: str) -> int:
        number = int(text)
        if number < least:
            raise ValueError(text)
        return number

    return parse


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--right", type=_at_least(1), action="append", default=[])
    parser.add_argument("--max", type=_at_least(2))
    parser.add_argument("--no-header", action="store_true")
    options = parser.parse_args()

    def shown(cell: str) -> str:
        cell = cell.strip()
        if options.max and len(cell) > options.max:
            return cell[: options.max - 1] + "…"
        return cell

    rows = [[shown(cell) for cell in line.rstrip("\n").split("\t")] for line in sys.stdin if line.strip()]
    if not rows:
        return 0
    columns = max(len(row) for row in rows)
    wrong = [k for k in options.right if k > columns]
    if wrong:
        print(f"there is no column {wrong[0]}", file=sys.stderr)
        return 2
    for row in rows:
        row += [""] * (columns - len(row))
    widths = [max(len(row[n]) for row in rows) for n in range(columns)]
    if not options.no_header:
        rows.insert(1, ["-" * width for width in widths])
    for row in rows:
        cells = [
            cell.rjust(width) if n in options.right else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths), 1)
        ]
        print("  ".join(cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())
