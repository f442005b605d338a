"""Rows, lines and executors for batches: most of a batch can be seen without solving anything."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from tdgen.batch import Line, Output, Stamp
from tdgen.batch.limits import Done, Task, look_up_elsewhere
from tdgen.batch.results import Row
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.types import FunctionResult, FunctionSpec, Plan, Returns, Suite


class RunQueue(Executor):
    """An executor at which nobody solves anything: `answer` says each task's row, in the order of their coming.

    With `hold` tasks wait until they are released, so that what is in flight together can be counted. Nothing is kept.
    """

    def __init__(self, answer: Callable[[Task], Row], *, hold: bool = False) -> None:
        self.asked: list[str] = []
        self.most = 0
        self._answer = answer
        self._hold = hold
        self._held: list[tuple[Future[Any], Task]] = []
        self._lock = threading.Lock()

    def submit(self, work: Any, /, *given: Any, **more: Any) -> Future[Any]:
        task = given[-1]
        future: Future[Any] = Future()
        if work is look_up_elsewhere:
            future.set_result([None for _ in task])
            return future
        with self._lock:
            self.asked.append(task.line.id)
            self._held.append((future, task))
            self.most = max(self.most, len(self._held))
        if not self._hold or len(self._held) >= 3:
            self.release()
        return future

    def release(self) -> None:
        with self._lock:
            held, self._held = self._held, []
        for future, task in held:
            try:
                future.set_result(Done(self._answer(task)))
            except Exception as error:  # noqa: BLE001 - it is what the task ends with
                future.set_exception(error)


def row_of(task: Task, **more: Any) -> Row:
    line = task.line
    return Row(line=line.number, id=line.id, outcome="green", mark=line.mark, source=f"# {line.id}\n", **more)


@pytest.fixture
def solution() -> Solution:
    """One that can be written."""
    plan = Plan(module="kit", functions=(FunctionSpec(name="one", purpose="1", returns=Returns(type="int")),))
    result = FunctionResult(function="one", outcome="green", suite=Suite(function="one", cases=()))
    source = "def one():\n    return 1\n"
    return Solution(key="k", instruction="1", plan=plan, results=(result,), module_source=source, test_files={})


@pytest.fixture
def row() -> Callable[..., Row]:
    """A green row for a task."""
    return row_of


@pytest.fixture
def desk() -> Callable[..., RunQueue]:
    """An executor that answers every task with a green row, unless told otherwise."""
    return lambda answer=row_of, **more: RunQueue(answer, **more)


@pytest.fixture
def line() -> Callable[..., Line]:
    """A line by its id."""

    def make(name: str, instruction: str = "", number: int = 1, **more: Any) -> Line:
        return Line(number=number, id=name, instruction=instruction or f"Write {name}.", **more)

    return make


@pytest.fixture
def lines(line: Callable[..., Line]) -> Callable[..., Iterator[Line]]:
    """So many lines, each with an instruction of its own."""
    return lambda count: (line(f"l{number}", number=number) for number in range(1, count + 1))


@pytest.fixture
def settings() -> Settings:
    return Settings(trust="quick")


@pytest.fixture
def open_output(tmp_path: Path, settings: Settings) -> Iterator[Callable[..., Output]]:
    """The folder `out`, as a run on a file of that content takes it."""
    taken: list[Output] = []

    def take(content: str = "a", chosen: Settings = settings, **how: bool) -> Output:
        for output in taken:
            output.close()
        taken.append(Output(tmp_path / "out", Stamp.of(Path("in.jsonl"), content, chosen), **how))
        return taken[-1]

    yield take
    for output in taken:
        output.close()


@pytest.fixture
def rows_in() -> Callable[[Path], list[dict[str, Any]]]:
    """The rows in an output folder, as any reader of JSONL sees them."""
    return lambda folder: [json.loads(text) for text in (folder / "results.jsonl").read_text().splitlines()]
