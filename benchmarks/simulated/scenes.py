"""Faults that are more than a small change: another function's body, a loop without end, a forged pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from simulated.mutants import with_lines
from simulated.problems import Problem
from simulated.reference import function_in, right_module, source_of, statements

_FORGERIES = (
    "import sys\nsys.exit(0)",
    "import os\nos._exit(0)",
    "class Always:\n    def __eq__(self, other):\n        return True\n    __hash__ = None\nreturn Always()",
)


def other_bodies(problem: Problem, others: Sequence[Problem]) -> Iterator[str]:
    """Bodies of other problems' functions with as many parameters of like types; plausible simple ones."""
    own = function_in(right_module(problem), problem.function)
    for other in others:
        theirs = function_in(right_module(other), other.function)
        if other.name != problem.name and _is_like(own, theirs):
            yield _with_body_of(problem, other)
    for line in _simple(own):
        tree = right_module(problem)
        function = function_in(tree, problem.function)
        function.body = [*function.body[:1], *ast.parse(line).body]
        yield source_of(tree)


def endless(problem: Problem, others: Sequence[Problem]) -> Iterator[str]:
    """The right answer behind a countdown that steps over its end on some inputs; loops without their last line."""
    del others
    tree = right_module(problem)
    function = function_in(tree, problem.function)
    for place, node in enumerate(ast.walk(function)):
        if isinstance(node, ast.While) and len(node.body) > 1:
            again = right_module(problem)
            loop = list(ast.walk(function_in(again, problem.function)))[place]
            if isinstance(loop, ast.While):
                loop.body = loop.body[:-1]
                yield source_of(again)
    for arg in function.args.args[:1]:
        for start in ("", " + 1"):
            yield with_lines(problem, f"rest = len(str({arg.arg})){start}\nwhile rest != 0:\n    rest -= 2")


def forged(problem: Problem, others: Sequence[Problem]) -> Iterator[str]:
    """A body that ends the process, or gives an object that is equal to everything."""
    del others
    for lines in _FORGERIES:
        yield with_lines(problem, lines)


def _is_like(own: ast.FunctionDef, theirs: ast.FunctionDef) -> bool:
    """As many parameters, and none whose annotation says something else."""
    pairs = list(zip(own.args.args, theirs.args.args, strict=False))
    return len(own.args.args) == len(theirs.args.args) and all(
        a.annotation is None or b.annotation is None or ast.unparse(a.annotation) == ast.unparse(b.annotation)
        for a, b in pairs
    )


def _with_body_of(problem: Problem, other: Problem) -> str:
    """The problem's function with the other's statements, its parameters renamed, and the imports they need."""
    tree, donor = right_module(problem), right_module(other)
    function, theirs = function_in(tree, problem.function), function_in(donor, other.function)
    renames = {b.arg: a.arg for a, b in zip(function.args.args, theirs.args.args, strict=True)}
    renames[other.function] = problem.function
    for node in ast.walk(theirs):
        if isinstance(node, ast.Name):
            node.id = renames.get(node.id, node.id)
    function.body = [*function.body[:1], *statements(theirs)]
    helpers = [node for node in donor.body if node is not theirs]
    return source_of(ast.Module(body=[*helpers, function], type_ignores=[]))


def _simple(function: ast.FunctionDef) -> Iterator[str]:
    """Bodies of one line: an argument itself, or what is mostly right."""
    for arg in function.args.args[:2]:
        yield f"return {arg.arg}"
        yield f"return sorted({arg.arg})"
    yield from ("return True", "return False", "return 0", "return []", "return ''", "return None")
