"""What a trust level means, as one table: which checks run at all, how often, and for how long.

No other module asks which level it is. How far each level's green can be believed is what `make bench-trust` measures.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from tdgen.language import CAPABILITIES, Capability
from tdgen.types import Trust


class Policy(NamedTuple):
    """How thoroughly a solution is checked.

    `readings` are answers to the whole instruction that cases and code are held against, `upholding` rulings that must
    uphold a case in doubt (0: no ruling is asked for), `accusing` those that must uphold one which code fails that was
    there before, `first_changes` those that a fix asks for before any has failed, `rounds` and `seconds` those of
    strengthening a green function's suite and of its mutation analysis. A function has at most `properties`, each run
    for `property_seconds` of processor time; they come with its cases unless `asks_for_properties`. Below the mutation
    score `least_strength`, from 0 to 1, what is green ends undecided.
    """

    readings: int
    checks_adequacy: bool
    confirms_cases: bool
    asks_for_properties: bool
    properties: int
    property_seconds: float
    upholding: int
    accusing: int
    runs_twice: bool
    has_rival: bool
    first_changes: int
    makes_mutants: bool
    asks_of_each_mutant: bool
    tries_neighbours: bool
    decomposes: bool
    rounds: int
    seconds: float
    least_strength: float

    @property
    def properties_with_cases(self) -> int:
        """How many properties may come in the answer that holds a function's cases."""
        return 0 if self.asks_for_properties else self.properties

    def within(self, capabilities: Collection[Capability]) -> Policy:
        """The policy less what can't be done with code in the language that is written."""
        lacking = CAPABILITIES - frozenset(capabilities)
        return self._replace(**{name: value for one in lacking for name, value in _WITHOUT.get(one, {}).items()})


_WITHOUT: Final[dict[Capability, dict[str, Any]]] = {
    "mutants": {"makes_mutants": False, "least_strength": 0.0},
    "properties": {"properties": 0, "asks_for_properties": False},
    "decomposition": {"decomposes": False},
}
_QUICK: Final = Policy(
    readings=0,
    checks_adequacy=False,
    confirms_cases=False,
    asks_for_properties=False,
    properties=0,
    property_seconds=0.0,
    upholding=0,
    accusing=1,
    runs_twice=False,
    has_rival=False,
    first_changes=1,
    makes_mutants=False,
    asks_of_each_mutant=False,
    tries_neighbours=False,
    decomposes=False,
    rounds=1,
    seconds=0.0,
    least_strength=0.0,
)
_STANDARD: Final = _QUICK._replace(
    readings=1,
    checks_adequacy=True,
    properties=2,
    property_seconds=1.0,
    upholding=1,
    accusing=2,
    runs_twice=True,
    makes_mutants=True,
    tries_neighbours=True,
    decomposes=True,
    seconds=2.0,
)
_STRICT: Final = _STANDARD._replace(
    readings=3,
    confirms_cases=True,
    asks_for_properties=True,
    properties=4,
    property_seconds=5.0,
    upholding=2,
    has_rival=True,
    first_changes=2,
    asks_of_each_mutant=True,
    rounds=3,
    seconds=10.0,
    least_strength=0.8,
)
POLICIES: Final[dict[Trust, Policy]] = {"quick": _QUICK, "standard": _STANDARD, "strict": _STRICT}
"""Each level, by what it adds to the one before."""
