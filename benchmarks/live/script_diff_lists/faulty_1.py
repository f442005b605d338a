"""Compare two lists of items."""

import argparse
import sys
from collections import Counter


def _items(path: str) -> list[str]:
    if path == "-":
        text = sys.stdin.read()
    else:
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    return [line.strip() for line in text.splitlines() if line.strip()]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("-i", action="store_true", dest="ignore")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("old")
    parser.add_argument("new")
    options = parser.parse_args()
    if options.old == options.new == "-":
        parser.error("only one of them can be stdin")
    try:
        old, new = _items(options.old), _items(options.new)
    except OSError as error:
        print(error, file=sys.stderr)
        return 2

    def unmatched(items: list[str], others: list[str]) -> list[str]:
        left = Counter(key(other) for other in others)
        rest = []
        for item in items:
            if key(item) not in left:
                rest.append(item)
        return rest

    key = str.casefold if options.ignore else str
    removed, added = unmatched(old, new), unmatched(new, old)
    if options.count:
        print(f"-{len(removed)} +{len(added)}")
    else:
        for item in removed:
            print(f"-{item}")
        for item in added:
            print(f"+{item}")
    return 1 if removed or added else 0


if __name__ == "__main__":
    sys.exit(main())
