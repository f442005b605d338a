"""The code of a class that says most to who plans some of its methods: its own state, and how others handle it.

What a class keeps is set in its constructor, and named in no signature; what one method checks, copies or gives back,
those beside it mostly do alike. Who writes code sees the class as it stands there instead, without what is far off.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Collection, Iterator
from typing import Final

from tdgen.source.guards import guards_beside
from tdgen.source.syntax import (
    Edit,
    Function,
    class_named,
    definition,
    docstring_of,
    docstrings_left_out,
    edited,
    methods_of,
    over,
    parse,
    whole_lines,
)
from tdgen.types import Target

_CONSTRUCTORS: Final = frozenset({"__init__", "__new__", "__post_init__"})
_MOST: Final = 3_000
"""How many characters of a class are shown. Not tuned."""
_MOST_STANDING: Final = 6_000
"""How many characters of code its methods may have where it is shown as it stands there. Not tuned."""


def code_of_class(text: str, owner: str, units: Collection[str]) -> str:
    """The constructor of a module's class, and its methods nearest to `units`, without docstrings; "" for none.

    Of those that are not shown there are the beginnings that handle an argument of the units'.
    """
    taken: dict[int, str] = {}
    nearest = _nearest_methods(text, owner, units)
    for method in nearest:
        bare = copy.copy(method)
        bare.body = [node for node in method.body if node is not docstring_of(method)]
        source = ast.unparse(bare)
        decorators = {ast.unparse(one).rpartition(".")[2] for one in method.decorator_list}
        says_more = len(bare.body) > 1 or decorators.isdisjoint({"property", "cached_property"})  # than the name does
        if bare.body and says_more and len(source) <= _MOST - sum(map(len, taken.values())):
            taken[method.lineno] = source
    known = {f"{owner}.{method.name}" for method in nearest if method.lineno in taken}
    guards = guards_beside(text, {f"{owner}.{unit}" for unit in units}, known)
    parts = [f"# of the class {owner}:", *(taken[line] for line in sorted(taken))] if taken else []
    return "\n\n".join(filter(None, [*parts, guards]))


def _nearest_methods(text: str, owner: str, units: Collection[str]) -> list[Function]:
    """The methods of a module's class beside `units`, the nearest first.

    These are its constructor, those that the units' docs name, those with a word of their names or docs, private ones,
    and then those that stand near.
    """
    methods = methods_of(class_named(parse(text), owner))
    wanted = [method for method in methods if method.name in units]
    said = {word for one in wanted for word in re.findall(r"\w+", ast.get_docstring(one) or "")}
    parts = {part for name in {*units, *said} for part in name.lower().split("_") if len(part) > 3}
    place = min((method.lineno for method in wanted), default=0)

    def distance(one: Function) -> tuple[int, int]:
        is_alike = not parts.isdisjoint(one.name.lower().split("_"))
        is_private = one.name.startswith("_") and not one.name.endswith("__")
        near = [one.name in _CONSTRUCTORS, one.name in said, is_alike, is_private, True]
        return near.index(True), abs(one.lineno - place)

    return sorted((one for one in methods if one.name not in units), key=distance)


def standing_in(target: Target, *, are_told: bool = False) -> dict[str, str]:
    """The units of a target as who writes code sees them, where that is not all that stands there.

    Left out are docstrings of several lines of what is to be written and, where the instruction tells of the classes of
    methods, of these; and of a long class of which certain methods alone are laid in the code of others that are far.
    """
    standing = {}
    for name, methods in target.units.items():
        text = target.text_of(name)
        node = definition(parse(text), name)
        told = {*methods, *([name] if are_told or not methods else ())}
        edits = docstrings_left_out(one for one in (node, *methods_of(node)) if one and one.name in told)
        edits += [*_of_far_methods(text, name, methods)] if name in target.laid_methods else []
        if edits:
            standing[name] = edited(text, edits)
    return standing


def _of_far_methods(text: str, owner: str, units: Collection[str]) -> Iterator[Edit]:
    """The edits that leave out the code of methods which there is no room for, the nearest to `units` first."""
    room = _MOST_STANDING
    for method in _nearest_methods(text, owner, units):
        body = [held for held in method.body if held is not docstring_of(method)]
        size = len("".join(whole_lines(text)[body[0].lineno - 1 : body[-1].end_lineno])) if body else 0
        if size <= room:
            room -= size
        else:
            last = over(body[-1])
            yield over(body[0], "...  # as it is")._replace(end_line=last.end_line, end_column=last.end_column)
