"""What the judge accepts the rendered file accepts: over values, over results near and far from them, over contracts.

The other way round the file may be looser, but only in what `==` and the like don't tell apart: kinds of numbers and of
sequences, dtypes. Many functions are judged and tested at once: each has a few cases, and returns for each one value
that was drawn. TDGEN_FUZZ_SEEDS sets how often they are drawn.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from tdgen.judge import Oracle, candidate_probe
from tdgen.protocols import Sandbox
from tdgen.pytest_files import node_ids, render_suite
from tdgen.sandbox.local import LocalSandbox
from tdgen.source.trees import import_lines
from tdgen.specs.declarations import declare_types
from tdgen.types import (
    Case,
    Field,
    FileJob,
    FunctionSpec,
    Job,
    Limits,
    Parameter,
    Plan,
    Probe,
    Returns,
    SharedType,
    Suite,
    Tolerance,
    Value,
)

SEEDS = int(os.environ.get("TDGEN_FUZZ_SEEDS", "1"))
LIMITS = Limits(wall_s=60.0, cpu_s=120.0)
NEAR = """
def near(value, change):
    try:
        return change(value)
    except Exception:
        return None
"""

ALIKE = """
def alike(expected, actual):
    expected, actual = [value.tolist() if hasattr(value, "tolist") else value for value in (expected, actual)]
    missing = ("nan", "<NA>", "NaT", "None")
    if str(expected) in missing or str(actual) in missing:
        return str(expected) in missing and str(actual) in missing
    numbers = (int, float, complex, Decimal)
    if isinstance(expected, numbers) and isinstance(actual, numbers):
        one, other = complex(expected), complex(actual)
        return one == other or abs(one - other) <= max(0.011, 1e-5 * abs(one)) or one != one and other != other
    if isinstance(expected, dict) and isinstance(actual, dict):
        return len(expected) == len(actual) and all(k in actual and alike(v, actual[k]) for k, v in expected.items())
    if hasattr(expected, "to_numpy"):
        return alike(expected.to_numpy(), actual.to_numpy() if hasattr(actual, "to_numpy") else actual)
    if all(hasattr(value, "__iter__") and not isinstance(value, (str, bytes)) for value in (expected, actual)):
        one, other = list(expected), list(actual)
        return len(one) == len(other) and all(any(alike(e, a) for a in other) for e in one)
    if hasattr(expected, "__dataclass_fields__"):
        return type(expected) is type(actual) and alike(vars(expected), vars(actual))
    return bool(expected == actual) or str(expected) == str(actual) or expected != expected and actual != actual
"""


@dataclass(frozen=True)
class Point:
    """On the host what the plan declares: only drawn and written down, never compared."""

    x: float
    tag: str


@dataclass(frozen=True)
class Written:
    """A value that is only written down, and what might be returned instead of it."""

    text: str
    instead: tuple[str, ...] = ()


class Items(list):
    """A list whose source is an iterator over it."""


TYPES = (
    SharedType(
        name="Point",
        kind="dataclass",
        fields=(Field(name="x", type="float"), Field(name="tag", type="str", default="''")),
    ),
    SharedType(
        name="Level",
        kind="enum",
        base="IntEnum",
        fields=(Field(name="LOW", default="0"), Field(name="HIGH", default="1")),
    ),
    SharedType(name="Side", kind="enum", fields=(Field(name="LEFT", default="1"), Field(name="RIGHT", default="2"))),
    SharedType(
        name="Span",
        kind="named_tuple",
        fields=(Field(name="start", type="int"), Field(name="length", type="float", default="1.5")),
    ),
)

INTS = (0, 1, 2, -1, 7, 10**20)
FLOATS = (0.0, 1.0, 0.5, 2.0, -3.25, 1e9, 1e-13, math.nan, math.inf)
TEXTS = ("", "a", "b", "1")
DECIMALS = (Decimal(0), Decimal(1), Decimal("2.50"))
BOOLS = (True, False)

LEVELS = (Written("Level.LOW", ("0", "False", "0.0", "Level.HIGH")), Written("Level.HIGH", ("1", "True", "Side.LEFT")))
SIDES = (Written("Side.LEFT", ("1", "Side.RIGHT", "'LEFT'", "Level.HIGH")), Written("Side.RIGHT"))
SPANS = (
    Written("Span(0)", ("(0, 1.5)", "Span(False)", "[0, 1.5]", "Span(0, 1.50000000001)", "Span(0.0)")),
    Written("Span(2, 3)", ("(2, 3)", "Span(2, 3.0)", "Span(2.0, 3)", "Span(2)")),
)
ERRORS = (Written("ValueError('a')", ("ValueError('b')", "KeyError('a')", "ValueError", "'a'")), Written("KeyError(1)"))
DAYS = (
    Written("date(2024, 1, 2)", ("datetime.date(2024, 1, 2)", "datetime(2024, 1, 2)", "'2024-01-02'")),
    Written("datetime.date(2024, 1, 2)", ("date(2024, 1, 3)",)),
    Written("datetime(2024, 1, 2)", ("date(2024, 1, 2)", "datetime(2024, 1, 2, tzinfo=timezone.utc)")),
)
COMPLEX = (
    Written("1 + 0j", ("1", "True", "1.0")),
    Written("2j", ("2.0000000000001j", "2")),
    Written("0j", ("0", "False")),
)

Draw = Callable[[Random], Any]


def one_of(*values: Any) -> Draw:
    """One of the values."""
    return lambda random: random.choice(values)


def either(*draws: Draw) -> Draw:
    """What one of the draws draws."""
    return lambda random: random.choice(draws)(random)


def some(item: Draw, kind: Callable[[Any], Any] = list) -> Draw:
    """Up to three items."""
    return lambda random: kind(item(random) for _ in range(random.randrange(4)))


def both(left: Draw, right: Draw) -> Draw:
    """A pair."""
    return lambda random: (left(random), right(random))


ints, floats, bools, texts, decimals, none = (one_of(*v) for v in (INTS, FLOATS, BOOLS, TEXTS, DECIMALS, (None,)))


def points(random: Random) -> Point:
    """A point with a float or an int."""
    return Point(either(ints, floats)(random), texts(random))


def anything(random: Random, depth: int = 2) -> Any:
    """A value of any plain type, nested up to `depth` levels."""
    leaf = either(ints, floats, bools, texts, decimals, none)
    if depth == 0:
        return leaf(random)

    def inner(random: Random) -> Any:
        return anything(random, depth - 1)

    return either(leaf, some(inner), some(both(either(texts, ints), inner), dict), both(inner, inner))(random)


RETURNED: dict[str, Draw] = {
    "int": ints,
    "float": either(floats, ints),
    "bool": bools,
    "str": texts,
    "int | None": either(ints, none),
    "bool | None": either(bools, none),
    "float | str": either(floats, texts),
    "Decimal": decimals,
    "list[int]": some(ints),
    "list[float]": some(floats),
    "list[bool]": some(bools),
    "list[str]": some(texts),
    "list[int | str]": some(either(ints, texts)),
    "set[int]": some(ints, set),
    "frozenset[str]": some(texts, frozenset),
    "dict[str, int]": some(both(texts, ints), dict),
    "dict[str, float]": some(both(texts, floats), dict),
    "dict[int, bool]": some(both(ints, bools), dict),
    "tuple[int, float]": both(ints, floats),
    "tuple[str, int]": both(texts, ints),
    "list[list[float]]": some(some(floats)),
    "list[tuple[int, str]]": some(both(ints, texts)),
    "Iterator[int]": either(some(ints), both(ints, ints)),
    "Iterable[str] | None": either(some(texts), none),
    "Point": points,
    "list[Point]": some(points),
    "Level": one_of(*LEVELS),
    "Side": one_of(*SIDES),
    "Span": one_of(*SPANS),
    "list[Level]": some(one_of(*LEVELS)),
    "dict[str, Span]": some(both(texts, one_of(*SPANS)), dict),
    "list[Exception]": some(one_of(*ERRORS)),
    "ValueError": one_of(*ERRORS),
    "date": one_of(*DAYS),
    "list[date]": some(one_of(DAYS[0], DAYS[2])),
    "complex": one_of(*COMPLEX),
    "object": anything,
}


def source(value: Any) -> str:
    """The Python source of a value that was drawn."""
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
        return f"float('{value}')"
    if isinstance(value, Items):
        return f"iter({source(list(value))})"
    if isinstance(value, list):
        return f"[{', '.join(map(source, value))}]"
    if isinstance(value, tuple):
        return f"({''.join(f'{source(item)}, ' for item in value)})"
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__}([{', '.join(map(source, value))}])" if not value else _set(value)
    if isinstance(value, dict):
        return f"{{{', '.join(f'{source(key)}: {source(item)}' for key, item in value.items())}}}"
    if isinstance(value, Point):
        return f"Point({source(value.x)}, {value.tag!r})"
    return value.text if isinstance(value, Written) else repr(value)


def _set(value: set[Any] | frozenset[Any]) -> str:
    text = f"{{{', '.join(map(source, value))}}}"
    return f"frozenset({text})" if isinstance(value, frozenset) else text


def others(value: Any) -> Iterator[Any]:
    """What a slightly wrong implementation might return instead, right ones included."""
    for kinds, other in _OTHERS:
        if isinstance(value, kinds):
            yield from other(value)
            return
    yield from (0, False, "", [])


def _other_floats(value: float) -> Iterator[Any]:
    yield from (value * (1 + 1e-10), value * (1 + 1e-8), value + 1e-13, math.nan, -value, bool(value))
    if math.isfinite(value):
        yield int(value)


def _other_points(value: Point) -> Iterator[Any]:
    yield from (Point(x, value.tag) for x in others(value.x))
    yield from (Point(value.x, value.tag + "x"), (value.x, value.tag))


def _other_sets(value: Any) -> Iterator[Any]:
    yield from (frozenset(value), set(value), list(value), value | {3})
    for item in value:
        yield from (type(value)((*(value - {item}), other)) for other in others(item))


def _other_dicts(value: dict[Any, Any]) -> Iterator[Any]:
    yield from (dict(reversed(value.items())), list(value.items()), value | {"more": 1})
    yield from (value | {key: other} for key in value for other in others(value[key]))
    yield from ({other: value[key]} for key in list(value)[:1] for other in others(key))


def _other_sequences(value: Any) -> Iterator[Any]:
    kind = type(value)
    yield from (tuple(value), list(value), Items(value), kind(reversed(value)), value[1:], kind([*value, 0]))
    for place, item in enumerate(value):
        for other in others(item):
            yield kind([*value[:place], other, *value[place + 1 :]])


_OTHERS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (bool, lambda value: (not value, int(value), float(value))),
    (int, lambda value: (value + 1, float(value), bool(value), Decimal(value), str(value))),
    (float, _other_floats),
    (str, lambda value: (value + "x", None, value.encode())),
    (Decimal, lambda value: (float(value), int(value), bool(value), value + 1)),
    (Point, _other_points),
    (Written, lambda value: map(Written, value.instead)),
    ((list, tuple), _other_sequences),
    ((set, frozenset), _other_sets),
    (dict, _other_dicts),
)


def array(*items: str, dtypes: tuple[str, ...] = ()) -> Draw:
    """An array of one or two dimensions, or of none, and what is near it."""

    def draw(random: Random) -> Written:
        row = ", ".join(random.choice(items) for _ in range(random.randrange(4)))
        inner = random.choice([f"[{row}]", f"[[{row}], [{row}]]", f"[{row}]", items[0]])
        dtype = random.choice(["", *(f", dtype={name}" for name in dtypes)])
        text = f"np.array({inner}{dtype})"
        return Written(text, (*near(text, NEAR_ARRAYS).instead, f"np.array({inner}, dtype=object)", inner))

    return draw


NEAR_ARRAYS = (
    *(".tolist()", "[::-1]", ".astype(float)", ".astype(np.int32)", ".astype(str)", ".astype(bool)", ".reshape(-1)"),
    *("[..., None]", ".copy()", ".astype('>i8')", ".astype('f4')", "[1:]", "[..., :1]", ".sum()", ".astype('U9')"),
    *(" * (1 + 1e-10)", " * (1 + 1e-8)", " + 1e-13", " * np.nan", " * 1j", ".T"),
)
NEAR_TABLES = (
    *(".copy()", ".iloc[::-1]", ".iloc[1:]", ".astype(float)", ".astype(object)", ".reset_index()", ".astype('f4')"),
    *(".rename_axis('i')", ".to_numpy()", ".set_axis(list('uvwxyz')[:len(value)])", ".astype('Int64')", ".T"),
    *(" * (1 + 1e-10)", " * (1 + 1e-8)", " + 1e-13", " * np.nan", ".astype(str)", ".astype('category')"),
)
NEAR_FRAMES = (
    "[list(value)[::-1]]",
    "[list(value)[:1]]",
    ".rename(columns=str.upper)",
    ".assign(more=1)",
    ".iloc[:, 0]",
)
NEAR_INDEXES = (
    *(".copy()", "[::-1]", "[1:]", ".astype(float)", ".astype(object)", ".rename('i')", ".to_numpy()", ".to_series()"),
    *(" + 1e-13", ".astype(str)", ".astype('category')", ".tolist()", ".astype('f4')", ".to_frame()"),
)
COLUMNS = (
    "[1, 2, 3]",
    "[0.1, 2.5, 1e9]",
    "[1.0, None, 3.0]",
    "['a', 'b', None]",
    "[True, False, True]",
    "[1, 'a', None]",
)
COLUMNS += ("pd.to_datetime(['2024-01-02', None, '2024-01-04'])", "[10**10, 0, 1]")
COLUMNS += ("pd.timedelta_range('1h', periods=3)", "['a', 'b', 'c']")
LABELS = ("['a', 'b', 'c']", "[3, 1, 2]", "pd.date_range('2024-01-01', periods=3)", "[0.5, 1.5, 2.5]", "[7, 7, 8]")
LABELS += ("pd.RangeIndex(3)", "pd.Index([1, 2, 3], name='i')")


def near(text: str, ends: tuple[str, ...]) -> Written:
    """A value and what is near it; where nothing can be made so, nothing is returned."""
    return Written(text, tuple(f"near({text}, lambda value: value{end})" for end in ends))


def frames(random: Random) -> Written:
    """A DataFrame of up to two columns."""
    columns = {name: random.choice(COLUMNS) for name in ("x", "y")[: random.randrange(3)]}
    index = random.choice(["", "", f", index={random.choice(LABELS)}"])
    inner = ", ".join(f"{name!r}: {items}" for name, items in columns.items())
    return near(f"pd.DataFrame({{{inner}}}{index})", NEAR_TABLES + NEAR_FRAMES)


def series(random: Random) -> Written:
    """A Series, perhaps with labels and a name."""
    index = random.choice(["", f", index={random.choice(LABELS)}"])
    return near(f"pd.Series({random.choice(COLUMNS)}{index}{random.choice(['', ', name=1'])})", NEAR_TABLES)


def indexes(random: Random) -> Written:
    """An index by itself."""
    items = random.choice(COLUMNS + LABELS)
    return near(f"pd.Index({items})", NEAR_INDEXES)


NUMPY_SCALARS = (
    Written("np.float64(0.5)", ("0.5", "np.float32(0.5)", "np.array(0.5)", "0.5 + 1e-13", "np.float64(0.6)", "'0.5'")),
    Written("np.int64(3)", ("3", "np.int32(3)", "3.0", "np.array([3])", "4")),
    Written("np.True_", ("True", "1", "False", "np.False_")),
    Written("np.datetime64('2024-01-02')", ("np.datetime64('2024-01-02', 's')", "date(2024, 1, 2)")),
    Written("np.complex128(1j)", ("1j", "1j + 1e-13", "np.complex128(1j + 1e-13)", "1")),
    Written("0.5", ("np.float64(0.5)", "np.float64(0.5 + 1e-13)", "np.float32(0.5)", "np.float64(0.6)")),
    Written("True", ("np.True_",)),
)
MOMENTS = (
    Written(
        "pd.Timestamp('2024-01-02')", ("datetime(2024, 1, 2)", "pd.Timestamp('2024-01-03')", "pd.NaT", "'2024-01-02'")
    ),
    Written(
        "pd.Timestamp('2024-01-02', tz='UTC')",
        ("pd.Timestamp('2024-01-02')", "datetime(2024, 1, 2, tzinfo=timezone.utc)"),
    ),
    Written("pd.NaT", ("None", "float('nan')", "pd.Timestamp('2024-01-02')", "pd.NA")),
    Written("pd.Timedelta('1h')", ("timedelta(hours=1)", "pd.Timedelta('2h')")),
)
numbers = either(
    array("0.5", "2.0", "float('nan')", "-1e9", "np.inf", dtypes=("np.float64", "'f4'")),
    array("1", "0", "-7", "10**10", dtypes=("np.int64", "float")),
    array("True", "False"),
    array("1 + 2j", "0.5j"),
)
texts_of_numpy = either(array("'a'", "'bcd'"), array("b'a'", "b'bc'"), array("None", "'a'", "1", "1.5"))
moments_of_numpy = array("np.datetime64('2024-01-02')", "np.datetime64('2024-02-03')", "np.datetime64('NaT')")
arrays = either(numbers, numbers, texts_of_numpy, moments_of_numpy)
ARRAYS: dict[str, Draw] = {
    "np.ndarray": arrays,
    "numpy.ndarray": numbers,
    "list[np.ndarray]": some(arrays),
    "dict[str, np.ndarray]": some(both(texts, arrays), dict),
    "tuple[np.ndarray, int]": both(arrays, ints),
    "np.float64": one_of(*NUMPY_SCALARS[:5]),
    "float | bool": one_of(*NUMPY_SCALARS),
    "pd.DataFrame": frames,
    "pd.Series": series,
    "pd.Index": indexes,
    "dict[str, pd.DataFrame | pd.Series]": some(both(texts, either(frames, series)), dict),
    "pd.Timestamp": one_of(*MOMENTS),
    "list[pd.Timestamp]": some(one_of(*MOMENTS)),
}

Pair = tuple[str, str, Tolerance]


def functions(random: Random, returned: dict[str, Draw]) -> Iterator[tuple[str, bool, list[Pair]]]:
    """Return annotations, whether order is free, and pairs of an expected and a returned value as sources."""
    for annotation, draw in returned.items():
        for unordered in (False, True):
            yield annotation, unordered, [_pair(random, draw) for _ in range(random.randint(1, 4))]


def _pair(random: Random, draw: Draw) -> Pair:
    expected = draw(random)
    actual = random.choice([expected, *others(expected)]) if random.random() < 0.7 else expected
    tolerance = Tolerance(rel=1e-6, abs=0.01) if random.random() < 0.2 else Tolerance()
    return source(expected), source(actual), tolerance


@pytest.fixture(scope="module")
def sandbox() -> Iterator[LocalSandbox]:
    place = LocalSandbox()
    yield place
    place.close()


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_file_is_never_stricter_than_the_judge(seed, sandbox):
    """Right results pass their tests, and of wrong ones only those that differ in the kind of number or sequence."""
    judge_and_test(list(functions(Random(seed), RETURNED)), sandbox)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_nor_is_it_for_arrays_and_tables(seed, array_sandbox):
    """Where numpy and pandas are: over dtypes, shapes, labels, names, gaps and roundings."""
    judge_and_test(list(functions(Random(seed), ARRAYS)), array_sandbox, ("numpy", "pandas"))


def judge_and_test(drawn: list[tuple[str, bool, list[Pair]]], sandbox: Sandbox, packages: tuple[str, ...] = ()) -> None:
    """Judge functions that return what was drawn, run their rendered files, and hold the two together."""
    specs, suites, lines = [], [], []
    for number, (annotation, unordered, pairs) in enumerate(drawn):
        name = f"f{number}"
        returns = Returns(type=annotation, unordered=unordered)
        specs.append(
            FunctionSpec(name=name, purpose="p", parameters=(Parameter(name="n", type="int"),), returns=returns)
        )
        cases = [
            Case(
                name=f"{name}_case_{n}",
                function=name,
                arguments=(str(n),),
                expectation=Value(source=expected, tolerance=tolerance),
            )
            for n, (expected, _, tolerance) in enumerate(pairs)
        ]
        suites.append(Suite(function=name, cases=tuple(cases)))
        table = ", ".join(f"lambda: {actual}" for _, actual, _ in pairs)
        lines.append(f"def {name}(n):\n    return [{table}][n]()\n")
    plan = Plan(module="candidate", functions=tuple(specs), types=TYPES, packages=packages)
    types = declare_types(plan)
    module = "\n".join([*import_lines(lines), "import datetime as dt", types, NEAR, *lines]).replace(
        "datetime.date(", "dt.date("
    )
    judged = _judged(sandbox, plan, suites, module, types)
    tested = _tested(sandbox, plan, suites, module)
    stricter = [name for name in judged if judged[name] and not tested[name]]
    looser = [name for name in judged if tested[name] and not judged[name]]
    told = {case.name: case.expectation.source for suite in suites for case in suite.cases}
    returned = {
        f"f{i}_case_{n}": (a, drawn[i][:2]) for i, (_, _, ps) in enumerate(drawn) for n, (_, a, _) in enumerate(ps)
    }
    assert not stricter, [(told[name], *returned[name]) for name in stricter]
    probes = tuple(Probe(name=name, call=f"alike({told[name]}, {returned[name][0]})") for name in looser)
    job = Job(
        module=plan.module, source=module + ALIKE + "\nfrom decimal import Decimal\n", probes=probes, limits=LIMITS
    )
    told_apart = [one.name for one in sandbox.run(job).observations if one.value is not True]
    assert not told_apart, [(told[name], *returned[name]) for name in told_apart]
    assert {True, False} == set(tested.values())


def _judged(sandbox, plan, suites, module, types) -> dict[str, bool]:
    oracle = Oracle(sandbox, plan.module, types)
    verdicts: dict[str, bool] = {}
    cases = [case for suite in suites for case in suite.cases]
    job = Job(module=plan.module, source=module, probes=tuple(map(candidate_probe, cases)), limits=LIMITS)
    seen = sandbox.run(job).observations
    expected = oracle.expectations(cases)
    assert not {name: e.problem for name, e in expected.items() if e.problem}
    for spec, suite in zip(plan.functions, suites, strict=True):
        own = [observation for observation in seen if observation.name.startswith(f"{spec.name}_")]
        verdicts |= {v.case: v.passed for v in oracle.verdicts(spec, suite.cases, own, expected)}
    return verdicts


def _tested(sandbox, plan, suites, module) -> dict[str, bool]:
    files = {f"{plan.module}.py": module}
    ids: dict[str, str] = {}
    for spec, suite in zip(plan.functions, suites, strict=True):
        files[f"test_{spec.name}.py"] = render_suite(suite, spec, plan)
        ids |= node_ids(suite, spec, plan)
    tests = tuple(name for name in files if name.startswith("test_"))
    report = sandbox.run_files(FileJob(files=files, tests=tests, limits=LIMITS))
    assert set(ids.values()) == set(report.outcomes), report.log
    return {case: report.outcomes[node] == "passed" for case, node in ids.items()}
