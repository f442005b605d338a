"""How fast, and how long to go.

One line's work: settings of its own, on tools and limits that all lines share.
"""

from __future__ import annotations

import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tdgen.batch.limits import WINDOW, Pace, Task, changes, solve_task
from tdgen.errors import InputError
from tdgen.models.scripted import ScriptedModel
from tdgen.protocols import Answer, Request
from tdgen.settings import Settings


class Clock:
    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def test_before_the_first_line_nothing_is_known():
    """No rate, no time to go."""
    pace = Pace(Clock())
    assert (pace.rate, pace.to_go(10)) == (0.0, None)


def test_the_rate_is_that_of_late():
    """A thousand lines from the cache say nothing of those that are solved after them."""
    clock = Clock()
    pace = Pace(clock)
    for _ in range(1000):
        clock.now += 0.001
        pace.tick()
    for _ in range(WINDOW):
        clock.now += 2
        pace.tick()
    assert round(pace.rate, 6) == 0.5
    assert round(pace.to_go(60) or 0) == 120


def test_silence_slows_the_rate():
    """Time that passes without an end counts."""
    clock = Clock()
    pace = Pace(clock)
    clock.now += 1
    pace.tick()
    clock.now += 9
    assert pace.rate == 0.1
    assert pace.seconds == 10


def test_the_time_of_day_does_not_matter(monkeypatch):
    """A clock that is set moves nothing: the time of day is never looked at."""
    monkeypatch.setattr("time.time", lambda: 1 / 0)
    pace = Pace()
    pace.tick()
    assert pace.rate >= 0


def test_a_task_travels(line):
    """To another process and back, settings with it."""
    task = Task(line("a", trust="quick"), "def test_it(): ...", wants_solution=True, under={"transcript": "t"})
    assert pickle.loads(pickle.dumps(task)) == task
    assert pickle.loads(pickle.dumps(Settings(trust="quick"))) == Settings(trust="quick")


def test_a_lines_budget_takes_the_place_of_the_limits_it_names(line):
    """The others are the batch's."""
    settings = Settings(budget="calls=7,tokens=1k")
    budget = changes(Task(line("a", budget="calls=3"), ""), settings)["budget"]
    assert (budget.calls, budget.tokens) == (3, 1_000)
    assert changes(Task(line("a"), ""), settings) == {}


def test_a_transcript_of_many_lines_is_a_folder_for_each(line, solver, double, tmp_path):
    """Where two lines' prompts never mix."""
    generator = solver.generator(solver.model(double()), transcript=str(tmp_path / "said"))
    assert solve_task(generator, Task(line("a/b"), "")).row.outcome == "green"
    (folder,) = (tmp_path / "said").iterdir()
    assert folder.name.startswith("a_b-")
    assert (folder / "001-plan-1.md").exists()


def test_a_line_that_is_declined_is_recorded_as_such(line, solver):
    """With the planner's reason, and the exit code of bad input."""
    generator = solver.generator(solver.model(plan={"declined": "JavaScript is out of scope."}))
    row = solve_task(generator, Task(line("a", "A function in JavaScript."), "")).row
    assert (row.outcome, row.exit_code) == ("declined", 2)
    assert row.reason == "declined: JavaScript is out of scope."
    assert row.is_final


def test_a_line_that_contradicts_itself_is_recorded_as_such(line, solver, double):
    """With both places whole, however long they are, and with what the plan cost."""
    places = "double(4) is 8" + ", always" * 40, "double(4) is 9" + ", never mind" * 30
    text = "Double. {}. {}.".format(*places)
    told = [{"first": places[0], "second": places[1], "why": "It can't be both.", "assumption": "8."}]
    generator = solver.generator(solver.model(double(), contradictions=told))
    row = solve_task(generator, Task(line("a", text), "")).row
    assert (row.outcome, row.exit_code, row.usage.calls) == ("contradicted", 2, 1)
    assert all(place in row.reason for place in places)
    assert row.is_final


def test_limits_hold_over_all_lines_together(line, solver, double):
    """With a concurrency of one, no two lines' questions are asked at once."""
    scripted = solver.model(double())

    class Counting:
        def __init__(self) -> None:
            self.lock = threading.Lock()
            self.now = self.most = 0

        def ask(self, request: Request) -> Answer:
            with self.lock:
                self.now += 1
                self.most = max(self.most, self.now)
            time.sleep(0.01)
            try:
                return scripted.ask(request)
            finally:
                with self.lock:
                    self.now -= 1

    model = Counting()
    generator = solver.generator(model, concurrency=1)
    with ThreadPoolExecutor(3) as pool:
        tasks = [Task(line(name), "") for name in "abc"]
        done = list(pool.map(lambda task: solve_task(generator, task), tasks))
    assert [one.row.outcome for one in done] == ["green"] * 3
    assert model.most == 1


def test_notes_are_in_the_row(line, solver, double, monkeypatch):
    """Here that a solution could not be kept: it is a solution all the same."""
    from tdgen.errors import StoreError

    def full(*_):
        raise StoreError("the disk is full")

    monkeypatch.setattr("tdgen.cache.solutions.Solutions.put", full)
    row = solve_task(solver.generator(solver.model(double())), Task(line("a"), "")).row
    assert row.outcome == "green"
    assert any("the disk is full" in note for note in row.notes)


def test_a_bug_is_a_row(line, solver, monkeypatch):
    """Whatever it is, the others go on."""
    generator = solver.generator(ScriptedModel.from_dict({"answers": []}))
    monkeypatch.setattr("tdgen.client.handed.read_instruction", lambda text: 1 / 0)
    row = solve_task(generator, Task(line("a"), "")).row
    assert (row.outcome, row.exit_code) == ("failed", 70)


@pytest.mark.parametrize("content", [b"\xff", b"x" * 1_000_001], ids=["no text", "too long"])
def test_tests_that_cannot_be_read(line, tmp_path: Path, content: bytes):
    """Are that line's failure."""
    from tdgen.batch.running import _tests_of

    path = tmp_path / "t.py"
    path.write_bytes(content)
    with pytest.raises(InputError, match="its tests"):
        _tests_of(line("a", tests=str(path)))
