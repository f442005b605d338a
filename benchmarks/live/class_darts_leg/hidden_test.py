import pytest

import solution


def leg(*players, start=501):
    return solution.DartsLeg(list(players), start)


def throw(game, text):
    return [game.throw(dart) for dart in text.split()]


def test_start():
    game = solution.DartsLeg(["Ann", "Bob"])
    assert (game.remaining("Ann"), game.remaining("Bob"), game.current, game.winner) == (501, 501, "Ann", None)


@pytest.mark.parametrize(("players", "start"), [([], 501), (["Ann", "Bob", "Ann"], 501), (["Ann"], 1), (["Ann"], 0), (["Ann"], -5)])
def test_bad_leg(players, start):
    with pytest.raises(ValueError):
        solution.DartsLeg(players, start)


def test_start_of_two():
    assert leg("Ann", start=2).throw("D1") == 0


@pytest.mark.parametrize(("dart", "points"), [("1", 1), ("20", 20), ("D1", 2), ("D20", 40), ("T1", 3), ("T20", 60), ("25", 25), ("BULL", 50), ("0", 0), ("t19", 57), ("d5", 10), ("bull", 50)])
def test_darts(dart, points):
    game = leg("Ann")
    assert game.throw(dart) == 501 - points
    assert game.remaining("Ann") == 501 - points


@pytest.mark.parametrize("dart", ["", "21", "24", "50", "T25", "D25", "D0", "T0", "D21", " 5", "5 ", "05", "D05", "TBULL", "X5", "-1", "T", "\u0665"])
def test_no_dart(dart):
    game = leg("Ann", "Bob")
    throw(game, "20 20")
    with pytest.raises(ValueError):
        game.throw(dart)
    assert (game.remaining("Ann"), game.current) == (461, "Ann")
    assert game.average("Ann") == 60.0
    game.throw("20")
    assert game.current == "Bob"


def test_turns():
    game = leg("Ann", "Bob")
    assert throw(game, "T20 5 0 20") == [441, 436, 436, 481]
    assert game.current == "Bob"
    throw(game, "20 20")
    assert game.current == "Ann"


def test_win_at_once():
    game = leg("Ann", "Bob", start=40)
    assert game.throw("D20") == 0
    assert (game.winner, game.current, game.remaining("Ann")) == ("Ann", None, 0)
    with pytest.raises(RuntimeError):
        game.throw("20")


def test_win_with_the_bull():
    game = leg("Ann", start=75)
    assert throw(game, "25 BULL") == [50, 0]
    assert game.winner == "Ann"


@pytest.mark.parametrize("dart", ["20", "19", "T7", "25"])
def test_bust(dart):
    game = leg("Ann", "Bob", start=60)
    # 60 - 40 = 20 are left
    game.throw("D20")
    assert game.throw(dart) == 60
    assert (game.remaining("Ann"), game.current, game.winner) == (60, "Bob", None)


def test_two_left_is_no_bust():
    game = leg("Ann", "Bob", start=20)
    assert throw(game, "18 D1") == [2, 0]
    assert game.winner == "Ann"


def test_bust_voids_only_the_turn():
    game = leg("Ann", start=100)
    assert throw(game, "20 20 20 10 20 T20") == [80, 60, 40, 30, 10, 40]
    assert throw(game, "D20") == [0]


def test_bust_ends_the_turn():
    game = leg("Ann", "Bob", start=10)
    throw(game, "20 1 1")
    assert (game.remaining("Ann"), game.remaining("Bob"), game.current) == (10, 8, "Bob")


def test_undo():
    game = leg("Ann", "Bob")
    throw(game, "20 19")
    game.undo()
    assert (game.remaining("Ann"), game.current) == (481, "Ann")
    throw(game, "1 1")
    assert (game.remaining("Ann"), game.current) == (479, "Bob")


def test_undo_over_turns_and_busts():
    game = leg("Ann", "Bob", start=30)
    throw(game, "10 20 5")
    # Ann has bust with her second dart, Bob has thrown a 5
    game.undo()
    assert (game.remaining("Bob"), game.current) == (30, "Bob")
    game.undo()
    assert (game.remaining("Ann"), game.current) == (20, "Ann")
    game.undo()
    assert (game.remaining("Ann"), game.current) == (30, "Ann")
    with pytest.raises(IndexError):
        game.undo()


def test_undo_a_win():
    game = leg("Ann", "Bob", start=40)
    game.throw("D20")
    game.undo()
    assert (game.winner, game.current, game.remaining("Ann")) == (None, "Ann", 40)
    assert game.throw("20") == 20


def test_undo_and_the_average():
    game = leg("Ann", start=101)
    throw(game, "20 1")
    game.undo()
    assert game.average("Ann") == 60.0
    game.undo()
    assert game.average("Ann") == 0.0


def test_average():
    game = leg("Ann", "Bob")
    assert game.average("Ann") == 0.0
    throw(game, "T20 0 0 1")
    assert (game.average("Ann"), game.average("Bob")) == (60.0, 3.0)


def test_average_rounds_half_up():
    game = leg("Ann")
    # 2 points with 24 darts: 0.25
    throw(game, "2" + 23 * " 0")
    assert game.average("Ann") == 0.3
    assert isinstance(game.average("Ann"), float)


def test_average_with_a_bust():
    game = leg("Ann", "Bob", start=30)
    throw(game, "10 20")
    assert game.average("Ann") == 0.0
    throw(game, "0 0 0 10 0 0")
    # 10 points with five darts
    assert game.average("Ann") == 6.0


def test_unknown_player():
    game = leg("Ann")
    for method in (game.remaining, game.average):
        with pytest.raises(KeyError):
            method("ann")


def test_players_list_is_copied():
    players = ["Ann", "Bob"]
    game = solution.DartsLeg(players)
    players.reverse()
    players.append("Cem")
    throw(game, "1 1 1")
    assert game.current == "Bob"
    throw(game, "1 1 1")
    assert game.current == "Ann"
