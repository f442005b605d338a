"""`tdgen change`: the contract of a function in a project changes by a sentence, tests first."""

from __future__ import annotations

from typing import Any

from tdgen.cli import options
from tdgen.cli.in_project import Work, carried_out, tell_finished


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
