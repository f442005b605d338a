"""A function's code taken apart and put together: its imports, its body, and the module that holds them all."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from tdgen.errors import ReplyError
from tdgen.source.syntax import (
    Definition,
    Edit,
    defined_names,
    edited,
    first_line,
    is_constant,
    lines_of,
    parse,
    whole_lines,
)

_TOP_LEVEL = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)


class Fragment(NamedTuple):
    """One function's code: its import statements, and all else with its comments."""

    imports: tuple[str, ...]
    body: str

    @property
    def source(self) -> str:
        """The code as one text."""
        return "\n".join(self.imports) + "\n\n\n" * bool(self.imports) + self.body


def read_fragment(code: str, function: str, others: Collection[str]) -> Fragment:
    """The fragment in a developer's code: what stands for `others` (functions and types that exist) is left out.

    ReplyError with every reason why it can't be used: it does not parse, lacks the function, or does things on import.
    """
    try:
        tree = parse(code)
    except SyntaxError as error:
        raise ReplyError(_syntax(error, code), (_syntax(error, code),)) from None
    if reasons := _reasons(tree, function, others):
        raise ReplyError(reasons[0], tuple(reasons))
    lines = lines_of(code)
    imports: list[str] = []
    for node in tree.body:
        bound = defined_names(node)  # a definition's, a constant's, a type variable's, a named tuple's by its call
        is_other = len(bound) == 1 and bound[0] in others
        if isinstance(node, ast.Import | ast.ImportFrom):
            if not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
                imports.append(ast.unparse(node))
        elif not (is_other or _is_harmless(node)):
            continue
        first, last = first_line(node), node.end_lineno or node.lineno
        lines[first - 1 : last] = [""] * (last - first + 1)
    body = "\n".join(line for line in lines if line is not None).strip("\n") + "\n"
    # Helpers and constants at module level have names of their own, so that no other function's can meet them.
    fragment = Fragment(tuple(dict.fromkeys(imports)), body)
    if not function:
        return fragment
    names = [name for node in parse(fragment.body).body for name in defined_names(node) if name != function]
    renames = {name: own for name in names if (own := _own_name(name, function, others)) != name}
    return fragment._replace(body=rename(fragment.body, renames)) if renames else fragment


def assemble(types: str, fragments: Iterable[Fragment], *, docstring: str = "", entry: str = "") -> str:
    """A module: docstring, imports once each, shared types, functions in order, and the `entry` of a script."""
    held = [trusted_fragment(types), *fragments] if types.strip() else list(fragments)
    lines = {line for fragment in held for line in fragment.imports}
    lines |= {f"import {name}" for name in ("asyncio", "sys") if f"{name}." in entry}
    imports = sorted(lines, key=lambda line: (line.startswith("from"), line))
    said = " ".join(docstring.split()).replace("\\", "\\\\").replace('"', '\\"')
    head = [f'"""{said}"""'] if docstring else []
    bodies = [fragment.body.strip("\n") for fragment in held]
    blocks = ["\n\n".join([*head, "from __future__ import annotations"]), "\n".join(imports), "\n\n\n".join(bodies)]
    guard = f'\n\nif __name__ == "__main__":\n    raise SystemExit({entry})\n' if entry else ""
    return "\n\n".join(block for block in blocks if block) + "\n" + guard


def trusted_fragment(source: str) -> Fragment:
    """A source as a fragment that tdgen wrote itself, or has read before."""
    return read_fragment(source, "", ())


def _syntax(error: SyntaxError, code: str) -> str:
    if error.lineno:
        lines = lines_of(code)
        text = lines[error.lineno - 1].strip()[:100] if error.lineno <= len(lines) else ""
        return f"the code does not parse: {error.msg} (line {error.lineno}: `{text}`)"
    return f"the code does not parse: {error.msg}"


def _reasons(tree: ast.Module, function: str, others: Collection[str]) -> list[str]:
    reasons = []
    defined = [node.name for node in tree.body if isinstance(node, Definition)]
    if function and function not in defined:
        named = ", ".join(name for name in defined if name not in others) or "none"
        reasons.append(f"the code does not define {function!r}; it defines: {named}")
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            reasons.append(f"line {node.lineno}: `from … import *` is not allowed")
        elif not isinstance(node, (*_TOP_LEVEL, ast.Import, ast.ImportFrom)) and not _is_harmless(node):
            reasons.append(f"line {node.lineno}: a statement at module level that is no import, constant or definition")
    return reasons


def _is_harmless(node: ast.stmt) -> bool:
    """Docstrings and `if __name__ == "__main__"`: left out rather than complained about."""
    return is_constant(node) or (isinstance(node, ast.If) and "__name__" in ast.unparse(node.test))


def _own_name(name: str, function: str, others: Collection[str]) -> str:
    """`_PATTERN` of `slugify` as `_SLUGIFY_PATTERN`; a name that has the function's in front stays as it is.

    So does `_TillRow` of `Till`, unless it may be one of `TillRow`.
    """
    prefix = f"_{function.strip('_')}_"
    is_begun = re.match(f"_{function}[A-Z]", name) and not any(
        name.startswith(f"_{o}") for o in others if o.startswith(function)
    )
    if is_begun or name.lower().startswith(prefix.lower()):
        return name
    return (prefix.upper() if name.isupper() else prefix) + name.strip("_")


def rename(source: str, names: dict[str, str]) -> str:
    """`source` with names replaced wherever code reads, binds or defines them, never as attributes or keywords."""
    lines = [line.encode("utf-8") for line in whole_lines(source)]
    edits = []
    for line, column, name in _places(source, lines, names):
        old = name.encode("utf-8")
        if not lines[line - 1].startswith(old, column):
            # Before Python 3.12 names inside f-strings have no true position.
            words = "|".join(re.escape(name) for name in names)
            return re.sub(rf"(?<![\w.])(?:{words})(?!\w)", lambda match: names[match.group()], source)
        edits.append(Edit(line, column, line, column + len(old), names[name]))
    return edited(source, edits)


def _places(source: str, lines: list[bytes], names: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Line (from 1), column in bytes, and name of each occurrence."""
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Name) and node.id in names:
            yield node.lineno, node.col_offset, node.id
        elif isinstance(node, ast.arg) and node.arg in names:
            yield node.lineno, node.col_offset, node.arg
        elif isinstance(node, Definition) and node.name in names:
            line, word = lines[node.lineno - 1], b"class " if isinstance(node, ast.ClassDef) else b"def "
            begun = line.index(word, node.col_offset) + len(word)
            yield node.lineno, line.index(node.name.encode("utf-8"), begun), node.name
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield from ((node.lineno, lines[node.lineno - 1].find(n.encode()), n) for n in node.names if n in names)
