import random

import pytest

import solution

NAMES = ["Ada", "Bo", "Ada", "Cy", "Di", "Bo", "Ada", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim"]


def expected(tickets, count, seed):
    generator, left, winners = random.Random(seed), list(tickets), []
    while len(winners) < count:
        winners.append(generator.choice(left))
        left = [name for name in left if name not in winners]
    return winners


@pytest.mark.parametrize("seed", range(12))
def test_the_agreed_winners(seed):
    assert solution.draw(NAMES, 4, seed) == expected(NAMES, 4, seed)


def test_repeatable():
    assert solution.draw(NAMES, 5, 42) == solution.draw(NAMES, 5, 42)


@pytest.mark.parametrize("seed", range(6))
def test_everybody_wins_once(seed):
    tickets = ["Ada"] * 20 + ["Bo"] * 3 + ["Cy"]
    assert sorted(solution.draw(tickets, 3, seed)) == ["Ada", "Bo", "Cy"]


def test_output_of_three(capsys):
    winners = solution.draw(NAMES, 3, 7)
    assert capsys.readouterr().out == f"1. {winners[0]}\n2. {winners[1]}\n3. {winners[2]}\n"


def test_output_of_ten_is_aligned(capsys):
    winners = solution.draw(NAMES, 10, 7)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f" 1. {winners[0]}"
    assert lines[8] == f" 9. {winners[8]}"
    assert lines[9] == f"10. {winners[9]}"
    assert len(lines) == 10


def test_output_of_nine_has_no_blank(capsys):
    winners = solution.draw(NAMES, 9, 7)
    assert capsys.readouterr().out.splitlines()[0] == f"1. {winners[0]}"


def test_tickets_stay():
    tickets = list(NAMES)
    solution.draw(tickets, 5, 1)
    assert tickets == NAMES


def test_global_random_state_stays():
    random.seed(99)
    before = random.getstate()
    solution.draw(NAMES, 5, 1)
    assert random.getstate() == before


def test_global_seed_has_no_influence():
    random.seed(1)
    first = solution.draw(NAMES, 5, 3)
    random.seed(2)
    assert solution.draw(NAMES, 5, 3) == first


def test_not_enough_people(capsys):
    with pytest.raises(solution.NotEnoughPeople) as caught:
        solution.draw(["Ada", "Bo", "Ada", "Ada"], 3, 1)
    assert (caught.value.people, caught.value.prizes) == (2, 3)
    assert str(caught.value) == "only 2 people for 3 prizes"
    assert capsys.readouterr().out == ""


def test_as_many_people_as_prizes():
    assert sorted(solution.draw(["Ada", "Bo", "Ada"], 2, 1)) == ["Ada", "Bo"]


def test_no_prizes(capsys):
    assert solution.draw(["Ada"], 0, 1) == []
    assert solution.draw([], 0, 1) == []
    assert capsys.readouterr().out == ""
