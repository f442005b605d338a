"""One function's state while it is built, and reports of faults in what it stands on.

Reports of faults in green dependencies, and the bounds that keep them few.

One function's state while it is built: its suite now, all attempts at it, and what was done about them.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from tdgen.build.mutation_analysis import MutationAnalysis
from tdgen.impl import objected
from tdgen.judge import Expected
from tdgen.types import Attempt, Case, Correction, Example, FunctionSpec, Question, Revision, Strength, Suite, Verdict

MOST_CHARGES: Final = 2


class DependencyFault(NamedTuple):
    """A green dependency does not do what its contract says of these calls, or that is wrong: `caller` found it out."""

    caller: str
    function: str
    cases: tuple[Case, ...] = ()
    corrections: tuple[Correction, ...] = ()


class FaultReports:
    """The faults of one build. Safe to use from several threads.

    Each function faults a dependency once at most, and each is reported at most twice in all; but a correction of its
    contract always reaches it: there are no more of these than arbitrations, and no sentence is corrected twice.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._brought: set[tuple[str, str]] = set()
        self._against: Counter[str] = Counter()
        self._has_corrections = False

    def __bool__(self) -> bool:
        """Whether any fault was ever reported."""
        return bool(self._brought) or self._has_corrections

    def admits(self, caller: str, function: str) -> bool:
        """Whether `caller` may still fault `function`."""
        with self._lock:
            return self._admits(caller, function)

    def bring(self, fault: DependencyFault) -> bool:
        """Enter a fault; False where it comes too late."""
        with self._lock:
            if fault.corrections:
                self._has_corrections = True
                return True
            admitted = self._admits(fault.caller, fault.function)
            if admitted:
                self._brought.add((fault.caller, fault.function))
                self._against[fault.function] += 1
            return admitted

    def _admits(self, caller: str, function: str) -> bool:
        return (caller, function) not in self._brought and self._against[function] < MOST_CHARGES


@dataclass
class FunctionState:
    """What the repair strategies look at, and change.

    `expected` is what the oracle evaluated for the suite's cases; it stays in this process. `tried` holds the
    strategies that were tried on a failure, by its signature. `arbitrations` counts them all, `heard` those of each
    case, and `heard_evidence` is what was told there. `agreed_on` is what attempts of several lines were last seen to
    do alike, after a digest of what was compared. `returned` are the cases that went back to their author, `searched`
    the sources that a patch search went through; `edits_parted` says whether the author was asked to tell edits apart.
    `analysis` is the mutation analysis of the best attempt. `decomposed_at` is how many attempts there were when the
    function was decomposed into helpers; 0 where it was not. `fault_queries` counts those about what it stands on, and
    `neighbours_tried` says whether the neighbours of a repair were asked about. `held_against` are the sources that
    were compared with the second reading, `unanswered` the calls on which the last of them differs from it and of
    which nobody could say what is right. `unruled` are the corrections of contracts after which nobody could rule on
    the cases that were made from them.
    """

    spec: FunctionSpec
    suite: Suite
    expected: dict[str, Expected]
    history: list[Attempt] = field(default_factory=list)
    best: Attempt | None = None
    revisions: list[Revision] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    answers: list[Example] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tried: set[tuple[str, str]] = field(default_factory=set)
    arbitrations: int = 0
    heard: Counter[str] = field(default_factory=Counter)
    heard_evidence: set[tuple[str, str]] = field(default_factory=set)
    agreed_on: tuple[str, Mapping[str, str]] = ("", {})
    returned: set[str] = field(default_factory=set)
    searched: set[str] = field(default_factory=set)
    edits_parted: bool = False
    analysis: MutationAnalysis | None = None
    strength: Strength | None = None
    strength_before: Strength | None = None
    rounds: int = 0
    compared: int = 0
    neighbours_tried: bool = False
    fault_queries: int = 0
    held_against: list[str] = field(default_factory=list)
    unanswered: tuple[Question, ...] = ()
    unruled: tuple[Question, ...] = ()
    decomposed_at: int = 0

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
    def best_written(self) -> Attempt:
        """The best attempt or, where that is a patch, the attempt of a model that the patch was found for."""
        if self.best is None:
            raise RuntimeError("nothing was written yet")
        by_author = [a for a in self.history if not a.is_patch and a.line == self.best.line and a.verdicts]
        return by_author[-1] if self.best.is_patch and by_author else self.best

    @property
    def failing(self) -> tuple[Case, ...]:
        """The cases that the best attempt fails, the smallest first."""
        failed = {v.case for v in self.verdicts.values() if not v.passed}
        found = [case for case in self.suite.cases if case.name in failed]
        return tuple(sorted(found, key=lambda case: (len(case.setup + case.expression), case.name)))

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
        others = (a for a in reversed(self.history) if self.best is not None and a.line != self.best.line and a.source)
        return next(others, None)

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

    def decomposed(self, spec: FunctionSpec) -> FunctionState:
        """A new state with helpers, on which `spec` depends; what was tried and noted goes on in it."""
        return replace(self, spec=spec, best=None, tried=set(), analysis=None, decomposed_at=len(self.history))

    def replace(self, cases: Mapping[str, Case | None], expected: Mapping[str, Expected]) -> None:
        """Change cases of the suite by name, or drop those that are None; `expected` is that of the changed ones."""
        self.suite = self.suite.changed(cases)
        names = {case.name for case in self.suite.cases}
        self.expected = {name: value for name, value in (self.expected | dict(expected)).items() if name in names}

    def add(self, cases: Sequence[Case], expected: Mapping[str, Expected], *, held_out: bool) -> None:
        """Take cases in, held out from every prompt or not."""
        held = self.suite.held_out | (frozenset(case.name for case in cases) if held_out else frozenset())
        self.suite = self.suite.model_copy(update={"cases": (*self.suite.cases, *cases), "held_out": held})
        self.expected = self.expected | dict(expected)


def signature(attempt: Attempt) -> str:
    """What an attempt fails in, and how: equal for two that fail alike."""
    failed = sorted(f"{v.case}: {v.actual}" for v in attempt.verdicts if not v.passed)
    return "\n".join([*attempt.findings, *failed, *(veto[:200] for veto in attempt.vetoes)])
