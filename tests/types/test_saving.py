"""Files written whole or not at all, and nobody's work overwritten unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdgen.errors import InputError
from tdgen.types.saving import check_file, check_folder, save_file, save_files

FILES = {"kit.py": "x = 1\n", "tests/test_kit.py": "y = 2\n"}


def texts(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}


class TestAFolder:
    """A package's files."""

    def test_it_is_made_with_all_that_is_above_it(self, tmp_path):
        """However deep it lies."""
        save_files(tmp_path / "a" / "b", FILES)
        assert texts(tmp_path / "a" / "b") == FILES

    def test_an_empty_one_is_taken_as_it_is(self, tmp_path):
        """There is nothing in it to lose."""
        save_files(tmp_path, FILES)
        assert texts(tmp_path) == FILES

    def test_one_with_others_files_is_left_alone(self, tmp_path):
        """The line says both ways out."""
        (tmp_path / "mine.txt").write_text("mine")
        with pytest.raises(InputError, match="holds other files: name another folder, or add --force"):
            save_files(tmp_path, FILES)
        assert texts(tmp_path) == {"mine.txt": "mine"}

    def test_with_force_the_others_stay_beside_it(self, tmp_path):
        """Force replaces what has the same name, and removes nothing."""
        (tmp_path / "mine.txt").write_text("mine")
        save_files(tmp_path, FILES, force=True)
        assert texts(tmp_path) == FILES | {"mine.txt": "mine"}

    def test_one_of_tdgens_own_is_written_again_where_nothing_differs(self, tmp_path):
        """A repeat is no conflict."""
        files = FILES | {"tdgen.json": "{}"}
        save_files(tmp_path, files)
        save_files(tmp_path, files)
        assert texts(tmp_path) == files

    def test_a_file_that_was_changed_is_not_replaced(self, tmp_path):
        """Also in a folder that tdgen once wrote."""
        save_files(tmp_path, FILES | {"tdgen.json": "{}"})
        (tmp_path / "kit.py").write_text("x = 'mine'\n")
        with pytest.raises(InputError, match=r"kit\.py is there and differs"):
            save_files(tmp_path, FILES | {"tdgen.json": "{}"})
        assert (tmp_path / "kit.py").read_text() == "x = 'mine'\n"

    def test_a_file_in_its_place_is_refused(self, tmp_path):
        """It might be somebody's."""
        (tmp_path / "out").write_text("a file")
        with pytest.raises(InputError, match="is a file: name a folder"):
            save_files(tmp_path / "out", FILES)

    def test_a_folder_in_a_files_place_is_refused_before_anything_is_written(self, tmp_path):
        """Force does not remove folders."""
        (tmp_path / "tests" / "test_kit.py").mkdir(parents=True)
        with pytest.raises(InputError, match="is a folder, where a file is to be written"):
            save_files(tmp_path, FILES, force=True)
        assert texts(tmp_path) == {}

    def test_one_that_cannot_be_made_is_refused(self, tmp_path):
        """In one line, with the system's reason."""
        (tmp_path / "file").write_text("")
        with pytest.raises(InputError, match="can't write to"):
            save_files(tmp_path / "file" / "out", FILES)

    def test_what_fails_half_way_leaves_nothing(self, tmp_path):
        """A text that can't be encoded is only found when it is written."""
        with pytest.raises(InputError, match="no valid Unicode"):
            save_files(tmp_path / "out", FILES | {"z.py": "'\udc80'"})
        assert not (tmp_path / "out").exists()

    def test_what_fails_half_way_leaves_what_was_there(self, tmp_path):
        """And nothing beside it."""
        (tmp_path / "mine.txt").write_text("mine")
        with pytest.raises(InputError, match="no valid Unicode"):
            save_files(tmp_path, FILES | {"z.py": "'\udc80'"}, force=True)
        assert texts(tmp_path) == {"mine.txt": "mine"}

    def test_it_is_written_where_only_the_folder_itself_is_ours(self, tmp_path, monkeypatch):
        """Such as one that is mounted: what lies above it is another disk, or somebody else's."""
        out = tmp_path / "above" / "out"
        out.mkdir(parents=True)
        made = []
        real = __import__("tempfile").TemporaryDirectory
        monkeypatch.setattr(
            "tdgen.types.saving.tempfile.TemporaryDirectory", lambda **how: made.append(Path(how["dir"])) or real(**how)
        )
        save_files(out, FILES)
        assert made == [out]
        assert texts(out) == FILES

    def test_it_can_be_asked_before_the_work(self, tmp_path):
        """What can't be saved need not be paid for; asking leaves no trace."""
        (tmp_path / "mine.txt").write_text("mine")
        with pytest.raises(InputError, match="holds other files"):
            check_folder(tmp_path)
        check_folder(tmp_path, force=True)
        check_folder(tmp_path / "new" / "folder")
        assert texts(tmp_path) == {"mine.txt": "mine"}
        assert not (tmp_path / "new").exists()


class TestAFile:
    """The module alone."""

    def test_it_is_made_with_the_folders_above_it(self, tmp_path):
        """Like a package."""
        save_file(tmp_path / "a" / "kit.py", "x = 1\n")
        assert texts(tmp_path) == {"a/kit.py": "x = 1\n"}

    def test_one_that_says_something_else_is_not_replaced(self, tmp_path):
        """Unless that is asked for."""
        path = tmp_path / "kit.py"
        path.write_text("mine")
        with pytest.raises(InputError, match="is there and differs"):
            save_file(path, "x = 1\n")
        save_file(path, "x = 1\n", force=True)
        assert path.read_text() == "x = 1\n"

    def test_one_that_is_no_text_differs(self, tmp_path):
        """Whatever it is, it is not what would be written."""
        path = tmp_path / "kit.py"
        path.write_bytes(b"\xff\x00")
        with pytest.raises(InputError, match="is there and differs"):
            save_file(path, "x = 1\n")

    def test_a_folder_is_no_file(self, tmp_path):
        """The line says what to name."""
        with pytest.raises(InputError, match="is a folder: name a file"):
            save_file(tmp_path, "x = 1\n")

    def test_it_can_be_asked_before_the_work(self, tmp_path):
        """What can't be saved need not be paid for."""
        path = tmp_path / "kit.py"
        check_file(path)
        path.write_text("")
        check_file(path)
        path.write_text("mine")
        with pytest.raises(InputError, match="is there already"):
            check_file(path)
        with pytest.raises(InputError, match="is a folder"):
            check_file(tmp_path)
