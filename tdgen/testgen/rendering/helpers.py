"""The helpers and fixtures that a rendered file may need; each stands at its end where a test uses it."""

from __future__ import annotations

from collections.abc import Collection

from tdgen.types import Plan

ISOLATED = '''
@pytest.fixture(autouse=True)
def inside_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every test in a folder of its own."""
    monkeypatch.chdir(tmp_path)
'''
_FROZEN_CLOCK = '''
@pytest.fixture
def frozen_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that stops the clock at a moment of UTC, also where {module} imported it by name."""

    def freeze(text: str) -> None:
        moment = dt.datetime.fromisoformat(text).replace(tzinfo=dt.timezone.utc)
        seconds, gmtime, strftime = moment.timestamp(), time.gmtime, time.strftime

        class Posing(type):
            def __instancecheck__(cls, instance: Any) -> bool:
                return isinstance(instance, cls.__mro__[1])

        class Date(dt.date, metaclass=Posing):
            @classmethod
            def today(cls) -> Any:
                return moment.date()

        class DateTime(dt.datetime, metaclass=Posing):
            @classmethod
            def now(cls, tz: dt.tzinfo | None = None) -> Any:
                return moment.astimezone(tz) if tz else moment.replace(tzinfo=None)

            @classmethod
            def today(cls) -> Any:
                return cls.now()

            @classmethod
            def utcnow(cls) -> Any:
                return cls.now()

        frozen: dict[tuple[Any, str], Any] = {
            (dt, "date"): Date,
            (dt, "datetime"): DateTime,
            (time, "time"): lambda: seconds,
            (time, "time_ns"): lambda: round(seconds * 1_000_000) * 1_000,
            (time, "gmtime"): lambda at=seconds: gmtime(at),
            (time, "localtime"): lambda at=seconds: gmtime(at),
            (time, "strftime"): lambda form, at=gmtime(seconds): strftime(form, at),
        }
        for (owner, name), stand_in in frozen.items():
            original = getattr(owner, name)
            monkeypatch.setattr(owner, name, stand_in)
            for imported, value in list(vars({module}).items()):
                if value is original:
                    monkeypatch.setattr({module}, imported, stand_in)

    return freeze
'''
_RUN_SCRIPT = '''
@pytest.fixture
def run_script(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Return a function that runs {module} as a script and gives its exit code."""

    def run(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", [str({module}.__file__), *words])
        try:
            runpy.run_path(str({module}.__file__), run_name="__main__")
        except SystemExit as ending:
            if ending.code is None or isinstance(ending.code, int):
                return (ending.code or 0) & 0xFF
            print(ending.code, file=sys.stderr)
            return 1
        return 0

    return run
'''
_APPROXIMATELY = '''
def approximately(expected: Any, rel: float = 1e-9, abs: float = 1e-12) -> Any:
    """Return `expected` with pytest.approx in place of every float in it."""
    if isinstance(expected, (float, complex)):
        return pytest.approx(expected, rel=rel, abs=abs, nan_ok=True)
    if isinstance(expected, dict):
        return {key: approximately(value, rel, abs) for key, value in expected.items()}
    if isinstance(expected, (list, tuple)):
        items = [approximately(item, rel, abs) for item in expected]
        return items if isinstance(expected, list) else tuple(items)
'''
_APPROXIMATE_FIELDS = """\
    if dataclasses.is_dataclass(expected) and not isinstance(expected, type):
        copied = copy.copy(expected)
        for field in dataclasses.fields(expected):
            value = getattr(expected, field.name)
            object.__setattr__(copied, field.name, approximately(value, rel, abs))
        return copied
"""
_COMPARABLE = '''
def comparable(value: Any) -> Any:
    """Return `value` with iterators, exceptions and the like in it as data that `==` compares."""
'''
_COMPARABLE_DECIMAL = """\
    if isinstance(value, Decimal) and value.is_nan():
        return "NaN"
"""
_COMPARABLE_TABLES = """\
    if value is pd.NaT or value is pd.NA:
        return str(value)
    if isinstance(value, pd.DataFrame):
        return comparable([value.index, value.columns, value.to_numpy()])
    if isinstance(value, pd.Series):
        return comparable([value.name, value.index, value.to_numpy()])
    if isinstance(value, (pd.Index, pd.api.extensions.ExtensionArray)):
        return comparable(list(value))
"""
_COMPARABLE_ARRAYS = """\
    if isinstance(value, (np.ndarray, np.generic)):
        return comparable(value.tolist())
"""
_COMPARABLE_FIELDS = """\
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return type(value), [comparable(getattr(value, field.name)) for field in dataclasses.fields(value)]
"""
_COMPARABLE_REST = """\
    if isinstance(value, BaseException):
        return type(value), comparable(value.args)
    if isinstance(value, (set, frozenset)):
        return {"NaN" if item != item else item for item in value}
    if isinstance(value, dict):
        return {key: comparable(item) for key, item in value.items()}
    if isinstance(value, (Iterator, ValuesView, ItemsView)):
        value = list(itertools.islice(value, 1_000))
    if isinstance(value, (list, tuple, range, deque)):
        return [comparable(item) for item in value]
    return value
"""
_SAME_ITEMS = '''
def same_items(actual: Any, expected: Any) -> bool:
    """Tell whether two lists hold the same items, in whichever order."""
    if not isinstance(expected, (list, tuple)) or not isinstance(actual, (list, tuple)):
        return bool(actual == expected)
    taken: dict[int, int] = {}

    def has_place(item: int, tried: set[int]) -> bool:
        places = [place for place in range(len(actual)) if actual[place] == expected[item]]
        for place in sorted(places, key=taken.__contains__):
            if place not in tried:
                tried.add(place)
                if place not in taken or has_place(taken[place], tried):
                    taken[place] = item
                    return True
        return False

    return len(actual) == len(expected) and all(has_place(item, set()) for item in range(len(expected)))
'''


def helper_sources(used: Collection[str], plan: Plan, text: str) -> list[str]:
    """The sources of the helpers in `used`, each with no more branches than what the tests' `text` may need."""
    has_fields = any(shared.kind == "dataclass" for shared in plan.types) or "dataclass" in text
    tables, arrays = "pandas" in plan.packages, bool({"numpy", "pandas"} & set(plan.packages))
    branches = {
        _COMPARABLE_DECIMAL: "Decimal" in text,
        _COMPARABLE_TABLES: tables,
        _COMPARABLE_ARRAYS: arrays,
        _COMPARABLE_FIELDS: has_fields,
        _COMPARABLE_REST: True,
    }
    sources = {
        "inside_tmp_path": ISOLATED,
        "frozen_clock": _FROZEN_CLOCK.replace("{module}", plan.module),
        "run_script": _RUN_SCRIPT.replace("{module}", plan.module),
        "approximately": _APPROXIMATELY + _APPROXIMATE_FIELDS * has_fields + "    return expected\n",
        "comparable": _COMPARABLE + "".join(branch for branch, is_needed in branches.items() if is_needed),
        "same_items": _SAME_ITEMS,
    }
    return [source.strip() for name, source in sources.items() if name in used]
