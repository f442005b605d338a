"""What a model thinks aloud before it answers is not its answer."""

from __future__ import annotations

import re

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
