"""What a module binds beside what new code in it binds, and the imports that this code needs besides.

An import that the module has is not repeated. One that only type checkers see (`if TYPE_CHECKING`) is enough for
annotations that are not evaluated.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tdgen.source.fragment import Fragment
from tdgen.source.names import STDLIB
from tdgen.source.syntax import Definition, Edit, defined_names, first_line, is_constant, parse, statements

_Import = ast.Import | ast.ImportFrom
_WIDTH = 88
_FILES_OWN = re.compile(r"#!|#.*coding[:=]")


class Binding(NamedTuple):
    """A name, and what binds it: an import in a form that is equal for equal imports, or a statement."""

    name: str
    by: str | ast.stmt

    def same(self, other: Binding) -> bool:
        """Whether both bind the name to the same."""
        if self.name != other.name or type(self.by) is not type(other.by):
            return False
        if isinstance(self.by, str) or isinstance(other.by, str):
            return self.by == other.by
        return ast.dump(self.by) == ast.dump(other.by)

    @property
    def is_package(self) -> bool:
        """Whether it is by `import a.b`, which other imports of `a` go along with."""
        return isinstance(self.by, str) and self.by.startswith("import ")


class Imports:
    """What a module binds, and the imports that are to be added to it."""

    def __init__(self, tree: ast.Module, module: str = "") -> None:
        """`module` is its dotted name, from which it need not import."""
        self._tree = tree
        self._module = module
        self._bound: dict[str, list[Binding]] = defaultdict(list)
        self._for_types: list[Binding] = []
        self._added: list[str] = []
        self.is_lazy = any(isinstance(n, ast.ImportFrom) and n.module == "__future__" for n in tree.body)
        for node, typing in statements(tree.body):
            for binding in bindings(node):
                (self._for_types if typing else self._bound[binding.name]).append(binding)

    def binds(self, name: str) -> bool:
        """Whether the module has the name when it runs."""
        return name in self._bound

    def has(self, binding: Binding) -> bool:
        """Whether the module binds the name to the same."""
        return any(binding.same(there) for there in self._bound.get(binding.name, ()))

    def has_line(self, line: str) -> bool:
        """Whether the module has all that an import statement binds, if only for type checkers."""
        bound = [binding for node in parse(line).body for binding in bindings(node)]
        return all(self.has(one) or any(one.same(there) for there in self._for_types) for one in bound)

    def clashes(self, binding: Binding) -> bool:
        """Whether the module binds the name to something else."""
        there = self._bound.get(binding.name, [])
        fits = any(binding.same(other) or (binding.is_package and other.is_package) for other in there)
        return bool(there) and not fits

    def free_name(self, name: str) -> str:
        """The name with as many underscores before it as make it nobody's."""
        while name in self._bound:
            name = f"_{name}"
        return name

    def add(self, bound: Iterable[Binding]) -> None:
        """Note what new code binds."""
        for binding in bound:
            self._bound[binding.name].append(binding)

    def take(self, fragment: Fragment) -> dict[str, str]:
        """Take in the imports that a body uses; the names that it must use in place of those that are taken."""
        names: dict[str, str] = {}
        for node in (node for line in fragment.imports for node in parse(line).body):
            if not isinstance(node, _Import) or self._is_own(node):
                continue
            for alias in node.names:
                binding = _binding(node, alias)
                if not re.search(rf"\b{re.escape(binding.name)}\b", fragment.body):
                    continue
                for_types = self.is_lazy and any(binding.same(there) for there in self._for_types)
                if self.has(binding) or (for_types and binding.name not in _evaluated(parse(fragment.body))):
                    continue
                name = self.free_name(binding.name) if self.clashes(binding) else binding.name
                if name != binding.name:
                    names[binding.name] = name
                self._add_import(node, alias, name)
        return names

    def _add_import(self, node: _Import, alias: ast.alias, name: str) -> None:
        plain = (alias.asname or alias.name).partition(".")[0]
        held = alias if name == plain else ast.alias(alias.name, name)
        line = (
            ast.ImportFrom(node.module, [held], node.level) if isinstance(node, ast.ImportFrom) else ast.Import([held])
        )
        self._added.append(ast.unparse(line))
        self.add([_binding(line, held)])

    def _is_own(self, node: _Import) -> bool:
        if isinstance(node, ast.Import):
            return False
        last = self._module.rpartition(".")[2]
        own = node.module == self._module if not node.level else node.level == 1 and node.module == last
        return node.module == "__future__" or bool(self._module and own)

    def merged(self, lines: list[str]) -> Iterator[Edit]:
        """The edits that put new names into imports from their modules that are there; others are left to be inserted.

        A line that has a comment, or would be longer than all others, stays.
        """
        there = [node for node in _head(self._tree) if isinstance(node, ast.ImportFrom) and not _is_future(node)]
        width = max(_WIDTH, *map(len, lines)) if lines else _WIDTH
        left: list[str] = []
        for node in together(self._added):
            same = [one for one in there if isinstance(node, ast.ImportFrom) and _order(one) == _order(node)]
            held = next((one for one in same if one.names[0].name != "*"), None)
            new = {alias.name: ast.unparse(alias) for alias in node.names}
            edits = list(listed(lines, held.names, [alias.name for alias in held.names], new)) if held else []
            longer = sum(len(edit.text) for edit in edits if "\n" not in edit.text)
            rows = {edit.line for edit in edits}
            if rows and all("#" not in lines[row - 1] and len(lines[row - 1]) + longer <= width for row in rows):
                yield from edits
            else:
                left.append(ast.unparse(node))
        self._added = left

    def insertions(self, lines: list[str]) -> dict[int, str]:
        """The lines before which new imports go, each with their text.

        One stands where it would be sorted among those of its kind (the standard library's, other packages', the
        project's own), and behind all where there is none of them.
        """
        texts: dict[int, str] = {}
        last: dict[int, ast.stmt] = {}
        head = _head(self._tree)
        imports = [node for node in head if isinstance(node, _Import) and not _is_future(node)]
        for node in sorted(together(self._added), key=lambda node: (self._kind(node), _order(node))):
            alike = [one for one in imports if self._kind(one) == self._kind(node)]
            earlier = [one for one in alike if _order(one) <= _order(node)]
            if earlier:
                row = (earlier[-1].end_lineno or 0) + 1
            elif alike:
                row = with_comments(alike[0], lines)
            else:
                row = self._beside(head, lines)
                before = last.get(row, head[-1] if head else None)
                is_import = isinstance(before, _Import) and not _is_future(before)
                is_group = before is None or (is_import and self._kind(before) == self._kind(node))
                texts[row] = texts.get(row, "") + "\n" * (not is_group)
            last[row] = node
            texts[row] = f"{texts.get(row, '')}{ast.unparse(node)}\n"
        if not head and texts:
            ((row, text),) = texts.items()
            texts[row] = "\n" * (row > 1) + text + "\n\n" * bool(lines[row - 1].strip())
        return texts

    def _beside(self, head: list[ast.stmt], lines: list[str]) -> int:
        """Where the first import of its kind goes: behind all others, behind the docstring, or at the beginning."""
        if head:
            return (head[-1].end_lineno or 0) + 1
        row = 1
        while row <= len(lines) and lines[row - 1].startswith("#"):
            row += 1
        if row <= len(lines) and lines[row - 1].strip():  # the comment belongs to what follows it
            row = 1 + sum(1 for line in lines[:2] if _FILES_OWN.match(line))
        return row

    def _kind(self, node: ast.stmt) -> int:
        """Of which group an import is: the standard library's, another package's, or the project's own."""
        top = _order(node)[1].partition(".")[0]  # of a relative one it is empty
        return 0 if top in STDLIB else 2 if top in ("", self._module.partition(".")[0]) else 1


def together(lines: Iterable[str]) -> list[_Import]:
    """Import statements, those that take names from one module as one."""
    nodes = [node for line in dict.fromkeys(lines) for node in parse(line).body if isinstance(node, _Import)]
    by_module: dict[str, _Import] = {}
    for node in nodes:
        key = f"{node.level} {node.module}" if isinstance(node, ast.ImportFrom) else ast.unparse(node)
        names = [*(by_module[key].names if key in by_module else ()), *node.names]
        by_module[key] = node
        node.names = sorted(names, key=lambda alias: alias.name)
    return list(by_module.values())


def _order(node: ast.stmt) -> tuple[bool, str]:
    """By what imports of a group are sorted: plain ones first, then by the module's name."""
    if isinstance(node, ast.ImportFrom):
        return True, "." * node.level + (node.module or "")
    return False, node.names[0].name if isinstance(node, ast.Import) else ""


def with_comments(node: ast.stmt, lines: list[str]) -> int:
    """The line on which a statement begins, decorators counted, or the comments right above it.

    What the interpreter reads of a file's first two lines (`#!`, the coding) belongs to the file.
    """
    row = first_line(node)
    while row > 1 and lines[row - 2].startswith("#") and not (row <= 3 and _FILES_OWN.match(lines[row - 2])):
        row -= 1
    return row


def _head(tree: ast.Module) -> list[ast.stmt]:
    """The docstring and the imports before the first definition."""
    head: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, _Import) or (not head and is_constant(node)):
            head.append(node)
        elif isinstance(node, Definition):
            break
    return head


def _is_future(node: _Import) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def bindings(node: ast.stmt) -> list[Binding]:
    """What a statement binds."""
    if isinstance(node, _Import):
        return [_binding(node, alias) for alias in node.names]
    return [Binding(name, node) for name in defined_names(node)]


def _binding(node: _Import, alias: ast.alias) -> Binding:
    if isinstance(node, ast.ImportFrom):
        return Binding(alias.asname or alias.name, f"from {'.' * node.level}{node.module or ''} {alias.name}")
    if alias.asname:
        return Binding(alias.asname, f"module {alias.name}")
    return Binding(alias.name.partition(".")[0], f"import {alias.name}")


def _evaluated(tree: ast.AST) -> set[str]:
    """The names that code reads elsewhere than in annotations."""
    nodes = list(ast.walk(tree))
    notes = {id(getattr(node, name, None)) for node in nodes for name in ("annotation", "returns")}
    names, waiting = set[str](), [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            names.add(node.id)
        waiting += [child for child in ast.iter_child_nodes(node) if id(child) not in notes]
    return names


def listed(
    lines: Sequence[str], items: Sequence[ast.expr | ast.alias], keys: Sequence[str], new: Mapping[str, str]
) -> Iterator[Edit]:
    """The edits that put texts, by their keys, among items, of which there is one or more, with keys of their own.

    Where the items are not sorted, they go behind the last.
    """
    orders: tuple[Callable[[str], Any], ...] = (_by_kind, str, str.lower)
    fold = next((fold for fold in orders if list(keys) == sorted(keys, key=fold)), None)
    places: dict[int, list[str]] = {}
    for key in sorted(new, key=fold) if fold else new:
        place = sum(fold(one) < fold(key) for one in keys) if fold else len(keys)
        places.setdefault(place, []).append(new[key])
    for place, texts in places.items():
        near = items[min(place, len(items) - 1)]
        before = lines[near.lineno - 1].encode()[: near.col_offset].decode()
        between = ", " if before.strip() else f",\n{before}"
        if place < len(items):
            yield Edit(near.lineno, near.col_offset, near.lineno, near.col_offset, between.join([*texts, ""]))
        else:
            row, column = near.end_lineno or 0, near.end_col_offset or 0
            yield Edit(row, column, row, column, between.join(["", *texts]))


def _by_kind(name: str) -> tuple[int, str]:
    """Constants first, then classes, then all else, as isort sorts them."""
    return 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2, name
