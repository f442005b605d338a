import csv

import pytest

from solution import expense_report


@pytest.fixture
def make(tmp_path):
    class Make:
        source = tmp_path / "source.csv"
        report = tmp_path / "report.csv"
        rejects = tmp_path / "rejects.csv"

        def __call__(self, text):
            self.source.write_text(text, encoding="utf-8")
            return expense_report(self.source, self.report, self.rejects)

        def rows(self, path):
            with open(path, encoding="utf-8", newline="") as file:
                return list(csv.reader(file))

    return Make()


HEAD = "person,date,net,vat\n"
REPORT = ["person", "count", "net", "vat", "gross"]
REJECTS = ["row", "person", "date", "net", "vat"]


def test_example(make):
    assert make(HEAD + "Ann,2024-05-01,10,20\nAnn,2024-05-02,5,0\n") == (2, 0)
    assert make.rows(make.report) == [
        REPORT,
        ["Ann", "2", "15.00", "2.00", "17.00"],
        ["TOTAL", "2", "15.00", "2.00", "17.00"],
    ]
    assert not make.rejects.exists()


def test_half_away_from_zero(make):
    make(HEAD + "Ann,2024-05-01,0.50,5\nBob,2024-05-01,-0.50,5\n")
    assert make.rows(make.report) == [
        REPORT,
        ["Ann", "1", "0.50", "0.03", "0.53"],
        ["Bob", "1", "-0.50", "-0.03", "-0.53"],
        ["TOTAL", "2", "0.00", "0.00", "0.00"],
    ]


def test_rounded_for_each_row(make):
    make(HEAD + "Ann,2024-05-01,0.10,5\nAnn,2024-05-02,0.10,5\n")
    assert make.rows(make.report)[1] == ["Ann", "2", "0.20", "0.02", "0.22"]


def test_below_half_goes_down(make):
    make(HEAD + "Ann,2024-05-01,0.48,5\n")
    assert make.rows(make.report)[1] == ["Ann", "1", "0.48", "0.02", "0.50"]


def test_persons_merged_and_sorted_ignoring_case(make):
    text = "cid,2024-01-01,1,0\nBob,2024-01-01,2,0\nCID,2024-01-02,3.5,0\nann,2024-01-01,4,0\n"
    assert make(HEAD + text) == (4, 0)
    assert make.rows(make.report) == [
        REPORT,
        ["ann", "1", "4.00", "0.00", "4.00"],
        ["Bob", "1", "2.00", "0.00", "2.00"],
        ["cid", "2", "4.50", "0.00", "4.50"],
        ["TOTAL", "4", "10.50", "0.00", "10.50"],
    ]


def test_name_is_from_first_good_row(make):
    make(HEAD + "ANN,2024-01-01,x,0\nAnn,2024-01-01,1,0\nann,2024-01-02,1,0\n")
    assert make.rows(make.report)[1][:2] == ["Ann", "2"]


def test_columns_in_any_order_and_others_ignored(make):
    text = "vat,note,net,person,date\n20,\"a, b\",100,Ann,2024-01-31\n7,late,1,Bob,2024-01-31\n"
    assert make(text) == (1, 1)
    assert make.rows(make.report)[1] == ["Ann", "1", "100.00", "20.00", "120.00"]
    assert make.rows(make.rejects) == [
        ["row", "vat", "note", "net", "person", "date"],
        ["2", "7", "late", "1", "Bob", "2024-01-31"],
    ]


def test_cells_are_stripped(make):
    assert make(HEAD + " Ann , 2024-01-01 , 1.5 , 0 \n  , 2024-01-01 ,1,0\n") == (1, 1)
    assert make.rows(make.report)[1] == ["Ann", "1", "1.50", "0.00", "1.50"]
    assert make.rows(make.rejects) == [REJECTS, ["2", "", "2024-01-01", "1", "0"]]


def test_bad_dates(make):
    text = "A,2024-02-30,1,0\nA,2024-2-03,1,0\nA,03.02.2024,1,0\nA,,1,0\nA,20240203,1,0\nA,2024-02-29,1,0\n"
    assert make(HEAD + text) == (1, 5)


def test_bad_net(make):
    nets = ["0", "0.00", "-0", "1.234", "1.", ".5", "1e2", "+1", "abc", "", "--1"]
    text = "".join(f"A,2024-01-01,{net},0\n" for net in nets)
    assert make(HEAD + text) == (0, len(nets))
    assert make.rows(make.report) == [REPORT]


def test_bad_vat(make):
    text = "".join(f"A,2024-01-01,1,{vat}\n" for vat in ["7", "05", "5.0", "20%", "", "-5"])
    assert make(HEAD + text) == (0, 6)


def test_wrong_number_of_cells(make):
    assert make(HEAD + "A,2024-01-01,1\nA,2024-01-01,1,0,x\nA,2024-01-01,1,0\n") == (1, 2)
    assert make.rows(make.rejects) == [
        REJECTS,
        ["1", "A", "2024-01-01", "1"],
        ["2", "A", "2024-01-01", "1", "0", "x"],
    ]


def test_empty_lines_are_no_rows(make):
    assert make(HEAD + "\nA,2024-01-01,1,0\n\nA,bad,1,0\n") == (1, 1)
    assert make.rows(make.rejects) == [REJECTS, ["2", "A", "bad", "1", "0"]]


def test_handed_in_twice(make):
    text = "Ann,2024-01-01,5,20\nANN,2024-01-01,5.00,20\nAnn,2024-01-01,5.0,5\nAnn,2024-01-02,5,20\nBob,2024-01-01,5,20\n"
    assert make(HEAD + text) == (4, 1)
    assert make.rows(make.rejects) == [REJECTS, ["2", "ANN", "2024-01-01", "5.00", "20"]]


def test_same_as_a_rejected_row_is_judged_anew(make):
    assert make(HEAD + "A,2024-01-01,5,7\nA,2024-01-01,5,7\nA,2024-01-01,5,5\n") == (1, 2)


def test_header_only(make):
    assert make(HEAD) == (0, 0)
    assert make.rows(make.report) == [REPORT]
    assert not make.rejects.exists()


def test_old_rejects_file_is_removed(make):
    make.rejects.write_text("old", encoding="utf-8")
    make(HEAD + "A,2024-01-01,1,0\n")
    assert not make.rejects.exists()


def test_old_files_are_replaced(make):
    make.report.write_text("old\n" * 50, encoding="utf-8")
    make.rejects.write_text("old\n" * 50, encoding="utf-8")
    assert make(HEAD + "A,x,1,0\n") == (0, 1)
    assert make.rows(make.report) == [REPORT]
    assert make.rows(make.rejects) == [REJECTS, ["1", "A", "x", "1", "0"]]


def test_missing_column_touches_nothing(make):
    make.rejects.write_text("old", encoding="utf-8")
    for text in ("person,date,net\nA,2024-01-01,1\n", ""):
        with pytest.raises(ValueError):
            make(text)
        assert not make.report.exists()
        assert make.rejects.read_text(encoding="utf-8") == "old"


def test_paths_as_str_and_utf8(make):
    make.source.write_text(HEAD + "Zoë,2024-01-01,1,20\nJürgen,x,1,0\n", encoding="utf-8")
    got = expense_report(str(make.source), str(make.report), str(make.rejects))
    assert got == (1, 1)
    assert make.rows(make.report)[1] == ["Zoë", "1", "1.00", "0.20", "1.20"]
    assert make.rows(make.rejects)[1] == ["2", "Jürgen", "x", "1", "0"]
