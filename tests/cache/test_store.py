"""A store keeps texts between processes, tells damage from absence, and lets one holder at a key."""

import os
import signal
import sqlite3
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import filelock
import pytest

from tdgen.cache import DiskStore, clear_folder, open_store
from tdgen.errors import StoreError
from tdgen.protocols import Store

TEXTS = ["", "plain", "ünïcode \N{SNOWMAN}", "\ud800 alone", "a\r\nb\0c", "x" * 3_000_000]


@pytest.fixture
def any_store(tmp_path: Path) -> Iterator[Store]:
    """The store that there is, as the protocol has it."""
    with closing(DiskStore(tmp_path / "cache")) as store:
        yield store


class TestEveryStore:
    """What the protocol promises."""

    @pytest.mark.parametrize("text", TEXTS, ids=[text[:8].encode("unicode_escape").decode() or "-" for text in TEXTS])
    def test_a_text_comes_back_as_it_was(self, any_store: Store, text: str):
        """Whatever its characters and its length."""
        any_store.put("key", text)
        assert any_store.get("key") == text

    def test_an_unknown_key_is_none(self, any_store: Store):
        """Nothing kept is no error."""
        assert any_store.get("nothing") is None

    def test_a_second_put_replaces(self, any_store: Store):
        """The last text counts."""
        any_store.put("key", "old")
        any_store.put("key", "new")
        assert any_store.get("key") == "new"
        assert list(any_store.keys()) == ["key"]

    def test_delete_says_whether_there_was_something(self, any_store: Store):
        """Forgetting twice is allowed."""
        any_store.put("key", "text")
        assert any_store.delete("key") is True
        assert any_store.delete("key") is False
        assert any_store.get("key") is None

    def test_keys_are_sorted_and_by_prefix(self, any_store: Store):
        """A prefix is a prefix: it is no pattern."""
        for key in ("b/2", "a/1", "b/1", "b%", "é/1"):
            any_store.put(key, "text")
        assert list(any_store.keys("b/")) == ["b/1", "b/2"]
        assert list(any_store.keys()) == ["a/1", "b%", "b/1", "b/2", "é/1"]
        assert list(any_store.keys("%")) == []

    def test_many_large_texts_are_all_kept(self, any_store: Store):
        """Nothing is evicted."""
        for number in range(200):
            any_store.put(str(number), f"{number}" * 20_000)
        assert all(any_store.get(str(number)) == f"{number}" * 20_000 for number in range(200))

    def test_threads_hold_a_key_one_at_a_time(self, any_store: Store):
        """No update is lost where each reads, and then writes, under the key's lock."""
        any_store.put("count", "0")

        def add() -> None:
            for _ in range(20):
                with any_store.lock("count"):
                    any_store.put("count", str(int(any_store.get("count") or 0) + 1))

        threads = [threading.Thread(target=add) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert any_store.get("count") == "80"

    def test_different_keys_do_not_wait_for_each_other(self, any_store: Store):
        """Somebody who holds one key may take another."""
        with any_store.lock("one"), any_store.lock("two"):
            pass

    def test_a_lock_is_let_go_when_its_work_fails(self, any_store: Store):
        """An exception passes through, and the key is free again."""
        with pytest.raises(ZeroDivisionError), any_store.lock("key"):
            raise ZeroDivisionError
        with any_store.lock("key"):
            pass


ALONE = """
import sys, time
from pathlib import Path
from tdgen.cache import DiskStore
folder, go, inside = map(Path, sys.argv[1:])
store = DiskStore(folder)
print("ready", flush=True)
while not go.exists():
    time.sleep(0.001)
for _ in range(25):
    with store.lock("key"):
        inside.touch(exist_ok=False)
        time.sleep(0.002)
        inside.unlink()
        store.put("count", str(int(store.get("count") or 0) + 1))
"""

HOLD = """
import sys, time
from pathlib import Path
from tdgen.cache import DiskStore
with DiskStore(Path(sys.argv[1])).lock("key"):
    print("held", flush=True)
    time.sleep(100)
"""

OPEN = """
import sys
from pathlib import Path
from tdgen.cache import DiskStore
store = DiskStore(Path(sys.argv[1]))
store.put(sys.argv[2], "text " + sys.argv[2])
print(store.get(sys.argv[2]))
"""


class TestBetweenProcesses:
    """Real processes at one folder."""

    def test_two_processes_hold_a_key_one_at_a_time(self, store: DiskStore, tmp_path: Path, start):
        """Neither meets the other inside, and no update is lost."""
        go, inside = tmp_path / "go", tmp_path / "inside"
        processes = [start(ALONE, store.folder, go, inside) for _ in range(2)]
        assert [process.stdout.readline() for process in processes] == ["ready\n"] * 2
        go.touch()
        assert [(process.communicate()[0], process.returncode) for process in processes] == [("", 0), ("", 0)]
        assert store.get("count") == "50"

    def test_a_holder_that_is_killed_lets_go(self, store: DiskStore, start):
        """The end by kill -9 frees its key; until then nobody else gets it."""
        holder = start(HOLD, store.folder)
        assert holder.stdout.readline() == "held\n"
        (path,) = (store.folder / "locks").iterdir()
        with pytest.raises(filelock.Timeout):
            filelock.FileLock(path).acquire(timeout=0)
        holder.send_signal(signal.SIGKILL)
        with store.lock("key"):
            pass

    def test_many_processes_open_a_new_folder_at_once(self, tmp_path: Path, start):
        """None of them stumbles over a folder that another is just making."""
        processes = [start(OPEN, tmp_path / "cache", number) for number in range(6)]
        assert [process.communicate()[0] for process in processes] == [f"text {number}\n" for number in range(6)]

    def test_what_one_process_put_another_gets(self, store: DiskStore, start):
        """Also while the first has its store open."""
        start(OPEN, store.folder, "theirs").wait()
        assert store.get("theirs") == "text theirs"


class TestAudit:
    """Each text has its digest beside it."""

    def damage(self, store: DiskStore, key: str) -> None:
        with closing(sqlite3.connect(store.folder / "cache.db")) as database, database:
            database.execute("UPDATE Cache SET value = value || ? WHERE key = ?", (b"!", key))

    def test_a_text_that_was_changed_counts_as_absent(self, store: DiskStore):
        """And can be put anew."""
        store.put("key", "text")
        self.damage(store, "key")
        assert store.get("key") is None
        store.put("key", "text")
        assert store.get("key") == "text"

    def test_verify_names_the_damaged_rows_alone(self, store: DiskStore):
        """Sound rows, short and long, are not reported."""
        for key in ("bad", "good"):
            store.put(key, "text")
        store.put("long", "x" * 3_000_000)
        self.damage(store, "bad")
        assert store.verify() == ["bad"]

    def test_a_file_that_is_gone_counts_as_absent(self, store: DiskStore):
        """The row of a long text without its file is reported too."""
        store.put("long", "x" * 3_000_000)
        for path in store.folder.glob("*/*/*.val"):
            path.unlink()
        assert store.get("long") is None
        assert store.verify() == ["long"]


CAPPED = """
import resource, sys
from pathlib import Path
from tdgen.cache import DiskStore
store = DiskStore(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
store.put("long", "x" * 3_000_000)
"""

CLEAR_WITHOUT_SPACE = """
import resource, sys
from pathlib import Path
from tdgen.cache import clear_folder
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
clear_folder(Path(sys.argv[1]))
"""

DROP_RIGHTS = """
import encodings.ascii, os, sys, sqlite3, diskcache, filelock
from pathlib import Path
from tdgen.cache import open_store
from tdgen.errors import StoreError
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
folder = Path(sys.argv[1])
if sys.argv[2] == "filled":
    open_store(str(folder)).put("key", "text")
for path in (*folder.rglob("*"), folder):
    path.chmod(0o500 if path.is_dir() else 0o400)
try:
    open_store(str(folder))
except StoreError as error:
    print(error)
for path in (folder, *folder.rglob("*")):
    path.chmod(0o700)
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that a process without rights can reach; it belongs to that process."""
    with tempfile.TemporaryDirectory() as parent:
        Path(parent).chmod(0o755)
        folder = Path(parent) / "cache"
        folder.mkdir()
        if os.geteuid() == 0:
            os.chown(folder, 65534, 65534)
        yield folder


class TestTrouble:
    """Each kind of unusable folder has its one line."""

    def refusal(self, folder: Path) -> str:
        with pytest.raises(StoreError) as caught:
            open_store(str(folder))
        assert "\n" not in str(caught.value)
        return str(caught.value)

    def test_a_later_version(self, store: DiskStore):
        """It says which, and what to do."""
        (store.folder / "FORMAT").write_text("3\n")
        assert self.refusal(store.folder) == (
            f"the cache in {store.folder} was written by a later tdgen (format 3, this one reads 1): "
            "upgrade tdgen or set --cache-dir"
        )

    def test_a_later_version_is_not_cleared(self, store: DiskStore):
        """Its layout is not ours to know."""
        (store.folder / "FORMAT").write_text("3\n")
        with pytest.raises(StoreError, match="later tdgen"):
            clear_folder(store.folder)

    @pytest.mark.parametrize("content", [b"", b"x" * 5000, b"SQLite format 3\0" + b"\xff" * 5000])
    def test_a_database_that_is_none(self, store: DiskStore, content: bytes):
        """A damaged database is named, with the way out; an empty one is a new one."""
        store.put("key", "text")
        store.close()
        for path in store.folder.glob("cache.db*"):
            path.unlink()
        (store.folder / "cache.db").write_bytes(content)
        if not content:
            with closing(open_store(str(store.folder))) as opened:
                assert opened.get("key") is None
            return
        assert f"the cache in {store.folder} is damaged" in self.refusal(store.folder)
        assert "`tdgen cache clear --all`" in self.refusal(store.folder)

    def test_a_database_damaged_in_the_middle(self, store: DiskStore):
        """A page overwritten while it is in use is damage too, not a traceback."""
        for number in range(50):
            store.put(str(number), "text" * 1000)
        store.close()
        path = store.folder / "cache.db"
        content = bytearray(path.read_bytes())
        content[4096 * 2 :] = b"\xaa" * (len(content) - 4096 * 2)
        path.write_bytes(content)

        def read() -> None:
            with closing(open_store(str(store.folder))) as opened:
                for number in range(50):
                    opened.get(str(number))

        with pytest.raises(StoreError, match="damaged"):
            read()

    def test_an_unreadable_format(self, store: DiskStore):
        """A FORMAT file that holds no number is damage."""
        (store.folder / "FORMAT").write_bytes(b"\xff\xfe")
        assert "FORMAT file is unreadable" in self.refusal(store.folder)

    def test_a_file(self, tmp_path: Path):
        """A path that is a file is said to be one."""
        (tmp_path / "file").write_text("")
        assert self.refusal(tmp_path / "file").endswith("that is a file: set --cache-dir to a folder")

    def test_a_path_below_a_file(self, tmp_path: Path):
        """So is one whose parent is a file."""
        (tmp_path / "file").write_text("")
        assert "Not a directory" in self.refusal(tmp_path / "file" / "cache")

    def test_somebody_elses_files(self, tmp_path: Path):
        """A folder that holds other files is left alone, its mode included."""
        (tmp_path / "thesis.tex").write_text("")
        tmp_path.chmod(0o755)
        assert "holds other files (thesis.tex)" in self.refusal(tmp_path)
        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
        with pytest.raises(StoreError, match=r"thesis\.tex"):
            clear_folder(tmp_path)

    def test_what_compilers_left_there_first(self, tmp_path: Path):
        """Headers that were read before anything was cached are none of somebody else's files."""
        (tmp_path / "headers" / "g++-0").mkdir(parents=True)
        DiskStore(tmp_path).close()
        assert (tmp_path / "FORMAT").exists()

    @pytest.mark.parametrize("name", ["a\0b", "x" * 300, "$HOME"])
    def test_a_name_that_can_not_be(self, tmp_path: Path, name: str):
        """NUL, too long a name, and what diskcache would read as a variable."""
        self.refusal(tmp_path / name)

    @pytest.mark.parametrize("state", ["empty", "filled"])
    def test_a_folder_that_can_not_be_written(self, open_folder: Path, start, state: str):
        """Whether it holds a cache already or not."""
        said = start(DROP_RIGHTS, open_folder, state).communicate()[0]
        assert said == f"the cache in {open_folder} can't be written: set --cache-dir to a folder that can\n"

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
    def test_a_folder_of_another_user(self, open_folder: Path):
        """Who owns the folder could plant solutions."""
        assert "belongs to another user" in self.refusal(open_folder)

    def test_a_database_that_is_full(self, store: DiskStore):
        """A put that finds no space says so, and what was there stays."""
        store.put("old", "text")
        ((pages,),) = store._cache._sql("PRAGMA page_count").fetchall()
        store._cache._sql(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="is full: free some space") as caught:
            store.put("new", "x" * 500_000)
        assert "\n" not in str(caught.value)
        assert store.get("old") == "text"
        assert store.get("new") is None

    def test_a_disk_that_is_full(self, tmp_path: Path, start):
        """The same where a long text's file finds no space, of which no half is left."""
        said = start(CAPPED, tmp_path / "cache").communicate()[0]
        assert f"StoreError: the disk of the cache in {tmp_path / 'cache'} is full" in said
        assert not list((tmp_path / "cache").rglob("*.val"))

    def test_a_database_that_stays_locked(self, store: DiskStore):
        """Another process that never ends its transaction is told apart from damage."""
        store._cache.close()
        store._cache._timeout = 0
        with closing(sqlite3.connect(store.folder / "cache.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="busy"):
                store.put("key", "text")


class TestFolder:
    """The folder is private and can be emptied."""

    def test_the_folder_is_shut_to_others(self, tmp_path: Path):
        """Mode 0700, also where an empty folder was there before with another."""
        (tmp_path / "there").mkdir(mode=0o755)
        for name in ("new", "there"):
            open_store(str(tmp_path / name)).close()
            assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o700

    def test_clearing_forgets_everything_but_the_journal(self, store: DiskStore):
        """Short and long texts go, runs stay; the count is of texts."""
        store.put("short", "text")
        store.put("long", "x" * 3_000_000)
        (store.folder / "runs").mkdir()
        assert clear_folder(store.folder) == 2
        assert list(store.keys()) == []
        assert not list(store.folder.rglob("*.val"))
        assert (store.folder / "runs").is_dir()

    def test_clearing_repairs_a_damaged_cache(self, store: DiskStore):
        """After it the folder opens again."""
        store.put("long", "x" * 3_000_000)
        store.close()
        for path in store.folder.glob("cache.db*"):
            path.write_bytes(b"x" * 5000)
        clear_folder(store.folder)
        assert not list(store.folder.rglob("*.val"))
        with closing(open_store(str(store.folder))) as again:
            assert list(again.keys()) == []

    def test_clearing_needs_no_space(self, store: DiskStore, start):
        """A full disk is a good reason to clear."""
        store.put("long", "x" * 3_000_000)
        store.close()
        clearing = start(CLEAR_WITHOUT_SPACE, store.folder)
        assert (clearing.communicate()[0], clearing.returncode) == ("", 0)
        assert sorted(path.name for path in store.folder.rglob("*") if path.is_file()) == []

    def test_clearing_a_damaged_cache_stays_inside(self, store: DiskStore, tmp_path: Path):
        """What a link in it leads to is not removed."""
        outside = tmp_path / "outside" / "cd" / "kept.val"
        outside.parent.mkdir(parents=True)
        outside.write_text("kept")
        (store.folder / "ab").symlink_to(tmp_path / "outside")
        (store.folder / "FORMAT").write_text("?")
        clear_folder(store.folder)
        assert outside.exists()

    def test_clearing_a_folder_that_is_not_there(self, tmp_path: Path):
        """Nothing to do, and nothing is made."""
        assert clear_folder(tmp_path / "none") == 0
        assert not (tmp_path / "none").exists()

    def test_the_default_folder_is_used(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        """Without a folder the user's own is taken."""
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        with closing(open_store()) as store:
            assert store.folder == tmp_path / "tdgen"
