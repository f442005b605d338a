"""HTML as values: whatever is no `Markup` is text, and stays text.

Instructions, names, values and exceptions come from users, models and generated code. They reach a page by `tag` and
`text` alone, which escape them; characters that a page would not show, or that reorder what it shows, are spelt out.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable
from typing import Final

_REORDERING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")
_KEPT: Final = frozenset("\n\t")
_VOID: Final = frozenset({"meta", "link", "br", "hr", "wbr", "path", "rect", "line", "input"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(value: object) -> Markup:
    """A value's text as HTML that shows it; markup is given back as it is."""
    if isinstance(value, Markup):
        return value
    return Markup(html.escape(visible(str(value)), quote=True))


def visible(value: str) -> str:
    """A text with everything spelt out that is not seen, or that reorders what is."""
    if value.isprintable():
        return value
    return "".join(c if c in _KEPT or not _hides(c) else c.encode("unicode_escape").decode() for c in value)


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """An element; `class_` and `data_x` are the attributes `class` and `data-x`, None and False leave one out."""
    told = "".join(_attribute(key, value) for key, value in attributes.items() if value not in (None, False))
    if name in _VOID:
        return Markup(f"<{name}{told}>" if name in ("meta", "link", "br", "hr", "wbr", "input") else f"<{name}{told}/>")
    return Markup(f"<{name}{told}>{join(children)}</{name}>")


def join(parts: Iterable[object], between: str = "") -> Markup:
    """Parts as one piece of HTML; None is nothing."""
    return Markup(text(between).join(text(part) for part in parts if part is not None))


def breakable(name: str) -> Markup:
    """A long name that may go on in the next line behind each of its underscores."""
    return join(name.replace("_", "_\0").split("\0"), tag("wbr"))


def _attribute(key: str, value: object) -> str:
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(value)}"'


def _hides(character: str) -> bool:
    return character in _REORDERING or unicodedata.category(character) in ("Cc", "Cs")
