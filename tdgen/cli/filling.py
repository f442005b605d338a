"""`tdgen fill`, `tdgen add` and `tdgen change`: a module of a project gets bodies, something new, or other contracts.

Tests come first in each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tdgen.cli import options
from tdgen.cli.in_project import (
    Work,
    carried_out,
    changes_told,
    client,
    exit_code,
    say_where,
    show,
    tell_environment,
    tell_finished,
    tell_outcome,
    tell_task,
    written,
)
from tdgen.errors import InputError
from tdgen.terminal.output import give, give_json, say

if TYPE_CHECKING:
    from tdgen.client.proposals import Proposal
    from tdgen.project.filling import Filling
    from tdgen.project.task import ProjectTask
    from tdgen.settings import Settings


@options.settings(options.SOLVING, options.GATE)
def fill(
    paths: options.Stubs,
    *,
    work: Work,
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

    chosen = work.settings(flags)
    tell_finished(paths[0])
    filling = read_fillings(paths, cache_folder(chosen.cache_dir) / "projects")
    if len(filling.parts) == 1:
        return carried_out("to fill in", chosen, filling.task(0, {}), work)
    if work.tells:
        tell_environment(filling.project)
    if work.is_to_look:
        if work.json:
            raise InputError("--json shows --context and --dry-run of one module alone: name one")
        for place in range(len(filling.parts)):
            show("to fill in", chosen, filling.task(place, {}), work)
        return 0
    work.check(module for module, _ in filling.parts)
    return _all_filled(chosen, filling, work)


def _all_filled(chosen: Settings, filling: Filling, work: Work) -> int:
    """Solve several modules in order, each with those before it, within one budget; the exit code."""
    from tdgen.client.proposals import Part

    def tell(news: ProjectTask | Part) -> None:
        if work.quiet:
            return
        if isinstance(news, Part):
            tell_outcome(news, verbose=work.verbose)
        else:
            tell_task("to fill in", news)

    proposal = client(chosen, work, on_module=tell).filled(filling)
    for path, error in proposal.left.items():
        say(f"{path} is left as it is: {error}", "bad")
    patch = written(proposal.apply) if work.apply and proposal.is_good else None
    if work.json:
        give_json({"modules": list(_modules(filling, proposal)), **changes_told(proposal.changes, patch)})
    elif patch is None and proposal.changes:
        give(proposal.diff)
    green = " ".join(part.task.module.path for part in proposal.parts if part.is_green)
    if not work.quiet:
        say_where(filling.project, proposal.changes, patch, is_good=proposal.is_good, apply=work.apply)
        if green and not proposal.is_green:
            say(f"green, and kept: `tdgen fill {green} --apply` writes what is green without a model call", "faint")
    return exit_code(proposal)


def _modules(filling: Filling, proposal: Proposal) -> Iterator[dict[str, object]]:
    """The modules as `--json` has them."""
    parts = {part.task.module.path: part for part in proposal.parts}
    for module, _ in filling.parts:
        module_json: dict[str, object] = {"module": module.name, "path": module.path}
        if part := parts.get(module.path):
            gate = part.gate and part.gate._asdict()
            yield {**module_json, "green": part.is_green, "project_tests": gate, "solution": part.solution.to_dict()}
        else:
            yield {**module_json, "green": False, "reason": str(proposal.left[module.path])}


@options.settings(options.SOLVING, options.GATE)
def add(
    place: options.Place,
    text: options.Wanted,
    *,
    work: Work,
    flags: dict[str, Any],
) -> int:
    """Add functions and classes to a module of a project, or methods to a class, from prose.

    They use what the project has, which is read and never imported here: code and tests run in the sandbox. Of what is
    there nothing changes. The result is a patch of the module and of new test files, on stdout; --apply makes the
    changes, where all is green and the files are still as they were read.

    \b
    tdgen add src/shop/prices.py "net(order): the price of an order without tax"
    tdgen add src/shop/prices.py::Basket "a method that gives the number of lines"
    tdgen add src/shop/prices.py wish.md --apply
    tdgen add src/shop/prices.py "…" --context     what prompts would see

    \b
    Exit codes: 0 all green, 1 not all green, 2 bad usage or input,
    3 budget spent, 4 model or sandbox not reachable, 70 a bug in tdgen,
    130 interrupted.
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cache import cache_folder
    from tdgen.cli.inputs import handed_in
    from tdgen.project.adding import read_addition

    chosen = work.settings(flags)
    tell_finished(place)
    task = read_addition(place, handed_in(text)[0], cache_folder(chosen.cache_dir) / "projects")
    return carried_out("to add to", chosen, task, work)


@options.settings(options.SOLVING, options.GATE)
def change(
    place: options.Changed,
    text: options.Wanted,
    *,
    work: Work,
    flags: dict[str, Any],
) -> int:
    """Change what a function, method or class of a project does, by a sentence.

    Its docstring holds on where the sentence does not say otherwise, and says from then on what the sentence changes;
    its signature changes only where the sentence asks for it. New tests are written from both, and the code is changed
    until they pass. Tests of the project that name it and that the sentence contradicts are revised by an author who
    sees no code; all others stay as they are. One that can stay, though the new code does not pass it, is told with
    both places quoted, and nothing is written. The result is a patch, on stdout; --apply makes it, where all is green.

    \b
    tdgen change src/shop/prices.py::gross "halves are rounded up"
    tdgen change src/shop/prices.py::Basket.total "takes a rate, 20 unless given"
    tdgen change src/shop/prices.py::Basket "prices below zero are refused"
    tdgen change src/shop/prices.py::gross wish.md --apply

    \b
    Exit codes: 0 all green, 1 not all green, 2 bad usage or input,
    3 budget spent, 4 model or sandbox not reachable, 70 a bug in tdgen,
    130 interrupted.
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cache import cache_folder
    from tdgen.cli.inputs import handed_in
    from tdgen.project.changing import read_change

    chosen = work.settings(flags)
    tell_finished(place)
    task = read_change(place, handed_in(text)[0], cache_folder(chosen.cache_dir) / "projects")
    return carried_out("to change in", chosen, task, work)
