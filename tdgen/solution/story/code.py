"""Sources as HTML: Python in a few colours, and what changed from one source to the next."""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Iterator
from typing import Final

from tdgen.solution.story.markup import Markup, breakable, join, tag
from tdgen.solution.story.words import LONGEST

_WORDS: Final = "|".join(keyword.kwlist)
_TOKEN: Final = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r"|(?P<string>[rbfuRBFU]{0,2}(?:\"\"\"(?:[^\\]|\\.)*?(?:\"\"\"|\Z)|'''(?:[^\\]|\\.)*?(?:'''|\Z)"
    r"|\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?))"
    rf"|(?P<keyword>\b(?:{_WORDS})\b)"
    r"|(?P<name>(?<=def )\w+|(?<=class )\w+)"
    r"|(?P<number>\b\d[\w.]*)",
    re.DOTALL,
)
_CONTEXT: Final = 3


def python(source: str) -> Markup:
    """Python source in colours, as the content of a `pre`."""
    parts: list[object] = []
    end = 0
    for found in _TOKEN.finditer(source):
        parts += [source[end : found.start()], tag("span", found[0], class_=f"py-{found.lastgroup}")]
        end = found.end()
    return join([*parts, source[end:]])


def block(source: str, label: str, title: str = "") -> Markup:
    """Python source as a block that can be scrolled by keyboard, under its title."""
    inner = tag("code", python(source.rstrip()))
    pre = tag("pre", inner, class_="code", tabindex="0", role="region", aria_label=label)
    return tag("figure", tag("figcaption", breakable(title)), pre, class_="source") if title else pre


def folded(source: str) -> Markup:
    """A value's source in a line of text; of a long one the beginning, which opens to all of it."""
    if len(source) <= LONGEST:
        return tag("code", source)
    shown = tag("summary", tag("code", f"{source[: LONGEST // 2]}…"), tag("small", f"{len(source):,} characters"))
    return tag("details", shown, tag("code", source), class_="folded")


def changes(before: str, after: str, label: str) -> Markup:
    """What was taken out of a source and what was put in, with a little of what stayed."""
    lines = list(_lines(before.splitlines(), after.splitlines()))
    if not lines:
        return tag("p", "The same source as before.", class_="faint")
    return tag("pre", *lines, class_="code diff", tabindex="0", role="region", aria_label=label)


def _lines(before: list[str], after: list[str]) -> Iterator[Markup]:
    for number, line in enumerate(difflib.unified_diff(before, after, lineterm="", n=_CONTEXT)):
        if number < 2:  # the names of files, of which there are none
            continue
        match line[:1]:
            case "+":
                yield tag("ins", tag("span", "+ ", class_="sign"), line[1:], "\n")
            case "-":
                yield tag("del", tag("span", "- ", class_="sign"), line[1:], "\n")
            case "@":
                yield tag("span", f"{line}\n", class_="hunk")
            case _:
                yield tag("span", "  ", line[1:], "\n")
