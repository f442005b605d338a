"""Calls of a first attempt that cost nothing: likely inputs, and neighbours of the cases that it failed.

A green implementation is tried on likely calls in one watched run, with no mutants made. Two things are worth a
question there, and mostly there is none: calls on which it does what its contract does not speak of, and calls that
reach lines which no case reaches. Of the latter the simplest alone says little (of an even number of ones, any two are
the median): a large one is asked about beside it.

A repair may mend the fault, or only what was shown of it. So the mended cases' neighbours are tried before it counts:
their inputs varied along what they have, more of it, equal, reversed, a little beside. The code before the repair, the
code after it and attempts of other lines run on these. Two kinds of neighbour are worth a question: one on which the
repair parts from an attempt of another line, and one on which it gives what the wrong code gave. The test author says
what they must give; what the repair fails of that is shown, as any case is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tdgen.build.evaluator import part_of
from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild, Tried
from tdgen.build.undocumented import undocumented
from tdgen.build.versions import VersionCall
from tdgen.impl import lines_reached, lines_there
from tdgen.inputs import generated_inputs, neighbours, weight
from tdgen.inputs.sources import seed_constants
from tdgen.judge import call_probe
from tdgen.testgen.queries import Query
from tdgen.types import Attempt, Call, Case, Job, Observation, Watch

LOOKED_AT = 40
LOOK_S = 0.1
"""How many inputs are tried, and how long each may take. Not tuned."""
_NUMBER = re.compile(r"[1-9]\d*")


def uncovered_calls(build: GroupBuild, state: FunctionState) -> list[Call]:
    """The calls that are worth a question; mostly none."""
    cases, source = state.suite.cases, state.made.source
    generated = generated_inputs(state.spec, cases, build.plan.types, most=LOOKED_AT, hints=seed_constants(source))
    # Those count last that are longer than any case's, or spell out a larger number.
    texts = [case.done.expression for case in cases]
    longest, largest = max(map(len, texts), default=0), max(map(_largest, texts), default=(0, ""))
    large = frozenset(
        one.call.call_key
        for one in generated
        if len(one.call.expression) > longest or _largest(one.call.expression) > largest
    )
    likely = sorted((one.call for one in generated if one.keeps), key=lambda call: call.call_key in large)
    observed, lines = _look(build, state, source, likely)
    observations = {
        call.call_key: observation
        for call, observation in zip(likely, observed, strict=False)
        if observation.status != "timeout" or call.call_key not in large  # a large call may take its time, and be right
    }
    calls = undocumented(likely, observations, state.spec)
    first = next((place for place, reached in enumerate(lines) if reached), None)
    if first is not None:
        # The first call that reaches lines which no case does, and the heaviest that reaches some of the same.
        alike = [call for call, reached in zip(likely, lines, strict=False) if reached & lines[first]]
        calls = [likely[first], max(alike, key=weight), *calls]
    return list({call.call_key: call for call in calls}.values())


def _look(
    build: GroupBuild, state: FunctionState, source: str, calls: Sequence[Call]
) -> tuple[Sequence[Observation], list[frozenset[int]]]:
    """What a source is seen to do on `calls`, and which lines each reaches that no case does.

    After a call that takes long none is run. Limit cases are taken to reach nothing.
    """
    module = build.evaluators[state.name].module(source, build.around(state))
    is_traced = build.tools.can("traces")
    part, cases = (part_of(module, source), state.suite.cases) if is_traced else ((0, 0), ())
    of_cases = _watched(build, module, [case.done for case in cases if case.kind != "limit"], "lines")
    known = frozenset[int]().union(*lines_reached(module, part, of_cases))
    watch: Watch = "" if lines_there(module, part) <= known else "lines"  # watching takes time
    observations = _watched(build, module, calls, watch)
    return observations, [reached - known for reached in lines_reached(module, part, observations)]


def _watched(build: GroupBuild, module: str, calls: Sequence[Call], watch: Watch) -> Sequence[Observation]:
    probes = tuple(call_probe(f"call {place}", call) for place, call in enumerate(calls))
    hasty = build.tools.hasty(LOOK_S)
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


def _largest(text: str) -> tuple[int, str]:
    """The largest number in a text, in the order of numbers: by how many digits, then by these."""
    return max(((len(digits), digits) for digits in _NUMBER.findall(text)), default=(0, ""))


MOST_TRIED: Final = 24
PATIENCE_S: Final = 0.5
"""How many inputs near a mended case are tried before and after, and how long each may take. Not tuned."""
REPAIRS: Final = frozenset({"repair", "trace"})


def try_neighbours(build: GroupBuild, name: str) -> Tried:
    """Ask about neighbours of what the last repair mended, once for a function: the suite may have grown."""
    state = build.states[name]
    best = state.best
    if best is None or not best.green or best.rung not in REPAIRS or state.neighbours_tried or build.is_blocked:
        return Tried(build, changed=False)
    earlier = (a for a in reversed(state.history) if a.number < best.number and a.line == best.line)
    before = next((a for a in earlier if a.verdicts and not a.is_patch and _failed(state, a)), None)
    if before is None or not build.can_spare(state, "settle"):
        return Tried(build, changed=False)
    build = build.changed(name, neighbours_tried=True)
    calls = _suspicious(build, state, before, best)
    query = Query("model", "neighbours", there=state.suite.cases)
    build, result = build.asked(name, calls, query, "what its repair does beside the mended cases was not settled")
    return build.grown(name, result.in_order)


def _failed(state: FunctionState, attempt: Attempt) -> list[Case]:
    failed = {verdict.case for verdict in attempt.verdicts if not verdict.passed}
    return [case for case in state.suite.visible if case.name in failed]


def _suspicious(build: GroupBuild, state: FunctionState, before: Attempt, after: Attempt) -> list[Call]:
    """At most two neighbours: one on which attempts of other lines do otherwise, one on which nothing was mended."""
    calls = neighbours(state.spec, state.suite.cases, _failed(state, before), build.plan.types, most=MOST_TRIED)
    other = state.of_another_line
    sources = [after.source, before.source, *([other.source] if other is not None else [])]
    runner = build.evaluators[state.name].runner(after.source, build.around(state), wall_s=PATIENCE_S)
    observations = runner.observed([VersionCall(source, call) for source in sources for call in calls])
    rows = [observations[n * len(calls) : (n + 1) * len(calls)] for n in range(len(sources))]

    def first(row: int, *, same: bool, but: Sequence[Call] = ()) -> list[Call]:
        if row >= len(rows):
            return []
        pairs = zip(calls, rows[0], rows[row], strict=True)
        return [call for call, one, two in pairs if runner.same(one, two, call) is same and call not in but][:1]

    diverged = first(2, same=False)
    return [*diverged, *first(1, same=True, but=diverged)]
