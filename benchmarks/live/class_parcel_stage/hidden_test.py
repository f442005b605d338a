import dataclasses

import pytest

import solution
from solution import Parcel, Stage


def moved(*names):
    """A parcel that has gone through these stages, a minute each."""
    parcel = Parcel("P7")
    for minute, name in enumerate(names, 1):
        parcel.move(Stage[name], minute)
    return parcel


def test_stages():
    assert [stage.name for stage in Stage] == ["CREATED", "SORTED", "OUT", "DELIVERED", "RETURNED", "LOST"]
    assert [stage.value for stage in Stage] == ["created", "sorted", "out", "delivered", "returned", "lost"]


def test_final():
    assert [stage.name for stage in Stage if stage.is_final] == ["DELIVERED", "RETURNED", "LOST"]


def test_can_become():
    found = {(old.name, new.name) for old in Stage for new in Stage if old.can_become(new)}
    assert found == {
        ("CREATED", "SORTED"),
        ("CREATED", "LOST"),
        ("SORTED", "OUT"),
        ("SORTED", "RETURNED"),
        ("SORTED", "LOST"),
        ("OUT", "DELIVERED"),
        ("OUT", "SORTED"),
        ("OUT", "LOST"),
    }


def test_read():
    assert Stage.read("out") is Stage.OUT
    assert Stage.read("  Delivered ") is Stage.DELIVERED
    for text in (" Xyz", ""):
        with pytest.raises(ValueError) as caught:
            Stage.read(text)
        assert str(caught.value) == f"no such stage: {text}"


def test_new_parcel():
    parcel = Parcel("P7")
    assert dataclasses.is_dataclass(parcel)
    assert (parcel.number, parcel.stage, parcel.history, parcel.attempts) == ("P7", Stage.CREATED, [], 0)


def test_all_the_way():
    parcel = moved("SORTED", "OUT", "DELIVERED")
    assert parcel.stage is Stage.DELIVERED
    assert parcel.history == [(Stage.SORTED, 1), (Stage.OUT, 2), (Stage.DELIVERED, 3)]
    assert parcel.attempts == 1


def test_wrong_move():
    parcel = Parcel("P7")
    with pytest.raises(solution.WrongMove) as caught:
        parcel.move(Stage.DELIVERED, 1)
    assert (caught.value.number, caught.value.old, caught.value.new) == ("P7", Stage.CREATED, Stage.DELIVERED)
    assert str(caught.value) == "P7: created -> delivered"
    assert isinstance(caught.value, ValueError)
    assert parcel == Parcel("P7")


@pytest.mark.parametrize("names", [("SORTED", "OUT", "DELIVERED"), ("SORTED", "RETURNED"), ("LOST",)])
def test_nothing_follows_a_final_stage(names):
    parcel = moved(*names)
    for stage in Stage:
        with pytest.raises(solution.WrongMove):
            parcel.move(stage, 99)
    assert parcel == moved(*names)


def test_three_attempts():
    parcel = moved("SORTED", "OUT", "SORTED", "OUT", "SORTED", "OUT", "SORTED")
    assert parcel.attempts == 3
    with pytest.raises(solution.WrongMove) as caught:
        parcel.move(Stage.OUT, 99)
    assert str(caught.value) == "P7: sorted -> out"
    assert (parcel.stage, parcel.attempts) == (Stage.SORTED, 3)
    parcel.move(Stage.RETURNED, 99)
    assert parcel.stage is Stage.RETURNED


def test_delivered_at_the_third_attempt():
    parcel = moved("SORTED", "OUT", "SORTED", "OUT", "SORTED", "OUT", "DELIVERED")
    assert (parcel.stage, parcel.attempts) == (Stage.DELIVERED, 3)


def test_minute_goes_back():
    parcel = Parcel("P7")
    parcel.move(Stage.SORTED, 10)
    with pytest.raises(ValueError) as caught:
        parcel.move(Stage.OUT, 9)
    assert str(caught.value) == "minute goes back"
    assert not isinstance(caught.value, solution.WrongMove)
    assert (parcel.stage, parcel.history) == (Stage.SORTED, [(Stage.SORTED, 10)])
    parcel.move(Stage.OUT, 10)
    assert parcel.stage is Stage.OUT


def test_wrong_move_comes_before_the_minute():
    parcel = Parcel("P7")
    parcel.move(Stage.SORTED, 10)
    with pytest.raises(solution.WrongMove):
        parcel.move(Stage.DELIVERED, 9)


def test_histories_are_separate():
    one, two = Parcel("P1"), Parcel("P2")
    one.move(Stage.SORTED, 1)
    assert (two.stage, two.history) == (Stage.CREATED, [])


def test_overview():
    parcels = [moved("SORTED"), Parcel("P8"), moved("SORTED"), moved("LOST")]
    found = solution.overview(parcels)
    assert list(found) == list(Stage)
    assert list(found.values()) == [1, 2, 0, 0, 0, 1]
    parcels[0].move(Stage.OUT, 50)
    assert list(solution.overview(parcels).values()) == [1, 1, 1, 0, 0, 1]
    assert list(solution.overview([]).values()) == [0] * 6
