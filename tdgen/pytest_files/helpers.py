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
_SAME = '''
def same_value(actual: Any, expected: Any, rel: float = 1e-9, abs: float = 1e-12) -> bool:
    """Tell whether two values are equal: floats within a tolerance, all else by what it holds."""

    def alike(one: Any, other: Any) -> bool:
        return same_value(one, other, rel, abs)

'''
_SAME_TABLES = """\
    def parts(value: Any) -> Any:
        if isinstance(value, pd.DataFrame):
            return [value.columns, value.index, *(value.iloc[:, n] for n in range(value.shape[1]))]
        if isinstance(value, pd.Series):
            return [value.name, value.index, str(value.dtype), list(value)]
        return [value.name, str(value.dtype), list(value)] if isinstance(value, pd.Index) else value

    if expected is pd.NaT:
        return actual is pd.NaT
    if type(parts(actual)) is type(parts(expected)):
        actual, expected = parts(actual), parts(expected)
"""
_SAME_ARRAYS = """\
    actual, expected = (value.item() if isinstance(value, np.generic) else value for value in (actual, expected))
    if isinstance(actual, np.ndarray) or isinstance(expected, np.ndarray):
        if not (isinstance(actual, np.ndarray) and isinstance(expected, np.ndarray)):
            return False
        if actual.dtype.type is not expected.dtype.type or actual.shape != expected.shape:
            return False
        actual, expected = actual.tolist(), expected.tolist()
"""
_SAME_DECIMALS = """\
    if isinstance(expected, Decimal) and expected.is_nan():
        return isinstance(actual, Decimal) and actual.is_nan()
"""
_SAME_FIELDS = """\
    if dataclasses.is_dataclass(expected) and not isinstance(expected, type):
        names = [field.name for field in dataclasses.fields(expected)]
        fields_alike = (alike(getattr(actual, name), getattr(expected, name)) for name in names)
        return type(actual) is type(expected) and all(fields_alike)
"""
_SAME_SETS = """\
    if isinstance(expected, (set, frozenset)) and isinstance(actual, (set, frozenset)):
        first, second = ({"NaN" if item != item else item for item in value} for value in (actual, expected))
        return first == second
"""
_SAME_REST = """\
    if isinstance(expected, (float, complex)):
        return bool(actual == pytest.approx(expected, rel=rel, abs=abs, nan_ok=True))
    if isinstance(expected, BaseException):
        return type(actual) is type(expected) and alike(actual.args, expected.args)
    if isinstance(expected, dict) and isinstance(actual, dict):
        return actual.keys() == expected.keys() and all(alike(actual[key], expected[key]) for key in expected)
    passing = (Iterator, ValuesView, ItemsView)
    actual, expected = (
        list(itertools.islice(value, 1_000)) if isinstance(value, passing) else value for value in (actual, expected)
    )
    sequences = (list, tuple, range, deque)
    if isinstance(actual, sequences) and isinstance(expected, sequences):
        return len(actual) == len(expected) and all(map(alike, actual, expected))
    return bool(actual == expected)
"""
_SAME_ITEMS = '''
def same_items(actual: Any, expected: Any, rel: float = 1e-9, abs: float = 1e-12) -> bool:
    """Tell whether two lists hold the same items, in whichever order."""
    if not isinstance(expected, (list, tuple)) or not isinstance(actual, (list, tuple)):
        return same_value(actual, expected, rel, abs)
    taken: dict[int, int] = {}

    def has_place(item: int, tried: set[int]) -> bool:
        for place in range(len(actual)):
            if place not in tried and same_value(actual[place], expected[item], rel, abs):
                tried.add(place)
                if place not in taken or has_place(taken[place], tried):
                    taken[place] = item
                    return True
        return False

    return len(actual) == len(expected) and all(has_place(item, set()) for item in range(len(expected)))
'''


def helper_sources(used: Collection[str], plan: Plan, text: str) -> list[str]:
    """The sources of the helpers in `used`, each with no more branches than what the tests' `text` may need."""
    has_fields = any(shared.kind == "dataclass" for shared in plan.data_types) or "dataclass" in text
    tables, arrays = "pandas" in plan.packages, bool({"numpy", "pandas"} & set(plan.packages))
    branches = {
        _SAME_TABLES: tables,
        _SAME_ARRAYS: arrays,
        _SAME_DECIMALS: "Decimal" in text,
        _SAME_FIELDS: has_fields,
        _SAME_SETS: "nan" in text,
        _SAME_REST: True,
    }
    sources = {
        "inside_tmp_path": ISOLATED,
        "frozen_clock": _FROZEN_CLOCK.replace("{module}", plan.module),
        "run_script": _RUN_SCRIPT.replace("{module}", plan.module),
        "same_value": _SAME + "".join(branch for branch, is_needed in branches.items() if is_needed),
        "same_items": _SAME_ITEMS,
    }
    return [source.strip() for name, source in sources.items() if name in used]
