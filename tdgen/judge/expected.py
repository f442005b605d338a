"""What a case expects, once evaluated: the judge's other half, which no candidate ever gets near."""

from __future__ import annotations

from tdgen.types import Frozen, Wire


class Expected(Frozen):
    """A case's expectation as the oracle evaluated it, in a process without the candidate.

    `value` belongs to a Value, `exception` (a qualified class name) to an ExpectedException, `after` to the case's
    after-expressions in order. `holds` says whether a Check is satisfied by one observation; None while that has
    not been evaluated. `found` are those of the case's patterns, by where they are searched, that are found in one
    observation. `detail` says why it does not hold, or why nothing was found. `problem` says why the
    expectation itself can't be evaluated or compared; empty where it can.
    """

    value: Wire = None
    exception: str = ""
    after: tuple[Wire, ...] = ()
    holds: bool | None = None
    found: frozenset[str] = frozenset()
    detail: str = ""
    problem: str = ""
