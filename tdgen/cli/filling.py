"""`tdgen fill`: the stubs of an existing project get bodies, tests first."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tdgen.cli import options
from tdgen.cli.solving import NOT_GREEN, SPENT, asking, estimated, questions
from tdgen.cli.speaking import count, give, give_json, say
from tdgen.errors import InputError

if TYPE_CHECKING:
    from tdgen.project.edit import Change
    from tdgen.project.filling import Filling
    from tdgen.project.gate import GateReport
    from tdgen.sandbox.mounted import Mounted
    from tdgen.settings import Settings
    from tdgen.solution import Solution

GATE_SECONDS: Final = 60.0
"""How long the project's own tests may take, without the new code and with it. Not tuned."""


@options.settings(options.SOLVING)
def fill(
    paths: options.Stubs,
    *,
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
    """Fill the stubs of a project: functions and methods whose bodies are `...`, `pass` or NotImplementedError.

    A stub's signature and docstring say what it is to do. The project is read, never imported here: code and tests run
    in the sandbox. The result is a patch of the module and of new test files, on stdout; --apply makes the changes,
    where all is green and the files are still as they were read.

    \b
    tdgen fill src/shop/prices.py                   all documented stubs
    tdgen fill src/shop/prices.py::gross            one function
    tdgen fill src/shop/prices.py::Basket.total     one method
    tdgen fill src/shop/prices.py --apply
    tdgen fill src/shop/prices.py --context         what prompts would see

    \b
    Exit codes: 0 all green, 1 not all green, 2 bad usage or input,
    3 budget spent, 4 model or sandbox not reachable, 70 a bug in tdgen,
    130 interrupted.
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.client import Handed
    from tdgen.project.filling import read_filling
    from tdgen.settings import load_settings

    chosen = load_settings(flags | questions(ask=ask, assume=assume))
    filling = read_filling(paths, _cache(chosen) / "projects")
    if context:
        return _show_context(filling, as_json=json)
    if not quiet:
        _tell(filling)
    if dry_run:
        return estimated(chosen, filling.instruction, Handed(target=filling.target), as_json=json)
    solution, gate = _solved(chosen, filling, ask=ask, quiet=quiet, verbose=verbose)
    changes = filling.changes(solution.module_source, solution.test_files)
    is_good = solution.all_tests_passed and (gate is None or gate.holds)
    patch = _written(changes, _cache(chosen) / "patches") if apply and is_good else None
    given = {"diff": _diff(changes), "files": [change.path for change in changes], "patch": str(patch or "")}
    if json:
        told = {"module": filling.module.name, "path": filling.module.path, **given, "applied": patch is not None}
        give_json({**told, "project_tests": gate and gate._asdict(), "solution": solution.to_dict()})
    elif patch is None:
        give(_diff(changes))
    if not quiet:
        _conclude(solution, gate, verbose=verbose)
        _say_where(filling, changes, patch, is_good=is_good, apply=apply)
    return 0 if is_good else SPENT if solution.stopped else NOT_GREEN


def _cache(chosen: Settings) -> Path:
    from tdgen.cache import default_folder

    return Path(chosen.cache_dir) if chosen.cache_dir else default_folder()


def _show_context(filling: Filling, *, as_json: bool) -> int:
    """What prompts would see, as the result."""
    target = filling.target
    if as_json:
        give_json({"instruction": filling.instruction, **target.model_dump(exclude={"source"})})
    else:
        alone = f"\n\n# the developer alone sees besides\n\n{target.code}" * bool(target.code)
        give(f"{filling.instruction}\n{target.context}{alone}")
    return 0


def _tell(filling: Filling) -> None:
    """What is to be filled, what is passed over, and that a file has changes of the user's own."""
    from tdgen.project.git_index import is_changed

    module = filling.module
    say(f"to fill in {module.path}: {', '.join(unit.name for unit in filling.selection.units)}", "strong")
    for note in filling.selection.notes:
        say(note, "faint")
    if is_changed(module.file, module.data):
        say(f"{module.path} has changes that git does not have yet: a patch back keeps them", "faint")


def _solved(
    chosen: Settings, filling: Filling, *, ask: bool, quiet: bool, verbose: bool
) -> tuple[Solution, GateReport | None]:
    """The solution, and what the project's own tests say of it where it is all green."""
    from tdgen.cli.interrupts import resumable
    from tdgen.cli.progress import progress_teller
    from tdgen.client import Generator, Handed

    with (
        resumable(fresh=chosen.fresh),
        progress_teller(quiet=quiet, verbose=verbose) as teller,
        Generator(
            chosen,
            on_event=teller,
            on_question=asking(teller) if ask else None,
            mounted=mounted(filling),
        ) as generator,
    ):
        solution = generator.solve(filling.instruction, Handed(target=filling.target))

        def run(files: Sequence[str], overlay: Mapping[str, str], seconds: float) -> Mapping[str, str]:
            return generator.project_tests(files, overlay, seconds=seconds).outcomes

        is_green = solution.all_tests_passed
        return solution, filling.check(solution.module_source, run, seconds=GATE_SECONDS) if is_green else None


def mounted(filling: Filling) -> Mounted:
    """The project as the sandboxes show it: with its own environment, where it has one."""
    from tdgen.sandbox.mounted import Mounted

    project, environment = filling.project, filling.project.environment
    imports = tuple(str(path) for path in (*project.import_folders, *environment.folders))
    needed = (filling.module.file, *project.import_folders)
    hidden = tuple(str(one) for one in project.test_folders if not any(path.is_relative_to(one) for path in needed))
    python = environment.interpreter if environment.interpreter.is_relative_to(project.root) else ""
    return Mounted(
        root=str(project.root), imports=imports, python=str(python), names=filling.target.elsewhere, hidden=hidden
    )


def _written(changes: list[Change], folder: Path) -> Path:
    """Make the changes; the patch that takes them back. Where they can't be made, the patch is kept, and told."""
    from tdgen.cli.interrupts import held_back
    from tdgen.project.edit import apply_changes, save_patch

    with held_back():
        patch = save_patch(changes, folder)
        try:
            apply_changes(changes)
        except InputError as error:
            raise InputError(f"{error}; what was to be written is in {patch}") from None
        return patch


def _diff(changes: list[Change]) -> str:
    from tdgen.project.edit import patch_of

    return patch_of(changes).decode("utf-8", "replace")


def _conclude(solution: Solution, gate: GateReport | None, *, verbose: bool) -> None:
    """What came of the work, and what the project's own tests say of it."""
    from tdgen.cli.summary import summary

    for line in summary(solution, verbose=verbose):
        say(line.text, line.style)
    if gate is None:
        return
    for test in gate.broken:
        say(f"{test} passed before, and does not with the new code", "bad")
    told = [f"the project's own tests: {count(gate.ran, 'test')} run"]
    told += [f"{len(gate.failing)} did not pass before"] * bool(gate.failing)
    told += [f"{len(gate.flaky)} passed in a second run alone"] * bool(gate.flaky)
    told += [f"no time for {count(len(gate.left_out), 'file')}"] * bool(gate.left_out)
    say(", ".join(told), "faint")
    if gate.unmet:
        named = ", ".join(gate.unmet[:3]) + ", …" * (len(gate.unmet) > 3)
        say(f"{count(len(gate.unmet), 'test')} did not pass before and still do not: {named}", "bad")


def _say_where(filling: Filling, changes: list[Change], patch: Path | None, *, is_good: bool, apply: bool) -> None:
    """Where the changes are, or why they are nowhere."""
    if patch is not None:
        say(f"wrote {', '.join(change.path for change in changes)}")
        say(f"to take it back: patch -R -p1 -d {shlex.quote(str(filling.project.root))} -i {shlex.quote(str(patch))}")
    elif is_good:
        say("nothing is written: --apply makes these changes", "faint")
    elif apply:
        say("nothing is written, as not all is green", "bad")
