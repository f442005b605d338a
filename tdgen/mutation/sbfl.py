"""Which lines are to blame, from what passing and failing cases run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from math import sqrt


def suspicion(passing: Sequence[Collection[int]], failing: Sequence[Collection[int]]) -> dict[int, float]:
    """How suspicious each line is, from 0 to 1: the Ochiai coefficient; lines that no failing case ran are absent.

    `passing` and `failing` hold, for each case, the numbers of the lines that it ran. Ochiai is failed / sqrt(all
    failing * (failed + passed)), with the numbers of failing and passing cases that ran the line (Abreu, Zoeteweij and
    van Gemund 2007, "On the Accuracy of Spectrum-based Fault Localization").
    """
    passed = Counter(line for lines in passing for line in set(lines))
    failed = Counter(line for lines in failing for line in set(lines))
    return {line: count / sqrt(len(failing) * (count + passed[line])) for line, count in sorted(failed.items())}
