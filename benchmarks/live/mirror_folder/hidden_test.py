import os

import pytest

import solution


def fill(folder, files):
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def state(folder):
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def src(tmp_path):
    fill(tmp_path / "src", {"b.txt": "B", "docs/a.txt": "A", "docs/x/y.txt": "Y"})
    return tmp_path / "src"


def test_copies_all(src, tmp_path, capsys):
    assert solution.mirror(src, tmp_path / "deep" / "out") == 3
    assert state(tmp_path / "deep" / "out") == {"b.txt": "B", "docs/a.txt": "A", "docs/x/y.txt": "Y"}
    assert capsys.readouterr().out == "+ b.txt\n+ docs/a.txt\n+ docs/x/y.txt\n"


def test_lines_are_sorted_by_path(src, tmp_path, capsys):
    out = tmp_path / "out"
    fill(out, {"a.txt": "old", "b.txt": "other", "docs/zz.txt": "old"})
    assert solution.mirror(str(src), str(out)) == 5
    assert capsys.readouterr().out == "- a.txt\n~ b.txt\n+ docs/a.txt\n+ docs/x/y.txt\n- docs/zz.txt\n"
    assert state(out) == state(src)


def test_sorted_as_strings(tmp_path, capsys):
    fill(tmp_path / "s", {"a/b.txt": "1", "a.txt": "2", "a-b.txt": "3", "B.txt": "4"})
    solution.mirror(tmp_path / "s", tmp_path / "out")
    assert capsys.readouterr().out == "+ B.txt\n+ a-b.txt\n+ a.txt\n+ a/b.txt\n"


def test_up_to_date(src, tmp_path, capsys):
    solution.mirror(src, tmp_path / "out")
    capsys.readouterr()
    assert solution.mirror(src, tmp_path / "out") == 0
    assert capsys.readouterr().out == "up to date\n"


def test_equal_content_is_not_written(src, tmp_path):
    out = tmp_path / "out"
    fill(out, {"b.txt": "B"})
    os.utime(out / "b.txt", (1000, 1000))
    solution.mirror(src, out)
    assert (out / "b.txt").stat().st_mtime == 1000


def test_same_size_and_time_but_other_content(src, tmp_path, capsys):
    out = tmp_path / "out"
    fill(out, {"b.txt": "X", "docs/a.txt": "A", "docs/x/y.txt": "Y"})
    os.utime(out / "b.txt", (1000, 1000))
    os.utime(src / "b.txt", (1000, 1000))
    assert solution.mirror(src, out) == 1
    assert capsys.readouterr().out == "~ b.txt\n"
    assert (out / "b.txt").read_text() == "B"


def test_newer_target_is_overwritten(src, tmp_path):
    out = tmp_path / "out"
    fill(out, {"b.txt": "X"})
    os.utime(src / "b.txt", (1000, 1000))
    solution.mirror(src, out)
    assert (out / "b.txt").read_text() == "B"


def test_tmp_files_take_no_part(src, tmp_path, capsys):
    out = tmp_path / "out"
    fill(src, {"new.tmp": "1", "both.tmp": "2"})
    solution.mirror(src, out)
    fill(out, {"mine.tmp": "3", "both.tmp": "4"})
    capsys.readouterr()
    assert solution.mirror(src, out) == 0
    assert capsys.readouterr().out == "up to date\n"
    assert (out / "mine.tmp").read_text() == "3"
    assert (out / "both.tmp").read_text() == "4"
    assert not (out / "new.tmp").exists()


def test_emptied_folders_go(src, tmp_path):
    out = tmp_path / "out"
    fill(out, {"p/q/r/old.txt": "1", "p/keep.tmp": "2", "u/v/old.txt": "3"})
    solution.mirror(src, out)
    assert not (out / "p" / "q").exists()
    assert (out / "p" / "keep.tmp").exists()
    assert not (out / "u").exists()


def test_empty_folders_from_before_stay(src, tmp_path):
    out = tmp_path / "out"
    (out / "void").mkdir(parents=True)
    (src / "hollow").mkdir()
    solution.mirror(src, out)
    assert (out / "void").is_dir()
    assert not (out / "hollow").exists()


def test_target_itself_stays(tmp_path, capsys):
    (tmp_path / "s").mkdir()
    fill(tmp_path / "out", {"a.txt": "1"})
    assert solution.mirror(tmp_path / "s", tmp_path / "out") == 1
    assert capsys.readouterr().out == "- a.txt\n"
    assert (tmp_path / "out").is_dir()


def test_target_is_not_made_for_nothing(tmp_path, capsys):
    fill(tmp_path / "s", {"a.tmp": "1"})
    assert solution.mirror(tmp_path / "s", tmp_path / "out") == 0
    assert capsys.readouterr().out == "up to date\n"
    assert not (tmp_path / "out").exists()


def test_dry_run(src, tmp_path, capsys):
    out = tmp_path / "out"
    fill(out, {"b.txt": "other", "sub/old.txt": "old"})
    assert solution.mirror(src, out, dry_run=True) == 4
    assert capsys.readouterr().out == "~ b.txt\n+ docs/a.txt\n+ docs/x/y.txt\n- sub/old.txt\n"
    assert state(out) == {"b.txt": "other", "sub/old.txt": "old"}
    assert not (out / "docs").exists()


def test_dry_run_makes_no_target(src, tmp_path):
    assert solution.mirror(src, tmp_path / "out", dry_run=True) == 3
    assert not (tmp_path / "out").exists()


def test_source_must_be_a_folder(src, tmp_path):
    fill(tmp_path / "out", {"a.txt": "1"})
    for source in (tmp_path / "none", src / "b.txt"):
        with pytest.raises(NotADirectoryError):
            solution.mirror(source, tmp_path / "out")
    assert state(tmp_path / "out") == {"a.txt": "1"}


def test_source_stays(src, tmp_path):
    before = state(src)
    fill(tmp_path / "out", {"a.txt": "1"})
    solution.mirror(src, tmp_path / "out")
    assert state(src) == before
