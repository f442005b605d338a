import pytest

import solution


def fill(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def state(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def box(tmp_path):
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


@pytest.fixture
def store(tmp_path):
    return tmp_path / "store"


def test_files_one(box, store, capsys):
    fill(box, {"scan_20240229_007.pdf": b"a\r\nb"})
    assert solution.file_scans(box, store) == {"filed": 1, "duplicate": 0, "skipped": 0}
    assert capsys.readouterr().out == "filed scan_20240229_007.pdf -> 2024/02/29-007.pdf\n"
    assert state(store) == {"2024/02/29-007.pdf": b"a\r\nb"}
    assert state(box) == {}


def test_text_paths(box, store):
    fill(box, {"scan_20240105_120.pdf": b"a"})
    assert solution.file_scans(str(box), str(store))["filed"] == 1
    assert state(store) == {"2024/01/05-120.pdf": b"a"}


def test_extension_in_any_case(box, store, capsys):
    fill(box, {"scan_20240301_001.PDF": b"a", "scan_20240302_001.Pdf": b"b"})
    assert solution.file_scans(box, store)["filed"] == 2
    assert capsys.readouterr().out == (
        "filed scan_20240301_001.PDF -> 2024/03/01-001.pdf\nfiled scan_20240302_001.Pdf -> 2024/03/02-001.pdf\n"
    )
    assert state(store) == {"2024/03/01-001.pdf": b"a", "2024/03/02-001.pdf": b"b"}


@pytest.mark.parametrize(
    "name",
    [
        "notes.txt",
        "Scan_20240301_001.pdf",
        "scan_20240301_01.pdf",
        "scan_20240301_0001.pdf",
        "scan_20240301_001.pdf.bak",
        "my_scan_20240301_001.pdf",
        "scan_20240301_001 .pdf",
        "scan_2024031_001.pdf",
        "scan-20240301-001.pdf",
        "scan_20240301_00\u0661.pdf",
    ],
)
def test_other_names_stay(box, store, capsys, name):
    fill(box, {name: b"a"})
    assert solution.file_scans(box, store) == {"filed": 0, "duplicate": 0, "skipped": 1}
    assert capsys.readouterr().out == f"skipped {name}\n"
    assert state(box) == {name: b"a"}
    assert not store.exists()


@pytest.mark.parametrize("day", ["20230229", "19000229", "20240431", "20241301", "20240100", "20240001", "20240132"])
def test_no_such_day(box, store, capsys, day):
    name = f"scan_{day}_001.pdf"
    fill(box, {name: b"a"})
    assert solution.file_scans(box, store) == {"filed": 0, "duplicate": 0, "skipped": 1}
    assert capsys.readouterr().out == f"skipped {name}\n"
    assert state(box) == {name: b"a"}


def test_duplicate(box, store, capsys):
    fill(box, {"scan_20240229_007.pdf": b"a"})
    fill(store, {"2024/02/29-007.pdf": b"a"})
    assert solution.file_scans(box, store) == {"filed": 0, "duplicate": 1, "skipped": 0}
    assert capsys.readouterr().out == "duplicate scan_20240229_007.pdf\n"
    assert state(store) == {"2024/02/29-007.pdf": b"a"}
    assert state(box) == {}


def test_other_content(box, store, capsys):
    fill(box, {"scan_20240229_007.pdf": b"b"})
    fill(store, {"2024/02/29-007.pdf": b"a"})
    assert solution.file_scans(box, store) == {"filed": 1, "duplicate": 0, "skipped": 0}
    assert capsys.readouterr().out == "filed scan_20240229_007.pdf -> 2024/02/29-007-2.pdf\n"
    assert state(store) == {"2024/02/29-007.pdf": b"a", "2024/02/29-007-2.pdf": b"b"}


def test_third_name(box, store):
    fill(box, {"scan_20240229_007.pdf": b"c"})
    fill(store, {"2024/02/29-007.pdf": b"a", "2024/02/29-007-2.pdf": b"b"})
    assert solution.file_scans(box, store)["filed"] == 1
    assert state(store) == {"2024/02/29-007.pdf": b"a", "2024/02/29-007-2.pdf": b"b", "2024/02/29-007-3.pdf": b"c"}


def test_duplicate_of_a_numbered_one(box, store, capsys):
    fill(box, {"scan_20240229_007.pdf": b"b"})
    before = {"2024/02/29-007.pdf": b"a", "2024/02/29-007-2.pdf": b"b"}
    fill(store, before)
    assert solution.file_scans(box, store) == {"filed": 0, "duplicate": 1, "skipped": 0}
    assert capsys.readouterr().out == "duplicate scan_20240229_007.pdf\n"
    assert state(store) == before
    assert state(box) == {}


def test_the_first_free_name_counts(box, store):
    # -2 is free, so it is taken, whatever lies behind it
    fill(box, {"scan_20240229_007.pdf": b"c"})
    fill(store, {"2024/02/29-007.pdf": b"a", "2024/02/29-007-3.pdf": b"c"})
    assert solution.file_scans(box, store)["filed"] == 1
    assert state(store)["2024/02/29-007-2.pdf"] == b"c"


def test_same_name_in_two_cases(box, store, capsys):
    fill(box, {"scan_20240229_007.pdf": b"b", "scan_20240229_007.PDF": b"a"})
    assert solution.file_scans(box, store)["filed"] == 2
    assert capsys.readouterr().out == (
        "filed scan_20240229_007.PDF -> 2024/02/29-007.pdf\nfiled scan_20240229_007.pdf -> 2024/02/29-007-2.pdf\n"
    )


def test_order_and_counts(box, store, capsys):
    fill(box, {"Zeta.txt": b"", "alpha.txt": b"", "scan_20240102_002.pdf": b"x", "scan_20240101_009.pdf": b"y", "scan_20240101_010.pdf": b"z"})
    fill(store, {"2024/01/01-010.pdf": b"z"})
    assert solution.file_scans(box, store) == {"filed": 2, "duplicate": 1, "skipped": 2}
    assert capsys.readouterr().out.splitlines() == [
        "skipped Zeta.txt",
        "skipped alpha.txt",
        "filed scan_20240101_009.pdf -> 2024/01/01-009.pdf",
        "duplicate scan_20240101_010.pdf",
        "filed scan_20240102_002.pdf -> 2024/01/02-002.pdf",
    ]


def test_subfolders_are_not_looked_at(box, store, capsys):
    fill(box, {"old/scan_20240101_001.pdf": b"x", "scan_20240101_001.pdf/a.txt": b"y"})
    assert solution.file_scans(box, store) == {"filed": 0, "duplicate": 0, "skipped": 0}
    assert capsys.readouterr().out == ""
    assert state(box) == {"old/scan_20240101_001.pdf": b"x", "scan_20240101_001.pdf/a.txt": b"y"}


def test_empty(box, store, capsys):
    assert solution.file_scans(box, store) == {"filed": 0, "duplicate": 0, "skipped": 0}
    assert capsys.readouterr().out == ""
    assert not store.exists()


def test_no_inbox(tmp_path, store, capsys):
    with pytest.raises(FileNotFoundError):
        solution.file_scans(tmp_path / "none", store)
    assert capsys.readouterr().out == ""
    assert not store.exists()
    assert not (tmp_path / "none").exists()
