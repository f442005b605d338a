"""The figures of a run over many tasks, each with its formula, and their intervals.

With N tasks, of which each was solved by one run (attempts 1, 2, …, the first one alone for a single pass):

- **ESR**, execution success rate = tasks whose final code was accepted and passes all the tests, hidden ones
  included, / N.
- **ARI**, average refinement iterations = model repairs (calls that answered with code after the first) of the healed
  tasks / healed tasks. A task is healed where its first attempt was wrong and its final code is a success.
- **IED**, initial error density = tests of all that the first attempts fail / tests of all. A first attempt that
  can't be run fails all of its task's tests.
- **FED**, final error density: the same of the final code.
- **ERR**, error reduction ratio = (IED - FED) / IED: 1 where no error is left, 0 where nothing came of it, below 0
  where it got worse; 1 where there was no error.
- **Stability** = tasks with the same outcome (success or not) in all of k runs / N: each run has another seed of the
  model, and the final code is run under another PYTHONHASHSEED.
- **False accepts** = tasks accepted whose code fails a test / tasks accepted. **False rejects** = tasks turned down
  whose code passes all tests / N.

Shares come with the 95% interval of Wilson's score (Wilson 1927), which holds near 0 and 1 too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Task(NamedTuple):
    """How one task went in one run.

    `tests` is how many tests the task is measured by, `first_failed` and `last_failed` how many of them its first and
    its final code fail; `repairs` counts the model's answers with code after the first; `accepted` says whether the run
    itself called it done.
    """

    name: str
    tests: int
    first_failed: int
    last_failed: int
    repairs: int = 0
    accepted: bool = True
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0

    @property
    def success(self) -> bool:
        """Accepted, and right."""
        return self.accepted and self.is_right

    @property
    def is_right(self) -> bool:
        """Whether its final code passes all tests."""
        return self.tests > 0 and self.last_failed == 0


class Share(NamedTuple):
    """A share of a count, with its 95% interval."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        """The share; 0 of nothing is 0."""
        return self.part / self.whole if self.whole else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval at 95%; all from 0 to 1 where there is nothing to count."""
        if not self.whole:
            return 0.0, 1.0
        z = 1.959964
        share, n = self.value, self.whole
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, middle - reach), min(1.0, middle + reach)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:.1f}% ({100 * low:.1f}–{100 * high:.1f})"


class Figures(NamedTuple):
    """What is said of a run over many tasks; see the module for the formulas."""

    esr: Share
    ari: float
    ied: float
    fed: float
    err: float
    false_accepts: Share
    false_rejects: Share
    calls: float
    tokens: float
    seconds: float


@dataclass
class Sums:
    """What the figures are reckoned from, added up task by task: however many there are, this stays as small."""

    tasks: int = 0
    successes: int = 0
    accepted: int = 0
    wrongly_accepted: int = 0
    wrongly_rejected: int = 0
    healed: int = 0
    healing_repairs: int = 0
    tests: int = 0
    first_failed: int = 0
    last_failed: int = 0
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0

    def add(self, task: Task) -> None:
        """Count one task in."""
        self.tasks += 1
        self.successes += task.success
        self.accepted += task.accepted
        self.wrongly_accepted += task.accepted and not task.is_right
        self.wrongly_rejected += task.is_right and not task.accepted
        if task.success and task.first_failed:
            self.healed += 1
            self.healing_repairs += task.repairs
        self.tests += task.tests
        self.first_failed += task.first_failed
        self.last_failed += task.last_failed
        self.calls += task.calls
        self.tokens += task.tokens
        self.seconds += task.seconds

    def figures(self) -> Figures:
        """The figures of what was added; calls, tokens and seconds are means a task."""
        initial, final = ratio(self.first_failed, self.tests), ratio(self.last_failed, self.tests)
        return Figures(
            esr=Share(self.successes, self.tasks),
            ari=ratio(self.healing_repairs, self.healed),
            ied=initial,
            fed=final,
            err=reduction(initial, final),
            false_accepts=Share(self.wrongly_accepted, self.accepted),
            false_rejects=Share(self.wrongly_rejected, self.tasks),
            calls=ratio(self.calls, self.tasks),
            tokens=ratio(self.tokens, self.tasks),
            seconds=ratio(self.seconds, self.tasks),
        )


def figures(tasks: Iterable[Task]) -> Figures:
    """The figures of one run over `tasks`."""
    sums = Sums()
    for task in tasks:
        sums.add(task)
    return sums.figures()


def density(counts: Iterable[tuple[int, int]]) -> float:
    """Failed tests by all tests; 0 where there are none."""
    pairs = list(counts)
    return ratio(sum(failed for failed, _ in pairs), sum(whole for _, whole in pairs))


def reduction(initial: float, final: float) -> float:
    """By how much of itself an error density went down."""
    return (initial - final) / initial if initial else 1.0 - final


def stability(runs: Sequence[Sequence[Task]]) -> Share:
    """The share of tasks that end the same in all runs; a task that a run lacks did not."""
    outcomes = [{task.name: task.success for task in run} for run in runs]
    names = dict.fromkeys(name for run in outcomes for name in run)
    steady = [name for name in names if len({run.get(name) for run in outcomes}) == 1]
    return Share(len(steady), len(names))


def ratio(part: float, whole: float) -> float:
    """The part of a whole, or the mean of a sum; 0 where there is nothing."""
    return part / whole if whole else 0.0
