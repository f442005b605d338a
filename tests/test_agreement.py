"""The judge and the rendered file give one verdict: over values, over results near and far from them, over contracts.

Many functions are judged and tested at once: each has a few cases, and returns for each one value that was drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from tdgen.judge import Oracle, candidate_probe
from tdgen.sandbox.local import LocalSandbox
from tdgen.specs.declarations import declare_types
from tdgen.testgen.rendering import node_ids, render_suite
from tdgen.types import (
    Case,
    Field,
    FileJob,
    FunctionSpec,
    Job,
    Limits,
    Parameter,
    Plan,
    Returns,
    SharedType,
    Suite,
    Tolerance,
    Value,
)
from tdgen.values.imports import import_lines

LIMITS = Limits(wall_s=60.0, cpu_s=120.0)


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

Pair = tuple[str, str, Tolerance]


def functions(random: Random) -> Iterator[tuple[str, bool, list[Pair]]]:
    """Return annotations, whether order is free, and pairs of an expected and a returned value as sources."""
    for annotation in RETURNED:
        for unordered in (False, False, True):
            yield annotation, unordered, [_pair(random, annotation) for _ in range(random.randint(1, 4))]


def _pair(random: Random, annotation: str) -> Pair:
    expected = RETURNED[annotation](random)
    actual = random.choice([expected, *others(expected)]) if random.random() < 0.7 else expected
    tolerance = Tolerance(rel=1e-6, abs=0.01) if random.random() < 0.2 else Tolerance()
    return source(expected), source(actual), tolerance


@pytest.fixture(scope="module")
def sandbox() -> Iterator[LocalSandbox]:
    place = LocalSandbox()
    yield place
    place.close()


@pytest.mark.parametrize("seed", range(6))
def test_the_judge_and_the_file_agree(seed, sandbox):
    """Each case's verdict is the outcome of its test, for right results and for all kinds of wrong ones."""
    drawn = list(functions(Random(seed)))
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
    plan = Plan(module="candidate", functions=tuple(specs), types=TYPES)
    types = declare_types(plan)
    module = "\n".join([*import_lines(lines), "import datetime as dt", types, *lines]).replace(
        "datetime.date(", "dt.date("
    )
    judged = _judged(sandbox, plan, suites, module, types)
    tested = _tested(sandbox, plan, suites, module)
    wrong = [name for name in judged if judged[name] != tested[name]]
    told = {case.name: case.expectation.source for suite in suites for case in suite.cases if case.name in wrong}
    returned = {
        f"f{i}_case_{n}": (a, drawn[i][:2]) for i, (_, _, ps) in enumerate(drawn) for n, (_, a, _) in enumerate(ps)
    }
    assert not wrong, [(told[name], *returned[name], "judged", judged[name]) for name in wrong]
    assert {True, False} == set(judged.values())


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
