"""Rotate a log file."""

import argparse
import re
import sys
from pathlib import Path


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("path", type=Path)
    parser.add_argument("--keep", type=_positive, default=3)
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_args(argv)
    log, real = options.path, not options.dry_run
    if not log.is_file():
        print(f"{log} does not exist", file=sys.stderr)
        return 1
    if log.stat().st_size == 0:
        print("nothing to rotate")
        return 0
    pattern = re.compile(re.escape(log.name) + r"\.([1-9][0-9]*)")
    matches = (pattern.fullmatch(path.name) for path in log.parent.iterdir())
    numbers = sorted((int(match[1]) for match in matches if match), reverse=True)
    for number in numbers:
        if number + 1 > options.keep:
            print(f"delete {log.name}.{number}")
            if real:
                log.with_name(f"{log.name}.{number}").unlink()
    for number in numbers:
        if number + 1 <= options.keep:
            print(f"{log.name}.{number} -> {log.name}.{number + 1}")
            if real:
                log.with_name(f"{log.name}.{number}").replace(log.with_name(f"{log.name}.{number + 1}"))
    print(f"{log.name} -> {log.name}.1")
    if real:
        log.replace(log.with_name(f"{log.name}.1"))
        log.touch()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
