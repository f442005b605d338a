"""The module as it would be with every function's first attempt: what initial error density is measured on."""

from __future__ import annotations

from tdgen.errors import ReplyError
from tdgen.impl import assemble, trusted_piece
from tdgen.solution import Solution
from tdgen.specs.declarations import declare_types
from tdgen.types import FunctionResult


def first_module(solution: Solution) -> str:
    """The module of first attempts; the module itself where they are the best, nothing where one is no code."""
    if all(_first(result) == (result.best.source if result.best else "") for result in solution.results):
        return solution.module_source
    try:
        pieces = [trusted_piece(_first(result)) for result in solution.results if _first(result).strip()]
    except (ReplyError, SyntaxError, ValueError):
        return ""
    return assemble(declare_types(solution.plan), pieces)


def _first(result: FunctionResult) -> str:
    if result.history:
        return result.history[0].source
    return result.best.source if result.best else ""
