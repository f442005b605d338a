"""An answer that gives the changed methods of a large class, laid into the class as it was written."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from textwrap import dedent, indent

from tdgen.source.syntax import Definition, Function, class_named, first_line, lines_of, methods_of, statements_of
from tdgen.types import FunctionSpec


def with_changed_methods(code: str, written: str, spec: FunctionSpec) -> str:
    """What was `written`, with the methods, imports, constants and helpers of `code` in place of those of their names.

    An answer that has all methods of the contract is the class as a whole. It is taken as it is, and so is what does
    not parse or has no such class.
    """
    new, old = (ast.Module(statements_of(source), []) for source in (code, written))
    given, kept = class_named(new, spec.name), class_named(old, spec.name)
    if given is None or kept is None:
        return code
    promised = {method.name for method in spec.interface.methods} if spec.interface else set()
    if promised <= {method.name for method in methods_of(given)}:
        return code
    lines, others = lines_of(written), lines_of(code)
    changes = [*_changes(kept.body, given.body, others), *_changes(old.body, new.body, others, spec.name)]
    for first, last, text in sorted(changes, key=lambda change: change[:2], reverse=True):
        lines[first:last] = text
    return "\n".join([*_imports(new, old), *lines]).rstrip("\n") + "\n"


def _changes(
    kept: Sequence[ast.stmt], given: Sequence[ast.stmt], others: list[str], unit: str = ""
) -> Iterator[tuple[int, int, list[str]]]:
    """What comes in place of which lines (from 0, the last not included) of one level of the code.

    What is new stands at the end of a class, and in a module before the class `unit`.
    """
    places = {_key(node): node for node in kept if _key(node)}
    margin = " " * (kept[0].col_offset if kept else 0)
    for node in given:
        key = _key(node)
        if not key or key == unit:
            continue
        text = indent(dedent("\n".join(others[first_line(node) - 1 : node.end_lineno])), margin).split("\n")
        if key in places:
            yield first_line(places[key]) - 1, places[key].end_lineno or 0, text
        elif unit:
            before = first_line(places[unit]) - 1
            yield before, before, [*text, "", ""]
        elif isinstance(node, Function):
            end = kept[-1].end_lineno or 0
            yield end, end, ["", *text]
        else:
            before = first_line(next((one for one in kept if isinstance(one, Function)), kept[-1])) - 1
            yield before, before, [*text, ""]


def _imports(new: ast.Module, old: ast.Module) -> list[str]:
    """The imports that are new, a line each; that of the future is written by the tool."""
    there = {ast.unparse(node) for node in old.body}
    imports = [node for node in new.body if isinstance(node, ast.Import | ast.ImportFrom)]
    plain = [node for node in imports if not (isinstance(node, ast.ImportFrom) and node.module == "__future__")]
    return [text for node in plain if (text := ast.unparse(node)) not in there]


def _key(node: ast.stmt) -> str:
    """What a definition or an assignment is known by: its name, with the role of a setter or deleter; or nothing."""
    if isinstance(node, Definition):
        decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
        return next((text for text in decorators if text.endswith((".setter", ".deleter"))), node.name)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return " = ".join(map(ast.unparse, targets))
