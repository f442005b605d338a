"""Number the headings of a Markdown text."""

import argparse
import re
import sys
from pathlib import Path

HEADING = re.compile(r"(#{1,6}) (?:(?:[0-9]+\.)+ )?(.*)")


def number_headings(lines: list[str]) -> list[str]:
    """The lines with numbered headings."""
    counts = [0] * 6
    fenced = False
    result = []
    for line in lines:
        match = HEADING.fullmatch(line)
        if line.startswith("```"):
            fenced = not fenced
        elif match and not fenced:
            level = len(match[1])
            counts[level - 1] += 1
            counts[level:] = [0] * (6 - level)
            number = "".join(f"{count}." for count in counts[:level])
            line = f"{match[1]} {number} {match[2]}"
        result.append(line)
    return result


def main(argv: list[str]) -> int:
    """Run as a script."""
    parser = argparse.ArgumentParser()
    parser.add_argument("path", nargs="?", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(argv)
    try:
        text = options.path.read_text(encoding="utf-8") if options.path else sys.stdin.read()
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    result = "\n".join(number_headings(text.split("\n")))
    if options.check:
        return 1 if result != text else 0
    if options.path:
        options.path.write_text(result, encoding="utf-8", newline="\n")
    else:
        sys.stdout.write(result)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
