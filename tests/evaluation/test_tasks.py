"""A folder of tasks: what is solved is the instruction alone, and what is wrong with a task is told by its name.

Data sets: each kind is known by its fields, and what is solved is its prose alone.
"""

from __future__ import annotations

import gzip
import json

import pytest

from tdgen.errors import InputError
from tdgen.evaluation import read_dataset, read_tasks
from tdgen.evaluation.records import asking


def test_a_folder_is_read_as_problems(write_task, contradicting):
    """By name; a contradiction has neither tests nor reference."""
    write_task("b", functions=["double"], entry="main")
    folder = contradicting("a")
    first, second = read_dataset(folder)
    assert (first.id, first.kind, first.program, len(first.refusal)) == ("a", "gap", "", 2)
    assert (second.id, second.kind, second.functions, second.entry) == ("b", "plain", ("double", "main"), "main")
    assert asking(second).ask.endswith(
        "It defines double, main. Run as a script, it calls main, and exits with the code that this returns."
    )
    assert second.instruction == "Double a number, or a text: double(number). It is b.\n"
    assert "import solution" in second.program
    assert [len(task.faulty) for task in read_tasks(folder)] == [0, 1]


@pytest.mark.parametrize(
    ("files", "about", "told"),
    [
        ({"instruction.md": None}, {}, "there is no instruction.md"),
        ({"instruction.md": " "}, {"functions": []}, "its instruction is empty"),
        ({"hidden_test.py": None}, {}, "there is no hidden_test.py"),
        ({"reference.py": "def ("}, {}, "reference.py is no Python"),
        ({"task.json": "{"}, {}, "task.json is no JSON"),
        ({"task.json": "[]"}, {}, "task.json can't be used"),
        ({}, {"kind": 3}, "the kind of task.json can't be used"),
        ({}, {"functions": []}, "its task.json names no function"),
        ({}, {"functions": ["triple"]}, "the instruction does not name triple"),
        ({}, {"refusal": ["Double a number", "Triple it"]}, "'Triple it' is not in the instruction"),
        ({}, {"refusal": ["Double a number"]}, "a contradiction is between two places"),
    ],
)
def test_what_is_wrong_with_a_task_is_told(write_task, files, about, told):
    """In one line, with the task's name."""
    with pytest.raises(InputError, match=r"the task odd can't be used: ") as caught:
        read_dataset(write_task("odd", files, **about))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_without_tasks_is_refused(tmp_path):
    """With what a task is."""
    with pytest.raises(InputError, match="holds no task: each is a folder in it"):
        read_dataset(tmp_path)


@pytest.mark.parametrize(
    ("kind", "name", "instruction"),
    [
        ("HumanEval", "Made/0", "Complete this Python function:\n\ndef half(n):"),
        ("HumanEval+", "Made/1", "Complete this Python function:\n\ndef third(number):"),
        ("MBPP", "MBPP/7", "Write a function to add two numbers.\n\nThe function is `plus(a, b)`.\n"),
        ("MBPP+", "Made/8", "Write a function to reverse a list.\n\nThe function is `backwards(items)`.\n"),
        ("QuixBugs", "QuixBugs/least", "The least of some numbers.\n\nThe function is `least(numbers)`.\n"),
        ("own, with tests", "o1", "Negate it.\n\nThe function is `negate`.\n"),
        ("own, with a reference", "o2", "Square it: square(n)."),
        ("own, with cases", "o3", "Part it: ends(items)."),
    ],
)
def test_each_kind_is_known_by_its_fields(rows, dataset, kind, name, instruction):
    """Its id, and an instruction that holds neither solution nor tests."""
    (problem,) = read_dataset(dataset(rows[kind]))
    assert problem.id == name
    assert problem.instruction.startswith(instruction)
    for secret in ("return 2 *", "/ 3", "a + b", "[::-1]", "min(", "-2", "n * n", "assert"):
        assert secret not in problem.instruction


def test_gzip_or_not(rows, dataset, tmp_path):
    """By its content, whatever it is called."""
    path = dataset(*rows.values())
    zipped = tmp_path / "zipped"
    zipped.write_bytes(gzip.compress(path.read_bytes()))
    assert read_dataset(zipped) == read_dataset(path)
    assert len(read_dataset(path)) == len(rows)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ([{"instruction": "x", "id": 1}], "line 1 of .* has the shape of no data set"),
        (["[]"], "line 1 of .* is no JSON object"),
        (["nonsense"], "is no JSON object"),
        ([], "holds no problem"),
    ],
    ids=["another shape", "list", "no JSON", "empty"],
)
def test_what_is_no_data_set_is_refused(dataset, content, told):
    """With the line, and what a problem of one's own looks like."""
    with pytest.raises(InputError, match=told):
        read_dataset(dataset(*content))


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("HumanEval", {"test": 3}),
        ("HumanEval+", {"base_input": [3]}),
        ("MBPP", {"test_list": ["assert other() == 1"]}),
        ("own, with a reference", {"inputs": {"a": 1}}),
        ("own, with tests", {"prompt": None}),
        ("own, with cases", {"cases": [["ends(["]]}),
        ("own, with cases", {"cases": [["ends([", "1"]]}),
        ("own, with cases", {"cases": [["ends([])", "raises a ValueError"]]}),
        ("QuixBugs", {"solution": "x = 1"}),
    ],
)
def test_a_row_with_a_field_of_another_shape_is_refused(rows, dataset, kind, change):
    """In one line, with its number."""
    with pytest.raises(InputError, match=r"line 2 of .* can't be used as a problem") as caught:
        read_dataset(dataset(rows["MBPP"] | {"task_id": 99}, rows[kind] | change))
    assert "\n" not in str(caught.value)


def test_two_problems_with_one_id_are_refused(rows, dataset):
    """Their records would be one file."""
    with pytest.raises(InputError, match=r"line 2 of .* has the id 'o1' of a line before it"):
        read_dataset(dataset(rows["own, with tests"], json.dumps(rows["own, with tests"])))
