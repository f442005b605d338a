"""`tdgen cache …`, and what a cache that can't be used does to a solve."""

import io
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture
def key(tdgen, said, instruction) -> str:
    """The first digits of the key of a solution that is kept."""
    ran = tdgen("solve", instruction, "--script", said.green().path, "--trust", "quick", "--json")
    return ran.document["key"][7:19]


class TestCommands:
    """What is kept, where, and how to be rid of it."""

    def test_nothing_is_kept_at_first(self, tdgen):
        """And that is said."""
        assert tdgen("cache", "list").out == "nothing is kept\n"

    def test_a_listing(self, tdgen, key: str, instruction):
        """A line each: key, time, what it is, and what was asked."""
        out = tdgen("cache", "list").out
        assert out.startswith(key + "  ")
        assert "2 functions, quick, " in out
        assert instruction in out

    def test_failed_runs_are_listed_too(self, tdgen, said, instruction):
        """With how they ended."""
        tdgen("solve", instruction, "--script", said.red().path, "--trust", "quick")
        (line,) = tdgen("cache", "list").out.splitlines()
        assert "failed  double: not right after 4 attempts" in line
        assert line.endswith(f"  {instruction}")

    def test_unfinished_runs_are_listed_by_what_was_asked(self, tdgen, said, instruction):
        """One whose model broke off."""
        said.green().forget("implement", "double")
        assert tdgen("solve", instruction, "--script", said.path, "--trust", "quick").code != 0
        (line,) = tdgen("cache", "list").out.splitlines()
        assert line.endswith(f"  unfinished  {instruction}")

    def test_as_json(self, tdgen, key: str):
        """For programs."""
        document = tdgen("cache", "list", "--json").document
        assert [row["key"][7:19] for row in document["solutions"]] == [key]

    def test_one_of_them(self, tdgen, key: str, instruction):
        """By the first digits of its key."""
        row = tdgen("cache", "show", key[:6], "--json").document
        assert (row["instruction"], row["functions"]) == (instruction, 2)
        assert "functions    2" in tdgen("cache", "show", key).out

    def test_forgetting_one(self, tdgen, key: str):
        """It is gone then."""
        assert tdgen("cache", "clear", key).err == "forgot 1 solution\n"
        assert tdgen("cache", "list").out == "nothing is kept\n"

    @pytest.mark.parametrize("options", [("--budget", "calls=5"), ()], ids=["unfinished", "failed"])
    def test_a_run_is_told_and_forgotten_by_its_key(self, tdgen, said, instruction, tmp_path: Path, options):
        """Like a solution; nothing of it is left."""
        tdgen("solve", instruction, "--script", said.red().path, "--trust", "quick", *options)
        (run,) = tdgen("cache", "list", "--json").document["runs"]
        assert tdgen("cache", "show", run["key"][7:19], "--json").document == run
        assert tdgen("cache", "clear", run["key"][7:19]).err == "forgot 1 run\n"
        assert tdgen("cache", "list").out == "nothing is kept\n"
        assert list((tmp_path / "cache" / "tdgen" / "runs").iterdir()) == []

    def test_forgetting_everything(self, tdgen, key: str):
        """Functions as well."""
        ran = tdgen("cache", "clear", "--all")
        assert ran.code == 0
        assert ran.err.startswith("forgot all that was kept: ")
        assert tdgen("cache", "list").out == "nothing is kept\n"

    @pytest.mark.parametrize("arguments", [(), ("abc", "--all")])
    def test_without_a_terminal_everything_is_asked_for_by_name(self, tdgen, key: str, monkeypatch, arguments):
        """`echo n | tdgen cache clear` forgets nothing, whatever is piped in."""
        monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
        ran = tdgen("cache", "clear", *arguments)
        assert ran.code == 2
        assert "--all" in ran.err
        assert key in tdgen("cache", "list").out

    @pytest.mark.parametrize(("answer", "is_kept"), [("n\n", True), ("\n", True), ("", True), ("y\n", False)])
    def test_at_a_terminal_it_asks(self, tdgen, key: str, monkeypatch, tmp_path: Path, answer: str, is_kept: bool):
        """Nothing is forgotten without a yes."""
        monkeypatch.setattr("tdgen.cli.keeping.is_terminal", lambda stream: True)
        monkeypatch.setattr("sys.stdin", io.StringIO(answer))
        ran = tdgen("cache", "clear")
        assert ran.code == 0
        assert f"all that is kept in {tmp_path}/cache/tdgen" in ran.err
        assert (key in tdgen("cache", "list").out) == is_kept

    def test_packages_go_too(self, tdgen, tmp_path: Path):
        """They are what takes the most room; what else lies there stays."""
        home = tmp_path / "cache" / "tdgen" / "packages"
        for name in ("a" * 64, "b" * 64, "mine"):
            (home / name / "numpy").mkdir(parents=True)
        assert tdgen("cache", "clear", "--all").err.endswith("items, and 2 sets of packages\n")
        assert [path.name for path in home.iterdir()] == ["mine"]

    def test_the_folder(self, tdgen, tmp_path: Path):
        """By option, else by the platform's custom."""
        assert tdgen("cache", "path").out == f"{tmp_path}/cache/tdgen\n"
        assert tdgen("cache", "path", "--cache-dir", "here").out == "here\n"


class TestTrouble:
    """One line, exit code 2, before any work."""

    @pytest.fixture
    def solve(self, tdgen, said, instruction):
        """A solve with a script that answers nothing: whoever asks the model fails otherwise."""
        said.path.write_text('{"answers": []}')
        return lambda folder: tdgen("solve", instruction, "--script", said.path, "--cache-dir", folder)

    def test_a_folder_that_can_not_be_written(self, solve):
        """Whoever one is."""
        ran = solve("/proc/self/cache")
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert ran.err.startswith("tdgen: the cache in /proc/self/cache can't be ")
        assert "--cache-dir" in ran.err

    def test_a_file_in_its_place(self, solve):
        """Names it."""
        Path("cache").write_text("mine")
        ran = solve("cache")
        assert ran.code == 2
        assert "that is a file: set --cache-dir to a folder" in ran.err

    def test_a_folder_with_other_files(self, solve):
        """Is somebody's."""
        Path("mine").mkdir()
        Path("mine/thesis.txt").write_text("mine")
        ran = solve("mine")
        assert ran.code == 2
        assert "holds other files (thesis.txt): set --cache-dir to a new or empty folder" in ran.err

    def test_a_damaged_one(self, solve, tdgen):
        """`tdgen cache clear --all` helps, as it says."""
        tdgen("cache", "list", "--cache-dir", "here")
        Path("here/cache.db").write_bytes(b"nonsense" * 1000)
        ran = solve("here")
        assert ran.code == 2
        assert "is damaged" in ran.err
        assert "`tdgen cache clear --all` makes a new one" in ran.err
        assert tdgen("cache", "clear", "--all", "--cache-dir", "here").code == 0
        assert tdgen("cache", "list", "--cache-dir", "here").out == "nothing is kept\n"

    def test_one_of_a_later_version(self, solve, tdgen):
        """Is left alone."""
        tdgen("cache", "list", "--cache-dir", "here")
        Path("here/FORMAT").write_text("99\n")
        ran = solve("here")
        assert ran.code == 2
        assert "was written by a later tdgen (format 99, this one reads 1): upgrade tdgen or set --cache-dir" in ran.err
