"""The code of a class that says most to who plans some of its methods: its own state, and how others handle it.

What a class keeps is set in its constructor, and named in no signature; what one method checks, copies or gives back,
those beside it mostly do alike.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Collection
from typing import Final

from tdgen.source.syntax import Function, class_named, docstring_of, methods_of, parse

_CONSTRUCTORS: Final = frozenset({"__init__", "__new__", "__post_init__"})
_MOST: Final = 3_000
"""How many characters of a class are shown. Not tuned."""


def code_of_class(text: str, owner: str, units: Collection[str]) -> str:
    """The constructor of a module's class, and its methods nearest to `units`, without docstrings; "" for none.

    Nearest are those that the units' docs name, then those with a word of their names or docs, then private ones.
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

    taken: dict[int, str] = {}
    for method in sorted((one for one in methods if one.name not in units), key=distance):
        bare = copy.copy(method)
        bare.body = [node for node in method.body if node is not docstring_of(method)]
        source = ast.unparse(bare)
        says_more = len(bare.body) > 1 or not method.decorator_list  # than a property's name does
        if bare.body and says_more and len(source) <= _MOST - sum(map(len, taken.values())):
            taken[method.lineno] = source
    return "\n\n".join([f"# of the class {owner}:", *(taken[line] for line in sorted(taken))]) if taken else ""
