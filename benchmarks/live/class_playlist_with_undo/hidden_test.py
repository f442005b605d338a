import pytest

from solution import EditError, Playlist


def filled(*titles, **kwargs):
    playlist = Playlist(**kwargs)
    for title in titles:
        playlist.add(title)
    return playlist


def fails(action, *args):
    with pytest.raises(EditError):
        action(*args)


def test_new_list_is_empty():
    playlist = Playlist()
    assert len(playlist) == 0
    assert list(playlist) == []
    assert playlist.undoable == 0
    assert issubclass(EditError, Exception)


def test_add_positions():
    playlist = filled("a", "b")
    playlist.add("c", 0)
    playlist.add("d", 1)
    playlist.add("e", 4)
    assert list(playlist) == ["c", "d", "a", "b", "e"]
    assert len(playlist) == 5
    assert playlist.undoable == 5


def test_add_bad_position_or_title():
    playlist = filled("a", "b")
    fails(playlist.add, "c", 3)
    fails(playlist.add, "c", -1)
    fails(playlist.add, "a")
    fails(playlist.add, "b", 0)
    playlist.add("A")
    assert list(playlist) == ["a", "b", "A"]
    assert playlist.undoable == 3


def test_remove():
    playlist = filled("a", "b", "c")
    playlist.remove("b")
    assert list(playlist) == ["a", "c"]
    fails(playlist.remove, "b")
    assert list(playlist) == ["a", "c"]
    assert playlist.undoable == 4


def test_move():
    playlist = filled("a", "b", "c", "d")
    playlist.move("a", 2)
    assert list(playlist) == ["b", "c", "a", "d"]
    playlist.move("d", 0)
    assert list(playlist) == ["d", "b", "c", "a"]
    playlist.move("d", 3)
    assert list(playlist) == ["b", "c", "a", "d"]


def test_move_errors():
    playlist = filled("a", "b")
    fails(playlist.move, "a", 2)
    fails(playlist.move, "a", -1)
    fails(playlist.move, "x", 0)
    assert list(playlist) == ["a", "b"]
    assert playlist.undoable == 2


def test_undo_and_redo():
    playlist = filled("a", "b")
    playlist.remove("a")
    playlist.undo()
    assert list(playlist) == ["a", "b"]
    playlist.undo()
    assert list(playlist) == ["a"]
    assert playlist.undoable == 1
    playlist.redo()
    playlist.redo()
    assert list(playlist) == ["b"]
    assert playlist.undoable == 3
    fails(playlist.redo)


def test_nothing_to_undo_or_redo():
    playlist = Playlist()
    fails(playlist.undo)
    fails(playlist.redo)
    playlist.add("a")
    playlist.undo()
    fails(playlist.undo)
    assert list(playlist) == []


def test_new_step_clears_redo():
    playlist = filled("a", "b")
    playlist.undo()
    playlist.add("c")
    fails(playlist.redo)
    assert list(playlist) == ["a", "c"]


def test_failed_change_keeps_redo():
    playlist = filled("a", "b")
    playlist.undo()
    fails(playlist.add, "a")
    fails(playlist.remove, "x")
    playlist.redo()
    assert list(playlist) == ["a", "b"]


def test_move_to_same_place_is_no_step():
    playlist = filled("a", "b", "c")
    playlist.undo()
    playlist.move("b", 1)
    assert playlist.undoable == 2
    playlist.redo()
    assert list(playlist) == ["a", "b", "c"]


def test_limit():
    playlist = filled("a", "b", "c", "d", limit=2)
    assert playlist.undoable == 2
    playlist.undo()
    playlist.undo()
    fails(playlist.undo)
    assert list(playlist) == ["a", "b"]
    playlist.redo()
    playlist.redo()
    assert list(playlist) == ["a", "b", "c", "d"]


def test_bad_limit():
    with pytest.raises(ValueError):
        Playlist(0)
    with pytest.raises(ValueError):
        Playlist(limit=-1)


def test_group_example():
    playlist = filled("a", "b")
    with playlist.group():
        playlist.move("b", 0)
        playlist.add("c")
    assert list(playlist) == ["b", "a", "c"]
    assert playlist.undoable == 3
    playlist.undo()
    assert list(playlist) == ["a", "b"]
    playlist.redo()
    assert list(playlist) == ["b", "a", "c"]


def test_nested_groups_are_one_step():
    playlist = filled("a")
    with playlist.group():
        playlist.add("b")
        with playlist.group():
            playlist.add("c")
            assert playlist.undoable == 1
        assert playlist.undoable == 1
        playlist.add("d")
    assert playlist.undoable == 2
    playlist.undo()
    assert list(playlist) == ["a"]


def test_group_without_difference_is_no_step():
    playlist = filled("a", "b")
    playlist.undo()
    with playlist.group():
        pass
    with playlist.group():
        playlist.add("x")
        playlist.remove("x")
    assert playlist.undoable == 1
    playlist.redo()
    assert list(playlist) == ["a", "b"]


def test_exception_puts_the_group_back():
    playlist = filled("a", "b")
    playlist.undo()
    with pytest.raises(KeyError):
        with playlist.group():
            playlist.add("x")
            playlist.remove("a")
            raise KeyError("stop")
    assert list(playlist) == ["a"]
    assert playlist.undoable == 1
    playlist.redo()
    assert list(playlist) == ["a", "b"]


def test_exception_in_inner_group_only():
    playlist = filled("a")
    with playlist.group():
        playlist.add("b")
        with pytest.raises(EditError):
            with playlist.group():
                playlist.add("c")
                playlist.remove("nope")
        assert list(playlist) == ["a", "b"]
        playlist.add("d")
    assert list(playlist) == ["a", "b", "d"]
    assert playlist.undoable == 2
    playlist.undo()
    assert list(playlist) == ["a"]


def test_undo_and_redo_inside_a_group():
    playlist = filled("a", "b")
    playlist.undo()
    with playlist.group():
        fails(playlist.undo)
        fails(playlist.redo)
        assert list(playlist) == ["a"]
    playlist.redo()
    assert list(playlist) == ["a", "b"]


def test_group_counts_as_one_for_the_limit():
    playlist = filled("a", limit=2)
    with playlist.group():
        for title in "bcde":
            playlist.add(title)
    assert playlist.undoable == 2
    playlist.undo()
    playlist.undo()
    assert list(playlist) == []


def test_iteration_goes_over_the_state_at_its_begin():
    playlist = filled("a", "b", "c")
    seen = []
    for title in playlist:
        seen.append(title)
        playlist.remove(title)
    assert seen == ["a", "b", "c"]
    assert len(playlist) == 0
