"""Classes: ClassEval's, solved from their skeletons: run `python benchmarks/bench_classes.py`, it prints its tables.

The data set (`--data` or BENCHMARK_DATA: ClassEval_half.json.gz or its folder) is read at run time; without it that
part is left out. Each class is solved from its skeleton, signatures and docstrings, never from its tests, and judged by
ClassEval's own tests in the sandbox; a class whose own solution does not pass these here is left out.

`--live N` solves N classes, drawn by a fixed seed, with the model behind OPENAI_BASE_URL, asks the same model once for
each class beside it, and keeps the answers under `class-answers/NAME`. What is kept there is played again, without a
model.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from class_costs import costs
from classeval.live import Outcome, play, solve, solve_simulated
from classeval.problems import FILE, SEED, ClassProblem, drawn, left_out, read_classes
from classeval.simulated import FEWEST, KnownClass, SimulatedClasses
from simulated.bench import Bench
from simulated.problems import data_path
from tables import table

from tdgen.errors import InputError, TdgenError
from tdgen.metrics import Share
from tdgen.sandbox.local import LocalSandbox
from tdgen.settings import Budget, Settings, load_settings

ANSWERS = Path(__file__).parent / "class-answers"
SHARES = (
    *("", "classes", "fully right", "methods right", "green", "false greens", "false reds", "abstained"),
    *("calls", "tokens"),
)
CLASSES = ("class", "methods", "ended", "right", "methods right", "once right", "once methods", "calls", "tokens")
AT_ONCE = 2
LONGEST_REASON = 120


def shares_table(title: str, outcomes: Sequence[Outcome]) -> None:
    """All classes together, and the same model asked once for each of them."""
    table(title, SHARES, [_solved_row(outcomes), *_once_rows(outcomes)])


def _solved_row(outcomes: Sequence[Outcome]) -> tuple[object, ...]:
    records = [one.record for one in outcomes]
    count, green = len(records), sum(record.accepted for record in records)
    return (
        *("tdgen", count, Share(sum(record.last.right for record in records), count)),
        Share(sum(len(one.methods) for one in outcomes), _methods(outcomes)),
        *(green, Share(sum(record.is_false_green for record in records), green)),
        Share(sum(record.is_false_red for record in records), count),
        Share(sum(not record.accepted and not record.rejected for record in records), count),
        sum(record.usage.calls for record in records) / max(1, count),
        sum(record.usage.tokens for record in records) / max(1, count),
    )


def _once_rows(outcomes: Sequence[Outcome]) -> Iterator[tuple[object, ...]]:
    asked = [(one, one.record.beside.once) for one in outcomes if one.record.beside is not None]
    if not asked:
        return
    right = Share(sum(once.judged.right for _, once in asked), len(asked))
    methods = Share(sum(len(one.once_methods) for one, _ in asked), _methods([one for one, _ in asked]))
    tokens = sum(once.usage.tokens for _, once in asked) / len(asked)
    yield ("asked once", len(asked), right, methods, None, None, None, None, 1.0, tokens)


def _methods(outcomes: Sequence[Outcome]) -> int:
    return sum(len(one.of.methods) for one in outcomes)


def classes_table(outcomes: Sequence[Outcome]) -> None:
    """Each class, how it ended, and what its tests say of the code."""
    rows = []
    for one in outcomes:
        record, whole = one.record, len(one.of.methods)
        once = record.beside.once if record.beside else None
        ended = f"{record.outcome}: {record.reason[:LONGEST_REASON]}" if record.reason else record.outcome
        rows.append(
            (
                *(f"{one.of.id} {one.of.problem.function}", whole, ended, record.last.right),
                *(f"{len(one.methods)} of {whole}", once.judged.right if once else None),
                *(f"{len(one.once_methods)} of {whole}" if once else None, record.usage.calls, record.usage.tokens),
            )
        )
    table("Each class", CLASSES, rows)


def solve_live(options: argparse.Namespace, judged: Sequence[ClassProblem]) -> None:
    """Solve the classes that are chosen, and keep their answers; InputError where no endpoint is named."""
    settings = load_settings({"model": options.model or None, "trust": "standard", "fresh": True})
    if not settings.base_url:
        raise InputError("--live needs a model: set OPENAI_BASE_URL")
    picked = chosen(judged, options)
    print(f"seed {SEED}: {', '.join(f'{one.id} {one.problem.function}' for one in picked)}", flush=True)
    logs = options.logs or Path(tempfile.gettempdir(), f"tdgen-classes-{options.name}")
    solve(picked, logs, options.answers / options.name, settings)


def chosen(judged: Sequence[ClassProblem], options: argparse.Namespace) -> list[ClassProblem]:
    """The classes that `--only` names, else as many as `--live` says; InputError where one can't be judged."""
    only = [name for name in options.only.split(",") if name]
    by_id = {one.id: one for one in judged}
    if unknown := [name for name in only if name not in by_id]:
        raise InputError(f"there is no class {unknown[0]} that can be judged")
    return [by_id[name] for name in only] or drawn(judged, options.live)


def simulate(options: argparse.Namespace, judged: Sequence[ClassProblem]) -> None:
    """Solve all that the simulated model knows, and print what came of them."""
    bench = Bench.open()
    try:
        known = {one.id: KnownClass(one, bench) for one in judged}
        picked = [one for one in judged if len(known[one.id].steps) >= FEWEST][: options.limit]
        few = [f"{one.id} {one.problem.function}" for one in judged if len(known[one.id].steps) < FEWEST]
        told = f", without those of which fewer than {FEWEST} tests make a case: {', '.join(few)}" if few else ""
        print(
            f"\nThe simulated model, seed {options.seed}, at trust level {options.trust}: {len(picked)} classes{told}"
        )
        model = SimulatedClasses([known[one.id] for one in picked], bench, options.seed)
        with tempfile.TemporaryDirectory() as folder:
            budget = Budget(calls=None, seconds=None)
            settings = Settings(trust=options.trust, budget=budget, concurrency=AT_ONCE)
            outcomes = solve_simulated(picked, model, Path(folder), bench.sandbox, settings)
    finally:
        bench.close()
    shares_table(f"ClassEval: the simulated model, {options.trust}", outcomes)
    classes_table(outcomes)


def play_kept(classes: Sequence[ClassProblem], answers: Path, sandbox: LocalSandbox) -> bool:
    """Play all that is kept, a table each; whether every figure came out as it was."""
    kept = sorted(path.parents[1] for path in answers.glob("*/run-1/judged"))
    if not kept:
        print(f"\nThere are no answers under {answers}: nothing is played again.")
    is_same = True
    for folder in kept:
        outcomes, differences = play(classes, folder, sandbox, Settings())
        shares_table(f"ClassEval: {folder.name}, played again", outcomes)
        classes_table(outcomes)
        for difference in differences:
            print(f"otherwise: {difference}")
        is_same = is_same and not differences
    return is_same


def judge(options: argparse.Namespace, path: Path) -> bool:
    """ClassEval's part; whether every figure that was kept came out again."""
    classes = read_classes(path)
    with LocalSandbox() as sandbox:
        missing = left_out(classes, sandbox)
        table("ClassEval: left out", ("class", "why"), missing.items())
        judged = [one for one in classes if one.id not in missing]
        if options.live or options.only:
            solve_live(options, judged)
            options.no_simulated = True
        if not options.no_simulated:
            simulate(options, judged)
        return play_kept(judged, options.answers, sandbox)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--data", default="", help=f"{FILE} or its folder (BENCHMARK_DATA)")
    option("--live", type=int, default=0, metavar="N", help="solve so many classes with the model of OPENAI_BASE_URL")
    option("--only", default="", metavar="IDS", help="solve these classes so, with commas between")
    option("--name", default="live", help="under which name the answers are kept")
    option("--model", default="", help="the endpoint's model to ask (or TDGEN_MODEL)")
    option("--logs", type=Path, help="the folder of a live run's logs, from which it goes on (a temporary one)")
    option("--no-simulated", action="store_true", help="leave the simulated model out")
    option("--trust", choices=("quick", "standard", "strict"), default="standard", help="the simulated model's level")
    option("--seed", type=int, default=0, help="the simulated model's seed")
    option("--limit", type=int, metavar="N", help="only the first N classes with the simulated model")
    option("--answers", type=Path, default=ANSWERS, help="the folder of the answers that are kept")
    options = parser.parse_args(arguments)
    if not (options.live or options.only):
        with LocalSandbox() as sandbox, LocalSandbox() as oracle:
            costs(sandbox, oracle)
    try:
        path = data_path(options.data, FILE)
    except InputError as error:
        if options.live or options.only:
            sys.exit(str(error))
        print(f"ClassEval is left out: {error}")
        return
    try:
        is_same = judge(options, path)
    except TdgenError as error:
        sys.exit(str(error))
    sys.exit(not is_same)


if __name__ == "__main__":
    main()
