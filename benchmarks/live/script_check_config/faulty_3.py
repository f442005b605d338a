"""Check a config file against a list of settings."""

import re
import sys

TYPES = {"int": r"[+-]?[0-9]+", "bool": r"(?i:yes|no)"}


def main() -> int:
    try:
        if len(sys.argv) < 3:
            raise ValueError("usage: FILE SPEC [SPEC ...]")
        types: dict[str, str] = {}
        required = []
        for spec in sys.argv[2:]:
            name, colon, kind = spec.removesuffix("?").partition(":")
            if colon and kind not in TYPES:
                raise ValueError(f"unknown type {kind!r}")
            types[name] = kind
            if not spec.endswith("?"):
                required.append(name)
        with open(sys.argv[1], encoding="utf-8") as stream:
            lines = stream.readlines()
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    problems = []
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text[0] in "#;":
            continue
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            problems.append(f"line {number}: not a setting")
            continue
        if name not in types:
            problems.append(f"line {number}: unknown {name}")
        elif name in seen:
            problems.append(f"line {number}: repeated {name}")
        elif not value:
            problems.append(f"line {number}: empty {name}")
        elif types[name] and not re.fullmatch(TYPES[types[name]], value):
            problems.append(f"line {number}: {name} is not {types[name]}")
        else:
            seen.add(name)
    problems += [f"missing {name}" for name in required if name not in seen]
    print("\n".join(problems) or "ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
