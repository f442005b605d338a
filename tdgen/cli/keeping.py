"""`tdgen show`: a solution that is there already, looked at.

`tdgen cache …`: what is kept, where, and how to be rid of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option, Typer

from tdgen.cli import options
from tdgen.cli import options as completing
from tdgen.cli.options import Command
from tdgen.cli.summary import detail_lines, summary
from tdgen.errors import InputError
from tdgen.terminal.output import (
    Line,
    ask_line,
    asked_lines,
    count,
    give,
    give_json,
    give_lines,
    is_terminal,
    one_line,
    say,
)

if TYPE_CHECKING:
    from tdgen.cache import Row, Run
    from tdgen.outputs.places import Package
    from tdgen.runtime import Runtime


@options.settings(options.CACHE)
def show(
    name: options.Kept,
    *,
    json: options.Json = False,
    tests: options.ShowTests = False,
    code: options.ShowCode = False,
    html: options.Html = None,
    overwrite: options.Overwrite = False,
    flags: dict[str, Any],
) -> int:
    """Show a solution: what was asked, planned and written, how it ended, and what it cost.

    Of a run that did not end green the best so far is shown, or where it left no code, how it ended.

    \b
    tdgen show 3f2a91bc                    a kept one, by its key's first digits
    tdgen show ./calendars                 one in a folder, as its files are now
    tdgen show 3f2a91bc --code > calendars.py
    tdgen show 3f2a91bc --tests
    tdgen show 3f2a91bc --html story.html  all of it as one page for a browser
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cache import Run
    from tdgen.cli.inputs import package_or_run
    from tdgen.client import Generator
    from tdgen.settings import load_settings

    with Generator(load_settings(flags)) as generator:
        package = package_or_run(generator, name)
        cache = generator.folder
    if isinstance(package, Run):
        if html is not None or code or tests:
            raise InputError(f"the {package.state} run {name} left no code to show: `tdgen show {name}` tells its end")
        _show_run(package, json=json)
        return 0
    for changed in package.changed:
        say(
            f"{changed} was changed since tdgen wrote it: here it is as it is now; the outcomes are those of then",
            "bad",
        )
    if html is not None:
        _write_html(package, html, cache, overwrite=overwrite)
    elif json:
        give_json(package.solution.to_dict() | {"changed": list(package.changed)})
    elif code or tests:
        give("\n".join(_sources(package, code=code, tests=tests)))
    else:
        give_lines(list(_solution_lines(package)))
    return 0


def _show_run(run: Run, *, json: bool) -> None:
    """Show a run that left no solution: what was asked, and how it ended."""
    if json:
        give_json(run.model_dump())
        return
    goes_on = "the same command again goes on from here: what it was answered is not paid for twice"
    ends = {"failed": run.reason, "unfinished": f"{run.reason}; {goes_on}" if run.reason else goes_on}
    asked = run.instruction.strip() or "(an earlier version of tdgen did not keep the instruction)"
    give_lines([*asked_lines(asked), Line(f"{run.state}, {run.at[:16]}: {one_line(ends[run.state], 800)}", "bad")])


def _write_html(package: Package, path: str, cache: Path, *, overwrite: bool) -> None:
    from tdgen.cache.disk import written_record
    from tdgen.files.saving import save_file

    if path == "-":
        give(package.solution.to_html())
        return
    save_file(Path(path), package.solution.to_html(), record=written_record(cache, Path(path)), overwrite=overwrite)
    say(f"wrote {path}")


def _sources(package: Package, *, code: bool, tests: bool) -> Iterator[str]:
    """The module, as it is, and the test files, each under its name."""
    if code:
        yield package.files[package.module]
    if tests:
        for name in sorted(package.files):
            if Path(name).name.startswith("test_"):
                yield f"# {name}\n{package.files[name]}"


def _solution_lines(package: Package) -> Iterator[Line]:
    from tdgen.cli.plans import plan_lines

    solution = package.solution
    yield from asked_lines(solution.instruction)
    yield from plan_lines(solution.plan)
    yield Line("")
    yield Line(f"{package.module}:", "strong")
    yield from (Line(f"    {line}") for line in package.files[package.module].splitlines())
    yield Line("")
    yield from detail_lines(solution)
    yield Line("")
    yield from summary(solution)


cache = Typer(
    name="cache",
    rich_markup_mode=None,
    no_args_is_help=False,
)
Key = Annotated[
    str,
    Argument(metavar="HASH", help="A solution's or a run's key, or its first digits.", autocompletion=completing.keys),
]
MaybeKey = Annotated[
    str | None,
    Argument(metavar="HASH", help="The one solution, or run, to forget.", autocompletion=completing.keys),
]
All = Annotated[bool, Option("--all", help="Forget everything, without being asked.")]


@cache.callback()
def group() -> None:
    """What is kept between runs: verified solutions and functions, and the journal of runs that did not end.

    \b
    tdgen cache list
    tdgen cache clear 3f2a91bc
    """  # noqa: D301 - \b keeps the lines below it apart


@cache.command("list", cls=Command, short_help="List kept solutions, and runs that did not end green.")
@options.settings(options.CACHE)
def list_kept(*, json: options.Json = False, flags: dict[str, Any]) -> int:
    """List the kept solutions, the newest first, and the runs that did not end all green.

    \b
    tdgen cache list
    tdgen cache list --json | jq -r '.solutions[].key'
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cache import runs

    with _runtime(flags) as runtime:
        rows, journal = runtime.solutions.rows(), runs(runtime.folder)
    if json:
        give_json({"solutions": [r.model_dump() for r in rows], "runs": [r.model_dump() for r in journal]})
        return 0
    lines = []
    for row in rows:
        about = one_line(f"{count(row.functions, 'function')}, {row.trust}, {row.model}")
        lines.append(Line(f"{_stamp(row.key, row.created)}  {about}  {one_line(row.instruction, 120)}"))
    for run in journal:
        title = next(iter(run.instruction.strip().splitlines()), "")
        parts = [run.state, one_line(run.reason, 120), one_line(title, 120)]
        lines.append(Line("  ".join([_stamp(run.key, run.at), *filter(None, parts)]), "faint"))
    give_lines(lines or [Line("nothing is kept")])
    return 0


@cache.command("show", cls=Command, short_help="Show what is kept under a key, in a few words.")
@options.settings(options.CACHE)
def show_row(key: Key, *, json: options.Json = False, flags: dict[str, Any]) -> int:
    """Show what is kept under a key, in a few words (`tdgen show HASH` shows all of it).

    \b
    tdgen cache show 3f2a91bc
    """  # noqa: D301 - \b keeps the line below it apart
    with _runtime(flags) as runtime:
        rows, journal = _of_key(runtime, key)
    row = rows[0].model_dump() if rows else journal[0].model_dump()
    if json:
        give_json(row)
    else:
        give_lines([Line(f"{name:<12} {one_line(str(value))}") for name, value in row.items()])
    return 0


@cache.command("clear", cls=Command, short_help="Forget one solution or run, or everything.")
@options.settings(options.CACHE)
def clear(key: MaybeKey = None, *, everything: All = False, flags: dict[str, Any]) -> int:
    """Forget one kept solution or run, or everything; what is forgotten must be paid for again.

    Everything includes the packages that were installed for --allow: they are downloaded again when they are needed.
    Without HASH and --all you are asked at a terminal; elsewhere nothing is forgotten.

    \b
    tdgen cache clear 3f2a91bc
    tdgen cache clear --all
    """  # noqa: D301 - \b keeps the lines below it apart
    if key and everything:
        raise InputError("HASH names one solution and --all everything: choose one")
    with _runtime(flags) as runtime:
        if key:
            say(_one_forgotten(runtime, key))
        elif everything or _agreed(runtime):
            say(_forgotten(runtime))
        else:
            say("nothing was forgotten")
    return 0


def _of_key(runtime: Runtime, prefix: str) -> tuple[list[Row], list[Run]]:
    """The kept solution and the runs whose key starts with `prefix`; InputError where there is neither, or several."""
    from tdgen.cache import match_key, runs

    rows, journal = runtime.solutions.rows(), runs(runtime.folder)
    key = match_key(prefix, [*(row.key for row in rows), *(run.key for run in journal)])
    return [row for row in rows if row.key == key], [run for run in journal if run.key == key]


def _one_forgotten(runtime: Runtime, prefix: str) -> str:
    """Forget a solution, and the runs of its key; what that was, in a line."""
    rows, journal = _of_key(runtime, prefix)
    for row in rows:
        runtime.solutions.delete(row.key)
    for run in journal:
        run.forget()
    counts = [count(len(gone), what) for gone, what in ((rows, "solution"), (journal, "run")) if gone]
    return f"forgot {' and '.join(counts)}"


def _agreed(runtime: Runtime) -> bool:
    """Whether the user, asked at the terminal, wants everything to be forgotten; InputError without a terminal."""
    if not (is_terminal(sys.stdin) and is_terminal(sys.stderr)):
        raise InputError("name the solution to forget by its HASH (`tdgen cache list` shows them), or give --all")
    say(f"This forgets all that is kept in {runtime.folder}; it must be paid for again.")
    return ask_line("Forget everything? [y/N] ").lower() in ("y", "yes")


def _forgotten(runtime: Runtime) -> str:
    """Forget everything; what that was, in a line."""
    from tdgen.cache import clear_folder
    from tdgen.sandbox.wheels import clear as clear_packages

    items = count(clear_folder(runtime.folder), "item")
    sets = clear_packages(runtime.folder)
    return f"forgot all that was kept: {items}" + (f", and {count(sets, 'set')} of packages" if sets else "")


@cache.command("path", cls=Command)
@options.settings(options.CACHE)
def path(*, flags: dict[str, Any]) -> int:
    """Print the cache's folder.

    \b
    tdgen cache path
    du -sh $(tdgen cache path)
    """  # noqa: D301 - \b keeps the lines below it apart
    with _runtime(flags) as runtime:
        give(str(runtime.folder))
    return 0


@contextmanager
def _runtime(flags: dict[str, Any]) -> Iterator[Runtime]:
    from tdgen.runtime import Runtime
    from tdgen.settings import load_settings

    runtime = Runtime(load_settings(flags))
    try:
        yield runtime
    finally:
        runtime.close()


def _stamp(key: str, moment: str) -> str:
    """A key as people copy it, and when it was kept (ISO 8601, to the minute)."""
    from tdgen.cli.summary import short

    return f"{short(key)}  {one_line(moment)[:16]}"
