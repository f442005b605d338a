"""Fixing: a change is asked for, tried on the failing tests, held to the gate and the docs, and asked for again.

Of changes that come as far, the one of the fewest lines counts. What passes the tests alone is a guess (patch
overfitting: Smith et al. 2015, Le et al. 2018): it is green only where a suite from the docs of each changed function,
written by an author who saw no code, confirms it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple

from tdgen.build.draft import Tools
from tdgen.errors import BudgetSpent, ReplyError
from tdgen.events import Noted
from tdgen.fixing.asking import (
    TEST_TOKENS,
    Objection,
    ask_for_change,
    earlier_told,
    failure_told,
    find_objection,
    told_apart,
)
from tdgen.fixing.changing import Changed, read_change
from tdgen.fixing.overfitting import special_cases
from tdgen.fixing.problem import Problem, as_asked, fails, without_addresses
from tdgen.project.baseline import Run
from tdgen.project.gate import GateReport, check_edit
from tdgen.project.module import Module
from tdgen.project.own_tests import OwnTests, own_tests
from tdgen.project.shown_tests import ShownTests
from tdgen.settings import Budget
from tdgen.types import Spent

Outcome = Literal["green", "undecided", "red", "objection"]
MOST_TOLD: Final = 4
"""How many tests that still fail are told to the developer. Not tuned."""
_RANK: Final[dict[Outcome, int]] = {"green": 3, "undecided": 2, "red": 1, "objection": 0}


class Opinion(NamedTuple):
    """What the docs' suites say of a change: what speaks against it, and why nothing can be said of some of it.

    `before` is what speaks against it and spoke against the code before it: another fault, or what is left of this one.
    `confirmed` are the functions that their docs' suites confirm.
    """

    against: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()


JudgeByDocs = Callable[[Changed], Opinion]
Confirm = Callable[[Changed, Budget], tuple[Opinion, tuple[Spent, ...]]]
"""Holds a change to the docs within a budget; gives what was spent, too."""


class Attempt(NamedTuple):
    """A change that was tried; `changed` is None where the answer gave none.

    `failing` are the tests that still fail. `against` speaks against the change, `doubts` are reasons to ask for
    another, and of `unknown` nobody can say anything: each keeps it from green. `confirmed` are the functions that the
    suites from their docs confirm.
    """

    number: int
    changed: Changed | None
    failing: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    gate: GateReport | None = None
    told: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """How far it came."""
        return "red" if self.against else "undecided" if self.doubts or self.unknown else "green"

    @property
    def reasons(self) -> tuple[str, ...]:
        """What keeps it from green."""
        return (*self.against, *self.doubts, *self.unknown)

    @property
    def rank(self) -> tuple[int, int, int]:
        """How good it is: the best is the largest, of those alike the one of the fewest changed lines."""
        return _RANK[self.outcome], -len(self.failing), -(self.changed.lines if self.changed else 0)


class Fixed(NamedTuple):
    """What came of it: the best attempt, if any could be tried, all of them, an objection, and why it was cut short."""

    best: Attempt | None
    attempts: tuple[Attempt, ...]
    objection: Objection | None = None
    stopped: str = ""

    @property
    def outcome(self) -> Outcome:
        """How it ended."""
        return "objection" if self.objection else self.best.outcome if self.best else "red"


def fix(tools: Tools, problem: Problem, run: Run, judge: JudgeByDocs, *, seconds: float) -> Fixed:
    """Ask for changes until one is green, no other could be better, or the budget's attempts are used."""
    attempts: list[Attempt] = []
    earlier: list[str] = []
    trying = _Trying(problem, run, judge, seconds)
    try:
        for number in range(1, tools.settings.budget.iterations + 1):
            samples = tools.policy.first_changes if number == 1 else 1
            begun = len(attempts)
            for sample in range(samples):
                answer = tools.model.ask(ask_for_change(problem, earlier, number, sample=sample))
                if objection := find_objection(answer.text, problem):
                    return Fixed(_best(attempts), tuple(attempts), objection)
                attempts.append(attempt := trying.attempt(number, answer.text))
                change = f"{attempt.changed.lines} lines change" if attempt.changed else "no change"
                outcome = "; ".join(attempt.reasons) or attempt.outcome
                tools.emit(Noted(text=f"attempt {attempt.number}: {change}: {outcome}"))
            best = max(attempts[begun:], key=lambda one: one.rank)
            before = [one.changed.overlay for one in attempts[:begun] if one.changed]
            if not (best.against or best.doubts) or (best.changed is not None and best.changed.overlay in before):
                break  # of the same change as before: its author stands by it
            diff = best.changed.diff if best.changed else ""
            earlier.append(earlier_told(number, diff, [*best.reasons, *best.told]))
    except BudgetSpent as error:
        return Fixed(_best(attempts), tuple(attempts), stopped=str(error))
    return Fixed(_best(attempts), tuple(attempts))


def _best(attempts: list[Attempt]) -> Attempt | None:
    return max((one for one in attempts if one.changed), key=lambda one: one.rank, default=None)


class _Trying:
    """Tries changes on the tests that fail, on the gate, and on what the docs say."""

    def __init__(self, problem: Problem, run: Run, judge: JudgeByDocs, seconds: float) -> None:
        self._problem, self._run, self._judge, self._seconds = problem, run, judge, seconds
        self._modules: Mapping[str, Module] = {one.module.path: one.module for one in problem.suspects}
        self._source = ShownTests(problem.project).text(told_apart(problem), TEST_TOKENS)

    def attempt(self, number: int, text: str) -> Attempt:
        """What comes of an answer."""
        failing = self._problem.failing
        try:
            changed = read_change(text, self._modules)
        except ReplyError as error:
            return Attempt(number, None, failing, against=error.reasons or (str(error),))
        report = self._run(as_asked(failing), changed.overlay, self._seconds)
        still = tuple(test for test in failing if fails(test, report))
        if still:
            why, told = f"{len(still)} of {len(failing)} tests still fail", []
            for test in still[:MOST_TOLD]:
                failure = report.failures.get(test)
                how = f"\n{failure_told(self._problem, without_addresses(failure))}" if failure else " did not end"
                told.append(f"{test}{how}")
            return Attempt(number, changed, still, against=(why,), told=tuple(told))
        gate = check_edit(self._tests(changed), changed.edit, self._run, seconds=self._seconds)
        unsure = tuple(test for test in failing if test in gate.unmet)
        against = [f"{test} passed before, and does not with this change" for test in gate.broken]
        against += [f"{test} passed with this change, and failed when it ran again" for test in unsure]
        against += [f"{test} fails within the changed code" for test in gate.refusing if test not in unsure]
        doubts = special_cases(changed, self._source)
        tried = Attempt(number, changed, unsure, tuple(against), doubts, gate=gate)
        if tried.against or tried.doubts:
            return tried
        opinion = self._judge(changed)
        tried = tried._replace(against=opinion.against, doubts=opinion.before)
        return tried._replace(unknown=opinion.unknown, confirmed=opinion.confirmed)

    def _tests(self, changed: Changed) -> OwnTests:
        """The project's tests: those first that were seen to run what changes, then those that import its modules."""
        project, index, report = self._problem.project, self._problem.index, self._problem.report
        paths = {module.path for module, _ in changed.texts}
        by_use = [test.partition("::")[0] for test, files in report.ran.items() if paths.intersection(files)]
        asked = [test.partition("::")[0] for test in self._problem.failing]
        groups = [own_tests(project, index, module) for module, _ in changed.texts]
        first = tuple(dict.fromkeys([*asked, *by_use]))
        near = tuple(dict.fromkeys(file for group in groups for file in group.near if file not in first))
        others = tuple(dict.fromkeys(file for file in groups[0].others if file not in {*first, *near}))
        return OwnTests(first, near, others)
