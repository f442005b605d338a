import pytest

import solution


class Clock:
    def __init__(self):
        self.now = 1000

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def debate(clock):
    return solution.DebateClock(["Ada", "Bo"], 60, clock)


def test_at_first(debate):
    assert debate.speaking is None
    assert (debate.left("Ada"), debate.left("Bo"), debate.turns) == (60, 60, [])


def test_running_turn_counts(debate, clock):
    debate.start("Ada")
    clock.now += 25
    assert debate.speaking == "Ada"
    assert (debate.left("Ada"), debate.left("Bo")) == (35, 60)
    assert debate.turns == []
    clock.now += 5
    assert debate.left("Ada") == 30


def test_start_stops_the_other(debate, clock):
    debate.start("Ada")
    clock.now += 10
    debate.start("Bo")
    clock.now += 20
    assert debate.speaking == "Bo"
    assert (debate.left("Ada"), debate.left("Bo")) == (50, 40)
    assert debate.turns == [("Ada", 10)]


def test_pause(debate, clock):
    debate.start("Ada")
    clock.now += 10
    debate.pause()
    clock.now += 500
    debate.pause()
    assert debate.speaking is None
    assert (debate.left("Ada"), debate.turns) == (50, [("Ada", 10)])
    debate.start("Ada")
    clock.now += 1
    assert debate.left("Ada") == 49


def test_starting_the_speaker_goes_on(debate, clock):
    debate.start("Ada")
    clock.now += 10
    debate.start("Ada")
    clock.now += 10
    debate.pause()
    assert debate.turns == [("Ada", 20)]


def test_turns_of_no_length(debate, clock):
    debate.start("Ada")
    debate.start("Bo")
    clock.now += 3
    debate.start("Ada")
    debate.pause()
    assert debate.turns == [("Bo", 3)]
    debate.turns.clear()
    assert debate.turns == [("Bo", 3)]


def test_turn_ends_by_itself(debate, clock):
    debate.start("Ada")
    clock.now += 59
    assert (debate.speaking, debate.left("Ada")) == ("Ada", 1)
    clock.now += 1
    assert (debate.speaking, debate.left("Ada")) == (None, 0)
    assert debate.turns == [("Ada", 60)]


def test_nobody_asked_when_it_ended(debate, clock):
    debate.start("Ada")
    clock.now += 500
    debate.start("Bo")
    clock.now += 500
    assert debate.turns == [("Ada", 60), ("Bo", 60)]
    assert (debate.left("Ada"), debate.left("Bo"), debate.speaking) == (0, 0, None)


def test_time_up_changes_nothing(debate, clock):
    debate.start("Ada")
    clock.now += 60
    debate.start("Bo")
    clock.now += 5
    with pytest.raises(solution.TimeUp) as caught:
        debate.start("Ada")
    assert caught.value.name == "Ada"
    assert str(caught.value) == "no time left: Ada"
    clock.now += 5
    assert (debate.speaking, debate.left("Bo"), debate.turns) == ("Bo", 50, [("Ada", 60)])


def test_time_up_of_the_last_speaker(debate, clock):
    debate.start("Ada")
    clock.now += 60
    with pytest.raises(solution.TimeUp):
        debate.start("Ada")


def test_bonus(debate, clock):
    debate.start("Ada")
    clock.now += 50
    debate.bonus("Ada", 30)
    debate.bonus("Bo", 1)
    assert (debate.left("Ada"), debate.left("Bo"), debate.speaking) == (40, 61, "Ada")
    clock.now += 45
    assert debate.turns == [("Ada", 90)]
    with pytest.raises(ValueError) as caught:
        debate.bonus("Bo", 0)
    assert str(caught.value) == "bad bonus: 0"
    assert debate.left("Bo") == 61


def test_bonus_after_running_out(debate, clock):
    debate.start("Ada")
    clock.now += 75
    debate.bonus("Ada", 30)
    assert (debate.speaking, debate.left("Ada"), debate.turns) == (None, 30, [("Ada", 60)])
    debate.start("Ada")
    clock.now += 10
    assert debate.left("Ada") == 20


def test_interruption(debate, clock):
    debate.start("Ada")
    clock.now += 10
    with debate.interruption():
        assert debate.speaking is None
        clock.now += 100
    assert (debate.speaking, debate.left("Ada"), debate.turns) == ("Ada", 50, [("Ada", 10)])
    with pytest.raises(KeyError):
        with debate.interruption():
            raise KeyError("x")
    clock.now += 5
    assert (debate.speaking, debate.left("Ada")) == ("Ada", 45)


def test_interruption_with_others(debate, clock):
    with debate.interruption():
        pass
    assert debate.speaking is None
    debate.start("Ada")
    with debate.interruption():
        debate.start("Bo")
        clock.now += 10
    assert debate.speaking == "Bo"
    with debate.interruption():
        debate.start("Ada")
        clock.now += 10
        debate.pause()
    clock.now += 10
    assert debate.speaking == "Bo"
    assert (debate.left("Ada"), debate.left("Bo")) == (50, 40)
    assert debate.turns == [("Bo", 10), ("Ada", 10)]


def test_unknown_speaker(debate):
    for call in (lambda: debate.start("Zoe"), lambda: debate.left("Zoe"), lambda: debate.bonus("Zoe", 5)):
        with pytest.raises(LookupError) as caught:
            call()
        assert str(caught.value) == "unknown speaker: Zoe"
    assert debate.speaking is None
