"""A batch's lines: what is one, and what is said of one that can't be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tdgen.batch import Line, Malformed, examine, read_lines
from tdgen.errors import InputError


def file(folder: Path, text: str | bytes, name: str = "in.jsonl") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def fault(path: Path) -> Malformed:
    found = [line for line in read_lines(path) if isinstance(line, Malformed)]
    assert len(found) == 1
    return found[0]


def test_a_line_and_its_options(tmp_path):
    """Tests are looked for beside the file, a number is an id, and a byte order mark and blank lines are nothing."""
    told = {"id": 7, "instruction": "Write f.", "trust": "quick", "budget": "calls=12", "tests": "sub/t.py"}
    path = file(tmp_path, "\ufeff\n" + json.dumps(told) + "\r\n\n")
    expected = told | {"id": "7", "tests": str(tmp_path / "sub/t.py"), "number": 2}
    assert [line.model_dump() for line in read_lines(path) if isinstance(line, Line)] == [expected]


def test_csv_says_the_same(tmp_path):
    """Quotes hold commas and line ends; an empty field is one that is not given."""
    path = file(tmp_path, 'id,instruction,budget\na,"Write f,\nand g.",\nb,Write h.,calls=5\n', "in.csv")
    found = list(read_lines(path))
    assert [(line.number, line.id, line.instruction, line.budget) for line in found] == [
        (2, "a", "Write f,\nand g.", ""),
        (4, "b", "Write h.", "calls=5"),
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[1]", "no JSON object"),
        ("{'id': 1}", "it is no JSON"),
        (b'{"id": "\xff", "instruction": "x"}', "not UTF-8"),
        ('{"id": "", "instruction": "x"}', "an id is 1 to 200"),
        ('{"id": "a"}', "it has no instruction"),
        ('{"id": "a", "instruction": 3}', "its instruction"),
        ('{"id": "a\\n", "instruction": "x"}', "printable"),
        ('{"id": "a", "instruction": "x", "trst": "quick"}', "no field 'trst' (did you mean trust?)"),
        ('{"id": "a", "instruction": "x", "trust": "high"}', "its trust"),
        ('{"id": "a", "instruction": "x", "budget": "call=5"}', "did you mean calls?"),
        ("[" * 100_000, "it is no JSON"),
        (b"{" + b" " * 5_000_000 + b"}", "more than 4 MB"),
    ],
    ids=range(12),
)
def test_a_line_that_cannot_be_used_has_a_number_and_a_reason(tmp_path, text, why):
    """The lines around it are read all the same."""
    good = b'{"id": "good%d", "instruction": "x"}\n'
    raw = text if isinstance(text, bytes) else text.encode()
    path = file(tmp_path, good % 1 + raw + b"\n" + good % 2)
    assert fault(path).number == 2
    assert why in fault(path).reason
    assert [line.id for line in read_lines(path) if isinstance(line, Line)] == ["good1", "good2"]


@pytest.mark.parametrize(
    ("row", "why"),
    [("a,b,c", "3 fields"), ('a,"b"c', "no row of CSV"), (b"a,\xff", "not UTF-8"), ("a", "no instruction")],
    ids=range(4),
)
def test_a_csv_row_that_cannot_be_used(tmp_path, row, why):
    """The same, by the row's first line."""
    raw = row if isinstance(row, bytes) else row.encode()
    path = file(tmp_path, b"id,instruction\ng,x\n" + raw + b"\nh,y\n", "in.csv")
    assert fault(path).number == 3
    assert why in fault(path).reason
    assert [line.id for line in read_lines(path) if isinstance(line, Line)] == ["g", "h"]


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("id,prompt", "a column 'prompt'"),
        ("id,trust", "needs a column instruction"),
        ("id,id,instruction", "two columns id"),
    ],
)
def test_a_csv_file_of_another_shape_is_refused(tmp_path, header, why):
    """Its first line says so, before any work."""
    with pytest.raises(InputError, match=why):
        examine(file(tmp_path, f"{header}\na,b,c\n", "in.csv"))


@pytest.mark.parametrize("name", ["in.jsonl", "in.csv"])
def test_a_line_without_an_id_is_called_by_its_number(tmp_path, name):
    """Nobody has to number lines by hand; one that has an id keeps it."""
    content = {
        "in.jsonl": '{"instruction": "Write f."}\n{"id": "g", "instruction": "x"}\n{"id": null, "instruction": "h"}\n',
        "in.csv": "id,instruction\n,Write f.\ng,Write g.\n,h\n",
    }[name]
    found = list(read_lines(file(tmp_path, content, name)))
    first = 1 if name == "in.jsonl" else 2
    assert [line.id for line in found] == [f"line-{first}", "g", f"line-{first + 2}"]


def test_two_lines_with_one_id_are_refused_with_both_numbers(tmp_path):
    """Before any work: which of them is meant can't be known."""
    row = '{"id": "%s", "instruction": "x"}\n'
    path = file(tmp_path, row % "a" + row % "b" + "nonsense\n" + row % "a")
    with pytest.raises(InputError, match=r"lines 1 and 4 of .* have the same id 'a'"):
        examine(path)


def test_a_dataset_of_another_shape_is_refused(tmp_path):
    """Where no line can be used, the first one's reason says what a line is."""
    path = file(tmp_path, '{"task_id": "HumanEval/0", "prompt": "def f(): ..."}\n' * 3)
    with pytest.raises(InputError, match=r"no line of .* can be used: line 1: there is no field 'task_id'"):
        examine(path)


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_file_is_refused(tmp_path, text):
    """There is nothing to do."""
    with pytest.raises(InputError, match="holds no line"):
        examine(file(tmp_path, text))


def test_a_file_that_is_not_there(tmp_path):
    """Or is a folder."""
    with pytest.raises(InputError, match="there is no such file"):
        examine(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="is a folder"):
        examine(tmp_path)


def test_the_mark_is_the_lines_own(line):
    """Where it stands does not matter; what it says does."""
    assert line("a", number=1).mark == line("a", number=9).mark
    assert len({line("a").mark, line("b", "Write a.").mark, line("a", "Other.").mark, line("a", budget="5").mark}) == 4
