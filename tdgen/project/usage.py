"""How a project uses what is to be written: the statements that call it, and nothing of what stands around them."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from tdgen.project.index import Index
from tdgen.project.module import Module
from tdgen.project.own_tests import is_test, read_text
from tdgen.project.root import Project
from tdgen.source.syntax import Function, lines_of, parse

_MOST: Final = 4
"""How many statements are shown of a unit. Not tuned."""
_LONGEST: Final = 200
"""How many characters a statement may have that is shown. Not tuned."""
_USUAL: Final = frozenset(name for kind in (str, bytes, list, dict, set, re.Pattern, re.Match) for name in dir(kind))
"""Methods that what a method of that name is called on may have as well: who it is can't be told there."""
_DOCTEST: Final = re.compile(r"\s*(?:>>>|\.\.\. )")
_TITLE: Final = """\
# How the project calls what the code is for, a statement each. These callers are right and stay as they are: the shape
# that they count on (a pair that is unpacked, None) holds also where the docs speak of it loosely. The docs say the
# rest."""


def calls_shown(project: Project, index: Index, module: Module, units: Collection[str], laid: Mapping[str, str]) -> str:
    """Calls of a module's units (`function`, `Class.method`), those in the module itself first; empty without any.

    `laid` are the sources of modules, by name, that no file holds yet. The project's tests are left out.
    """
    calls = calls_of(project, index, module, units, laid)
    shown = groupby((call for unit in units for call in calls[unit][:_MOST]), itemgetter(0))
    lines = [line for place, some in shown for line in (f"# in {place}", *(call for _, call in some))]
    return "\n".join([_TITLE, *lines]) if lines else ""


def calls_of(
    project: Project, index: Index, module: Module, units: Collection[str], laid: Mapping[str, str]
) -> dict[str, list[tuple[str, str]]]:
    """The first calls of each unit, four at least where there are so many: in which definition, and the statement."""
    by_unit: dict[str, list[tuple[str, str]]] = {unit: [] for unit in units}
    for name in sorted(index.sources, key=lambda name: (name != module.name, name)):
        wanted = [unit for unit in units if len(by_unit[unit]) < _MOST]
        file = index.sources[name].file
        if not wanted or is_test(project, file) or not _may_call(index, name, module.name):
            continue
        text = module.text if name == module.name else laid.get(name) or read_text(project, project.relative(file))
        for unit in wanted:
            by_unit[unit] += [
                call for call in _calls(index, name, text, module.name, unit) if call not in by_unit[unit]
            ]
    return by_unit


def _may_call(index: Index, name: str, module: str) -> bool:
    """Whether a module is, or imports, the one of that name; by what it imports from a package, too."""
    if name == module or module in index.imports(name):
        return True
    imports = index.sources[name].outline.imports
    met = (index.resolve(index.origin(name, one), one.attribute) for one in imports if one.attribute)
    return any(meant and meant.module == module for meant in met)


def _calls(index: Index, name: str, text: str, module: str, unit: str) -> Iterator[tuple[str, str]]:
    """The statements of a module's text that call a unit, each behind where it stands; none where it is not Python."""
    owner, _, last = unit.rpartition(".")
    names = {one.name for one in index.sources[name].outline.imports if one.attribute == last}
    names |= {last} if name == module else set()
    called = re.compile(rf"(?<!def )\b(?:{'|'.join(sorted({*names, last}))})\s*\(")
    lines = [
        number for number, line in enumerate(lines_of(text), 1) if called.search(line) and not _DOCTEST.match(line)
    ]
    if not lines:
        return
    try:
        tree = parse(text)
    except SyntaxError:
        return
    is_known = bool(owner) and is_only(index, last) and last not in _USUAL
    own = module.partition(".")[0]
    packages = {
        one.name for one in index.sources[name].outline.imports if index.origin(name, one).partition(".")[0] == own
    }
    modules = {one.name for one in index.sources[name].outline.imports if not one.attribute}
    for place, node in _statements(tree.body, "", lines):
        if name == module and (place == unit or place.startswith(f"{unit}.")):
            continue
        for call in _called(node):
            if owner:
                is_meant = isinstance(call, ast.Attribute) and call.attr == last
                is_meant &= ast.unparse(call).rpartition(".")[0] not in modules  # `re.findall` is no method's
                is_own = name == module and place.partition(".")[0] == owner and ast.unparse(call) == f"self.{last}"
                is_meant &= is_known or is_own
            else:
                is_meant = isinstance(call, ast.Name) and call.id in names
                root = ast.unparse(call).partition(".")[0]  # `prices.split`, and no `text.split`
                is_meant |= (
                    name != module and isinstance(call, ast.Attribute) and call.attr == last and root in packages
                )
            if is_meant and len(line := _text(node)) <= _LONGEST:
                yield ".".join(filter(None, [name, place])), line
                break


def is_only(index: Index, method: str) -> bool:
    """Whether one class of the project alone has a public method of that name."""
    entries = (entry for source in index.sources.values() for entry in source.outline.entries)
    return sum(any(member.name == method for member in entry.members) for entry in entries) == 1


def _statements(body: list[ast.stmt], place: str, lines: Sequence[int]) -> Iterator[tuple[str, ast.stmt]]:
    """Each statement on some of the lines, with the names of the definitions that it stands in; outer ones first."""
    for node in body:
        if not any(node.lineno <= line <= (node.end_lineno or 0) for line in lines):
            continue
        if isinstance(node, Function | ast.ClassDef):
            yield from _statements(node.body, f"{place}.{node.name}".lstrip("."), lines)
            continue
        yield place, node
        for field in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, field, []), place, lines)
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield from _statements(part.body, place, lines)


def _called(node: ast.stmt) -> Iterator[ast.expr]:
    """What a statement calls, those that it holds aside."""
    for child in ast.iter_child_nodes(_head(node)):
        yield from (inner.func for inner in ast.walk(child) if isinstance(inner, ast.Call))


def _head(node: ast.stmt) -> ast.stmt:
    """A statement with nothing in the place of those that it holds."""
    if not hasattr(node, "body"):
        return node
    head = copy.copy(node)
    empty: dict[str, list[ast.stmt]] = {"body": [ast.Expr(ast.Constant(...))], "orelse": [], "finalbody": []}
    for field, value in empty.items():
        if hasattr(head, field):
            setattr(head, field, value)
    for field in ("handlers", "cases"):
        if hasattr(head, field):
            setattr(head, field, [])
    return head


def _text(node: ast.stmt) -> str:
    """A statement in one line, with dots in the place of those that it holds."""
    if isinstance(node, ast.Try | ast.Match):
        return ast.unparse(node.subject) if isinstance(node, ast.Match) else ""
    lines = ast.unparse(_head(node)).splitlines()
    return " ".join(line.strip() for line in lines)
