"""What single edits do to a node of tree-sitter's: the same table for all languages that write expressions as C does.

Each is a fault that people make: a bound that is off by one, a wrong comparison or operator, half of a condition, a
guard or a step that is missing, the wrong one of two functions that are named alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node


class Edit(NamedTuple):
    """What stands in the place of the bytes from `start` to `end`, by which operator."""

    operator: str
    start: int
    end: int
    text: str


_INSTEAD: Final = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "===": ("!==",),
    "!==": ("===",),
    "+": ("-",),
    "-": ("+",),
    "*": ("/",),
    "/": ("*",),
    "%": ("/",),
    "**": ("*",),
    "&&": ("||",),
    "||": ("&&",),
    "??": ("||",),
    "&": ("|",),
    "|": ("&",),
    "^": ("|",),
    "+=": ("-=", "="),
    "-=": ("+=",),
    "*=": ("+=",),
    "/=": ("*=",),
    "++": ("--",),
    "--": ("++",),
}
_PAIRS: Final = (
    *(("min", "max"), ("fmin", "fmax"), ("floor", "ceil"), ("every", "some"), ("startsWith", "endsWith")),
    *(("indexOf", "lastIndexOf"), ("toUpperCase", "toLowerCase"), ("toupper", "tolower"), ("isalpha", "isalnum")),
    *(("islower", "isupper"), ("lower_bound", "upper_bound"), ("front", "back"), ("find", "rfind"), ("shift", "pop")),
    *(("strchr", "strrchr"), ("push", "unshift"), ("starts_with", "ends_with"), ("any_of", "all_of")),
)
_ALIKE: Final = dict(_PAIRS) | {second: first for first, second in _PAIRS} | {"round": "floor", "trunc": "floor"}
_IDLE: Final = frozenset(
    {"trim", "trimStart", "trimEnd", "toLowerCase", "toUpperCase", "sort", "toSorted", "reverse", "toReversed"}
    | {"abs", "labs", "llabs", "fabs"}
)
"""Calls in the place of which what they are called on or with may stand: somebody forgot them."""
_WHOLE: Final = re.compile(r"(\d+)([uUlLnN]*)")
_BINARY: Final = frozenset({"binary_expression", "augmented_assignment_expression", "assignment_expression"})
_NUMBERS: Final = frozenset({"number", "number_literal"})


def edits(node: Node) -> Iterator[Edit]:
    """The single edits of a node."""
    sign = node.child_by_field_name("operator")
    if sign and (node.type in _BINARY or node.type == "update_expression"):
        yield from (_replaced("operator", sign, other) for other in _INSTEAD.get(_text(sign), ()))
    yield from _operand(node)
    if node.type in _NUMBERS and (whole := _WHOLE.fullmatch(_text(node))):
        number = int(whole[1])
        yield from (_replaced("constant", node, f"{n}{whole[2]}") for n in (number + 1, number - 1) if n >= 0)
    if node.type in ("true", "false"):
        yield _replaced("constant", node, "false" if node.type == "true" else "true")
    yield from _guard(node)
    if node.type in ("expression_statement", "continue_statement"):
        yield _replaced("statement", node, ";")
    yield from _call(node)


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _replaced(operator: str, node: Node, text: str) -> Edit:
    return Edit(operator, node.start_byte, node.end_byte, text)


def _operand(node: Node) -> Iterator[Edit]:
    """One side of an `and` or `or`, and what is negated as it is."""
    sign, left, right = (node.child_by_field_name(name) for name in ("operator", "left", "right"))
    if node.type == "binary_expression" and sign and left and right and _text(sign) in ("&&", "||"):
        yield from (_replaced("condition", node, _text(side)) for side in (left, right))
    inner = node.child_by_field_name("argument")
    if node.type == "unary_expression" and sign and inner and _text(sign) in ("!", "-"):
        yield _replaced("condition" if _text(sign) == "!" else "operator", node, f" {_text(inner)}")


def _guard(node: Node) -> Iterator[Edit]:
    """A condition under which nothing is done, or always, or the other thing."""
    condition = node.child_by_field_name("condition")
    if condition is None or node.type not in ("if_statement", "ternary_expression", "conditional_expression"):
        return
    inner = condition.child_by_field_name("value") or (condition.named_children or [condition])[0]
    tested = inner if condition.type in ("parenthesized_expression", "condition_clause") else condition
    if tested.type.endswith("declaration"):
        return
    yield from (_replaced("condition", tested, value) for value in ("false", "true"))
    if tested.type != "binary_expression":
        yield _replaced("condition", tested, f"!({_text(tested)})")


def _call(node: Node) -> Iterator[Edit]:
    """The other one of two functions, and what one is called on or with in place of the call."""
    called, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type != "call_expression" or called is None or given is None:
        return
    owner = called.child_by_field_name("object") or called.child_by_field_name("argument")
    name = called
    for part in ("property", "field", "name"):
        name = called.child_by_field_name(part) or name
    if other := _ALIKE.get(_text(name)):
        yield _replaced("call", name, other)
    if _text(name) in _IDLE:
        values = given.named_children
        kept = values[0] if len(values) == 1 and (owner is None or _text(owner) == "Math") else owner
        if kept is not None:
            yield _replaced("call", node, f"({_text(kept)})")
