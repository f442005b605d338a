"""What finished functions brought beside themselves, for the developer of one that stands on them to use.

The developer sees it, and names what serves. Its code then gets a copy, so that it stays right whatever becomes of the
other function; copies that are still alike in the end are written once (`merging.py`). Offered are only functions that
are waited for anyway: a prompt does not hang on which of two ended first.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final, NamedTuple

from tdgen.impl.merging import mergeable_definitions
from tdgen.impl.piece import Definition, trusted_piece
from tdgen.prompts import render
from tdgen.replies.lines import lines_of
from tdgen.syntax import parse, parses
from tdgen.values.imports import free_names

MOST_CHARACTERS: Final = 3_000
"""Of all that is shown, some 750 tokens: what does not fit is not offered."""
_WHOLE: Final = 8
"""Of how many lines a definition is shown whole; of a longer one what calls it needs."""


class Reusable(NamedTuple):
    """A definition that may be copied, and the import statements that it needs."""

    source: str
    imports: tuple[str, ...] = ()


def reusable(sources: Mapping[str, str]) -> dict[str, Reusable]:
    """What may be copied of these functions' sources, by the name to use; of two of one name the first."""
    found: dict[str, Reusable] = {}
    for function, source in sources.items():
        imports = trusted_piece(source).imports
        for name, text in mergeable_definitions(function, source).items():
            free = free_names(parse(text))
            found.setdefault(name, Reusable(text, tuple(line for line in imports if _bound(line) & free)))
    return found


def reusable_section(offered: Mapping[str, Reusable]) -> str:
    """What is offered, as the developer sees it; or nothing.

    Constants are not shown: without what they were written for, their names say little. A function brings its own.
    """
    shown: list[str] = []
    for one in offered.values():
        if not isinstance(parse(one.source).body[0], Definition):
            continue
        text = _shown(one.source)
        if len("\n\n".join([*shown, text])) <= MOST_CHARACTERS:
            shown.append(text)
    return render("tdgen.impl", "reuse", definitions="\n\n".join(shown)) if shown else ""


def with_reused(code: str, offered: Mapping[str, Reusable]) -> str:
    """A developer's code with copies of what it names, and does not define, of what is offered."""
    if not parses(code):
        return code
    needed, found = free_names(parse(code)), set[str]()
    while new := needed & offered.keys() - found:
        found |= new
        needed = frozenset[str]().union(*(free_names(parse(offered[name].source)) for name in new))
    copies = [one for name, one in offered.items() if name in found]
    imports = dict.fromkeys(line for one in copies for line in one.imports)
    return "\n".join([*imports, *(f"{one.source}\n\n" for one in copies), code]) if copies else code


def _shown(source: str) -> str:
    lines = lines_of(source)
    node = parse(source).body[0]
    if len(lines) <= _WHOLE or not isinstance(node, Definition):
        return source
    docstring = ast.get_docstring(node)
    body = node.body[0]
    head = "\n".join(lines[: body.lineno - 1])
    return f'{head}\n    """{docstring.splitlines()[0]}"""\n    ...' if docstring else f"{head}\n    ..."


def _bound(line: str) -> set[str]:
    """The names that an import statement binds."""
    (node,) = parse(line).body
    aliases = node.names if isinstance(node, ast.Import | ast.ImportFrom) else []
    return {(alias.asname or alias.name).partition(".")[0] for alias in aliases}
