"""Is it what a function stands on that is wrong? A green dependency is reported by what a failing call asked of it.

Where a failure has outlasted a repair, the test author says what the calls of green dependencies that the smallest
failing case makes must give, from their contracts alone. A dependency that gives anything else is reported once a
second, independent answer bears that out: the calls become cases of its suite, and it goes back to work. The function
at work waits until that has ended.

To look for a call that is wrong while all that it was given is right is Shapiro's algorithmic debugging (1983), with
the contract in the place of the user who knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tdgen.briefs import claim_text, functions_named
from tdgen.build.agreement import say_the_same
from tdgen.build.call_recording import overheard
from tdgen.build.case_checks import settle_calls
from tdgen.build.evaluator import Bench
from tdgen.build.fault_reports import Charge
from tdgen.build.function_state import Task
from tdgen.build.group import Shop
from tdgen.errors import BudgetSpent, ModelError
from tdgen.inputs import not_covered
from tdgen.testgen.settling import Asking, Why
from tdgen.types import Call, Case, FunctionResult, FunctionSpec, Verdict

MOST_INQUIRIES: Final = 2
"""For one function: each is about the calls of one failing case."""
MOST_CALLS: Final = 4


def may_inquire(shop: Shop, task: Task) -> bool:
    """Whether a function's dependencies are to be looked at: it fails after a repair, and two calls are to spare."""
    return any(attempt.rung == "repair" for attempt in task.history) and _can_inquire(shop, task)


def must_inquire(shop: Shop, task: Task) -> bool:
    """Whether the smallest failing case names a green function itself: either may be wrong, before any repair."""
    if not _can_inquire(shop, task):
        return False
    named = functions_named(task.failing_shown[0], shop.plan)
    return any(result.function in named for result in _suspects(shop, task))


def _can_inquire(shop: Shop, task: Task) -> bool:
    if shop.docket is None or shop.is_blocked or not task.failing_shown:
        return False
    if task.inquiries >= MOST_INQUIRIES or not _suspects(shop, task):
        return False
    return shop.tools.purse.may_spend("settle", task.name, optional=True, calls=2)


def inquire(shop: Shop, task: Task) -> bool:
    """Ask what the smallest failing case's calls of dependencies must give; whether one of these is charged."""
    task.inquiries += 1
    for suspect, calls in _asked(shop, task):
        try:
            charged = _Inquiry(shop, task, suspect).charged(calls)
        except (BudgetSpent, ModelError) as error:
            shop.note(task, f"what it asks of {suspect.function} was not settled: {error}")
            return False
        charge = Charge(task.name, suspect.function, charged)
        if charged and shop.docket is not None and shop.docket.bring(charge):
            shop.charge = charge
            return True
    return False


def _suspects(shop: Shop, task: Task) -> list[FunctionResult]:
    """Green functions that it calls, or that a failing case names, and may charge: none whose suite was handed in."""
    named = frozenset[str]().union(*(functions_named(case, shop.plan) for case in task.failing_shown))
    return [
        result
        for result in shop.below
        if result.function in named.union(task.spec.dependencies)
        and result.function not in shop.draft.given
        and not shop.plan.spec(result.function).is_async
        and shop.docket is not None
        and shop.docket.admits(task.name, result.function)
    ]


def _asked(shop: Shop, task: Task) -> list[tuple[FunctionResult, tuple[Call, ...]]]:
    """The suspects of which the smallest failing case asks what no case of theirs says, and these calls."""
    if task.best is None:
        return []
    suspects = {result.function: result for result in _suspects(shop, task)}
    module = shop.bench(task).module(task.best.source, shop.around(task))
    limits, case = shop.tools.settings.limits, task.failing_shown[0]
    heard = overheard(shop.tools.sandbox, shop.plan.module, module, case, list(suspects), limits)
    found = []
    for name, calls in heard.items():
        cases = suspects[name].suite.cases
        if new := not_covered(calls, shop.plan.spec(name), cases, shop.plan.types):
            found.append((suspects[name], new[:MOST_CALLS]))
    return found


class _Inquiry:
    """What one green dependency is asked, and what its contract says of that."""

    def __init__(self, shop: Shop, task: Task, suspect: FunctionResult) -> None:
        self._shop = shop
        self._task = task
        self._suspect = suspect
        self._spec: FunctionSpec = shop.plan.spec(suspect.function)
        self._bench = Bench(shop.tools, shop.draft, self._spec)

    def charged(self, calls: Sequence[Call]) -> tuple[Case, ...]:
        """The calls that it fails as cases, each borne out by a second answer; none where it is right.

        BudgetSpent and ModelError pass through.
        """
        said = self._settled(calls, Why.CHARGE)
        failed = self._failed(said)
        wrong = [case for case in said if case.name in failed]
        if not wrong:
            return ()
        again = {case.situation: case for case in self._settled([case.done for case in wrong], Why.CHARGE_AGAIN)}
        expected, second = (self._bench.oracle.expectations(some) for some in (wrong, again.values()))
        failed_again = self._failed(list(again.values()))
        found = []
        for case in wrong:
            other = again.get(case.situation)
            if other is None or other.name not in failed_again:
                continue
            if say_the_same(case, expected[case.name], other, second[other.name], self._spec):
                self._tell(case, failed[case.name])
                found.append(case.model_copy(update={"confirmed": (*case.confirmed, "an independent sample")}))
        return tuple(found)

    def _settled(self, calls: Sequence[Call], why: Why) -> list[Case]:
        """What the contract says of the calls."""
        shop, cases = self._shop, self._suspect.suite.cases
        asking = Asking("caller", attempt=2 * self._task.inquiries - 1, why=why, there=cases)
        context = shop.draft.context(self._spec, [case for case in cases if case.is_law])
        return settle_calls(shop.tools, shop.draft, context, calls, asking).in_order

    def _failed(self, cases: Sequence[Case]) -> Mapping[str, Verdict]:
        """The cases that the dependency fails as it is, each called by itself."""
        best, bench = self._suspect.best, self._bench
        if best is None or not cases:
            return {}
        below = self._shop.draft.made_dependencies.below(self._spec.name)
        around = {name: source for name, source in self._shop.below_sources().items() if name in below}
        seen = bench.watched(bench.module(best.source, around), cases).observations
        verdicts = bench.oracle.verdicts(self._spec, cases, seen, bench.oracle.expectations(cases))
        return {verdict.case: verdict for verdict in verdicts if not verdict.passed}

    def _tell(self, case: Case, verdict: Verdict) -> None:
        told = f"by its contract {claim_text(case)}, but it {verdict.actual or verdict.status}"
        self._shop.note(self._task, f"{told}: {self._spec.name} goes back to work")
