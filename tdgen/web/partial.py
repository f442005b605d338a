"""The page of a run that is not finished, from its events or from its log, and what it had by then.

A run ends without a solution where its model stops answering, or it is cancelled between two stages. What was planned,
tested and tried until then was paid for, and can be taken home: its best attempts, out of its events, as a solution
that is not all green.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tdgen.depgraph import Dependencies
from tdgen.errors import TdgenError
from tdgen.events import (
    AttemptJudged,
    BudgetTold,
    CaseRevised,
    Event,
    FunctionDivided,
    FunctionEnded,
    HelpersDropped,
    PlanMade,
)
from tdgen.files.ruff import format_source
from tdgen.protocols import suite_files
from tdgen.solution import Solution
from tdgen.solution_html.layout import lay_out
from tdgen.source.fragment import trusted_fragment
from tdgen.specs.instruction import stub
from tdgen.specs.placed import whole_module
from tdgen.specs.planner import Decomposition
from tdgen.types import (
    Attempt,
    FunctionResult,
    FunctionSpec,
    Outcome,
    Plan,
    Revision,
    Suite,
    Trust,
    Usage,
    file_of_tests,
)
from tdgen.web.events import FunctionTold, GraphLaidOut, Place, SolutionTold


def concluded(solution: Solution) -> Iterator[Event]:
    """What a run's own events leave unsaid."""
    for result in solution.results:
        best = Place(number=result.best.number, line=result.best.line) if result.best else None
        yield FunctionTold(
            function=result.function,
            suite=result.suite,
            strength=result.strength,
            tests=solution.test_files.get(file_of_tests(result.function), ""),
            best=best,
        )
    fields = SolutionTold.model_fields.keys()
    yield SolutionTold(**{name: getattr(solution, name) for name in fields})


def retold(solution: Solution) -> Iterator[Event]:
    """All of a solution, in the order of a run."""
    yield PlanMade(plan=solution.plan, generations=Dependencies(solution.plan).names)
    for revision in solution.revisions:
        yield CaseRevised(revision=revision)
    for result in solution.results:
        for attempt in result.history:
            yield AttemptJudged(attempt=attempt)
        yield FunctionEnded(function=result.function, outcome=result.outcome, reason=result.reason)
    yield BudgetTold(usage=solution.usage)
    yield from concluded(solution)


class Drawing:
    """What the functions of a run need, as its events tell it."""

    def __init__(self) -> None:
        self._needs: dict[str, tuple[str, ...]] = {}

    def after(self, event: Event) -> GraphLaidOut | None:
        """The graph as it is behind an event; None where that changes nothing."""
        match event:
            case PlanMade(plan=plan):
                self._needs = _needs(plan.functions)
            case FunctionDivided(spec=spec, helpers=helpers):
                self._needs |= _needs((*helpers, spec))
            case HelpersDropped(spec=spec, helpers=dropped):
                self._needs |= _needs((spec,))
                self._needs = {name: needs for name, needs in self._needs.items() if name not in dropped}
            case _:
                return None
        return GraphLaidOut(graph=lay_out(self._needs))


def with_graph(events: Iterable[Event]) -> Iterator[Event]:
    """Events, and behind each that changes the graph the graph."""
    drawing = Drawing()
    for event in events:
        yield event
        if (laid_out := drawing.after(event)) is not None:
            yield laid_out


def _needs(specs: Iterable[FunctionSpec]) -> dict[str, tuple[str, ...]]:
    return {spec.name: spec.dependencies for spec in specs}


CUT_OFF = "the run was cut off"


class PartialSolution:
    """What was seen in a run so far, since it was last begun."""

    def __init__(self, events: Iterable[dict[str, Any]]) -> None:
        self.plan: Plan | None = None
        for event in events:
            self._take(event)

    def _take(self, event: dict[str, Any]) -> None:
        match event["event"]:
            case "run_started":
                self.plan = None
                self.suites: dict[str, Suite] = {}
                self.attempts: dict[str, list[Attempt]] = {}
                self.outcomes: dict[str, Outcome] = {}
                self.revisions: list[Revision] = []
                self.usage = Usage()
            case "plan_made":
                self.plan = Plan.model_validate(event["plan"])
            case "function_divided":
                helpers = tuple(FunctionSpec.model_validate(helper) for helper in event["helpers"])
                self._replan(FunctionSpec.model_validate(event["spec"]), helpers)
            case "helpers_dropped":
                self._replan(FunctionSpec.model_validate(event["spec"]), dropped=event["helpers"])
            case "suite_written":
                self.suites[event["suite"]["function"]] = Suite.model_validate(event["suite"])
            case "attempt_judged":
                attempt = Attempt.model_validate(event["attempt"])
                self.attempts.setdefault(attempt.function, []).append(attempt)
            case "function_ended":
                self.outcomes[event["function"]] = event["outcome"]
            case "case_revised":
                self.revisions.append(Revision.model_validate(event["revision"]))
            case "budget_told":
                self.usage = Usage.model_validate(event["usage"])

    def _replan(self, spec: FunctionSpec, added: tuple[FunctionSpec, ...] = (), dropped: Sequence[str] = ()) -> None:
        """Take a function's helpers into the plan, or out of it, with all that stands on them."""
        assert self.plan is not None
        plan = Decomposition(spec, added).within(self.plan)
        left = tuple(one for one in plan.functions if one.name not in dropped)
        self.plan = plan.model_copy(update={"functions": left})
        for name in dropped:
            self.suites.pop(name, None)
        tried = self.attempts.get(spec.name, [])
        self.attempts[spec.name] = [one for one in tried if not any(name in one.source for name in dropped)]

    def solution(self, key: str, instruction: str, trust: Trust, why: str) -> Solution | None:
        """The best attempts by then; None where nothing was tested yet. It is never all green."""
        if self.plan is None or not self.suites:
            return None
        results = [self._result(spec.name) for spec in self.plan.functions]
        if all(result.outcome == "green" for result in results):
            results = [r.model_copy(update={"outcome": "undecided", "reason": CUT_OFF}) for r in results]
        tested, pytest = [result for result in results if result.suite.cases], suite_files()
        return Solution(
            key=key,
            instruction=instruction,
            plan=self.plan,
            results=tuple(results),
            module_source=self._module(self.plan, results),
            test_files={
                file_of_tests(r.function): pytest.render_suite(
                    r.suite, self.plan.spec(r.function), self.plan, isolated=r.writes
                )
                for r in tested
            },
            trust=trust,
            revisions=tuple(self.revisions),
            questions=self.plan.questions,
            usage=self.usage,
            stopped=why,
        )

    def _result(self, name: str) -> FunctionResult:
        attempts = self.attempts.get(name, [])
        best = max(attempts, key=lambda attempt: (attempt.green, attempt.passed, attempt.number), default=None)
        outcome = self.outcomes.get(name, "red")
        return FunctionResult(
            function=name,
            outcome=outcome,
            suite=self.suites.get(name, Suite(function=name, cases=())),
            best=best,
            history=tuple(attempts),
            reason="" if outcome == "green" else CUT_OFF,
        )

    def _module(self, plan: Plan, results: list[FunctionResult]) -> str:
        sources = {result.function: result.best.source for result in results if result.best}
        units = {}
        for name in (name for group in Dependencies(plan).order for name in group):
            unwritten = stub(plan.spec(name))
            try:
                units[name] = trusted_fragment(sources.get(name) or unwritten)
            except TdgenError:
                units[name] = trusted_fragment(unwritten)  # an attempt that is no Python has no place in a module
        return format_source(whole_module(plan, units, docstring=plan.summary or plan.module))
