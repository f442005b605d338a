"""What of the module under test each test of a file needs, so that it can be told when it can be run.

Read from the names alone, and rather too much than too little: those in the test itself, in the helpers, fixtures and
classes that it names, in what is evaluated when the file is imported, and attributes that are patched by their name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from tdgen.source.trees import bound_names, rewritten
from tdgen.testgen.reading.origins import Origins

_PATCHES = frozenset({"setattr", "delattr", "patch", "object", "multiple"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_HOOKS = ("setup", "teardown", "pytest_")


def needs_of(tree: ast.Module, tests: Iterable[tuple[str, ast.stmt]], origins: Origins) -> dict[str, frozenset[str]]:
    """For each of `tests`, by its name, the names that it reaches; those of the module under test are among them."""
    bare = {id(node): rewritten(node, origins.renames, origins.prefixes) for node in tree.body}
    defined: dict[str, set[str]] = {}
    always: set[str] = set()
    for node in tree.body:
        names = _named(bare[id(node)])
        for bound in bound_names(node) if not isinstance(node, _DEFINITIONS) else {node.name}:
            defined.setdefault(bound, set()).update(names)
        if not isinstance(node, _DEFINITIONS) and any(isinstance(n, ast.Call) for n in ast.walk(node)):
            always |= names
        elif isinstance(node, _DEFINITIONS):
            always |= {name for decorator in node.decorator_list for name in _named(_bare(decorator, origins))}
            always |= names if _is_for_all(node) else set()
    found = {}
    for name, node in tests:
        reached = _reached(_named(_bare(node, origins)) | _of_class(name, defined) | always, defined)
        found[name] = frozenset(reached)
    return found


def _bare(node: ast.AST, origins: Origins) -> ast.AST:
    return rewritten(node, origins.renames, origins.prefixes)


def _of_class(name: str, defined: Mapping[str, set[str]]) -> set[str]:
    """All that the class of a test names: what it is set up with stands in there."""
    owner, colons, _ = name.partition("::")
    return set(defined.get(owner, ())) if colons else set()


def _reached(names: set[str], defined: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    while names:
        reached |= names
        names = set().union(*(defined.get(name, ()) for name in names)) - reached
    return reached


def _is_for_all(node: ast.stmt) -> bool:
    """Whether it is run around every test."""
    if isinstance(node, ast.ClassDef):
        return False
    decorators = getattr(node, "decorator_list", [])
    return getattr(node, "name", "").startswith(_HOOKS) or any("autouse" in ast.dump(d) for d in decorators)


def _named(tree: ast.AST) -> set[str]:
    """The names that are read, taken as a parameter (a fixture's), or patched."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            found |= {text.rpartition(".")[2] for text in texts if called in _PATCHES}
    return found
