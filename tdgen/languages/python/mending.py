"""Code put right without asking its author: what stands around it, its imports, and what its class declares.

Fences and prose go, and imports of what is in the module already; missing imports of the standard library are added;
exceptions that a class declares are written by tdgen. What was meant must be plain; where it is not, the code is left
as it is, for its author to mend.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from textwrap import indent
from typing import NamedTuple

from tdgen.impl.findings import FORBIDDEN, is_under
from tdgen.source.fragment import rename
from tdgen.source.names import KNOWN_NAMES, STDLIB
from tdgen.source.syntax import (
    Definition,
    Edit,
    edited,
    expression,
    first_line,
    is_constant,
    lines_of,
    over,
    parse,
    parses,
    whole_lines,
)
from tdgen.source.trees import bound_names, read_names
from tdgen.types import ClassInterface, FunctionSpec, Plan

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*\w*[ \t]*$")
_START = re.compile(r"^(?:import |from [\w.]+ import |def |async def |class |@|[A-Z_][A-Z0-9_]* *[:=])")
_DEFINITION = re.compile(r"^(?:def |async def |class )", re.MULTILINE)
_MOST_TRIES = 60
"""How many ends are tried for code in an answer. Not tuned."""


class Mend(NamedTuple):
    """The source as it is now, and a sentence for each thing that was done; none where it is as it was."""

    source: str
    done: tuple[str, ...]


def mended(code: str, wanted: CodeContext) -> Mend:
    """A developer's code, or a whole answer, mended as far as that is plain; it may still be unusable.

    What was mended once is not mended again: the source that comes out goes through unchanged.
    """
    done: list[str] = []
    if not parses(code):
        source = _unwrapped(code)
        if source is None:
            return Mend(code, ())
        code = source
        done.append("what stood around the code was taken away")
    if (declared := with_declared(code, wanted.spec)) != code:
        code = declared
        done.append("what its body declares was written as it is declared")
    for mend in (without_own_imports, with_imports):
        better = mend(code, parse(code), wanted)
        if better is not None and parses(better[0]):
            code = better[0]
            done.append(better[1])
    return Mend(code, tuple(done))


def _unwrapped(text: str) -> str | None:
    """The code between fences or stretches of prose: what is cut off stands at the margin and defines nothing."""
    lines = [line for line in lines_of(text) if not _FENCE.match(line)]
    starts = [place for place, line in enumerate(lines) if _START.match(line)]
    margins = [place for place, line in enumerate(lines) if line[:1].strip() and not _START.match(line)]
    ends = [len(lines), *reversed(margins)][:_MOST_TRIES]
    for start in starts[:10]:
        if _DEFINITION.search("\n".join(lines[:start])):
            return None
        for end in ends:
            code, rest = "\n".join(lines[start:end]) + "\n", "\n".join(lines[end:])
            if end > start and not _DEFINITION.search(rest) and _DEFINITION.search(code) and parses(code):
                return code
    return None


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


class CodeContext(NamedTuple):
    """What an answer is read by: the unit and its plan; `allowed` and `forbidden` are the user's word on imports."""

    spec: FunctionSpec
    plan: Plan
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
        """What of third parties may be imported."""
        return importable(self.plan)


def importable(plan: Plan) -> frozenset[str]:
    """A plan's packages by the names that are imported, and those of a target's project."""
    there = (*plan.target.packages, "") if plan.target else ()  # "" is what a relative import begins with
    return frozenset(package.split(".")[0] for package in (*plan.packages, *there))


class _Use(NamedTuple):
    """How code uses a name: the attributes taken of it, and whether it stands alone, or is used as a function."""

    attributes: frozenset[str]
    is_bare: bool
    is_function: bool


def with_imports(code: str, tree: ast.Module, wanted: CodeContext) -> Mended | None:
    """`code` with the import of each name of the standard library that it uses and nothing binds."""
    bound = bound_names(tree) | wanted.others | {wanted.spec.name} | _GIVEN
    missing = sorted(read_names(tree) - bound)
    lines = [line for name in missing for line in _lines_for(name, _use(tree, name), wanted)]
    if not lines:
        return None
    place = 0  # below the module's docstring, and the imports from the future
    for node in tree.body:
        is_docstring = node is tree.body[0] and is_constant(node)
        if is_docstring or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            place = max(place, node.end_lineno or 0)
    held = whole_lines(code)
    listed = " and ".join(f"`{line}`" for line in lines)
    return "".join([*held[:place], *(f"{line}\n" for line in lines), *held[place:]]), f"{listed} was missing"


def _lines_for(name: str, use: _Use, wanted: CodeContext) -> list[str]:
    """The import lines for a name that nothing binds; none where it is not plain what it means, or not allowed."""
    module = _MODULE_OF.get(name)
    own = _OF_THE_MODULE.get(name, frozenset())
    is_module = name in STDLIB and use.attributes and not use.is_bare and (not module or bool(use.attributes & own))
    if is_module or (name in STDLIB and module == name and use.attributes and not use.is_function and not own):
        parts = sorted({f"{name}.{inner}" for inner in use.attributes} & _SUBMODULES) or [name]
        return [f"import {part}" for part in parts if not _is_banned(part, use, wanted)]
    if module and (use.is_function or not name.islower() or name in _PLAIN):
        return [] if is_under(f"{module}.{name}", wanted.banned) else [f"from {module} import {name}"]
    if _ALIASES.get(name) in wanted.packages:
        return [f"import {_ALIASES[name]} as {name}"]
    if name in wanted.packages and use.attributes and not use.is_bare:
        return [f"import {name}"]
    return []


def _is_banned(module: str, use: _Use, wanted: CodeContext) -> bool:
    return is_under(module, wanted.banned) or any(
        is_under(f"{module}.{name}", wanted.banned) for name in use.attributes
    )


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


def without_own_imports(code: str, tree: ast.Module, wanted: CodeContext) -> Mended | None:
    """`code` without imports of what stands in the same module, and with the plain names in place of dotted ones."""
    edits: list[Edit] = []
    names: dict[str, str] = {}
    own = wanted.others | {wanted.spec.name}
    for node in ast.walk(tree):  # a statement that may be the only one of a function's body leaves a `pass`
        if (
            isinstance(node, ast.ImportFrom)
            and _is_foreign(node.module or "", wanted)
            and {alias.name for alias in node.names} <= own
        ):
            edits.append(over(node, "" if node in tree.body else "pass"))
            names |= {alias.asname: alias.name for alias in node.names if alias.asname}
        elif isinstance(node, ast.Import) and len(node.names) == 1 and _is_foreign(node.names[0].name, wanted):
            (alias,) = node.names
            dotted = _dotted(tree, alias.asname or alias.name, own)
            if dotted:
                edits += [over(node, "" if node in tree.body else "pass"), *dotted]
    if not edits:
        return None
    code = edited(code, edits)
    return (rename(code, names) if names else code), "imports of what is in the same module were taken away"


def _is_foreign(module: str, wanted: CodeContext) -> bool:
    """Whether a module is the plan's own, or one that neither the standard library nor the plan's packages have."""
    top = module.split(".")[0]
    return module == wanted.plan.module or not (top in STDLIB or top in wanted.packages or top == "__future__")


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


_FREE = frozenset({"slots", "weakref_slot", "maxsize"})


def with_declared(code: str, spec: FunctionSpec) -> str:
    """`code` with the exceptions that the class of `spec` declares in its body written out; as it is where they are.

    They stand first in the body, below its docstring. Code that has no such class, or one in a line, is left as it is.
    """
    types = spec.interface.types if spec.interface else ()
    classes = [node for node in parse(code).body if isinstance(node, ast.ClassDef) and node.name == spec.name]
    if not types or not classes or classes[-1].body[0].lineno == classes[-1].lineno:
        return code
    node, names = classes[-1], {one.name for one in types}
    written = [part for part in node.body if names.intersection(_bound(part))]
    if [ast.dump(part) for part in written] == [ast.dump(parse(one.source).body[0]) for one in types]:
        return code
    has_docstring = ast.get_docstring(node, clean=False) is not None
    first = node.body[0]
    place = (first.end_lineno or 0) if has_docstring else first_line(first) - 1
    margin, lines = " " * first.col_offset, lines_of(code)
    for part in reversed(written):
        lines[first_line(part) - 1 : part.end_lineno] = [""] * len(range(first_line(part) - 1, part.end_lineno or 0))
    declared = [line for one in types for line in ("", *indent(one.source, margin).split("\n"))]
    lines[place:place] = [*declared, ""] if has_docstring else [*declared[1:], ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def class_findings(source: str, spec: FunctionSpec) -> tuple[str, ...]:
    """Where the written class is no such dataclass or enum as the contract says, or lacks a decorator of it."""
    classes = [node for node in parse(source).body if isinstance(node, ast.ClassDef) and node.name == spec.name]
    if not classes or spec.interface is None:
        return ()
    node, name, interface, found = classes[-1], spec.name, spec.interface, list[str]()
    for decorator in interface.decorators:
        if not any(_is_same(one, expression(decorator)) for one in node.decorator_list):
            found.append(f"the class {name} must be decorated with `@{decorator}`, as in the contract")
    if interface.is_enum:
        found += _member_findings(node, name, interface)
    elif interface.dataclass:
        found += _field_findings(node, name, interface)
    written = {part.name: part.decorator_list for part in node.body if isinstance(part, Definition)}
    for method in interface.methods:
        for decorator in method.decorators if method.name in written else ():
            if not any(_is_same(one, expression(decorator)) for one in written[method.name]):
                found.append(
                    f"the method {name}.{method.name} must be decorated with `@{decorator}`, as in the contract"
                )
    return tuple(found)


def _is_same(written: ast.expr, asked: ast.expr) -> bool:
    """Whether a decorator is the one that is asked for, whatever module is named before it.

    What only saves memory or time may stand in it beside what is asked for.
    """
    one, other = _parts(written), _parts(asked)
    return one[:2] == other[:2] and {k: v for k, v in one[2].items() if k not in _FREE or k in other[2]} == other[2]


def _parts(decorator: ast.expr) -> tuple[str, list[str], dict[str, str]]:
    """The last name of what decorates, and what it is given, by position and by name; `False` is what flags are."""
    call = decorator if isinstance(decorator, ast.Call) else ast.Call(decorator, [], [])
    named = {one.arg or "**": ast.unparse(one.value) for one in call.keywords}
    name = ast.unparse(call.func).rpartition(".")[2]
    is_flagged = name == "dataclass"
    return (
        name,
        [*map(ast.unparse, call.args)],
        # a flag that says what holds without it tells nothing
        {k: v for k, v in named.items() if not (is_flagged and v == str(k in ("init", "repr", "eq", "match_args")))},
    )


def _member_findings(node: ast.ClassDef, name: str, interface: ClassInterface) -> Iterator[str]:
    """Members that differ from the contract's, by name, value or order."""
    if {ast.unparse(base).rpartition(".")[2] for base in node.bases} != {b.rpartition(".")[2] for b in interface.bases}:
        yield f"the class {name} must have the bases {', '.join(interface.bases)}, as in the contract"
    wanted = [(one.name, ast.unparse(expression(one.default or "None"))) for one in interface.fields]
    written = [
        (target.id, ast.unparse(part.value))
        for part in node.body
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Name) and not target.id.startswith("_")
    ]
    if written != wanted:
        text = ", ".join(f"{member} = {value}" for member, value in wanted)
        yield f"the members of {name} must be exactly {text}, in this order"


def _field_findings(node: ast.ClassDef, name: str, interface: ClassInterface) -> Iterator[str]:
    """Fields that differ from the contract's by name, order or default, and further ones that would take part in it."""
    fields = [p for p in node.body if isinstance(p, ast.AnnAssign) and "ClassVar" not in ast.unparse(p.annotation)]
    named = {one.name for one in interface.fields}
    written = [(ast.unparse(one.target), one.value is not None) for one in fields if ast.unparse(one.target) in named]
    if written != [(one.name, one.default is not None) for one in interface.fields]:
        text = "; ".join(one.told for one in interface.fields)
        yield f"the fields of the dataclass {name} must be exactly {text}, in this order"
    for one in fields:
        value = ast.unparse(one.value) if one.value else ""
        if ast.unparse(one.target) not in named and not ("init=False" in value and "compare=False" in value):
            yield (
                f"{ast.unparse(one.target)} is no field of {name} in the contract: make it "
                "`field(init=False, repr=False, compare=False)`, or no field"
            )


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement of a class's body binds."""
    if isinstance(node, Definition):
        yield node.name
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    yield from (target.id for target in targets if isinstance(target, ast.Name))
