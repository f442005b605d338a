"""Convert kitchen units."""

import re
import sys
from fractions import Fraction

VOLUME = {"ml": Fraction(1), "tsp": Fraction(5), "tbsp": Fraction(15), "cup": Fraction(240), "l": Fraction(1000)}
OUNCE = Fraction("28.35")
WEIGHT = {"g": Fraction(1), "oz": OUNCE, "lb": 16 * OUNCE, "kg": Fraction(1000)}


def _value(text: str) -> Fraction:
    if not re.fullmatch(r"[0-9]+(\.[0-9]+|/0*[1-9][0-9]*)?", text):
        raise ValueError(f"not a value: {text!r}")
    return Fraction(text)


def _shown(number: Fraction) -> str:
    cents = round(number * 100)
    return f"{cents // 100}.{cents % 100:02}".rstrip("0").rstrip(".")


def main(argv: list[str]) -> int:
    try:
        if len(argv) not in (2, 3):
            raise ValueError("usage: [VALUE] FROM TO")
        source, target = argv[-2:]
        kind = next((kind for kind in (VOLUME, WEIGHT) if source in kind and target in kind), None)
        if kind is None:
            raise ValueError(f"cannot convert {source} to {target}")
        factor = kind[source] / kind[target]
        if len(argv) == 3:
            print(_shown(_value(argv[0]) * factor), target)
            return 0
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    code = 0
    for number, line in enumerate(sys.stdin, 1):
        text = line.strip()
        if not text:
            continue
        try:
            print(_shown(_value(text) * factor), target)
        except ValueError as error:
            print(f"line {number}: {error}", file=sys.stderr)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
