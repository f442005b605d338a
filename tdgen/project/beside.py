"""The code that the authors of a plan and of code see beside a task's units, and the author of tests does not."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from tdgen.project.focus import WORD, Focus, words_of
from tdgen.project.index import Index
from tdgen.project.module import Module, Unit
from tdgen.source.guards import guards_beside
from tdgen.source.imports import bindings
from tdgen.source.syntax import Function, defined_names, docstrings_left_out, edited, parse, whole_lines

_CUT: Final = ("...", "...}", "...]", "...)")
"""How a constant's assignment ends of which the context shows no value, or a part."""
_LONGEST_VALUE: Final = 2_000
"""How many characters a constant may have whose value new code may need. Not tuned."""
_ALIKE: Final = 2_000
"""How many characters helpers may have that are shown for names that are alike: of ten one may be of use. Not tuned."""


def code_beside(index: Index, module: Module, focus: Focus, room: int, above: str) -> str:
    """The code of functions that the focus names, and of private helpers that nothing else uses or that are alike.

    A private class is a helper, too. Before these stand the values of constants that the focus names, that these use,
    or, of stubs, that nothing uses; behind them, of stubs, imports that nothing uses and how other functions begin that
    take the same arguments. Long docstrings that stand `above` are left out.

    A word of prose that is a function's name by chance (`join`) names none: it counts as code, or with an underscore.
    """
    lines, words = whole_lines(module.text), " ".join(above.split())
    text = {unit.name: "".join(lines[unit.first - 1 : unit.last]) for unit in module.units.values()}
    named = focus.as_code | {word for word in words_of(focus.text) if "_" in word}
    taken: list[Unit] = []
    for units, most in zip(_helpers(module, focus, named, text), (room, room, _ALIKE), strict=True):
        left = min(most, room)
        for unit in units:
            if len(text[unit.name]) <= left:
                taken.append(unit)
                left, room = left - len(text[unit.name]), room - len(text[unit.name])
    texts = [_less_told(text[unit.name], unit, words) for unit in sorted(taken, key=lambda unit: unit.first)]
    used = named.union(*map(words_of, texts))
    texts = [*_values(index, module, used, focus), *texts]
    if focus.helpers and focus.units:
        if unused := unused_imports(index, module):
            texts.append(f"# imported by the module, and used by nothing there yet: {', '.join(unused)}\n")
        functions = {unit for unit in focus.units if "." not in unit}  # methods stand beside those of their class
        texts.append(guards_beside(module.text, functions, {unit.name for unit in taken}))
    return "\n".join(filter(None, texts)).replace("\r\n", "\n")


def _helpers(module: Module, focus: Focus, named: Collection[str], text: Mapping[str, str]) -> tuple[list[Unit], ...]:
    """The functions that are named, private ones that nothing else uses, and those called alike, the most so first."""
    parts = {part for name in focus.units or named for part in name.rpartition(".")[2].split("_") if len(part) > 2}
    calls = Counter(WORD.findall(module.text))
    others = [one for one in module.units.values() if not (one.is_stub or one.owner or one.name in focus.shown)]
    by_name = [one for one in others if one.name in named and isinstance(one.node, Function)]  # classes stand above
    private = [one for one in others if one.name.startswith("_") and one not in by_name]
    unused = [one for one in private if calls[one.name] == len(re.findall(rf"\b{one.name}\b", text[one.name]))]
    likeness = {one.name: len(parts.intersection(one.name.split("_"))) for one in private if one not in unused}
    alike = [one for one in private if likeness.get(one.name)]
    return by_name, unused, sorted(alike, key=lambda one: -likeness[one.name])


def _less_told(text: str, unit: Unit, words: str) -> str:
    """A unit's source without a docstring of several lines that stands in `words`."""
    if " ".join(unit.docstring.split()) not in words:
        return text
    above = unit.first - 1
    edits = docstrings_left_out([unit.node])
    return edited(text, [one._replace(line=one.line - above, end_line=one.end_line - above) for one in edits])


def _values(index: Index, module: Module, used: Collection[str], focus: Focus) -> Iterator[str]:
    """The assignments of constants that the context shows in part: those in use, and of stubs what nothing uses."""
    outlined = {entry.name for entry in index.sources[module.name].outline.entries if entry.text.endswith(_CUT)}
    tree = parse(module.text)
    known = _used(tree, index, module)
    for node in tree.body:
        names = [name for name in defined_names(node) if name in outlined and not name.startswith("__")]
        text = "".join(whole_lines(module.text)[node.lineno - 1 : node.end_lineno])
        if any(name in used or (focus.units and name not in known) for name in names) and len(text) <= _LONGEST_VALUE:
            yield text


def unused_imports(index: Index, module: Module) -> list[str]:
    """The names that a module imports at its top and says nowhere else, in code or as a text.

    Those that it gives on are left out: all of a package, and what another module imports from this one.
    """
    if index.sources[module.name].is_package:
        return []
    tree = parse(module.text)
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    bound = {one.name for node in imports if getattr(node, "module", "") != "__future__" for one in bindings(node)}
    return sorted(bound - _used(tree, index, module))


def _used(tree: ast.AST, index: Index, module: Module) -> set[str]:
    """The names that a module's code reads, its texts, and what other modules import of it.

    An annotation or an item of `__all__` may be such a text.
    """
    nodes = list(ast.walk(tree))
    used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    used |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    imports = ((name, one) for name, source in index.sources.items() for one in source.outline.imports)
    return used | {one.attribute for name, one in imports if one.attribute and index.origin(name, one) == module.name}
