"""Sum up a log of working hours."""

import argparse
import re
import sys

LINE = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]):([0-5][0-9])\s+(\S.*)")


def _whole(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def _shown(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", nargs="?", default="-")
    parser.add_argument("--min", type=_whole, default=0)
    options = parser.parse_args(argv)
    try:
        if options.file == "-":
            lines = sys.stdin.read().splitlines()
        else:
            with open(options.file, encoding="utf-8") as stream:
                lines = stream.read().splitlines()
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    sums: dict[str, int] = {}
    names: dict[str, str] = {}
    bad = False
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        match = LINE.fullmatch(text)
        if not match:
            print(f"line {number}: cannot read {line!r}", file=sys.stderr)
            bad = True
            continue
        hour, minute, end_hour, end_minute = map(int, match.groups()[:4])
        minutes = (end_hour * 60 + end_minute - hour * 60 - minute) % (24 * 60)
        key = match[5].casefold()
        names.setdefault(key, match[5])
        sums[key] = sums.get(key, 0) + minutes
    if bad:
        return 1
    for key in sorted(sums, key=lambda key: -sums[key]):
        if sums[key] >= options.min:
            print(_shown(sums[key]), names[key])
    small = [minutes for minutes in sums.values() if minutes < options.min]
    if small:
        print(_shown(sum(small)), "other")
    print(_shown(sum(sums.values())), "total")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
