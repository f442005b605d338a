import pytest

import solution
from solution import BadSlot, Slot


class ColdSlot(Slot):
    pass


def test_attributes_and_text():
    slot = Slot("B", 7, 3)
    assert (slot.aisle, slot.bay, slot.level) == ("B", 7, 3)
    assert str(slot) == "B-07-3"
    assert str(Slot("Z", 40, 6)) == "Z-40-6"


def test_immutable():
    slot = Slot("B", 7, 3)
    for name, value in (("aisle", "C"), ("bay", 8), ("level", 1)):
        with pytest.raises(AttributeError):
            setattr(slot, name, value)
    assert str(slot) == "B-07-3"


@pytest.mark.parametrize(
    "given", [("b", 7, 3), ("AB", 7, 3), ("", 7, 3), ("B", 0, 3), ("B", 41, 3), ("B", 7, 0), ("B", 7, 7)]
)
def test_bad_slot(given):
    with pytest.raises(BadSlot) as caught:
        Slot(*given)
    assert caught.value.given == given
    assert str(caught.value) == f"bad slot: {given!r}"
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("text", ["B-07-3", "b-07-3", "B-7-3", "  b-7-3 "])
def test_parse(text):
    assert Slot.parse(text) == Slot("B", 7, 3)
    assert Slot.is_valid(text) is True


@pytest.mark.parametrize(
    "text",
    [
        "",
        "B-007-3",
        "B-00-3",
        "B-41-3",
        "B-07-0",
        "B-07-7",
        "B-07-03",
        "B073",
        "B - 07-3",
        "BB-07-3",
        "B-07-3-1",
        "7-07-3",
    ],
)
def test_parse_nothing_else(text):
    with pytest.raises(BadSlot) as caught:
        Slot.parse(text)
    assert caught.value.given == text
    assert str(caught.value) == f"bad slot: {text!r}"
    assert Slot.is_valid(text) is False


def test_is_valid_never_raises():
    assert [Slot.is_valid(thing) for thing in (None, 7, ["B-07-3"], b"B-07-3", Slot("B", 7, 3))] == [False] * 5


@pytest.mark.parametrize(
    ("text", "number"),
    [("A-01-1", 0), ("A-01-6", 5), ("A-02-1", 6), ("A-40-6", 239), ("B-01-1", 240), ("B-07-3", 278), ("Z-40-6", 6239)],
)
def test_number_and_back(text, number):
    assert Slot.parse(text).number == number
    assert str(Slot.from_number(number)) == text


@pytest.mark.parametrize("number", [-1, 6240])
def test_bad_number(number):
    with pytest.raises(BadSlot) as caught:
        Slot.from_number(number)
    assert caught.value.given == number
    assert str(caught.value) == f"bad slot: {number}"


def test_next():
    assert str(Slot("A", 1, 1).next()) == "A-01-2"
    assert str(Slot("A", 1, 6).next()) == "A-02-1"
    assert str(Slot("A", 40, 6).next()) == "B-01-1"
    assert str(Slot("A", 1, 5).next().next().next()) == "A-02-2"
    assert Slot("Z", 40, 6).next() is None


def test_block():
    assert [str(slot) for slot in Slot.block("a-40-5", "B-1-2")] == ["A-40-5", "A-40-6", "B-01-1", "B-01-2"]
    assert Slot.block("C-03-2", "C-03-2") == [Slot("C", 3, 2)]
    assert Slot.block("C-03-2", "C-03-1") == []
    assert len(Slot.block("A-01-1", "Z-40-6")) == 6240


def test_block_with_a_bad_text():
    for first, last in (("A-01-1", "A-01-9"), ("A-01-9", "A-01-1")):
        with pytest.raises(BadSlot) as caught:
            Slot.block(first, last)
        assert caught.value.given == "A-01-9"


def test_order():
    texts = ["B-01-1", "A-10-1", "A-02-6", "A-10-2", "A-02-1"]
    found = sorted(Slot.parse(text) for text in texts)
    assert [str(slot) for slot in found] == ["A-02-1", "A-02-6", "A-10-1", "A-10-2", "B-01-1"]
    assert Slot("A", 2, 6) < Slot("A", 10, 1)


def test_equality_and_sets():
    assert Slot("B", 7, 3) == Slot.parse("b-7-3")
    assert Slot("B", 7, 3) != Slot("B", 7, 4)
    assert Slot("B", 7, 3) != "B-07-3"
    assert len({Slot("B", 7, 3), Slot.from_number(278), Slot("B", 7, 4)}) == 2


def test_subclass():
    slots = [
        ColdSlot.parse("B-07-3"),
        ColdSlot.from_number(5),
        ColdSlot("A", 1, 6).next(),
        *ColdSlot.block("A-01-1", "A-01-3"),
    ]
    assert [type(slot) for slot in slots] == [ColdSlot] * 6
    assert [str(slot) for slot in slots] == ["B-07-3", "A-01-6", "A-02-1", "A-01-1", "A-01-2", "A-01-3"]
    assert type(solution.Slot.from_number(0).next()) is Slot
