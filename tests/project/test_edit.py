"""Changes of a project's files, shown as a patch."""

import subprocess

import pytest

from tdgen.project.edit import Change, patch_of, save_patch


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
