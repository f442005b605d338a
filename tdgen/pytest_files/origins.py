"""Where the names in a test file come from, and what of the module under test each test needs.

What a test needs is read from the names alone, and rather too much than too little: those in the test itself, in the
helpers, fixtures and classes that it names, in what is evaluated when the file is imported, and attributes that are
patched by their name.

A case names a function under test by its bare name, a well-known name as `tdgen.source.names` lists it, and everything
else of the standard library by its module: `import shop as s` with `s.total(...)` becomes `total(...)`. Where the plan
has numpy and pandas, a case can name them too.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from tdgen.source.names import KNOWN_NAMES, PACKAGES, STDLIB
from tdgen.source.syntax import Definition, expression
from tdgen.source.trees import Tree, Unread, bound_names, called_names, dotted, outermost_calls, read_names, rewritten

_PATCHES = frozenset({"setattr", "delattr", "patch", "object", "multiple"})
_HOOKS = ("setup", "teardown", "pytest_")


def needs_of(tree: ast.Module, tests: Iterable[tuple[str, ast.stmt]], origins: Origins) -> dict[str, frozenset[str]]:
    """For each of `tests`, by its name, the names that it reaches; those of the module under test are among them."""
    bare = {id(node): rewritten(node, origins.renames, origins.prefixes) for node in tree.body}
    defined: dict[str, set[str]] = {}
    always: set[str] = set()
    for node in tree.body:
        names = _named(bare[id(node)])
        for bound in bound_names(node) if not isinstance(node, Definition) else {node.name}:
            defined.setdefault(bound, set()).update(names)
        if not isinstance(node, Definition) and any(isinstance(n, ast.Call) for n in ast.walk(node)):
            always |= names
        elif isinstance(node, Definition):
            for decorator in node.decorator_list:
                always |= _named(rewritten(decorator, origins.renames, origins.prefixes))
            is_around_each = node.name.startswith(_HOOKS) or any("autouse" in ast.dump(d) for d in node.decorator_list)
            if is_around_each and not isinstance(node, ast.ClassDef):
                always |= names
    needs = {}
    for name, node in tests:
        named = always | _named(rewritten(node, origins.renames, origins.prefixes))
        owner, colons, _ = name.partition("::")
        if colons:  # what a test's class sets up stands in there
            named |= defined.get(owner, set())
        needs[name] = frozenset(_reached(named, defined))
    return needs


def _reached(names: set[str], defined: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    while names:
        reached |= names
        names = set().union(*(defined.get(name, ()) for name in names)) - reached
    return reached


def _named(tree: ast.AST) -> set[str]:
    """The names that are read, taken as a parameter (a fixture's), or patched."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            names |= {text.rpartition(".")[2] for text in texts if called in _PATCHES}
    return names


_BUILTINS = frozenset(vars(builtins))


class Import(NamedTuple):
    """One name that an import statement binds: `from module import name as local`, or the module itself."""

    local: str
    module: str
    name: str = ""


class Origins(NamedTuple):
    """What a file's names mean.

    `module` is the one under test, `functions` those of it whose calls make cases, `called` those that the file calls,
    `imported` what it imports from there by name;
    `own` are all of the module's names in use, `constants` the file's own values, `strange` what no case can name,
    `packages` the names of numpy and pandas that a case can.
    """

    module: str
    functions: frozenset[str]
    called: tuple[str, ...]
    imported: tuple[str, ...]
    own: frozenset[str]
    prefixes: frozenset[str]
    renames: Mapping[str, ast.expr]
    constants: Mapping[str, ast.expr]
    strange: frozenset[str]
    packages: frozenset[str] = frozenset()

    def renamed(self, tree: Tree) -> Tree:
        """A copy of `tree` in a case's words, the file's constants put in."""
        if clash := bound_names(tree) & (self.renames.keys() | self.prefixes):
            raise Unread(f"{min(clash)} is bound again")
        return substituted(rewritten(tree, self.renames, self.prefixes), self.constants)

    def knows(self, name: str) -> bool:
        """Whether a case may name it, and means the same as the file."""
        is_common = name in _BUILTINS or name in STDLIB or name in KNOWN_NAMES
        return name in self.own or name in self.packages or (is_common and name not in self.strange)

    def subject(self, call: ast.expr) -> str:
        """The function under test that `call` is about: the outermost one it calls."""
        for node in ast.walk(call):
            if isinstance(node, ast.Name) and node.id in self.functions:
                return node.id
        raise Unread("it calls no function under test")

    def calls(self, tree: ast.AST) -> list[ast.Call]:
        """The outermost calls of functions under test."""
        return list(outermost_calls(tree, self.functions))

    def is_free(self, tree: ast.AST) -> bool:
        """Whether nothing under test is so much as named in it."""
        return not any(isinstance(node, ast.Name) and node.id in self.functions for node in ast.walk(tree))


def read_origins(tree: ast.Module, functions: Collection[str] | None, packages: Collection[str] = ()) -> Origins:
    """What the names of the file mean, where `functions` are under test (None: all that it calls of its module).

    `packages` are the plan's: of those that no plan has, nothing can be named.
    """
    imports = _imports(tree)
    module = _module_under_test(tree, imports, functions or ())
    prefixes = frozenset(i.local for i in imports if i.module == module and not i.name)
    brought = [i for i in imports if _package(i) in packages]
    renames = {i.local: meaning for i in imports if (meaning := _meaning(i, module, brought)) is not None}
    bare = rewritten(tree, renames, prefixes)
    own = {i.name for i in imports if i.module == module and i.name}
    own |= {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and dotted(n.value) in prefixes}
    called = {name for name in called_names(bare) if "." not in name}
    tested = {name for name in called & own if not name.lstrip("_")[:1].isupper()}
    under_test = frozenset(tested if functions is None else functions)
    # Only what the file binds to a name once is a value.
    values: dict[str, ast.expr] = {}
    others: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        target = _single_target(node)
        if target and target not in values | dict.fromkeys(others) and isinstance(node, ast.Assign | ast.AnnAssign):
            values[target] = node.value  # type: ignore[assignment] # _single_target saw that it has one
        else:
            others |= {node.name} if isinstance(node, Definition) else bound_names(node)
    constants = {name: value for name, value in values.items() if name not in others}
    usable = {name: rewritten(value, renames, prefixes) for name, value in constants.items()}
    strange = others | {i.local for i in imports if _is_foreign(i.module) and i.module != module and i not in brought}
    return Origins(
        module=module,
        functions=under_test,
        called=tuple(sorted(tested | (called & under_test))),
        imported=tuple(i.name for i in imports if i.module == module and i.name and i.name != "*"),
        own=frozenset(own | under_test),
        prefixes=prefixes,
        renames=renames,
        constants=_closed({n: v for n, v in usable.items() if not any(outermost_calls(v, under_test))}),
        strange=frozenset(strange),
        packages=frozenset(n for n, p in PACKAGES.items() if p in map(_package, brought)) - strange - constants.keys(),
    )


def _imports(tree: ast.Module) -> list[Import]:
    """What the file imports; `times` of `from mypkg import times` is a module where it is only looked into.

    So must be all else that the file imports from there: `from shop import Basket, stock` is of the module `shop`.
    """
    imports = list(_bindings(tree))
    owned = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    bare = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in owned}
    holders = {item.module for item in imports if item.name and (item.local in bare or not item.name.islower())}
    return [
        Import(item.local, f"{item.module}.{item.name}")
        if item.name and _is_foreign(item.module) and not _package(item) and item.module not in holders
        else item
        for item in imports
    ]


def _bindings(tree: ast.Module) -> Iterator[Import]:
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.asname or alias.name, alias.name)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield Import(alias.asname or alias.name, node.module or alias.name, alias.name)


def _module_under_test(tree: ast.Module, imports: Iterable[Import], functions: Collection[str]) -> str:
    """The module outside of the standard library that most calls go to, first those of `functions`; "" for none."""
    calls = Counter(called_names(tree))
    score: dict[str, tuple[int, int]] = {}
    for item in imports:
        if not _is_foreign(item.module) or _package(item):
            continue
        if item.name:
            count, wanted = calls[item.local], int(item.name in functions)
        else:
            hits = {path: n for path, n in calls.items() if path.startswith(item.local + ".")}
            count, wanted = sum(hits.values()), sum(path.rpartition(".")[2] in functions for path in hits)
        before = score.get(item.module, (0, 0))
        score[item.module] = (before[0] + wanted, before[1] + count)
    return max(score, key=lambda module: score[module]) if score else ""


def _is_foreign(module: str) -> bool:
    top = module.partition(".")[0]
    return top not in STDLIB and top not in ("pytest", "__future__")


def _package(item: Import) -> str:
    """The package that it is of, where that is numpy or pandas; else ""."""
    top = item.module.partition(".")[0]
    return top if top in PACKAGES.values() else ""


def _meaning(item: Import, module: str, brought: Collection[Import]) -> ast.expr | None:
    """What a case says instead of the local name; None where that is the name itself."""
    if PACKAGES.get(item.local) == item.module and not item.name:
        return None
    if item.name and (item.module == module or KNOWN_NAMES.get(item.name) == item.module):
        says = item.name
    elif _is_foreign(item.module) and item not in brought:
        return None
    else:
        says = f"{item.module}.{item.name}" if item.name else item.module
    return None if says == item.local else expression(says)


def _single_target(node: ast.stmt) -> str:
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    if isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name):
        return node.target.id
    return ""


def _closed(constants: Mapping[str, ast.expr]) -> dict[str, ast.expr]:
    """The constants with those that they name put in, in the order in which they are bound."""
    closed: dict[str, ast.expr] = {}
    for name, value in constants.items():
        if not bound_names(value) & closed.keys() and name not in read_names(value):
            closed[name] = rewritten(value, closed)
    return closed


def substituted(tree: Tree, values: Mapping[str, ast.expr]) -> Tree:
    """A copy of `tree` with the names in `values` replaced; Unread where it binds one of them itself."""
    if clash := bound_names(tree) & values.keys():
        raise Unread(f"{min(clash)} is bound again")
    return rewritten(tree, values)
