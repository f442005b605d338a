"""One seeded run: how it ended, whether hidden tests call its code right, and what caught the fault."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from seeded_runs.model import Recorder, Said, SeededModel
from seeded_runs.seeds import Seed
from tdgen.batch import Line
from tdgen.batch.results import Row, failed_row, solved_row
from tdgen.client import Generator
from tdgen.errors import TdgenError
from tdgen.evaluation.judging import ModuleJudge
from tdgen.evaluation.records import first_module
from tdgen.events import AttemptJudged, CaseRevised, Event, SuiteWritten
from tdgen.protocols import Model, RequestKey
from tdgen.runtime import Runtime
from tdgen.settings import Budget, Settings
from tdgen.solution import Solution
from tdgen.types import Attempt

SUITE: Final = "suite"
_QUERIES: Final = {
    "survivors": "mutation query",
    "rivals": "second implementation",
    "properties": "property",
    "caller": "caller's case",
    "neighbours": "neighbour",
    "reading": "second reading",
}
"""What asks about calls. Undocumented exceptions go into the mutation analysis's question, so they count as that."""


class Outcome(NamedTuple):
    """What came of a seed.

    `ended` is a batch row's outcome, `right` what hidden tests say of the final code, `was_wrong` whether they fail on
    the first code. `caught` says by function what first spoke against its first code. `missing` are questions that
    nobody answered, and `live` counts those that the endpoint did.
    """

    seed: Seed
    ended: str
    right: bool
    was_wrong: bool
    caught: dict[str, str]
    reason: str = ""
    missing: tuple[RequestKey, ...] = ()
    asked: int = 0
    live: int = 0

    @property
    def by(self) -> str:
        """What caught the fault: in a seeded function, or else in another, which is named; empty where nothing did."""
        own = [what for name, what in self.caught.items() if name in self.seed.functions]
        return next(iter([*own, *(f"{what} of {name}" for name, what in self.caught.items())]), "")

    @property
    def state(self) -> str:
        """Whether it counts: empty where it does, else why it does not."""
        if self.missing:
            return "not answered"
        if not self.was_wrong:
            return "not wrong by hidden tests"
        is_shown = any(self.caught.get(name) == SUITE for name in self.seed.functions)
        return "caught by the suite" if self.seed.kind == "slip" and is_shown else ""

    @property
    def is_false_green(self) -> bool:
        """Whether it ended green though wrong."""
        return self.ended == "green" and not self.right


class Watch:
    """Notes from the events of a run what each function's suite was when its first code was judged."""

    def __init__(self) -> None:
        self.written: dict[str, frozenset[str]] = {}
        self.revised: dict[str, set[str]] = {}
        self.first: dict[str, Attempt] = {}

    def __call__(self, event: Event) -> None:
        """Take one event."""
        match event:
            case SuiteWritten(suite=suite):
                self.written.setdefault(suite.function, frozenset(case.name for case in suite.cases))
            case CaseRevised(revision=revision) if revision.function not in self.first:
                self.revised.setdefault(revision.function, set()).add(revision.case)
            case AttemptJudged(attempt=attempt):
                self.first.setdefault(attempt.function, attempt)
            case _:
                pass

    def caught(self, said: Sequence[Said]) -> dict[str, str]:
        """What first spoke against each function's first code, where something did."""
        found = {name: self._at_once(attempt) or _later(name, said) for name, attempt in self.first.items()}
        return {name: what for name, what in found.items() if what}

    def _at_once(self, first: Attempt) -> str:
        """What a first attempt failed as soon as it was judged; empty where it was green."""
        failed = {verdict.case for verdict in first.verdicts if not verdict.passed}
        revised = self.revised.get(first.function, set())
        if failed & self.written.get(first.function, frozenset()) - revised:
            return SUITE
        if failed:
            return "second reading" if failed & revised else "case asked for beside the suite"
        if first.findings:
            return "static check"
        return "second run" if first.vetoes else ""


def _later(function: str, said: Sequence[Said]) -> str:
    """The last question about calls before a function that was green at first was doubted or repaired."""
    last, began = "", False
    for key in (one.key for one in said):
        if key.subject != function:
            continue
        if key.purpose == "settle" and key.variant in _QUERIES:
            last = _QUERIES[key.variant]
        elif began and key.purpose in ("trial", "implement", "repair", "settle"):
            return last or "later check"
        began = began or (key.purpose, key.attempt) == ("implement", 1)
    return ""


def run(seed: Seed, recorder: Recorder, live: Model | None) -> Outcome:
    """Solve a seed's instruction and judge the first and the final code by its hidden tests."""
    model, watch = SeededModel(seed, recorder, live), Watch()
    with tempfile.TemporaryDirectory() as folder:
        budget = Budget(calls=None, seconds=None)
        settings = Settings(trust="standard", cache_dir=folder, fresh=True, budget=budget, api_key="", base_url="")
        row, solution = _solved(seed, settings, model, watch)
        first, last = _judged(seed, settings, solution)
    return Outcome(
        seed,
        row.outcome,
        right=last,
        was_wrong=not first,
        caught=watch.caught(model.said),
        reason=row.reason,
        missing=model.missing,
        asked=len(model.said),
        live=sum(said.source == "live" for said in model.said),
    )


def _solved(seed: Seed, settings: Settings, model: Model, watch: Watch) -> tuple[Row, Solution | None]:
    line, began = Line(number=1, id=seed.id, instruction=seed.problem.instruction), time.monotonic()
    try:
        with Generator(settings, model=model, on_event=watch) as generator:
            solution = generator.solve(line.instruction)
    except TdgenError as error:
        return failed_row(line, error, time.monotonic() - began), None
    return solved_row(line, solution, time.monotonic() - began), solution


def _judged(seed: Seed, settings: Settings, solution: Solution | None) -> tuple[bool, bool]:
    """Whether the first and the final code are right, judged in sandboxes in which nothing was solved."""
    if solution is None:
        return False, False
    with closing(Runtime(settings)) as runtime:
        judge = ModuleJudge(seed.problem, runtime.sandbox, runtime.oracle)
        first, last = first_module(solution, runtime.language), solution.module_source
        return judge.judge(first).right, judge.judge(last).right


def recorder_of(seed: Seed, folder: Path) -> Recorder:
    """The recorder of a seed's live answers."""
    return Recorder(folder / f"{seed.id}.json")
