"""Code that several functions of a module share: written once in the end, and offered to who writes the next one.

Functions are written at the same time, and what each of them brings bears its name in front. Where two brought the same
constant or helper, the module has it once, under the name without a function's. Merged is only what can't tell whether
it is shared: functions and classes that keep nothing between calls, values that can't be changed or that nobody
changes.

The developer of a function sees what those that it stands on brought beside themselves, and names what serves. Its code
then gets a copy, so that it stays right whatever becomes of the other function; copies that are still alike in the end
are written once. Offered are only functions that are waited for anyway: a prompt does not hang on which of two ended
first.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from tdgen.prompts import render
from tdgen.source.fragment import Fragment, rename, trusted_fragment
from tdgen.source.syntax import Definition, first_line, lines_of, parse, parses, without_lines
from tdgen.source.trees import free_names

_MAKE_CONSTANTS = frozenset({"re.compile", "frozenset", "tuple", "Decimal", "Fraction", "range", "timedelta", "date"})
_MUTABLE = (ast.List, ast.Dict, ast.Set)
_ONLY_READ = frozenset({
    "items", "keys", "values", "get", "index", "count", "copy", "union", "intersection", "difference", "issubset",
    "issuperset", "isdisjoint",
})  # fmt: skip
_READERS = frozenset({
    "len", "sorted", "min", "max", "sum", "any", "all", "enumerate", "zip", "tuple", "list", "dict", "set",
    "frozenset", "reversed", "iter", "map", "filter", "range",
})  # fmt: skip


class _Own(NamedTuple):
    """A definition that a function brought: its name, the name without the function's, and its statement."""

    name: str
    plain: str
    node: ast.stmt


def merged_pieces(sources: Mapping[str, str], types: str = "") -> list[Fragment]:
    """The fragments of a module with these functions' sources, what they share first, if anything."""
    fragments = {function: trusted_fragment(source) for function, source in sources.items()}
    own = {function: list(_own(function, fragment)) for function, fragment in fragments.items()}
    shared = _shared(own, {function: parse(fragment.body) for function, fragment in fragments.items()})
    shared -= _taken([types, *(fragment.body for fragment in fragments.values())])
    if not shared:
        return list(fragments.values())
    once: dict[str, str] = {}
    for function, fragment in fragments.items():
        moved = [one for one in own[function] if one.plain in shared]
        names = {one.name: one.plain for one in moved}
        for one in moved:
            once.setdefault(one.plain, rename(f"{_text(one.node, fragment.body)}\n", names).strip("\n"))
        fragments[function] = fragment._replace(body=rename(_without(moved, fragment.body), names))
    return [Fragment((), "\n\n\n".join(once.values()) + "\n"), *fragments.values()]


def mergeable_definitions(function: str, source: str) -> dict[str, str]:
    """What a function brought that others may have alike: by the plain names, which stand in the sources too."""
    fragment = trusted_fragment(source)
    ones, tree = list(_own(function, fragment)), parse(fragment.body)
    fit = {one.plain: one for one in ones if _is_mergeable(one, tree)}
    while unfit := {plain for plain, one in fit.items() if _needs(one, ones) - fit.keys()}:
        fit = {plain: one for plain, one in fit.items() if plain not in unfit}
    names = {one.name: one.plain for one in ones}
    return {plain: rename(f"{_text(one.node, fragment.body)}\n", names).strip("\n") for plain, one in fit.items()}


def _own(function: str, fragment: Fragment) -> Iterator[_Own]:
    """The definitions that bear the function's name in front."""
    prefix = f"_{function.strip('_')}_"
    for node in parse(fragment.body).body:
        name = _defined(node)
        rest = name[len(prefix) :].lstrip("_")
        if name.lower().startswith(prefix.lower()) and f"_{rest}".isidentifier() and rest and name != function:
            yield _Own(name, f"_{rest}", node)


def _defined(node: ast.stmt) -> str:
    """The one name that a statement binds; "" where it binds none or several."""
    if isinstance(node, Definition):
        return node.name
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else ""


def _shared(own: Mapping[str, list[_Own]], trees: Mapping[str, ast.Module]) -> set[str]:
    """The plain names of what at least two functions have alike, with all that it names of what they brought."""
    said = {
        function: {one.plain: _said(one, ones) for one in ones if _is_mergeable(one, trees[function])}
        for function, ones in own.items()
    }
    counts = Counter((plain, text) for texts in said.values() for plain, text in texts.items())
    having = Counter(one.plain for ones in own.values() for one in ones)
    shared = {plain for (plain, _), count in counts.items() if count > 1 and count == having[plain]}
    while unfit := {one.plain for ones in own.values() for one in ones if _needs(one, ones) - shared} & shared:
        shared -= unfit
    return shared


def _said(one: _Own, ones: list[_Own]) -> str:
    """A definition as it reads with plain names, whatever the function that brought it is called."""
    names = {other.name: other.plain for other in ones}
    return ast.dump(parse(rename(ast.unparse(one.node) + "\n", names)))


def _needs(one: _Own, ones: list[_Own]) -> set[str]:
    """What a definition names of what its function brought beside it."""
    plain = {other.name: other.plain for other in ones if other is not one}
    return {plain[node.id] for node in ast.walk(one.node) if isinstance(node, ast.Name) and node.id in plain}


def _is_mergeable(one: _Own, tree: ast.Module) -> bool:
    """Whether nobody can tell if a definition is shared."""
    if isinstance(one.node, ast.Assign | ast.AnnAssign):
        value = one.node.value
        return value is not None and (
            _is_constant(value) or (_is_made_of_constants(value) and _is_only_read(one, tree))
        )
    return not any(isinstance(node, ast.Global) or _keeps_something(node) for node in ast.walk(one.node))


def _keeps_something(node: ast.AST) -> bool:
    """Whether a function has a default that can be changed, or a decorator, or a class a value that can be."""
    if isinstance(node, ast.ClassDef):
        values = [held.value for held in node.body if isinstance(held, ast.Assign | ast.AnnAssign) and held.value]
        return not all(map(_is_constant, values))
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
    return bool(node.decorator_list) or not all(map(_is_constant, defaults))


def _is_constant(value: ast.expr) -> bool:
    """Whether a value is made of constants, and can't be changed."""
    return _is_made_of_constants(value) and not isinstance(value, _MUTABLE)


def _is_made_of_constants(value: ast.expr) -> bool:
    """Whether a value is spelled out, mutable or not."""
    match value:
        case ast.Constant():
            return True
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            inner = parts
        case ast.Dict(keys=keys, values=values):
            inner = [key for key in keys if key is not None] + values
        case ast.UnaryOp(operand=operand):
            inner = [operand]
        case ast.BinOp(left=left, right=right):
            inner = [left, right]
        case ast.Call(func=made, args=arguments, keywords=[]) if ast.unparse(made) in _MAKE_CONSTANTS:
            return all(map(_is_made_of_constants, arguments))
        case ast.Attribute():
            return ast.unparse(value).startswith("re.")
        case _:
            return False
    nested = isinstance(value, ast.Tuple | ast.Dict | ast.List)
    return all(_is_constant(part) if nested else _is_made_of_constants(part) for part in inner)


def _is_only_read(one: _Own, tree: ast.Module) -> bool:
    """Whether every use of a list, dict or set is one that can't change it."""
    safe = sum(_reads(node, one.name) for node in ast.walk(tree))
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == one.name]
    return safe == len([node for node in uses if isinstance(node.ctx, ast.Load)]) == len(uses) - 1


def _reads(node: ast.AST, name: str) -> int:
    """How many uses of a name a node has that only read what it stands for."""

    def is_it(part: ast.AST) -> bool:
        return isinstance(part, ast.Name) and part.id == name

    match node:
        case ast.Subscript(value=value, ctx=ast.Load()) if is_it(value):
            return 1
        case ast.Attribute(value=value, attr=attribute) if is_it(value):
            return int(attribute in _ONLY_READ)
        case ast.Compare(comparators=parts):
            return sum(map(is_it, parts))
        case ast.For(iter=value) | ast.comprehension(iter=value):
            return int(is_it(value))
        case ast.Call(func=ast.Name(id=called), args=parts) if called in _READERS:
            return sum(map(is_it, parts))
    return 0


def _without(moved: list[_Own], body: str) -> str:
    """A body less some of its definitions."""
    for one in reversed(moved):  # from the end on, so that the lines before stay where they are
        body = without_lines(body, *_lines(one.node, body))
    return body.strip("\n") + "\n"


def _taken(sources: list[str]) -> set[str]:
    """Every name that the module has in any place."""
    nodes = [node for source in sources for node in ast.walk(parse(source))]
    named = {node.id for node in nodes if isinstance(node, ast.Name)} | {n.arg for n in nodes if isinstance(n, ast.arg)}
    return named | {node.name for node in nodes if isinstance(node, Definition)}


def _text(node: ast.stmt, body: str) -> str:
    first, last = _lines(node, body)
    return "\n".join(lines_of(body)[first - 1 : last])


def _lines(node: ast.stmt, body: str) -> tuple[int, int]:
    """The lines of a statement, with its decorators and the comments right above it."""
    lines = lines_of(body)
    first = first_line(node)
    while first > 1 and lines[first - 2].startswith("#"):
        first -= 1
    return first, node.end_lineno or node.lineno


MOST_CHARACTERS: Final = 3_000
"""Of all that is shown, some 750 tokens: what does not fit is not offered."""
_WHOLE: Final = 8
"""Of how many lines a definition is shown whole; of a longer one what calls it needs."""


class Reusable(NamedTuple):
    """A definition that may be copied, and the import statements that it needs."""

    source: str
    imports: tuple[str, ...] = ()


def reusable(sources: Mapping[str, str]) -> dict[str, Reusable]:
    """What may be copied of these functions' sources, by the name to use; of two of one name the first."""
    by_name: dict[str, Reusable] = {}
    for function, source in sources.items():
        imports = trusted_fragment(source).imports
        for name, text in mergeable_definitions(function, source).items():
            free = free_names(parse(text))
            by_name.setdefault(name, Reusable(text, tuple(line for line in imports if _bound(line) & free)))
    return by_name


def reusable_section(offered: Mapping[str, Reusable]) -> str:
    """What is offered, as the developer sees it; or nothing.

    Constants are not shown: without what they were written for, their names say little. A function brings its own.
    """
    shown: list[str] = []
    for one in offered.values():
        if not isinstance(parse(one.source).body[0], Definition):
            continue
        text = _shown(one.source)
        if len("\n\n".join([*shown, text])) <= MOST_CHARACTERS:
            shown.append(text)
    return render("tdgen.impl", "reuse", definitions="\n\n".join(shown)) if shown else ""


def with_reused(code: str, offered: Mapping[str, Reusable]) -> str:
    """A developer's code with copies of what it names, and does not define, of what is offered."""
    if not parses(code):
        return code
    needed, copied = free_names(parse(code)), set[str]()
    while new := needed & offered.keys() - copied:
        copied |= new
        needed = frozenset[str]().union(*(free_names(parse(offered[name].source)) for name in new))
    copies = [one for name, one in offered.items() if name in copied]
    imports = dict.fromkeys(line for one in copies for line in one.imports)
    return "\n".join([*imports, *(f"{one.source}\n\n" for one in copies), code]) if copies else code


def _shown(source: str) -> str:
    lines = lines_of(source)
    node = parse(source).body[0]
    if len(lines) <= _WHOLE or not isinstance(node, Definition):
        return source
    docstring = ast.get_docstring(node)
    body = node.body[0]
    head = "\n".join(lines[: body.lineno - 1])
    return f'{head}\n    """{docstring.splitlines()[0]}"""\n    ...' if docstring else f"{head}\n    ..."


def _bound(line: str) -> set[str]:
    """The names that an import statement binds."""
    (node,) = parse(line).body
    aliases = node.names if isinstance(node, ast.Import | ast.ImportFrom) else []
    return {(alias.asname or alias.name).partition(".")[0] for alias in aliases}
