"""What a project's pages show of its functions: the doctests of its README and its documentation, word for word."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tdgen.project.index import Index
from tdgen.project.module import Module
from tdgen.project.own_tests import read_text
from tdgen.project.root import Project, is_own
from tdgen.project.usage import is_only
from tdgen.source.syntax import parse
from tdgen.source.trees import free_names

if TYPE_CHECKING:
    from doctest import Example

_ENDINGS: Final = (".md", ".rst", ".txt")
_OF_BEFORE: Final = re.compile(r"(?i)change|news|histor|release|migrat")
"""How pages are called that tell what was so once."""
_OF_TESTS: Final = ("test", "tests")
_FENCE: Final = re.compile(r"(?m)^[ \t]*(?:```|~~~).*$")
_LARGEST: Final = 1_000_000
"""How many bytes a page may have that is read: larger ones are data. Not tuned."""
_LONGEST: Final = 1_500
"""How many characters a stretch of doctests may have that is shown. Not tuned."""
_ROOM: Final = 4_000
"""How many characters of pages a task shows. Not tuned."""
_BUILT_IN: Final = frozenset(name for kind in (str, bytes, list, dict, set, tuple, int, float) for name in dir(kind))
"""Names of methods by which nobody can tell whose they are."""
_TITLE: Final = "### What the project's page `{}` shows of {}"
"""A heading, so that nobody is asked for a case of it."""
_TOLD: Final = re.compile(r"(?m)^### What the project's page `([^`\n]+)` shows of `")


def shown_on_pages(project: Project, index: Index, module: Module, units: Collection[str]) -> str:
    """The doctests on the project's pages that call a module's units (`function`, `Class.method`), in prose; or "".

    Of each stretch of them all is shown, so that what it binds is there; one that needs another is left out.
    """
    meant = [unit for unit in units if _is_told_by_name(index, module, unit)]
    outlines = [source.outline for source in index.sources.values()]
    own = {entry.name for one in outlines for entry in one.entries}
    own |= {imported.name for one in outlines for imported in one.imports}
    own.update(part for name in index.sources for part in name.split("."))
    names = frozenset(own | sys.stdlib_module_names)  # what a doctest may read without binding it
    room, parts = _ROOM, list[str]()
    for path in _pages(project) if meant else ():
        text = read_text(project, path)
        if not any(unit.rpartition(".")[2] in text for unit in meant):
            continue
        for called, stretch in _stretches(text, module, meant, names):
            if len(stretch) <= min(room, _LONGEST):
                room -= len(stretch)
                names_shown = ", ".join(f"`{name}`" for name in called)
                parts.append(f"{_TITLE.format(path, names_shown)}\n\n```pycon\n{stretch}\n```")
    return "\n".join(f"\n{part}\n" for part in parts)


def pages_in(prose: str) -> list[str]:
    """The paths of the pages that a task's prose shows."""
    return _TOLD.findall(prose)


def _pages(project: Project) -> Iterator[str]:
    """The pages from the root, those in the root first, tests' and what tells of earlier versions left out."""
    for folder, folders, names in os.walk(project.root):
        here = Path(folder)
        folders[:] = sorted(name for name in folders if is_own(here, name) and name not in _OF_TESTS)
        for file in (here / name for name in sorted(names) if name.endswith(_ENDINGS)):
            is_page = file.is_file() and not file.is_symlink() and not _OF_BEFORE.match(file.stem)
            if is_page and file.stat().st_size <= _LARGEST:
                yield project.relative(file)


def _is_told_by_name(index: Index, module: Module, unit: str) -> bool:
    """Whether a call on a page can be told to be the unit's by its name: no other unit of the project has it."""
    owner, _, name = unit.rpartition(".")
    if owner:
        is_function = any(source.outline.get(name) for source in index.sources.values())
        return not (is_function or name.startswith("_") or name in _BUILT_IN) and is_only(index, name)
    meant = index.anywhere(name)
    return meant is not None and meant.module == module.name


def _stretches(
    text: str, module: Module, units: Collection[str], names: frozenset[str]
) -> Iterator[tuple[list[str], str]]:
    """Stretches of doctests with nothing but blank lines between that call units and show what comes of it."""
    from doctest import DocTestParser, Example

    plain = _FENCE.sub("", text)
    parts: list[Example | str] = []
    with suppress(ValueError):  # doctests that are indented in two ways
        parts = DocTestParser().parse(plain)
    lines = plain.expandtabs().split("\n")
    stretch: list[Example] = []
    for part in (*parts, "the end"):
        if isinstance(part, Example):
            stretch.append(part)
        elif part.strip() and stretch:
            called = [[unit for unit in units if _calls(one, module, unit)] for one in stretch]
            first = next((place for place, some in enumerate(called) if some), len(stretch))
            if any(one.want for one in stretch[first:]) and _is_whole(stretch, names):
                last = stretch[-1]
                end = last.lineno + last.source.count("\n") + last.want.count("\n")
                shown = (line[stretch[0].indent :] for line in lines[stretch[0].lineno : end])
                yield list(dict.fromkeys(unit for some in called for unit in some)), "\n".join(shown).rstrip()
            stretch = []


def _is_whole(stretch: Sequence[Example], names: frozenset[str]) -> bool:
    """Whether a stretch is Python and reads no name that nobody binds."""
    try:
        tree = parse("".join(one.source for one in stretch))
    except SyntaxError:
        return False
    return free_names(tree) <= names


def _calls(example: Example, module: Module, unit: str) -> bool:
    """Whether a doctest that is to be run calls a unit: by its own name, behind its module's, or as a method."""
    from doctest import SKIP

    if example.options.get(SKIP):
        return False
    owner, _, name = unit.rpartition(".")
    places = module.name.split(".")
    try:
        calls = [node.func for node in ast.walk(parse(example.source)) if isinstance(node, ast.Call)]
    except SyntaxError:
        return False
    for call in calls:
        if isinstance(call, ast.Name) and call.id == name and not owner:
            return True
        if isinstance(call, ast.Attribute) and call.attr == name:
            is_of_module = ast.unparse(call.value).rpartition(".")[2] in places
            if is_of_module != bool(owner):
                return True
    return False
