"""What was spent, in words: calls, tokens, and money where a price is known. What has no price is never $0.00."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tdgen.cli.speaking import Line, count, one_line
from tdgen.types import Spent, Usage

LEAST: Final = 0.0001


def dollars(amount: float) -> str:
    """`$1.25`, `$0.0123`, `$0` where it is free: four decimals below a dollar, as calls cost parts of a cent."""
    if amount == 0:
        return "$0"
    if amount < LEAST:
        return f"under ${LEAST}"
    return f"${amount:,.2f}" if amount >= 1 else f"${amount:.4f}"


def told(usage: Usage, noun: str = "call") -> str:
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
        yield Line(one_line(f"spent on {where}: {told(part.usage)}, {part.usage.seconds:.1f} s"), "faint")
