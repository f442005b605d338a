"""Texts a second through the folder's store and through a redis-server on this machine, side by side.

A text has the size of a small kept solution. `make bench-store` runs it; a redis-server must be installed.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path

from tdgen.cache import DiskStore
from tdgen.errors import StoreError
from tdgen.protocols import Store
from tdgen.team.redis import RedisStore

LINES = 10_000
TEXT = "x" * 20_000


def rate(store: Store, keys: Iterable[str], *, writing: bool) -> float:
    """Keys a second, one after the other."""
    began, count = time.perf_counter(), 0
    for key in keys:
        if writing:
            store.put(key, TEXT)
        elif store.get(key) != TEXT:
            raise SystemExit(f"{key} did not come back")
        count += 1
    return count / (time.perf_counter() - began)


def show(name: str, store: Store) -> None:
    """Print how fast `store` writes and reads."""
    keys = [f"solution/{number}" for number in range(LINES)]
    written = rate(store, keys, writing=True)
    print(f"{name}: {written:,.0f} written a second, {rate(store, keys, writing=False):,.0f} read a second")


def main() -> None:
    """Measure both stores."""
    found = shutil.which("redis-server")
    if not found:
        raise SystemExit("there is no redis-server here: .ci/redis installs it on Debian")
    with tempfile.TemporaryDirectory() as folder:
        print(f"{LINES:,} texts of {len(TEXT):,} characters, one at a time")
        with closing(DiskStore(Path(folder) / "cache")) as disk:
            show("diskcache", disk)
        server = subprocess.Popen(
            [found, "--port", "0", "--unixsocket", f"{folder}/s", "--save", "", "--dir", folder],
            stdout=subprocess.DEVNULL,
        )
        try:
            with closing(RedisStore(f"unix://{folder}/s", b"a team's key")) as shared:
                for _ in range(100):
                    with suppress(StoreError):
                        shared.get("ready")
                        break
                    time.sleep(0.05)
                show("Redis, signed", shared)
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
