"""Breaks between shifts that are too short."""

import re
import sys
from datetime import datetime, timedelta

SHIFT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}) +([0-9]{2}:[0-9]{2})-([0-9]{2}:[0-9]{2}) +(\S.*)")
FORM = "%Y-%m-%d %H:%M"


def parse_shift(line: str) -> tuple[datetime, datetime, str]:
    """The start, the end and the name."""
    match = SHIFT.fullmatch(line.strip())
    if match is None:
        raise ValueError(f"not a shift: {line.strip()!r}")
    day, first, last, name = match.groups()
    start = datetime.strptime(f"{day} {first}", FORM)
    end = datetime.strptime(f"{day} {last}", FORM)
    if end <= start:
        end += timedelta(days=1)
    return start, end, " ".join(name.split())


def short_breaks(shifts: list[tuple[datetime, datetime, str]], minimum: int) -> list[tuple[str, datetime, int]]:
    """The breaks below the minimum."""
    people: dict[str, list[tuple[datetime, datetime]]] = {}
    names: dict[str, str] = {}
    for start, end, name in shifts:
        key = name.casefold()
        names.setdefault(key, name)
        people.setdefault(key, []).append((start, end))
    found = []
    for key, times in people.items():
        times.sort()
        for (_, end), (start, _) in zip(times, times[1:]):
            minutes = (start - end) // timedelta(minutes=1)
            if minutes < minimum:
                found.append((names[key], end, minutes))
    return sorted(found, key=lambda item: (item[1], item[0].casefold()))


def main(argv: list[str]) -> int:
    """Run as a script."""
    if len(argv) != 1 or not re.fullmatch("[0-9]+", argv[0]):
        print("usage: the minimum break in minutes", file=sys.stderr)
        return 2
    shifts = []
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip() or line.strip().startswith("#"):
            continue
        try:
            shifts.append(parse_shift(line))
        except ValueError as error:
            print(f"line {number}: {error}", file=sys.stderr)
            return 2
    found = short_breaks(shifts, int(argv[0]))
    for name, end, minutes in found:
        print(f"{name}: {minutes} min after {end.strftime(FORM)}")
    if not found:
        print("ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
