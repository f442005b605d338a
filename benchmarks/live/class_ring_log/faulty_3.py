"""A container of the newest items."""

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


def _checked(capacity: int) -> int:
    if capacity < 1:
        raise ValueError("capacity must be at least 1")
    return capacity


class Ring(Generic[T]):
    """The newest items, oldest first."""

    __hash__ = None

    def __init__(self, capacity: int) -> None:
        self._capacity = _checked(capacity)
        self._items: list[T] = []

    @classmethod
    def of(cls, items: Iterable[T], capacity: int | None = None) -> "Ring[T]":
        """A ring with these items."""
        items = list(items)
        ring = cls(len(items) if capacity is None else capacity)
        for item in items:
            ring.push(item)
        return ring

    @property
    def capacity(self) -> int:
        return self._capacity

    def push(self, item: T) -> T | None:
        """Add an item; what falls out."""
        self._items.append(item)
        if len(self._items) >= self._capacity:
            return self._items.pop(0)
        return None

    def resize(self, capacity: int) -> list[T]:
        """Change the capacity; what falls out."""
        self._capacity = _checked(capacity)
        surplus = max(0, len(self._items) - capacity)
        gone = self._items[:surplus]
        del self._items[:surplus]
        return gone

    def map(self, function: Callable[[T], U]) -> "Ring[U]":
        """A ring of what the function makes of the items."""
        return Ring.of([function(item) for item in self._items], self._capacity)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __getitem__(self, index):
        return self._items[index]

    def __setitem__(self, index: int, item: T) -> None:
        self._items[index] = item

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ring):
            return NotImplemented
        return self._capacity == other._capacity and self._items == other._items

    def __repr__(self) -> str:
        return f"Ring({self._items!r}, capacity={self._capacity})"
