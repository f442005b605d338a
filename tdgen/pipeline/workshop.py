"""One group of functions at work: attempts made, judged and mended until all are green or the bounds are met."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tdgen.depgraph import Group
from tdgen.errors import BudgetSpent
from tdgen.events import AttemptJudged, AttemptStarted, CaseRevised
from tdgen.impl import Brief, implement, repair
from tdgen.pipeline.bench import Bench
from tdgen.pipeline.draft import Draft, Tools
from tdgen.types import Attempt, FunctionResult, Outcome, Revision, Suite


class Finished(NamedTuple):
    """How a group ended; `stopped` says which limit ended it early."""

    results: tuple[FunctionResult, ...]
    revisions: tuple[Revision, ...]
    stopped: str = ""


class Workshop:
    """Works on one group, mostly of one function; functions that call each other are tried together."""

    def __init__(self, tools: Tools, draft: Draft, group: Group, below: Mapping[str, FunctionResult]) -> None:
        self._tools = tools
        self._draft = draft
        self._group = group
        self._plan = draft.made_plan
        needed = {name for member in group for name in draft.made_dependencies.below(member)}.difference(group)
        self._below = [below[name] for other in draft.made_dependencies.order for name in other if name in needed]
        self._suites: dict[str, Suite] = {name: draft.suites[name] for name in group}
        self._benches = {name: Bench(tools, draft, self._plan.spec(name)) for name in group}
        self._history: dict[str, list[Attempt]] = {name: [] for name in group}
        self._best: dict[str, Attempt] = {}
        self._revisions: list[Revision] = []

    def work(self) -> Finished:
        """Attempt after attempt; the best so far is never lost, also where the budget ends it."""
        stopped = ""
        try:
            self._try({name: self._first(name) for name in self._group})
            for _ in range(1, self._iterations()):
                failing = [name for name in self._group if not self._best[name].green]
                if not failing or not any(self._suites[name].cases for name in failing):
                    break
                self._promote(failing)
                self._try(self._best | {name: self._mended(name) for name in failing})
        except BudgetSpent as error:
            stopped = str(error)
        return Finished(tuple(self._result(name, stopped) for name in self._group), tuple(self._revisions), stopped)

    def _iterations(self) -> int:
        """How many attempts may be made: one where it stands on what is not green, as no repair can make it so."""
        blocked = any(result.outcome != "green" for result in self._below)
        return 1 if blocked else self._tools.settings.budget.iterations

    def _first(self, name: str) -> Attempt:
        self._tools.emit(AttemptStarted(function=name, number=1))
        kept = self._draft.kept.get(name)
        if kept is not None and kept.best is not None:
            return Attempt(function=name, number=1, source=kept.best.source)
        return implement(self._tools.model, self._brief(name), self._suites[name])

    def _mended(self, name: str) -> Attempt:
        history = self._history[name]
        self._tools.emit(AttemptStarted(function=name, number=len(history) + 1))
        return repair(self._tools.model, self._brief(name), self._suites[name], self._best[name], history)

    def _brief(self, name: str) -> Brief:
        settings = self._tools.settings
        return Brief(
            spec=self._plan.spec(name),
            plan=self._plan,
            types=self._draft.types,
            python=self._tools.python,
            allowed=frozenset(settings.allow),
            forbidden=frozenset(settings.forbid),
        )

    def _try(self, attempts: Mapping[str, Attempt]) -> None:
        """Judge the attempts together; they become the best so far where together they pass more."""
        below = {result.function: _source(result.function, result.best) for result in self._below}
        judged = {}
        for name, attempt in attempts.items():
            if attempt is self._best.get(name) and len(self._group) == 1:
                judged[name] = attempt
                continue
            others = {n: _source(n, other) for n, other in attempts.items() if n != name}
            bare = attempt.model_copy(update={"verdicts": (), "vetoes": ()})
            judged[name] = self._benches[name].judged(bare, self._suites[name], below | others)
            if attempt is not self._best.get(name):
                self._history[name].append(judged[name])
                self._tools.emit(AttemptJudged(attempt=judged[name]))
        if not self._best or _is_better(judged, self._best):
            self._best = judged

    def _promote(self, failing: list[str]) -> None:
        """Where an attempt passes all that was shown but fails a held-out case, the smallest such case is shown."""
        for name in failing:
            suite = self._suites[name]
            failed = {verdict.case for verdict in self._best[name].verdicts if not verdict.passed}
            if not failed or failed - suite.held_out:
                continue
            case = min((c for c in suite.cases if c.name in failed), key=lambda c: (len(c.expression), c.name))
            self._suites[name] = suite.model_copy(update={"held_out": suite.held_out - {case.name}})
            reason = f"attempt {self._best[name].number} passed all that was shown and failed this held-out case"
            self._revisions.append(Revision(function=name, case=case.name, action="promoted", reason=reason))
            self._tools.emit(CaseRevised(revision=self._revisions[-1]))

    def _result(self, name: str, stopped: str) -> FunctionResult:
        best = self._best.get(name)
        outcome, reason = self._outcome(name, best, stopped)
        return FunctionResult(
            function=name,
            outcome=outcome,
            suite=self._suites[name],
            best=best,
            history=tuple(self._history[name]),
            reason=reason,
        )

    def _outcome(self, name: str, best: Attempt | None, stopped: str) -> tuple[Outcome, str]:
        if not self._suites[name].cases:
            return "undecided", "it has no case that can be judged"
        right = best is not None and best.green
        if stopped and not right:
            return "red", stopped
        blockers = [result.function for result in self._below if result.outcome != "green"]
        if right:
            blockers += [other for other in self._group if not (self._best.get(other) and self._best[other].green)]
        if blockers:
            passes = "it passes" if right else "it does not pass"
            return "blocked", f"{passes}, but stands on what is not green: {', '.join(blockers)}"
        attempts = len(self._history[name])
        return ("green", "") if right else ("red", f"not right after {attempts} attempt{'s' * (attempts != 1)}")


def _is_better(attempts: Mapping[str, Attempt], best: Mapping[str, Attempt]) -> bool:
    """Whether the attempts come before the best so far; with no more passed than that, they must break none of it."""
    merit, bar = _merit(attempts), _merit(best)
    return merit > bar or (merit == bar and _passed(attempts) >= _passed(best))


def _passed(attempts: Mapping[str, Attempt]) -> set[tuple[str, str]]:
    return {(v.function, v.case) for attempt in attempts.values() for v in attempt.verdicts if v.passed}


def _merit(attempts: Mapping[str, Attempt]) -> tuple[int, int, int]:
    """How good attempts are together: all green first, then by cases passed, then by code that can be run at all."""
    return (
        sum(attempt.green for attempt in attempts.values()),
        sum(attempt.passed for attempt in attempts.values()),
        sum(bool(attempt.source) and not attempt.findings for attempt in attempts.values()),
    )


def _source(name: str, attempt: Attempt | None) -> str:
    """What stands for a function in others' trials: its best code, or a refusal where it has none that can be read."""
    if attempt is not None and attempt.source:
        return attempt.source
    return f"def {name}(*args, **kwargs):\n    raise NotImplementedError('{name} could not be written')\n"
