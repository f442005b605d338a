"""A run that is cut off resumes from what it was told; one that ended is remembered only for how it failed."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tdgen.cache import Journal, runs
from tdgen.cache.journal import KEEP_FAILURES, KEEP_UNFINISHED_DAYS

APPEND = """
import sys
from pathlib import Path
from tdgen.cache import Journal
journal = Journal.open(Path(sys.argv[1]), "run")
for number in range(1_000_000):
    journal.put(f"answer {number}", f"{number} " * 5000)
    print(number, flush=True)
"""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """The journal of a new run."""
    journal = Journal.open(tmp_path, "run")
    yield journal
    journal.close()


def answers(folder: Path) -> Path:
    """The one file of answers in a folder."""
    (path,) = folder.glob("runs/*/answers.jsonl")
    return path


class TestResuming:
    """An unfinished run's answers."""

    def test_an_unfinished_run_finds_its_answers(self, tmp_path: Path, journal: Journal):
        """After the journal was closed without an end."""
        journal.put("plan", "a\nb \N{SNOWMAN} \ud800\r\0")
        journal.put("cases", "old")
        journal.put("cases", "new")
        journal.close()
        again = Journal.open(tmp_path, "run")
        assert (again.get("plan"), again.get("cases"), again.get("other")) == (
            "a\nb \N{SNOWMAN} \ud800\r\0",
            "new",
            None,
        )
        assert (again.resumed, again.notes) == (2, [])
        again.close()

    def test_a_new_run_has_no_answers(self, journal: Journal):
        """And nothing to say."""
        assert (journal.get("plan"), journal.resumed, journal.notes) == (None, 0, [])

    def test_runs_do_not_share_answers(self, tmp_path: Path, journal: Journal):
        """Each key has its own."""
        journal.put("plan", "mine")
        other = Journal.open(tmp_path, "another run")
        assert other.get("plan") is None
        other.close()

    @pytest.mark.parametrize("round_", range(3))
    def test_a_run_killed_while_it_writes_loses_nothing_it_had(self, tmp_path: Path, start, round_: int):
        """After kill -9 in the middle of appends, every answer that was put is there, and more can follow."""
        writer = start(APPEND, tmp_path)
        last = [writer.stdout.readline() for _ in range(5 + 7 * round_)][-1]
        writer.send_signal(signal.SIGKILL)
        put = [int(line) for line in (last, *writer.stdout) if line.endswith("\n")]
        again = Journal.open(tmp_path, "run")
        assert again.resumed >= put[-1] + 1
        for number in range(again.resumed):
            assert again.get(f"answer {number}") == f"{number} " * 5000
        again.put("after", "text")
        again.close()
        last = Journal.open(tmp_path, "run")
        assert (last.get("after"), last.notes) == ("text", [])
        last.close()

    @pytest.mark.parametrize("cut", [1, 2, 10, 38])
    def test_a_torn_last_line_is_cut_off(self, tmp_path: Path, journal: Journal, cut: int):
        """Wherever it was torn; what is put next is on a line of its own."""
        journal.put("plan", "kept")
        journal.put("cases", "torn, at some place")
        journal.close()
        os.truncate(answers(tmp_path), answers(tmp_path).stat().st_size - cut)
        again = Journal.open(tmp_path, "run")
        assert (again.get("plan"), again.get("cases"), again.notes) == ("kept", None, [])
        again.put("cases", "anew")
        again.close()
        last = Journal.open(tmp_path, "run")
        assert (last.get("plan"), last.get("cases"), last.notes) == ("kept", "anew", [])
        last.close()

    def test_threads_put_at_once(self, tmp_path: Path, journal: Journal):
        """No line is mixed with another."""
        threads = [
            threading.Thread(target=lambda n=n: [journal.put(f"{n} {i}", "x" * 9000) for i in range(10)])
            for n in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        journal.close()
        again = Journal.open(tmp_path, "run")
        assert (again.resumed, again.notes) == (80, [])
        again.close()


class TestTrouble:
    """The journal never stops a run."""

    @pytest.mark.parametrize("format_", [0, 2, "1", None])
    def test_answers_of_another_format(self, tmp_path: Path, journal: Journal, format_: object):
        """The run starts anew and says so; the file is set aside."""
        journal.put("plan", "text")
        journal.close()
        header, *rest = answers(tmp_path).read_text().splitlines(keepends=True)
        changed = json.dumps(json.loads(header) | {"format": format_}) + "\n"
        answers(tmp_path).write_text(changed + "".join(rest))
        again = Journal.open(tmp_path, "run")
        assert (again.get("plan"), again.resumed) == (None, 0)
        assert again.notes == ["the unfinished run's answers were written by another version of tdgen: starting anew"]
        assert answers(tmp_path).with_name("answers.unread").read_text().startswith(changed)
        again.close()

    @pytest.mark.parametrize("content", [b"\xff\xfe\n", b"[]\n", b"{}\n", b"[" * 100_000 + b"\n"])
    def test_answers_that_are_unreadable(self, tmp_path: Path, journal: Journal, content: bytes):
        """The same where the file is none of ours."""
        journal.close()
        answers(tmp_path).write_bytes(content)
        again = Journal.open(tmp_path, "run")
        assert (again.resumed, again.notes) == (
            0,
            ["the unfinished run's answers can't be read: starting anew"],
        )
        again.close()

    @pytest.mark.parametrize("content", [b"", b'{"form'])
    def test_a_file_torn_at_its_start(self, tmp_path: Path, journal: Journal, content: bytes):
        """Killed before the first answer: nothing was lost, so nothing is said."""
        journal.close()
        answers(tmp_path).write_bytes(content)
        again = Journal.open(tmp_path, "run")
        assert (again.resumed, again.notes) == (0, [])
        again.put("plan", "text")
        again.close()
        last = Journal.open(tmp_path, "run")
        assert last.get("plan") == "text"
        last.close()

    def test_a_line_damaged_in_the_middle(self, tmp_path: Path, journal: Journal):
        """What stands before it is used, and it is said that this is not all."""
        for name in ("one", "two", "three"):
            journal.put(name, "text")
        journal.close()
        answers(tmp_path).write_bytes(answers(tmp_path).read_bytes().replace(b'"two"', b'two"'))
        again = Journal.open(tmp_path, "run")
        assert (again.get("one"), again.get("two"), again.get("three")) == ("text", None, None)
        assert again.notes == ["the unfinished run's answers are damaged after the first 1"]
        again.close()

    def test_a_folder_that_can_not_be_written(self, tmp_path: Path):
        """The run goes on from memory, and knows that it can't be resumed."""
        (tmp_path / "runs").write_text("in the way")
        journal = Journal.open(tmp_path, "run")
        journal.put("plan", "text")
        assert journal.get("plan") == "text"
        (note,) = journal.notes
        assert "can't be resumed" in note
        assert journal.fail({"reason": "red"}) is None
        assert len(journal.notes) == 2

    def test_a_disk_that_fills_up(self, tmp_path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch):
        """The answer that found no space is used all the same; it is said once, and the file stays readable."""

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        journal.put("plan", "text")
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            journal.put("cases", "text")
        journal.put("code", "text")
        assert [journal.get(name) for name in ("plan", "cases", "code")] == ["text"] * 3
        assert len(journal.notes) == 1
        assert "No space left on device" in journal.notes[0]
        again = Journal(tmp_path, "run")
        assert (again.get("plan"), again.get("code"), again.notes) == ("text", None, [])
        again.close()


class TestEnds:
    """How a run ends decides what stays of it."""

    def test_a_green_run_leaves_nothing(self, tmp_path: Path, journal: Journal):
        """Its answers are forgotten: the solution is in the cache."""
        journal.put("plan", "text")
        journal.finish()
        assert list((tmp_path / "runs").iterdir()) == []
        assert runs(tmp_path) == []

    def test_a_failed_run_leaves_a_record_and_no_answers(self, tmp_path: Path, journal: Journal):
        """So that a rerun asks anew, and a person can read what happened."""
        journal.put("plan", "text")
        path = journal.fail({"reason": "two cases stayed red", "solution": {"functions": ["f"]}})
        record = json.loads(path.read_text())
        assert (record["key"], record["reason"]) == ("run", "two cases stayed red")
        assert record["solution"] == {"functions": ["f"]}
        again = Journal.open(tmp_path, "run")
        assert (again.get("plan"), again.resumed) == (None, 0)
        again.close()

    def test_a_record_holds_what_is_no_json(self, journal: Journal):
        """A path in it, or a lone surrogate, doesn't lose the record."""
        path = journal.fail({"reason": "\ud800", "where": Path("x"), "key": "not the run's"})
        record = json.loads(path.read_text())
        assert (record["reason"], record["where"], record["key"]) == ("\ud800", "x", "run")

    def test_runs_lists_unfinished_and_failed_ones(self, tmp_path: Path, journal: Journal):
        """The newest first, each with its key; what is unreadable is passed over."""
        journal.fail({"reason": "red"})
        Journal.open(tmp_path, "cut off").close()
        for name in ("answers.jsonl", "failed-1.json"):
            (tmp_path / "runs" / "damaged").mkdir(exist_ok=True)
            (tmp_path / "runs" / "damaged" / name).write_bytes(b"\xff")
        found = {(run.key, run.state, run.reason) for run in runs(tmp_path)}
        assert found == {("run", "failed", "red"), ("cut off", "unfinished", "")}

    def test_runs_say_what_was_asked(self, tmp_path: Path):
        """Failed and unfinished ones; what an earlier version left has no instruction."""
        Journal.open(tmp_path, "red").fail({"reason": "red", "instruction": "double it"})
        Journal.open(tmp_path, "cut off", "halve it").close()
        (tmp_path / "runs" / "old").mkdir()
        (tmp_path / "runs" / "old" / "answers.jsonl").write_text('{"format": 1, "key": "old"}\n')
        assert {run.key: run.instruction for run in runs(tmp_path)} == {
            "red": "double it",
            "cut off": "halve it",
            "old": "",
        }

    @pytest.mark.parametrize("record", [{}, {"solution": 3}, {"solution": {"plan": 1}}])
    def test_a_failure_without_a_solution_of_todays_shape(self, tmp_path: Path, journal: Journal, record: dict):
        """Has none."""
        journal.fail(record)
        (run,) = runs(tmp_path)
        assert run.solution() is None

    def test_runs_of_a_folder_that_is_not_there(self, tmp_path: Path):
        """None."""
        assert runs(tmp_path / "none") == []


class TestBounds:
    """The journal doesn't grow for ever."""

    def test_only_the_last_failures_are_kept(self, tmp_path: Path):
        """Over all runs; folders in which nothing is left go too."""
        for number in range(KEEP_FAILURES + 5):
            Journal.open(tmp_path, f"run {number}").fail({"reason": str(number)})
        reasons = {run.reason for run in runs(tmp_path)}
        assert reasons == {str(number) for number in range(5, KEEP_FAILURES + 5)}
        assert len(list((tmp_path / "runs").iterdir())) == KEEP_FAILURES

    def test_unfinished_runs_that_nobody_came_back_to_are_forgotten(self, tmp_path: Path):
        """After some weeks; but not the one that is just resumed."""
        for name in ("old", "resumed"):
            old = Journal.open(tmp_path, name)
            old.put("plan", "text")
            old.close()
        weeks_ago = (tmp_path / "runs").stat().st_mtime - (KEEP_UNFINISHED_DAYS + 1) * 86_400
        for path in tmp_path.glob("runs/*/answers.jsonl"):
            os.utime(path, (weeks_ago, weeks_ago))
        resumed = Journal.open(tmp_path, "resumed")
        assert resumed.resumed == 1
        assert [run.key for run in runs(tmp_path)] == ["resumed"]
        resumed.close()


def test_runs_that_end_while_others_begin(tmp_path):
    """Each sweeps the folder that all share: what another removes meanwhile is no trouble."""
    troubles: list[Exception] = []

    def work(name: str) -> None:
        try:
            for number in range(40):
                journal = Journal.open(tmp_path, f"{name}{number}")
                journal.put("question", "answer")
                runs(tmp_path)
                journal.finish()
        except OSError as error:
            troubles.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcdefgh"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []
