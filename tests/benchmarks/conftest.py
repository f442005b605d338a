"""The benchmarks' modules, found where they stand, and three problems made up in HumanEval's shape."""

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from simulated.bench import Bench  # noqa: E402
from simulated.problems import Problem, load  # noqa: E402

from tdgen.types import Limits  # noqa: E402


def _row(number: int, head: str, text: str, body: str, asserts: list[str]) -> dict[str, str]:
    name = head.partition("(")[0]
    checks = "\n".join(f"    assert {line}" for line in asserts)
    return {
        "task_id": f"Made/{number}",
        "entry_point": name,
        "prompt": f'def {head}:\n    """{text}"""\n',
        "canonical_solution": body,
        "test": f"def check(candidate):\n{checks}\n",
    }


ROWS = [
    _row(
        0,
        "widest_gap(numbers: list) -> int",
        "The widest gap between neighbours; 0 where there are none.\n    >>> widest_gap([1, 4, 5])\n    3\n    ",
        "    gaps = [abs(b - a) for a, b in zip(numbers, numbers[1:])]\n    return max(gaps, default=0)\n",
        [f"candidate({given}) == {wanted}" for given, wanted in (("[]", 0), ("[7]", 0), ("[1, 4, 5]", 3))]
        + ["candidate([5, 1]) == 4", "candidate([2, 2, 9]) == 7", "candidate([10, 0, 3]) == 10"],
    ),
    _row(
        1,
        "sum_to(n: int) -> int",
        "The sum of the numbers from 1 to n.\n    >>> sum_to(3)\n    7\n    ",
        "    total = 0\n    while n > 0:\n        total += n\n        n -= 1\n    return total\n",
        [f"candidate({n}) == {n * (n + 1) // 2}" for n in range(6)],
    ),
    _row(
        2,
        "shout(text: str) -> str",
        "The text in capitals, with a mark of exclamation for each word.",
        "    return text.upper() + '!' * len(text.split())\n",
        [
            "candidate('') == ''",
            "candidate('a') == 'A!'",
            "candidate('a b') == 'A B!!'",
            "candidate('Go on') == 'GO ON!!'",
        ],
    ),
]


@pytest.fixture(scope="session")
def bench() -> Iterator[Bench]:
    """Where code is judged; a call that takes two seconds hangs, and one that is busy for a fifth of a second."""
    made = Bench.open(2.0)
    made._limits = made._hurried = Limits(wall_s=2.0, call_cpu_s=0.2)
    yield made
    made.close()


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data file of the three made-up problems."""
    path = tmp_path_factory.mktemp("data") / "HumanEval.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in ROWS)
    return path


@pytest.fixture(scope="session")
def problems(data: Path, bench: Bench) -> list[Problem]:
    """The three problems, their calls recorded."""
    return load(data, bench.sandbox)


@pytest.fixture
def gap(problems: list[Problem]) -> Problem:
    """The widest gap between neighbours."""
    return problems[0]
