"""What tests have in place of what is elsewhere: an index of packages, a team's Redis, a user's module."""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tdgen.errors import Cancelled, LostLock
from tdgen.types import Target

PRICES = '''"""Prices."""

from .money import Money


@cached
def total(items, rate=0):  # called by the till
    """What all items cost."""
    raise NotImplementedError


class Cart:
    """What somebody buys."""

    def __init__(self):
        self.items = []  # in order

    def add(self, item):
        """Take one in."""
        ...

    def count(self):
        return len(self.items)
'''
TARGET = Target(module="shop.pricing", path="shop/pricing.py", source=PRICES, units={"total": (), "Cart": ("add",)})


class Wheels:
    """A folder of wheels that pip finds in place of an index."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(
        self, name: str, version: str = "1.0", needs: Sequence[str] = (), tag: str = "py3-none-any", **modules: str
    ) -> None:
        """A wheel of the distribution `name` with these modules' sources."""
        stem = f"{name.replace('-', '_')}-{version}"
        info = f"{stem}.dist-info"
        files = {f"{module}.py": source for module, source in modules.items()}
        files[f"{info}/METADATA"] = "\n".join(
            ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {n}" for n in needs)]
        )
        files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n"
        record = "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"])
        with zipfile.ZipFile(self.folder / f"{stem}-{tag}.whl", "w") as archive:
            for file, text in (files | {f"{info}/RECORD": record}).items():
                archive.writestr(file, text)


class TeamServer:
    """What a Redis keeps for a team, in a dict; `error`, where it is set, is raised by whatever is asked of it.

    Each answer is said to be slow where `is_slow`. `lose` has the lock that was taken last be lost.
    """

    address = "redis.test:6379"

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.error: Exception | None = None
        self.note: Callable[[str], None] = lambda text: None
        self.on_slow: Callable[[], None] = lambda: None
        self.is_slow = False
        self.asked = 0
        self.locked = 0
        self.lose: Callable[[], object] = lambda: None

    @property
    def held(self) -> dict[str, str]:
        return {}

    def get(self, key: str) -> str | None:
        self._answer()
        return self.texts.get(key)

    def get_many(self, keys: Sequence[str]) -> list[str | None]:
        self._answer()
        return [self.texts.get(key) for key in keys]

    def keys(self, prefix: str = "") -> Iterator[str]:
        self._answer()
        return iter(sorted(key for key in self.texts if key.startswith(prefix)))

    def put(self, key: str, text: str, *, under: Any = None, ttl_s: float | None = None) -> None:
        self._answer()
        self.texts[key] = text

    def delete(self, key: str, *, under: Any = None) -> bool:
        self._answer()
        return self.texts.pop(key, None) is not None

    @contextmanager
    def lock(self, key: str, is_cancelled: Any = None, on_lost: Any = None) -> Iterator[None]:
        self._answer()
        is_lost = threading.Event()
        self.lose = lambda: (is_lost.set(), on_lost())
        self.locked += 1
        try:
            yield
        except Cancelled:
            raise LostLock if is_lost.is_set() else Cancelled from None

    def close(self) -> None:
        pass

    def _answer(self) -> None:
        self.asked += 1
        if self.error is not None:
            raise self.error
        if self.is_slow:
            self.on_slow()
