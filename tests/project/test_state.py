"""A project is as it was while its files are; what held there is remembered that long."""

import os

import pytest

from tdgen.project.state import Held, place_of, state_of


@pytest.fixture
def held(tmp_path):
    """What held in a project of one file, looked at anew with each call as by another command."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project/a.py").write_text("A = 1\n")
    os.utime(tmp_path / "project/a.py", ns=(1, 1))

    def opened(terms=""):
        root = tmp_path / "project"
        return Held(place_of(root, tmp_path / "kept", "held"), state_of(root, (tmp_path / "packages",), terms))

    return opened


def test_what_held_is_known_by_the_next_command(held):
    """Several keys, each by itself."""
    assert "one" not in held()
    held().add("one")
    held().add("two")
    assert all(key in held() for key in ("one", "two"))
    assert "three" not in held()


@pytest.mark.parametrize(
    "change",
    [
        lambda file: file.write_text("A = 12\n"),
        lambda file: file.with_name("data.txt").write_text("1"),
        lambda file: file.unlink(),
        lambda file: (file.write_text("A = 2\n"), os.utime(file, ns=(1, 1))),
        lambda file: (file.parents[1] / "packages").mkdir(),
    ],
    ids=["edited", "a file more", "gone", "of the same size and time", "packages"],
)
def test_in_a_project_that_changed_nothing_is_known_to_hold(held, tmp_path, change):
    """Also where somebody set the time of a file back."""
    held().add("one")
    change(tmp_path / "project/a.py")
    assert "one" not in held()


def test_under_other_terms_nothing_is_known_to_hold(held):
    """As with modules laid over those of the project."""
    held().add("one")
    assert "one" not in held("other")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"format": 1}', '{"format": 1, "state": 1, "keys": 1}'])
def test_a_damaged_memory_is_none(held, tmp_path, text):
    """What can't be read is seen anew, and written anew."""
    held().add("one")
    next((tmp_path / "kept").iterdir()).write_text(text)
    assert "one" not in held()
    held().add("two")
    assert "two" in held()
