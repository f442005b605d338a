"""`tdgen guard`: tests for code that exists, from its docs; where the two part is a finding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tdgen.cli import options
from tdgen.cli.in_project import (
    changes_told,
    generating,
    say_where,
    shown_alone,
    written,
)
from tdgen.cli.solving import NOT_GREEN, SPENT, questions
from tdgen.terminal.output import Line, count, give, give_json, one_line, say

if TYPE_CHECKING:
    from tdgen.project.task import ProjectTask
    from tdgen.settings import Settings
    from tdgen.solution import Solution
    from tdgen.types import Finding, FunctionResult

LONGEST = 400


@options.settings(options.SOLVING)
def guard(
    paths: options.Guarded,
    *,
    diff: options.Diff = None,
    concern: options.Concern = None,
    apply: options.Apply = False,
    context: options.Seen = False,
    json: options.Json = False,
    dry_run: options.DryRun = False,
    ask: options.Ask = False,
    assume: options.Assume = False,
    verbose: options.Verbose = False,
    quiet: options.Quiet = False,
    flags: dict[str, Any],
) -> int:
    """Write tests for code that exists, from its signatures and docstrings alone.

    No author of tests sees a body. What the code fails is a finding, if arbiters find the docs' own words against it:
    it is told with a call that shows it and the sentence of the docs, and stands in the tests as an expected failure.
    What the docs leave open is not tested. The code stays as it is. The result is a patch of new test files, on stdout;
    --apply writes them.

    \b
    tdgen guard src/shop/prices.py                  all with docstrings
    tdgen guard src/shop/prices.py::gross           one function
    tdgen guard src/shop/prices.py::Basket --apply  a class
    tdgen guard src/shop/prices.py --diff main      what changed since
    tdgen guard src/shop/pages.py --concern "off by one on the last page"
    tdgen guard src/shop/prices.py --json | jq .findings

    \b
    Exit codes: 0 all holds, 1 findings or undecided, 2 bad usage or input,
    3 budget spent, 4 model or sandbox not reachable, 70 a bug in tdgen,
    130 interrupted.
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cache import cache_folder
    from tdgen.client import Handed
    from tdgen.project.guarding import read_guarding, without_called
    from tdgen.settings import load_settings

    chosen = load_settings(flags | questions(ask=ask, assume=assume))
    task = read_guarding(paths, cache_folder(chosen.cache_dir) / "projects", revision=diff or "", concern=concern or "")
    if not task.names:
        return _nothing(task, diff or "", json=json, quiet=quiet)
    if shown_alone("to guard", chosen, task, context=context, dry_run=dry_run, json=json, quiet=quiet):
        return 0
    with generating(chosen, task, ask=ask, quiet=quiet, verbose=verbose) as generator:
        told, task = len(task.notes), without_called(task, generator.import_fault)
        for note in task.notes[told:] if not quiet else ():
            say(note, "faint")
        solution = generator.solve(task.instruction, Handed(target=task.target))
    _deliver(chosen, task, solution, apply=apply, json=json, quiet=quiet, verbose=verbose)
    return SPENT if solution.stopped else 0 if solution.all_tests_passed else NOT_GREEN


def _nothing(task: ProjectTask, revision: str, *, json: bool, quiet: bool) -> int:
    """Where nothing with docs changed there is nothing to guard, and nothing wrong."""
    if json:
        told = {"module": task.module.name, "path": task.module.path, **changes_told([], None)}
        give_json({**told, "findings": [], "strength": {}, "solution": None})
    if not quiet:
        say(f"nothing with a docstring changed in {task.module.path} since {revision}")
    return 0


def _deliver(
    chosen: Settings, task: ProjectTask, solution: Solution, *, apply: bool, json: bool, quiet: bool, verbose: bool
) -> None:
    """The tests as the result, written where that is asked for, and what was found, last."""
    from tdgen.project.edit import diff_of

    changes = task.changes(task.module.text, solution.test_files)
    patch = written(changes, chosen) if apply and changes and not solution.stopped else None
    if json:
        told = {"module": task.module.name, "path": task.module.path, **changes_told(changes, patch)}
        found = [finding.model_dump(mode="json") for finding in solution.findings]
        strength = {one.function: one.strength.score for one in solution.results if one.strength is not None}
        give_json({**told, "findings": found, "strength": strength, "solution": solution.to_dict()})
    elif patch is None:
        give(diff_of(changes))
    if quiet:
        return
    for line in _told(solution, verbose=verbose):
        say(line.text, line.style)
    if changes:
        say_where(task.project, changes, patch, is_good=not solution.stopped, apply=apply)


def _told(solution: Solution, *, verbose: bool) -> Iterator[Line]:
    """How each unit ended and how strong its tests are, what the docs leave open, what it cost, and the findings."""
    from tdgen.cli.summary import cost, detail_lines, doubt_lines

    width = max((len(result.function) for result in solution.results), default=0)
    yield from (_unit(result, width) for result in solution.results)
    yield from doubt_lines(solution)
    yield from (Line(one_line(n, LONGEST), "faint") for n in solution.notes if verbose or n.startswith("the docs "))
    if verbose:
        yield from detail_lines(solution)
    if solution.stopped:
        yield Line(one_line(f"stopped: {solution.stopped}", LONGEST), "bad")
    yield Line(one_line(cost(solution)), "faint")
    for finding in solution.findings:
        yield from _finding(finding)
    if number := len(solution.findings):
        yield Line(f"{count(number, 'finding')}: the code does not do what its docs say", "bad")
    elif solution.all_tests_passed:
        yield Line(f"{solution.plan.counted}: the code does what its docs say, as far as they are tested", "good")


def _unit(result: FunctionResult, width: int) -> Line:
    """A unit's end in a line, with its suite's strength."""
    word = {"green": "holds", "red": "differs" if result.findings else "open"}.get(result.outcome, result.outcome)
    cases = count(len(result.suite.cases), "case")
    strength = f", {result.strength.sentence}" if result.strength and result.strength.sentence else ""
    reason = f": {one_line(result.reason, LONGEST)}" if result.reason else ""
    line = f"{word:<9} {result.function:<{width}}  {cases}{strength}{reason}"
    return Line(line, "good" if result.outcome == "green" else "bad")


def _finding(finding: Finding) -> Iterator[Line]:
    """What is found, and by which call anybody can see it."""
    yield Line(one_line(f"{finding.unit}: {finding.call}", LONGEST), "bad")
    yield from (Line(f"    after: {one_line(line, LONGEST)}") for line in finding.setup.splitlines())
    yield Line(f"    the docs say: “{one_line(finding.quote, LONGEST)}”")
    yield Line(f"    expected: {one_line(finding.expected, LONGEST)}")
    yield Line(f"    observed: {one_line(finding.observed, LONGEST)}")
    if finding.also:
        yield Line(f"    shown also by: {one_line(', '.join(finding.also), LONGEST)}")
