"""The ladder: what is tried on a function that is not green, the least costly first, as a tuple of named rungs.

A rung fits a task or not. One that was climbed has changed something (a new attempt, a changed suite), so that the
ladder is looked at from its foot again; each is climbed at most once on the same failure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tdgen.errors import BudgetSpent, ModelError
from tdgen.impl import repair, trace_repair
from tdgen.judge import agree
from tdgen.pipeline.workshop.afresh import begin_afresh
from tdgen.pipeline.workshop.blame import inquire, may_inquire, must_inquire
from tdgen.pipeline.workshop.court import MOST_TRIED, MOST_VOTES, judge_doubtful, votes_for
from tdgen.pipeline.workshop.mechanical import can_search, search_edits
from tdgen.pipeline.workshop.shop import Shop
from tdgen.pipeline.workshop.task import Task, signature
from tdgen.trials import Ruling, hold_trial
from tdgen.types import Case, Question, Revision, Step

MOST_TRIALS = 2
MOST_DISPUTED = 2
MOST_WITH_HELPERS = 3


class Rung(NamedTuple):
    """A way to heal: its name, whether it fits, and how it is climbed; climbing tells whether anything changed."""

    name: str
    fits: Callable[[Shop, Task], bool]
    climb: Callable[[Shop, Task], bool]


def climb(shop: Shop, task: Task) -> bool:
    """Climb the first rung that fits and changes something; False where the ladder ends."""
    for rung in RUNGS:
        key = (rung.name, signature(task.best) if task.best else "")
        if key not in task.climbed and rung.fits(shop, task):
            task.climbed.add(key)
            if rung.climb(shop, task):
                return True
    return False


def _may_write(shop: Shop, task: Task) -> bool:
    """Whether another attempt may be asked for: none once two developers' words speak against all that it fails."""
    return not shop.is_blocked and _attempts_left(shop, task) > 0 and not task.is_disputed(MOST_DISPUTED)


def _attempts_left(shop: Shop, task: Task) -> int:
    most = MOST_WITH_HELPERS if task.divided_at else shop.tools.settings.budget.iterations
    return most - len(task.written)


# The trial: before any code is bent to a case that most of what passes speaks against.


def _is_doubtful(shop: Shop, task: Task) -> bool:
    if not votes_for(shop.tools.settings.trust) or task.best is None or shop.is_blocked:
        return False
    return bool(_doubtful(shop, task)) and shop.can_spare(task, "trial")


def _doubtful(shop: Shop, task: Task) -> dict[str, list[str]]:
    """Failing cases that may be wrong, none of them law, each with what speaks against it beside the failure.

    First those to which a developer objects in words that were not heard yet. Else all of them where the attempt
    passes the law and most of the rest, or where it went on failing after a repair; else those on which an attempt of
    another line, which shares no code with this one, did the same.
    """
    failing = [case for case in task.failing if not case.is_law and task.heard[case.name] < MOST_TRIALS]
    if objected := {case.name: told for case in failing if (told := _objections(task, case))}:
        return dict([*objected.items()][:MOST_TRIED])
    untried = [case for case in failing if not task.heard[case.name]]
    few = len(task.failing) * 2 <= len(task.suite.cases) and not any(case.is_law for case in task.failing)
    if untried and (few or _was_repaired(task)):
        return {case.name: [] for case in untried[:MOST_TRIED]}
    agreed = _agreed_against(shop, task, failing)
    alike = {name: [f"two implementations that share no code: it {given}"] for name, given in agreed.items()}
    return dict([*alike.items()][:MOST_TRIED])


def _objections(task: Task, case: Case) -> list[str]:
    """What developers said against a case in words on which no trial was held."""
    quotes = [quote for quote in task.objected.get(case.name, ()) if (case.name, quote) not in task.heard_objections]
    return [f'a developer objects, quoting: "{quote}"' for quote in quotes]


def _was_repaired(task: Task) -> bool:
    """Whether the best attempt's failure has outlasted a repair."""
    return task.best is not None and ("repair", signature(task.best)) in task.climbed


def _agreed_against(shop: Shop, task: Task, failing: list[Case]) -> dict[str, str]:
    """What the best attempt did on the failing cases on which an attempt of another line was seen to do the same."""
    best, other = task.best, task.of_another_line
    if best is None or other is None or not failing:
        return {}
    bench = shop.bench(task)
    seen = {}
    for attempt in (best, other):
        module = bench.module(attempt.source, shop.around(task))
        seen[attempt.number] = bench.watched(module, failing).observations
    pairs = zip(failing, seen[best.number], seen[other.number], strict=True)
    return {
        case.name: task.verdicts[case.name].actual
        for case, one, other in pairs
        if agree(one, other, case.done, task.spec)
    }


def _try_cases(shop: Shop, task: Task) -> bool:
    doubts = _doubtful(shop, task)
    changed = _hold_court(shop, task, [case for case in task.suite.cases if case.name in doubts], doubts)
    task.heard_objections |= {(name, quote) for name in doubts for quote in task.objected.get(name, ())}
    return changed


def _hold_court(shop: Shop, task: Task, doubtful: list[Case], doubts: Mapping[str, Sequence[str]]) -> bool:
    """Put cases on trial, and change the suite as it is decided; whether that changed anything."""
    evaluate = shop.evaluate(task)
    context = shop.draft.context(task.spec, task.law)
    held = max((task.heard[case.name] for case in doubtful), default=0)

    def vote(cases: Sequence[Case], number: int) -> Mapping[str, Ruling]:
        if number and not shop.can_spare(task, "trial"):
            return {}
        sample = held * MOST_VOTES + number
        return hold_trial(shop.tools.model, context, cases, evaluate=evaluate, doubts=doubts, sample=sample)

    def passes(cases: Sequence[Case]) -> Mapping[str, bool]:
        return _passes(shop, task, cases)

    try:
        judgement = judge_doubtful(doubtful, vote, passes, votes=votes_for(shop.tools.settings.trust))
    except (BudgetSpent, ModelError) as error:
        shop.note(task, f"its doubtful cases were not tried: {error}")
        return False
    task.heard.update(case.name for case in doubtful)
    if judgement.changed:
        now = [case for case in judgement.changed.values() if case is not None]
        task.replace(judgement.changed, shop.bench(task).oracle.expectations(now))
    _ask_of_the_open(task, doubtful, judgement.revisions)
    shop.revise(task, judgement.revisions)
    if judgement.revisions:
        shop.judge_again()
    return bool(judgement.revisions)


def _ask_of_the_open(task: Task, tried: list[Case], revisions: tuple[Revision, ...]) -> None:
    """What the contract does not settle is a question: what a case expected, and what the implementation gives."""
    quarantined = {revision.case for revision in revisions if revision.action == "quarantined"}
    for case in tried:
        if case.name in quarantined:
            told = task.verdicts.get(case.name)
            gives = told.actual if told else ""
            task.questions.append(
                Question(
                    question=f"What should `{case.expression}` give? The contract does not settle it.",
                    assumption=f"what the implementation does: it {gives}" if gives else "left open",
                    function=task.name,
                    call=case.expression,
                    options=tuple(filter(None, (gives,))),
                )
            )


def _passes(shop: Shop, task: Task, cases: Sequence[Case]) -> dict[str, bool]:
    """Which of the cases, perhaps changed, the best attempt passes."""
    if task.best is None or not task.best.source:
        return {}
    bench = shop.bench(task)
    module = bench.module(task.best.source, shop.around(task))
    expected = bench.oracle.expectations(cases)
    seen = bench.watched(module, cases).observations
    return {v.case: v.passed for v in bench.oracle.verdicts(task.spec, cases, seen, expected)}


# The model's rungs.


def _repair(shop: Shop, task: Task) -> bool:
    if task.best is None:
        return False
    shop.promote(task)
    shop.begin(task)
    base, patch = task.best, ""
    if task.best.is_patch:
        base, patch = shop.judged(task, task.best_written), task.best.mended[0]
    attempt = repair(shop.tools.model, shop.brief(task), task.suite, base, task.history, patch=patch)
    shop.enter({task.name: attempt})
    return True


def _can_trace(shop: Shop, task: Task) -> bool:
    best = task.best
    return _may_write(shop, task) and best is not None and bool(best.verdicts) and bool(task.failing_shown)


def _trace(shop: Shop, task: Task) -> bool:
    if task.best is None:
        return False
    steps = _steps(shop, task)
    if not steps:
        return False
    shop.begin(task)
    brief = shop.brief(task)
    attempt = trace_repair(shop.tools.model, brief, task.suite, task.best, task.history, steps)
    shop.enter({task.name: attempt})
    return True


def _steps(shop: Shop, task: Task) -> tuple[Step, ...]:
    """The line trace of the smallest failing call that a prompt may show, its lines counted in the attempt's source."""
    if task.best is None:
        return ()
    bench = shop.bench(task)
    module = bench.module(task.best.source, shop.around(task))
    return bench.steps(module, task.best.source, task.failing_shown[0])


def _another(shop: Shop, task: Task) -> bool:
    """Another algorithm, told what failed; at trust level strict two at once, and the better of them counts."""
    shop.promote(task)
    begin_afresh(shop, task, _attempts_left(shop, task))
    return True


RUNGS: tuple[Rung, ...] = (
    Rung("trial", _is_doubtful, _try_cases),  # is the case wrong? asked before anything is bent to it
    Rung("blame of what a case names", must_inquire, inquire),  # either of the two functions may be wrong
    Rung("search", can_search, search_edits),  # single edits tried in the sandbox, no model call
    Rung("blame", may_inquire, inquire),  # after a first repair: is what it stands on wrong?
    Rung("repair", _may_write, _repair),  # from what was observed of the best attempt
    Rung("second trial", _is_doubtful, _try_cases),  # a failure that outlasts a repair, or that another line shares
    Rung("trace", _can_trace, _trace),  # from the line trace of the smallest failing call
    Rung("another way", _may_write, _another),  # a fresh attempt, by another algorithm
)
