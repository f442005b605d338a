import pytest

import solution


@pytest.fixture
def board():
    return solution.LightBoard({"spot": 80, "foot": 20})


def test_example(board):
    with board.scene({"spot": 0, "moon": 35}) as scene:
        board["foot"] = 50
        scene.keep("moon")
        assert board.levels == {"spot": 0, "foot": 50, "moon": 35}
    assert board.levels == {"spot": 80, "foot": 20, "moon": 35}


def test_reading_and_setting(board):
    assert board["spot"] == 80
    assert board["moon"] == 0
    assert board.levels == {"spot": 80, "foot": 20}
    board["moon"] = 0
    board["foot"] = 100
    assert board.levels == {"spot": 80, "foot": 100, "moon": 0}


def test_copies():
    levels = {"spot": 80}
    board = solution.LightBoard(levels)
    levels["spot"] = 1
    board.levels["spot"] = 2
    assert board["spot"] == 80
    board["spot"] = 3
    assert levels == {"spot": 1}


def test_nothing_happens_before_entering(board):
    scene = board.scene({"spot": 5})
    assert board["spot"] == 80
    with scene:
        assert board["spot"] == 5
    assert board["spot"] == 80


def test_as_it_was_when_entered(board):
    scene = board.scene({"spot": 5})
    board["spot"] = 60
    board["moon"] = 9
    with scene:
        assert board.levels == {"spot": 5, "foot": 20, "moon": 9}
    assert board.levels == {"spot": 60, "foot": 20, "moon": 9}


def test_changed_by_hand_and_new_channels(board):
    with board.scene({}):
        board["spot"] = 1
        board["moon"] = 2
    assert board.levels == {"spot": 80, "foot": 20}


def test_exception_is_passed_on(board):
    with pytest.raises(KeyError):
        with board.scene({"spot": 1, "moon": 1}) as scene:
            board["foot"] = 99
            scene.keep("moon")
            raise KeyError("lamp")
    assert board.levels == {"spot": 80, "foot": 20, "moon": 1}


def test_nested(board):
    with board.scene({"spot": 10}):
        board["foot"] = 30
        with board.scene({"spot": 20, "moon": 5}):
            with board.scene({"moon": 6}):
                assert board.levels == {"spot": 20, "foot": 30, "moon": 6}
            assert board.levels == {"spot": 20, "foot": 30, "moon": 5}
        assert board.levels == {"spot": 10, "foot": 30}
    assert board.levels == {"spot": 80, "foot": 20}


def test_kept_from_the_inner_scene_only(board):
    with board.scene({"spot": 10}):
        with board.scene({"spot": 20}) as inner:
            inner.keep("spot")
            board["spot"] = 25
        assert board["spot"] == 25
    assert board["spot"] == 80


def test_keep_takes_the_level_on_leaving(board):
    with board.scene({"spot": 10}) as scene:
        scene.keep("spot")
        scene.keep("foot")
        scene.keep("moon")
        scene.keep("fog")
        board["spot"] = 11
        board["moon"] = 12
    assert board.levels == {"spot": 11, "foot": 20, "moon": 12}


@pytest.mark.parametrize("level", [-1, 101])
def test_bad_level(board, level):
    with pytest.raises(ValueError) as caught:
        board["spot"] = level
    assert str(caught.value) == f"bad level for spot: {level}"
    with pytest.raises(ValueError) as caught:
        board.scene({"foot": 1, "spot": level, "moon": 999})
    assert str(caught.value) == f"bad level for spot: {level}"
    with pytest.raises(ValueError):
        solution.LightBoard({"spot": level})
    assert board.levels == {"spot": 80, "foot": 20}


def test_dict_of_the_scene_may_change_later(board):
    changes = {"spot": 5}
    scene = board.scene(changes)
    changes["spot"] = 6
    changes["moon"] = 7
    with scene:
        assert board.levels == {"spot": 5, "foot": 20}
    assert board.levels == {"spot": 80, "foot": 20}


def test_entered_once(board):
    scene = board.scene({"spot": 5})
    with scene:
        pass
    board["spot"] = 60
    with pytest.raises(RuntimeError) as caught:
        with scene:
            pass
    assert str(caught.value) == "scene already used"
    assert board.levels == {"spot": 60, "foot": 20}


def test_entered_again_while_open(board):
    scene = board.scene({"spot": 5})
    with scene:
        board["spot"] = 7
        with pytest.raises(RuntimeError):
            with scene:
                pass
        assert board["spot"] == 7
    assert board["spot"] == 80
