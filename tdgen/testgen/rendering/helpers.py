"""The few helpers that a rendered file may need, each written into it only where a test uses it."""

from __future__ import annotations

from collections.abc import Iterable

from tdgen.testgen.rendering.comparing import number
from tdgen.testgen.rendering.leaves import Leaves
from tdgen.types import Tolerance

_FROZEN_CLOCK = '''
@pytest.fixture
def frozen_clock(monkeypatch):
    """A function that stops the clock at a moment of UTC, also where {module} imported it by name."""

    def freeze(text):
        moment = dt.datetime.fromisoformat(text).replace(tzinfo=dt.timezone.utc)
        seconds, gmtime, strftime = moment.timestamp(), time.gmtime, time.strftime

        class Posing(type):
            def __instancecheck__(cls, instance):
                return isinstance(instance, cls.__mro__[1])

        class Date(dt.date, metaclass=Posing):
            @classmethod
            def today(cls):
                return moment.date()

        class DateTime(dt.datetime, metaclass=Posing):
            @classmethod
            def now(cls, tz=None):
                return moment.astimezone(tz) if tz else moment.replace(tzinfo=None)

            today = utcnow = classmethod(lambda cls: cls.now())

        frozen = {
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

IN_TMP_PATH = '''
@pytest.fixture(autouse=True)
def inside_tmp_path(tmp_path, monkeypatch):
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
'''

_SAME = '''
def same_value(actual, expected{parameters}):
    """Whether the values are equal: {says}."""
{theirs}    if isinstance(expected, bool) or isinstance(actual, bool):
        return actual is expected
{branches}
    return actual == expected
'''
_NUMPY = """\
    if isinstance(expected, (np.ndarray, np.generic)):
        found = np.asanyarray(actual)
        if isinstance(actual, np.ndarray) is not isinstance(expected, np.ndarray) or found.shape != expected.shape:
            return False
        if found.dtype != expected.dtype and not (found.dtype.kind == expected.dtype.kind and found.dtype.kind in "SU"):
            return False
        if expected.dtype.kind in "fc":
            return bool(np.allclose(found, expected, rtol={rel}, atol={abs}, equal_nan=True))
        return same_value(found.tolist(), expected.tolist(){passed})
"""
_PANDAS = """\
    if expected is pd.NaT or expected is pd.NA:
        return actual is expected
    if isinstance(expected, pd.Index):
        return isinstance(actual, pd.Index) and same_value(actual.to_frame(), expected.to_frame(){passed})
    if isinstance(expected, pd.api.extensions.ExtensionArray):
        return type(actual) is type(expected) and same_value(pd.Series(actual), pd.Series(expected){passed})
    if isinstance(expected, (pd.DataFrame, pd.Series)):
        is_frame = isinstance(expected, pd.DataFrame)
        check = pd.testing.assert_frame_equal if is_frame else pd.testing.assert_series_equal
        try:
            check(actual, expected, check_exact=False, rtol={rel}, atol={abs}, check_freq=False)
        except AssertionError:
            return False
        return True
"""
_EXACT_INT = """
    if isinstance(expected, int):
        return isinstance(actual, int) and actual == expected"""
_FLOAT = """
    if isinstance(expected, float):
        return actual == pytest.approx(expected, {options}, nan_ok=True)"""
_SEQUENCE = """
    if isinstance(expected, (list, tuple)):
        kind = list if isinstance(expected, list) else tuple
        return (
            isinstance(actual, kind)
            and len(actual) == len(expected)
            and all(same_value(a, e{passed}) for a, e in zip(actual, expected))
        )"""
_DICT = """
    if isinstance(expected, dict):
        return (
            isinstance(actual, dict)
            and {keys}
            and all(same_value(actual[key], expected[key]{passed}) for key in expected)
        )"""
_SET = """
    if isinstance(expected, (set, frozenset)):
        return isinstance(actual, (set, frozenset)) and {items}"""
_RECORD = """
    if dataclasses.is_dataclass(expected):
        names = [field.name for field in dataclasses.fields(expected)]
        return type(actual) is type(expected) and all(
            same_value(getattr(actual, name), getattr(expected, name){passed}) for name in names
        )"""
_ERROR = """
    if isinstance(expected, BaseException):
        return type(actual) is type(expected) and same_value(actual.args, expected.args{passed})"""
_ANY_ORDER = '''
def same_in_any_order(actual, expected{parameters}):
    """Whether two lists (or tuples) hold the same items, in whichever order."""
    if not isinstance(expected, (list, tuple)):
        return same_value(actual, expected{passed})
    if not isinstance(actual, list if isinstance(expected, list) else tuple):
        return False
    left = list(actual)
    for wanted in expected:
        place = next((n for n, item in enumerate(left) if same_value(item, wanted{passed})), None)
        if place is None:
            return False
        del left[place]
    return not left
'''


def frozen_clock(module: str) -> str:
    """The fixture that freezes the clock, for the module under test by its name."""
    return _FROZEN_CLOCK.replace("{module}", module)


def same(
    leaves: Leaves,
    shapes: frozenset[str],
    *,
    exact_int: bool,
    any_order: bool,
    tolerances: Iterable[Tolerance],
    packages: frozenset[str] = frozenset(),
) -> str:
    """The helper `same_value` for values with such things inside, and `same_in_any_order` where that is needed.

    It says what the judge's relation says, in no more branches than these values need. Values of `packages`, of numpy
    and pandas, are compared by what these have for it.
    """
    several = set(tolerances) - {Tolerance()}
    passed = ", rel, abs" if several else ""
    parameters = ", rel=1e-9, abs=1e-12" if several else ""
    anything = "unknown" in leaves
    keyed = anything or "keyed" in leaves
    is_float = anything or bool(leaves & {"float", "nan"})
    branches = [
        _EXACT_INT * exact_int,
        _FLOAT.format(options="rel=rel, abs=abs" if several else f"rel={number(1e-9)}") * is_float,
        _SEQUENCE * ("sequence" in shapes),
        _DICT.replace("{keys}", _keys(exact_int=exact_int) if keyed else "actual.keys() == expected.keys()")
        * ("mapping" in shapes),
        _SET.replace("{items}", _keys(exact_int=exact_int)) * keyed,
        _RECORD * (anything or "record" in leaves),
        _ERROR * (anything or "error" in leaves),
    ]
    says = ["True is not 1"] + ["2.0 is not 2"] * exact_int + ["floats may be off a little, NaN is NaN"] * is_float
    theirs = (_NUMPY * ("numpy" in packages) + _PANDAS * ("pandas" in packages)) * (anything or "array" in leaves)
    of_parameters = ("rel", "abs") if several else (number(1e-9), number(1e-12))
    theirs = theirs.replace("{rel}", of_parameters[0]).replace("{abs}", of_parameters[1])
    text = _SAME.format(
        parameters=parameters, says=", ".join(says), theirs=theirs, branches="".join(branches).strip("\n")
    )
    return (text + _ANY_ORDER.replace("{parameters}", parameters) * any_order).replace("{passed}", passed)


def _keys(*, exact_int: bool) -> str:
    """That two sets, or two dicts' keys, are equal, True being told from 1 and, for exact ints, 2.0 from 2."""
    kinds = "isinstance(key, bool), isinstance(key, int)" if exact_int else "isinstance(key, bool)"
    one = f"{{({kinds}, key) for key in %s}}"
    return f"{one % 'actual'} == {one % 'expected'}"
