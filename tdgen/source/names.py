"""The well-known names that a case's source may use without importing them, and the module each one comes from.

One table for two readers: the sandbox resolves a case's free names by it, and the renderer writes the import lines of
the pytest file by it, so that both mean the same. A name that is also a module of the standard library (`datetime`)
means the class, except where one of the module's own names follows the dot (`datetime.date(...)`). Where a plan allows
their packages, numpy and pandas are known too, as `np` and `pd` as well, and the client that tests a web application.

This file is shipped as it is into the sandbox: standard library only, nothing of tdgen, Python 3.9 and later.
"""

from __future__ import annotations

import sys

_BY_MODULE = {
    "abc": "ABC abstractmethod",
    "collections": "ChainMap Counter OrderedDict defaultdict deque namedtuple",
    "collections.abc": "AsyncIterator Awaitable Collection Coroutine Generator Hashable ItemsView Iterable Iterator "
    "KeysView Mapping MutableMapping MutableSequence MutableSet Reversible Sequence Sized ValuesView",
    "contextlib": "asynccontextmanager contextmanager nullcontext redirect_stderr redirect_stdout suppress",
    "copy": "deepcopy",
    "dataclasses": "asdict astuple dataclass field fields is_dataclass",
    "datetime": "date datetime timedelta timezone tzinfo",
    "decimal": "Decimal InvalidOperation ROUND_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP getcontext localcontext",
    "enum": "Enum Flag IntEnum IntFlag StrEnum auto",
    "fractions": "Fraction",
    "functools": "cached_property cmp_to_key lru_cache partial partialmethod reduce singledispatch"
    " singledispatchmethod total_ordering wraps",
    "heapq": "heapify heappop heappush nlargest nsmallest",
    "io": "BytesIO StringIO",
    "ipaddress": "IPv4Address IPv4Network IPv6Address IPv6Network ip_address ip_network",
    "itertools": "accumulate chain combinations combinations_with_replacement compress count cycle dropwhile "
    "filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest",
    "json": "JSONDecodeError",
    "math": "ceil comb factorial floor gcd inf isclose isfinite isinf isnan isqrt lcm nan pi prod sqrt tau",
    "operator": "attrgetter itemgetter methodcaller",
    "pathlib": "Path PurePath PurePosixPath PureWindowsPath",
    "random": "Random",
    "starlette.testclient": "TestClient",
    "textwrap": "dedent",
    "types": "MappingProxyType SimpleNamespace TracebackType",
    "typing": "Annotated Any AnyStr BinaryIO Callable ClassVar Concatenate Dict Final FrozenSet Generic IO List "
    "Literal NamedTuple NoReturn Optional ParamSpec Protocol Self Set SupportsFloat SupportsIndex SupportsInt "
    "TextIO Tuple Type TypeVar TypedDict Union cast",
    "uuid": "UUID uuid4 uuid5",
    "zoneinfo": "ZoneInfo",
}

KNOWN_NAMES: dict[str, str] = {name: module for module, names in _BY_MODULE.items() for name in names.split()}
"""The module of each well-known name, as `from <module> import <name>` has it."""

_OLDEST = (
    "abc array ast asyncio base64 binascii bisect builtins calendar cmath collections colorsys contextlib copy csv "
    "dataclasses datetime decimal difflib enum errno fnmatch fractions functools gc glob gzip hashlib heapq hmac html "
    "inspect io ipaddress itertools json keyword locale logging math numbers operator os pathlib pickle platform "
    "pprint queue random re secrets shlex shutil signal sqlite3 stat statistics string struct sys tempfile textwrap "
    "threading time timeit token tokenize traceback types typing unicodedata urllib uuid warnings weakref xml zipfile "
    "zlib zoneinfo"
)
_NOISY = frozenset({"antigravity", "idlelib", "lib2to3", "test", "this", "tkinter", "turtle", "turtledemo"})

_IN_DATETIME = frozenset({"time", "UTC", "MINYEAR", "MAXYEAR"})


def is_in_module(name: str, attribute: str) -> bool:
    """Whether `name.attribute` is of the module `name`, not of the well-known class by that name: `datetime.time`."""
    return KNOWN_NAMES.get(attribute) == name or (name == "datetime" and attribute in _IN_DATETIME)


STDLIB: frozenset[str] = frozenset(
    name
    for name in getattr(sys, "stdlib_module_names", _OLDEST.split())
    if not name.startswith("_") and name not in _NOISY
)
"""The standard library's top-level modules that a case may name, less those that do something when imported."""

PACKAGES: dict[str, str] = {"np": "numpy", "numpy": "numpy", "pd": "pandas", "pandas": "pandas"}
"""The packages that a case may name where they are allowed, by the name that it uses for each."""
