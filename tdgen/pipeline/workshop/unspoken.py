"""What an implementation does that its contract does not speak of: exceptions that it never names, and no end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tdgen.types import Call, FunctionSpec, Observation

MOST = 3
MOST_ALIKE = 2


def is_within(seen: Observation, spec: FunctionSpec) -> bool:
    """Whether it is something that the contract speaks of: a result, or an exception that it names."""
    if seen.status != "raised" or seen.raised is None:
        return seen.status == "returned"
    named = {raised.type.rpartition(".")[2] for raised in spec.raises}
    return not named.isdisjoint(name.rpartition(".")[2] for name in seen.raised.types)


def unspoken(calls: Sequence[Call], seen: Mapping[str, Observation], spec: FunctionSpec) -> list[Call]:
    """The first few of `calls` on which it is not, few of one kind; `seen` holds what was seen, by the situation."""
    kinds: dict[str, list[str]] = {}
    for call in calls:
        one = seen.get(call.situation)
        if one is not None and one.status in ("raised", "timeout") and not is_within(one, spec):
            kinds.setdefault(one.raised.type if one.raised else one.status, []).append(call.situation)
    few = {situation for alike in kinds.values() for situation in alike[:MOST_ALIKE]}
    return [call for call in calls if call.situation in few][:MOST]
