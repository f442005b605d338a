"""How many known faults end green: run `python benchmarks/bench_seeded.py`, it prints its tables.

Each seed under `seeded/` puts one fault into a logged run of a task in `live/`: a slip in a function's code that no
case of the logged suite shows, or a phrase of the instruction that the plan loses or misreads. The instruction is
solved at trust level standard. The seed's answers and its log's are played; what neither has (arbitration, questions
about calls, repairs) a model behind OPENAI_BASE_URL answers, and the answers are kept under `seeded-answers/`, so that
a later run needs no model. Without an endpoint a seed that needs another answer is told, and not counted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from seeded_runs.runs import Outcome, recorder_of, run
from seeded_runs.seeds import KINDS, Seed, read_seeds
from tables import table

from tdgen.endpoint.openai import OpenAIModel
from tdgen.errors import InputError, TdgenError
from tdgen.evaluation import read_tasks
from tdgen.metrics import Share
from tdgen.protocols import Model
from tdgen.settings import load_settings

FOLDER = Path(__file__).parent
AT_ONCE = 2
NOTHING = "nothing"
LONGEST_REASON = 160


def seeds_table(outcomes: Sequence[Outcome]) -> None:
    """Each seed, how it ended, and what caught it."""
    rows = [
        (
            one.seed.id,
            one.seed.file.task,
            one.ended,
            "right" if one.right else "wrong",
            one.by or NOTHING,
            one.asked,
            one.live,
            one.state or "yes",
            one.reason[:LONGEST_REASON] if one.ended != "green" else "",
        )
        for one in outcomes
    ]
    columns = ("seed", "task", "ended", "hidden tests", "caught by", "calls", "live", "counted", "reason")
    table(f"Seeded faults: {len(outcomes)} seeds", columns, rows)


def shares_table(outcomes: Sequence[Outcome]) -> None:
    """By kind: of the seeds that count, how they ended, as shares with their intervals; and those that don't count."""
    rows = []
    for kind in KINDS:
        of_kind = [one for one in outcomes if one.seed.kind == kind]
        counted = [one for one in of_kind if not one.state]
        green = [one for one in counted if one.ended == "green"]
        left_out = Counter(one.state for one in of_kind if one.state)
        shares = (
            sum(one.is_false_green for one in green),
            sum(one.right for one in green),
            sum(one.ended in ("undecided", "stopped") for one in counted),
            sum(one.ended not in ("green", "undecided", "stopped") for one in counted),
        )
        told = ", ".join(f"{number} {state}" for state, number in sorted(left_out.items())) or None
        rows.append((kind, len(counted), *(Share(part, len(counted)) for part in shares), told))
    columns = ("kind", "counted", "green though wrong", "green and right", "undecided", "red or refused", "not counted")
    table("What became of the faults that no logged suite shows", columns, rows)
    if missing := sum(bool(one.missing) for one in outcomes):
        print(
            f"\n{missing} seeds are not answered: what nothing speaks against needs none, so the shares are too high."
        )


def catchers_table(outcomes: Sequence[Outcome]) -> None:
    """What spoke first against the seeded code of the seeds that count, and how these ended."""
    counted = [one for one in outcomes if not one.state]
    rows = []
    for by, number in Counter(one.by or NOTHING for one in counted).most_common():
        ended = Counter(
            f"{one.ended}, {'right' if one.right else 'wrong'}" for one in counted if (one.by or NOTHING) == by
        )
        rows.append((by, number, "; ".join(f"{count} {how}" for how, count in ended.most_common())))
    table("What caught them", ("caught by", "seeds", "ended"), rows)


@contextmanager
def endpoint(name: str) -> Iterator[Model | None]:
    """The model behind the endpoint of the environment; None where it names none."""
    settings = load_settings({"model": name or None})
    if not settings.base_url:
        yield None
        return
    live = OpenAIModel(settings)
    try:
        yield live
    finally:
        live.close()


def run_all(seeds: Sequence[Seed], answers: Path, live: Model | None) -> list[Outcome]:
    """Run all seeds, two at once; a line on stderr says how each ended."""

    def told(seed: Seed) -> Outcome:
        one = run(seed, recorder_of(seed, answers), live)
        right = "right" if one.right else "wrong"
        print(f"{seed.id}: {one.ended}, {right}, {one.by or NOTHING}; {one.state}", file=sys.stderr, flush=True)
        return one

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(told, seeds))


def chosen(seeds: Sequence[Seed], options: argparse.Namespace) -> list[Seed]:
    """The seeds that the options name; InputError where they name one that is not there."""
    only = [name for name in options.only.split(",") if name]
    if unknown := [name for name in only if name not in {seed.id for seed in seeds}]:
        raise InputError(f"there is no seed {unknown[0]} in {options.seeds}")
    kinds = [options.kind] if options.kind else KINDS
    found = [seed for seed in seeds if seed.kind in kinds and (not only or seed.id in only)]
    return found[: options.limit]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the seeds that are chosen, all where none is, and print their tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--only", default="", metavar="NAMES", help="only these seeds, with commas between")
    option("--kind", choices=KINDS, help="only seeds of this kind")
    option("--limit", type=int, metavar="N", help="only the first so many of them")
    option("--model", default="", help="the endpoint's model to ask (or TDGEN_MODEL)")
    for name, what in (("seeds", "seeded"), ("answers", "seeded-answers")):
        option(f"--{name}", type=Path, default=FOLDER / what, help=f"the folder of the {name}")
    options = parser.parse_args(arguments)
    try:
        seeds = read_seeds(options.seeds, read_tasks(FOLDER / "live"), FOLDER / "live-logs")
        if not (picked := chosen(seeds, options)):
            raise InputError(f"there is no seed to run in {options.seeds}")
        with endpoint(options.model) as live:
            outcomes = run_all(picked, options.answers, live)
    except TdgenError as error:
        sys.exit(str(error))
    for show in (seeds_table, shares_table, catchers_table):
        show(outcomes)


if __name__ == "__main__":
    main()
