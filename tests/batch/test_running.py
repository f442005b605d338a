"""The loop: bounded, nothing lost, nothing done twice, and no line stops another."""

from __future__ import annotations

import gc
import itertools
import json
import threading
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from tdgen.batch import Malformed, run_batch, run_file, running
from tdgen.batch.limits import PATIENCE, Done, look_up_elsewhere, solve_elsewhere
from tdgen.batch.results import failed_row
from tdgen.client import Generator
from tdgen.errors import InputError, ModelError, UnreachableError
from tdgen.settings import Settings


@pytest.fixture
def run(open_output, settings):
    """Run lines at a desk, into a folder that an earlier run may have left."""

    def go(lines, desk, **more):
        return run_batch(lines, settings=settings, output=open_output(), executor=desk, **more)

    return go


def test_every_line_has_a_row_and_the_summary_counts_them(run, desk, lines, rows_in, tmp_path):
    """In the order in which they ended."""
    summary = run(lines(5), desk(), total=5)
    assert [row["id"] for row in rows_in(tmp_path / "out")] == ["l1", "l2", "l3", "l4", "l5"]
    assert (summary.lines, summary.outcomes, summary.missing, summary.exit_code) == (5, {"green": 5}, 0, 0)
    assert json.loads((tmp_path / "out/summary.json").read_text()) == summary.model_dump(mode="json")


def test_no_more_is_read_than_is_looked_up_and_in_flight(run, desk, line):
    """An endless file is no matter: three at once are some shares of lines read ahead."""
    ahead = 3 + (1 + 3) * running.SHARE
    read = []

    def endless():
        for number in itertools.count(1):
            read.append(number)
            yield line(f"l{number}", number=number)

    stop = Event()
    table = desk(hold=True)

    def watch(row, ended, total):
        assert len(read) <= ended + ahead
        if ended >= 30:
            stop.set()

    run(endless(), table, at_once=3, on_row=watch, stop=stop)
    assert table.most == 3
    assert 30 <= len(read) <= 33 + ahead


def test_a_row_is_on_the_disk_before_it_is_told(run, desk, lines, rows_in, tmp_path):
    """Who hears of it may be killed."""
    told = []

    def hear(row, ended, total):
        assert rows_in(tmp_path / "out")[ended - 1]["id"] == row.id
        told.append((ended, total))

    run(lines(4), desk(), on_row=hear, total=4)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_line_that_fails_stops_no_other(run, desk, lines, row):
    """Whether it is an error of tdgen's, a bug, or whatever an executor makes of a worker that died."""
    errors = {"l2": InputError("no such thing"), "l4": ZeroDivisionError("oh")}

    def answer(task):
        if task.line.id == "l5":
            raise RuntimeError("the worker died")
        return failed_row(task.line, errors[task.line.id]) if task.line.id in errors else row(task)

    seen = []
    summary = run(lines(6), desk(answer), on_row=lambda row, ended, total: seen.append(row))
    assert summary.outcomes == {"green": 3, "failed": 3}
    assert summary.exit_code == 1
    assert {row.id: (row.exit_code, row.reason) for row in seen if row.outcome == "failed"} == {
        "l2": (2, "no such thing"),
        "l4": (70, "this is a bug in tdgen: ZeroDivisionError: oh"),
        "l5": (70, "this is a bug in tdgen: RuntimeError: the worker died"),
    }


def test_malformed_lines_are_rows_with_number_and_reason(run, desk, line, rows_in, tmp_path):
    """So are instructions that are none, tests that aren't there, and, of a stream, ids that were given."""
    bad = [Malformed(1, "it has no id"), line("a", "\0", 2), line("b", number=3, tests="/no/such.py")]
    summary = run([*bad, line("c", number=4), line("c", "Another.", number=5)], desk())
    rows = {row["line"]: (row["outcome"], row["reason"]) for row in rows_in(tmp_path / "out")}
    assert rows[1] == ("malformed", "it has no id")
    assert rows[2] == ("failed", "the instruction is not text: it holds the character U+0000")
    assert rows[3] == ("failed", "its tests /no/such.py can't be read: No such file or directory")
    assert rows[4][0] == "green"
    assert rows[5] == ("malformed", "the id 'c' was given to a line before it")
    assert summary.exit_code == 1


class TestGoingOn:
    """A run that was cut off goes on where it was."""

    def test_what_is_finished_is_not_done_again(self, run, desk, lines, rows_in, tmp_path):
        """Nor malformed lines told twice; the summary is over all of it."""
        stop = Event()
        run(lines(6), desk(), at_once=1, on_row=lambda row, ended, total: ended == 2 and stop.set(), stop=stop)
        again = desk()
        summary = run(itertools.chain(lines(6), [Malformed(7, "no")]), again, total=7)
        assert again.asked == ["l3", "l4", "l5", "l6"]
        assert summary.outcomes == {"green": 6, "malformed": 1}
        assert run(itertools.chain(lines(6), [Malformed(7, "no")]), again, total=7).outcomes == summary.outcomes
        assert len(rows_in(tmp_path / "out")) == 7

    def test_a_torn_row_is_done_again(self, run, desk, lines, rows_in, tmp_path):
        """As after a kill in the middle of writing it."""
        run(lines(3), desk())
        results = tmp_path / "out/results.jsonl"
        results.write_bytes(results.read_bytes()[:-20])
        again = desk()
        run(lines(3), again)
        assert again.asked == ["l3"]
        assert sorted(row["id"] for row in rows_in(tmp_path / "out")) == ["l1", "l2", "l3"]

    def test_a_line_that_says_something_else_now_is_another(self, run, desk, line):
        """Though its id is the same, and whatever line it moved to."""
        run([line("a", number=1), line("b", number=2)], desk())
        again = desk()
        run([line("b", number=1), line("a", "Write it otherwise.", number=2)], again)
        assert again.asked == ["a"]

    def test_who_was_not_reachable_is_tried_again(self, run, desk, lines, row, rows_in, tmp_path):
        """And has one row in the end."""

        def answer(task):
            return failed_row(task.line, ModelError("down")) if task.line.id == "l2" else row(task)

        assert run(lines(3), desk(answer)).outcomes == {"green": 2, "failed": 1}
        again = desk()
        assert run(lines(3), again).outcomes == {"green": 3}
        assert again.asked == ["l2"]
        assert sorted(row["id"] for row in rows_in(tmp_path / "out")) == ["l1", "l2", "l3"]

    def test_resume_tries_again_what_a_budget_ended(self, open_output, settings, desk, lines, row):
        """Its journal is there; without it what ended is finished."""

        def answer(task):
            done = row(task)
            return done.model_copy(update={"outcome": "stopped"}) if task.line.id == "l2" else done

        run_batch(lines(3), settings=settings, output=open_output(), executor=desk(answer))
        for how, asked in (({}, []), ({"resume": True}, ["l2"])):
            again = desk()
            run_batch(lines(3), settings=settings, output=open_output(**how), executor=again)
            assert again.asked == asked


class TestTwins:
    """Lines that ask for the same are solved once."""

    def test_in_flight_and_long_ago(self, run, desk, line, lines, rows_in, tmp_path):
        """White space doesn't tell them apart; the others' rows name the first, and cost nothing."""
        same = [line(name, "Write  it.", number=9) for name in ("b", "c")]
        table = desk()
        summary = run([line("a", "Write it."), *same, *lines(4), line("d", "Write\nit.")], table, at_once=6)
        assert sorted(table.asked) == ["a", "l1", "l2", "l3", "l4"]
        rows = {row["id"]: row for row in rows_in(tmp_path / "out")}
        assert [rows[name]["twin_of"] for name in "abcd"] == ["", "a", "a", "a"]
        assert rows["d"]["source"] == rows["a"]["source"]
        assert summary.twins == 3

    def test_in_an_earlier_run(self, run, desk, line):
        """What was written down is known."""
        run([line("a", "Write it.")], desk())
        again = desk()
        assert run([line("a", "Write it."), line("b", "Write it.")], again).twins == 1
        assert again.asked == []

    def test_not_green_is_an_answer_too(self, run, desk, line, row):
        """Query again would cost the same again, and a failure is one for both."""
        table = desk(lambda task: row(task).model_copy(update={"outcome": "red"}))
        assert run([line("a", "Write it."), line("b", "Write it.")], table, at_once=2).outcomes == {"red": 2}
        assert table.asked == ["a"]

    def test_another_budget_or_trust_is_another_question(self, run, desk, line):
        """Each is asked."""
        table = desk()
        run([line("a", "It."), line("b", "It.", budget="calls=5"), line("c", "It.", trust="strict")], table)
        assert table.asked == ["a", "b", "c"]

    def test_who_waited_for_one_that_could_not_be_done_is_tried(self, run, desk, line, row):
        """Nobody was reachable is no answer."""
        tries = itertools.count()

        def answer(task):
            return failed_row(task.line, ModelError("down")) if next(tries) == 0 else row(task)

        table = desk(answer)
        two = [line("a", "It."), line("b", "It."), line("c", "It."), line("x"), line("y")]
        assert run(two, table, at_once=5).outcomes == {"failed": 1, "green": 4}
        assert table.asked == ["a", "x", "y", "b"]


class TestStopping:
    """A run ends early only where going on is vain, or somebody asks for it."""

    def test_where_nobody_is_reachable(self, run, desk, lines):
        """After a few lines, with the reason and its exit code; the rest is left for the next run."""
        table = desk(lambda task: failed_row(task.line, ModelError("the endpoint is down")))
        summary = run(lines(50), table, at_once=1, total=50)
        assert len(table.asked) == PATIENCE
        assert (summary.stopped, summary.exit_code, summary.missing) == ("the endpoint is down", 4, 50 - PATIENCE)

    @pytest.mark.parametrize(("count", "reached", "code"), [(1, 0, 4), (3, 0, 4), (3, 2, 1)])
    def test_where_nobody_is_reachable_for_any_of_a_few_lines(self, run, desk, lines, row, count, reached, code):
        """Each is tried, and the exit code says so, whatever each reason; not where one was answered."""

        def answer(task):
            down = failed_row(task.line, ModelError(f"down, says {task.line.id}"))
            return row(task).model_copy(update={"outcome": "red"}) if task.line.number == reached else down

        table = desk(answer)
        summary = run(lines(count), table, total=count)
        assert (len(table.asked), summary.stopped, summary.exit_code) == (count, "", code)

    def test_where_the_first_lines_all_fail_for_one_reason(self, run, desk, lines):
        """Whatever it is, it is not the lines."""
        table = desk(lambda task: failed_row(task.line, InputError("no such package")))
        assert run(lines(50), table, at_once=1).exit_code == 2
        assert len(table.asked) == PATIENCE

    @pytest.mark.parametrize("reason", ["one and the same", "another each"])
    def test_lines_that_fail_later_or_each_in_its_way_stop_nobody(self, run, desk, lines, row, reason):
        """One has worked, or no two say the same: it is the lines."""

        def answer(task):
            if reason == "one and the same" and task.line.number == 1:
                return row(task)
            return failed_row(task.line, InputError(reason if "same" in reason else task.line.id))

        assert len(run(lines(20), desk(answer), at_once=1, total=20).outcomes) >= 1
        assert run(lines(20), desk(answer), at_once=1, total=20).missing == 0

    def test_asked_to_stop_it_finishes_what_is_in_flight(self, run, desk, lines, rows_in, tmp_path):
        """And begins nothing."""
        stop = Event()
        table = desk(hold=True)
        summary = run(lines(20), table, at_once=3, on_row=lambda *_: stop.set(), stop=stop, total=20)
        assert len(rows_in(tmp_path / "out")) == len(table.asked) == 3
        assert (summary.stopped, summary.exit_code, summary.missing) == ("interrupted", 130, 17)


def test_collections_leave_alone_what_was_there_before_the_batch():
    """As long as it runs; what another one had set aside stays so."""
    gc.unfreeze()
    try:
        with running._settled():
            with running._settled():
                pass
            assert gc.get_freeze_count()
        assert not gc.get_freeze_count()
    finally:
        gc.freeze()  # as tests run


class TestForReal:
    """Lines that are solved: sandbox, cache and all."""

    @pytest.fixture
    def file(self, tmp_path) -> Path:
        path = tmp_path / "in.jsonl"
        tests = "from kit import double\n\n\ndef test_it():\n    assert double(50) == 100\n"
        (tmp_path / "mine.py").write_text(tests)
        rows = [
            {"id": "a", "instruction": "Double a number."},
            {"id": "b", "instruction": "Double it.", "tests": "mine.py"},
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    def test_lines_become_solutions(self, solver, double, file, rows_in, tmp_path):
        """Their source is in the row, the package in a folder, and the own tests are pinned."""
        generator = solver.generator(solver.model(double()))
        out = tmp_path / "out"
        summary = run_file(file, out, settings=generator.settings, generator=generator, folders=True)
        assert summary.outcomes == {"green": 2}
        rows = {row["id"]: row for row in rows_in(out)}
        assert "return 2 * number" in rows["a"]["source"]
        assert (rows["a"]["functions"], rows["a"]["cases"]) == ({"double": "green"}, 4)
        assert rows["b"]["cases"] > 4
        assert (out / rows["b"]["folder"] / "kit.py").read_text() == rows["b"]["source"]

    def test_what_is_cached_costs_nothing(self, solver, double, file, tmp_path):
        """Another folder, the same cache."""
        generator = solver.generator(solver.model(double()))
        run_file(file, tmp_path / "out", settings=generator.settings, generator=generator)
        silent = solver.generator(solver.model())
        summary = run_file(file, tmp_path / "other", settings=silent.settings, generator=silent)
        assert (summary.cached, summary.usage.calls) == (2, 0)

    def test_what_is_kept_is_looked_up_for_many_lines_at_once(self, solver, double, file, tmp_path, monkeypatch):
        """One with tests of its own is not: it is kept under another key."""
        generator = solver.generator(solver.model(double()))
        asked = []
        monkeypatch.setattr(generator, "kept_many", lambda texts: asked.append(texts) or [None for _ in texts])
        run_file(file, tmp_path / "out", settings=generator.settings, generator=generator)
        assert asked == [["Double a number."]]

    def test_what_is_not_kept_is_looked_for_once_more_under_its_lock(self, solver, file, tmp_path, monkeypatch):
        """One with tests of its own, which was not looked up with others, before that too."""
        generator, looks = solver.generator(solver.model()), []
        monkeypatch.setattr(Generator, "_still_green", lambda self, asked, key: looks.append(asked.text))
        run_file(file, tmp_path / "out", settings=generator.settings, generator=generator)
        assert sorted(looks) == ["Double a number.", "Double it.", "Double it."]

    def test_a_look_that_fails_stops_no_line(self, solver, double, file, tmp_path, monkeypatch):
        """Each is looked for and solved by itself then."""
        generator = solver.generator(solver.model(double()))
        monkeypatch.setattr(generator, "kept_many", lambda texts: 1 / 0)
        assert run_file(file, tmp_path / "out", settings=generator.settings, generator=generator).all_green

    def test_a_lines_own_budget_and_trust(self, solver, double, tmp_path, rows_in):
        """Are its alone; the budget's other limits stay."""
        path = tmp_path / "in.jsonl"
        rows = [
            {"id": "a", "instruction": "Double a number.", "budget": "iterations=1"},
            {"id": "b", "instruction": "Double it.", "trust": "quick"},
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        wrong = "def double(number: int) -> int:\n    return 1"
        right = "def double(number: int) -> int:\n    return 2 * number"
        generator = solver.generator(solver.model(double(wrong, right)), trust="standard")
        run_file(path, tmp_path / "out", settings=generator.settings, generator=generator)
        found = {row["id"]: row for row in rows_in(tmp_path / "out")}
        assert found["a"]["outcome"] != "green"
        assert (found["b"]["outcome"], found["b"]["trust"]) == ("green", "quick")

    def test_in_other_processes(self, solver, double, file, tmp_path, rows_in):
        """Any executor: here the solutions come from the cache that all processes share."""
        generator = solver.generator(solver.model(double()))
        run_file(file, tmp_path / "out", settings=generator.settings, generator=generator)
        with ProcessPoolExecutor(2) as pool:
            summary = run_file(file, tmp_path / "other", settings=generator.settings, executor=pool)
        assert (summary.outcomes, summary.cached) == ({"green": 2}, 2)
        assert {row["id"]: row["source"] for row in rows_in(tmp_path / "other")} == {
            row["id"]: row["source"] for row in rows_in(tmp_path / "out")
        }


def test_workers_that_died_end_the_run_with_a_line(open_output, lines):
    """What was in flight is unfinished: the same run again goes on."""
    with ProcessPoolExecutor(1) as pool:
        pool.submit(int).result()
        for process in list(pool._processes.values()):
            process.kill()
        with pytest.raises(UnreachableError, match="the executor's workers died"):
            run_batch(lines(3), settings=Settings(), output=open_output(), executor=pool)


def test_a_look_that_runs_as_a_batch_ends_comes_to_its_end(settings, monkeypatch):
    """As where rows can't be written: after sandboxes are closed it would open them anew, and nobody close them."""
    began, closed, ended_open = threading.Event(), threading.Event(), []

    def look(generator, tasks):
        began.set()
        ended_open.append(not closed.wait(0.1))

    monkeypatch.setattr(running, "look_up", look)
    monkeypatch.setattr(Generator, "close", lambda generator: closed.set())
    with running._workers(settings, None, None, 1) as workers:
        workers.look_up([])
        began.wait()
    assert (ended_open, closed.is_set()) == ([True], True)


@pytest.mark.parametrize("work", [look_up_elsewhere, solve_elsewhere])
def test_workers_that_are_found_dead_as_they_are_asked_end_it_so_too(run, desk, lines, work):
    """Before anybody waits for them: as lines are to be looked up, and as one is to be solved."""

    class Dead(type(desk())):
        def submit(self, asked, /, *given, **more):
            if asked is work:
                raise BrokenExecutor("they are gone")
            return super().submit(asked, *given, **more)

    with pytest.raises(UnreachableError, match=r"the executor's workers died \(they are gone\)"):
        run(lines(3), Dead(None))


def test_while_some_lines_are_looked_up_the_next_are_read(open_output, settings, lines, row, monkeypatch):
    """Each is looked up once, and what is kept is solved by nobody."""
    monkeypatch.setattr(running, "SHARE", 2)
    looks = []

    def look_up(tasks):
        looks.append((Future(), [Done(row(task)) for task in tasks]))
        for look, done in looks if len(tasks) < 2 else looks[:-1]:  # none has come before the next was asked for
            if not look.done():
                look.set_result(done)
        return looks[-1][0]

    run = running._Run(settings, open_output(), running._Workers(None, look_up, 2), 1, Event(), None)
    assert run.through(lines(5)).outcomes == {"green": 5}
    assert [[done.row.id for done in share] for _, share in looks] == [["l1", "l2"], ["l3", "l4"], ["l5"]]
