"""Failing tests of real libraries: run `python benchmarks/bench_fix.py`, it prints its tables.

In functions of the libraries of `bench_projects.py`, drawn by a fixed seed, a mutant is put that tests of the library
notice. Localization is measured without a model: where the faulty function stands among the suspects. The machinery is
measured with a developer that gives the original code back, and with one that spells out what the failing tests compare
with: the docs are not asked here. `--live N` gives N faults to `tdgen fix` with the model behind OPENAI_BASE_URL, of
each the first failing test alone, judges by all tests of the library, and keeps the answers under `fix-answers/NAME`;
what is kept is played again, without a model.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from bench_projects import chosen, short
from projects.broken import (
    Fault,
    Kept,
    Ranks,
    Tried,
    faults_by_hand,
    faults_of,
    given_back,
    kept,
    kept_tasks,
    overfitted,
    played,
    ranks,
)
from projects.libraries import Library, fetched
from projects.measuring import opened
from projects.tasks import SEED
from tables import table

from tdgen.errors import InputError, TdgenError
from tdgen.metrics import Share
from tdgen.settings import Budget, Settings, load_settings

ANSWERS = Path(__file__).parent / "fix-answers"
Row = tuple[Fault, Ranks, Tried | None, Tried | None]


def measure(options: argparse.Namespace, libraries: Sequence[Library]) -> None:
    """Measure so many faults of each library, and print the tables."""
    rows: list[Row] = []
    for library in libraries:
        try:
            with opened(library, fetched(library, options.cache)) as place:
                drawn = chain(faults_of(place, options.faults), faults_by_hand(place))
                for number, fault in enumerate(drawn):
                    back, over = None, None
                    if number < options.tried or fault.told.startswith("by hand"):
                        back = given_back(fault, place, fault.answer)
                        answer = overfitted(fault, place)
                        over = given_back(fault, place, answer) if answer else None
                    rows.append((fault, ranks(fault, place), back, over))
                    print(f"{fault.id}: {fault.told}: {rows[-1][1]} {back} {over}", file=sys.stderr, flush=True)
        except TdgenError as error:
            print(f"{library.id}: {short(str(error))}", flush=True)
    localization(rows)
    machinery(rows)


def localization(rows: Sequence[Row]) -> None:
    """Where the faulty functions stand, in each of the three ways."""
    lines = list[tuple[object, ...]]()
    for name, told in (("every", "all failing tests"), ("one", "one of them"), ("plain", "all, without tracebacks")):
        found = [getattr(one, name) for _, one, _, _ in rows]
        shares = [Share(sum(rank is not None and rank <= top for rank in found), len(found)) for top in (1, 3, 5, 10)]
        lines.append((told, len(found), *shares))
    table("Localization: the faulty function is among the first", ("by", "faults", "1", "3", "5", "10"), lines)
    each = (
        (fault.id, short(fault.told), len(fault.noticing), one.every, one.one, one.plain, one.suspects)
        for fault, one, _, _ in rows
    )
    head = ("function", "fault", "failing tests", "rank", "by one", "no tracebacks", "suspects")
    table("Each fault", head, each)


def machinery(rows: Sequence[Row]) -> None:
    """What comes of the original code, and of code that knows the tests."""
    back = [(fault, one) for fault, _, one, _ in rows if one]
    over = [(fault, one) for fault, _, _, one in rows if one]
    lines = [
        ("the original given back: it passes", Share(sum(one.outcome == "green" for _, one in back), len(back))),
        ("the module is as it was, byte for byte", Share(sum(one.is_original for _, one in back), len(back))),
        ("overfitted: not green", Share(sum(one.outcome != "green" for _, one in over), len(over))),
    ]
    table("Machinery", ("step", "faults"), lines)
    why = Counter(short(one.reason.partition(" compares")[2] or one.reason) and one.outcome for _, one in over)
    table("Overfitted changes", ("ended", "faults"), why.items())
    wrong = [(fault.id, one.outcome, short(one.reason)) for fault, one in back if one.outcome != "green"]
    wrong += [(fault.id, f"overfitted: {one.outcome}", short(one.reason)) for fault, one in over]
    table("Otherwise, and why", ("function", "ended", "why"), wrong)


def solve_live(options: argparse.Namespace, libraries: Sequence[Library]) -> None:
    """So many faults with the settings' model, a library after the other; the same command goes on."""
    settings = load_settings(
        {"model": options.model or None, "trust": "standard", "budget": Budget(calls=None, seconds=None)}
    )
    if not settings.base_url:
        raise InputError("--live needs a model: set OPENAI_BASE_URL")
    logs = options.logs or Path(tempfile.gettempdir(), f"tdgen-fix-{options.name}")
    found, each = list[Kept](), -(-options.live // len(libraries))
    known = {task for folder in options.answers.glob("*") if folder.name != options.name for task in kept_tasks(folder)}
    for library in libraries:
        if len(found) >= options.live:
            break
        with opened(library, fetched(library, options.cache)) as place:
            for fault in faults_of(place, min(each, options.live - len(found)), lambda name: name not in known):
                found.append(kept(fault, place, logs, options.answers / options.name, settings))
                print(f"{fault.id}: {found[-1].outcome}, right: {found[-1].right}", file=sys.stderr, flush=True)
    live_tables(options.name, found)


def play(options: argparse.Namespace, libraries: Sequence[Library]) -> bool:
    """Play what is kept, a table for each name; whether all came out as it was."""
    is_same = True
    for folder in sorted(path for path in options.answers.glob("*") if path.is_dir()):
        found: list[Kept] = []
        for library in libraries:
            mine = {task for task in kept_tasks(folder) if task.startswith(f"{library.name}/")}
            if not mine:
                continue
            with opened(library, fetched(library, options.cache)) as place:
                for fault in faults_of(place, len(mine), mine.__contains__):
                    record, difference = played(fault, place, folder, Settings(trust="standard"))
                    found.append(record)
                    if difference:
                        print(f"otherwise: {fault.id}: {difference}")
                        is_same = False
        if found:
            live_tables(f"{folder.name}, played again", found)
    return is_same


def live_tables(name: str, found: Sequence[Kept]) -> None:
    """All faults together, and each."""
    green = [one for one in found if one.outcome == "green"]
    rows = [
        ("right, by all tests of the library", Share(sum(one.right for one in found), len(found))),
        ("green", Share(len(green), len(found))),
        ("green and wrong", Share(sum(not one.right for one in green), len(green))),
        ("undecided and right", Share(sum(one.right and one.outcome == "undecided" for one in found), len(found))),
        ("calls a fault", sum(one.usage.calls for one in found) / max(1, len(found))),
        ("tokens a fault", sum(one.usage.tokens for one in found) / max(1, len(found))),
    ]
    table(f"Fixed: {name}", ("", "faults"), rows)
    each = (
        (
            one.task,
            short(one.fault),
            one.rank,
            short(f"{one.outcome}: {one.reason}"),
            one.right,
            one.lines,
            one.attempts,
        )
        for one in found
    )
    table("Each fault", ("function", "fault", "rank", "ended", "right", "lines", "attempts"), each)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    given = os.environ.get("BENCHMARK_PROJECTS") or Path(tempfile.gettempdir(), "tdgen-projects")
    option("--cache", type=Path, default=Path(given), help="the folder that the libraries are fetched into")
    option("--only", default="", metavar="NAMES", help="these libraries alone, with commas between")
    option("--faults", type=int, default=6, metavar="N", help="how many faults of each library (6)")
    option("--tried", type=int, default=2, metavar="N", help="of how many of them code is given back (2)")
    option("--live", type=int, default=0, metavar="N", help="fix so many faults with the model of OPENAI_BASE_URL")
    option("--name", default="live", help="under which name the answers are kept")
    option("--model", default="", help="the endpoint's model to ask (or TDGEN_MODEL)")
    option("--logs", type=Path, help="the folder of a live run's logs, from which it goes on (a temporary one)")
    option("--answers", type=Path, default=ANSWERS, help="the folder of the answers that are kept")
    options = parser.parse_args(arguments)
    try:
        libraries = chosen(options.only)
        if options.live:
            solve_live(options, libraries)
            return
    except TdgenError as error:
        sys.exit(str(error))
    print(f"seed {SEED}, {options.faults} faults of each library", flush=True)
    measure(options, libraries)
    if not play(options, libraries):
        sys.exit(1)


if __name__ == "__main__":
    main()
