"""A folder of tasks: what is solved is the instruction alone, and what is wrong with a task is told by its name."""

from __future__ import annotations

import pytest

from tdgen.errors import InputError
from tdgen.evaluation import read_dataset, read_tasks


def test_a_folder_is_read_as_problems(write_task, contradicting):
    """By name; a contradiction has neither tests nor reference."""
    write_task("b", functions=["double"], entry="main")
    folder = contradicting("a")
    first, second = read_dataset(folder)
    assert (first.id, first.kind, first.program, len(first.refusal)) == ("a", "gap", "", 2)
    assert (second.id, second.kind, second.functions) == ("b", "plain", ("double", "main"))
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
