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
def config(tmp_path):
    def write(text):
        path = tmp_path / "app.conf"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_ok(run, config):
    path = config("# main\nport = 8080\n\n  ; more\nDebug=YES\n  name =  Big Box  \n")
    assert run(path, "port:int", "Debug:bool", "name") == (0, "ok\n", "")


def test_split_at_the_first_equals_sign(run, config):
    assert run(config("query = a=b\nsum==\n"), "query", "sum") == (0, "ok\n", "")


def test_missing_in_the_order_of_the_specs(run, config):
    assert run(config("b = 1"), "z", "b", "a:int", "c:bool?", "d?") == (1, "missing z\nmissing a\n", "")


def test_empty_file(run, config):
    assert run(config(""), "a?") == (0, "ok\n", "")
    assert run(config(""), "a") == (1, "missing a\n", "")


def test_not_a_setting(run, config):
    out = "line 1: not a setting\nline 3: not a setting\n"
    assert run(config("[main]\na = 1\n = 5\n"), "a") == (1, out, "")


def test_names_are_case_sensitive(run, config):
    assert run(config("Port = 1\n"), "port") == (1, "line 1: unknown Port\nmissing port\n", "")


@pytest.mark.parametrize("value", ["1.5", "0x1F", "1 # one", "--1", "+", "ten"])
def test_no_int(run, config, value):
    assert run(config(f"a = {value}\n"), "a:int") == (1, "line 1: a is not int\n", "")


@pytest.mark.parametrize("value", ["0", "-12", "+7", "007"])
def test_int(run, config, value):
    assert run(config(f"a = {value}"), "a:int") == (0, "ok\n", "")


def test_bool(run, config):
    text = "a = yEs\nb = No\nc = true\nd = yes ; really\n"
    out = "line 3: c is not bool\nline 4: d is not bool\n"
    assert run(config(text), "a:bool", "b:bool", "c:bool?", "d:bool") == (1, out, "")


def test_repeated_even_after_something_wrong(run, config):
    text = "a = x\na = 1\nb =\nb = 2\na =\n"
    out = "line 1: a is not int\nline 2: repeated a\nline 3: empty b\nline 4: repeated b\nline 5: repeated a\n"
    assert run(config(text), "a:int", "b") == (1, out, "")


def test_unknown_comes_before_repeated_and_empty(run, config):
    assert run(config("x =\nx = 1\n"), "y?") == (1, "line 1: unknown x\nline 2: unknown x\n", "")


def test_empty_value_is_not_a_wrong_type(run, config):
    assert run(config("a =   \n"), "a:int?") == (1, "line 1: empty a\n", "")


@pytest.mark.parametrize("specs", [(), ("a:float",), ("b", "a:Int?")])
def test_wrong_arguments(run, config, specs):
    code, out, err = run(config("a = 1\n"), *specs)
    assert (code, out) == (2, "")
    assert err.strip()


def test_nothing_at_all_or_no_such_file(run, tmp_path):
    for arguments in ((), (tmp_path / "none.conf", "a")):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert err.strip()
