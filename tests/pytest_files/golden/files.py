"""Tests of number_lines."""

import io
from pathlib import Path

import pytest

from lines import number_lines


def test_number_lines_two_lines(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("a\nb\n", encoding="utf-8")

    assert number_lines("in.txt", "out.txt") == 2

    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "1 a\n2 b\n"


def test_number_lines_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/in.txt").write_text("é\n", encoding="utf-8")

    assert number_lines("data/in.txt", "data/out.txt") == 1

    assert (tmp_path / "data/out.txt").read_text(encoding="utf-8") == "1 é\n"


def test_number_lines_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in.bin").write_bytes(b"\xff\n")
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xfe"), encoding="utf-8")
    )

    with pytest.raises(UnicodeDecodeError):
        number_lines("in.bin", "out.bin")

    assert (tmp_path / "in.bin").read_bytes() == b"\xff\n"


def test_number_lines_missing() -> None:
    with pytest.raises(FileNotFoundError):
        number_lines("in.txt", "out.txt")


@pytest.fixture(autouse=True)
def inside_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every test in a folder of its own."""
    monkeypatch.chdir(tmp_path)
