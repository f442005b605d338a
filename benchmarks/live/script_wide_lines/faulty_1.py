"""Report the lines of standard input which are too wide."""

import sys


def _limit(argv: list[str]) -> int:
    if not argv:
        return 79
    if len(argv) != 2 or argv[0] != "--max":
        raise ValueError("usage: [--max N]")
    limit = int(argv[1])
    if limit < 1:
        raise ValueError("N must be at least 1")
    return limit


def main(argv: list[str]) -> int:
    try:
        limit = _limit(argv)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    count = 0
    for number, line in enumerate(sys.stdin, 1):
        line = line.removesuffix("\n")
        width = len(line.replace("\t", " " * 8))
        core = line.strip()
        if width > limit and (" " in core or "\t" in core):
            print(f"{number}: {width}")
            count += 1
    if count:
        print(f"{count} too wide", file=sys.stderr)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
