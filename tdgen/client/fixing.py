"""Failing tests of a project mended: a change is asked for, and held to the docs of what it changes.

For that suites are made by an author who sees no code, as `tdgen guard` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from tdgen.client.projects import remembered
from tdgen.errors import BudgetSpent, InputError, ReplyError
from tdgen.fixing.asking import ask_for_change
from tdgen.fixing.loop import Opinion
from tdgen.fixing.loop import fix as attempt
from tdgen.project.guarding import guarding_of, unguardable
from tdgen.project.module import Module, Unit, units_of
from tdgen.protocols import suite_files
from tdgen.source.syntax import Function, lines_of
from tdgen.types import Finding

if TYPE_CHECKING:
    from tdgen.client.projects import ProjectGenerator
    from tdgen.fixing.changing import Changed
    from tdgen.fixing.loop import Confirm, Fixed
    from tdgen.fixing.problem import Problem
    from tdgen.project.task import ProjectTask
    from tdgen.settings import Budget
    from tdgen.solution import Solution
    from tdgen.types import Spent

MOST_CALLERS: Final = 2
"""How many documented callers stand for a changed function that has no docs. Not tuned."""

Generating = Callable[["ProjectTask", "Budget"], "ProjectGenerator"]
"""Opens a generator in a task's project, within a budget."""


def fix(generator: ProjectGenerator, problem: Problem, confirm: Confirm) -> tuple[Fixed, tuple[Spent, ...]]:
    """Ask for changes of the generator's project that make its failing tests pass, and what that cost.

    `confirm` holds a change to the docs. What was answered is kept until the project is another: the same call again
    costs nothing, unless it ended red.
    """
    question = ask_for_change(problem, (), 1).model_dump(mode="json")
    about = f"fix {' '.join(problem.failing)}"
    with generator.session("fix", question, about) as (tools, ledger, journal):

        def judge(changed: Changed) -> Opinion:
            opinion, spent = confirm(changed, ledger.rest())
            ledger.charge(spent)
            return opinion

        run = remembered(generator, problem.project)
        fixed = attempt(tools, problem, run, judge, seconds=tools.settings.gate_seconds)
        if fixed.stopped or fixed.outcome == "red":
            end = journal.stop if fixed.stopped else journal.fail
            end({"reason": fixed.stopped or "no change passes", "instruction": about})
        return fixed, ledger.spent()


def confirm(
    problem: Problem, generating: Generating, changed: Changed, budget: Budget
) -> tuple[Opinion, tuple[Spent, ...]]:
    """What suites from the docs of the changed functions say, and what that cost.

    Of a function without docs the documented ones that call it are asked, the most suspicious first.
    """
    if len(changed.texts) > 1:
        return Opinion(unknown=("the change is in several modules: their docs are not asked",)), ()
    (module, text), *_ = changed.texts
    new = module._replace(text=text, units=units_of(text))
    units, unknown = _documented(problem, new, [unit for _, unit in changed.units])
    if not units:
        return Opinion(unknown=tuple(unknown)), ()
    from tdgen.client import Handed

    try:
        task = guarding_of(problem.project, problem.index, new, units)
        with generating(task, budget) as generator:
            solution = generator.solve(task.instruction, Handed(target=task.target))
            old = _failed_before(generator, solution, module)
    except (InputError, BudgetSpent, ReplyError) as error:
        return Opinion(unknown=(f"its docs could not be asked: {error}",)), ()
    findings = [finding for result in solution.results for finding in result.findings]
    against = [_sentence(one) for one in findings if one not in old]
    before = [f"{_sentence(one)}; the code before does not do it either" for one in old]
    unknown += [
        f"its docs could not confirm {result.function}: {result.reason or result.outcome}"
        for result in solution.results
        if result.outcome != "green" and not result.findings
    ]
    unknown += [solution.stopped] * bool(solution.stopped)
    confirmed = tuple(result.function for result in solution.results if result.outcome == "green")
    opinion = Opinion(tuple(against), tuple(before), tuple(unknown), confirmed)
    return opinion, () if solution.cached else solution.spent


def _documented(problem: Problem, module: Module, changed: Sequence[Unit]) -> tuple[list[Unit], list[str]]:
    """The units whose docs can be asked, and of each changed one for which nothing can the reason."""
    units: dict[str, Unit] = {}
    unknown: list[str] = []
    for unit in changed:
        if not (reason := unguardable(module, unit)):
            units[unit.name] = unit
        elif callers := _callers(problem, module, unit):
            units |= {caller.name: caller for caller in callers}
        else:
            unknown.append(f"its docs can't confirm it: {reason}")
    return list(units.values()), unknown


def _callers(problem: Problem, module: Module, unit: Unit) -> list[Unit]:
    """Documented functions and methods of the module that name a function, the most suspicious first."""
    name, lines = unit.name.rpartition(".")[2], lines_of(module.text)
    order = {suspect.unit.name: place for place, suspect in enumerate(problem.suspects)}
    callers = [
        other
        for other in module.units.values()
        if isinstance(other.node, Function)
        and other.name != unit.name
        and re.search(rf"\b{re.escape(name)}\b", "\n".join(lines[other.first - 1 : other.last]))
        and not unguardable(module, other)
    ]
    return sorted(callers, key=lambda other: order.get(other.name, len(order)))[:MOST_CALLERS]


def _failed_before(generator: ProjectGenerator, solution: Solution, module: Module) -> list[Finding]:
    """The findings of which the code before the change fails every case, too."""
    if not any(result.findings for result in solution.results):
        return []
    outcomes = generator.run_made(solution.test_files, {module.name: module.text}).outcomes
    old: list[Finding] = []
    for result in solution.results:
        failing = {case: "its docs" for finding in result.findings for case in finding.cases}
        ids = suite_files().node_ids(result.suite, solution.plan.spec(result.function), solution.plan, failing=failing)
        old += [
            one for one in result.findings if all(outcomes.get(ids.get(case, "")) == "xfailed" for case in one.cases)
        ]
    return old


def _sentence(finding: Finding) -> str:
    setup = f" after `{finding.setup}`" if finding.setup else ""
    return (
        f"the docs of {finding.unit} say “{finding.quote}”: so {finding.call}{setup} {finding.expected}, and not what "
        f"it does: {finding.observed}"
    )
