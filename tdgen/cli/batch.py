"""`tdgen batch`: a file of instructions in, a row for each out, and a summary."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from tdgen.cli import options
from tdgen.cli.clustering import OnCluster, on_cluster
from tdgen.cli.interrupts import Interrupted
from tdgen.terminal.output import Line, count, give_json, one_line, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdgen.batch import Summary

File = Annotated[str, Argument(metavar="FILE", help="One instruction a line: JSONL, or CSV where it ends in .csv.")]
Out = Annotated[str, Option("--out", "-o", metavar="DIR", help="Folder for results.jsonl and summary.json.")]
Folders = Annotated[bool, Option("--folders", help="Write each solution's package too, to DIR/solutions/ID.")]
Force = Annotated[bool, Option("--force", "-f", help="Begin anew in a folder that holds another run's results.")]
Resume = Annotated[
    bool, Option("--resume", help="Go on in it though file or settings changed: lines that did not are finished.")
]
AtOnce = Annotated[
    int | None, Option("--at-once", metavar="N", min=1, help="Lines in flight (as --concurrency).", show_default=False)
]


@options.settings(options.SOLVING)
def batch(
    file: File,
    *,
    out: Out,
    folders: Folders = False,
    at_once: AtOnce = None,
    cluster: OnCluster = None,
    resume: Resume = False,
    force: Force = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
    flags: dict[str, Any],
) -> int:
    """Solve many instructions, a line each; every finished one is in DIR/results.jsonl at once.

    A line has an instruction, and may have an id, a trust, a budget, and tests: the path of an own pytest file. A line
    that fails, or can't be used, is a row that says so, and the others go on. Ctrl-C finishes what is in flight, a
    second one drops it. The same command again goes on from there: nothing is asked or paid twice. The budget is each
    line's; --rpm and --concurrency hold over all of them.

    \b
    tdgen batch specs.jsonl -o results
    tdgen batch specs.csv -o results --folders --trust quick --budget calls=12
    jq -r 'select(.outcome != "green") | .id, .reason' results/results.jsonl

    \b
    Exit codes: 0 all green, 1 not all green, 2 bad usage or input, 4 model or
    sandbox not reachable (by any line, however few), 70 a bug in tdgen, 130
    interrupted; where the first lines all fail for one reason, that of it.
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.batch import run_file
    from tdgen.cli.interrupts import asked_to_stop
    from tdgen.cli.rows import watched
    from tdgen.settings import load_settings

    with (
        on_cluster(cluster, load_settings(flags), at_once) as (workers, settings),
        watched(quiet=quiet) as on_row,
        asked_to_stop() as stop,
    ):
        summary = run_file(
            Path(file),
            Path(out),
            settings=settings,
            executor=workers,
            at_once=at_once or (workers.threads if workers else None),
            folders=folders,
            force=force,
            resume=resume,
            on_row=on_row,
            stop=stop,
        )
    if json:
        give_json(summary.model_dump(mode="json"))
    if not quiet:
        for line in _summary_lines(summary, out):
            say(line.text, line.style)
    if stop.is_set() and summary.missing:
        raise Interrupted(_interrupted(summary))
    return summary.exit_code


def _summary_lines(summary: Summary, out: str) -> Iterator[Line]:
    from tdgen.terminal.output import spending

    ended = ", ".join(f"{number:,} {name}" for name, number in summary.outcomes.items())
    missing = f", {count(summary.missing, 'line')} not ended" if summary.missing else ""
    counts = f"{count(summary.lines, 'line')}: {ended or 'nothing'}{missing}"
    yield Line(counts, "good" if summary.all_green else "bad")
    if summary.stopped and summary.stopped != "interrupted":
        yield Line(one_line(f"stopped: {summary.stopped}", 600), "bad")
    figures = summary.figures
    if figures["esr"]["whole"]:
        low, high = figures["esr"]["interval"]
        share = figures["esr"]["part"] / figures["esr"]["whole"]
        told_share = f"green {100 * share:.1f}% (95%: {100 * low:.1f}–{100 * high:.1f})"
        density = f"failing cases {100 * figures['ied']:.1f}% at first, {100 * figures['fed']:.1f}% in the end"
        yield Line(f"{told_share}; {figures['ari']:.2f} repairs a healed line; {density}")
    free = [f"{count(n, 'line')} {why}" for n, why in ((summary.cached, "cached"), (summary.twins, "said twice")) if n]
    spent = [spending(summary.usage, "model call"), *free, f"{summary.seconds:.1f} s"]
    yield Line(f"{', '.join(spent)} · {out}/results.jsonl", "faint")


def _interrupted(summary: Summary) -> str:
    done = f"{summary.lines - summary.missing:,} of {count(summary.lines, 'line')} are done"
    return f"interrupted: {done}; the same command goes on from here, nothing is asked or paid twice"
