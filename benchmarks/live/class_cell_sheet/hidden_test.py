import pytest

import solution
from solution import Sheet


def sheet_of(**cells):
    sheet = Sheet()
    for name, content in cells.items():
        sheet[name] = content
    return sheet


def test_example():
    sheet = sheet_of(A1=5, B1="=A1 + a2 - 3")
    assert sheet["B1"] == 2
    sheet["A1"] = 10
    assert sheet["B1"] == 7
    assert sheet.formula("B1") == "=A1 + a2 - 3"


def test_names():
    sheet = sheet_of(a1=5, z99=7)
    assert (sheet["A1"], sheet["a1"], sheet["Z99"]) == (5, 5, 7)
    sheet["A1"] = 6
    assert (sheet["a1"], len(sheet)) == (6, 2)


@pytest.mark.parametrize("name", ["A0", "A01", "A100", "AA1", "1A", "A", "", " A1", "A-1"])
def test_bad_cell(name):
    sheet = Sheet()
    for call in (
        lambda: sheet[name],
        lambda: sheet.formula(name),
        lambda: sheet.__setitem__(name, 1),
        lambda: sheet.__delitem__(name),
    ):
        with pytest.raises(ValueError) as caught:
            call()
        assert str(caught.value) == f"bad cell: {name}"
    assert name not in sheet
    assert len(sheet) == 0


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("=7", 7),
        ("=A1", 4),
        ("=A1-B2-1", -7),
        ("=A1+A1+A1", 12),
        ("= 10 -a1+ b2 ", 16),
        ("=007", 7),
        ("=C9", 0),
        ("=1-2+3", 2),
    ],
)
def test_formulas(formula, value):
    sheet = sheet_of(A1=4, B2=10, D4=formula)
    assert sheet["D4"] == value
    assert sheet.formula("d4") == formula


@pytest.mark.parametrize(
    "formula", ["", "=", "5", "A1", "=A1+", "=+A1", "=-1", "=A1++B1", "=A1 B1", "=A0", "=A1*2", "=AB1", "=1 2"]
)
def test_bad_formula(formula):
    sheet = sheet_of(A1=4)
    with pytest.raises(ValueError) as caught:
        sheet["A1"] = formula
    assert str(caught.value) == f"bad formula: {formula}"
    assert not isinstance(caught.value, solution.CycleError)
    assert (sheet["A1"], sheet.formula("A1")) == (4, None)


def test_chain_follows_changes():
    sheet = sheet_of(C1="=B1+1", B1="=A1+1", A1=1)
    assert sheet["C1"] == 3
    sheet["A1"] = 10
    assert sheet["C1"] == 12
    sheet["B1"] = 0
    assert sheet["C1"] == 1
    del sheet["B1"]
    assert sheet["C1"] == 1


def test_cell_of_itself():
    sheet = sheet_of(A1=4)
    with pytest.raises(solution.CycleError) as caught:
        sheet["A1"] = "=1+a1"
    assert caught.value.path == ["A1", "A1"]
    assert isinstance(caught.value, ValueError)
    assert (sheet["A1"], sheet.formula("A1")) == (4, None)


def test_cycle_by_way_of_others():
    sheet = sheet_of(A1="=B1+9", B1="=D1+C1", D1=3)
    with pytest.raises(solution.CycleError) as caught:
        sheet["C1"] = "=D1+A1"
    assert caught.value.path == ["C1", "A1", "B1", "C1"]
    assert "C1" not in sheet
    assert (sheet["A1"], sheet["B1"]) == (12, 3)


def test_cycle_leaves_the_old_formula():
    sheet = sheet_of(A1=2, B1="=A1+1")
    sheet["A1"] = "=D1 - 1"
    with pytest.raises(solution.CycleError) as caught:
        sheet["A1"] = "=B1"
    assert caught.value.path == ["A1", "B1", "A1"]
    assert (sheet.formula("A1"), sheet["A1"], sheet["B1"]) == ("=D1 - 1", -1, 0)
    sheet["B1"] = 8
    sheet["A1"] = "=B1"
    assert sheet["A1"] == 8


def test_needed_twice_is_no_cycle():
    sheet = sheet_of(A1=1, B1="=A1", B2="=A1+A1", C1="=B1+B2")
    assert sheet["C1"] == 3
    sheet["D1"] = "=C1+A1+C1"
    assert sheet["D1"] == 7


def test_formula_of_numbers_and_empty_cells():
    sheet = sheet_of(A1="=1+1")
    sheet["A1"] = 3
    assert (sheet["A1"], sheet.formula("A1"), sheet.formula("B1")) == (3, None, None)


def test_delete():
    sheet = sheet_of(A1=1, B1="=A1+1")
    del sheet["a1"]
    assert (sheet["A1"], sheet["B1"], len(sheet)) == (0, 1, 1)
    with pytest.raises(KeyError):
        del sheet["A1"]
    del sheet["B1"]
    assert (sheet.formula("B1"), len(sheet)) == (None, 0)


def test_len_and_in():
    sheet = sheet_of(A1=0, B1="=C1")
    assert len(sheet) == 2
    assert [name in sheet for name in ("A1", "b1", "C1", "A0", "")] == [True, True, False, False, False]
    assert sheet["C1"] == 0
    assert len(sheet) == 2


def test_order():
    sheet = sheet_of(b1=1, A10=2, c3="=A1", A2=3, B20=4, B3=5)
    assert list(sheet) == ["A2", "A10", "B1", "B3", "B20", "C3"]


def test_sheets_are_separate():
    one, two = sheet_of(A1=1), sheet_of(A1="=B1")
    one["B1"] = 5
    assert (two["A1"], len(two)) == (0, 1)
