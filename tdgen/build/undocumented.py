"""What an implementation does that its contract does not speak of: exceptions that it never names, and no end."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from tdgen.inputs.sequences import shortest
from tdgen.source.syntax import expression_or_none, parse
from tdgen.types import Call, FunctionSpec, Observation

Observe = Callable[[Sequence[Call]], Sequence[Observation]]
"""What an implementation is seen to do on some calls, in their order."""
MOST = 3
MOST_ALIKE = 2
"""How many calls that raise what the contract does not name are asked about, and how many of a kind. Not tuned."""
_PUT_TO_USE = (ast.Subscript, ast.Attribute, ast.BinOp, ast.Compare)


def is_documented(observation: Observation, spec: FunctionSpec) -> bool:
    """Whether it is something that the contract speaks of: a result, or an exception that it names."""
    if observation.has_result or observation.raised is None:
        return observation.has_result
    named = {raised.type.rpartition(".")[2] for raised in spec.raises}
    return not named.isdisjoint(name.rpartition(".")[2] for name in observation.raised.types)


def undocumented(calls: Sequence[Call], observations: Mapping[str, Observation], spec: FunctionSpec) -> list[Call]:
    """The first few of `calls` that end in what the contract does not speak of, few of one kind.

    `observations` holds what each was seen to do, by its key. Where the result is put to use at once (`f(x)[0]`), that
    may have raised it.
    """
    kinds: dict[str, list[str]] = {}
    for call in calls:
        one = observations.get(call.call_key)
        if one is None or one.status not in ("raised", "timeout") or is_documented(one, spec):
            continue
        if not _is_of_contract(call, spec):
            continue
        tree = expression_or_none(call.expression)
        # Of a class to read an attribute is the call itself.
        puts_to_use = isinstance(tree, _PUT_TO_USE) and not (spec.interface and isinstance(tree, ast.Attribute))
        if one.raised is None or not puts_to_use:
            kinds.setdefault(one.raised.type if one.raised else one.status, []).append(call.call_key)
    few = {key for alike in kinds.values() for key in alike[:MOST_ALIKE]}
    return [call for call in calls if call.call_key in few][:MOST]


def _is_of_contract(call: Call, spec: FunctionSpec) -> bool:
    """Whether a call is one that the contract speaks of: of a class not a method that it has from elsewhere.

    So are the methods of a project's class that were there before, and those of bases.
    """
    tree = expression_or_none(call.expression)
    if not spec.interface or not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Attribute):
        return True
    return tree.func.attr in {method.name for method in spec.interface.methods}


def steps_that_raise(calls: Sequence[Call], observations: Mapping[str, Observation], spec: FunctionSpec) -> list[Call]:
    """The steps, each as a call after those before it, of sequences whose setup ended in what no contract names."""
    raising: list[Call] = []
    kinds: set[str] = set()
    for call in calls:
        one = observations.get(call.call_key)
        if one is None or one.status != "not_run" or one.raised is None or is_documented(one, spec):
            continue
        if one.raised.type not in kinds:
            kinds.add(one.raised.type)
            raising += [step for step in _steps(call) if _is_of_contract(step, spec)]
    return raising


def _steps(call: Call) -> Iterator[Call]:
    """Each expression of a setup as a call after what stands before it, whether it is guarded or not."""
    body = parse(call.setup).body
    for place, statement in enumerate(body):
        step = statement.body[0] if isinstance(statement, ast.With) else statement
        if isinstance(step, ast.Expr):
            before = "\n".join(map(ast.unparse, body[:place]))
            yield call.model_copy(update={"setup": before, "call": ast.unparse(step)})


def shortest_alike(call: Call, observe: Observe) -> Call:
    """A sequence without the steps that its ending does not need: its status, and the class of what it raised."""
    ending = _ending(observe([call])[0])
    return shortest(call, lambda calls: [_ending(observation) == ending for observation in observe(calls)])


def _ending(observation: Observation) -> tuple[str, str]:
    return observation.status, observation.raised.type if observation.raised else ""


def shared_state(
    pairs: Sequence[tuple[Call, Call]], observe: Observe, same: Callable[[Observation, Observation, Call], bool]
) -> list[Call]:
    """The shortest look at an object that what is done with another one changes; none where nothing is shared.

    `pairs` are looks at one object alone, and beside another one. A contract may want it so: its author is asked.
    """
    for alone, beside in pairs:
        untouched = observe([alone])[0]

        def differ(calls: Sequence[Call], untouched: Observation = untouched) -> list[bool]:
            observed = zip(calls, observe(calls), strict=True)
            return [
                untouched.has_result and one.has_result and not same(untouched, one, call) for call, one in observed
            ]

        if differ([beside])[0]:
            return [shortest(beside, differ)]
    return []
