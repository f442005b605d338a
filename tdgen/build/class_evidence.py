"""What is seen of a failing class beside its verdicts: the state after each step of a case, and suspicious methods.

Both are for the developer's eyes alone. They come from the candidate's own process, so nothing is decided by them.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from tdgen.build.evaluator import line_shift
from tdgen.build.function_state import FunctionState
from tdgen.build.group import GroupBuild
from tdgen.impl import NO_EVIDENCE, ClassEvidence, method_lines
from tdgen.impl.coverage import suspicion
from tdgen.impl.feedback import MOST_CASES
from tdgen.source.syntax import statements_of
from tdgen.types import Attempt, Case, Observation, Value
from tdgen.values.decode import decode
from tdgen.values.readers import Unreadable

WATCHED_S = 0.5
MOST_SUSPECTS = 5
"""How long a watched case of a class may take, and how many suspicious methods a prompt names. Not tuned."""
_STATES = "_states_"
_RECORDER = f"""
{_STATES} = []
def _record_(step, names, kind):
    told = []
    for name, thing in names.items():
        if kind in [one.__name__ for one in type(thing).__mro__]:
            named = [vars(one).get("__slots__", ()) for one in type(thing).__mro__]
            slots = [slot for some in named for slot in ([some] if isinstance(some, str) else some)]
            held = {{slot: getattr(thing, slot, None) for slot in slots}} | dict(getattr(thing, "__dict__", {{}}))
            told.append(name + ": " + ", ".join(key + "=" + repr(value)[:80] for key, value in held.items()))
    {_STATES}.append((step, "; ".join(told)))
"""


def class_evidence(build: GroupBuild, state: FunctionState, attempt: Attempt) -> ClassEvidence:
    """What is seen of an attempt at a class; nothing of a function, or where the attempt was not run."""
    if state.spec.interface is None or not attempt.source or not attempt.verdicts or not build.tools.can("traces"):
        return NO_EVIDENCE
    failed = {verdict.case for verdict in attempt.verdicts if not verdict.passed}
    shown = [case for case in state.suite.visible if case.kind != "limit"]
    failing = sorted((case for case in shown if case.name in failed), key=lambda case: len(case.setup))
    evaluator = build.evaluators[state.name]
    module = evaluator.module(attempt.source, build.around(state))
    hung = {verdict.case for verdict in attempt.verdicts if verdict.status == "timeout"}  # nothing comes of them
    ended = [case for case in failing[:MOST_CASES] if case.name not in hung]
    recorded = [one for case in ended if (one := _recorded(case, state.name)) is not None]
    states = evaluator.watched(module, recorded, wall_s=WATCHED_S).observations
    lines = evaluator.watched(module, shown, "lines", wall_s=WATCHED_S).observations
    shift = line_shift(module, attempt.source)
    ran = {one.name: frozenset(line - shift for line in one.lines) for one in lines}
    steps_of_cases = {one.name: steps for one in states if (steps := _steps(one))}
    return ClassEvidence(steps_of_cases, _suspects(method_lines(attempt.source, state.name), ran, failed))


def _recorded(case: Case, kind: str) -> Case | None:
    """The case with the state written down after each statement of its setup, and after its call.

    None where it has no setup, or one that is no Python.
    """
    steps = [*map(ast.unparse, statements_of(case.setup))]
    if not steps:
        return None
    lines = [_RECORDER]
    for step in steps:
        lines += [step, f"_record_({step!r}, dict(locals()), {kind!r})"]
    call = case.expression
    lines += [f"try:\n    {call}\nexcept Exception:\n    pass", f"_record_({call!r}, dict(locals()), {kind!r})"]
    plain = {"setup": "\n".join(lines), "call": _STATES, "arguments": (), "after": (), "logs": None}
    return case.model_copy(update={**plain, "expectation": Value(source="[]")})


def _steps(observation: Observation) -> list[tuple[str, str]]:
    """The steps with the states after them, as far as what came back is of that form."""
    if observation.status != "returned":
        return []
    try:
        decoded = decode(observation.value)
    except Unreadable:
        return []
    pairs = [one for one in decoded if isinstance(one, tuple) and len(one) == 2] if isinstance(decoded, list) else []
    return [(step, state) for step, state in pairs if isinstance(step, str) and isinstance(state, str)]


def _suspects(
    methods: Mapping[str, range], ran: Mapping[str, frozenset[int]], failed: set[str]
) -> Sequence[tuple[str, float]]:
    """The methods that failing cases run, by Ochiai over which cases run them; those that more cases run come last."""
    names = list(methods)
    spectra: dict[bool, list[list[int]]] = {True: [], False: []}
    for case, lines in ran.items():
        spectra[case in failed].append(
            [place for place, name in enumerate(names) if not lines.isdisjoint(methods[name])]
        )
    scores = suspicion(spectra[False], spectra[True])
    ranked = sorted(scores.items(), key=lambda one: (-one[1], one[0]))
    return [(names[place], value) for place, value in ranked[:MOST_SUSPECTS]]
