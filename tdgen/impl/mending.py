"""Mechanical mending of a developer's answer: what needs no thought is put right without another model call.

Mended are the wrapping (fences, prose, prompts, indentation, a bracket left open at the end), a function written as a
method, a function by another name, imports of what is in the module already, and standard-library imports that are
missing. What was meant must be plain; where it is not, the code is left as it is, for its author to mend. Comments, and
what strings hold, stay.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from tdgen.impl.brief import Brief
from tdgen.impl.edits import Edit, dedented, edited, over
from tdgen.impl.importing import with_imports, without_own_imports
from tdgen.impl.piece import rename
from tdgen.impl.wrapping import Mended, unwrapped
from tdgen.replies.lines import lines_of, whole_lines
from tdgen.syntax import parse, parses

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Mend(NamedTuple):
    """The source as it is now, and a sentence for each thing that was done; none where it is as it was."""

    source: str
    done: tuple[str, ...]


def mended(code: str, brief: Brief) -> Mend:
    """A developer's code, or a whole answer, mended as far as that is plain; it may still be unusable.

    What was mended once is not mended again: the source that comes out goes through unchanged.
    """
    done: list[str] = []
    if not parses(code):
        found = unwrapped(code)
        if found is None:
            return Mend(code, ())
        code = found[0]
        done.append(found[1])
    for mend in _MENDS:
        better = mend(code, parse(code), brief)
        if better is not None and parses(better[0]):
            code = better[0]
            done.append(better[1])
    return Mend(code, tuple(done))


def _unclassed(code: str, tree: ast.Module, brief: Brief) -> Mended | None:
    """The methods of a class that holds the function and keeps nothing, as functions."""
    name = brief.spec.name
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name not in brief.others]
    classes = [node for node in classes if any(isinstance(held, _Function) and held.name == name for held in node.body)]
    if name in _defined(tree) or len(classes) != 1:
        return None
    (held,) = classes
    methods = [node for node in held.body if isinstance(node, _Function)]
    names = {method.name for method in methods}
    rest = [node for node in held.body if not isinstance(node, _Function) and not _is_idle(node)]
    taken = names & (set(_defined(tree)) | brief.others) or "__init__" in names
    if rest or taken or held.decorator_list or held.bases or held.keywords or _uses(tree, held.name):
        return None
    edits = [_freed(code, method, names) for method in methods]
    if any(edit is None for edit in edits):
        return None
    code = edited(code, (edit for made in edits for edit in made or ()))
    return _lifted(code, held), f"the class {held.name} around it was taken away"


def _lifted(code: str, held: ast.ClassDef) -> str:
    """`code` with what stands in a class moved to the margin in its place, but for its docstring."""
    first = held.body[0]
    begin = (first.end_lineno or first.lineno) if _is_idle(first) else held.lineno
    lines = whole_lines(code)
    inside = "".join(lines[begin : held.end_lineno])
    body = dedented(inside, held.body[-1].col_offset, held, offset=begin)
    return "".join(lines[: held.lineno - 1]) + body + "".join(lines[held.end_lineno or 0 :])


def _without_self(code: str, tree: ast.Module, brief: Brief) -> Mended | None:
    """The function without a `self` that its contract does not have."""
    spec = brief.spec
    functions = [node for node in tree.body if isinstance(node, _Function) and node.name == spec.name]
    if len(functions) != 1 or any(parameter.name == "self" for parameter in spec.parameters):
        return None
    arguments = [*functions[0].args.posonlyargs, *functions[0].args.args]
    if not arguments or arguments[0].arg != "self":
        return None
    edits = _freed(code, functions[0], set(_defined(tree)) | brief.others)
    return None if edits is None else (edited(code, edits), "its parameter `self` was taken away")


def _freed(code: str, method: _Function, names: Collection[str]) -> list[Edit] | None:
    """The edits that make a method a function; None where it needs its object for more than to call `names`."""
    decorators = [node.id if isinstance(node, ast.Name) else "" for node in method.decorator_list]
    if decorators == ["staticmethod"]:
        (node,) = method.decorator_list
        return [over(node)._replace(column=node.col_offset - 1)]
    arguments = [*method.args.posonlyargs, *method.args.args]
    if decorators or not arguments:
        return None
    own = arguments[0]
    calls = [
        node
        for node in ast.walk(method)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == own.arg
    ]
    if len(calls) != _uses(method, own.arg) or any(node.attr not in names for node in calls):
        return None
    return [_with_comma(code, over(own)), *(over(node, node.attr) for node in calls)]


def _with_comma(code: str, edit: Edit) -> Edit:
    """The edit that takes the comma behind along, and the space behind that."""
    rest = lines_of(code)[edit.end_line - 1].encode("utf-8")[edit.end_column :]
    comma = re.match(rb"\s*,\s*", rest)
    return edit._replace(end_column=edit.end_column + comma.end()) if comma else edit


def _named(code: str, tree: ast.Module, brief: Brief) -> Mended | None:
    """The one public function that takes as many arguments, by the name that the contract has."""
    spec = brief.spec
    if spec.name in _defined(tree):
        return None
    public = [
        node
        for node in tree.body
        if isinstance(node, _Function) and node.name not in brief.others and not node.name.startswith("_")
    ]
    if len(public) != 1 or not _is_alike(public[0], brief) or _is_taken(tree, public[0].name, spec.name):
        return None
    return rename(code, {public[0].name: spec.name}), f"`{public[0].name}` was renamed to `{spec.name}`"


def _is_alike(function: _Function, brief: Brief) -> bool:
    spec, arguments = brief.spec, function.args
    count = len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs)
    open_ended = arguments.vararg or arguments.kwarg
    return (
        count == len(spec.parameters) and not open_ended and isinstance(function, ast.AsyncFunctionDef) == spec.is_async
    )


def _is_taken(tree: ast.Module, old: str, new: str) -> bool:
    """Whether the new name is in use, or the old one stands for something else too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.keyword) and node.arg in (old, new):
            return True
        if isinstance(node, ast.Name) and (node.id == new or (node.id == old and not isinstance(node.ctx, ast.Load))):
            return True
    return False


def _defined(tree: ast.Module) -> list[str]:
    return [node.name for node in tree.body if isinstance(node, _Function | ast.ClassDef)]


def _uses(tree: ast.AST, name: str) -> int:
    return sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(tree))


def _is_idle(node: ast.stmt) -> bool:
    """Whether a statement does nothing: a docstring, `...` or `pass`."""
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


_MENDS: tuple[Callable[[str, ast.Module, Brief], Mended | None], ...] = (
    _unclassed,
    _without_self,
    _named,
    without_own_imports,
    with_imports,
)
