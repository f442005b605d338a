"""Existing code against its docs: run `python benchmarks/bench_guard.py`, it prints its tables.

Functions of libraries of the package index, half of them with a seeded fault against their docstring, are guarded as
`tdgen guard` does; what is found is judged by the library as it was (`projects/guarding.py`). A model that knows the
library as it was (`projects/knowing.py`) shows what comes of answers that are right. `--live N` guards N functions that
no other name has with the model behind OPENAI_BASE_URL and keeps the answers under `guard-answers/NAME`; what is kept
is played again, without a model.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from projects.guarding import Guarded, Seed, guarded, kept, play, read_seeds
from tables import table

from tdgen.batch.lines import folder_name
from tdgen.errors import InputError, TdgenError
from tdgen.metrics import Share
from tdgen.settings import Budget, Settings, load_settings

ANSWERS = Path(__file__).parent / "guard-answers"
EACH = ("function", "fault", "ended", "shown by", "alarms", "cases", "killed", "calls", "s")


def row(one: Guarded) -> tuple[object, ...]:
    """What came of a function."""
    shown = "; ".join(finding.call for finding in one.shown[:1])
    alarms = "; ".join(finding.call for finding in one.alarms)
    return (
        *(one.task, "yes" if one.is_faulty else "", f"{one.outcome} {one.reason}"[:60], shown, alarms),
        *(one.cases, one.strength, one.usage.calls, one.seconds),
    )


def tables(title: str, found: Sequence[Guarded]) -> None:
    """All together, and each."""
    faulty = [one for one in found if one.is_faulty]
    scores = [one.strength for one in found if one.strength is not None]
    rows = [
        ("faults found", Share(sum(bool(one.shown) for one in faulty), len(faulty))),
        ("functions with a false alarm", Share(sum(bool(one.alarms) for one in found), len(found))),
        ("undecided or failed", Share(sum(one.outcome in ("undecided", "failed") for one in found), len(found))),
        ("mutation score, median", round(median(scores), 3) if scores else None),
        ("calls a function", round(sum(one.usage.calls for one in found) / max(1, len(found)), 1)),
        ("tokens a function", round(sum(one.usage.tokens for one in found) / max(1, len(found)))),
    ]
    table(f"Guarded: {title}", ("", "functions"), rows)
    table("Each function", EACH, map(row, found))


def simulate(seeds: Sequence[Seed], cache: Path) -> None:
    """All of them by the model that knows the originals."""
    found = []
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(trust="standard", budget=Budget(calls=None, seconds=None), cache_dir=folder)
            try:
                found.append(guarded(seed, cache, settings))
            except TdgenError as error:
                print(f"{seed.task}: {error}", flush=True)
    tables("by a model that knows the originals", found)


def solve_live(options: argparse.Namespace, seeds: Sequence[Seed]) -> None:
    """So many functions with the settings' model; the same command goes on where it was cut off."""
    settings = load_settings(
        {"model": options.model or None, "trust": "standard", "budget": Budget(calls=None, seconds=None)}
    )
    if not settings.base_url:
        raise InputError("--live needs a model: set OPENAI_BASE_URL")
    logs = options.logs or Path(tempfile.gettempdir(), f"tdgen-guard-{options.name}")
    others = {path.parent.name for path in options.answers.glob("*/*/record.json") if path.parts[-3] != options.name}
    found = []
    for seed in [seed for seed in seeds if folder_name(seed.task) not in others][: options.live]:
        found.append(kept(seed, options.cache, logs, options.answers / options.name, settings))
        print(f"{seed.task}: {found[-1].outcome}", file=sys.stderr, flush=True)
    tables(options.name, found)


def play_kept(options: argparse.Namespace, seeds: Sequence[Seed]) -> bool:
    """Play what is kept, a table for each name; whether all came out as it was."""
    is_same = True
    for folder in sorted(path for path in options.answers.glob("*") if path.is_dir()):
        found = []
        for seed in seeds:
            place = folder / folder_name(seed.task)
            if not (place / "record.json").exists():
                continue
            one, difference = play(seed, options.cache, place, Settings(trust="standard"))
            found.append(one)
            if difference:
                print(f"otherwise: {seed.task}: {difference}")
                is_same = False
        if found:
            tables(f"{folder.name}, played again", found)
    return is_same


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    given = os.environ.get("BENCHMARK_PROJECTS") or Path(tempfile.gettempdir(), "tdgen-projects")
    option("--cache", type=Path, default=Path(given), help="the folder that the libraries are fetched into")
    option("--only", default="", metavar="TEXT", help="those whose name has this text in it")
    option("--live", type=int, default=0, metavar="N", help="guard so many with the model of OPENAI_BASE_URL")
    option("--name", default="live", help="under which name the answers are kept")
    option("--model", default="", help="the endpoint's model to ask (or TDGEN_MODEL)")
    option("--logs", type=Path, help="the folder of a live run's logs, from which it goes on (a temporary one)")
    option("--answers", type=Path, default=ANSWERS, help="the folder of the answers that are kept")
    options = parser.parse_args(arguments)
    seeds = [seed for seed in read_seeds() if options.only in seed.task]
    try:
        if options.live:
            solve_live(options, seeds)
            return
        simulate(seeds, options.cache)
        if not play_kept(options, seeds):
            sys.exit(1)
    except TdgenError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
