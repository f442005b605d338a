"""A smoke check of a green implementation, no mutants made: what it does on likely calls, in one watched run.

Two things are worth a question there, and mostly there is none: calls on which it does what its contract does not speak
of, and calls that reach lines which no case reaches. Of the latter the simplest alone says little (of an even number of
ones, any two are the median): a large one is asked about beside it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import NamedTuple

from tdgen.build.evaluator import part_of
from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild
from tdgen.build.undocumented import undocumented
from tdgen.build.versions import seed_constants
from tdgen.impl import lines_reached, lines_there
from tdgen.inputs import made_up, weight
from tdgen.judge import call_probe
from tdgen.types import Call, Case, Job, Observation, Watch

LOOKED_AT = 40
LOOK_S = 0.1
AT_ONCE = 24
_NUMBER = re.compile(r"[1-9]\d*")


class Look(NamedTuple):
    """What calls were seen to do, the first so many of them, and which lines each reached that no case does."""

    seen: tuple[Observation, ...]
    lines: tuple[frozenset[int], ...]


def uncovered_calls(build: GroupBuild, state: FunctionState) -> list[Call]:
    """The calls that are worth a question; mostly none."""
    if state.best is None:
        return []
    cases = state.suite.cases
    made = made_up(state.spec, cases, build.plan.types, most=LOOKED_AT, hints=seed_constants(state.best.source))
    large = _large([one.call for one in made], cases)
    likely = sorted((one.call for one in made if one.keeps), key=lambda call: call.call_key in large)
    look = _look(build, state, state.best.source, likely)
    told = {
        call.call_key: seen
        for call, seen in zip(likely, look.seen, strict=False)
        if seen.status != "timeout" or call.call_key not in large  # a large call may take its time, and be right
    }
    found = [*_reaching(likely, look), *undocumented(likely, told, state.spec)]
    return list({call.call_key: call for call in found}.values())


def _look(build: GroupBuild, state: FunctionState, source: str, calls: Sequence[Call]) -> Look:
    """What a source is seen to do on `calls`, for a moment only: after one that takes long some are not run.

    Limit cases are taken to reach nothing.
    """
    deadline = time.monotonic() + LOOK_S
    module = build.evaluator(state).module(source, build.around(state))
    part = part_of(module, source)
    of_cases = _watched(build, module, [case.done for case in state.suite.cases if case.kind != "limit"], "lines")
    known = frozenset[int]().union(*lines_reached(module, part, of_cases))
    watch: Watch = "" if lines_there(module, part) <= known else "lines"  # watching takes time
    seen: list[Observation] = []
    while len(seen) < len(calls) and time.monotonic() < deadline:
        seen += _watched(build, module, calls[len(seen) : len(seen) + AT_ONCE], watch)
    return Look(tuple(seen), tuple(reached - known for reached in lines_reached(module, part, seen)))


def _watched(build: GroupBuild, module: str, calls: Sequence[Call], watch: Watch) -> Sequence[Observation]:
    probes = tuple(call_probe(f"call {place}", call) for place, call in enumerate(calls))
    limits = build.tools.settings.limits
    hasty = limits.model_copy(update={"wall_s": min(limits.wall_s, LOOK_S)})
    job = Job(
        module=build.plan.module,
        source=module,
        probes=probes,
        limits=hasty,
        watch=watch,
        stop_early=True,
        public=build.plan.public_state,
    )
    return build.tools.sandbox.run(job).observations


def _large(calls: Sequence[Call], cases: Sequence[Case]) -> frozenset[str]:
    """The keys of the calls that are longer than any case's, or spell out a larger number."""
    texts = [case.done.expression for case in cases]
    longest, largest = max(map(len, texts), default=0), max(map(_largest, texts), default=(0, ""))
    return frozenset(
        call.call_key for call in calls if len(call.expression) > longest or _largest(call.expression) > largest
    )


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
