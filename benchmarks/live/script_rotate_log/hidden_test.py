"""Hidden tests: the module is run as a script."""

import io
import runpy
import sys
from pathlib import Path

import pytest

import solution

SCRIPT = str(Path(solution.__file__).resolve())


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the module as a script: its exit code, stdout and stderr."""

    def go(*arguments, stdin=""):
        monkeypatch.setattr(sys, "argv", [SCRIPT, *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        capsys.readouterr()
        code = 0
        try:
            runpy.run_path(SCRIPT, run_name="__main__")
        except SystemExit as stop:
            code = stop.code
        out, err = capsys.readouterr()
        if isinstance(code, str):
            code, err = 1, err + code
        return int(code or 0), out, err

    return go


def test_importing_does_nothing(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [SCRIPT, "--no-such-option"])
    monkeypatch.setattr(sys, "stdin", io.StringIO("a\n"))
    capsys.readouterr()
    runpy.run_path(SCRIPT, run_name="imported")
    assert tuple(capsys.readouterr()) == ("", "")
    assert sys.stdin.read() == "a\n"


@pytest.fixture
def folder(tmp_path):
    """A folder for logs, filled by `fill`."""
    path = tmp_path / "logs"
    path.mkdir()
    return path


def fill(folder, **contents):
    for name, content in contents.items():
        (folder / ("app.log" + name.removeprefix("log").replace("_", "."))).write_text(content, encoding="utf-8")


def found(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_first_rotation(run, folder):
    fill(folder, log="now")
    assert run(folder / "app.log") == (0, "app.log -> app.log.1\n", "")
    assert found(folder) == {"app.log": "", "app.log.1": "now"}


def test_moves_up(run, folder):
    fill(folder, log="now", log_1="one")
    assert run(folder / "app.log") == (0, "app.log.1 -> app.log.2\napp.log -> app.log.1\n", "")
    assert found(folder) == {"app.log": "", "app.log.1": "now", "app.log.2": "one"}


def test_the_oldest_goes(run, folder):
    fill(folder, log="now", log_1="one", log_2="two", log_3="three")
    out = "delete app.log.3\napp.log.2 -> app.log.3\napp.log.1 -> app.log.2\napp.log -> app.log.1\n"
    assert run(folder / "app.log") == (0, out, "")
    assert found(folder) == {"app.log": "", "app.log.1": "now", "app.log.2": "one", "app.log.3": "two"}


def test_keep_one(run, folder):
    fill(folder, log="now", log_1="one")
    assert run(folder / "app.log", "--keep", "1") == (0, "delete app.log.1\napp.log -> app.log.1\n", "")
    assert found(folder) == {"app.log": "", "app.log.1": "now"}


def test_leftovers_with_higher_numbers(run, folder):
    fill(folder, log="now", log_1="one", log_4="four", log_10="ten")
    code, out, _ = run("--keep", "2", folder / "app.log")
    assert code == 0
    assert out.splitlines() == ["delete app.log.10", "delete app.log.4", "app.log.1 -> app.log.2", "app.log -> app.log.1"]
    assert found(folder) == {"app.log": "", "app.log.1": "now", "app.log.2": "one"}


def test_gaps_stay_gaps(run, folder):
    fill(folder, log="now", log_2="two")
    assert run(folder / "app.log")[1] == "app.log.2 -> app.log.3\napp.log -> app.log.1\n"
    assert found(folder) == {"app.log": "", "app.log.1": "now", "app.log.3": "two"}


def test_other_files_are_left_alone(run, folder):
    fill(folder, log="now", log_bak="b", log_01="z", log_0="n", log_9_gz="g")
    (folder / "appxlog.7").write_text("other", encoding="utf-8")
    assert run(folder / "app.log", "--keep", "1") == (0, "app.log -> app.log.1\n", "")
    others = {"app.log.bak": "b", "app.log.01": "z", "app.log.0": "n", "app.log.9.gz": "g", "appxlog.7": "other"}
    assert found(folder) == {"app.log": "", "app.log.1": "now", **others}


def test_dry_run(run, folder):
    fill(folder, log="now", log_1="one", log_2="two")
    before = found(folder)
    out = "delete app.log.2\napp.log.1 -> app.log.2\napp.log -> app.log.1\n"
    assert run(folder / "app.log", "--keep", "2", "--dry-run") == (0, out, "")
    assert found(folder) == before


def test_empty_log(run, folder):
    fill(folder, log="", log_1="one", log_5="five")
    before = found(folder)
    assert run(folder / "app.log") == (0, "nothing to rotate\n", "")
    assert found(folder) == before


def test_no_such_log(run, folder):
    fill(folder, log_1="one")
    code, out, err = run(folder / "app.log")
    assert (code, out) == (1, "")
    assert str(folder / "app.log") in err
    assert found(folder) == {"app.log.1": "one"}


@pytest.mark.parametrize("more", [("--keep", "0"), ("--keep", "many"), ("--keep",), ("--force",)])
def test_wrong_options(run, folder, more):
    fill(folder, log="now")
    code, out, err = run(folder / "app.log", *more)
    assert (code, out) == (2, "")
    assert err.strip()
    assert found(folder) == {"app.log": "now"}


def test_no_path(run):
    code, out, err = run()
    assert (code, out) == (2, "")
    assert err.strip()


def test_main_returns_the_code(monkeypatch, folder, capsys):
    fill(folder, log="now")
    monkeypatch.setattr(sys, "argv", [SCRIPT])
    assert solution.main([str(folder / "app.log")]) == 0
    assert found(folder) == {"app.log": "", "app.log.1": "now"}
