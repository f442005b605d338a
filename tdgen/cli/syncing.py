"""`tdgen sync`: what of a project is no longer as tdgen left it, and what brings docs, code and tests together."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tdgen.cli import options
from tdgen.cli.in_project import (
    Work,
    client,
    say_where,
    tell_finished,
    tell_outcome,
    written,
)
from tdgen.cli.reporting import Reports, notice_line
from tdgen.cli.solving import NOT_GREEN, SPENT, estimated
from tdgen.errors import BudgetSpent, InputError
from tdgen.terminal.output import ask_line, count, give_json, is_terminal, say

if TYPE_CHECKING:
    from tdgen.outputs.notices import Notice
    from tdgen.project.edit import Change
    from tdgen.project.module import Module
    from tdgen.project.recorded import Drift, Recorded, RecordedUnit
    from tdgen.project.root import Project
    from tdgen.project.syncing import Differences
    from tdgen.settings import Settings


class _Plan(NamedTuple):
    """Units to write anew, those whose code and tests may hold as they are, and those to leave alone."""

    rebuild: list[Drift]
    accept: list[Drift]
    left: list[Drift]


@options.settings(options.SOLVING, options.GATE)
def sync(
    paths: options.Made = None,
    *,
    apply: options.Apply = False,
    ask: options.AskSides = False,
    json: options.Json = False,
    sarif: options.Sarif = None,
    markdown: options.Markdown = None,
    dry_run: options.DryRun = False,
    verbose: options.Verbose = False,
    quiet: options.Quiet = False,
    flags: dict[str, Any],
) -> int:
    """Tell which functions and methods are no longer as tdgen left them, and bring docs, code and tests together.

    What `fill`, `add`, `change` and `guard` write is recorded in tdgen.json at the project's root: keep it in version
    control. To look asks no model. With --apply a unit whose docs changed is written anew from them, tests first; where
    its code or tests were edited and the tests pass, that is recorded; what moved or is gone too. Where the docs and
    also code or tests changed, nobody but you can tell which of them holds: with --ask you are asked.

    \b
    tdgen sync                            the whole project
    tdgen sync src/shop/prices.py         a module, a folder, or PATH::name
    tdgen sync --apply
    tdgen sync --apply --ask              both sides shown, where both changed
    tdgen sync --sarif tdgen.sarif        for a code host

    \b
    Exit codes: 0 all is as recorded, 1 something is not, 2 bad usage or
    input, 3 budget spent, 4 model or sandbox not reachable,
    70 a bug in tdgen, 130 interrupted.
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cache import cache_folder
    from tdgen.project.recorded import NAME, read_recorded
    from tdgen.project.root import find_project
    from tdgen.project.syncing import chosen_units, differences

    chosen = _settings(flags, ask=ask, json=json, dry_run=dry_run)
    reports = Reports(sarif, markdown, cache_folder(chosen.cache_dir)).checked()
    tell_finished(".")
    project = find_project(Path.cwd())
    record = read_recorded(project.root)
    if record is None:
        say(f"tdgen has made nothing in {project.root} yet: {NAME} is not there", "faint")
        reports.write("sync", project.root, [], (_HEAD, (), f"{NAME} is not there"))
        return 0
    units = chosen_units(record, paths or (), project.root)
    drift = differences(project, units)
    if json and not apply:
        give_json({"units": len(units), **_told(project, drift), "files": [], "applied": False})
    if not quiet:
        _tell(project, drift, of=len(units), verbose=verbose, asks=apply and ask and not dry_run)
    reports.write("sync", project.root, *_reported(project, drift, of=len(units)))
    if apply and drift.number and not dry_run:
        return _Applied(chosen, project, record, quiet=quiet, verbose=verbose).run(drift, ask=ask, json=json)
    if dry_run:
        _estimate(chosen, project, record, drift)
    elif drift.number and not quiet:
        _tell_next_steps(drift)
    return NOT_GREEN if drift.number else 0


def _settings(flags: dict[str, Any], *, ask: bool, json: bool, dry_run: bool) -> Settings:
    """The settings in force; InputError where the options can't be had together, or not here."""
    from tdgen.settings import load_settings

    if ask and not (is_terminal(sys.stdin) and is_terminal(sys.stderr)):
        raise InputError("--ask needs a terminal to ask at: without it, what changed on both sides is left as it is")
    if json and dry_run:
        raise InputError("--json tells what is not as it was, and --dry-run what --apply would cost: choose one")
    return load_settings(flags)


def _estimate(chosen: Settings, project: Project, recorded: Recorded, differences: Differences) -> None:
    """What it would cost to write the units anew whose docs alone changed; no model is asked."""
    from tdgen.cache import cache_folder
    from tdgen.client import Handed
    from tdgen.client.projects import ProjectGenerator, mounted
    from tdgen.project.syncing import by_module, rebuilding

    stale = by_module([drift for drift in differences.drifted if drift.of_docs and not drift.is_conflict])
    for path, names in stale.items():
        task = rebuilding(project, path, names, recorded, cache_folder(chosen.cache_dir) / "projects")
        say(f"to write anew in {path}: {', '.join(task.names)}", "strong")
        generator = ProjectGenerator(mounted(task), chosen)
        estimated(generator, task.instruction, Handed(target=task.target), as_json=False)
    if not stale:
        say("nothing is to be written anew: --apply would ask no model", "faint")


class _Applied:
    """The changes that bring a project and its record together."""

    def __init__(self, chosen: Settings, project: Project, recorded: Recorded, *, quiet: bool, verbose: bool) -> None:
        from tdgen.models import Ledger

        self._chosen, self._project, self._recorded = chosen, project, recorded
        self._quiet, self._verbose = quiet, verbose
        self._files: list[str] = []
        self._ledger = Ledger(chosen.budget)

    def run(self, differences: Differences, *, ask: bool, json: bool) -> int:
        """Make them; the exit code."""
        from tdgen.project.syncing import by_module

        plan = _planned(self._project, differences, ask=ask)
        failing = self._record(differences, plan.accept)
        stale = by_module(plan.rebuild).items()
        codes = [code for path, names in stale if (code := self._rebuild(path, names))]
        for drift in plan.left:
            say(f"{drift.unit.id} is left as it is: {drift.told}; --ask shows both sides, and asks which holds", "bad")
        if json:
            files = list(dict.fromkeys(self._files))
            give_json({**_told(self._project, differences), "files": files, "applied": bool(files)})
        return SPENT if SPENT in codes else NOT_GREEN if codes or failing or plan.left else 0

    def _record(self, differences: Differences, accepted: Sequence[Drift]) -> list[Drift]:
        """Record what moved, what is gone, and what holds as it is; those whose tests do not pass."""
        from tdgen.project.recorded import changed_record
        from tdgen.project.syncing import as_it_is

        failing = self._failing(accepted)
        units: dict[str, RecordedUnit] = {one.now.id: one.now for one in differences.moved}
        for drift in accepted:
            units |= as_it_is(self._project, drift) if drift not in failing else {}
        gone = [drift for drift in differences.gone if drift.is_gone]
        away = [*(one.unit.id for one in differences.moved), *(drift.unit.id for drift in gone)]
        self._write(changed_record(self._project.root, units, away))
        for drift in failing:
            named = " ".join(drift.unit.tests)
            say(f"{drift.unit.id} is not recorded, as its tests do not pass: `tdgen fix {named}` looks for why", "bad")
        return [*failing, *(drift for drift in differences.gone if drift not in gone)]

    def _failing(self, accepted: Sequence[Drift]) -> list[Drift]:
        """Those whose tests, as they are by now, do not pass."""
        from tdgen.client.projects import ProjectGenerator, mounted_project, remembered
        from tdgen.project.gate import FINE
        from tdgen.project.syncing import tests_of

        tests = tests_of(accepted, self._project.root)
        if not tests:
            return []
        with ProjectGenerator(mounted_project(self._project), self._chosen) as generator:
            report = remembered(generator, self._project)(tests, {}, self._chosen.gate_seconds)
        bad = {name.partition("::")[0] for name in report.collected if report.outcomes.get(name) not in FINE}
        bad |= {name.partition("::")[0] for name in report.failures}
        bad |= set() if report.complete or report.collected else set(tests)
        return [drift for drift in accepted if bad.intersection(drift.unit.tests)]

    def _rebuild(self, path: str, names: list[str]) -> int:
        """Write units of a module anew from their docs; 0, or the exit code where that is not green."""
        from tdgen.cache import cache_folder
        from tdgen.client.proposals import Proposal
        from tdgen.project.syncing import rebuilding

        folder = cache_folder(self._chosen.cache_dir) / "projects"
        task = rebuilding(self._project, path, names, self._recorded, folder)
        if not self._quiet:
            say(f"to write anew in {path}: {', '.join(task.names)}", "strong")
        shown = Work(apply=True, verbose=self._verbose, quiet=self._quiet)
        shown.check([task.module])
        try:
            part = client(self._chosen, shown).work(task, self._ledger)
        except BudgetSpent as error:
            say(f"{path} is left as it is: {error}", "bad")
            return SPENT
        if not self._quiet:
            tell_outcome(part, verbose=self._verbose)
        if not part.is_green:
            say(f"{path} is left as it is, as not all is green", "bad")
            return SPENT if part.solution.stopped else NOT_GREEN
        self._write(Proposal((part,), self._chosen).changes, [task.module])
        return 0

    def _write(self, changes: Sequence[Change], read: Sequence[Module] = ()) -> None:
        from tdgen.client.proposals import written as make
        from tdgen.project.edit import diff_of

        if not changes:
            return
        patch = written(lambda: make(changes, self._chosen, read))
        self._files += [change.path for change in changes]
        if not self._quiet:
            say_where(self._project, changes, patch, is_good=True, apply=True)
            if self._verbose:
                say(diff_of(changes), "faint")


def _planned(project: Project, differences: Differences, *, ask: bool) -> _Plan:
    """What is to be done about each unit, by who edited what, or by the user's answers."""
    plan = _Plan([], [], [])
    for drift in differences.drifted:
        if drift.is_conflict:
            side = _asked(project, drift) if ask else "neither"
            {"docs": plan.rebuild, "code": plan.accept}.get(side, plan.left).append(drift)
        else:
            (plan.rebuild if drift.of_docs else plan.accept).append(drift)
    return plan


def _asked(project: Project, drift: Drift) -> str:
    """Which side of a unit holds, by the user's answer: its docs, its code, or neither."""
    say(f"{drift.unit.id}: {drift.told}", "strong")
    for line in _diffs(project, drift):
        say(line)
    say("  1  the docs hold: write code and tests anew from them")
    say("  2  the code holds: record it as it is, if its tests pass")
    say("  a number, or nothing to leave it as it is")
    return {"1": "docs", "2": "code"}.get(ask_line("> ").strip(), "neither")


_HEAD: Final = ("unit", "what is no longer as tdgen left it")


def _notices(project: Project, differences: Differences) -> Iterator[Notice]:
    """What is another by now, each at the line where it stands, or would."""
    from tdgen.outputs.notices import DRIFTED, Notice
    from tdgen.project.module import line_of

    for drift in (*differences.drifted, *differences.gone):
        file = project.root / drift.unit.path
        yield Notice(DRIFTED, file, line_of(file, drift.unit.name), drift.unit.name, drift.told)
    for moved in differences.moved:
        file = project.root / moved.now.path
        sentence = f"was {moved.unit.id} when tdgen wrote it"
        yield Notice(DRIFTED, file, line_of(file, moved.now.name), moved.now.name, sentence)


def _reported(
    project: Project, differences: Differences, *, of: int
) -> tuple[list[Notice], tuple[Sequence[str], list[tuple[str, ...]], str]]:
    """The notices, and the table with its last line."""
    notices = list(_notices(project, differences))
    rows: list[tuple[str, ...]] = [(f"{project.relative(one.file)}::{one.unit}", one.message) for one in notices]
    return notices, (_HEAD, rows, _end(differences, of))


def _end(differences: Differences, of: int) -> str:
    if not differences.number:
        return f"{count(of, 'unit')}: all as tdgen left them"
    return f"{differences.number} of {count(of, 'unit')} not as tdgen left them"


def _tell_next_steps(differences: Differences) -> None:
    """The commands that bring together what is apart, and what each would do."""
    alone = [drift for drift in differences.drifted if not drift.is_conflict]
    does = ["writes anew, tests first, what has other docs"] * any(drift.of_docs for drift in alone)
    does += ["records edited code and tests, where these pass"] * any(not drift.of_docs for drift in alone)
    does += ["records what moved or is gone"] * bool(
        differences.moved or any(drift.is_gone for drift in differences.gone)
    )
    if does:
        say(f"`tdgen sync --apply` {', '.join(does)}", "faint")
    if len(alone) < len(differences.drifted):
        say("`tdgen sync --apply --ask` asks which side holds, where docs and also code or tests changed", "faint")


def _tell(project: Project, differences: Differences, *, of: int, verbose: bool, asks: bool) -> None:
    """Each unit that is another by now, with its diffs; those of a conflict not where a question follows (`asks`)."""
    notices = _notices(project, differences)
    for drift, notice in zip((*differences.drifted, *differences.gone), notices, strict=False):
        say(*notice_line(notice))
        is_shown = not asks if drift.is_conflict else verbose or drift.of_docs
        for line in _diffs(project, drift) if is_shown else ():
            say(f"    {line}")
    for notice in notices:
        say(*notice_line(notice))
    say(_end(differences, of), "strong" if differences.number else "good")


def _diffs(project: Project, drift: Drift) -> Iterator[str]:
    from tdgen.project.syncing import code_diff, docs_diff

    yield from docs_diff(drift).splitlines()
    code = code_diff(project, drift)
    yield from code.splitlines()
    if drift.of_code and not code:
        yield "the code as it was is in none of the last commits of its file"


def _told(project: Project, differences: Differences) -> dict[str, object]:
    """The differences as `--json` has them."""
    from tdgen.project.syncing import code_diff, docs_diff

    drifted = [
        {
            "unit": drift.unit.id,
            "told": drift.told,
            "conflict": drift.is_conflict,
            "docs": docs_diff(drift),
            "code": code_diff(project, drift),
            "tests": [*drift.tests, *drift.lost],
        }
        for drift in differences.drifted
    ]
    moved = [{"unit": one.unit.id, "now": one.now.id} for one in differences.moved]
    gone = [{"unit": drift.unit.id, "told": drift.told} for drift in differences.gone]
    return {"drifted": drifted, "moved": moved, "gone": gone}
