"""Names, ids and comments from what a model wrote: readable where that is possible, harmless always."""

from __future__ import annotations

import keyword
import re
import textwrap

_WIDTH = 88


def slug(text: str) -> str:
    """`text` as part of an identifier or of a test's id: ASCII letters, digits and underscores, never empty."""
    words = re.findall(r"[A-Za-z0-9]+", text)
    return "_".join(words)[:60].strip("_").lower() or "case"


def local_name(name: str, taken: frozenset[str]) -> str:
    """`name` as a parameter of a test, with an underscore where the test needs the name for something else."""
    while name in taken or keyword.iskeyword(name):
        name += "_"
    return name


def one_line(text: str) -> str:
    """`text` on one line of printable characters that any file can take."""
    line = " ".join(text.split())
    return "".join(character if character.isprintable() else "�" for character in line)


def comment(text: str, indent: int = 0) -> list[str]:
    """`text` as a comment, over as many lines as it takes."""
    return [f"# {line}" for line in textwrap.wrap(one_line(text), _WIDTH - indent - len("# "), break_on_hyphens=False)]


def docstring(text: str) -> str:
    """`text` as a docstring of one line."""
    line = one_line(text).replace("\\", "\\\\").replace('"""', "'''")
    return f'"""{line}"""' if not line.endswith('"') else f'"""{line} """'


def unique(name: str, taken: set[str]) -> str:
    """`name`, or that with a number where it is taken; taken it is afterwards."""
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = f"{name}_{number}"
    taken.add(candidate)
    return candidate
