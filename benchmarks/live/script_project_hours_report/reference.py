import argparse
import re
import sys

_DURATION = re.compile(r"(?:([0-9]+)h)?(?:([0-9]+)m)?")


def _minutes(text):
    match = _DURATION.fullmatch(text)
    if match is None or text == "":
        return None
    hours, minutes = match.groups()
    if hours is not None and minutes is not None and int(minutes) >= 60:
        return None
    return int(hours or 0) * 60 + int(minutes or 0)


def _show(minutes):
    return f"{minutes // 60}:{minutes % 60:02d}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--min", type=int, default=1, dest="least")
    parser.add_argument("file", nargs="?")
    options = parser.parse_args()
    if options.least < 0:
        parser.error("--min must not be negative")
    if options.file is None:
        text = sys.stdin.read()
    else:
        try:
            with open(options.file, encoding="utf-8") as source:
                text = source.read()
        except (OSError, UnicodeDecodeError) as problem:
            print(problem, file=sys.stderr)
            return 2
    totals = {}
    bad = False
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        minutes = _minutes(words[1]) if len(words) == 2 else None
        if minutes is None:
            print(f"line {number}: not understood", file=sys.stderr)
            bad = True
            continue
        totals[words[0]] = totals.get(words[0], 0) + minutes
    kept = [(name, total) for name, total in totals.items() if total >= options.least]
    kept.sort(key=lambda pair: (-pair[1], pair[0]))
    for name, total in kept:
        print(name, _show(total))
    if kept:
        print("total", _show(sum(total for _, total in kept)))
    if bad:
        return 1
    return 0 if kept else 3


if __name__ == "__main__":
    sys.exit(main())
