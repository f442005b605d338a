"""A glance at a green implementation, no mutants made: what it does on likely calls, in one watched run.

Two things are worth a question there, and mostly there is none: calls on which it does what its contract does not speak
of, and calls that reach lines which no case reaches. Of the latter the simplest alone says little (of an even number of
ones, any two are the median): a large one is asked about beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tdgen.inputs import made_up, weight
from tdgen.pipeline.workshop.bench import Look
from tdgen.pipeline.workshop.hints import hints
from tdgen.pipeline.workshop.shop import Shop
from tdgen.pipeline.workshop.task import Task
from tdgen.pipeline.workshop.unspoken import unspoken
from tdgen.types import Call, Case

LOOKED_AT = 60
_NUMBER = re.compile(r"[1-9]\d*")


def overlooked(shop: Shop, task: Task) -> list[Call]:
    """The calls that are worth a question; mostly none."""
    if task.best is None:
        return []
    source, cases = task.best.source, task.suite.cases
    made = made_up(task.spec, cases, shop.plan.types, most=LOOKED_AT, hints=hints(source))
    likely = sorted((one.call for one in made if one.keeps), key=lambda call: _is_large(call, cases))
    look = shop.bench(task).look(source, shop.around(task), cases, likely)
    told = {
        call.situation: seen
        for call, seen in zip(likely, look.seen, strict=False)
        if seen.status != "timeout" or not _is_large(call, cases)  # a large call may take its time, and be right
    }
    found = [*_reaching(likely, look), *unspoken(likely, told, task.spec)]
    return list({call.situation: call for call in found}.values())


def _is_large(call: Call, cases: Sequence[Case]) -> bool:
    """Whether it is longer than any case's call, or spells out a larger number."""
    texts = [case.done.expression for case in cases]
    longest = max(map(len, texts), default=0)
    return len(call.expression) > longest or _largest(call.expression) > max(map(_largest, texts), default=(0, ""))


def _largest(text: str) -> tuple[int, str]:
    """The largest number in a text, in the order of numbers: by how many digits, then by these."""
    return max(((len(digits), digits) for digits in _NUMBER.findall(text)), default=(0, ""))


def _reaching(calls: Sequence[Call], look: Look) -> list[Call]:
    """The first call that reaches what no case does, and the heaviest that reaches some of the same."""
    first = next((place for place, lines in enumerate(look.lines) if lines), None)
    if first is None:
        return []
    alike = [call for call, lines in zip(calls, look.lines, strict=False) if lines & look.lines[first]]
    return [calls[first], max(alike, key=weight)]
