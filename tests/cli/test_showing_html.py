"""`tdgen show --html`: the story in a file."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture
def kept(tdgen, solver, double, monkeypatch) -> str:
    """A kept solution's key."""
    monkeypatch.setenv("TDGEN_CACHE_DIR", str(solver.cache_dir))
    return solver.solve(double(), text="Double a number.").solution.key[:20]


def test_it_is_written(tdgen, kept, tmp_path):
    """Whole, as one file."""
    ran = tdgen("show", kept, "--html", tmp_path / "story.html")
    assert (ran.code, ran.out, ran.err) == (0, "", f"wrote {tmp_path / 'story.html'}\n")
    written = (tmp_path / "story.html").read_text()
    assert written.startswith("<!DOCTYPE html>")
    assert "Double a number." in written


def test_it_goes_to_stdout(tdgen, kept):
    """For a pipe."""
    ran = tdgen("show", kept, "--html", "-")
    assert ran.out.startswith("<!DOCTYPE html>")


def test_a_file_that_says_something_else_is_kept(tdgen, kept, tmp_path):
    """Unless tdgen wrote it once, and it is to be replaced."""
    story, theirs = tmp_path / "story.html", tmp_path / "theirs.html"
    theirs.write_text("mine")
    assert tdgen("show", kept, "--html", theirs, "--overwrite").code == 2
    assert theirs.read_text() == "mine"
    assert tdgen("show", kept, "--html", story).code == 0
    story.write_text("mine")
    ran = tdgen("show", kept, "--html", story)
    assert (ran.code, story.read_text()) == (2, "mine")
    assert "--overwrite" in ran.last
    assert tdgen("show", kept, "--html", story, "--overwrite").code == 0
    assert story.read_text() != "mine"


def test_a_place_that_is_none_is_told(tdgen, kept, tmp_path):
    """In a line."""
    ran = tdgen("show", kept, "--html", tmp_path)
    assert ran.code == 2
    assert "is a folder" in ran.last
