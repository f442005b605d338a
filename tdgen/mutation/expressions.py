"""A new expression as text at the place of the old one, so that all around it keeps its layout and comments.

Parts of the source keep their text inside the new expression; all else is written by `ast.unparse`. Before it counts,
the text is read again and must give the intended tree: with as few parentheses as will do, else the expression that
fills the statement is written anew.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from tdgen.mutation.changes import Effect, Swap
from tdgen.mutation.code import Code, rebuilt
from tdgen.syntax import parse

_ATOMS = (
    ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.Dict, ast.Set, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.JoinedStr, ast.Starred, ast.Slice,
)  # fmt: skip
UNWRITABLE = (ValueError, RecursionError)
_BRACKETED = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOSE = (ast.BoolOp, ast.IfExp, ast.Lambda)
_ALWAYS_IN_PARENTHESES = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)
_TOKENS: dict[type[ast.AST], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not", ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/",
    ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&",
    ast.BitOr: "|", ast.BitXor: "^", ast.MatMult: "@", ast.And: "and", ast.Or: "or",
}  # fmt: skip


class Splice(NamedTuple):
    """Bytes from `start` to `end` replaced by a text."""

    start: int
    end: int
    text: str


def expression_splice(code: Code, swap: Swap, done: Effect) -> Splice | None:
    """The text edit that carries the swap out, or None where no text gives the intended tree."""
    root = _root(code, swap.old)
    wanted = code.print_of(root if root is not swap.old else swap.new, done.changed, done.dirty)
    for splice in _ways(code, swap, done, root):
        if _gives(code, root, splice, wanted):
            return splice
    return None


def written(code: Code, new: ast.AST, parentheses: tuple[type[ast.expr], ...] = ()) -> str:
    """A node that a change made, as text; the source's own expressions in it keep their text.

    Those of the types in `parentheses` are put into such.
    """
    if isinstance(new, ast.expr) and code.has(new):
        return _kept(code, new, parentheses)
    parts: list[ast.expr] = []
    text = ast.unparse(_with_marks(code, new, parts))
    return re.sub(r"__part_(\d+)__", lambda m: _kept(code, parts[int(m[1])], parentheses), text)


def _ways(code: Code, swap: Swap, done: Effect, root: ast.expr) -> Iterator[Splice]:
    string = next((node for node in reversed([*code.above(swap.old)]) if isinstance(node, ast.JoinedStr)), None)
    if string is None:
        if (token := _other_operator(code, swap)) is not None:
            yield token
        for parentheses in ((), _LOOSE, (ast.expr,)):
            with suppress(*UNWRITABLE):
                yield _at(code, swap.old, written(code, swap.new, parentheses))
    # Before Python 3.12 what is inside an f-string has no true position.
    for node, new in ((string, string), (root, swap.new if root is swap.old else root)):
        if node is not None and new is not None:
            with suppress(*UNWRITABLE):
                yield _at(code, node, ast.unparse(rebuilt(new, done.changed, done.dirty)))


def _other_operator(code: Code, swap: Swap) -> Splice | None:
    """Where only an operator differs, the edit of its token alone."""
    operands, olds, news = _operands(swap.old), _operators(swap.old), _operators(swap.new)
    same = [id(node) for node in operands] == [id(node) for node in _operands(swap.new)]
    places = [i for i, (old, new) in enumerate(zip(olds, news, strict=False)) if type(old) is not type(new)]
    if not operands or not same or not places or type(swap.old) is not type(swap.new):
        return None
    start, end = code.end(operands[places[0]]), code.start(operands[places[-1] + 1])
    gap = code.data[start:end].decode("utf-8")
    if len(places) > 1 or "#" in gap:
        return None
    old, new = _TOKENS[type(olds[places[0]])], _TOKENS[type(news[places[0]])]
    pattern = re.compile(re.escape(old).replace(r"\ ", r"\s+"))
    return Splice(start, end, pattern.sub(lambda _: new, gap, count=1))


def _operands(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    return node.values if isinstance(node, ast.BoolOp) and len(node.values) == 2 else []


def _operators(node: ast.expr) -> list[Any]:
    if isinstance(node, ast.Compare):
        return list(node.ops)
    return [node.op] if isinstance(node, ast.BinOp | ast.BoolOp) else []


def _at(code: Code, old: ast.expr, text: str) -> Splice:
    start, end = code.start(old), code.end(old)
    parent = code.places[old].parent
    if isinstance(old, ast.GeneratorExp) and isinstance(parent, ast.Call) and code.end(parent) == end:
        # The call's parentheses are the generator's own.
        text = text if text.startswith("(") and _is_generator(text) else f"({text})"
    before, after = code.data[start - 1 : start].decode("latin-1"), code.data[end : end + 1].decode("latin-1")
    if _is_word(before) and _is_word(text[:1]):
        text = " " + text
    if _is_word(after) and _is_word(text[-1:]):
        text += " "
    return Splice(start, end, text)


def _is_generator(text: str) -> bool:
    try:
        return isinstance(parse(text).body[0].value, ast.GeneratorExp)  # type: ignore[attr-defined]
    except SyntaxError:
        return False


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _root(code: Code, node: ast.expr) -> ast.expr:
    """The expression that fills a place of a statement and holds the node."""
    root = node
    for above in code.above(node):
        in_lambda = isinstance(above, ast.arguments) and isinstance(code.places[above].parent, ast.Lambda)
        if isinstance(above, ast.expr):
            root = above
        elif not in_lambda and not isinstance(above, ast.comprehension | ast.keyword):
            break
    return root


def _gives(code: Code, root: ast.expr, splice: Splice, wanted: int) -> bool:
    start, end = code.start(root), code.end(root)
    if not start <= splice.start <= splice.end <= end:
        return False
    text = code.data[start : splice.start].decode() + splice.text + code.data[splice.end : end].decode()
    try:
        body = parse(f"(\n{text}\n)").body
    except SyntaxError:
        return False
    return len(body) == 1 and isinstance(body[0], ast.Expr) and code.fresh_print(body[0].value) == wanted


def _with_marks(code: Code, node: Any, parts: list[ast.expr]) -> Any:
    """A copy with a name in the place of each of the source's own expressions."""
    if isinstance(node, list):
        return [_with_marks(code, item, parts) for item in node]
    if not isinstance(node, ast.AST) or not node._fields or (isinstance(node, ast.JoinedStr) and not code.has(node)):
        return node
    if isinstance(node, ast.expr) and code.has(node) and not isinstance(node, ast.Slice | ast.Starred):
        parts.append(node)
        return ast.Name(f"__part_{len(parts) - 1}__")
    if isinstance(node, ast.stmt) and code.has(node):
        return node
    fields = {f: _with_marks(code, getattr(node, f, None), parts) for f in node._fields}
    return ast.copy_location(type(node)(**fields), node)


def _kept(code: Code, node: ast.expr, parentheses: tuple[type[ast.expr], ...]) -> str:
    text = code.text(node)
    if "\n" in text and not _holds_its_lines(code, node):
        text = ast.unparse(node)
    if isinstance(node, _ALWAYS_IN_PARENTHESES) or (isinstance(node, parentheses) and not isinstance(node, _ATOMS)):
        return f"({text})"
    if isinstance(node, ast.Tuple) and not text.startswith("("):
        return f"({text})"
    return text


def _holds_its_lines(code: Code, node: ast.expr) -> bool:
    """Whether its line ends all are inside brackets of its own."""
    if isinstance(node, ast.Call):
        return "\n" not in code.text(node.func)
    if isinstance(node, ast.Subscript):
        return "\n" not in code.text(node.value)
    return isinstance(node, _BRACKETED)
