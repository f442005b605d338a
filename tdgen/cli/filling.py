"""`tdgen fill`: the stubs of an existing project get bodies, tests first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tdgen.cli import options
from tdgen.cli.in_project import (
    carried_out,
    changes_told,
    paid,
    say_where,
    shown_alone,
    tell_finished,
    tell_outcome,
    tell_task,
    written,
)
from tdgen.cli.solving import NOT_GREEN, SPENT, questions
from tdgen.errors import BudgetSpent, InputError
from tdgen.terminal.output import give, give_json, say

if TYPE_CHECKING:
    from tdgen.project.filling import Filling
    from tdgen.project.task import Done
    from tdgen.settings import Settings


@options.settings(options.SOLVING, options.GATE)
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
    where all is green and the files are still as they were read. Of several modules one that others import comes
    first; the budget is for all of them, and all are written, or none.

    \b
    tdgen fill src/shop/prices.py                   all documented stubs
    tdgen fill src/shop                             those of all its modules
    tdgen fill src/shop/prices.py::gross            one function
    tdgen fill src/shop/prices.py::Basket.total     one method
    tdgen fill src/shop/prices.py --apply
    tdgen fill src/shop/prices.py --context         what prompts would see

    \b
    Exit codes: 0 all green, 1 not all green, 2 bad usage or input,
    3 budget spent, 4 model or sandbox not reachable, 70 a bug in tdgen,
    130 interrupted.
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cache import cache_folder
    from tdgen.project.filling import read_fillings
    from tdgen.settings import load_settings

    chosen = load_settings(flags | questions(ask=ask, assume=assume))
    tell_finished(paths[0])
    filling = read_fillings(paths, cache_folder(chosen.cache_dir) / "projects")
    if len(filling.parts) == 1:
        return carried_out(
            "to fill in",
            chosen,
            filling.task(0, {}),
            context=context,
            dry_run=dry_run,
            apply=apply,
            json=json,
            ask=ask,
            verbose=verbose,
            quiet=quiet,
        )
    if context or dry_run:
        if json:
            raise InputError("--json shows --context and --dry-run of one module alone: name one")
        for place in range(len(filling.parts)):
            task = filling.task(place, {})
            shown_alone("to fill in", chosen, task, context=context, dry_run=dry_run, json=False, quiet=quiet)
        return 0
    return _all_filled(chosen, filling, apply=apply, json=json, ask=ask, verbose=verbose, quiet=quiet)


def _all_filled(
    chosen: Settings, filling: Filling, *, apply: bool, json: bool, ask: bool, verbose: bool, quiet: bool
) -> int:
    """Solve several modules in order, each with those before it, within one budget; the exit code."""
    from tdgen.models import Ledger
    from tdgen.project.task import Done

    ledger = Ledger(chosen.budget)
    done: list[Done] = []
    told: list[dict[str, object]] = []
    failed: dict[str, int] = {}
    for place, (module, _) in enumerate(filling.parts):
        if lacking := [name for name in filling.needs(place) if name in failed]:
            say(f"{module.path} is not begun: it imports {lacking[0]}, which is not green", "bad")
            failed[module.name] = NOT_GREEN
            continue
        task = filling.task(place, {one.task.module.name: one.text for one in done})
        if not quiet:
            tell_task("to fill in", task)
        try:
            solution, gate = paid(ledger, chosen, task, ask=ask, quiet=quiet, verbose=verbose)
        except (BudgetSpent, InputError) as error:
            failed[module.name] = error.exit_code
            say(f"{module.path} is left as it is: {error}", "bad")
            told.append({"module": module.name, "path": module.path, "green": False, "reason": str(error)})
            continue
        if solution.all_tests_passed and (gate is None or gate.holds):
            done.append(Done(task, solution.module_source, solution.test_files))
        else:
            failed[module.name] = SPENT if solution.stopped else NOT_GREEN
        if not quiet:
            tell_outcome(task, solution, gate, verbose=verbose)
        one = {"module": module.name, "path": module.path, "green": module.name not in failed}
        told.append({**one, "project_tests": gate and gate._asdict(), "solution": solution.to_dict()})
    _deliver(chosen, filling, done, told, failed, apply=apply, json=json, quiet=quiet)
    return max(failed.values(), default=0)


def _deliver(
    chosen: Settings,
    filling: Filling,
    done: Sequence[Done],
    told: Sequence[Mapping[str, object]],
    failed: Collection[str],
    *,
    apply: bool,
    json: bool,
    quiet: bool,
) -> None:
    """The changes of what is green as the result, made where that is asked for and nothing `failed`."""
    from tdgen.project.edit import diff_of
    from tdgen.project.task import changes_of

    changes = changes_of(done) if done else []
    patch = written(changes, chosen) if apply and not failed else None
    if json:
        give_json({"modules": told, **changes_told(changes, patch)})
    elif patch is None and changes:
        give(diff_of(changes))
    if not quiet:
        say_where(filling.project, changes, patch, is_good=not failed, apply=apply)
        if failed and done:
            green = " ".join(one.task.module.path for one in done)
            say(f"green, and kept: `tdgen fill {green} --apply` writes what is green without a model call", "faint")
