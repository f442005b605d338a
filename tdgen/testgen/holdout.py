"""Which cases no prompt shows: a third of the generated ones, chosen by content so that a rerun chooses alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tdgen.types import Case, digest


def hold_out(cases: Sequence[Case]) -> frozenset[str]:
    """The names of the held-out cases: a third of the generated ones, at least one of three, and never a pinned one.

    The only case of its kind (the only error, say) stays visible as long as there are others to choose from. A case
    that does what another does is never held out: the other would show it.
    """
    generated = [case for case in cases if not case.is_pinned]
    if len(generated) < 3:
        return frozenset()
    kinds = Counter(case.kind for case in generated)
    deeds = Counter(case.call_key for case in cases)
    alone = [case for case in generated if deeds[case.call_key] == 1]
    ranked = sorted(alone, key=lambda case: (kinds[case.kind] == 1, digest([case.name, case.call_key])))
    return frozenset(case.name for case in ranked[: max(1, len(generated) // 3)])
