"""`tdgen show` and `tdgen verify`: what is kept or was written, looked at and tried again without a model."""

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture
def key(tdgen, said, instruction) -> str:
    """The first digits of a green solution's key; it is kept, and written to `out`."""
    ran = tdgen("solve", instruction, "--script", said.green().path, "--trust", "quick", "-o", "out", "--json")
    assert ran.code == 0
    return ran.document["key"][7:19]


class TestShow:
    """Everything that there is to see."""

    def test_a_kept_solution(self, tdgen, key: str, instruction):
        """What was asked, planned and written, how it ended and what it cost."""
        ran = tdgen("show", key)
        assert ran.code == 0
        for part in (
            instruction,
            "def quadruple(n: int) -> int",
            "examples that are pinned:",
            "return n * 2",
            "all green",
        ):
            assert part in ran.out

    def test_a_folder_as_it_is_now(self, tdgen, key: str):
        """What was changed in it is shown."""
        module = Path("out/doubling.py")
        module.write_text(module.read_text() + "# mine\n")
        assert "# mine" in tdgen("show", "out", "--code").out
        assert "# mine" not in tdgen("show", key, "--code").out

    def test_the_code_alone(self, tdgen, key: str):
        """Ready to be written to a file."""
        assert tdgen("show", key, "--code").out == Path("out/doubling.py").read_text()

    def test_the_tests(self, tdgen, key: str):
        """Each file under its name."""
        out = tdgen("show", key, "--tests").out
        assert out.startswith("# test_double.py\n")
        assert "\n# test_quadruple.py\n" in out

    def test_json(self, tdgen, key: str):
        """The contract's document."""
        assert tdgen("show", key, "--json").document["all_tests_passed"] is True

    @pytest.mark.parametrize("command", ["show", "verify"])
    @pytest.mark.parametrize(
        ("name", "line"),
        [
            ("0000", "no kept solution's key starts with 0000: `tdgen cache list` shows them all"),
            ("xyz", "'xyz' is neither a folder that is there nor a solution's key (4 hex digits or more)"),
            ("no/such", "there is no folder no/such"),
            (".", ". holds no solution of tdgen's: there is no .tdgen/record.json in it"),
        ],
    )
    def test_what_is_not_there(self, tdgen, command: str, name: str, line: str):
        """One line that says what to do."""
        ran = tdgen(command, name)
        assert (ran.code, ran.out, ran.err) == (2, "", f"tdgen: {line}\n")

    def test_a_record_that_is_none(self, tdgen, key: str):
        """Of another tool, or another version."""
        Path("out/.tdgen/record.json").write_text('{"format": 2, "files": {}, "solution": {}}')
        ran = tdgen("show", "out")
        assert (ran.code, ran.err) == (
            2,
            "tdgen: out/.tdgen/record.json is no solution that this version of tdgen can read\n",
        )

    def test_what_was_edited_since(self, tdgen, key: str):
        """Is said, and shown as it is now."""
        module = Path("out/doubling.py")
        module.write_text(module.read_text().replace("n * 2", "n * 3"))
        ran = tdgen("show", "out")
        assert ran.err.startswith("doubling.py was changed since tdgen wrote it: ")
        assert "n * 3" in ran.out
        assert tdgen("show", "out", "--json").document["changed"] == ["doubling.py"]


class TestRunsThatDidNotEndGreen:
    """They are in the journal, and the listing names their keys."""

    @pytest.fixture
    def failed(self, tdgen, said, instruction) -> str:
        """The first digits of the key of a run that ended red."""
        assert tdgen("solve", instruction, "--script", said.red().path, "--trust", "quick").code == 1
        return self.only(tdgen)

    @staticmethod
    def only(tdgen) -> str:
        """The one key that is listed."""
        (run,) = tdgen("cache", "list", "--json").document["runs"]
        return run["key"][7:19]

    def test_a_failed_one_is_shown_whole(self, tdgen, failed: str, instruction):
        """With its plan, its cases, and why it failed."""
        ran = tdgen("show", failed)
        assert ran.code == 0
        assert f"asked:\n    {instruction}\n" in ran.out
        assert "not right after 4 attempts" in ran.out
        assert "not all green: 0 of 2 functions" in ran.out
        assert tdgen("show", failed, "--json").document["all_tests_passed"] is False

    def test_a_failed_one_is_verified(self, tdgen, failed: str):
        """It fails again."""
        ran = tdgen("verify", failed)
        assert ran.code == 1
        assert ran.out.splitlines()[-1].startswith("not all passes, in ")

    def test_a_green_solution_of_the_same_key_goes_first(self, tdgen, failed: str, said, instruction):
        """What failed before is history."""
        tdgen("solve", instruction, "--script", said.green().path, "--trust", "quick")
        assert "all green" in tdgen("show", failed).out

    def test_an_unfinished_one(self, tdgen, said, instruction):
        """What was asked, and how it goes on; there is no code."""
        said.green().forget("implement", "double")
        tdgen("solve", instruction, "--script", said.path, "--trust", "quick")
        key = self.only(tdgen)
        ran = tdgen("show", key)
        assert ran.code == 0
        assert ran.out.startswith(f"asked:\n    {instruction}\n\nunfinished, ")
        assert "the same command again goes on from here" in ran.out
        assert tdgen("show", key, "--json").document["state"] == "unfinished"

    @pytest.mark.parametrize("arguments", [("verify",), ("show", "--code"), ("show", "--html", "x.html")])
    def test_an_unfinished_one_has_no_code(self, tdgen, said, instruction, arguments):
        """That is said in one line."""
        said.green().forget("implement", "double")
        tdgen("solve", instruction, "--script", said.path, "--trust", "quick")
        command, *options = arguments
        key = self.only(tdgen)
        ran = tdgen(command, key, *options)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert ran.err.startswith(f"tdgen: the unfinished run {key} ")

    @pytest.fixture
    def stopped(self, tdgen, said, instruction) -> str:
        """The first digits of the key of a run whose budget ended when one function was written, and wrong."""
        options = ("--script", said.red().path, "--trust", "quick", "--budget", "calls=5")
        assert tdgen("solve", instruction, *options).code == 3
        return self.only(tdgen)

    def test_one_that_the_budget_stopped(self, tdgen, stopped: str, instruction):
        """Its best code is shown, and what is missing; the listing says what stopped it."""
        line = tdgen("cache", "list").out
        assert "  unfinished  what is left of the budget of 5 model calls is owed" in line
        assert line.endswith(f"  {instruction}\n")
        out = tdgen("show", stopped).out
        assert "def quadruple(" in tdgen("show", stopped, "--code").out
        assert "not all green: 0 of 2 functions; stopped: what is left of the budget of 5 " in out
        assert tdgen("verify", stopped).code == 1

    def test_one_that_the_budget_stopped_goes_on(self, tdgen, stopped: str, said, instruction):
        """From its answers, and leaves nothing of that run when it ends."""
        ran = tdgen("solve", instruction, "--script", said.path, "--trust", "quick", "--verbose")
        assert "an unfinished run left 5 answers" in ran.err
        (run,) = tdgen("cache", "list", "--json").document["runs"]
        assert run["state"] == "failed"

    def test_one_that_could_not_be_paid_for(self, tdgen, said, instruction):
        """It left a plan and its reason."""
        tdgen("solve", instruction, "--script", said.green().path, "--budget", "calls=2")
        out = tdgen("show", self.only(tdgen)).out
        assert "the plan has 2 functions and needs 4 more model calls" in out
        assert "the same command again goes on from here" in out

    def test_one_that_was_declined(self, tdgen, said, instruction):
        """It left its reason alone."""
        said.say("plan", {"declined": "it is a web page", "functions": []})
        tdgen("solve", instruction, "--script", said.path)
        assert "it is a web page" in tdgen("show", self.only(tdgen)).out


class TestVerify:
    """The tests once more."""

    def test_what_is_missing_is_named(self, tdgen, key: str):
        """A function whose body was taken out is not only one that fails."""
        module = Path("out/doubling.py")
        module.write_text("def double(n: int) -> int:\n    return n * 2\n\n\ndef quadruple(n: int) -> int:\n    ...\n")
        ran = tdgen("verify", "out")
        assert ran.code == 1
        assert "quadruple  is missing: the module has no code for it yet" in ran.out
        assert tdgen("verify", "out", "--json").document["missing"] == ["quadruple"]

    @pytest.mark.parametrize("what", ["folder", "key"])
    def test_all_pass(self, tdgen, key: str, what: str):
        """A line a function, and how long it took."""
        ran = tdgen("verify", key if what == "key" else "out")
        assert ran.code == 0
        first, second, pytest_line, last = ran.out.splitlines()
        assert (first, second) == ("double     6 of 6 cases pass", "quadruple  5 of 5 cases pass")
        assert pytest_line.startswith("pytest: 11 of 11 tests pass")
        assert last.startswith("all of doubling passes, in ")
        assert last.endswith(" ms, without a model")

    def test_what_was_broken_is_found(self, tdgen, key: str):
        """In the files as they are now; the exit code says so."""
        module = Path("out/doubling.py")
        module.write_text(module.read_text().replace("n * 2", "n * 3"))
        ran = tdgen("verify", "out", "--sarif", "out.sarif", "--markdown", "out.md")
        assert ran.code == 1
        assert "double     1 of 6 cases pass" in ran.out
        assert "    one: 3, expected 2" in ran.out
        assert ran.out.splitlines()[-1].startswith("not all passes, in ")
        first = "double: example_1: 12, expected 8 (5 of 6 cases fail)"
        assert f"out/doubling.py:6: {first}\n" in ran.err
        results = json.loads(Path("out.sarif").read_text())["runs"][0]["results"]
        assert [one["message"]["text"].partition(":")[0] for one in results] == ["double", "quadruple"]
        assert results[0]["message"]["text"] == first
        assert "| out::double | 6 | 1 |" in Path("out.md").read_text()

    def test_lines_are_told_of_files_alone(self, tdgen, key: str):
        """What is kept by a key is in none."""
        ran = tdgen("verify", key, "--sarif", "out.sarif")
        assert (ran.code, Path("out.sarif").exists()) == (2, False)
        assert ran.last.endswith("name the folder that the solution was written to")

    def test_a_changed_test_counts(self, tdgen, key: str):
        """Also where the judge knows better."""
        Path("out/test_mine.py").write_text("def test_mine():\n    assert False\n")
        ran = tdgen("verify", "out", "--json")
        assert (ran.code, ran.document["passed"]) == (1, False)
        assert all(verdict["passed"] for verdicts in ran.document["functions"].values() for verdict in verdicts)
        assert "out/test_mine.py:1: test_mine: fails\n" in tdgen("verify", "out").err

    def test_a_module_that_is_gone(self, tdgen, key: str):
        """Can't be tried."""
        Path("out/doubling.py").unlink()
        ran = tdgen("verify", "out")
        line = "tdgen: out holds no doubling.py, which is the module that its record.json is of\n"
        assert (ran.code, ran.err) == (2, line)

    def test_a_sandbox_that_can_not_be_had(self, tdgen, key: str, monkeypatch: pytest.MonkeyPatch):
        """Is not replaced by none."""
        monkeypatch.setattr("sys.platform", "plan9")
        monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere")
        ran = tdgen("verify", "out")
        assert ran.code == 4
        assert "needs Linux" in ran.err
