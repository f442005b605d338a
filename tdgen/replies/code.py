"""Code in an answer: out of its fences, and without the thinking around it.

Several fenced blocks are one answer: a later block takes the place of an earlier one all of whose names it defines
again (a correction), and blocks that define different names are joined in their order (a function and its helper).
Where they overlap in part, the longest is taken. Blocks that define no function or class (a call, printed output) are
left out. Where no block parses, the longest is handed on as it is: its syntax error is worth more to the model than
"no code".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tdgen.errors import ReplyError
from tdgen.source.syntax import Definition, lines_of, parses, statements_of

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
        return "\n".join(line if line[: self.indent].strip() else line[self.indent :] for line in self.lines)

    def is_closed_by(self, line: str) -> bool:
        """Whether `line` is its closing fence; one that is indented deeper belongs to the text, say to a docstring."""
        match = _FENCE.match(line)
        return bool(
            match
            and not match["info"].strip()
            and match["fence"].startswith(self.fence)
            and len(match["indent"]) <= self.indent + 3
        )


def fenced_blocks(text: str) -> list[Block]:
    """All fenced blocks of `text` in order. The last one may lack its closing fence."""
    blocks: list[Block] = []
    current: Block | None = None
    for line in lines_of(text):
        opened = None
        if not (current and current.lines) and (match := _FENCE.match(line)):
            words = match["info"].split()
            language = words[0].lower().strip("{}.") if words else ""
            opened = Block(language, match["fence"], len(match["indent"]))
        if opened and (current is None or opened.language):
            blocks = [*blocks[:-1], opened] if current else [*blocks, opened]
            current = opened
        elif current and current.is_closed_by(line):
            current = None
        elif current:
            current.lines.append(line)
    return blocks


_THOUGHT = re.compile(r"\s*<(think|thinking|thought)>.*?(</\1>|\Z)", re.DOTALL)
_LEFTOVER = re.compile(
    r"\A(?:(?!<think).)*?(?:^[ \t]*</think(?:ing)?>|</think(?:ing)?>[ \t]*$)", re.DOTALL | re.MULTILINE
)


def without_thinking(text: str) -> str:
    """`text` without a byte order mark and without the thoughts it opens with, closed or cut short.

    Some chat templates swallow the opening tag: then everything up to a closing one is thought, where that one begins
    or ends a line (within a line it is text that speaks of thoughts).
    """
    rest = text.removeprefix("\ufeff")
    while thought := _THOUGHT.match(rest):
        rest = rest[thought.end() :]
    if leftover := _LEFTOVER.match(rest):
        rest = rest[leftover.end() :]
    return rest.strip()


_PYTHON = ("", "python", "py", "python3", "py3")


def find_code(text: str) -> str:
    """The Python source in a model's answer, ending in one newline.

    ReplyError, with the one-line reason as its message, where there is none.
    """
    answer = without_thinking(text)
    if not answer:
        raise ReplyError("the answer is empty" if not text.strip() else "the answer holds only thoughts")
    sources = [block.text for block in fenced_blocks(answer) if block.language in _PYTHON]
    blocks = [block for block in map(_tidy, sources) if block.strip()]
    if not blocks:
        if _names(answer):
            return _tidy(answer)
        raise ReplyError("the answer holds no fenced Python block")
    defining = [block for block in blocks if _names(block)]
    if not defining:
        return max([block for block in blocks if parses(block)] or blocks, key=len)
    broken = [block for block in blocks if not parses(block)]
    if broken and len(longest := max(broken, key=len)) > sum(map(len, defining)):
        return longest
    names = [_names(block) for block in defining]
    kept = [
        block
        for number, block in enumerate(defining)
        if not any(names[number] <= later for later in names[number + 1 :])
    ]
    # They are joined where they define different names, and only the first has imports that must come first in a file.
    left = [name for block in kept for name in _names(block)]
    can_be_joined = len(left) == len(set(left)) and not any("from __future__" in block for block in kept[1:])
    return "\n\n".join(kept) if can_be_joined else max(kept, key=len)


def _tidy(source: str) -> str:
    """Without blank lines around it, and without a fence glued to its last line."""
    return source.strip("\n").rstrip().removesuffix("```").rstrip() + "\n"


def _names(source: str) -> frozenset[str]:
    """The functions and classes that `source` defines at its top; none where it doesn't parse."""
    return frozenset(node.name for node in statements_of(source) if isinstance(node, Definition))
