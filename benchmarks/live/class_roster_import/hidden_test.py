import pytest

from solution import Roster


def row(name="Ada", shift="late", hours="8"):
    return {"name": name, "shift": shift, "hours": hours}


def failed(roster, rows):
    """The ImportFailed that loading these rows raises."""
    with pytest.raises(Roster.ImportFailed) as caught:
        roster.load(rows)
    return caught.value


def test_load():
    roster = Roster()
    assert roster.load([row("Ada"), row(" Bo ", "early", "1"), row("Cy", "late", "12")]) == 3
    assert len(roster) == 3
    assert (roster.hours("Ada"), roster.hours("Bo"), roster.hours("Cy")) == (8, 1, 12)
    assert roster.names("late") == ["Ada", "Cy"]
    assert roster.names("early") == ["Bo"]
    assert roster.names("night") == []


def test_load_twice():
    roster = Roster()
    assert roster.load([row("Bo")]) == 1
    assert roster.load([]) == 0
    assert roster.load([row("Ada"), row("Cy")]) == 2
    assert roster.names("late") == ["Bo", "Ada", "Cy"]


def test_exceptions():
    assert issubclass(Roster.Error, Exception)
    assert issubclass(Roster.BadRow, Roster.Error)
    assert issubclass(Roster.Duplicate, Roster.BadRow)
    assert issubclass(Roster.ImportFailed, Roster.Error)
    assert issubclass(Roster.Unknown, Roster.Error)
    assert not issubclass(Roster.ImportFailed, Roster.BadRow)


@pytest.mark.parametrize("field", ["name", "shift", "hours"])
def test_missing(field):
    without = row()
    del without[field]
    error = failed(Roster(), [row("Bo"), without, {**row("Cy"), field: "  "}])
    assert [str(bad) for bad in error.errors] == [f"row 2: {field} is missing", f"row 3: {field} is missing"]
    assert [(bad.row, bad.field) for bad in error.errors] == [(2, field), (3, field)]
    assert {type(bad) for bad in error.errors} == {Roster.BadRow}


def test_bad_shift():
    error = failed(Roster(), [row(shift="noon")])
    assert str(error) == "1 bad row: 1"
    assert str(error.errors[0]) == "row 1: bad shift 'noon'"
    assert error.errors[0].field == "shift"


def test_bad_hours():
    error = failed(Roster(), [row("A", hours="x"), row("B", hours="0"), row("C", hours="13"), row("D", hours="1.5")])
    assert str(error) == "4 bad rows: 1, 2, 3, 4"
    assert [str(bad) for bad in error.errors] == [
        "row 1: bad hours 'x'",
        "row 2: bad hours '0'",
        "row 3: bad hours '13'",
        "row 4: bad hours '1.5'",
    ]
    assert [isinstance(bad.__cause__, ValueError) for bad in error.errors] == [True, False, False, True]


def test_first_thing_wrong_of_a_row():
    error = failed(Roster(), [row("", "noon", "x"), row("Bo", "noon", "x"), {"name": "Cy", "hours": "x"}])
    assert [bad.field for bad in error.errors] == ["name", "shift", "shift"]


def test_all_or_nothing():
    roster = Roster()
    roster.load([row("Ada")])
    error = failed(roster, [row("Bo"), row("Cy", "noon"), row("Di")])
    assert [bad.row for bad in error.errors] == [2]
    assert len(roster) == 1
    assert roster.names("late") == ["Ada"]
    assert roster.load([row("Bo"), row("Di")]) == 2


def test_duplicate_within_a_load():
    roster = Roster()
    error = failed(roster, [row("Ada"), row(" ADA ", "night")])
    assert isinstance(error.errors[0], Roster.Duplicate)
    assert str(error.errors[0]) == "row 2: duplicate 'ADA'"
    assert (error.errors[0].row, error.errors[0].field) == (2, "name")
    assert len(roster) == 0


def test_duplicate_of_an_earlier_load():
    roster = Roster()
    roster.load([row("Ada", hours="3")])
    error = failed(roster, [row("Bo"), row("ada", hours="9")])
    assert str(error) == "1 bad row: 2"
    assert type(error.errors[0]) is Roster.Duplicate
    assert roster.hours("Ada") == 3


def test_row_with_a_fault_is_no_duplicate():
    error = failed(Roster(), [row("Ada", "noon"), row("Ada"), row("Ada", hours="x"), row("Ada")])
    assert [type(bad).__name__ for bad in error.errors] == ["BadRow", "BadRow", "Duplicate"]
    assert [bad.row for bad in error.errors] == [1, 3, 4]


def test_hours_of_somebody():
    roster = Roster()
    roster.load([row(" Ada ")])
    assert roster.hours("  ada ") == 8
    with pytest.raises(Roster.Unknown) as caught:
        roster.hours("Zoe")
    assert str(caught.value) == "unknown: Zoe"


def test_rows_are_left_alone():
    rows = [row(" Ada ")]
    Roster().load(rows)
    assert rows == [row(" Ada ")]


def test_rosters_are_separate():
    one, two = Roster(), Roster()
    one.load([row("Ada")])
    assert len(two) == 0
    assert two.load([row("Ada")]) == 1
