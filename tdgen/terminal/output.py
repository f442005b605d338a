"""Text on its way out: results to stdout, all else to stderr, and nothing on a terminal that could command it.

What was spent, in words: calls, tokens, and money where a price is known. What has no price is never $0.00.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, Literal, NamedTuple, TextIO

from tdgen.errors import InputError
from tdgen.text import safe
from tdgen.types import Spent, Usage

Style = Literal["plain", "good", "bad", "faint", "strong"]

_CODES: Final[dict[Style, str]] = {"plain": "", "good": "32", "bad": "31", "faint": "2", "strong": "1"}


class Line(NamedTuple):
    """A line for people, and how it is painted where colours are seen."""

    text: str
    style: Style = "plain"


def say(text: str, style: Style = "plain") -> None:
    """A line for people, on stderr. Where nobody listens any more it is lost, and no harm done."""
    stream = sys.stderr
    if stream is None:
        return
    with suppress(OSError, ValueError):
        print(_shown(safe(text), style, stream), file=stream, flush=True)


def ask_line(prompt: str) -> str:
    """The line that a user answers at the terminal; empty where the input ends."""
    print(prompt, end="", file=sys.stderr, flush=True)  # noqa: T201 - stdout is the result's
    return sys.stdin.readline().strip()


def give(text: str) -> None:
    """A result, on stdout. On a terminal control characters are escaped; a file gets the text as it is.

    InputError where stdout can't take it, BrokenPipeError where nobody reads on.
    """
    _write(safe(text, keep="\n\t") if sys.stdout and sys.stdout.isatty() else text)


def give_lines(lines: list[Line]) -> None:
    """Lines as a result, on stdout."""
    _write("\n".join(_shown(safe(text, keep="\t"), style, sys.stdout) for text, style in lines))


def give_json(document: Any) -> None:
    """One JSON document as the result; in ASCII, which every terminal, pipe and reader takes."""
    give(json.dumps(document, indent=1, ensure_ascii=True))


def one_line(text: str, most: int = 2_000) -> str:
    """`text` as one line of bounded length that is safe to print; blanks within a line stay: `'a  b'` is no `'a b'`."""
    lines = (line.strip() for line in text.replace("\t", " ").splitlines())
    line = safe(" ".join(filter(None, lines)))
    return line if len(line) <= most else line[: most - 1] + "…"


def asked_lines(instruction: str) -> Iterator[Line]:
    """What was asked, indented."""
    yield Line("asked:", "strong")
    for line in instruction.strip("\n").splitlines():
        text = f"    {line}".rstrip()
        yield from map(Line, _folded(text, sys.stdout, text[: len(text) - len(text.lstrip())]))
    yield Line("")


def count(number: int, noun: str) -> str:
    """`1 case`, `2 cases`, `1,204 tokens`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at the stream, on a screen whose cursor can be moved."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def _write(text: str) -> None:
    """Write a result; InputError where stdout can't take it."""
    stream: TextIO | None = sys.stdout
    if stream is None:
        raise InputError("the result can't be written: the standard output is closed")
    try:
        stream.write(text.rstrip("\n") + "\n")
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"the result can't be written: {error.strerror}") from None


def _folded(text: str, stream: TextIO | None, indent: str) -> list[str]:
    """A line broken at words where it is too wide for the terminal, each further one behind `indent`."""
    width = shutil.get_terminal_size().columns
    if not is_terminal(stream) or len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _shown(text: str, style: Style, stream: TextIO | None) -> str:
    """A line in its colour, as a terminal of its width shows it best; what is indented is left as it is, as code is.

    NO_COLOR and FORCE_COLOR, as no-color.org and force-color.org have them, come before what the stream is.
    """
    fitted = text if text.startswith(" ") else "\n".join(_folded(text, stream, "  "))
    takes_colours = not os.environ.get("NO_COLOR") and (os.environ.get("FORCE_COLOR") or is_terminal(stream))
    return f"\x1b[{_CODES[style]}m{fitted}\x1b[0m" if takes_colours and _CODES[style] else fitted


LEAST: Final = 0.0001


def dollars(amount: float) -> str:
    """`$1.25`, `$0.0123`, `$0` where it is free: four decimals below a dollar, as calls cost parts of a cent."""
    if amount == 0:
        return "$0"
    if amount < LEAST:
        return f"under ${LEAST}"
    return f"${amount:,.2f}" if amount >= 1 else f"${amount:.4f}"


def spending(usage: Usage, noun: str = "call") -> str:
    """`3 calls, 1,204 tokens, $0.0123`; tokens of unknown price are told beside the money for the others."""
    parts = [count(usage.calls, noun), count(usage.tokens, "token")]
    if usage.cost is not None:
        others = f" and {count(usage.unpriced, 'token')} of unknown price" if usage.unpriced else ""
        parts.append(dollars(usage.cost) + others)
    return ", ".join(parts)


def spent_lines(spent: Iterable[Spent]) -> Iterator[Line]:
    """What was spent where: a line for each purpose and function."""
    for part in spent:
        where = f"{part.purpose} {part.function}".strip()
        yield Line(one_line(f"spent on {where}: {spending(part.usage)}, {part.usage.seconds:.1f} s"), "faint")
