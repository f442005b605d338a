import pytest

import solution


def test_edit():
    lines, undo, redo = ["a", "b"], [], []
    assert solution.edit(lines, undo, redo, 1, "B") is True
    assert (lines, undo, redo) == (["a", "B"], [(1, "b")], [])


def test_edit_empties_redo_in_place():
    lines, undo, redo = ["a"], [], [(0, "x"), (0, "y")]
    solution.edit(lines, undo, redo, 0, "z")
    assert redo == []


def test_negative_index_is_stored_non_negative():
    lines, undo, redo = ["a", "b", "c"], [], []
    solution.edit(lines, undo, redo, -1, "C")
    solution.edit(lines, undo, redo, -3, "A")
    assert lines == ["A", "b", "C"]
    assert undo == [(2, "c"), (0, "a")]


def test_same_text_changes_nothing():
    lines, undo, redo = ["a"], [(0, "q")], [(0, "x")]
    assert solution.edit(lines, undo, redo, 0, "a") is False
    assert (lines, undo, redo) == (["a"], [(0, "q")], [(0, "x")])


@pytest.mark.parametrize("index", [2, 7, -3])
def test_index_out_of_range(index):
    lines, undo, redo = ["a", "b"], [(0, "q")], [(0, "x")]
    with pytest.raises(IndexError) as caught:
        solution.edit(lines, undo, redo, index, "z")
    assert str(caught.value) == f"no line {index}"
    assert (lines, undo, redo) == (["a", "b"], [(0, "q")], [(0, "x")])


def test_no_lines():
    with pytest.raises(IndexError) as caught:
        solution.edit([], [], [], 0, "z")
    assert str(caught.value) == "no line 0"


def test_five_entries_stay():
    lines, undo, redo = ["0"], [], []
    for text in "12345":
        solution.edit(lines, undo, redo, 0, text)
    assert undo == [(0, "0"), (0, "1"), (0, "2"), (0, "3"), (0, "4")]


def test_sixth_edit_drops_the_oldest():
    lines, undo, redo = ["0"], [], []
    for text in "1234567":
        solution.edit(lines, undo, redo, 0, text)
    assert undo == [(0, "2"), (0, "3"), (0, "4"), (0, "5"), (0, "6")]


def test_undo():
    lines, undo, redo = ["a", "B"], [(1, "b")], []
    assert solution.undo_last(lines, undo, redo) is True
    assert (lines, undo, redo) == (["a", "b"], [], [(1, "B")])


def test_redo():
    lines, undo, redo = ["a", "b"], [], [(1, "B")]
    assert solution.redo_last(lines, undo, redo) is True
    assert (lines, undo, redo) == (["a", "B"], [(1, "b")], [])


def test_nothing_to_take():
    lines, undo, redo = ["a"], [], []
    assert solution.undo_last(lines, undo, redo) is False
    assert solution.redo_last(lines, undo, redo) is False
    assert (lines, undo, redo) == (["a"], [], [])


def test_there_and_back():
    lines, undo, redo = ["a", "b"], [], []
    solution.edit(lines, undo, redo, 0, "A")
    solution.edit(lines, undo, redo, 1, "B")
    solution.edit(lines, undo, redo, 0, "AA")
    assert [solution.undo_last(lines, undo, redo) for _ in range(4)] == [True, True, True, False]
    assert lines == ["a", "b"]
    assert [solution.redo_last(lines, undo, redo) for _ in range(4)] == [True, True, True, False]
    assert lines == ["AA", "B"]
    assert undo == [(0, "a"), (1, "b"), (0, "A")]


def test_prints_nothing(capsys):
    lines, undo, redo = ["a"], [], []
    solution.edit(lines, undo, redo, 0, "b")
    solution.undo_last(lines, undo, redo)
    assert capsys.readouterr().out == ""
