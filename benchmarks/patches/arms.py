"""Who is asked about a patch, and what they answer: the arms of the patch benchmark.

The developer's first code is the faulty one. After that:

- **nobody**: the budget ends with the first code, and the patch search is alone;
- **yes, alone**: the developer writes every edit that it is shown, right or wrong, and no test author answers; that is
  the most that overfitting can do, at trust level quick;
- **yes**: the same developer, at trust level standard, with a test author;
- **knows**: the developer judges the edit right at the rate `KNOWS`, drawn by the problem's name: it writes the right
  edit, and the reference in place of a wrong one. Else it errs: it writes the wrong edit, and its faulty code again in
  place of a right one. With a test author, at trust level standard.

Where no edit is shown the developer gives its faulty code again: it mends nothing by itself. The test author (and
arbiter) upholds the shown tests and gives them again where they come back; of other calls it says what the reference
gives, or leaves open what can't be evaluated by itself; it writes no case of its own accord.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from typing import Any, NamedTuple

from repair.quixbugs import failures
from simulated import tester
from simulated.bench import Bench
from simulated.draws import draw
from simulated.planner import case_reply
from simulated.problems import Called
from simulated.prompts import read

from patches.problems import Faulty
from tdgen.client import Generator, Handed
from tdgen.errors import ModelError
from tdgen.events import AttemptJudged, Event
from tdgen.protocols import Answer, Request
from tdgen.settings import Settings
from tdgen.settings.base import Budget
from tdgen.types import Case, Limits, Trust, Value

KNOWS = 0.9
_LIMITS = Limits(wall_s=2.0, cpu_s=4.0)


class Arm(NamedTuple):
    """Who answers: how often a developer judges an edit right (0: it takes each), and whether there is an author."""

    name: str
    trust: Trust
    calls: int | None = None
    knows: float = 0.0
    has_author: bool = True


ARMS = (
    Arm("nobody", "quick", calls=1, has_author=False),
    Arm("yes, alone", "quick", has_author=False),
    Arm("yes", "standard"),
    Arm("knows", "standard", knows=KNOWS),
)


class Ended(NamedTuple):
    """How one problem ended in an arm, and whether its best code passes all hidden tests."""

    name: str
    outcome: str
    right: bool
    calls: int
    change: str = ""


class Answering:
    """The developer and the test author of one problem; it hears of the patches that a search finds."""

    def __init__(self, problem: Faulty, arm: Arm, bench: Bench) -> None:
        self._problem, self._arm, self._bench = problem, arm, bench
        self._patch = ""
        self.calls = 0
        self.change = ""

    def hear(self, event: Event) -> None:
        """Keep the source of a patch when it is tried: the prompt tells it as an edit of one line."""
        if isinstance(event, AttemptJudged) and event.attempt.is_patch:
            self._patch, self.change = event.attempt.source, event.attempt.mended[0]

    def ask(self, request: Request) -> Answer:
        """The answer, by what is asked for."""
        self.calls += 1
        sections = read(request.model_dump()).sections
        if request.purpose in ("implement", "repair"):
            shown = "edit_found_by_search" in sections
            return Answer(text=f"```python\n{self._judged() if shown else self._problem.source}\n```\n")
        if self._arm.has_author:
            match request.purpose:
                case "settle":
                    told = tester.settle_reply(self._problem.reference, sections.get("calls", ""), self._bench)
                    return Answer(text=json.dumps(told))
                case "trial":
                    return Answer(text=json.dumps(self._rulings(sections.get("cases_in_doubt", ""))))
                case "cases":
                    returned = sections.get("cases_that_can_not_be_observed", "")
                    again = [_told(case) for case in self._problem.shown if f"- {case.name}:" in returned]
                    return Answer(text=json.dumps({"cases": again}))
        raise ModelError(f"nobody answers a request for {request.purpose} here")

    def _rulings(self, doubtful: str) -> Mapping[str, Any]:
        """The arbiter's rulings: the shown tests are right, be there a setup that can't be evaluated here or not."""
        prose = self._problem.spec.purpose
        told = tester.trial_reply(self._problem.reference, prose, doubtful, self._bench)
        shown = {case.name for case in self._problem.shown}
        upheld = {"verdict": "upheld", "quote": prose.partition("\n")[0]}
        return {"rulings": [ruling | upheld if ruling["case"] in shown else ruling for ruling in told["rulings"]]}

    def _judged(self) -> str:
        """What the developer writes when it is shown the edit."""
        if not self._arm.knows:
            return self._patch
        is_right = is_solved(self._problem, self._patch, self._bench)
        if draw("knows", self._problem.name) < self._arm.knows:
            return self._patch if is_right else self._problem.reference
        return self._problem.source if is_right else self._patch


def solve(problem: Faulty, arm: Arm, bench: Bench, search_s: float) -> Ended:
    """One problem in one arm, a search of the patches taking so many seconds at most."""
    answering = Answering(problem, arm, bench)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            trust=arm.trust,
            cache_dir=folder,
            budget=Budget(calls=arm.calls),
            limits=_LIMITS,
            search_seconds=search_s,
        )
        with Generator(settings, model=answering, on_event=answering.hear) as generator:
            text = problem.spec.purpose or f"What {problem.spec.name} says."
            solution = generator.solve(text, Handed(plan=problem.plan, suites=(problem.suite,)))
    (result,) = solution.results
    right = result.best is not None and is_solved(problem, result.best.source, bench)
    return Ended(problem.name, result.outcome, right, answering.calls, answering.change)


def is_solved(problem: Faulty, source: str, bench: Bench) -> bool:
    """Whether a source passes all hidden tests."""
    return bool(source.strip()) and not failures(problem.spec, source, problem.hidden, bench)


def _told(case: Case) -> dict[str, Any]:
    """A shown test as its author gives it again."""
    value = case.expectation.source if isinstance(case.expectation, Value) else ""
    return case_reply(Called(case.arguments, value), case.name) | {"setup": case.setup, "call": case.call}
