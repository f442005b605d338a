"""Tests of number_lines: Does as its cases say."""

import pytest

from lines import number_lines


@pytest.fixture(autouse=True)
def inside_tmp_path(tmp_path, monkeypatch):
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)


def test_number_lines_two_lines(tmp_path):
    (tmp_path / "in.txt").write_text("a\nb\n", encoding="utf-8")

    result = number_lines("in.txt", "out.txt")
    assert result == 2
    assert isinstance(result, int)

    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "1 a\n2 b\n"


def test_number_lines_in_a_folder(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/in.txt").write_text("é\n", encoding="utf-8")

    result = number_lines("data/in.txt", "data/out.txt")
    assert result == 1
    assert isinstance(result, int) and not isinstance(result, bool)

    assert (tmp_path / "data/out.txt").read_text(encoding="utf-8") == "1 é\n"


def test_number_lines_missing():
    with pytest.raises(FileNotFoundError):
        number_lines("in.txt", "out.txt")
