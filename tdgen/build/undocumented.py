"""What an implementation does that its contract does not speak of: exceptions that it never names, and no end."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from tdgen.source.syntax import expression_or_none
from tdgen.types import Call, FunctionSpec, Observation

MOST = 3
MOST_ALIKE = 2
_PUT_TO_USE = (ast.Subscript, ast.Attribute, ast.BinOp, ast.Compare)


def is_documented(seen: Observation, spec: FunctionSpec) -> bool:
    """Whether it is something that the contract speaks of: a result, or an exception that it names."""
    if seen.status != "raised" or seen.raised is None:
        return seen.status == "returned"
    named = {raised.type.rpartition(".")[2] for raised in spec.raises}
    return not named.isdisjoint(name.rpartition(".")[2] for name in seen.raised.types)


def undocumented(calls: Sequence[Call], seen: Mapping[str, Observation], spec: FunctionSpec) -> list[Call]:
    """The first few of `calls` that end in what the contract does not speak of, few of one kind.

    `seen` holds what each was seen to do, by its key. Where the result is put to use at once (`f(x)[0]`), that
    may have raised it.
    """
    kinds: dict[str, list[str]] = {}
    for call in calls:
        one = seen.get(call.call_key)
        if one is None or one.status not in ("raised", "timeout") or is_documented(one, spec):
            continue
        if one.raised is None or not isinstance(expression_or_none(call.expression), _PUT_TO_USE):
            kinds.setdefault(one.raised.type if one.raised else one.status, []).append(call.call_key)
    few = {key for alike in kinds.values() for key in alike[:MOST_ALIKE]}
    return [call for call in calls if call.call_key in few][:MOST]
