"""Changes of a project's files: shown, and made all or none."""

import os
import subprocess

import pytest

from tdgen.errors import InputError
from tdgen.project import edit
from tdgen.project.edit import Change, apply_changes, patch_of, save_patch


@pytest.fixture
def changes(bare):
    """Two changed files and a new one."""
    bare.write({"a.py": "x = 1\r\ny = 2\r\n", "b.py": "# coding: latin-1\nz = '\xe9'".encode("latin-1")})
    (bare / "a.py").chmod(0o750)
    return [
        Change(bare / "a.py", "a.py", b"x = 1\r\ny = 2\r\n", b"x = 1\r\ny = 3\r\n"),
        Change(bare / "b.py", "b.py", b"# coding: latin-1\nz = '\xe9'", b"# coding: latin-1\nz = '\xe8'"),
        Change(bare / "new/t.py", "new/t.py", None, b"t = 1\n"),
    ]


def contents(bare):
    return {path.name: path.read_bytes() for path in sorted(bare.root.rglob("*")) if path.is_file()}


def test_changes_are_made_and_mode_bits_stay(bare, changes):
    """Every file has its bytes, and nothing else is left."""
    apply_changes(changes)
    assert contents(bare) == {"a.py": changes[0].after, "b.py": changes[1].after, "t.py": b"t = 1\n"}
    assert (bare / "a.py").stat().st_mode & 0o777 == 0o750


def test_a_patch_takes_the_changes_there_and_back(bare, changes):
    """Byte for byte: other encodings, line ends, and a last line that does not end."""
    before = contents(bare)
    path = save_patch(changes, bare / "patches")
    assert path.read_bytes() == patch_of(changes)
    assert (
        b"-z = '\xe9'\n\\ No newline at end of file\n+z = '\xe8'\n\\ No newline at end of file\n" in path.read_bytes()
    )
    for reverse in ([], ["-R"]):
        subprocess.run(["git", "apply", *reverse, str(path)], cwd=bare.root, check=True, timeout=20)
        path.rename(bare.root.parent / "kept.patch")
        assert contents(bare) == (before if reverse else {one.file.name: one.after for one in changes})
        (bare.root.parent / "kept.patch").rename(path)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda file: file.write_bytes(b"mine"), r"b\.py was changed since it was read: nothing is written"),
        (lambda file: file.unlink(), r"b\.py can't be read any more"),
        (lambda file: file.chmod(0o444), r"b\.py is read-only: `chmod u\+w b\.py` lets it be written"),
        (lambda file: (file.rename(f"{file}.old"), file.symlink_to(f"{file}.old")), r"b\.py is a link"),
        (lambda file: (file.parent / "new").mkdir() or (file.parent / "new/t.py").touch(), "new/t.py is there by now"),
        (lambda file: (file.parent / "new").touch(), "can't write .*new"),
        (lambda file: (file.parent / "new").symlink_to("/tmp"), "new/t.py lies behind a link out of the project"),
    ],
)
def test_where_one_cant_be_made_none_is(bare, changes, spoil, told):
    """The line says why."""
    spoil(bare / "b.py")
    before = contents(bare)
    with pytest.raises(InputError, match=told):
        apply_changes(changes)
    assert contents(bare) == before


def test_what_was_made_before_a_failure_is_taken_back(bare, changes, monkeypatch):
    """The disk may fail between two files."""
    before = contents(bare)

    def fail(*given):
        raise OSError(28, "No space left on device", "t.py")

    monkeypatch.setattr(os, "link", fail)
    with pytest.raises(InputError, match=r"can't write t\.py: No space left on device"):
        apply_changes(changes)
    assert contents(bare) == before


def test_a_file_that_changes_at_the_last_moment_is_kept(bare, changes, monkeypatch):
    """Each is looked at again right before it is replaced."""
    put = edit._put

    def putting(change, draft):
        put(change, draft)
        (bare / "b.py").write_bytes(b"mine")

    monkeypatch.setattr(edit, "_put", putting)
    with pytest.raises(InputError, match="was changed since it was read"):
        apply_changes(changes)
    assert contents(bare) == {"a.py": changes[0].before, "b.py": b"mine"}
