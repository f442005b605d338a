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
from tdgen.pipeline.workshop.blame import inquire, may_inquire
from tdgen.pipeline.workshop.court import MOST_TRIED, MOST_VOTES, judge_doubtful, votes_for
from tdgen.pipeline.workshop.searching import Failed, search
from tdgen.pipeline.workshop.shop import Shop
from tdgen.pipeline.workshop.task import Task, signature
from tdgen.trials import Evidence, Ruling, hold_trial
from tdgen.types import Attempt, Case, Question, Revision, Step, digest

MOST_TRIALS = 2
MOST_SEARCHES = 3
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
    """Whether another attempt may be asked for."""
    return not shop.is_blocked and _attempts_left(shop, task) > 0


def _attempts_left(shop: Shop, task: Task) -> int:
    most = MOST_WITH_HELPERS if task.divided_at else shop.tools.settings.budget.iterations
    return most - len(task.written)


# The trial: before any code is bent to a case that most of what passes speaks against.


def _is_doubtful(shop: Shop, task: Task) -> bool:
    if not votes_for(shop.tools.settings.trust) or task.best is None or shop.is_blocked:
        return False
    return bool(_doubtful(shop, task)) and shop.can_spare(task, "trial")


def _doubtful(shop: Shop, task: Task) -> list[Case]:
    """Failing cases that may be wrong, none of them law.

    All of them where the attempt passes the law and most of the rest, or where it went on failing after a repair; else
    those on which an attempt of another line, which shares no code with this one, did the same.
    """
    failing = [case for case in task.failing if not case.is_law and task.heard[case.name] < MOST_TRIALS]
    untried = [case for case in failing if not task.heard[case.name]]
    few = len(task.failing) * 2 <= len(task.suite.cases) and not any(case.is_law for case in task.failing)
    if untried and (few or _was_repaired(task)):
        return untried[:MOST_TRIED]
    agreed = _agreed_against(shop, task, failing)
    return [case for case in failing if case.name in agreed][:MOST_TRIED]


def _was_repaired(task: Task) -> bool:
    """Whether the best attempt's failure has outlasted a repair."""
    return task.best is not None and ("repair", signature(task.best)) in task.climbed


def _agreed_against(shop: Shop, task: Task, failing: list[Case]) -> set[str]:
    """The failing cases on which an attempt of another line was seen to do just what the best did."""
    best, other = task.best, task.of_another_line
    if best is None or other is None or not failing:
        return set()
    bench = shop.bench(task)
    seen = {}
    for attempt in (best, other):
        module = bench.module(attempt.source, shop.around(task))
        seen[attempt.number] = bench.watched(module, failing).observations
    pairs = zip(failing, seen[best.number], seen[other.number], strict=True)
    return {case.name for case, one, other in pairs if agree(one, other, case.done, task.spec)}


def _try_cases(shop: Shop, task: Task) -> bool:
    return hold_court(shop, task, _doubtful(shop, task))


def hold_court(shop: Shop, task: Task, doubtful: list[Case]) -> bool:
    """Put cases on trial, and change the suite as it is decided; whether that changed anything."""
    evaluate = shop.evaluate(task)
    evidence = Evidence(
        spec=task.spec,
        plan=shop.plan,
        instruction=shop.draft.instruction.text,
        types=shop.draft.types,
        law=task.law,
    )
    held = max((task.heard[case.name] for case in doubtful), default=0)

    def vote(cases: Sequence[Case], number: int) -> Mapping[str, Ruling]:
        if number and not shop.can_spare(task, "trial"):
            return {}
        sample = held * MOST_VOTES + number
        return hold_trial(shop.tools.model, evidence, cases, evaluate=evaluate, sample=sample)

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


# The search: single edits, no model call.


def _can_search(shop: Shop, task: Task) -> bool:
    best = task.best
    if best is None or shop.is_blocked or not shop.tools.settings.search_seconds or best.findings or not best.verdicts:
        return False
    return bool(task.failing) and _search_key(task) not in task.searched


def _search_key(task: Task) -> str:
    """What a search would go through: the code that a model wrote last, and how much of the suite may be shown."""
    return digest([_written_last(task).source, sorted(case.name for case in task.suite.visible)])


def _written_last(task: Task) -> Attempt:
    """The best attempt or, where a search made that, the one that the search set out from."""
    if task.best is None:
        raise RuntimeError("nothing was written yet")
    by_hand = [a for a in task.history if a.rung != "mechanical" and a.line == task.best.line and a.verdicts]
    return by_hand[-1] if task.best.rung == "mechanical" and by_hand else task.best


def _search(shop: Shop, task: Task) -> bool:
    """Edit what a model wrote until all that is shown passes; a held-out case that fails then is shown too."""
    changed = False
    for _ in range(MOST_SEARCHES):
        promote(shop, task)
        if _search_key(task) in task.searched:
            break
        task.searched.add(_search_key(task))
        found = _edited(shop, task)
        if found is None:
            break
        changed = shop.enter({task.name: found}) or changed
        if task.green or task.failing_shown:
            break
    return changed


def _edited(shop: Shop, task: Task) -> Attempt | None:
    """What a search makes of the code that a model wrote last; None where it finds nothing."""
    written = _written_last(task)
    origin = written if written is task.best else shop.judged(task, written)
    verdicts = {verdict.case: verdict for verdict in origin.verdicts}
    failed = Failed(origin.source, shop.around(task), task.suite.visible, task.expected, verdicts)
    seconds = shop.tools.settings.search_seconds
    found = search(shop.bench(task), task.spec, shop.plan.types, failed, seconds=seconds)
    if found is None:
        return None
    return Attempt(
        function=task.name,
        number=shop.begin(task),
        source=found.source,
        rung="mechanical",
        line=origin.line,
        mended=(found.told,),
    )


# The model's rungs.


def _repair(shop: Shop, task: Task) -> bool:
    if task.best is None:
        return False
    promote(shop, task)
    shop.begin(task)
    attempt = repair(shop.tools.model, shop.brief(task), task.suite, task.best, task.history)
    shop.enter({task.name: attempt})
    return True


def promote(shop: Shop, task: Task) -> None:
    """Where the best attempt passes all that was shown but fails a held-out case, the smallest such case is shown."""
    if task.best is None or not task.failing or task.failing_shown:
        return
    case = task.failing[0]
    task.suite = task.suite.model_copy(update={"held_out": task.suite.held_out - {case.name}})
    reason = f"attempt {task.best.number} passed all that was shown and failed this held-out case"
    shop.revise(task, [Revision(function=task.name, case=case.name, action="promoted", reason=reason)])


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
    promote(shop, task)
    begin_afresh(shop, task, _attempts_left(shop, task))
    return True


RUNGS: tuple[Rung, ...] = (
    Rung("trial", _is_doubtful, _try_cases),  # is the case wrong? asked before anything is bent to it
    Rung("search", _can_search, _search),  # single edits tried in the sandbox, no model call
    Rung("blame", may_inquire, inquire),  # after a first repair: is what it stands on wrong?
    Rung("repair", _may_write, _repair),  # from what was observed of the best attempt
    Rung("second trial", _is_doubtful, _try_cases),  # a failure that outlasts a repair, or that another line shares
    Rung("trace", _can_trace, _trace),  # from the line trace of the smallest failing call
    Rung("another way", _may_write, _another),  # a fresh attempt, by another algorithm
)
