"""Whoever can write the database can neither run code here nor have other files read or deleted.

The cache lies where the platform keeps such things.
"""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import diskcache
import pytest

from tdgen.cache import DiskStore, default_folder
from tdgen.cache.disk import ConfinedDisk, RefusedRow
from tdgen.errors import StoreError


class Bomb:
    """Unpickling this makes a file: proof that code ran."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self):
        return (Path.touch, (self.marker,))


@contextmanager
def database(folder: Path) -> Iterator[sqlite3.Connection]:
    """The cache's database, as an attacker has it."""
    with closing(sqlite3.connect(folder / "cache.db")) as connection, connection:
        yield connection


def plant(folder: Path, key: object, *, raw: int = 1, mode: int, filename: str | None = None, value: object = None):
    """Put a row into the cache's database behind tdgen's back."""
    columns = "key, raw, store_time, access_time, mode, filename, value"
    with database(folder) as connection:
        connection.execute(
            f"INSERT INTO Cache ({columns}) VALUES (?, ?, 0, 0, ?, ?, ?)", (key, raw, mode, filename, value)
        )


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """A file that is only there where planted code ran."""
    return tmp_path / "code-ran"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file outside the cache's folder."""
    path = tmp_path / "secret.val"
    path.write_bytes(b"outside")
    return path


def test_the_plants_are_real(tmp_path: Path, marker: Path, secret: Path):
    """With diskcache's own Disk each of these plants works: what the other tests refuse is no fancy."""
    with diskcache.Cache(str(tmp_path / "plain")) as cache:
        plant(tmp_path / "plain", "pickled", mode=4, value=pickle.dumps(Bomb(marker)))
        plant(tmp_path / "plain", "absolute", mode=2, filename=str(secret))
        cache.get("pickled")
        assert marker.exists()
        assert cache.get("absolute") == b"outside"


def test_a_planted_pickle_is_not_loaded(store: DiskStore, marker: Path):
    """A row with mode 4 counts as absent, and its pickle does not run."""
    plant(store.folder, "planted", mode=4, value=pickle.dumps(Bomb(marker)))
    assert store.get("planted") is None
    assert store.verify() == ["planted"]
    assert not marker.exists()


def test_a_pickle_in_a_file_is_not_loaded(store: DiskStore, marker: Path):
    """Neither does one that lies in a file of the folder."""
    name = f"ab/cd/{'0' * 28}.val"
    (store.folder / name).parent.mkdir(parents=True)
    (store.folder / name).write_bytes(pickle.dumps(Bomb(marker)))
    plant(store.folder, "planted", mode=4, filename=name)
    assert store.get("planted") is None
    assert not marker.exists()


def test_a_pickled_key_is_not_loaded(store: DiskStore, marker: Path):
    """A key with raw 0 is not unpickled, and doesn't hide the other keys from a listing."""
    store.put("honest", "text")
    plant(store.folder, pickle.dumps(Bomb(marker)), raw=0, mode=1, value=b"")
    assert list(store.keys()) == ["honest"]
    assert store.verify() == ["(no text)"]
    assert not marker.exists()


@pytest.mark.parametrize("name", ["{secret}", "../secret.val", "ab/../../secret.val", "/etc/passwd", ".", "cache.db"])
def test_a_file_outside_is_not_read(store: DiskStore, secret: Path, name: str):
    """A row whose file is named absolutely, by a way out of the folder, or is none of diskcache's, is absent."""
    plant(store.folder, "planted", mode=2, filename=name.format(secret=secret))
    with pytest.raises(RefusedRow):
        store._cache.get("planted")
    assert store.get("planted") is None


@pytest.mark.parametrize("linked", ["ab", "ab/cd", f"ab/cd/{'0' * 28}.val"])
def test_a_link_out_of_the_folder_is_not_followed(store: DiskStore, tmp_path: Path, linked: str):
    """A symbolic link at any step of a well-formed file name doesn't lead out."""
    name = f"ab/cd/{'0' * 28}.val"
    outside = tmp_path / "outside" / name
    outside.parent.mkdir(parents=True)
    outside.write_bytes(b"outside")
    link = store.folder / linked
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(tmp_path / "outside" / linked)
    plant(store.folder, "planted", mode=2, filename=name)
    with pytest.raises(RefusedRow):
        store._cache.get("planted")


@pytest.mark.parametrize("forget", [lambda store: store.delete("planted"), lambda store: store.clear()])
def test_a_file_outside_is_not_deleted(store: DiskStore, secret: Path, forget):
    """Deleting a planted row forgets the row and leaves the file that it names."""
    plant(store.folder, "planted", mode=2, filename="../secret.val")
    forget(store)
    assert "planted" not in store._cache
    assert secret.exists()


@pytest.mark.parametrize("mode", [0, 3, 4, 5])
def test_only_raw_and_binary_are_read(tmp_path: Path, mode: int):
    """Modes that tdgen does not write are refused, whatever they hold."""
    with pytest.raises(RefusedRow):
        ConfinedDisk(str(tmp_path)).fetch(mode, None, b"", read=False)


@pytest.mark.parametrize("value", ["text", 1, 1.0, None, ["pickled"]])
def test_only_bytes_are_written(tmp_path: Path, value: object):
    """A value that diskcache would pickle, or write in another mode, is refused."""
    with pytest.raises(RefusedRow):
        ConfinedDisk(str(tmp_path), min_file_size=10).store(value, read=False)


@pytest.mark.parametrize("key", [b"bytes", 1, ("pickled",)])
def test_only_text_is_a_key(tmp_path: Path, key: object):
    """A key that diskcache would pickle is refused."""
    with pytest.raises(RefusedRow):
        ConfinedDisk(str(tmp_path)).put(key)


@pytest.mark.parametrize(("name", "value"), [("_directory", "/etc"), ("disk_extra", 1), ("sqlite_mmap_size", "0; x")])
def test_planted_settings_are_refused(store: DiskStore, name: str, value: object):
    """The Settings table becomes attributes and pragmas of the cache: a row it doesn't write itself is damage."""
    with database(store.folder) as connection:
        connection.execute("INSERT OR REPLACE INTO Settings VALUES (?, ?)", (name, value))
    with pytest.raises(StoreError, match=f"strange setting '{name}'.*tdgen cache clear --all"):
        DiskStore(store.folder)


def test_reopening_keeps_the_disk_confined(store: DiskStore, marker: Path):
    """The Disk isn't remembered in the folder: every opening names it again."""
    plant(store.folder, "planted", mode=4, value=pickle.dumps(Bomb(marker)))
    again = DiskStore(store.folder)
    assert again.get("planted") is None
    assert not marker.exists()
    again.close()


@pytest.mark.parametrize(
    ("environ", "platform", "folder"),
    [
        ({"HOME": "/home/ann"}, "linux", "/home/ann/.cache/tdgen"),
        ({"HOME": "/home/ann", "XDG_CACHE_HOME": "/var/c"}, "linux", "/var/c/tdgen"),
        ({"HOME": "/home/ann", "XDG_CACHE_HOME": "relative"}, "linux", "/home/ann/.cache/tdgen"),
        ({"HOME": "/home/ann", "XDG_CACHE_HOME": ""}, "linux", "/home/ann/.cache/tdgen"),
        ({"HOME": "/Users/ann"}, "darwin", "/Users/ann/Library/Caches/tdgen"),
        ({"HOME": "/Users/ann", "XDG_CACHE_HOME": "/var/c"}, "darwin", "/var/c/tdgen"),
    ],
)
def test_the_platforms_custom(environ: dict[str, str], platform: str, folder: str):
    """XDG_CACHE_HOME where it is absolute, else the platform's folder in the user's home."""
    assert default_folder(environ, platform) == Path(folder)


def test_no_home(monkeypatch: pytest.MonkeyPatch):
    """A user without a home is told what to set."""

    def nowhere(_: object) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", classmethod(nowhere))
    with pytest.raises(StoreError, match="set --cache-dir"):
        default_folder({}, "linux")
