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
def north(tmp_path):
    path = tmp_path / "north.csv"
    path.write_text("name,sku,price\nBowl,a1,4.50\nCup,a2,\n", encoding="utf-8")
    return path


@pytest.fixture
def south(tmp_path):
    path = tmp_path / "south.csv"
    path.write_text("sku,shelf,price\na2,S3,2.00\nb7,S1,9\na1,S2,\n", encoding="utf-8")
    return path


MERGED = "sku,name,price,shelf\na1,Bowl,4.50,S2\na2,Cup,2.00,S3\nb7,,9,S1\n"


def test_to_stdout(run, north, south):
    assert run("sku", north, south) == (0, MERGED, "")


def test_key_column_comes_first(run, north):
    assert run("sku", north) == (0, "sku,name,price\na1,Bowl,4.50\na2,Cup,\n", "")


def test_order_of_the_files_matters(run, north, south):
    code, out, _ = run("sku", south, north)
    assert (code, out) == (0, "sku,shelf,price,name\na2,S3,2.00,Cup\nb7,S1,9,\na1,S2,4.50,Bowl\n")


def test_later_cells_replace_within_one_file(run, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("id,n,m\n1,old,keep\n1,new,\n", encoding="utf-8")
    assert run("id", path) == (0, "id,n,m\n1,new,keep\n", "")


def test_out(run, tmp_path, north, south):
    target = tmp_path / "all.csv"
    target.write_text("something much longer than that which is going to be written there " * 9, encoding="utf-8")
    assert run("sku", north, south, "--out", target) == (0, "merged 3 rows\n", "")
    assert target.read_bytes() == MERGED.encode()


def test_out_in_front(run, tmp_path, north):
    target = tmp_path / "all.csv"
    assert run("--out", target, "sku", north)[:2] == (0, "merged 2 rows\n")
    assert target.exists()


def test_rows_without_a_key(run, tmp_path, north):
    path = tmp_path / "x.csv"
    path.write_text("sku,price\n,1\na1,5\n,2\n", encoding="utf-8")
    code, out, err = run("sku", north, path)
    assert (code, out) == (0, "sku,name,price\na1,Bowl,5\na2,Cup,\n")
    assert err.strip() == "left out 2 rows"


def test_quoting_and_no_final_newline(run, tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes('id,text\r\n1,"Teller, groß"\r\n2,"say ""hi"""'.encode())
    assert run("id", path) == (0, 'id,text\n1,"Teller, groß"\n2,"say ""hi"""\n', "")


def test_header_only(run, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,id\n", encoding="utf-8")
    assert run("id", path) == (0, "id,a\n", "")


@pytest.mark.parametrize("content", [None, "name,price\nBowl,1\n", ""])
def test_a_bad_file_leaves_the_target_as_it_was(run, tmp_path, north, content):
    bad, target = tmp_path / "bad.csv", tmp_path / "all.csv"
    if content is not None:
        bad.write_text(content, encoding="utf-8")
    target.write_text("before", encoding="utf-8")
    code, out, err = run("sku", north, bad, "--out", target)
    assert (code, out) == (1, "")
    assert str(bad) in err
    assert target.read_text(encoding="utf-8") == "before"


def test_a_bad_file_prints_nothing(run, tmp_path, north):
    code, out, err = run("sku", north, tmp_path / "none.csv")
    assert (code, out) == (1, "")
    assert "none.csv" in err


@pytest.mark.parametrize("arguments", [(), ("sku",), ("sku", "a.csv", "--sort")])
def test_wrong_arguments(run, arguments):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.strip()


def test_main_returns_the_code(monkeypatch, capsys, north):
    monkeypatch.setattr(sys, "argv", [SCRIPT])
    assert solution.main(["sku", str(north)]) == 0
    assert capsys.readouterr().out.startswith("sku,name,price\n")
