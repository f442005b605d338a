"""`tdgen add`: a module of an existing project gets something new, tests first."""

from __future__ import annotations

from typing import Any

from tdgen.cli import options
from tdgen.cli.in_project import Work, carried_out, tell_finished


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
