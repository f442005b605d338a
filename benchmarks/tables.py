"""Tables as the benchmarks print them: a title, aligned columns, and nothing that another run would not print too."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable, Sequence


def timed(work: Callable[[], object]) -> float:
    """Seconds that `work` takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def head(title: str) -> None:
    """The head of a table of times; `row` prints its lines."""
    print(f"\n{title:44s} {'median ms':>9s} {'min':>9s} {'max':>9s}")


def row(name: str, seconds: Sequence[float], note: str = "") -> None:
    """One line of a table of times: median, fastest and slowest, in milliseconds."""
    low, middle, high = (1000 * f(seconds) for f in (min, statistics.median, max))
    print(f"{name:44s} {middle:9.1f} {low:9.1f} {high:9.1f}   {note}")


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table in Markdown under its title, columns aligned; the first is text, the others are figures."""
    lines = [list(map(cell, columns)), *([cell(value) for value in line] for line in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    first, *others = lines
    print(f"\n## {title}\n")
    print(_joined(first, widths))
    print("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    for line in others:
        print(_joined(line, widths))


def cell(value: object) -> str:
    """A value as a table shows it: floats with three figures that count, truth as yes or no, None as a dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return str(value).replace("|", "\\|").replace("\n", " ")


def percent(share: float) -> str:
    """A share from 0 to 1 as `88.4%`."""
    return f"{100 * share:.1f}%"


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest of `values` that at least `share` of them do not exceed; 0 where there are none."""
    ranked = sorted(values)
    place = max(1, min(len(ranked), math.ceil(len(ranked) * share)))
    return ranked[place - 1] if ranked else 0.0


def _joined(line: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        text.ljust(width) if place == 0 else text.rjust(width)
        for place, (text, width) in enumerate(zip(line, widths, strict=True))
    )
    return "| " + " | ".join([first, *others]) + " |"
