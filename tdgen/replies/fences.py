"""Fenced blocks of Markdown, read the way models write them: unclosed, opened twice, or indented in a list."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tdgen.replies.lines import lines_of

_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`]*)$")


@dataclass
class Block:
    """A fenced block: its language in lower case (empty where none is named), and the lines between the fences."""

    language: str
    fence: str
    indent: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The block's text, without the indentation that its fence has."""
        return "\n".join(self._dedented(line) for line in self.lines)

    def _dedented(self, line: str) -> str:
        return line[self.indent :] if not line[: self.indent].strip() else line

    def is_closed_by(self, line: str) -> bool:
        """Whether `line` is its closing fence; one that is indented deeper belongs to the text, say to a docstring."""
        found = _FENCE.match(line)
        return bool(
            found
            and not found["info"].strip()
            and found["fence"].startswith(self.fence)
            and len(found["indent"]) <= self.indent + 3
        )


def fenced_blocks(text: str) -> list[Block]:
    """All fenced blocks of `text` in order. The last one may lack its closing fence."""
    blocks: list[Block] = []
    current: Block | None = None
    for line in lines_of(text):
        if current is None or (not current.lines and _names_language(line)):
            opened = _opened(line)
            if opened is not None:
                blocks = [*blocks[:-1], opened] if current else [*blocks, opened]
                current = opened
        elif current.is_closed_by(line):
            current = None
        else:
            current.lines.append(line)
    return blocks


def _names_language(line: str) -> bool:
    found = _FENCE.match(line)
    return bool(found and found["info"].strip())


def _opened(line: str) -> Block | None:
    found = _FENCE.match(line)
    if found is None:
        return None
    words = found["info"].split()
    language = words[0].lower().strip("{}.") if words else ""
    return Block(language, found["fence"], len(found["indent"]))
