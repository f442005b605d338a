"""What repair heals and what it costs: `python benchmarks/bench_repair.py` prints its tables.

- A: QuixBugs, mechanical repair alone (`repair/healing.py`)
- B: the figures of the seed study (`tdgen/metrics.py`) on the simulated model over HumanEval (`simulated/`,
  `repair/arms.py`)
- C: model calls and tokens a problem in the same runs
- D: graphs of functions (`repair/graphs.py`)
- E: bad input (`repair/troubles.py`)

The data is read when the benchmark runs (`--data`, or BENCHMARK_DATA: the folder that holds HumanEval.jsonl.gz and
quixbugs_python.jsonl) and is no part of this project; parts whose data is not there are left out, with the reason.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator, Sequence

from repair import arms, graphs, healing, quixbugs, troubles
from simulated.bench import Bench
from simulated.faults import RATES
from simulated.law import MENDS, STRAYS
from simulated.problems import FILE, Problem, data_path, load
from tables import percent, table

from tdgen import metrics
from tdgen.errors import InputError, TdgenError
from tdgen.metrics import Figures, Task
from tdgen.types import Trust

Runs = dict[str, list[list[Task]]]
TRUSTS: tuple[Trust, ...] = ("quick", "standard")


def main() -> int:
    """Run the parts and print their tables; the exit code."""
    options = _options()
    parts = options.parts.upper()
    try:
        if "A" in parts:
            _mechanical(options)
        if "B" in parts or "C" in parts:
            _simulated(options, parts)
        if "D" in parts:
            sizes = [(size, latency) for latency in (0.0, 1.0) for size in options.sizes]
            graphs.report([graphs.solve(size, latency) for size, latency in sizes])
        if "E" in parts:
            troubles.report(troubles.run_all())
    except TdgenError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="", help="the folder of the data sets; else BENCHMARK_DATA")
    parser.add_argument("--parts", default="ABCDE", help="which of the parts A to E")
    parser.add_argument("--problems", type=int, default=None, help="only the first so many problems or programs")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each way, for stability")
    parser.add_argument("--sizes", type=int, nargs="+", default=[50, 100, 200], help="functions of D's graphs")
    return parser.parse_args()


@contextlib.contextmanager
def _bench(seconds: float) -> Iterator[Bench]:
    bench = Bench.open(seconds)
    try:
        yield bench
    finally:
        bench.close()


def _mechanical(options: argparse.Namespace) -> None:
    try:
        path = data_path(options.data, quixbugs.FILE)
    except InputError as error:
        print(f"A is left out: {error}")
        return
    with _bench(10.0) as bench:
        programs = quixbugs.load(path, bench, options.problems)
        healing.report([healing.heal(program, bench) for program in programs])


def _simulated(options: argparse.Namespace, parts: str) -> None:
    try:
        path = data_path(options.data, FILE)
    except InputError as error:
        print(f"B and C are left out: {error}")
        return
    with _bench(0.5) as bench:
        problems = load(path, bench.sandbox)
        chosen = problems[: options.problems]
        runs = _runs(problems, chosen, bench, options.seeds)
    _say_what_it_is(chosen)
    if "B" in parts:
        _study(runs)
    if "C" in parts:
        _costs(runs)


def _runs(problems: Sequence[Problem], chosen: Sequence[Problem], bench: Bench, seeds: int) -> Runs:
    """Every way, once for each seed; the seeds beyond the first are for stability."""
    runs: Runs = {}
    for seed in range(seeds):
        hash_seed = 100 + seed
        ways: dict[str, arms.Way] = {"single pass": arms.single_pass, "raw traceback loop": arms.raw_loop}
        for name, way in ways.items():
            with arms.place(problems, bench, seed) as here:
                runs.setdefault(name, []).append(_told(name, seed, arms.run(way, chosen, here, hash_seed)))
        for trust in TRUSTS:
            name = f"tdgen, {trust}"
            with arms.place(problems, bench, seed, trust=trust) as here, arms.tdgen_way(here) as way:
                runs.setdefault(name, []).append(_told(name, seed, arms.run(way, chosen, here, hash_seed)))
    k = _as_many(runs)
    for seed in range(seeds):
        name = f"asked {k} times, the best by the hidden tests"
        with arms.place(problems, bench, seed) as here:
            runs.setdefault(name, []).append(_told(name, seed, arms.run(arms.times(k), chosen, here, 100 + seed)))
    return runs


def _as_many(runs: Runs) -> int:
    """How often asking once costs as many tokens as tdgen at trust quick."""
    one, ours = (metrics.figures(runs[name][0]).tokens for name in ("single pass", "tdgen, quick"))
    return max(1, min(20, round(ours / one))) if one else 1


def _told(name: str, seed: int, tasks: list[Task]) -> list[Task]:
    """The tasks; those that did not end well are named."""
    share = metrics.figures(tasks).esr
    print(f"  {name}, seed {seed}: {share.part} of {share.whole} right and accepted", file=sys.stderr)
    for task in tasks:
        if name.startswith("tdgen") and not task.success:
            how = "accepted, and wrong" if task.accepted else "turned down" + ", though right" * task.is_right
            print(f"  {name}, seed {seed}: {task.name} {how} ({task.last_failed} of {task.tests} tests fail)")
    return tasks


def _say_what_it_is(chosen: Sequence[Problem]) -> None:
    seen, hidden = sum(len(p.seen) for p in chosen), sum(len(p.hidden) for p in chosen)
    rates = ", ".join(f"{name} {percent(rate)}" for name, rate in RATES.items())
    print(
        f"\nThe simulated model over {len(chosen)} problems. Faults: {rates}; together {percent(sum(RATES.values()))}."
    )
    print(f"It mends what the feedback names in {percent(MENDS)}, else strays into another fault in {percent(STRAYS)}.")
    print(f"Of {seen + hidden} recorded calls {seen} are the tester's share, {hidden} stay hidden.")


def _study(runs: Runs) -> None:
    columns = ("figure", *runs)
    firsts = {name: metrics.figures([task for run in found for task in run]) for name, found in runs.items()}

    def line(title: str, *values: object) -> tuple[object, ...]:
        return (title, *values)

    every: Sequence[Figures] = list(firsts.values())
    rows = [
        line("execution success rate", *(one.esr for one in every)),
        line("average refinement iterations", *(one.ari for one in every)),
        line("initial error density", *(percent(one.ied) for one in every)),
        line("final error density", *(percent(one.fed) for one in every)),
        line("error reduction ratio", *(percent(one.err) for one in every)),
        line("execution stability rate", *(metrics.stability(found) for found in runs.values())),
        line("false accepts", *(one.false_accepts for one in every)),
        line("false rejects", *(one.false_rejects for one in every)),
        line("s a problem without the model", *(one.seconds for one in every)),
    ]
    table(f"B. The seed study's figures, {len(next(iter(runs.values())))} seeds together", columns, rows)
    print("\nThe study itself had 65.1% → 88.4% success, 1.76 iterations, 96% stability.")


def _costs(runs: Runs) -> None:
    rows: list[tuple[object, ...]] = []
    for name, found in runs.items():
        one = metrics.figures([task for run in found for task in run])
        rows.append((name, one.calls, one.tokens))
    rows += [("MapCoder, as published", 14.8, 12_800), ("AgentCoder, as published", None, 57_000)]
    table("C. Model calls and tokens a problem (four characters a token)", ("way", "calls", "tokens"), rows)


if __name__ == "__main__":
    sys.exit(main())
