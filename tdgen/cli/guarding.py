"""`tdgen guard`: tests for code that exists, from its docs; where the two part is a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tdgen.cli import options
from tdgen.cli.in_project import (
    Work,
    changes_told,
    client,
    exit_code,
    say_where,
    show,
    tell_environment,
    tell_finished,
    tell_task,
    written,
)
from tdgen.cli.reporting import LONGEST, Reports, notice_line
from tdgen.errors import InputError
from tdgen.terminal.output import Line, count, give, give_json, one_line, say

if TYPE_CHECKING:
    from tdgen.client.proposals import Part, Proposal
    from tdgen.outputs.notices import Notice
    from tdgen.project.task import ProjectTask
    from tdgen.settings import Settings
    from tdgen.solution import Solution
    from tdgen.types import FunctionResult


@options.settings(options.SOLVING)
def guard(
    paths: options.Guarded = None,
    *,
    diff: options.Diff = None,
    concern: options.Concern = None,
    work: Work,
    sarif: options.Sarif = None,
    markdown: options.Markdown = None,
    flags: dict[str, Any],
) -> int:
    """Write tests for code that exists, from its signatures and docstrings alone.

    No author of tests sees a body. What the code fails is a finding, if arbiters find the docs' own words against it:
    it is told with a call that shows it and the sentence of the docs, and stands in the tests as an expected failure.
    What the docs leave open is not tested. The code stays as it is. The result is a patch of new test files, on stdout;
    --apply writes them. The budget is for all modules together.

    \b
    tdgen guard src/shop/prices.py                  all with docstrings
    tdgen guard src/shop/prices.py::gross           one function
    tdgen guard src/shop/prices.py::Basket --apply  a class
    tdgen guard --diff main                         what changed since
    tdgen guard src --diff main --sarif tdgen.sarif
    tdgen guard src/shop/pages.py --concern "off by one on the last page"
    tdgen guard src/shop/prices.py --json | jq .findings

    \b
    Exit codes: 0 all holds, 1 findings or undecided, 2 bad usage or input,
    3 budget spent, 4 model or sandbox not reachable, 70 a bug in tdgen,
    130 interrupted.
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cache import cache_folder
    from tdgen.project.guarding import read_guardings

    chosen = work.settings(flags)
    cache = cache_folder(chosen.cache_dir)
    reports = Reports(sarif, markdown, cache).checked()
    tell_finished(next(iter(paths or ()), "."))
    tasks, passed = read_guardings(paths or (), cache / "projects", revision=diff or "", concern=concern or "")
    for note in passed if not work.quiet else ():
        say(note, "faint")
    todo = [task for task in tasks if task.names]
    if todo and work.tells:
        tell_environment(todo[0].project)
    alone = len({path.partition("::")[0] for path in paths or ()}) == 1 and not Path((paths or ["."])[0]).is_dir()
    if work.is_to_look:
        if work.json and not alone:
            raise InputError("--json shows --context and --dry-run of one module alone: name one")
        for task in todo:
            show("to guard", chosen, task, work)
        return 0
    proposal, guarded = _guarded(chosen, tasks, work, alone=alone)
    if not todo and not work.quiet:
        where = f" in {tasks[0].module.path}" if alone else ""
        say(f"nothing with a docstring changed{where} since {diff}" if diff else "nothing has a docstring to guard")
    reports.write("guard", tasks[0].project.root if tasks else Path.cwd(), *_reported(guarded))
    return exit_code(proposal)


def _guarded(
    chosen: Settings, tasks: Sequence[ProjectTask], work: Work, *, alone: bool
) -> tuple[Proposal, list[_Guarded]]:
    """Guard the tasks that have units, give the tests, and tell what was found."""
    from tdgen.project.task import ProjectTask

    def tell(news: ProjectTask | Part) -> None:
        if isinstance(news, ProjectTask) and not work.quiet:
            tell_task("to guard", news)

    proposal = client(chosen, work, on_module=tell).guarded([task for task in tasks if task.names])
    for path, error in proposal.left.items():
        say(f"{path} is not guarded: {error}", "bad")
    guarded = [_Guarded(part.task, part.solution) for part in proposal.parts]
    _deliver(proposal, tasks, guarded, work, alone=alone)
    return proposal, guarded


class _Guarded(NamedTuple):
    """A module's units, as they are now, with what came of them."""

    task: ProjectTask
    solution: Solution

    def notices(self) -> Iterator[Notice]:
        """Where the code parts from its docs."""
        from tdgen.outputs.notices import DOCS_DIFFER, Notice

        for finding in self.solution.findings:
            unit = self.task.module.units.get(finding.unit)
            sentence = f"{finding.call}: expected: {finding.expected}, observed: {finding.observed}"
            quoted = f"{sentence}; the docs say: “{finding.quote}”"
            details = {name: getattr(finding, name) for name in ("setup", "call", "expected", "observed", "quote")}
            line = unit.node.lineno if unit else 1
            yield Notice(DOCS_DIFFER, self.task.module.file, line, finding.unit, quoted, details)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """A row for each unit."""
        for result in self.solution.results:
            findings = "; ".join(
                f"`{one.call}`: expected: {one.expected}, observed: {one.observed}" for one in result.findings
            )
            killed = result.strength.sentence if result.strength else ""
            name = f"{self.task.module.path}::{result.function}"
            yield name, _WORDS.get(result.outcome, result.outcome), str(len(result.suite.cases)), killed, findings


_HEAD = ("unit", "ends", "cases", "strength", "finding")
_WORDS = {"green": "holds", "red": "differs"}


def _deliver(
    proposal: Proposal,
    tasks: Sequence[ProjectTask],
    guarded: Sequence[_Guarded],
    work: Work,
    *,
    alone: bool,
) -> None:
    """The tests as the result, written where that is asked for, and what was found, last."""
    changes = proposal.changes
    is_good = all(part.is_good for part in proposal.parts)
    patch = written(proposal.apply) if work.apply and changes and proposal.is_good else None
    if work.json:
        solutions = {task.module.path: solution for task, solution in guarded}
        modules = [_as_json(task, solutions.get(task.module.path)) for task in tasks]
        give_json({**(modules[0] if alone else {"modules": modules}), **changes_told(changes, patch)})
    elif patch is None and changes:
        give(proposal.diff)
    if work.quiet:
        return
    for part in proposal.parts:
        for note in part.passed:
            say(note, "faint")
    for one in guarded:
        for line in _told(one, verbose=work.verbose):
            say(line.text, line.style)
    if changes:
        say_where(guarded[0].task.project, changes, patch, is_good=is_good, apply=work.apply)


def _reported(guarded: Sequence[_Guarded]) -> tuple[list[Notice], tuple[Sequence[str], list[tuple[str, ...]], str]]:
    """The notices, and the table with its last line."""
    notices = [notice for one in guarded for notice in one.notices()]
    rows = [row for one in guarded for row in one.rows()]
    held = sum(row[1] == "holds" for row in rows)
    end = f"{count(len(notices), 'finding')}; {held} of {count(len(rows), 'unit')} do what their docs say"
    return notices, (_HEAD, rows, end)


def _as_json(task: ProjectTask, solution: Solution | None) -> dict[str, object]:
    """A module as `--json` has it; without a solution where there was nothing to guard, or not the budget for it."""
    module_json: dict[str, object] = {"module": task.module.name, "path": task.module.path}
    if solution is None:
        return {**module_json, "findings": [], "strength": {}, "solution": None}
    findings = [finding.model_dump(mode="json") for finding in solution.findings]
    strength = {one.function: one.strength.score for one in solution.results if one.strength is not None}
    return {**module_json, "findings": findings, "strength": strength, "solution": solution.to_dict()}


def _told(guarded: _Guarded, *, verbose: bool) -> Iterator[Line]:
    """How each unit ended and how strong its tests are, what the docs leave open, what it cost, and the findings."""
    from tdgen.cli.summary import cost, detail_lines, doubt_lines

    solution = guarded.solution
    width = max((len(result.function) for result in solution.results), default=0)
    yield from (_unit(result, width) for result in solution.results)
    yield from doubt_lines(solution)
    yield from (Line(one_line(n, LONGEST), "faint") for n in solution.notes if verbose or n.startswith("the docs "))
    if verbose:
        yield from detail_lines(solution)
    if solution.stopped:
        yield Line(one_line(f"stopped: {solution.stopped}", LONGEST), "bad")
    yield Line(one_line(cost(solution)), "faint")
    for notice, finding in zip(guarded.notices(), solution.findings, strict=True):
        yield notice_line(notice)
        yield from (Line(f"    after: {one_line(line, LONGEST)}") for line in finding.setup.splitlines())
        if finding.also:
            yield Line(f"    shown also by: {one_line(', '.join(finding.also), LONGEST)}")
    if number := len(solution.findings):
        yield Line(f"{count(number, 'finding')}: the code does not do what its docs say", "bad")
    elif solution.all_tests_passed:
        yield Line(f"{solution.plan.counted}: the code does what its docs say, as far as they are tested", "good")


def _unit(result: FunctionResult, width: int) -> Line:
    """A unit's end in a line, with its suite's strength."""
    word = {"green": "holds", "red": "differs" if result.findings else "open"}.get(result.outcome, result.outcome)
    cases = count(len(result.suite.cases), "case")
    strength = f", {result.strength.sentence}" if result.strength and result.strength.sentence else ""
    if result.strength and result.strength.near:
        strength += f" ({result.strength.near_killed} of {result.strength.near} near what you worry about)"
    reason = f": {one_line(result.reason, LONGEST)}" if result.reason else ""
    line = f"{word:<9} {result.function:<{width}}  {cases}{strength}{reason}"
    return Line(line, "good" if result.outcome == "green" else "bad")
