"""Are patches believed that only fit the shown tests? `python benchmarks/bench_patches.py --data FOLDER` prints it.

Faulty code and two or three tests of it go through tdgen's own repair (`patches/problems.py`), in arms that differ in
who is asked about the patch that a search finds (`patches/arms.py`). The goal: at most 1% of what is called green is
wrong by the hidden tests. No language model is asked. The data is read when the benchmark runs (`--data`, or
BENCHMARK_DATA: the folder with quixbugs_python.jsonl, HumanEval.jsonl.gz and HumanEvalPlus-Mini.jsonl.gz) and is no
part of this project; what is not there is left out, with the reason.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence

from patches.arms import ARMS, Arm, Ended, solve
from patches.problems import Faulty, of_humaneval, of_quixbugs
from repair import quixbugs
from simulated.bench import Bench
from simulated.problems import FILE, data_path, load
from tables import table
from trust.suites import PLUS

from tdgen.errors import InputError, TdgenError
from tdgen.metrics import Share

MUTANTS = 80
SECONDS = 10.0  # for one hidden test: some programs are slow on purpose

Ran = list[tuple[Arm, list[Ended]]]


def main() -> int:
    """Run the arms on each data set and print their tables; the exit code."""
    options = _options()
    arms = [arm for arm in ARMS if not options.arms or arm.name in options.arms]
    try:
        with contextlib.closing(Bench.open(SECONDS)) as bench:
            everything: dict[str, Ran] = {}
            for name, problems in _data(options, bench).items():
                everything[name] = [(arm, _all(problems, arm, bench, options.search)) for arm in arms]
                report(f"Patches: {name}, {len(problems)} problems", everything[name])
            if len(everything) > 1:
                joined = [
                    (arm, [one for ran in everything.values() for one in ran[n][1]]) for n, arm in enumerate(arms)
                ]
                report("Patches: all", joined)
    except TdgenError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


def report(title: str, ran: Ran) -> None:
    """The table of all arms, and each wrong green by name."""
    columns = ("asked", "green", "green, wrong", "wrong, of the green", "wrong, of all")
    more = ("undecided, right", "undecided, wrong", "red", "calls a problem")
    table(title, (*columns, *more), [_row(arm, ended) for arm, ended in ran])
    for arm, ended in ran:
        for one in ended:
            if one.outcome == "green" and not one.right:
                print(f"  {arm.name}: {one.name} is green and wrong: {one.change or 'no patch'}")


def _row(arm: Arm, ended: Sequence[Ended]) -> tuple[object, ...]:
    green = [one for one in ended if one.outcome == "green"]
    undecided = [one for one in ended if one.outcome == "undecided"]
    wrong = sum(not one.right for one in green)
    return (
        arm.name,
        len(green),
        wrong,
        Share(wrong, len(green)),
        Share(wrong, len(ended)),
        sum(one.right for one in undecided),
        sum(not one.right for one in undecided),
        len(ended) - len(green) - len(undecided),
        sum(one.calls for one in ended) / max(1, len(ended)),
    )


def _all(problems: Sequence[Faulty], arm: Arm, bench: Bench, search_s: float) -> list[Ended]:
    ended = [solve(problem, arm, bench, search_s) for problem in problems]
    print(f"done: {arm.name}", file=sys.stderr, flush=True)
    return ended


def _data(options: argparse.Namespace, bench: Bench) -> dict[str, list[Faulty]]:
    """The problems of each data set that is there; why another is left out is printed."""
    found: dict[str, list[Faulty]] = {}
    try:
        found["QuixBugs"] = of_quixbugs(data_path(options.data, quixbugs.FILE), bench, options.problems)
    except InputError as error:
        print(f"QuixBugs is left out: {error}")
    try:
        path, folder = data_path(options.data, FILE), data_path(options.data, PLUS).parent
        most = MUTANTS if options.problems is None else options.problems
        found["mutants of HumanEval"] = of_humaneval(load(path, bench.sandbox), folder, bench, most)
    except InputError as error:
        print(f"Mutants of HumanEval are left out: {error}")
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="", help="the folder of the data sets; else BENCHMARK_DATA")
    parser.add_argument("--problems", type=int, default=None, help="only so many of each data set")
    parser.add_argument("--search", type=float, default=2.0, help="seconds of a search, as tdgen's search_seconds")
    parser.add_argument("--arms", nargs="+", default=[], choices=[arm.name for arm in ARMS], help="only these arms")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
