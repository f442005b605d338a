"""Every ending of a command has its exit code, and each failure one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tdgen.cli import app


class TestUsage:
    """What can't be understood."""

    @pytest.mark.parametrize(
        ("arguments", "line"),
        [
            (["slove"], "tdgen: No such command 'slove'. Did you mean 'solve', 'serve'? (`tdgen --help` tells more)"),
            (["solve", "x", "--bugdet=1"], "tdgen: No such option: --bugdet (Possible options: --budget,"),
            (["solve", "x", "y"], "tdgen: Got unexpected extra argument(s) (y) (`tdgen solve --help` tells more)"),
            (
                ["fill", "x.py", "--model"],
                "tdgen: Option '--model' requires an argument. (`tdgen fill --help` tells more)",
            ),
            (["verify"], "tdgen: Missing argument 'HASH|FOLDER'. (`tdgen verify --help` tells more)"),
            (["cache", "shrink"], "tdgen: No such command 'shrink'. (`tdgen cache --help` tells more)"),
        ],
    )
    def test_is_said_in_a_line(self, tdgen, arguments: list[str], line: str):
        """With the command whose help tells more."""
        ran = tdgen(*arguments)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(line)
        assert ran.err.count("\n") == 1

    @pytest.mark.parametrize(
        ("option", "value", "line"),
        [
            ("--budget", "cals=3", "the option budget: the budget 'cals=3' can't be read: there is no limit 'cals'"),
            ("--trust", "blind", "the option trust: 'blind' is refused"),
            ("--temperature", "hot", "the option temperature: 'hot' is refused"),
            ("--timeout", "0", "the option timeout: '0' is refused"),
            ("--concurrency", "-1", "the option concurrency: '-1' is refused"),
            ("--python", "2.7", "the option python: '2.7' is no version of Python such as 3.12"),
            ("--sandbox", "paper", "the option sandbox: there is no sandbox 'paper'"),
        ],
    )
    def test_a_setting_that_can_not_be(self, tdgen, option: str, value: str, line: str):
        """Names the option and what is wrong with it."""
        ran = tdgen("solve", "add numbers", option, value)
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert line in ran.err

    def test_a_setting_from_elsewhere(self, tdgen, monkeypatch: pytest.MonkeyPatch):
        """Says where it comes from."""
        monkeypatch.setenv("TDGEN_BUDJET", "3")
        ran = tdgen("solve", "add numbers")
        assert (ran.code, ran.err) == (
            2,
            "tdgen: TDGEN_BUDJET is no setting of tdgen (did you mean TDGEN_BUDGET?): unset it\n",
        )

    def test_no_command_is_help(self, tdgen):
        """As with most commands."""
        ran = tdgen()
        assert (ran.code, ran.err) == (0, "")
        assert "Prose in, tested Python functions out" in ran.out


class TestJson:
    """Whoever reads JSON gets JSON, whatever happens."""

    def test_a_failure_is_a_document_too(self, tdgen):
        """And one line on stderr still."""
        ran = tdgen("solve", "", "--json")
        message = "the instruction is empty: say in a sentence or more what the functions should do"
        assert (ran.code, ran.document) == (2, {"error": message, "exit_code": 2})
        assert ran.err == f"tdgen: {message}\n"

    def test_wrong_usage_is_one_too(self, tdgen):
        """Although no command was run."""
        ran = tdgen("solve", "--json", "--nonsense")
        assert ran.document["exit_code"] == ran.code == 2


class TestBugs:
    """What nobody foresaw."""

    @pytest.fixture(autouse=True)
    def broken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Reading the settings fails as it never should."""

        def fail(*_: object) -> None:
            raise LookupError("oh\nno")

        monkeypatch.setattr("tdgen.settings.load_settings", fail)

    def test_is_one_line_that_says_how_to_see_more(self, tdgen):
        """Exit code 70, as sysexits.h calls it."""
        ran = tdgen("cache", "path")
        line = "tdgen: this is a bug in tdgen: LookupError: oh no (run it with --verbose to see where)\n"
        assert (ran.code, ran.err) == (70, line)

    def test_verbose_tells_where(self, tdgen):
        """The traceback, and the line last."""
        ran = tdgen("solve", "add numbers", "--verbose")
        assert ran.code == 70
        assert "Traceback" in ran.err
        assert ran.last == "tdgen: this is a bug in tdgen: LookupError: oh no"


class TestOutput:
    """What becomes of what is written."""

    def test_a_reader_that_goes_away_is_no_failure_to_speak_of(self, start):
        """As with `tdgen … | head -0`."""
        reading, writing = os.pipe()
        os.close(reading)
        process = start("--help", stdout=writing)
        os.close(writing)
        _, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (141, b"")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
    def test_a_full_disk_is_said(self, start):
        """The result is lost, and that is an error."""
        with Path("/dev/full").open("wb") as full:
            process = start("cache", "path", stdout=full)
            _, err = process.communicate(timeout=30)
        line = b"tdgen: the result can't be written: No space left on device\n"
        assert (process.returncode, err) == (2, line)

    def test_a_closed_stdout_is_said(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
        """Rather than the result lost in silence."""
        monkeypatch.setattr("sys.stdout", None)
        assert app.run(["cache", "path"]) == 2
        assert capsys.readouterr().err == "tdgen: the result can't be written: the standard output is closed\n"

    def test_results_are_utf8_in_a_pipe(self, start, said):
        """Whatever the locale says: it is Python source and JSON."""
        plan = said.plan | {"summary": "Größe"}
        said.say("plan", plan)
        environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        process = start("plan", "double(4) is 8", "--script", said.path, env=environment, stderr=subprocess.DEVNULL)
        out, _ = process.communicate(timeout=60)
        assert "Größe" in out.decode()

    def test_a_module_runs_the_command(self, start, finished):
        """`python -m tdgen` is `tdgen`."""
        ran = finished(start("-V"))
        assert ran.code == 0
        assert ran.out.startswith("tdgen ")


def test_each_help_has_an_example(tdgen):
    """For a manual page, every command says what it is for and how it is called."""
    listed = tdgen("--help").out.partition("Commands:")[2]
    for command in [line.split()[0] for line in listed.strip().splitlines() if line.strip()]:
        ran = tdgen(command, "--help")
        assert ran.code == 0
        assert command in ("cache", "demo") or f"tdgen {command}" in ran.out.partition("Options:")[0].partition("\n")[2]


def test_nothing_heavy_is_loaded_for_help():
    """Neither rich nor the model's client, nor the sandbox."""
    code = "import sys; from tdgen.cli.app import run; run(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"rich", "openai", "networkx", "deepdiff", "diskcache", "asyncio", "tdgen.pipeline", "tdgen.sandbox"}
    assert not heavy & set(done.stderr.split())
