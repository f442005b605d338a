"""Changes carried out on the source text."""

from __future__ import annotations

from collections.abc import Sequence

from tdgen.mutation.changes import Change, Effect, Swap, effect
from tdgen.mutation.code import Code
from tdgen.mutation.expressions import Splice, expression_splice
from tdgen.mutation.mutant import Mutant
from tdgen.mutation.statements import block_splices, spliced
from tdgen.syntax import parses

_LONGEST = 80


def carry_out(code: Code, change: Change, done: Effect | None = None) -> Mutant | None:
    """The change as a mutant, or None where no text gives the intended tree."""
    splices = splices_of(code, change, done or effect(code, change))
    if not splices:
        return None
    source = spliced(code, splices)
    if isinstance(change, Swap) and _has_line_end(code, splices) and not parses(source):
        return None
    before = " ".join(code.data[s.start : s.end].decode("utf-8") for s in splices)
    after = " ".join(s.text for s in splices)
    if isinstance(change, Swap):
        before, after = _before_and_now(code, change, splices[0])
    return Mutant(source, change.operator, change.at.lineno, short(before), short(after))


def splices_of(code: Code, change: Change, done: Effect) -> tuple[Splice, ...] | None:
    """The text edits that carry the change out."""
    if isinstance(change, Swap):
        splice = expression_splice(code, change, done)
        return (splice,) if splice else None
    return block_splices(code, change, done)


def short(text: str) -> str:
    """A text on one line, cut."""
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _before_and_now(code: Code, swap: Swap, splice: Splice) -> tuple[str, str]:
    """What stood at the place of the old expression, and what stands there after the edit."""
    start, end = code.start(swap.old), code.end(swap.old)
    if start <= splice.start and splice.end <= end:
        head, tail = code.data[start : splice.start].decode("utf-8"), code.data[splice.end : end].decode("utf-8")
        return code.text(swap.old), head + splice.text + tail
    return code.data[splice.start : splice.end].decode("utf-8"), splice.text


def _has_line_end(code: Code, splices: Sequence[Splice]) -> bool:
    return any("\n" in s.text or b"\n" in code.data[s.start : s.end] for s in splices)
