"""Docstrings as a module writes them: which quotes, where the text begins, and how exceptions are told."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final, Literal, NamedTuple

from tdgen.source.replacing import Piece, docstring_of
from tdgen.source.syntax import Definition

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
    nodes = [node for node in ast.walk(piece.tree) if isinstance(node, Definition) and docstring_of(node)]
    texts = [piece_text for node in nodes if (piece_text := _written(piece, node))]
    quotes = Counter(quote for text in texts for quote in ('"""', "'''") if text.lstrip("rRuU").startswith(quote))
    opened = Counter(bool(text.lstrip("rRuU")[3:].partition("\n")[0].strip()) for text in texts if "\n" in text)
    found = Counter(name for text in texts for name, mark in _MARKS.items() if mark.search(text))
    longest = max(map(len, piece.lines), default=_USUAL)
    return DocStyle(
        quotes.most_common(1)[0][0] if quotes else '"""',
        opened[True] >= opened[False],
        found.most_common(1)[0][0] if found else "",  # type: ignore[arg-type]
        min(max(longest, _NARROWEST), _WIDEST) if longest > _NARROWEST else _USUAL,
    )


def _written(piece: Piece, node: Definition) -> str:
    """A docstring as it stands in the file, with its quotes."""
    there = docstring_of(node)
    return ast.get_source_segment("\n".join(piece.lines), there) or "" if there else ""


def docstring_lines(text: str, raises: Sequence[tuple[str, str]], style: DocStyle, depth: int) -> list[str]:
    """A docstring of some sentences, and of exceptions with when they are raised, as lines without indentation.

    The first sentence stands alone where there is more. `depth` is how many columns the indentation will take.
    """
    width = max(style.width - depth, 40)
    first, *rest = _SENTENCE.split(" ".join(text.split()), maxsplit=1)
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
    told = [(name, _safe(" ".join(when.split()), style)) for name, when in raises]
    if style.sections == "google":
        yield ["Raises:", *(f"    {name}: {when}" for name, when in told)]
    elif style.sections == "numpy":
        yield ["Raises", "------", *(line for name, when in told for line in (name, f"    {when}"))]
    elif style.sections == "sphinx":
        yield [f":raises {name}: {when}" for name, when in told]
    else:
        yield [f"Raises {name}: {when}" for name, when in told]
