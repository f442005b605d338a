"""Tests as a prompt shows them: their source, with the fixtures, helpers and imports that they use."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Final

from tdgen.errors import InputError
from tdgen.project.module import decoded
from tdgen.project.root import Project
from tdgen.source.replacing import last_line
from tdgen.source.syntax import Definition, defined_names, first_line, lines_of, parse

_CHARACTERS: Final = 4
"""Of a token: an estimate for code in English."""
_SETS_UP: Final = frozenset({"setUp", "setUpClass", "setup_method", "setup_class", "tearDown", "teardown_method"})
_STEPS: Final = 3
"""How far it is followed what a test's helpers use in turn."""

Rows = dict[str, set[int]]
"""Lines (from 1) by the paths of files."""


class ShownTests:
    """Reads a project's test files, each once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._files: dict[str, _File | None] = {}

    def text(self, tests: Sequence[str], tokens: int) -> str:
        """The source of tests, by their ids, with what they use; see `by_file`."""
        return "\n\n".join(self.by_file(tests, tokens))

    def by_file(self, tests: Sequence[str], tokens: int) -> list[str]:
        """The source of tests, by their ids, with what they use: each file's in the order of lines, in about `tokens`.

        A test for which there is no room is left out; the first is always there.
        """
        taken: Rows = {}
        room = tokens * _CHARACTERS
        for test in tests:
            more = {path: rows - taken.get(path, set()) for path, rows in self._rows(test).items()}
            size = sum(len(self._known(path).lines[row - 1]) + 1 for path, rows in more.items() for row in rows)
            if size <= room or not taken:
                room -= size
                for path, rows in more.items():
                    taken.setdefault(path, set()).update(rows)
        return [f"# {path}\n{self._known(path).shown(rows)}" for path, rows in taken.items()]

    def _rows(self, test: str) -> Rows:
        """The lines to show for a test: it, and what it and its helpers name of its file and of each conftest.py."""
        path, *names = test.partition("[")[0].split("::")
        file = self._file(path)
        if file is None:
            return {}
        nodes, words = file.found(names)
        rows: Rows = {path: nodes}
        known = set(names)
        # Fixtures and helpers are looked for in the file itself, then in each conftest.py above it, the nearest first.
        for name in [path, *(str(folder / "conftest.py") for folder in Path(path).parents)]:
            if (place := self._file(name)) is None:
                continue
            for _ in range(_STEPS):
                held = [node for node in place.tree.body if words.difference(known).intersection(defined_names(node))]
                held = [node for node in held if not isinstance(node, ast.Import | ast.ImportFrom)]
                if not held:
                    break
                rows.setdefault(place.path, set()).update(row for node in held for row in _span(node))
                known.update(name for node in held for name in defined_names(node))
                words |= {word for node in held for word in _words(node)}
        return {path: held | self._known(path).imports for path, held in rows.items()}

    def _file(self, path: str) -> _File | None:
        if path not in self._files:
            self._files[path] = None
            with suppress(OSError, InputError, SyntaxError):
                self._files[path] = _File(path, decoded((self._project.root / path).read_bytes(), path)[1])
        return self._files[path]

    def _known(self, path: str) -> _File:
        file = self._file(path)
        if file is None:
            raise KeyError(path)
        return file


class _File:
    """A file of tests. SyntaxError where it does not parse."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.lines, self.tree = path, lines_of(text), parse(text)

    @cached_property
    def imports(self) -> set[int]:
        """The lines of the imports at its top level."""
        return {row for one in self.tree.body if isinstance(one, ast.Import | ast.ImportFrom) for row in _span(one)}

    def found(self, names: Sequence[str]) -> tuple[set[int], set[str]]:
        """The lines of a test, of its classes their heads and what sets tests up, and the words in all of this."""
        body: list[ast.stmt] = self.tree.body
        rows, words = set[int](), set[str]()
        for name in names:
            node = next((one for one in reversed(body) if isinstance(one, Definition) and one.name == name), None)
            if node is None:
                break
            nodes: list[ast.AST] = [node]
            rows.update(_span(node))
            if isinstance(node, ast.ClassDef):
                body = node.body
                kept = [
                    one
                    for one in body
                    if _SETS_UP.intersection(defined_names(one)) or isinstance(one, ast.Assign | ast.AnnAssign)
                ]
                nodes = [*node.bases, *node.decorator_list, *kept]
                rows.difference_update(row for one in body if one not in kept for row in _span(one))
            words |= {word for one in nodes for word in _words(one)}
        return rows, words

    def shown(self, rows: set[int]) -> str:
        """These lines, with an empty one where others are left out."""
        parts: list[str] = []
        for row in sorted(rows):
            if parts and row - 1 not in rows and parts[-1]:
                parts.append("")
            if self.lines[row - 1].strip() or (parts and parts[-1]):
                parts.append(self.lines[row - 1])
        return "\n".join(parts)


def _span(node: ast.stmt) -> range:
    """The lines of a statement, with decorators."""
    return range(first_line(node), last_line(node) + 1)


def _words(node: ast.AST) -> set[str]:
    """The names that a piece reads, and those of its parameters: fixtures are asked for so."""
    words = set[str]()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            words.add(inner.id)
        elif isinstance(inner, ast.arg):
            words.add(inner.arg)
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner.value.isidentifier():
            words.add(inner.value)  # usefixtures("name")
    return words
