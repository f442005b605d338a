"""Several versions of one function in one program: compiled once, and chosen by a number with each call.

Each version is the whole source, whose own names begin with its number there. What the compiler refuses of them is left
out, and the program compiled once more (`driver.py`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from tdgen.languages.gcc.reading import blanked

_MACRO: Final = re.compile(r"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)")


def in_one(name: str, head: str, call: str, versions: Sequence[str], taken: Collection[str], *, gives: bool) -> str:
    """The versions, and below them the function of that name, which makes its call of the version that is chosen.

    `call` has the arguments by their names, `taken` are names that all versions share.
    """
    parts, cases = [], []
    for number, source in enumerate(versions):
        own, code = f"tdgen_{number}_", blanked(source)
        own_names = re.findall(rf"\b(?:{name}|_?{name.strip('_')}_\w+)\b", code)
        names = [one for one in dict.fromkeys(own_names) if one not in taken]
        renamed = "".join(f"#define {one} {own}{one}\n" for one in names)
        ended = "".join(f"#undef {one}\n" for one in dict.fromkeys([*names, *_MACRO.findall(code)]))
        parts.append(_marked(number, f'{renamed}#line 1 "version_{number}.c"\n{source}\n{ended}'))
        called = f"{own}{name}({call});"
        cases.append(_marked(number, f"case {number}: {f'return {called}' if gives else f'{called} return;'}\n"))
    dispatched = "".join(cases)
    chosen = f"switch (tdgen_variant) {{\n{dispatched}default: tdgen_unwritten();\n}}\n__builtin_unreachable();"
    return f"{''.join(parts)}\n{head} {{\n{chosen}\n}}\n"


def _marked(number: int, text: str) -> str:
    """A part that can be left out with the others of its version."""
    return f"/*tdgen from {number}*/\n{text}/*tdgen to {number}*/\n"
