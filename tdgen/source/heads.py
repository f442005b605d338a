"""The head of a function or class in a module, and its docstring: shown, said anew, written as the module does."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import dedent, wrap
from typing import Final, Literal, NamedTuple

from tdgen.source.replacing import Piece, colon, emptied, last_line
from tdgen.source.syntax import (
    Definition,
    Edit,
    Function,
    definition,
    docstring_of,
    edited,
    first_line,
    line_ending,
    over,
)
from tdgen.text import joined

_BOM = "\ufeff"
_LEFT_OPEN = "raise NotImplementedError"


def unit_in(tree: ast.Module, unit: str) -> Definition:
    """The function, class, or method (`Class.method`), of that name; ValueError where a module has none."""
    outer, _, method = unit.partition(".")
    node = definition(tree, outer)
    node = definition(node, method) if method and node else node
    if node is None:
        raise ValueError(f"the module does not define {unit}")
    return node


def function_in(tree: ast.Module, unit: str) -> Function:
    """The function, or method (`Class.method`), of that name; ValueError where a module has none."""
    node = unit_in(tree, unit)
    if not isinstance(node, Function):
        raise ValueError(f"the module does not define {unit}")
    return node


def code_of(text: str, unit: str) -> str:
    """A definition's lines as they stand in a module, decorators too."""
    piece = Piece(text.removeprefix(_BOM))
    node = unit_in(piece.tree, unit)
    return "\n".join(piece.lines[first_line(node) - 1 : last_line(node)])


def head_of(text: str, unit: str) -> str:
    """A function's decorators, signature and docstring as they stand in a module; a class with those of its methods.

    Methods whose names begin with an underscore, special ones aside, are nobody's to see.
    """
    plain = text.removeprefix(_BOM)
    node = unit_in(Piece(plain).tree, unit)
    if isinstance(node, Function):
        return dedent(code_of(with_head(plain, unit), unit)).removesuffix(_LEFT_OPEN).rstrip()
    methods = [one for one in node.body if isinstance(one, Function)]
    hollow = Piece(emptied(plain, methods))
    node = unit_in(hollow.tree, unit)
    named = [(one, one.name) for one in node.body if isinstance(one, Function)]
    private = [one for one, name in named if name.startswith("_") and not name.endswith("__")]
    rows = range(first_line(node), last_line(node) + 1)
    left = [row for row in rows if not any(first_line(one) <= row <= last_line(one) for one in private)]
    lines = (hollow.lines[row - 1] for row in left)
    return "\n".join(line.replace(_LEFT_OPEN, "...") for line in lines)


def with_docstring(text: str, unit: str, docstring: str) -> str:
    """`text` with what a class's docstring says replaced; as it is where the class has none."""
    mark = _BOM if text.startswith(_BOM) else ""
    piece = Piece(text.removeprefix(mark))
    there = docstring_of(unit_in(piece.tree, unit))
    if there is None:
        return text
    edit = over(there, _restated(piece, there, docstring).replace("\n", line_ending(text)))
    return mark + edited(text.removeprefix(mark), [edit])


def with_head(text: str, unit: str, header: Sequence[str] = (), docstring: str = "") -> str:
    """`text` with a function's body taken out, its header and what its docstring says replaced where they are given.

    A header's lines have their indentation. Decorators, and the quotes of a docstring, stay.
    """
    mark = _BOM if text.startswith(_BOM) else ""
    whole = Piece(text.removeprefix(mark))
    source = emptied(text.removeprefix(mark), [function_in(whole.tree, unit)])
    piece = Piece(source)
    node = function_in(piece.tree, unit)
    edits = []
    if header:
        edits.append(Edit(node.lineno, 0, *colon(piece, node), "\n".join(header)))
    if docstring and (there := docstring_of(node)):
        edits.append(over(there, _restated(piece, there, docstring)))
    eol = line_ending(text)
    placed = (edit._replace(text=edit.text.replace("\n", eol)) for edit in edits)
    return mark + edited(source, placed)


def _restated(piece: Piece, there: ast.Expr, text: str) -> str:
    """Another text in a docstring's quotes, its lines indented as it is, with the quotes where they stand behind it."""
    written = ast.get_source_segment("\n".join(piece.lines), there) or ""
    opening = written[: len(written) - len(written.lstrip("rRuU"))]
    rest = written[len(opening) :]
    quotes = rest[:3] if rest[:3] in ('"""', "'''") else '"""'
    is_beside = "\n" not in rest or bool(rest[3:].partition("\n")[0].strip())
    if "r" not in opening.lower() or quotes in text:
        opening = ""
        text = text.replace("\\", "\\\\").replace(quotes, f"\\{quotes}")
    if "\n" not in text and "\n" not in rest and not text.endswith(quotes[0]):
        return f"{opening}{quotes}{text}{quotes}"
    lines = text.split("\n")
    first = [f"{opening}{quotes}{lines[0]}", *lines[1:]] if is_beside else [f"{opening}{quotes}", *lines]
    indent, held = piece.indent(there.lineno), rest[:-3]
    below = held[len(held.rstrip()) :].count("\n") if "\n" in held else 1
    if not below and not text.endswith(quotes[0]):
        first[-1] += quotes
    else:
        first += [""] * (below - 1) + [quotes]
    return f"\n{indent}".join(first).replace(f"\n{indent}\n", "\n\n")


_MARKS: Final = {
    "sphinx": re.compile(r"^[ \t]*:(?:param|raises?|returns?|type|rtype)\b[^:\n]*:", re.MULTILINE),
    "numpy": re.compile(r"^[ \t]*(?:Parameters|Returns|Raises|Yields)[ \t]*\n[ \t]*-{3,}[ \t]*$", re.MULTILINE),
    "google": re.compile(r"^[ \t]*(?:Args|Arguments|Returns|Raises|Yields):[ \t]*$", re.MULTILINE),
}
_NARROWEST, _WIDEST, _USUAL = 72, 120, 88
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`'\"(])")


class DocStyle(NamedTuple):
    """How docstrings are written: `is_beside` says that the text begins beside the quotes, `width` is a line's."""

    quotes: str = '"""'
    is_beside: bool = True
    sections: Literal["", "sphinx", "numpy", "google"] = ""
    width: int = _USUAL


def style_of(piece: Piece) -> DocStyle:
    """How most of a module's docstrings are written."""
    nodes = [node for node in ast.walk(piece.tree) if isinstance(node, Definition)]
    whole = "\n".join(piece.lines)
    texts = list(filter(None, (ast.get_source_segment(whole, doc) for doc in map(docstring_of, nodes) if doc)))
    quotes = Counter(quote for text in texts for quote in ('"""', "'''") if text.lstrip("rRuU").startswith(quote))
    opened = Counter(bool(text.lstrip("rRuU")[3:].partition("\n")[0].strip()) for text in texts if "\n" in text)
    marks = Counter(name for text in texts for name, mark in _MARKS.items() if mark.search(text))
    longest = max(map(len, piece.lines), default=_USUAL)
    return DocStyle(
        quotes.most_common(1)[0][0] if quotes else '"""',
        opened[True] >= opened[False],
        marks.most_common(1)[0][0] if marks else "",  # type: ignore[arg-type]
        min(max(longest, _NARROWEST), _WIDEST) if longest > _NARROWEST else _USUAL,
    )


def docstring_lines(text: str, raises: Sequence[tuple[str, str]], style: DocStyle, depth: int) -> list[str]:
    """A docstring of some sentences, and of exceptions with when they are raised, as lines without indentation.

    The first sentence stands alone where there is more. `depth` is how many columns the indentation will take.
    """
    width = max(style.width - depth, 40)
    first, *rest = _SENTENCE.split(joined(text), maxsplit=1)
    lines = wrap(_safe(first, style), width - 3 * style.is_beside, break_long_words=False, break_on_hyphens=False)
    lines += ["", *wrap(_safe(rest[0], style), width, break_long_words=False, break_on_hyphens=False)] if rest else []
    if raises:
        lines += ["", *(line for part in _raised(raises, style) for line in part)]
    if len(lines) == 1 and len(lines[0]) + 6 <= width and not lines[0].endswith(style.quotes[0]):
        return [f"{style.quotes}{lines[0]}{style.quotes}"]
    beside = [f"{style.quotes}{lines[0]}", *lines[1:]] if style.is_beside else [style.quotes, *lines]
    return [*beside, style.quotes]


def _safe(text: str, style: DocStyle) -> str:
    return text.replace("\\", "\\\\").replace(style.quotes, " ".join(style.quotes))


def _raised(raises: Sequence[tuple[str, str]], style: DocStyle) -> Iterator[list[str]]:
    """The exceptions as a section of the style has them."""
    exceptions = [(name, _safe(joined(when), style)) for name, when in raises]
    if style.sections == "google":
        yield ["Raises:", *(f"    {name}: {when}" for name, when in exceptions)]
    elif style.sections == "numpy":
        yield ["Raises", "------", *(line for name, when in exceptions for line in (name, f"    {when}"))]
    elif style.sections == "sphinx":
        yield [f":raises {name}: {when}" for name, when in exceptions]
    else:
        yield [f"Raises {name}: {when}" for name, when in exceptions]
