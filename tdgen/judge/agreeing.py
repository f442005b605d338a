"""Do two implementations do the same? Their observations of one call, compared as the judge compares values."""

from __future__ import annotations

from tdgen.judge.compare import differences
from tdgen.types import Call, FunctionSpec, Observation, Raised, Wire
from tdgen.values.readers import Unreadable
from tdgen.values.relation import Relation, relation_of_call


def agree(one: Observation, other: Observation, call: Call, spec: FunctionSpec) -> bool:
    """Whether two observations of `call` are of the same behaviour, as far as the contract of `spec` cares.

    What was returned agrees by the judge's relation, whichever of the two is taken for the expected one, what was
    raised by its class and exit code; what was printed, written, changed in an argument or looked at afterwards must be
    the same, of a script what went to standard error too. Two that died or ran out of time agree in that.
    """
    if one.status != other.status:
        return False
    if one.status == "raised":
        same = one.raised is not None and other.raised is not None and _ending(one.raised) == _ending(other.raised)
    elif one.status == "returned":
        same = _equal(one.value, other.value, relation_of_call(call, spec))
    else:
        return True
    if call.world.script is not None and one.stderr != other.stderr:
        return False
    same = same and one.stdout == other.stdout and one.files == other.files and _same_arguments(one, other)
    return same and len(one.after) == len(other.after) and all(map(_same_value, one.after, other.after))


def _ending(raised: Raised) -> tuple[str, int | None]:
    return raised.type, raised.exit_code


def _same_arguments(one: Observation, other: Observation) -> bool:
    """Whether both left the arguments alike."""
    if one.mutated.keys() != other.mutated.keys():
        return False
    return all(_same_value(value, other.mutated[name]) for name, value in one.mutated.items())


def _same_value(one: Wire, other: Wire) -> bool:
    return _equal(one, other, Relation())


def _equal(one: Wire, other: Wire, relation: Relation) -> bool:
    try:
        if repr(one) == repr(other):  # not `==`, by which True is 1 and 2 is 2.0
            return True
    except (RecursionError, ValueError):  # nested too deep, or an int too long for decimals
        return False
    try:
        return not (differences(one, other, relation) or differences(other, one, relation))
    except Unreadable:
        return False
