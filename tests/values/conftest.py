"""Declared types as a plan would share them, and a strategy for every value that Python people return."""

from __future__ import annotations

import collections
import datetime as dt
import enum
import string
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from ipaddress import ip_network
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import SimpleNamespace
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import pytest
from hypothesis import strategies as st


@dataclass
class Point:
    x: Any
    y: Any = 0


@dataclass(frozen=True, slots=True)
class Size:
    width: Any


class Span(NamedTuple):
    start: Any
    end: Any


class Color(enum.Enum):
    RED = 1
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Word(enum.StrEnum):
    YES = "yes"


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class EmptyError(ValueError):
    pass


TYPES = (Point, Size, Span, Color, Level, Word, Access, EmptyError)


@pytest.fixture(scope="session")
def types() -> SimpleNamespace:
    """The declared types by name."""
    return SimpleNamespace(**{cls.__name__: cls for cls in TYPES})


@pytest.fixture(scope="session")
def namespace() -> dict[str, Any]:
    """A module's namespace that has the declared types."""
    return {cls.__name__: cls for cls in TYPES}


_zones = st.sampled_from(
    [None, dt.UTC, dt.timezone(dt.timedelta(hours=5, minutes=45), "NPT"), ZoneInfo("Europe/Paris")]
)
_texts = st.text(max_size=8) | st.text(st.characters(categories=["Cs", "Cc", "Lo"]), max_size=4)
_hashable = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-(10**400), max_value=10**400),
    st.floats(),
    _texts,
    st.binary(max_size=8),
    st.complex_numbers(),
    st.decimals().filter(lambda number: not number.is_snan()) | st.just(Decimal("-0E+5")),
    st.fractions(),
    st.dates(),
    st.datetimes(timezones=_zones) | st.datetimes().map(lambda at: at.replace(fold=1)),
    st.times(timezones=st.sampled_from([None, dt.UTC])),
    st.timedeltas(),
    st.uuids(),
    st.ip_addresses() | st.just(ip_network("10.0.0.0/8")),
    st.sampled_from([Path("a/b"), PurePosixPath("/x"), PureWindowsPath("C:/y"), range(3), range(10**30, 0, -7), ...]),
    st.sampled_from([*Color, *Level, *Word, Access.READ | Access.WRITE, Access(0), int, ValueError, Point]),
)
_scalars = _hashable | st.just(Decimal("sNaN"))  # which no set or dict takes
_names = st.text(string.ascii_letters, min_size=1, max_size=3)


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = _hashable | st.tuples(_hashable, _hashable) | st.frozensets(_hashable, max_size=2)
    return st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        st.sets(keys, max_size=3),
        st.frozensets(keys, max_size=3),
        st.dictionaries(keys, inner, max_size=3),
        st.dictionaries(_names, inner, max_size=3).map(collections.OrderedDict),
        st.dictionaries(keys, inner, max_size=3).map(lambda d: collections.defaultdict(list, d)),
        st.lists(_names, max_size=4).map(collections.Counter),
        st.lists(inner, max_size=3).map(lambda items: collections.deque(items, maxlen=5)),
        st.builds(Point, inner, inner),
        st.builds(Size, inner),
        st.builds(Span, inner, inner),
        st.binary(max_size=4).map(bytearray),
        st.lists(inner, max_size=3).map(lambda items: [*items, *items]),
    )


@pytest.fixture(scope="session")
def values() -> st.SearchStrategy[Any]:
    """Values of every kind that a round trip must keep, nested; none of them an iterator or opaque."""
    return st.recursive(_scalars, _nested, max_leaves=8)


def _same(left: Any, right: Any) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, float | complex | Decimal | Fraction) and not isinstance(left, Fraction):
        return repr(left) == repr(right)
    if isinstance(left, collections.deque) and left.maxlen != right.maxlen:
        return False
    if isinstance(left, list | tuple | collections.deque):
        return len(left) == len(right) and all(map(_same, left, right))
    if isinstance(left, dict):
        return _same([list(pair) for pair in left.items()], [list(pair) for pair in right.items()])
    if isinstance(left, set | frozenset):
        return len(left) == len(right) and sorted(map(repr, left)) == sorted(map(repr, right))
    if isinstance(left, Point | Size):
        return all(_same(getattr(left, n), getattr(right, n)) for n in left.__dataclass_fields__)
    return bool(left == right) and repr(left) == repr(right)


@pytest.fixture(scope="session")
def same() -> Any:
    """Equal in value, in type at every depth, in a dict's order, and NaN the same as NaN."""
    return _same
