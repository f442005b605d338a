from pathlib import Path

import pytest

import solution


def names(folder):
    return sorted(p.name for p in folder.iterdir())


def test_joins_two_parts(tmp_path):
    (tmp_path / "movie.bin.part1").write_bytes(b"abc")
    (tmp_path / "movie.bin.part2").write_bytes(b"def")
    assert solution.join_parts(tmp_path) == ["movie.bin"]
    assert (tmp_path / "movie.bin").read_bytes() == b"abcdef"
    assert names(tmp_path) == ["movie.bin"]


def test_folder_as_str(tmp_path):
    (tmp_path / "a.part1").write_bytes(b"1")
    assert solution.join_parts(str(tmp_path)) == ["a"]
    assert (tmp_path / "a").read_bytes() == b"1"


def test_single_part_is_complete(tmp_path):
    (tmp_path / "solo.txt.part1").write_bytes(b"only")
    assert solution.join_parts(tmp_path) == ["solo.txt"]
    assert (tmp_path / "solo.txt").read_bytes() == b"only"
    assert names(tmp_path) == ["solo.txt"]


def test_numeric_order_beyond_nine(tmp_path):
    for n in range(1, 12):
        (tmp_path / f"log.part{n}").write_bytes(f"<{n}>".encode())
    assert solution.join_parts(tmp_path) == ["log"]
    expected = b"<1><2><3><4><5><6><7><8><9><10><11>"
    assert (tmp_path / "log").read_bytes() == expected


def test_gap_is_skipped_untouched(tmp_path):
    (tmp_path / "g.part1").write_bytes(b"1")
    (tmp_path / "g.part3").write_bytes(b"3")
    assert solution.join_parts(tmp_path) == []
    assert names(tmp_path) == ["g.part1", "g.part3"]
    assert (tmp_path / "g.part1").read_bytes() == b"1"
    assert (tmp_path / "g.part3").read_bytes() == b"3"


def test_missing_first_part_is_incomplete(tmp_path):
    (tmp_path / "g.part2").write_bytes(b"2")
    (tmp_path / "g.part3").write_bytes(b"3")
    assert solution.join_parts(tmp_path) == []
    assert names(tmp_path) == ["g.part2", "g.part3"]


def test_existing_target_is_skipped(tmp_path):
    (tmp_path / "x").write_bytes(b"old")
    (tmp_path / "x.part1").write_bytes(b"new")
    assert solution.join_parts(tmp_path) == []
    assert (tmp_path / "x").read_bytes() == b"old"
    assert (tmp_path / "x.part1").read_bytes() == b"new"


def test_empty_target_is_overwritten(tmp_path):
    (tmp_path / "x").write_bytes(b"")
    (tmp_path / "x.part1").write_bytes(b"ne")
    (tmp_path / "x.part2").write_bytes(b"w")
    assert solution.join_parts(tmp_path) == ["x"]
    assert (tmp_path / "x").read_bytes() == b"new"
    assert names(tmp_path) == ["x"]


def test_folder_in_place_of_target_is_skipped(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x.part1").write_bytes(b"new")
    assert solution.join_parts(tmp_path) == []
    assert (tmp_path / "x").is_dir()
    assert (tmp_path / "x.part1").read_bytes() == b"new"


def test_keep_parts(tmp_path):
    (tmp_path / "k.part1").write_bytes(b"a")
    (tmp_path / "k.part2").write_bytes(b"b")
    assert solution.join_parts(tmp_path, keep_parts=True) == ["k"]
    assert (tmp_path / "k").read_bytes() == b"ab"
    assert names(tmp_path) == ["k", "k.part1", "k.part2"]


def test_leading_zero_is_no_part(tmp_path):
    (tmp_path / "z.part01").write_bytes(b"1")
    assert solution.join_parts(tmp_path) == []
    assert names(tmp_path) == ["z.part01"]


def test_part_zero_ignored_and_left(tmp_path):
    (tmp_path / "z.part0").write_bytes(b"0")
    (tmp_path / "z.part1").write_bytes(b"1")
    assert solution.join_parts(tmp_path) == ["z"]
    assert (tmp_path / "z").read_bytes() == b"1"
    assert names(tmp_path) == ["z", "z.part0"]


def test_upper_case_and_no_number_are_no_parts(tmp_path):
    (tmp_path / "u.PART1").write_bytes(b"1")
    (tmp_path / "v.part").write_bytes(b"1")
    (tmp_path / "w.part1x").write_bytes(b"1")
    assert solution.join_parts(tmp_path) == []
    assert names(tmp_path) == ["u.PART1", "v.part", "w.part1x"]


def test_empty_name_is_no_part(tmp_path):
    (tmp_path / ".part1").write_bytes(b"1")
    assert solution.join_parts(tmp_path) == []
    assert names(tmp_path) == [".part1"]


def test_subfolders_not_entered_and_no_parts(tmp_path):
    sub = tmp_path / "sub"
    sub.mkdir()
    (sub / "s.part1").write_bytes(b"s")
    (tmp_path / "d.part1").write_bytes(b"1")
    (tmp_path / "d.part2").mkdir()
    assert solution.join_parts(tmp_path) == ["d"]
    assert (tmp_path / "d").read_bytes() == b"1"
    assert (tmp_path / "d.part2").is_dir()
    assert names(sub) == ["s.part1"]


def test_written_file_is_not_joined_again(tmp_path):
    (tmp_path / "a.part1.part1").write_bytes(b"x")
    (tmp_path / "a.part1.part2").write_bytes(b"y")
    assert solution.join_parts(tmp_path) == ["a.part1"]
    assert names(tmp_path) == ["a.part1"]
    assert (tmp_path / "a.part1").read_bytes() == b"xy"


def test_several_sets_sorted_and_independent(tmp_path):
    (tmp_path / "b.part1").write_bytes(b"b")
    (tmp_path / "a.part1").write_bytes(b"a")
    (tmp_path / "C.part1").write_bytes(b"c")
    (tmp_path / "d.part2").write_bytes(b"d")
    assert solution.join_parts(tmp_path) == ["C", "a", "b"]
    assert names(tmp_path) == ["C", "a", "b", "d.part2"]


def test_bytes_kept_as_they_are(tmp_path):
    (tmp_path / "r.part1").write_bytes(b"\xff\r\n")
    (tmp_path / "r.part2").write_bytes(b"")
    (tmp_path / "r.part3").write_bytes(b"\x00\n")
    assert solution.join_parts(tmp_path) == ["r"]
    assert (tmp_path / "r").read_bytes() == b"\xff\r\n\x00\n"


def test_empty_folder(tmp_path):
    assert solution.join_parts(tmp_path) == []
    assert names(tmp_path) == []


def test_missing_folder_or_file_raises(tmp_path):
    with pytest.raises(NotADirectoryError):
        solution.join_parts(tmp_path / "nope")
    plain = tmp_path / "plain.txt"
    plain.write_bytes(b"x")
    with pytest.raises(NotADirectoryError):
        solution.join_parts(plain)
