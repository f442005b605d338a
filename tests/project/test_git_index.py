"""What git's index says of a file."""

import subprocess

import pytest

from tdgen.project.git_index import is_changed


@pytest.fixture
def git(shop):
    """Run git in the project, apart from this machine's settings."""

    def call(*arguments):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.autocrlf=false", *arguments]
        subprocess.run(command, cwd=shop.root, check=True, timeout=20, capture_output=True)

    call("init", "-q")
    return call


def changed(path):
    return is_changed(path, path.read_bytes())


def test_a_file_is_changed_where_it_is_not_as_it_was_added(shop, git):
    """Also one that was never added; line ends are git's matter."""
    path = shop / "src/shop/prices.py"
    assert changed(path) is False  # there is no index yet
    git("add", "tests")
    assert changed(path) is True
    git("add", ".")
    assert [changed(file) for file in shop.root.rglob("*.py")] == [False] * 4
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert changed(path) is False
    path.write_bytes(b"x = 1\n")
    assert changed(path) is True


def test_a_further_work_tree_has_its_own_index(shop, git):
    """Which its file `.git` leads to."""
    git("add", ".")
    git("commit", "-qm", "a")
    git("worktree", "add", "-q", "other")
    path = shop / "other/src/shop/prices.py"
    assert changed(path) is False
    path.write_bytes(b"x = 1\n")
    assert changed(path) is True


@pytest.mark.parametrize("index", [b"", b"DIRC", b"DIRC\0\0\0\2\0\0\0\1abc", b"DIRC\0\0\0\4\0\0\0\0"])
def test_what_cant_be_told_is_not_told(shop, index):
    """Another version, a broken file, or no repository."""
    assert changed(shop / "src/shop/prices.py") is False
    shop.write({".git/index": index})
    assert changed(shop / "src/shop/prices.py") is False
