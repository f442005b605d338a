"""ClassEval's classes: what is told of one, and its own tests, which stay hidden until the code is sealed.

Told is the skeleton: imports, constructor, and the methods' signatures with docstrings. The tests are unittest's, a
class of them for each method and mostly one for the class as a whole. They run on code in the sandbox alone.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tdgen.errors import InputError
from tdgen.evaluation import Problem
from tdgen.evaluation.judging import run_hidden
from tdgen.protocols import Sandbox
from tdgen.types import digest

FILE = "ClassEval_half.json.gz"
SEED = 16
"""Which classes a live model solves: the first of the order that it gives. It was fixed before any was solved."""

OFTEN = 20
"""How often a solution that draws random numbers is run on its own tests: one of them fails about one time in ten."""


class ClassProblem(NamedTuple):
    """A class: what is told and hidden of it, its skeleton, and by method the unittest class that tests it."""

    problem: Problem
    skeleton: str
    methods: Mapping[str, str]

    @property
    def id(self) -> str:
        """The problem's name in the data set."""
        return self.problem.id

    def methods_right(self, outcomes: Mapping[str, str]) -> list[str]:
        """The methods all of whose own tests passed; `outcomes` are pytest's, by the test's id."""
        return [name for name, tests in self.methods.items() if _all_pass(tests, outcomes)]


def _all_pass(tests: str, outcomes: Mapping[str, str]) -> bool:
    found = [outcome for name, outcome in outcomes.items() if name.split("::")[1:2] == [tests]]
    return bool(found) and all(outcome == "passed" for outcome in found)


def read_classes(path: Path) -> list[ClassProblem]:
    """The classes of the file in its order; InputError where it is no such file."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return [_class(row) for row in json.load(file)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} can't be read as ClassEval's classes: {error!r}") from None


def _class(row: Mapping[str, Any]) -> ClassProblem:
    name, imports = row["class_name"], "\n".join(row["import_statement"])
    problem = Problem(
        id=row["task_id"],
        instruction=f"Complete this Python class:\n\n{row['skeleton'].strip()}\n",
        function=name,
        functions=(name,),
        kind="class",
        # The tests use what the solution imports, and so does ClassEval: it runs both as one text.
        program=f"{imports}\nfrom solution import *\n\n{row['test']}",
        reference=f"{imports}\n\n{row['solution_code']}",
    )
    methods = {method["method_name"]: method["test_class"] for method in row["methods_info"]}
    return ClassProblem(problem, row["skeleton"], methods)


def left_out(classes: Sequence[ClassProblem], sandbox: Sandbox) -> dict[str, str]:
    """Why classes can't be judged here, by their ids: their own solution does not pass their own tests."""
    found = {}
    for one in classes:
        for _ in range(OFTEN if "random" in one.problem.reference else 1):
            report = run_hidden(sandbox, one.problem.program, one.problem.reference)
            if not report.passed:
                found[one.id] = _why(report.outcomes, report.log)
                break
    return found


def _why(outcomes: Mapping[str, str], log: str) -> str:
    failed = [name.rpartition("::")[2] for name, outcome in outcomes.items() if outcome != "passed"]
    missing = [line.strip() for line in log.splitlines() if "ModuleNotFoundError" in line]
    if missing:
        return missing[-1].removeprefix("E").strip()
    return f"its own solution fails {', '.join(failed)}" if failed else "its own tests can't be run"


def drawn(classes: Sequence[ClassProblem], number: int) -> list[ClassProblem]:
    """So many classes in the seed's order: more of them begin with the same ones, and those left out disturb none."""
    return sorted(classes, key=lambda one: digest([SEED, one.id]))[:number]
