"""What is new in a project's files, formatted as the project's own settings of ruff or black say; nothing beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from tdgen.files.ruff import DEFAULTS, format_files, format_lines, style_at
from tdgen.source.syntax import is_same


def formatted_module(before: str, after: str, root: Path) -> str:
    """`after` with the lines that `before` has not formatted; as it is where the project has no formatter's settings.

    Lines that stood there stay: where the formatter would touch one, or change what the code is, it is not heard.
    """
    style = style_at(root)
    if style == DEFAULTS:
        return after
    blocks = _matcher(before, after).get_opcodes()
    new = [(start + 1, end) for tag, _, _, start, end in blocks if tag in ("insert", "replace")]
    for first, last in reversed(new):
        formatted = format_lines(after, first, last, style)
        if _kept(before, formatted) >= _kept(before, after) and is_same(after, formatted):
            after = formatted
    return after


def formatted_tests(tests: Mapping[str, str], root: Path) -> dict[str, str]:
    """Test files, which are all new, formatted as the project's settings say; as they are where it has none."""
    style = style_at(root)
    return dict(tests) if style == DEFAULTS else format_files(tests, style)


def _kept(before: str, after: str) -> set[int]:
    """The lines of `before` that are in `after`."""
    blocks: Sequence[tuple[int, int, int]] = _matcher(before, after).get_matching_blocks()
    return {line for start, _, size in blocks for line in range(start, start + size)}


def _matcher(before: str, after: str) -> SequenceMatcher[str]:
    return SequenceMatcher(None, before.splitlines(keepends=True), after.splitlines(keepends=True), autojunk=False)
