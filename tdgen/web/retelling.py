"""A solution told as the events of a run that made it: who looks at one from the cache sees what was to be seen."""

from __future__ import annotations

from collections.abc import Iterator

from tdgen.depgraph import Dependencies
from tdgen.events import AttemptJudged, BudgetTold, CaseRevised, Event, FunctionEnded, Noted, PlanMade, SuiteWritten
from tdgen.types import Solution


def retold(solution: Solution) -> Iterator[Event]:
    """The events that tell the solution, in the order of a run."""
    yield PlanMade(plan=solution.plan, generations=Dependencies(solution.plan).names)
    for result in solution.results:
        yield SuiteWritten(suite=result.suite)
    for revision in solution.revisions:
        yield CaseRevised(revision=revision)
    for result in solution.results:
        for attempt in result.history:
            yield AttemptJudged(attempt=attempt)
        yield FunctionEnded(function=result.function, outcome=result.outcome, reason=result.reason)
    yield BudgetTold(usage=solution.usage)
    for note in solution.notes:
        yield Noted(text=note)
