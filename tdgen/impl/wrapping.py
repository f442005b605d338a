"""Text that should have been code, made into code: fences, prose, prompts, indentation, a bracket that was not closed.

Each mend takes text that does not parse, and gives text that may, with the words that say what was done; or nothing.
They only take away what is not code, move lines as a whole, or close what is open at the very end.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable
from textwrap import dedent

from tdgen.impl.edits import dedented, indented_tree
from tdgen.replies.lines import lines_of, whole_lines
from tdgen.syntax import parse, parses

Mended = tuple[str, str]
"""The text as it is now, and what was done to it."""

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*\w*[ \t]*$")
_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.)(?: |$)")
_START = re.compile(r"^(?:import |from [\w.]+ import |def |async def |class |@|[A-Z_][A-Z0-9_]* *[:=])")
_DEFINITION = re.compile(r"^(?:def |async def |class )", re.MULTILINE)
_MOST_TRIES = 60
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def unwrapped(text: str) -> Mended | None:
    """`text` as code that parses and defines something, with what was done to it; None where no mend leads there."""
    done: list[str] = []
    for mend in _MENDS:
        found = mend(text)
        if found is None:
            continue
        text = found[0]
        done.append(found[1])
        if _defines(text):
            return text, "; ".join(done)
    return None


def _defines(text: str) -> bool:
    return bool(_DEFINITION.search(text)) and parses(text)


def _without_prompts(text: str) -> Mended | None:
    """What was typed at `>>>` and `...` to import or define something; calls, and what they printed, go."""
    kept: list[str] = []
    is_wanted = False
    for line in lines_of(text):
        found = _PROMPT.match(line)
        if found and ">" in found.group():
            is_wanted = bool(_START.match(line[found.end() :]))
        if found and is_wanted:
            kept.append(line[found.end() :])
    if not any(_DEFINITION.match(line) for line in kept):
        return None
    return "\n".join(kept) + "\n", "the prompts of an interactive session were taken away"


def _without_fences(text: str) -> Mended | None:
    lines = lines_of(text)
    kept = [line for line in lines if not _FENCE.match(line)]
    return ("\n".join(kept) + "\n", "fences were taken away") if len(kept) < len(lines) else None


def _without_prose(text: str) -> Mended | None:
    """The code between two stretches of prose: what is cut off stands at the margin and defines nothing."""
    lines = lines_of(text)
    starts = [place for place, line in enumerate(lines) if _START.match(line)]
    margins = [place for place, line in enumerate(lines) if line[:1].strip() and not _START.match(line)]
    ends = [len(lines), *reversed(margins)][:_MOST_TRIES]
    for start in starts[:10]:
        if _DEFINITION.search("\n".join(lines[:start])):
            return None
        for end in ends:
            code, rest = "\n".join(lines[start:end]) + "\n", "\n".join(lines[end:])
            if end > start and not _DEFINITION.search(rest) and _defines(code):
                return code, "the prose around the code was taken away"
    return None


def _without_tabs(text: str) -> Mended | None:
    """Tabs at the beginning of lines as four or as eight spaces, where only one of the two is Python."""
    lines = whole_lines(text)
    if not any("\t" in line[: len(line) - len(line.lstrip())] for line in lines):
        return None
    ways = ["".join(_spaced(line, width) for line in lines) for width in (4, 8)]
    meant = {ast.dump(parse(dedent(way))): way for way in ways if parses(dedent(way))}
    return (meant.popitem()[1], "tabs in the indentation were replaced") if len(meant) == 1 else None


def _spaced(line: str, width: int) -> str:
    rest = line.lstrip(" \t")
    return line[: len(line) - len(rest)].expandtabs(width) + rest


def _without_indentation(text: str) -> Mended | None:
    """All lines moved to the left; also where the first one alone stands at the margin already."""
    lines = [line for line in lines_of(text) if line.strip()]
    if not lines:
        return None
    widths = sorted({len(line) - len(line.lstrip()) for line in lines[1:]} - {0})
    for lead in (0, *widths):
        shifted = " " * lead + text.lstrip("\n") if lead else text
        width = min(len(line) - len(line.lstrip()) for line in lines_of(shifted) if line.strip())
        tree = indented_tree(shifted) if width else None
        if tree is not None and parses(moved := dedented(shifted, width, tree, offset=1)):
            return moved, "all of it was indented: it was moved to the margin"
    return None


def _closed(text: str) -> Mended | None:
    """What is open at the very end closed: brackets, and a string on one line; where one way alone parses."""
    stripped = text.rstrip()
    open_ones, is_cut = _open_brackets(stripped)
    tries = ["".join(_CLOSING[bracket] for bracket in reversed(open_ones))]
    if is_cut:
        tries = [quote + tries[0] for quote in "'\""]
    whole = [closing for closing in tries if closing and parses(f"{stripped}{closing}\n")]
    if len(whole) != 1:
        return None
    return f"{stripped}{whole[0]}\n", f"`{whole[0]}` was missing at the end"


def _open_brackets(text: str) -> tuple[list[str], bool]:
    """The brackets that are open at the end, and whether the last line ends inside a string."""
    found: list[str] = []
    is_cut = False
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.OP and token.string in _CLOSING:
                found.append(token.string)
            elif token.type == tokenize.OP and token.string in _CLOSING.values() and found:
                found.pop()
            is_cut = is_cut or (token.type == tokenize.ERRORTOKEN and token.string in "'\"")
    except (tokenize.TokenError, SyntaxError) as error:
        is_cut = is_cut or "unterminated string" in str(error)
    return found, is_cut


_MENDS: tuple[Callable[[str], Mended | None], ...] = (
    _without_prompts,
    _without_fences,
    _without_tabs,
    _without_indentation,
    _without_prose,
    _closed,
)
