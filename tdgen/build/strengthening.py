"""What is green is challenged: mutants that its suite lets through name the calls that it lacks.

So do likely calls on which the implementation raises what its contract never names. At trust level quick no mutants
are made: a look at the implementation alone is enough to find those, and calls that reach what no case reaches; the
author is asked only where there are any.

The test author says what those calls must give, from the contract alone. What comes back are cases that no prompt has
shown, so that they also take the place of held-out cases that had to be shown; they are judged, and tried, like
all others.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from tdgen.build.case_checks import settle_calls
from tdgen.build.differential import compare
from tdgen.build.function_state import Task
from tdgen.build.group import Shop
from tdgen.build.mutation_analysis import MOST_CALLS, Analyst, leave_open, telling_calls
from tdgen.build.neighbours import try_neighbours
from tdgen.build.property_check import challenge_properties
from tdgen.build.second_reading import question_readings
from tdgen.build.smoke_check import overlooked
from tdgen.errors import BudgetSpent, ModelError
from tdgen.events import SuiteWritten
from tdgen.inputs import alike
from tdgen.testgen.settling import Asking, Settled
from tdgen.types import Call, Strength

PATIENCE_S = 0.15  # a call of a mutant that takes longer than this is taken for one that never ends


def challenge(shop: Shop) -> bool:
    """Challenge what is green, as often as the trust level says; whether a suite has grown, so that healing is due."""
    policy = shop.tools.settings.policy
    due = [task for task in shop.tasks.values() if _is_due(shop, task, policy.rounds)]
    parted = [task for task in due if question_readings(shop, task, policy.seconds)]
    parted += [task for task in due if task not in parted and not task.compared and compare(shop, task)]
    parted += [task for task in due if task not in parted and challenge_properties(shop, task)]
    if policy.tries_neighbours:
        parted += [
            task
            for task in shop.tasks.values()
            if task not in parted and _is_own(shop, task) and try_neighbours(shop, task)
        ]
    grown = parted or [task for task in due if _grown(shop, task)]
    if grown:
        shop.judge_again()
    return bool(grown)


def measure(shop: Shop) -> None:
    """Note how strong the suites of what is green are in the end."""
    for task in shop.tasks.values():
        if not task.green or not shop.tools.settings.policy.makes_mutants or task.best is None:
            continue
        kept = shop.draft.kept.get(task.name)
        if kept is not None and kept.best is not None and kept.best.source == task.best.source and kept.strength:
            task.strength = kept.strength
            continue
        began = time.monotonic()
        found = task.analysis
        analyst = _analyst(shop, task)
        if found is None or found.source != task.best.source:
            found = analyst.analysis(task.expected)
            analyst.tell_apart(found)
        else:
            analyst.kill_more(found, task.expected)
        lines, branches = shop.bench(task).coverage(task.best.source, shop.around(task), task.suite.cases)
        seconds = found.seconds + time.monotonic() - began
        task.strength = _compared(found.strength(lines=lines, branches=branches, seconds=seconds), task.strength_before)


def _compared(strength: Strength, before: Strength | None) -> Strength:
    """The strength, beside what it was before cases were asked for by survivors."""
    if before is None:
        return strength
    return strength.model_copy(update={"raw_before": before.raw, "score_before": before.score})


def _is_due(shop: Shop, task: Task, rounds: int) -> bool:
    """Whether a task is to be challenged: green, not kept or handed in, and not challenged often enough."""
    return task.green and task.challenges < rounds and _is_own(shop, task) and not shop.is_blocked


def _is_own(shop: Shop, task: Task) -> bool:
    """Whether a task's suite may grow: it was neither kept nor handed in."""
    return task.name not in {*shop.draft.given, *shop.draft.kept}


def _grown(shop: Shop, task: Task) -> bool:
    """Find the calls that a suite lacks and have them settled; whether cases were added."""
    task.challenges += 1
    calls = _lacking(shop, task) if shop.tools.settings.policy.makes_mutants else overlooked(shop, task)
    if not calls:
        return False
    if not shop.can_spare(task, "settle"):
        shop.note(task, f"no call is left to ask for the {len(calls)} cases that its suite lacks")
        return False
    settled = _settled(shop, task, calls)
    if task.analysis is not None:
        leave_open(task.analysis, [calls[place] for place in settled.open | settled.forbidden])
    cases = settled.in_order
    task.add(cases, shop.bench(task).oracle.expectations(cases), held_out=True)
    if cases:
        shop.tools.emit(SuiteWritten(suite=task.suite))
    return bool(cases)


def _lacking(shop: Shop, task: Task) -> list[Call]:
    """Calls that tell mutants from the implementation, which no case does, and those on which it does the unspoken."""
    began = time.monotonic()
    analyst = _analyst(shop, task)
    found = task.analysis = analyst.analysis(task.expected)
    unspoken = analyst.unspoken() if task.challenges == 1 else []
    analyst.tell_apart(found)
    found.seconds = time.monotonic() - began
    if task.strength_before is None:
        task.strength_before = found.strength(lines=None, branches=None, seconds=found.seconds)
    calls = telling_calls(found)
    for call in [*_in_place_of_promoted(task, analyst.likely, len(calls)), *unspoken]:
        calls += [call] if not any(alike(call, one) for one in calls) else []
    return calls


def _in_place_of_promoted(task: Task, likely: Sequence[Call], there: int) -> list[Call]:
    """As many calls as held-out cases had to be shown, so that new ones take their place."""
    promoted = sum(revision.action == "promoted" for revision in task.revisions)
    wanted = min(promoted, MOST_CALLS) - there
    return list(likely[:: max(1, len(likely) // wanted)][:wanted]) if wanted > 0 else []


def _settled(shop: Shop, task: Task, calls: Sequence[Call]) -> Settled:
    asking = Asking(attempt=2 * task.challenges - 1, there=task.suite.cases)
    try:
        return settle_calls(shop.tools, shop.draft, shop.draft.context(task.spec, task.law), calls, asking)
    except (BudgetSpent, ModelError) as error:
        shop.note(task, f"its suite could not be made stronger: {error}")
        return Settled({})


def _analyst(shop: Shop, task: Task) -> Analyst:
    if task.best is None:
        raise RuntimeError("there is nothing to analyse")
    source = task.best.source
    screen = shop.bench(task).screen(source, shop.around(task), wall_s=PATIENCE_S)
    policy = shop.tools.settings.policy
    deadline, thorough = time.monotonic() + policy.seconds, policy.asks_of_each_mutant
    return Analyst(screen, source, task.spec, task.suite.cases, shop.plan.types, deadline, thorough=thorough)
