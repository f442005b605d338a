"""Texts by key in a folder: the Store that tdgen has.

Each text has its digest beside it: a row that doesn't match was damaged or tampered with, and counts as absent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tdgen.cache.disk import CorruptStore, RefusedRow, cache_folder, explained, file_name, open_cache, prepare
from tdgen.errors import Cancelled, StoreError

_DIGEST_LENGTH = 64


def open_store(cache_dir: str = "") -> DiskStore:
    """The store in `cache_dir`, or in the user's default folder.

    StoreError, in one line, where it can't be written, is damaged, or is of a later version.
    """
    return DiskStore(cache_folder(cache_dir))


class DiskStore:
    """Texts kept in a folder of mode 0700 by diskcache, without eviction. Implements `tdgen.protocols.Store`."""

    def __init__(self, folder: Path) -> None:
        """Open `folder`, making it where it is not there; StoreError where it can't be used."""
        self.folder = prepare(folder)
        with explained(self.folder):
            self._cache = open_cache(self.folder)

    def get(self, key: str) -> str | None:
        """The text kept under `key`; None where there is none, or one that isn't what was put there."""
        with explained(self.folder):
            try:
                row: bytes | None = self._cache.get(key)
            except RefusedRow:
                return None
        content = row[_DIGEST_LENGTH:] if row is not None else b""
        if row is None or hashlib.sha256(content).hexdigest().encode("ascii") != row[:_DIGEST_LENGTH]:
            return None
        return content.decode("utf-8", "surrogatepass")

    def put(self, key: str, text: str) -> None:
        """Keep `text` under `key`; StoreError where the disk is full or can't be written."""
        content = text.encode("utf-8", "surrogatepass")
        with explained(self.folder):
            self._cache.set(key, hashlib.sha256(content).hexdigest().encode("ascii") + content)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Have what this thread writes here reach the disk at once, or nothing of it; others that write wait."""
        with explained(self.folder), self._cache.transact(retry=True):
            yield

    def delete(self, key: str) -> bool:
        """Forget `key`; whether there was something to forget."""
        with explained(self.folder):
            return bool(self._cache.delete(key))

    def keys(self, prefix: str = "") -> Iterator[str]:
        """All keys that start with `prefix`, sorted."""
        with explained(self.folder):
            keys = sorted(key for key in self._cache.iterkeys() if key is not None and key.startswith(prefix))
        return iter(keys)

    @contextmanager
    def lock(
        self, key: str, is_cancelled: Callable[[], bool] | None = None, on_lost: Callable[[], None] = lambda: None
    ) -> Iterator[None]:
        """Hold `key` alone among all threads and processes. Not reentrant; a holder that dies lets go.

        Cancelled where `is_cancelled` says so while others hold it. It is never lost.
        """
        from filelock import FileLock, Timeout

        # A new FileLock each time: one that is shared counts its acquisitions, and lets a second thread in.
        guard = FileLock(self.folder / "locks" / f"{file_name(key)}.lock", thread_local=False)
        with explained(self.folder):
            try:
                guard.acquire(cancel_check=is_cancelled)
            except Timeout:
                raise Cancelled from None
        try:
            yield
        finally:
            guard.release()

    def verify(self) -> list[str]:
        """The keys whose row is damaged or was never written by tdgen; a key that isn't text shows as `(no text)`."""
        with explained(self.folder):
            keys = list(self._cache.iterkeys())
        return ["(no text)" if key is None else key for key in keys if key is None or self.get(key) is None]

    def clear(self) -> int:
        """Forget everything; how many rows that were."""
        with explained(self.folder):
            return int(self._cache.clear())

    def close(self) -> None:
        """Let go of this thread's connection to the database; the store opens another when it is used again."""
        self._cache.close()


def clear_folder(folder: Path) -> int:
    """Forget all that is cached in `folder`, also where it is damaged or the disk is full; how many rows or files.

    The journal in `runs/` stays. StoreError where the folder is not ours, can't be written, or is of a later version.
    """
    with explained(folder):
        if not folder.exists():
            return 0
        with suppress(CorruptStore):
            prepare(folder)
        try:
            with closing(DiskStore(folder)) as store:
                return store.clear()
        except StoreError:
            # A database that can't be opened can still be removed; what is linked to from here stays.
            hexadecimal = "[0-9a-f][0-9a-f]"
            texts = [
                path
                for path in folder.glob(f"{hexadecimal}/{hexadecimal}/*.val")
                if path.parent.resolve() == folder.resolve() / path.parent.relative_to(folder)
            ]
            files = [*folder.glob("cache.db*"), *texts, folder / "FORMAT"]
            for path in files:
                path.unlink(missing_ok=True)
            return len(files)
