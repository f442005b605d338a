"""What a trust level means, as one table: which checks run at all, how often, and for how long.

No other module asks which level it is. How far each level's green can be believed is what `make bench-trust` measures.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tdgen.types import Trust


class Policy(NamedTuple):
    """How thoroughly a solution is checked.

    `readings` are answers to the whole instruction that cases and code are held against, `upholding` rulings that must
    uphold a case in doubt (0: no ruling is asked for), `at_once` attempts of a fresh resampling, `rounds` and `seconds`
    those of strengthening a green function's suite and of its mutation analysis. Below the mutation score
    `least_strength`, from 0 to 1, what is green ends undecided.
    """

    readings: int
    checks_adequacy: bool
    confirms_cases: bool
    writes_properties: bool
    upholding: int
    runs_twice: bool
    has_rival: bool
    at_once: int
    makes_mutants: bool
    asks_of_each_mutant: bool
    tries_neighbours: bool
    decomposes: bool
    rounds: int
    seconds: float
    least_strength: float


_QUICK: Final = Policy(
    readings=0,
    checks_adequacy=False,
    confirms_cases=False,
    writes_properties=False,
    upholding=0,
    runs_twice=False,
    has_rival=False,
    at_once=1,
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
    upholding=1,
    runs_twice=True,
    makes_mutants=True,
    tries_neighbours=True,
    decomposes=True,
    seconds=2.0,
)
_STRICT: Final = _STANDARD._replace(
    readings=3,
    confirms_cases=True,
    writes_properties=True,
    upholding=2,
    has_rival=True,
    at_once=2,
    asks_of_each_mutant=True,
    rounds=3,
    seconds=10.0,
    least_strength=0.8,
)
POLICIES: Final[dict[Trust, Policy]] = {"quick": _QUICK, "standard": _STANDARD, "strict": _STRICT}
"""Each level, by what it adds to the one before."""
