"""The project's own tests as a gate: what passed before an edit must pass after it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from tdgen.project.own_tests import OwnTests

RunTests = Callable[[Sequence[str], Mapping[str, str], float], Mapping[str, str]]
"""Runs test files, by their paths from the root, with modules (sources by name) laid over the project's, for at most so
many seconds.

It gives each test's outcome by its id, as pytest calls it. Tests that did not come to an end are not in it.
"""
_FINE: Final = ("passed", "skipped", "xfailed", "xpassed")


class GateReport(NamedTuple):
    """What the project's tests say of an edit, by the tests' ids.

    `broken` passed before and don't after; `flaky` passed in a second run of the same. `failing` are those that did not
    pass before, or were not there, and `unmet` those of them that don't pass after either: tests of another stub, or of
    what was filled. `ran` counts the tests; `left_out` are the files for which there was no time.
    """

    broken: tuple[str, ...]
    flaky: tuple[str, ...]
    failing: tuple[str, ...]
    unmet: tuple[str, ...]
    ran: int
    left_out: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether the edit breaks nothing that was seen."""
        return not self.broken


def check_edit(
    tests: OwnTests,
    edit: Mapping[str, str],
    run: RunTests,
    *,
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> GateReport:
    """Run the project's tests without and with an edit (modules' sources by name): the near ones, then all in time.

    What breaks is run a second time with the edit.
    """
    ends = clock() + seconds
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    left_out: tuple[str, ...] = ()
    for files in (tests.near, tests.others):
        if not files:
            continue
        if (left := ends - clock()) <= 0:
            left_out += files
            continue
        before |= run(files, {}, left / 2)
        after |= run(files, edit, max(ends - clock(), 1.0))
    suspects = [test for test, outcome in before.items() if outcome == "passed" and after.get(test) not in _FINE]
    files = tuple(dict.fromkeys(test.partition("::")[0] for test in suspects))
    again = run(files, edit, max(ends - clock(), 1.0)) if suspects else {}
    flaky = tuple(test for test in suspects if again.get(test) in _FINE)
    every = tuple(dict.fromkeys([*before, *after]))
    failing = tuple(test for test in every if before.get(test) not in _FINE)
    unmet = tuple(test for test in failing if after.get(test) not in _FINE)
    broken = tuple(test for test in suspects if test not in flaky)
    return GateReport(broken, flaky, failing, unmet, len(every), left_out)
