"""`tdgen fill`: the stubs of an existing project get bodies, tests first."""

from __future__ import annotations

from typing import Any

from tdgen.cli import options
from tdgen.cli.in_project import cache_folder, carried_out
from tdgen.cli.solving import questions


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
    from tdgen.project.filling import read_filling
    from tdgen.settings import load_settings

    chosen = load_settings(flags | questions(ask=ask, assume=assume))
    task = read_filling(paths, cache_folder(chosen) / "projects")
    return carried_out(
        "to fill in",
        chosen,
        task,
        context=context,
        dry_run=dry_run,
        apply=apply,
        json=json,
        ask=ask,
        verbose=verbose,
        quiet=quiet,
    )
