"""The Python that a developer model answered with.

Several fenced blocks are one answer: a later block takes the place of an earlier one all of whose names it defines
again (a correction), and blocks that define different names are joined in their order (a function and its helper).
Where they overlap in part, the longest is taken. Blocks that define no function or class (a call, printed output) are
left out. Where no block parses, the longest is handed on as it is: its syntax error is worth more to the model than
"no code".
"""

from __future__ import annotations

import ast

from tdgen.errors import ReplyError
from tdgen.replies.fences import fenced_blocks
from tdgen.replies.thinking import without_thinking
from tdgen.syntax import parse, parses

_PYTHON = ("", "python", "py", "python3", "py3")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def find_code(text: str) -> str:
    """The Python source in a model's answer, ending in one newline.

    ReplyError, with the one-line reason as its message, where there is none.
    """
    answer = without_thinking(text)
    if not answer:
        raise ReplyError("the answer is empty" if not text.strip() else "the answer holds only thoughts")
    found = [block.text for block in fenced_blocks(answer) if block.language in _PYTHON]
    blocks = [block for block in map(_tidy, found) if block.strip()]
    if not blocks:
        if _names(answer):
            return _tidy(answer)
        raise ReplyError("the answer holds no fenced Python block")
    return _chosen(blocks)


def _tidy(source: str) -> str:
    """Without blank lines around it, and without a fence glued to its last line."""
    return source.strip("\n").rstrip().removesuffix("```").rstrip() + "\n"


def _chosen(blocks: list[str]) -> str:
    defining = [block for block in blocks if _names(block)]
    if not defining:
        return max([block for block in blocks if parses(block)] or blocks, key=len)
    broken = [block for block in blocks if not parses(block)]
    if broken and len(longest := max(broken, key=len)) > sum(map(len, defining)):
        return longest
    kept = _without_drafts(defining)
    return "\n\n".join(kept) if _can_be_joined(kept) else max(kept, key=len)


def _without_drafts(blocks: list[str]) -> list[str]:
    names = [_names(block) for block in blocks]
    return [
        block for number, block in enumerate(blocks) if not any(names[number] <= later for later in names[number + 1 :])
    ]


def _can_be_joined(blocks: list[str]) -> bool:
    """Whether the blocks define different names, and only the first has imports that must come first in a file."""
    names = [name for block in blocks for name in _names(block)]
    return len(names) == len(set(names)) and not any("from __future__" in block for block in blocks[1:])


def _names(source: str) -> frozenset[str]:
    """The functions and classes that `source` defines at its top; none where it doesn't parse."""
    try:
        tree = parse(source)
    except SyntaxError:
        return frozenset()
    return frozenset(node.name for node in tree.body if isinstance(node, _DEFINITIONS))
