"""One function's state while it is built: its suite now, all attempts at it, and what was done about them.

Beside it the reports of faults in green dependencies, and the bounds that keep them few.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from tdgen.impl import objected
from tdgen.judge import Expected
from tdgen.types import (
    Attempt,
    Case,
    Correction,
    Example,
    Finding,
    FunctionSpec,
    Question,
    Revision,
    Strength,
    Suite,
    Verdict,
)

if TYPE_CHECKING:
    from tdgen.build.mutation_analysis import MutationAnalysis

MOST_CHARGES: Final = 2
"""How many callers may fault one function. Not tuned."""


class DependencyFault(NamedTuple):
    """A green dependency does not do what its contract says of these calls, or that is wrong: `caller` found it out."""

    caller: str
    function: str
    cases: tuple[Case, ...] = ()
    corrections: tuple[Correction, ...] = ()


@dataclass(eq=False)
class FaultReports:
    """The faults of one build. Safe to use from several threads.

    Each function faults a dependency once at most, and each is reported at most twice in all; but a correction of its
    contract always reaches it: there are no more of these than arbitrations, and no sentence is corrected twice.
    """

    _lock: threading.RLock = field(default_factory=threading.RLock)
    _brought: set[tuple[str, str]] = field(default_factory=set)
    _against: Counter[str] = field(default_factory=Counter)
    _has_corrections: bool = False

    def __bool__(self) -> bool:
        """Whether any fault was ever reported."""
        return bool(self._brought) or self._has_corrections

    def admits(self, caller: str, function: str) -> bool:
        """Whether `caller` may still fault `function`."""
        with self._lock:
            return (caller, function) not in self._brought and self._against[function] < MOST_CHARGES

    def bring(self, fault: DependencyFault) -> bool:
        """Enter a fault; False where it comes too late."""
        with self._lock:
            if fault.corrections:
                self._has_corrections = True
                return True
            admitted = self.admits(fault.caller, fault.function)
            if admitted:
                self._brought.add((fault.caller, fault.function))
                self._against[fault.function] += 1
            return admitted


@dataclass(frozen=True)
class FunctionState:
    """What the repair strategies look at; each gives another one back.

    `expected` is what the oracle evaluated for the suite's cases; it stays in this process. `tried` holds the
    strategies that were tried on a failure, by its signature. `arbitrations` counts them all, `arbitrated` those of
    each case, and `evidence_given` is what the arbiters were told there. `returned` are the cases that went back to
    their author, `searched` the sources that a patch search went through. `analysis` is the mutation analysis of the
    best attempt. `decomposed_at` is how many attempts there were when the function was decomposed into helpers; 0 where
    it was not. `fault_queries` counts those about what it stands on, and `neighbours_tried` says whether the neighbours
    of a repair were asked about.
    `compared_sources` were compared with the second reading, `unanswered` are the calls on which the last of them
    differs from it and of which nobody could say what is right. `open_corrections` are questions about corrected
    contracts: the cases that were made from them may be wrong.

    Of code that exists `near_concern` are the lines at which what the user worries about is decided, None where nobody
    was asked yet; `deviating` are the cases by which it does not do what its docs say, `findings` what they show,
    and `unsettled` are questions about others that it fails.
    """

    spec: FunctionSpec
    suite: Suite
    expected: Mapping[str, Expected]
    history: tuple[Attempt, ...] = ()
    best: Attempt | None = None
    revisions: tuple[Revision, ...] = ()
    questions: tuple[Question, ...] = ()
    answers: tuple[Example, ...] = ()
    notes: tuple[str, ...] = ()
    tried: frozenset[tuple[str, str]] = frozenset()
    arbitrations: int = 0
    arbitrated: Mapping[str, int] = field(default_factory=dict)
    evidence_given: frozenset[tuple[str, str]] = frozenset()
    returned: frozenset[str] = frozenset()
    searched: frozenset[str] = frozenset()
    analysis: MutationAnalysis | None = None
    strength: Strength | None = None
    strength_before: Strength | None = None
    near_concern: frozenset[int] | None = None
    rounds: int = 0
    compared: bool = False
    neighbours_tried: bool = False
    fault_queries: int = 0
    compared_sources: tuple[str, ...] = ()
    unanswered: tuple[Question, ...] = ()
    open_corrections: tuple[Question, ...] = ()
    decomposed_at: int = 0
    findings: tuple[Finding, ...] = ()
    deviating: tuple[Case, ...] = ()
    unsettled: tuple[Question, ...] = ()

    @property
    def name(self) -> str:
        """The function's name."""
        return self.spec.name

    @property
    def green(self) -> bool:
        """Whether the best attempt is."""
        return self.best is not None and self.best.green

    @property
    def passes(self) -> bool:
        """Whether the best attempt passes, be it green or a patch that nobody confirmed."""
        return self.best is not None and self.best.passes

    @property
    def made(self) -> Attempt:
        """The best attempt, once there is one."""
        if self.best is None:
            raise RuntimeError("nothing was written yet: only what is there can be repaired or strengthened")
        return self.best

    @property
    def best_written(self) -> Attempt:
        """The best attempt or, where that is a patch, the attempt of a model that the patch was found for."""
        by_author = [a for a in self.history if not a.is_patch and a.line == self.made.line and a.verdicts]
        return by_author[-1] if self.made.is_patch and by_author else self.made

    @property
    def failing(self) -> tuple[Case, ...]:
        """The cases that the best attempt fails, the smallest first."""
        failed = {v.case for v in self.verdicts.values() if not v.passed}
        cases = [case for case in self.suite.cases if case.name in failed]
        return tuple(sorted(cases, key=lambda case: (len(case.setup + case.expression), case.name)))

    @property
    def objected(self) -> Mapping[str, tuple[str, ...]]:
        """What developers said against cases, by case, once for each attempt that objects."""
        said: dict[str, tuple[str, ...]] = {}
        for attempt in self.history:
            for objection in attempt.objections:
                said[objection.case] = (*said.get(objection.case, ()), objection.sentence)
        return said

    @property
    def failing_shown(self) -> tuple[Case, ...]:
        """Those of them that a prompt may show."""
        return tuple(case for case in self.failing if case.name not in self.suite.held_out)

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """The verdicts on the best attempt, by case."""
        return {verdict.case: verdict for verdict in self.best.verdicts} if self.best else {}

    @property
    def pinned(self) -> tuple[Case, ...]:
        """The cases that the user wrote."""
        return tuple(case for case in self.suite.cases if case.is_pinned)

    @property
    def of_another_line(self) -> Attempt | None:
        """The latest attempt that shares no code with the best."""
        return max(self.of_other_lines, key=lambda attempt: attempt.number, default=None)

    @property
    def of_other_lines(self) -> list[Attempt]:
        """The latest attempt of each line that shares no code with the best."""
        by_line = {a.line: a for a in self.history if self.best is not None and a.line != self.best.line and a.source}
        return [*by_line.values()]

    @property
    def written(self) -> list[Attempt]:
        """The attempts that a model was asked for one after the other, since the function was decomposed if it was."""
        since = self.history[self.decomposed_at :]
        return [attempt for attempt in since if attempt.rung not in ("kept", "mechanical", "rival", "reading")]

    def known_objections(self, attempt: Attempt) -> frozenset[str]:
        """What the author of an attempt knew to be objected to when it was written; nothing for those who saw none."""
        if attempt.rung in ("rival", "reading"):
            return frozenset()
        earlier = (a.findings for a in self.history if a.number < attempt.number)
        return frozenset(filter(None, (objected(finding) for findings in earlier for finding in findings)))

    def going_on_from(self, later: FunctionState) -> FunctionState:
        """The state with the suite, and all that was made, asked and noted, of one that was decomposed."""
        return replace(
            self,
            suite=later.suite,
            expected=later.expected,
            rounds=later.rounds,
            history=later.history,
            revisions=later.revisions,
            questions=later.questions,
            answers=later.answers,
            notes=later.notes,
            arbitrated=later.arbitrated,
            evidence_given=later.evidence_given,
            returned=later.returned,
            searched=later.searched,
            compared_sources=later.compared_sources,
        )

    def with_changed(self, cases: Mapping[str, Case | None], expected: Mapping[str, Expected]) -> FunctionState:
        """The state with cases changed by name, those that are None dropped; `expected` is that of the changed ones."""
        suite = self.suite.changed(cases)
        names = {case.name for case in suite.cases}
        merged = {**self.expected, **expected}
        return replace(self, suite=suite, expected={name: value for name, value in merged.items() if name in names})

    def with_cases(self, cases: Sequence[Case], expected: Mapping[str, Expected], *, held_out: bool) -> FunctionState:
        """The state with more cases, held out from every prompt or not."""
        held = self.suite.held_out | (frozenset(case.name for case in cases) if held_out else frozenset())
        suite = self.suite.model_copy(update={"cases": (*self.suite.cases, *cases), "held_out": held})
        return replace(self, suite=suite, expected={**self.expected, **expected})

    def with_arbitrated(self, cases: Sequence[Case], changed: Mapping[str, Case | None]) -> FunctionState:
        """The state with one arbitration more of each of these cases, some of which have another name after it."""
        arbitrated, evidence = dict(self.arbitrated), self.evidence_given
        for case in cases:
            now = changed.get(case.name) or case
            arbitrated[now.name] = arbitrated.pop(case.name, 0) + 1
            evidence |= {(now.name, text) for name, text in evidence if name == case.name}
        return replace(self, arbitrated=arbitrated, evidence_given=evidence)


def signature(attempt: Attempt) -> str:
    """What an attempt fails in, and how: equal for two that fail alike."""
    failed = sorted(f"{v.case}: {v.actual}" for v in attempt.verdicts if not v.passed)
    return "\n".join([*attempt.findings, *failed, *(veto[:200] for veto in attempt.vetoes)])
