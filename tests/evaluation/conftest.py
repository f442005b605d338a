"""Problems in the shapes of the known data sets, made up, and a model that answers for one of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tdgen.errors import ModelError
from tdgen.evaluation import Problem
from tdgen.evaluation.judging import Judged
from tdgen.evaluation.records import ASK, ASK_LANGUAGE, ASK_MODULE, Record
from tdgen.models.scripted import ScriptedModel
from tdgen.protocols import Answer, Model, Request
from tdgen.types import Usage

ROWS: dict[str, dict[str, Any]] = {
    "HumanEval": {
        "task_id": "Made/0",
        "prompt": 'def half(n):\n    return n / 2\n\ndef twice(number):\n    """Twice the number."""\n',
        "entry_point": "twice",
        "canonical_solution": "    return 2 * number\n",
        "test": "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(0.5) == 1\n",
    },
    "HumanEval+": {
        "task_id": "Made/1",
        "prompt": 'def third(number):\n    """A third of the number."""\n',
        "entry_point": "third",
        "canonical_solution": "    return number / 3\n",
        "base_input": [[3]],
        "plus_input": [[1], [-6]],
        "atol": 0,
    },
    "MBPP": {
        "task_id": 7,
        "text": "Write a function to add two numbers.",
        "code": "def plus(a, b):\n    return a + b",
        "test_setup_code": "",
        "test_list": ["assert plus(1, 2) == 3", "assert plus(0, 0) == 0"],
    },
    "MBPP+": {
        "task_id": "Made/8",
        "prompt": '"""\nWrite a function to reverse a list.\n"""\n',
        "entry_point": "backwards",
        "canonical_solution": "\ndef backwards(items):\n    return items[::-1]\n",
        "base_input": [[[1, 2]]],
        "plus_input": [[[]]],
        "atol": 0,
    },
    "QuixBugs": {
        "name": "least",
        "docstring": '"""\nThe least of some numbers.\n"""',
        "solution": "def least(numbers):\n    return min(numbers)",
        "buggy_program": "def least(numbers):\n    return max(numbers)",
        "tests": "assert least(*[[3, 1]]) == 1",
    },
    "own, with tests": {
        "id": "o1",
        "prompt": "Negate it.",
        "entry_point": "negate",
        "tests": ["assert negate(2) == -2"],
    },
    "own, with cases": {
        "id": "o3",
        "prompt": "Part it: ends(items).",
        "entry_point": "ends",
        "cases": [["ends([2, 5])", "(2, 5)"], ["ends([])", "raises ValueError"]],
    },
    "own, with a reference": {
        "id": "o2",
        "prompt": "Square it: square(n).",
        "entry_point": "square",
        "inputs": [[2], [3]],
        "reference": "def square(n):\n    return n * n\n",
    },
}


@pytest.fixture
def rows() -> dict[str, dict[str, Any]]:
    """A row of each known kind."""
    return ROWS


@pytest.fixture
def dataset(tmp_path: Path) -> Callable[..., Path]:
    """A file of such rows."""

    def write(*given: dict[str, Any] | str) -> Path:
        path = tmp_path / "made.jsonl"
        path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in given))
        return path

    return write


@pytest.fixture
def doubling() -> Problem:
    """The problem that `double` of the solver solves."""
    tests = "assert double(21) == 42\nassert double(-3) == -6"
    return Problem(id="made/double", instruction="Double a number.", function="double", called="double", asserts=tests)


class Alone:
    """A model that answers a scripted solve, and asked alone is wrong at first, then right, and `says` something more.

    For code in another language it `says` that alone.

    `asked` is what it heard.
    """

    def __init__(self, solving: ScriptedModel, says: str = "") -> None:
        self._solving = solving
        self._says = says
        self.asked: list[Request] = []

    def ask(self, request: Request) -> Answer:
        self.asked.append(request)
        if ASK_LANGUAGE.partition("{")[0] in request.messages[-1].content:
            return Answer(text=self._says, usage=Usage(calls=1, prompt_tokens=100, completion_tokens=20))
        if not request.messages[-1].content.endswith((ASK, ASK_MODULE.format("double"))):
            return self._solving.ask(request)
        body = "number" if request.sample == 0 else "2 * number"
        text = f"{self._says}\n```python\ndef double(number):\n    return {body}\n```"
        return Answer(text=text, usage=Usage(calls=1, prompt_tokens=100, completion_tokens=20))


class Nobody:
    """A model that must not be asked."""

    def ask(self, request: Request) -> Answer:
        raise ModelError(f"asked for {request.purpose}")


@pytest.fixture
def alone(solver, double) -> Callable[..., Alone]:
    """A model for `doubling`, right at once unless told otherwise."""
    return lambda *tries, says="": Alone(solver.model(double(*tries)), says)


@pytest.fixture
def nobody() -> Model:
    return Nobody()


@pytest.fixture
def record() -> Callable[..., Record]:
    """A record: how it ended, and how many of four hidden tests the first and the last code fail."""

    def make(name: str = "p", outcome: Any = "green", first: int = 0, last: int = 0, **more: Any) -> Record:
        return Record(
            id=name, outcome=outcome, first=Judged(tests=4, failed=first), last=Judged(tests=4, failed=last), **more
        )

    return make


HIDDEN = """
import pytest
import solution

@pytest.mark.parametrize("number", [21, -3])
def test_double(number):
    assert solution.double(number) == number + number

def test_text():
    assert solution.double("ab") == "abab"
"""
PLACES = ("`double(4)` gives 8", "what is given for 4 is 9, never another number")


@pytest.fixture
def write_task(tmp_path: Path) -> Callable[..., Path]:
    """Write a task of the folder `tasks`, which is given back; `files` in place of its usual ones (None: none)."""

    def write(name: str, files: dict[str, str | None] | None = None, **about: Any) -> Path:
        told = {"kind": "plain", "functions": ["double"], "entry": "", "refusal": []} | about
        usual: dict[str, str | None] = {
            "task.json": json.dumps(told),
            "instruction.md": f"Double a number, or a text: double(number). It is {name}.\n",
            "hidden_test.py": HIDDEN,
            "reference.py": "def double(number):\n    return 2 * number\n",
            "faulty_1.py": "def double(number):\n    return 42\n",
        }
        folder = tmp_path / "tasks" / name
        folder.mkdir(parents=True)
        for file, text in (usual | (files or {})).items():
            if text is not None:
                (folder / file).write_text(text)
        return folder.parent

    return write


@pytest.fixture
def places() -> tuple[str, str]:
    """The two places that contradict each other."""
    return PLACES


@pytest.fixture
def contradicting(write_task) -> Callable[[str], Path]:
    """Write a task whose instruction contradicts itself."""
    files = {"hidden_test.py": None, "reference.py": None, "faulty_1.py": None}
    text = f"Double a number: double(number). {PLACES[0]}.\n\nBut {PLACES[1]}.\n"
    return lambda name: write_task(name, {**files, "instruction.md": text}, kind="gap", refusal=list(PLACES))
