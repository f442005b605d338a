"""What a developer's code may import, and its imports put right: missing ones added, those of its module taken away."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection
from typing import NamedTuple

from tdgen.prompts.context import PromptContext
from tdgen.protocols import ForeignCode
from tdgen.source.fragment import rename
from tdgen.source.names import KNOWN_NAMES, STDLIB
from tdgen.source.syntax import Definition, Edit, edited, is_constant, over, parse, whole_lines
from tdgen.source.trees import bound_names, read_names

# Of the standard library, what a function has no business with; settings add to these or allow them.
_FORBIDDEN = (
    "subprocess multiprocessing socket socketserver ssl ctypes pty fcntl resource signal mmap "
    "importlib imp runpy code codeop pdb bdb trace gc inspect sys._getframe pickle marshal shelve dbm "
    "urllib.request http.client http.server ftplib smtplib poplib imaplib telnetlib xmlrpc webbrowser "
    "tkinter turtle idlelib ensurepip venv pip unittest pytest doctest builtins"
)
FORBIDDEN = frozenset(_FORBIDDEN.split())

_MORE = {
    "bisect": "bisect_left bisect_right insort insort_left insort_right",
    "collections": "UserDict UserList",
    "concurrent.futures": "ThreadPoolExecutor",
    "copy": "copy",
    "datetime": "UTC",
    "decimal": "ROUND_CEILING ROUND_FLOOR ROUND_HALF_DOWN",
    "functools": "cache total_ordering",
    "heapq": "heappushpop heapreplace merge",
    "itertools": "batched",
    "math": "acos asin atan atan2 cos degrees dist exp fabs fsum hypot log log10 log2 perm radians sin tan trunc",
    "numbers": "Number Real",
    "operator": "add mul sub truediv xor",
    "random": "choice choices randint sample shuffle",
    "re": "Match Pattern",
    "statistics": "mean median mode pstdev stdev variance",
    "string": "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits punctuation whitespace",
    "typing": "DefaultDict Deque Self Text TypeAlias overload",
}
_MODULE_OF = KNOWN_NAMES | {name: module for module, names in _MORE.items() for name in names.split()}
_DATES = frozenset({"date", "datetime", "timedelta", "timezone"})
_PLAIN = _DATES | {"chain", "defaultdict", "deque", "digits", "hexdigits", "inf", "nan", "pi", "punctuation", "tau"}
"""Known names in small letters that mean one thing however they are used. Others may be a variable that was forgotten:
only a use as a function tells.
"""

_SUBMODULES = frozenset({"collections.abc", "concurrent.futures", "urllib.parse"})
"""Modules that importing the one above them does not bring along for certain."""

_OF_THE_MODULE = {"datetime": frozenset({"UTC", "date", "datetime", "time", "timedelta", "timezone", "tzinfo"})}
_ALIASES = {"np": "numpy", "pd": "pandas"}
_TAKE_FUNCTIONS = frozenset({"accumulate", "filter", "map", "reduce", "starmap"})
Mended = tuple[str, str]
"""The code as it is now, and what was done to it."""

_GIVEN = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__", "__annotations__"}


class DeveloperContext(PromptContext):
    """What a developer's prompt shows of a function; `allowed` and `forbidden` are the user's word on imports.

    Where the code is in another `language` than Python, its `rules` and what reads an answer are that one's.
    """

    language: str = "Python"
    rules: str = ""
    read: Callable[[str], ForeignCode] | None = None
    python: str = ""
    allowed: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()

    @property
    def others(self) -> frozenset[str]:
        """What the module holds beside this function, and a developer's code must not define again."""
        names = {spec.name for spec in self.plan.functions} | {shared.name for shared in self.plan.types}
        names |= self.plan.target.names.keys() if self.plan.target else set()
        return frozenset(names - {self.spec.name})

    @property
    def banned(self) -> frozenset[str]:
        """The modules and names that may not be imported."""
        return (FORBIDDEN | self.forbidden) - self.allowed

    @property
    def packages(self) -> frozenset[str]:
        """The plan's packages by the names that are imported, and those of a target's project."""
        there = (*self.plan.target.packages, "") if self.plan.target else ()  # "" is what a relative import begins with
        return frozenset(package.split(".")[0] for package in (*self.plan.packages, *there))


def import_findings(
    source: str, *, packages: Collection[str], allowed: Collection[str], forbidden: Collection[str]
) -> tuple[str, ...]:
    """Imports beyond the standard library (less what is forbidden) and the plan's packages that are allowed."""
    banned = (FORBIDDEN | frozenset(forbidden)) - frozenset(allowed)
    findings: list[str] = []
    for node in ast.walk(parse(source)):
        for module in _modules(node):
            top = module.split(".")[0]
            if is_under(module, banned):
                findings.append(f"line {node.lineno}: importing {module} is not allowed")  # type: ignore[attr-defined]
            elif top not in STDLIB and top not in packages:
                findings.append(f"line {node.lineno}: {top} is not among the packages that may be imported")  # type: ignore[attr-defined]
    return tuple(findings)


class _Use(NamedTuple):
    """How code uses a name: the attributes taken of it, and whether it stands alone, or is used as a function."""

    attributes: frozenset[str]
    is_bare: bool
    is_function: bool


def with_imports(code: str, tree: ast.Module, brief: DeveloperContext) -> Mended | None:
    """`code` with the import of each name of the standard library that it uses and nothing binds."""
    bound = bound_names(tree) | brief.others | {brief.spec.name} | _GIVEN
    missing = sorted(read_names(tree) - bound)
    lines = [line for name in missing for line in _lines_for(name, _use(tree, name), brief)]
    if not lines:
        return None
    place = max((node.end_lineno or 0 for node in tree.body if _comes_first(node, tree)), default=0)
    held = whole_lines(code)
    return "".join([*held[:place], *(f"{line}\n" for line in lines), *held[place:]]), f"{_listed(lines)} was missing"


def _lines_for(name: str, use: _Use, brief: DeveloperContext) -> list[str]:
    """The import lines for a name that nothing binds; none where it is not plain what it means, or not allowed."""
    module = _MODULE_OF.get(name)
    own = _OF_THE_MODULE.get(name, frozenset())
    is_module = name in STDLIB and use.attributes and not use.is_bare and (not module or bool(use.attributes & own))
    if is_module or (name in STDLIB and module == name and use.attributes and not use.is_function and not own):
        parts = sorted({f"{name}.{inner}" for inner in use.attributes} & _SUBMODULES) or [name]
        return [f"import {part}" for part in parts if not _is_banned(part, use, brief)]
    if module and (use.is_function or not name.islower() or name in _PLAIN):
        return [] if is_under(f"{module}.{name}", brief.banned) else [f"from {module} import {name}"]
    if _ALIASES.get(name) in brief.packages:
        return [f"import {_ALIASES[name]} as {name}"]
    if name in brief.packages and use.attributes and not use.is_bare:
        return [f"import {name}"]
    return []


def _is_banned(module: str, use: _Use, brief: DeveloperContext) -> bool:
    return is_under(module, brief.banned) or any(is_under(f"{module}.{name}", brief.banned) for name in use.attributes)


def _listed(lines: list[str]) -> str:
    return " and ".join(f"`{line}`" for line in lines)


def _comes_first(node: ast.stmt, tree: ast.Module) -> bool:
    """Whether it is the module's docstring, or an import from the future."""
    if isinstance(node, ast.ImportFrom):
        return node.module == "__future__"
    return node is tree.body[0] and is_constant(node)


def _use(tree: ast.Module, name: str) -> _Use:
    attributes: set[str] = set()
    uses = functions = attached = 0
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=found) if found == name:
                uses += 1
            case ast.Attribute(value=ast.Name(id=found)) if found == name:
                attached += 1
                attributes.add(node.attr)
        functions += sum(isinstance(held, ast.Name) and held.id == name for held in _functions_in(node))
    return _Use(frozenset(attributes), uses > attached, bool(functions))


def _functions_in(node: ast.AST) -> list[ast.expr]:
    """What a node uses as a function: what it calls, passes on to be called, or decorates with."""
    if isinstance(node, ast.Call):
        taken = isinstance(node.func, ast.Name) and node.func.id in _TAKE_FUNCTIONS
        keys = [keyword.value for keyword in node.keywords if keyword.arg in ("key", "default_factory", "func")]
        return [node.func, *(node.args if taken else []), *keys]
    if isinstance(node, Definition):
        return list(node.decorator_list)
    return []


def without_own_imports(code: str, tree: ast.Module, brief: DeveloperContext) -> Mended | None:
    """`code` without imports of what stands in the same module, and with the plain names in place of dotted ones."""
    edits: list[Edit] = []
    names: dict[str, str] = {}
    own = brief.others | {brief.spec.name}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.ImportFrom)
            and _is_foreign(node.module or "", brief)
            and {alias.name for alias in node.names} <= own
        ):
            edits.append(_taken_away(node, tree))
            names |= {alias.asname: alias.name for alias in node.names if alias.asname}
        elif isinstance(node, ast.Import) and len(node.names) == 1 and _is_foreign(node.names[0].name, brief):
            (alias,) = node.names
            dotted = _dotted(tree, alias.asname or alias.name, own)
            if dotted:
                edits += [_taken_away(node, tree), *dotted]
    if not edits:
        return None
    code = edited(code, edits)
    return (rename(code, names) if names else code), "imports of what is in the same module were taken away"


def _is_foreign(module: str, brief: DeveloperContext) -> bool:
    """Whether a module is the plan's own, or one that neither the standard library nor the plan's packages have."""
    top = module.split(".")[0]
    return module == brief.plan.module or not (top in STDLIB or top in brief.packages or top == "__future__")


def _taken_away(node: ast.stmt, tree: ast.Module) -> Edit:
    """A statement that may be the only one of a function's body leaves a `pass`."""
    return over(node, "" if node in tree.body else "pass")


def _dotted(tree: ast.Module, module: str, own: frozenset[str]) -> list[Edit]:
    """The edits that make `module.name` to `name`; none where the module is used in any other way."""
    edits = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == module
    ]
    uses = sum(node.id == module for node in ast.walk(tree) if isinstance(node, ast.Name))
    if len(edits) != uses or any(node.attr not in own for node in edits):
        return []
    return [over(node, node.attr) for node in edits]


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        if node.level:
            return ["." * node.level + (node.module or "")]
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def is_under(module: str, banned: Collection[str]) -> bool:
    """Whether a dotted name, or one that it is part of, is among `banned`."""
    parts = module.split(".")
    return any(".".join(parts[:length]) in banned for length in range(1, len(parts) + 1))
