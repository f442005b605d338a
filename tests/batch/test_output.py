"""The output folder: whose run it is, and who may write to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdgen.batch import Output, Stamp
from tdgen.batch.results import Row
from tdgen.errors import InputError
from tdgen.settings import Settings


def finished(output) -> list[str]:
    return [row.id for _, row in output.results.rows()]


@pytest.fixture
def used(open_output):
    """A folder in which a run finished the line `a`."""
    open_output().results.append([Row(line=1, id="a", outcome="green")])


@pytest.mark.usefixtures("used")
class TestAnEarlierRun:
    """A folder that holds results already."""

    def test_the_same_run_goes_on(self, open_output):
        """Same file, same settings; where and how long it may work does not count."""
        assert finished(open_output(chosen=Settings(trust="quick", concurrency=2, base_url="http://x/v1"))) == ["a"]

    @pytest.mark.parametrize(
        ("other", "told"),
        [
            ({"content": "b"}, r"that one's file \(in.jsonl\) said something else"),
            ({"chosen": Settings(trust="strict")}, 'trust was "quick" there and is "strict" now'),
            ({"chosen": Settings(trust="quick", budget="5")}, "budget was"),
        ],
        ids=["file", "trust", "budget"],
    )
    def test_another_run_is_refused(self, open_output, other, told):
        """With what is not the same, and the ways out; nothing is touched."""
        with pytest.raises(InputError, match=f"{told}.* --resume goes on all the same, or --force begins anew"):
            open_output(**other)
        assert finished(open_output()) == ["a"]

    def test_force_begins_anew(self, open_output, solution):
        """What was finished there is set aside, solutions too: somebody may have worked on them since."""
        for number, (before, after) in enumerate(("ab", "bc"), start=1):
            output = open_output(before)
            output.save("a", solution)
            (output.folder / "solutions" / "a" / "kit.py").write_text(f"mine = {number}\n")
            assert finished(open_output(after, force=True)) == []
            earlier = output.folder / f"earlier-{number}"
            assert (earlier / "solutions" / "a" / "kit.py").read_text() == f"mine = {number}\n"
            assert (earlier / "batch.json").exists()
        assert '"a"' in (output.folder / "earlier-1" / "results.jsonl").read_text()

    def test_resume_goes_on(self, open_output):
        """From then on it is this run's."""
        assert finished(open_output("b", resume=True)) == ["a"]
        assert finished(open_output("b")) == ["a"]

    def test_two_runs_at_once_are_refused(self, open_output, settings):
        """The second one is told, with force too; the first one goes on."""
        output = open_output()
        with pytest.raises(InputError, match="another run is writing to"):
            Output(output.folder, Stamp.of(Path("in.jsonl"), "a", settings), force=True)
        assert finished(output) == ["a"]


def test_somebody_elses_folder_is_refused(open_output, tmp_path):
    """Unless with force, and then what is theirs stays."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("x")
    with pytest.raises(InputError, match=r"holds other files \(mine.txt\)"):
        open_output()
    open_output(force=True)
    assert (tmp_path / "out" / "mine.txt").read_text() == "x"


@pytest.mark.parametrize("name", ["results.jsonl", "summary.json", "batch.json", "solutions"])
def test_what_only_has_the_name_of_a_runs_files_is_not_touched(open_output, tmp_path, name):
    """Not even with force."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("mine")
    with pytest.raises(InputError, match=f"{name} is there, and of no run"):
        open_output(force=True)
    assert (tmp_path / "out" / name).read_text() == "mine"


def test_a_solution_that_somebody_changed_stays(open_output, solution):
    """The same line's new one stands beside it."""
    output = open_output()
    place = output.save("a", solution)
    assert output.save("a", solution) == place
    (output.folder / place / "kit.py").write_text("mine = 1\n")
    assert output.save("a", solution) == f"{place}.2"
    assert (output.folder / place / "kit.py").read_text() == "mine = 1\n"


def test_a_file_is_no_folder(open_output, tmp_path):
    """It is said."""
    (tmp_path / "out").write_text("x")
    with pytest.raises(InputError, match="is a file"):
        open_output()


@pytest.mark.parametrize("name", ["../../etc/x", "a/b", "ä", ".", "a b"])
def test_no_id_leads_out_of_the_folder(open_output, solution, name):
    """Each has a folder of its own, right in `solutions`."""
    output = open_output()
    place = output.save(name, solution)
    assert (output.folder / place).parent == output.folder / "solutions"
    assert (output.folder / place / "kit.py").exists()


def test_ids_that_look_alike_have_folders_of_their_own(open_output, solution):
    """What is not plain in them is told apart by a digest."""
    output = open_output()
    assert len({output.save(name, solution) for name in ("a/b", "a b", "a_b")}) == 3
