"""`tdgen plan` and `tdgen tests`: a solve that stops on its way, with a file to edit and hand back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdgen.cli import options
from tdgen.terminal.output import Line, give_json, give_lines, say

if TYPE_CHECKING:
    from tdgen.client import Generator
    from tdgen.outputs.drafts import DraftFile, DraftTarget


@options.settings(options.SOLVING)
def plan(
    text: options.Instruction = None,
    *,
    out: options.PlanOut = None,
    overwrite: options.Overwrite = False,
    json: options.Json = False,
    tests: options.Tests = None,
    follow: options.Follow = None,
    module: options.Module = None,
    verbose: options.Verbose = False,
    quiet: options.Quiet = False,
    flags: dict[str, Any],
) -> int:
    """Plan an instruction's functions, and stop there.

    Shown are the functions with their contracts, the order they are built in, the examples that are pinned, and what is
    unclear with what was assumed. The file that -o writes can be edited and handed back; a solve of the same
    instruction does not ask for the plan again.

    \b
    tdgen plan spec.md
    tdgen plan spec.md -o plan.json         then edit it, and hand it back:
    tdgen solve --plan plan.json
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cli.inputs import handed_in
    from tdgen.cli.plans import plan_lines
    from tdgen.outputs.drafts import DraftFile

    instruction, handed = handed_in(text, tests=tests, follow=follow, module=module)
    with _generator(flags, verbose=verbose, quiet=quiet) as generator:
        target = _target(out, generator.folder, as_file=True, overwrite=overwrite)
        draft = generator.draft(instruction, until="plan", handed=handed)
    draft_file = DraftFile(draft.instruction.text, draft.required_plan)
    wrote = _written(target, draft_file)
    _deliver(draft_file, plan_lines(draft_file.plan), wrote, as_json=json, quiet=quiet)
    return 0


@options.settings(options.SOLVING)
def cases(
    text: options.Instruction = None,
    *,
    out: options.TestsOut = None,
    force: options.Force = False,
    overwrite: options.Overwrite = False,
    json: options.Json = False,
    tests: options.Tests = None,
    plan: options.PlanFile = None,
    follow: options.Follow = None,
    module: options.Module = None,
    verbose: options.Verbose = False,
    quiet: options.Quiet = False,
    flags: dict[str, Any],
) -> int:
    """Write an instruction's cases, see each of them fail while nothing is written, and stop there.

    The file that -o writes holds the plan and the cases. A case that you change or add there is your own: it is pinned,
    and no model may change it.

    \b
    tdgen tests spec.md
    tdgen tests spec.md -o cases.json       then edit it, and hand it back:
    tdgen solve --plan cases.json
    tdgen tests spec.md -o cases            draft.json, and beside it pytest files
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cli.inputs import handed_in
    from tdgen.cli.plans import suite_lines
    from tdgen.outputs.drafts import DraftFile

    instruction, handed = handed_in(text, tests=tests, plan=plan, follow=follow, module=module)
    with _generator(flags, verbose=verbose, quiet=quiet) as generator:
        target = _target(out, generator.folder, force=force, overwrite=overwrite)
        draft = generator.draft(instruction, until="compare", handed=handed)
    draft_file = DraftFile(draft.instruction.text, draft.required_plan, tuple(draft.suites.values()))
    wrote = _written(target, draft_file)
    _deliver(draft_file, suite_lines(draft_file.suites), wrote, as_json=json, quiet=quiet)
    return 0


def _target(
    out: str | None, cache: Path, *, as_file: bool = False, force: bool = False, overwrite: bool = False
) -> DraftTarget | None:
    """Where the draft is to be written; that it can be is seen to before any work is paid for."""
    from tdgen.outputs.drafts import DraftTarget

    target = DraftTarget(out, cache, as_file=as_file, force=force, overwrite=overwrite) if out else None
    if target:
        target.check()
    return target


def _written(target: DraftTarget | None, draft: DraftFile) -> str:
    from tdgen.cli.interrupts import held_back

    with held_back():
        return target.write(draft) if target else ""


def _deliver(draft: DraftFile, lines: Iterable[Line], wrote: str, *, as_json: bool, quiet: bool) -> None:
    from tdgen.outputs.drafts import draft_content

    if as_json:
        give_json(draft_content(draft))
    else:
        give_lines(list(lines))
    if wrote and not quiet:
        say(wrote)


@contextmanager
def _generator(flags: dict[str, Any], *, verbose: bool, quiet: bool) -> Iterator[Generator]:
    from tdgen.cli.interrupts import resumable
    from tdgen.client import Generator
    from tdgen.settings import load_settings
    from tdgen.terminal.progress import progress_teller

    settings = load_settings(flags)
    with (
        resumable(fresh=settings.fresh),
        progress_teller(quiet=quiet, verbose=verbose) as emit,
        Generator(settings, on_event=emit) as generator,
    ):
        yield generator
