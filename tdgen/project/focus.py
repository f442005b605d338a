"""What the context of a task is chosen by: the words of stubs as they stand there, or of what somebody asks for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from tdgen.project.module import Module, Unit
from tdgen.source.syntax import lines_of

WORD: Final = re.compile(r"[A-Za-z_]\w*")
_AS_CODE: Final = re.compile(r"`+([^`\n]+)`+|^\s*(?:>>>|\.\.\.) (.*)$|\b([A-Za-z_]\w*)\(", re.MULTILINE)
"""What docstrings write as code: in backticks, in a doctest, before a bracket."""


class Focus(NamedTuple):
    """What a context is chosen by: the words of a text, first those in `annotations`, and the classes of methods.

    `units` are shown apart. Without them the text is a person's, who may name things as one speaks of them. What the
    instruction says of the classes `told` is not shown once more. Where no code is written nobody needs `helpers`: the
    functions of the module that nothing mentions.
    """

    text: str
    annotations: frozenset[str] = frozenset()
    owners: tuple[str, ...] = ()
    units: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    helpers: bool = True

    @property
    def as_code(self) -> set[str]:
        """The words that the text writes as code."""
        return {word for piece in _AS_CODE.findall(self.text) for word in words_of("".join(piece))}

    @property
    def shown(self) -> frozenset[str]:
        """The units, and the classes of methods among them."""
        return self.units.union(self.owners)

    def widened(self, texts: Iterable[str]) -> Focus:
        """The focus on what further texts say, too."""
        return self._replace(text="\n".join([self.text, *texts]))


def focus_on(module: Module, units: Sequence[Unit]) -> Focus:
    """The focus on units of a module, by what they say as they stand there."""
    lines = lines_of(module.text)
    text = "\n".join("\n".join(lines[unit.first - 1 : unit.last]) for unit in units)
    notes = set[str]()
    for inner in (inner for unit in units for inner in ast.walk(unit.node)):
        for part in (getattr(inner, "annotation", None), getattr(inner, "returns", None)):
            if isinstance(part, ast.expr):
                notes |= words_of(ast.unparse(part))  # an annotation may be a text
    owners = tuple(dict.fromkeys(unit.owner for unit in units if unit.owner))
    return Focus(text, frozenset(notes), owners, frozenset(unit.name for unit in units))


def focus_of(prose: str, owner: str = "") -> Focus:
    """The focus of what a person asks for, in a module or as a method of its class `owner`."""
    return Focus(prose, owners=(owner,) if owner else ())


def words_of(text: str) -> set[str]:
    """The words of a text that may be names."""
    return set(WORD.findall(text))
