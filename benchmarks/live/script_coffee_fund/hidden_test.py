import io
import runpy
import sys
from pathlib import Path

import pytest

import solution

SCRIPT = str(Path(solution.__file__).resolve())


@pytest.fixture
def run(monkeypatch, capsys):
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


@pytest.fixture
def book(tmp_path, monkeypatch):
    import json

    monkeypatch.chdir(tmp_path)
    path = tmp_path / "coffee.json"

    class Book:
        file = path

        def put(self, content):
            path.write_text(json.dumps(content), encoding="utf-8")

        def get(self):
            return json.loads(path.read_text(encoding="utf-8"))

    return Book()


def failed(result, code):
    assert result[0] == code
    assert result[1] == ""
    assert result[2] != ""


def test_example(run, book):
    assert run("pay", "Ann", "2")[:2] == (0, "Ann: 2.00\n")
    assert run("cup", "ann", "2")[:2] == (0, "Ann: 1.30\n")
    assert book.get() == {"Ann": 130}


def test_pay_amounts(run, book):
    assert run("pay", "Bob", "5")[:2] == (0, "Bob: 5.00\n")
    assert run("pay", "Bob", "2.5")[:2] == (0, "Bob: 7.50\n")
    assert run("pay", "Bob", "0.05")[:2] == (0, "Bob: 7.55\n")
    assert book.get() == {"Bob": 755}


def test_bad_amounts(run, book):
    for amount in ("0", "0.00", "1,50", "1.234", ".5", "1.", "+1", "abc", ""):
        failed(run("pay", "Bob", amount), 2)
    assert not book.file.exists() or book.get() == {}


def test_cup_default_is_one(run, book):
    book.put({"Ann": 100})
    assert run("cup", "Ann")[:2] == (0, "Ann: 0.65\n")
    assert book.get() == {"Ann": 65}


def test_cup_below_zero(run, book):
    book.put({"Ann": 20})
    assert run("cup", "Ann")[:2] == (0, "Ann: -0.15\n")
    assert run("cup", "Ann", "3")[:2] == (0, "Ann: -1.20\n")
    assert book.get() == {"Ann": -120}


def test_bad_counts(run, book):
    book.put({"Ann": 100})
    for count in ("0", "-1", "1.5", "two"):
        failed(run("cup", "Ann", count), 2)
    assert book.get() == {"Ann": 100}


def test_exactly_minus_five_is_ok(run, book):
    book.put({"Ann": 25})
    assert run("cup", "Ann", "15")[:2] == (0, "Ann: -5.00\n")
    assert book.get() == {"Ann": -500}


def test_below_minus_five_changes_nothing(run, book):
    book.put({"Ann": 24, "Bob": -500})
    failed(run("cup", "Ann", "15"), 1)
    failed(run("cup", "Bob"), 1)
    assert book.get() == {"Ann": 24, "Bob": -500}


def test_unknown_name(run, book):
    book.put({"Ann": 100})
    failed(run("cup", "Bob"), 1)
    failed(run("show", "Bob"), 1)
    assert book.get() == {"Ann": 100}


def test_unknown_name_without_file(run, book):
    failed(run("cup", "Bob"), 1)
    failed(run("show", "Bob"), 1)


def test_names_as_first_written(run, book):
    run("pay", "  McDonald ", "1")
    assert run("pay", "MCDONALD", "1")[:2] == (0, "McDonald: 2.00\n")
    assert run("cup", " mcdonald")[:2] == (0, "McDonald: 1.65\n")
    assert book.get() == {"McDonald": 165}


def test_blank_name(run, book):
    failed(run("pay", "  ", "1"), 2)
    failed(run("cup", ""), 2)
    failed(run("show", " "), 2)


def test_wrong_arguments(run, book):
    for arguments in ([], ["drink", "Ann"], ["pay", "Ann"], ["cup"], ["pay", "Ann", "1", "2"]):
        failed(run(*arguments), 2)


def test_show_order_and_total(run, book):
    book.put({"Zoe": -35, "bob": 100, "Cid": 100, "Ann": 100, "Dan": 250})
    code, out, err = run("show")
    assert code == 0
    assert out.splitlines() == [
        "Zoe: -0.35",
        "Ann: 1.00",
        "bob: 1.00",
        "Cid: 1.00",
        "Dan: 2.50",
        "total: 5.15",
    ]


def test_show_negative_total(run, book):
    book.put({"Ann": -205, "Bob": 100})
    code, out, err = run("show")
    assert code == 0
    assert out.splitlines() == ["Ann: -2.05", "Bob: 1.00", "total: -1.05"]


def test_show_one_person(run, book):
    book.put({"Ann": -205, "Bob": 100})
    assert run("show", "BOB ")[:2] == (0, "Bob: 1.00\n")


def test_show_nobody_and_writes_nothing(run, book):
    assert run("show")[:2] == (0, "")
    assert not book.file.exists()
    book.file.write_text('{ "Ann":  5 }', encoding="utf-8")
    assert run("show")[:2] == (0, "Ann: 0.05\ntotal: 0.05\n")
    assert book.file.read_text(encoding="utf-8") == '{ "Ann":  5 }'


def test_broken_file(run, book):
    for text in ("", "{oops", "[1, 2]", '"Ann"'):
        book.file.write_text(text, encoding="utf-8")
        failed(run("pay", "Ann", "1"), 3)
        failed(run("cup", "Ann"), 3)
        failed(run("show"), 3)
        assert book.file.read_text(encoding="utf-8") == text


def test_zero_after_cup_is_taken_out(run, book):
    book.put({"Ann": 70, "Bob": 10})
    assert run("cup", "Ann", "2")[:2] == (0, "Ann: 0.00\n")
    assert book.get() == {"Bob": 10}
    failed(run("cup", "Ann"), 1)
    assert run("show")[:2] == (0, "Bob: 0.10\ntotal: 0.10\n")


def test_zero_after_pay_is_taken_out(run, book):
    book.put({"Ann": -25})
    assert run("pay", "ann", "0.25")[:2] == (0, "Ann: 0.00\n")
    failed(run("show", "Ann"), 1)
    assert run("show")[:2] == (0, "")
    assert run("pay", "ANN", "1")[:2] == (0, "ANN: 1.00\n")
