"""Digests of byte code, by which sources that do the same to the last instruction are known. Runs in a sandbox.

Standard library only, Python 3.9 and later, and nothing of tdgen: this file's text is the module that a sandbox is
given. Sources are compiled, never executed.
"""

from __future__ import annotations

import ast
import dis
import hashlib
import warnings
from types import CodeType
from typing import Any

_FIELDS = (
    "co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_flags", "co_names", "co_varnames",
    "co_freevars", "co_cellvars", "co_name", "co_exceptiontable",
)  # fmt: skip


def digests(sources: list[str]) -> list[str]:
    """A digest of each source's byte code, without line numbers and docstrings; "" for one that doesn't compile."""
    return [_digest(source) for source in sources]


def _digest(source: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
            _as_one_line(tree)
            code = compile(tree, "<source>", "exec", dont_inherit=True, optimize=0)
        return hashlib.sha256(repr(_canonical(code)).encode("utf-8", "backslashreplace")).hexdigest()
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return ""


def _as_one_line(tree: ast.Module) -> None:
    """Without docstrings, and all of it on one line: for what starts a line the compiler leaves instructions behind."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body[:1] = [] if len(node.body) > 1 else [ast.copy_location(ast.Pass(), first)]
        if hasattr(node, "lineno"):
            vars(node).update(lineno=1, end_lineno=1, col_offset=0, end_col_offset=0)


def _instructions(code: CodeType) -> Any:
    """Constants by value: the compiler keeps those that it no longer needs, which shifts the numbers of the others.

    Python 3.12 and 3.13 return some constants by one instruction and others by two: here it is always two, and jumps
    lead to instructions by their numbers, not by how far away they are.
    """
    instructions = list(dis.get_instructions(code))
    numbers, number = {}, 0
    for one in instructions:
        numbers[one.offset] = number
        number += 2 if one.opname == "RETURN_CONST" else 1
    operations: list[Any] = []
    for one in instructions:
        if one.opname == "RETURN_CONST":
            operations += [("LOAD_CONST", _canonical(one.argval)), ("RETURN_VALUE", None)]
        elif one.opcode in dis.hasconst:
            operations.append((one.opname, _canonical(one.argval)))
        elif one.opcode in dis.hasjrel or one.opcode in dis.hasjabs:
            operations.append((one.opname, numbers.get(one.argval, one.argval)))
        else:
            operations.append((one.opname, one.arg))
    return operations


def _canonical(value: Any) -> Any:
    """Constants with their types (1 is not True), sets in one order, code by its instructions."""
    if isinstance(value, CodeType):
        return [_instructions(value), *(getattr(value, field, None) for field in _FIELDS)]
    if isinstance(value, tuple):
        return ["tuple", *(_canonical(item) for item in value)]
    if isinstance(value, frozenset):
        return ["frozenset", *sorted(repr(_canonical(item)) for item in value)]
    return [type(value).__name__, repr(value)]
