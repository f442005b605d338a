"""Files written whole or not at all, and nobody's work replaced or removed."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tdgen.errors import InputError
from tdgen.files.saving import RECORD, Place, check_file, read_record, save_file

FILES = {"kit.py": "x = 1\n", "tests/test_kit.py": "y = 2\n"}
OTHERS = {"kit.py": "x = 3\n", "kit_more.py": "z = 4\n"}


def texts(folder: Path) -> dict[str, str]:
    return {
        name: p.read_text()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and (name := str(p.relative_to(folder))) != RECORD
    }


class TestAFolder:
    """A package's files."""

    def test_it_is_made_with_all_that_is_above_it(self, tmp_path):
        """However deep it lies."""
        Place(tmp_path / "a" / "b").write(FILES)
        assert texts(tmp_path / "a" / "b") == FILES

    def test_an_empty_one_is_taken_as_it_is(self, tmp_path):
        """There is nothing in it to lose."""
        Place(tmp_path).write(FILES)
        assert texts(tmp_path) == FILES

    def test_one_with_others_files_is_left_alone(self, tmp_path):
        """The line says both ways out."""
        (tmp_path / "mine.txt").write_text("mine")
        with pytest.raises(InputError, match="holds other files: name another folder, or add --force"):
            Place(tmp_path).write(FILES)
        assert texts(tmp_path) == {"mine.txt": "mine"}

    def test_with_force_it_is_written_beside_them(self, tmp_path):
        """What is there stays as it is."""
        (tmp_path / "mine.txt").write_text("mine")
        Place(tmp_path, force=True).write(FILES)
        assert texts(tmp_path) == FILES | {"mine.txt": "mine"}

    @pytest.mark.parametrize("overwrite", [None, False, True])
    def test_what_tdgen_did_not_write_is_never_replaced(self, tmp_path, overwrite):
        """No word makes it do so."""
        (tmp_path / "kit.py").write_text("mine = 1\n")
        with pytest.raises(InputError, match=r"kit\.py is there, and not as tdgen wrote it"):
            Place(tmp_path, force=True, overwrite=overwrite).write(FILES)
        assert texts(tmp_path) == {"kit.py": "mine = 1\n"}

    def test_what_says_the_same_already_is_no_conflict(self, tmp_path):
        """Whoever wrote it."""
        (tmp_path / "kit.py").write_text(FILES["kit.py"])
        Place(tmp_path, force=True).write(FILES)
        assert texts(tmp_path) == FILES

    def test_a_dispensable_file_gives_way(self, tmp_path):
        """To the one that is there."""
        (tmp_path / "kit.py").write_text("")
        Place(tmp_path, force=True).write(FILES, dispensable=["kit.py"])
        assert texts(tmp_path) == FILES | {"kit.py": ""}
        assert "kit.py" not in read_record(tmp_path / RECORD).files


class TestAgain:
    """A folder that tdgen wrote before."""

    def test_it_is_replaced_where_nobody_touched_it(self, tmp_path):
        """What is no part of it any more goes, with its empty folder."""
        Place(tmp_path).write(FILES)
        Place(tmp_path).write(OTHERS)
        assert texts(tmp_path) == OTHERS
        assert not (tmp_path / "tests").exists()

    def test_the_same_is_the_same_by_every_byte(self, tmp_path):
        """Its record as well."""
        Place(tmp_path).write(FILES, {"more": {"a": [1]}})
        first = (tmp_path / RECORD).read_bytes()
        Place(tmp_path).write(FILES, {"more": {"a": [1]}})
        assert (tmp_path / RECORD).read_bytes() == first

    @pytest.mark.parametrize("force", [False, True])
    @pytest.mark.parametrize("name", list(FILES))
    def test_a_changed_file_is_not_replaced(self, tmp_path, name, force):
        """Writing beside others is no leave to replace."""
        Place(tmp_path).write(FILES)
        (tmp_path / name).write_text("mine = 1\n")
        place = Place(tmp_path, force=force, overwrite=False)
        assert place.changed() == [name]
        for act in (place.check, lambda: place.write(OTHERS)):
            with pytest.raises(InputError, match=f"{name} was changed since tdgen wrote it: .*add --overwrite"):
                act()
        assert texts(tmp_path) == FILES | {name: "mine = 1\n"}

    def test_overwriting_is_a_word_of_its_own(self, tmp_path):
        """A changed file that has no successor stays even then."""
        Place(tmp_path).write(FILES)
        for name in FILES:
            (tmp_path / name).write_text("mine = 1\n")
        Place(tmp_path, overwrite=True).write(OTHERS)
        assert texts(tmp_path) == OTHERS | {"tests/test_kit.py": "mine = 1\n"}

    def test_a_file_that_was_taken_away_comes_back(self, tmp_path):
        """That it is gone is no change to lose."""
        Place(tmp_path).write(FILES)
        (tmp_path / "kit.py").unlink()
        Place(tmp_path).write(FILES)
        assert texts(tmp_path) == FILES

    def test_a_lost_record_makes_it_somebody_elses(self, tmp_path):
        """With force the same files are taken for tdgen's again, and no others."""
        Place(tmp_path).write(FILES)
        shutil.rmtree(tmp_path / ".tdgen")
        with pytest.raises(InputError, match="holds other files"):
            Place(tmp_path).write(FILES)
        with pytest.raises(InputError, match="not as tdgen wrote it"):
            Place(tmp_path, force=True).write(OTHERS)
        Place(tmp_path, force=True).write(FILES)
        Place(tmp_path).write(OTHERS)
        assert texts(tmp_path) == OTHERS

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ('{"format": 3, "files": {}}', "is of another version of tdgen"),
            ("{}", "is no record that tdgen wrote"),
            ("[]", "is no record that tdgen wrote"),
            ('{"format": 2, "files": 3}', "is no record that tdgen wrote"),
            ("\ud800", "is no record that tdgen wrote"),
        ],
    )
    def test_a_record_that_cannot_be_read(self, tmp_path, text, reason):
        """One line, whatever else was asked for."""
        Place(tmp_path).write(FILES)
        (tmp_path / RECORD).write_text(text, errors="surrogatepass")
        with pytest.raises(InputError, match=reason):
            Place(tmp_path, force=True, overwrite=True).write(OTHERS)
        assert texts(tmp_path) == FILES

    def test_a_record_never_reaches_out_of_its_folder(self, tmp_path):
        """It may be somebody else's, made to have files removed elsewhere."""
        Place(tmp_path / "theirs").write({"precious.py": "mine\n"})
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "link").symlink_to(tmp_path / "theirs")
        Place(tmp_path / "out", force=True).write({"kit.py": "1\n"})
        record = json.loads((tmp_path / "out" / RECORD).read_text())
        digest = read_record(tmp_path / "theirs" / RECORD).files["precious.py"][0]
        names = ("../theirs/precious.py", "link/precious.py", str(tmp_path / "theirs" / "precious.py"))
        record["files"] |= {key: [digest] for key in names}
        (tmp_path / "out" / RECORD).write_text(json.dumps(record))
        Place(tmp_path / "out", force=True, overwrite=True).write({"kit_2.py": "1\n"})
        assert (tmp_path / "theirs" / "precious.py").read_text() == "mine\n"


class TestWhatIsInTheWay:
    """Files, folders and links where a file is to be."""

    def test_a_file_in_the_folders_place(self, tmp_path):
        """It might be somebody's."""
        (tmp_path / "out").write_text("a file")
        with pytest.raises(InputError, match="is a file: name a folder"):
            Place(tmp_path / "out").write(FILES)

    def test_a_folder_in_a_files_place(self, tmp_path):
        """Nothing is written then."""
        (tmp_path / "kit.py").mkdir()
        with pytest.raises(InputError, match=r"kit\.py is a folder, where a file is to be written"):
            Place(tmp_path, force=True).write(FILES)
        assert texts(tmp_path) == {}

    def test_a_file_in_the_place_of_a_folder_within(self, tmp_path):
        """Nothing is written then."""
        (tmp_path / "tests").write_text("")
        with pytest.raises(InputError, match="tests is no folder"):
            Place(tmp_path, force=True).write(FILES)
        assert texts(tmp_path) == {"tests": ""}

    @pytest.mark.parametrize(("link", "target"), [("kit.py", "mine.py"), ("tests", "."), ("kit.py", "nowhere")])
    def test_a_link_out_of_the_folder(self, tmp_path, link, target):
        """It is neither followed nor replaced."""
        theirs, out = tmp_path / "theirs", tmp_path / "out"
        theirs.mkdir()
        out.mkdir()
        (theirs / "mine.py").write_text("mine\n")
        (out / link).symlink_to(theirs / target)
        with pytest.raises(InputError, match=r"is a link|is no folder"):
            Place(out, force=True, overwrite=True).write(FILES)
        assert texts(theirs) == {"mine.py": "mine\n"}
        assert (out / link).is_symlink()

    def test_a_link_in_the_place_of_a_written_file(self, tmp_path):
        """It counts as a change of it, even to a file that says the same."""
        Place(tmp_path / "out").write(FILES)
        (tmp_path / "mine.py").write_text(FILES["kit.py"])
        (tmp_path / "out" / "kit.py").unlink()
        (tmp_path / "out" / "kit.py").symlink_to(tmp_path / "mine.py")
        for files in (OTHERS, {"other.py": ""}):
            with pytest.raises(InputError, match=r"was changed since|is a link"):
                Place(tmp_path / "out").write(files)
        assert (tmp_path / "mine.py").read_text() == FILES["kit.py"]

    def test_a_folder_that_is_a_link_is_a_folder(self, tmp_path):
        """Whoever names it means where it leads."""
        (tmp_path / "real").mkdir()
        (tmp_path / "out").symlink_to(tmp_path / "real")
        Place(tmp_path / "out").write(FILES)
        assert texts(tmp_path / "real") == FILES


class TestWhatFails:
    """It leaves what was there, and nothing beside it."""

    def test_one_that_cannot_be_made(self, tmp_path):
        """In one line, with the system's reason."""
        (tmp_path / "file").write_text("")
        with pytest.raises(InputError, match="can't write to"):
            Place(tmp_path / "file" / "out").write(FILES)

    @pytest.mark.parametrize("is_there", [False, True])
    def test_text_that_no_file_can_hold(self, tmp_path, is_there):
        """It is only found when it is written."""
        out = tmp_path / "out"
        if is_there:
            Place(out).write(FILES)
        with pytest.raises(InputError, match="no valid Unicode"):
            Place(out).write(OTHERS | {"z.py": "'\udc80'"})
        assert out.exists() is is_there
        assert texts(out) == (FILES if is_there else {})

    @pytest.mark.parametrize("is_there", [False, True])
    def test_a_full_disk(self, tmp_path, monkeypatch, is_there):
        """Everything is laid down beside its place before anything is replaced."""
        out = tmp_path / "out"
        if is_there:
            Place(out).write(FILES)
        real = Path.write_bytes

        def write(path: Path, text: bytes) -> int:
            if path.name == "record.json.1":
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(path, text)

        monkeypatch.setattr(Path, "write_bytes", write)
        with pytest.raises(InputError, match="No space left on device"):
            Place(out).write(OTHERS)
        assert out.exists() is is_there
        assert texts(out) == (FILES if is_there else {})

    @pytest.mark.parametrize("moves", range(6))
    def test_a_kill_at_any_moment(self, tmp_path, moves):
        """The next run knows what is there as tdgen's own, and goes on."""
        Place(tmp_path).write(FILES)
        program = f"""
import os, signal
from pathlib import Path
from tdgen.files.saving import Place
real, left = Path.replace, [{moves}]
def replace(path, target):
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    return real(path, target)
Path.replace = replace
Place(Path({str(tmp_path)!r})).write({OTHERS!r})
"""
        done = subprocess.run([sys.executable, "-c", program], check=False)
        assert done.returncode == (-signal.SIGKILL if moves < 4 else 0)
        assert Place(tmp_path).changed() == []
        Place(tmp_path).write(OTHERS)
        assert texts(tmp_path) == OTHERS

    def test_two_at_once(self, tmp_path):
        """One after the other, whoever looks first: the folder is all of one of them."""
        ways = [{f"{name}_{n}.py": f"{way}\n" for n in range(20)} for way, name in enumerate(("a", "b"))]
        threads = [threading.Thread(target=Place(tmp_path / "out").write, args=[way]) for way in ways * 20]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert texts(tmp_path / "out") in ways
        assert Place(tmp_path / "out").changed() == []

    def test_it_can_be_asked_before_the_work(self, tmp_path):
        """What can't be saved need not be paid for; asking leaves no trace."""
        (tmp_path / "mine.txt").write_text("mine")
        with pytest.raises(InputError, match="holds other files"):
            Place(tmp_path).check()
        with pytest.raises(InputError, match=r"mine\.txt is there"):
            Place(tmp_path, force=True).check("mine.txt")
        Place(tmp_path, force=True).check()
        Place(tmp_path / "new" / "folder").check()
        assert texts(tmp_path) == {"mine.txt": "mine"}
        assert not (tmp_path / "new").exists()


class TestAFile:
    """The module alone, whose record lies elsewhere."""

    @pytest.fixture
    def record(self, tmp_path):
        return tmp_path / "cache" / "record.json"

    def test_it_is_made_with_the_folders_above_it(self, tmp_path, record):
        """Like a package; no record is left beside it."""
        save_file(tmp_path / "out" / "a" / "kit.py", "x = 1\n", record=record)
        assert texts(tmp_path / "out") == {"a/kit.py": "x = 1\n"}
        assert list((tmp_path / "out" / "a").iterdir()) == [tmp_path / "out" / "a" / "kit.py"]

    def test_one_that_tdgen_wrote_is_replaced_as_it_is(self, tmp_path, record):
        """Nobody's work is in it."""
        path = tmp_path / "kit.py"
        save_file(path, "x = 1\n", record=record)
        save_file(path, "x = 2\n", record=record)
        assert path.read_text() == "x = 2\n"

    def test_one_that_was_changed_needs_the_word_for_it(self, tmp_path, record):
        """Overwriting."""
        path = tmp_path / "kit.py"
        save_file(path, "x = 1\n", record=record)
        path.write_text("x = 'mine'\n")
        for act in (lambda: check_file(path, record=record), lambda: save_file(path, "x = 2\n", record=record)):
            with pytest.raises(InputError, match=r"was changed since tdgen wrote it: .* --overwrite"):
                act()
        save_file(path, "x = 2\n", record=record, overwrite=True)
        assert path.read_text() == "x = 2\n"

    @pytest.mark.parametrize("content", [b"mine", b"\xff\x00"])
    def test_one_that_tdgen_never_wrote_is_not_replaced(self, tmp_path, record, content):
        """With no word."""
        path = tmp_path / "kit.py"
        path.write_bytes(content)
        for overwrite in (False, True):
            with pytest.raises(InputError, match="is there, and not as tdgen wrote it"):
                check_file(path, record=record, overwrite=overwrite)
            with pytest.raises(InputError, match="is there, and not as tdgen wrote it"):
                save_file(path, "x = 1\n", record=record, overwrite=overwrite)
        assert path.read_bytes() == content

    def test_an_empty_one_has_nothing_to_lose(self, tmp_path, record):
        """Such as mktemp makes."""
        path = tmp_path / "kit.py"
        path.touch()
        check_file(path, record=record)
        save_file(path, "x = 1\n", record=record)
        assert path.read_text() == "x = 1\n"

    def test_a_folder_is_no_file(self, tmp_path, record):
        """It is told."""
        with pytest.raises(InputError, match="is a folder, where a file is to be written"):
            save_file(tmp_path, "x = 1\n", record=record)

    def test_without_a_place_for_the_record_it_is_written_all_the_same(self, tmp_path):
        """Then it is replaced by nobody."""
        (tmp_path / "cache").write_text("no folder")
        for text in ("x = 1\n", "x = 1\n"):
            save_file(tmp_path / "kit.py", text, record=tmp_path / "cache" / "record.json")
        with pytest.raises(InputError, match="not as tdgen wrote it"):
            save_file(tmp_path / "kit.py", "x = 2\n", record=tmp_path / "cache" / "record.json")
        assert (tmp_path / "kit.py").read_text() == "x = 1\n"
