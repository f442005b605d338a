"""A small project of a user's: a package with two modules, a dataclass, stubs and tests."""

from pathlib import Path

import pytest

FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "src/shop/__init__.py": "from shop.orders import Order\n",
    "src/shop/orders.py": '''"""Orders."""

from dataclasses import dataclass, field
from enum import Enum


class Status(Enum):
    """How far an order is."""

    OPEN = 1
    SENT = 2


@dataclass(frozen=True)
class Line:
    """One line of an order.

    It never changes.
    """

    name: str
    cents: int
    _secret: int = 0


@dataclass
class Order:
    """What somebody wants."""

    lines: list[Line] = field(default_factory=list)
    status: Status = Status.OPEN

    def add(self, line: Line) -> None:
        """Add a line."""
        self.lines.append(line)
''',
    "src/shop/prices.py": '''"""Prices in cents."""

from __future__ import annotations

from shop import Order

RATE = 20


def _rounded(cents: float) -> int:
    return int(cents + 0.5)


def gross(order: Order, rate: int = RATE) -> int:
    """The sum of an order's lines in cents, with `rate` percent of tax, rounded half up."""
    raise NotImplementedError("later")


class Basket:
    """A basket that becomes an order."""

    def __init__(self, order: Order) -> None:
        self.order = order

    def total(self) -> int:
        """The gross sum of the order at the usual rate."""
        ...

    def bare(self): ...


def done(x):
    """It is done."""
    return x
''',
    "tests/test_prices.py": "from shop import prices\n\n\ndef test_rate():\n    assert prices.RATE == 20\n",
}


class Written:
    """The files of a project in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, files: dict[str, str | bytes]) -> Path:
        """Write files by their paths; the path of the last."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def __truediv__(self, name: str) -> Path:
        return self.root / name


@pytest.fixture
def bare(tmp_path: Path) -> Written:
    """A folder without files."""
    return Written(tmp_path.resolve())


@pytest.fixture
def shop(bare: Written) -> Written:
    """The small project."""
    bare.write(dict(FILES))
    return bare
