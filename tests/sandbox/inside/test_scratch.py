"""What a run left behind is read within bounds and removed whatever it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tdgen.sandbox.inside import scratch


def test_emptying_removes_all_kinds(tmp_path: Path) -> None:
    """Files, folders, links and hidden names go; what a link points to stays."""
    folder, kept = tmp_path / "scratch", tmp_path / "kept"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / ".file").write_text("x")
    kept.mkdir()
    (kept / "file").write_text("stays")
    (folder / "link").symlink_to(kept)
    (folder / "a" / "dangling").symlink_to("nowhere")
    scratch.empty(folder)
    assert list(folder.iterdir()) == []
    assert (kept / "file").read_text() == "stays"


@pytest.mark.parametrize("mode", [0, 0o300, 0o500, 0o3770])
def test_a_folder_is_put_in_order_whatever_was_done_to_it(tmp_path: Path, mode: int) -> None:
    """It is readable and writable again, for its owner alone, and empty."""
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "file").write_text("x")
    (tmp_path / "left").chmod(0)
    tmp_path.chmod(mode)
    scratch.put_in_order(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert tmp_path.stat().st_mode & 0o7777 == 0o700


def test_a_folder_that_can_not_be_put_in_order_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something stays, it is another's, or it is none: no run may find it so."""
    (tmp_path / "left").write_text("x")
    with monkeypatch.context() as patch:
        patch.setattr(scratch, "empty", lambda folder: None)
        with pytest.raises(OSError, match="not empty"):
            scratch.put_in_order(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        with pytest.raises(PermissionError, match="not the server's own"):
            scratch.put_in_order(tmp_path)
    for path in (tmp_path / "left", tmp_path / "nowhere"):
        with pytest.raises(OSError, match=r"own|No such|Not a directory"):
            scratch.put_in_order(path)


def test_emptying_needs_no_permissions_and_no_depth(tmp_path: Path) -> None:
    """A locked folder and a tree deeper than any path may be long are removed like others."""
    locked = tmp_path / "locked"
    (locked / "inner").mkdir(parents=True)
    (locked / "inner").chmod(0)
    locked.chmod(0)
    start = Path.cwd()
    try:
        os.chdir(tmp_path)
        for _ in range(1500):
            Path("deep").mkdir()
            os.chdir("deep")
    finally:
        os.chdir(start)
    scratch.empty(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_all_files_are_collected_by_relative_path(tmp_path: Path) -> None:
    """Also those that were given and left alone: one that is missing was removed."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "new").write_text("n")
    (tmp_path / "given").write_text("g")
    assert scratch.collect(tmp_path, 1000) == {"sub/new": "n", "given": "g"}


def test_links_and_bytes_are_collected_as_what_they_are(tmp_path: Path) -> None:
    """A link is not followed, and what is no text is told in base64."""
    (tmp_path / "secret").write_text("secret")
    folder = tmp_path / "scratch"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "bytes").write_bytes(b"\xff!")
    assert scratch.collect(folder, 1000) == {"bytes": {"base64": "/yE="}}


def test_collecting_is_bounded(tmp_path: Path) -> None:
    """In bytes and in files."""
    for number in range(scratch.MAX_FILES + 5):
        (tmp_path / f"{number:04}").write_text("xx")
    assert len(scratch.collect(tmp_path, 10_000)) == scratch.MAX_FILES
    assert sum(map(len, scratch.collect(tmp_path, 7).values())) == 7


def test_the_room_taken_is_counted_without_following_links(tmp_path: Path) -> None:
    """Files at any depth count; what a link leads to, and what can't be read, does not."""
    folder, other = tmp_path / "scratch", tmp_path / "other"
    deep = folder / "/".join(["d"] * 300)
    other.write_bytes(bytes(1 << 20))
    folder.mkdir()
    assert scratch.used_kb(folder) == 0
    (folder / "a").mkdir()
    (folder / "a" / "file").write_bytes(b"x" * 100_000)
    (folder / "link").symlink_to(other)
    for parent in (*reversed(deep.parents), deep):
        parent.mkdir(exist_ok=True)
    (deep / "file").write_bytes(b"x" * 100_000)
    assert 195 <= scratch.used_kb(folder) < 260
    assert scratch.used_kb(tmp_path / "nowhere") == 0
