"""The judge's relation as a table: what agrees with what, and what does not."""

from __future__ import annotations

import collections
import datetime as dt
import itertools
import math
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdgen.specs.interfaces import class_spec
from tdgen.types import Case, ClassInterface, FunctionSpec, Method, Returns, Tolerance, Value
from tdgen.values.decode import decode
from tdgen.values.encode import encode
from tdgen.values.equality import Relation, agrees, relation_for, relation_of_case
from tdgen.values.kinds import Opaque
from tdgen.values.numbers import TooLong

NAN = float("nan")
INF = float("inf")


def told(value: Any) -> Any:
    """A value after its way through the wire."""
    return decode(encode(value))


@pytest.mark.parametrize(
    ("expected", "actual", "agree"),
    [
        (1, 1, True),
        (1, True, False),
        (True, 1, False),
        (0, False, False),
        (False, False, True),
        ([1, [True]], [1, [1]], False),
        ({1: "a"}, {True: "a"}, False),
        ({1, 2}, {True, 2}, False),
        ({"a": {0}}, {"a": {False}}, False),
        (1, 1.0, True),
        (1.0, 1, True),
        (2, 2.0000000001, False),
        (2.0, 2.0000000001, True),
        (2.0, 2.00000001, False),
        (0.1 + 0.2, 0.3, True),
        (0.0, 1e-13, True),
        (0.0, 1e-11, False),
        (0, 1e-13, False),
        (1e300, 1e300 * (1 + 1e-10), True),
        (10**400, 10**400, True),
        (10**400, 10**400 + 1, False),
        (2**53, float(2**53), True),
        (2**53 + 1, float(2**53), False),
        (1.5, 10**400, False),
        (INF, INF, True),
        (INF, -INF, False),
        (INF, 1e308, False),
        (1e308, INF, False),
        (NAN, NAN, True),
        ([NAN], [NAN], True),
        (NAN, 0.0, False),
        (NAN, None, False),
        (0.0, -0.0, True),
        (1 + 2j, 1 + 2j, True),
        (complex(NAN, 1), complex(NAN, 1), True),
        (1 + 0j, 1, True),
        (1j, 1j + 1e-12, True),
        (1j, 1j + 1e-6, False),
        (Decimal("1.0"), Decimal("1.00"), True),
        (Decimal("0.1"), 0.1, False),
        (Decimal(2), 2, True),
        (Decimal("NaN"), Decimal("NaN"), True),
        (Decimal("sNaN"), Decimal("NaN"), True),
        (Decimal("NaN"), NAN, False),
        (Decimal("sNaN"), 1, False),
        (Fraction(1, 2), 0.5, True),
        (Fraction(1, 3), 1 / 3, False),
        ("a", "a", True),
        ("a", "A", False),
        ("1", 1, False),
        (b"a", bytearray(b"a"), True),
        (b"a", "a", False),
        (None, None, True),
        (None, 0, False),
        (None, [], False),
        (..., ..., True),
    ],
)
def test_scalars(expected, actual, agree):
    """Bools are strict, expected ints exact, expected floats within 1e-9 of themselves or 1e-12."""
    assert agrees(told(expected), told(actual), Relation()) is agree


class Mine(list):
    """A list of one's own."""


@pytest.mark.parametrize(
    ("expected", "actual", "agree"),
    [
        ([1, 2], [1, 2], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 2], False),
        ([1, 2], (1, 2), False),
        ((), [], False),
        ([1], Mine([1]), True),
        ([1], collections.deque([1]), False),
        (collections.deque([1], 3), collections.deque([1]), True),
        ({1, 2}, frozenset({2, 1}), True),
        ({1}, [1], False),
        ({0.1 + 0.2}, {0.3}, False),
        ({1}, {1.0}, True),
        (set(), {}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 0.3}, {"a": 0.1 + 0.2}, True),
        ({0.3: "a"}, {0.1 + 0.2: "a"}, False),
        ({1: "a"}, {1.0: "a"}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": None}, {"b": None}, False),
        (collections.OrderedDict(a=1, b=2), collections.OrderedDict(b=2, a=1), True),
        ({"a": 1}, collections.defaultdict(int, a=1), True),
        ({"a": 2}, collections.Counter("aa"), True),
        (collections.Counter(), collections.Counter(a=0), False),
        (range(3), range(3), True),
        (range(0), range(5, 5), True),
        (range(3), [0, 1, 2], False),
        (slice(1, 2), slice(1, 2), True),
        (slice(1, 2), slice(1, 3), False),
        (dt.date(2024, 1, 1), dt.date(2024, 1, 1), True),
        (dt.date(2024, 1, 1), dt.datetime(2024, 1, 1), False),
        (
            dt.datetime(2024, 1, 1, 12, tzinfo=dt.UTC),
            dt.datetime(2024, 1, 1, 13, tzinfo=dt.timezone(dt.timedelta(hours=1))),
            True,
        ),
        (dt.datetime(2024, 1, 1, tzinfo=dt.UTC), dt.datetime(2024, 1, 1), False),
        (Path("a/b"), PurePosixPath("a/b"), True),
        (Path("a"), "a", False),
        (re.compile("a"), re.compile("a"), True),
        (re.compile("a"), re.compile("a", re.IGNORECASE), False),
        (int, int, True),
        (int, float, False),
        (ValueError("x"), ValueError("x"), True),
        (ValueError("x"), ValueError("y"), False),
        (ValueError("x"), TypeError("x"), False),
    ],
)
def test_containers_and_the_standard_library(expected, actual, agree):
    """As `==` has them; keys and a set's items without a tolerance, a dict's order never mattering."""
    assert agrees(told(expected), told(actual), Relation()) is agree


def test_declared_types_compare_by_class_and_fields(types):
    """Fields with the tolerance; a named tuple is a tuple too."""
    assert agrees(told(types.Point(1, [0.3])), told(types.Point(1, [0.1 + 0.2])), Relation())
    assert not agrees(told(types.Point(1, 2)), told(types.Point(1, True)), Relation())
    assert not agrees(told(types.Point(1, 2)), told(types.Span(1, 2)), Relation())
    assert not agrees(told(types.Point(1, 2)), told({"x": 1, "y": 2}), Relation())
    assert agrees(told(types.Span(1, 2)), told((1, 2)), Relation())
    assert not agrees(told(types.Span(1, 2)), told([1, 2]), Relation())


def test_a_declared_class_is_known_by_its_own_name_in_whichever_module():
    """The candidate's module and the oracle's need not be one; a builtin is never a declared class."""

    def thing(name: str) -> Any:
        return decode({"$": "dataclass", "class": name, "fields": [["a", 1]]})

    assert agrees(thing("one.Thing"), thing("other.make.<locals>.Thing"), Relation())
    assert not agrees(thing("one.Thing"), thing("one.Other"), Relation())
    assert not agrees(
        decode({"$": "class", "name": "builtins.ValueError"}),
        decode({"$": "class", "name": "m.ValueError"}),
        Relation(),
    )


def test_enum_members(types):
    """By class and member; an IntEnum or StrEnum is its int or str as well."""
    assert agrees(told(types.Color.RED), told(types.Color.RED), Relation())
    assert not agrees(told(types.Color.RED), told(types.Color.BLUE), Relation())
    assert not agrees(told(types.Color.RED), told(1), Relation())
    assert agrees(told(1), told(types.Level.LOW), Relation())
    assert agrees(told(types.Word.YES), told("yes"), Relation())
    assert not agrees(told(types.Level.LOW), told(True), Relation())
    assert not agrees(told(types.Level.LOW), told(types.Color.RED), Relation())
    assert agrees(told({types.Level.LOW: "x"}), told({1: "x"}), Relation())
    both, other = types.Access.READ | types.Access.WRITE, types.Access.WRITE | types.Access.READ
    assert agrees(told(both), told(other), Relation())


@pytest.mark.parametrize("value", [len, object(), math, [len], {"a": object()}])
def test_what_is_opaque_agrees_with_nothing(value):
    """Not even with itself."""
    assert not agrees(told(value), told(value), Relation())


def test_exact_int_asks_for_an_int_where_one_is_expected():
    """At any depth; an expected float still takes an int."""
    exact = Relation(exact_int=True)
    assert not agrees(2, 2.0, exact)
    assert not agrees([{"a": 2}], [{"a": 2.0}], exact)
    assert not agrees({2}, {2.0}, exact)
    assert not agrees({2: 1}, {2.0: 1}, exact)
    assert not agrees(2, Decimal(2), exact)
    assert agrees(2.0, 2, exact)
    assert agrees(2, 2, exact)


def test_unordered_frees_the_outermost_order_alone():
    """Every item must be there as often as expected; the kind of sequence still matters."""
    free = Relation(unordered=True)
    assert agrees([3, 1, 2], [1, 2, 3], free)
    assert agrees((["b"], ["a"]), (["a"], ["b"]), free)
    assert not agrees([["a", "b"]], [["b", "a"]], free)
    assert not agrees([1, 1, 2], [1, 2, 2], free)
    assert not agrees([1, 2], (2, 1), free)
    assert not agrees([1, 2], [2], free)
    assert not agrees([1, 2], [True, 2], free)
    assert agrees([0.3, 0.6], [0.6, 0.1 + 0.2], free)
    assert agrees([{"a": 0.3}, {"a": 0.6}], [{"a": 0.6}, {"a": 0.1 + 0.2}], free)


def test_iterators_agree_with_iterators_and_nothing_else():
    """Whichever class yields them; a dict's views are each of their own kind."""
    assert agrees(told(iter([1, 2])), told(n for n in (1, 2)), Relation())
    assert not agrees(told(iter([1, 2])), told([1, 2]), Relation())
    assert agrees(told({"a": 1, "b": 2}.keys()), told({"b": 0, "a": 0}.keys()), Relation())
    assert not agrees(told({"a": 1}.keys()), told(iter(["a"])), Relation())
    assert not agrees(told({"a": 1, "b": 2}.values()), told({"b": 2, "a": 1}.values()), Relation())


def test_iterated_compares_whatever_yields_the_same():
    """For functions that promise an Iterator or Iterable only."""
    lists = Relation(iterated=True)
    assert agrees([1, 2], told(iter([1, 2])), lists)
    assert agrees(told(iter([1, 2])), (1, 2), lists)
    assert agrees([0, 1], range(2), lists)
    assert not agrees([1, 2], told(iter([1])), lists)
    assert not agrees([1], {1}, lists)
    assert not agrees([[1]], [told(iter([1]))], lists)


def test_endless_iterators_agree_by_what_was_taken_of_them():
    """A finite list never agrees with an endless one."""
    lists = Relation(iterated=True)
    assert agrees(told(itertools.count()), told(itertools.count()), lists)
    assert not agrees(told(itertools.count()), told(iter(range(1000))), lists)
    assert not agrees(told(itertools.count()), told(itertools.count(1)), lists)
    assert not agrees(list(range(1000)), told(itertools.count()), lists)


def test_cycles_agree_where_they_close_alike():
    """And never loop."""

    def loop(start: int) -> list[Any]:
        items: list[Any] = [start]
        items.append((items,))
        return items

    assert agrees(told(loop(1)), told(loop(1)), Relation())
    assert not agrees(told(loop(1)), told(loop(2)), Relation())


def test_shared_parts_are_compared_once():
    """Seventeen doublings unfold to a quarter of a million lists, compared in a few steps."""
    left: Any = [1.0]
    right: Any = [1]
    for _ in range(17):
        left, right = [left, left], [right, right]
    assert agrees(told(left), told(right), Relation())


def test_a_comparison_that_would_not_end_says_so(monkeypatch):
    """It is bounded by steps."""
    monkeypatch.setattr("tdgen.values.equality.MAX_STEPS", 100)
    with pytest.raises(TooLong):
        agrees(list(range(200)), list(range(200)), Relation())


@settings(deadline=None)
@given(data=st.data())
def test_every_value_agrees_with_itself(data, values):
    """Told twice, under every relation that its types allow."""
    value = data.draw(values)
    relation = Relation(
        exact_int=data.draw(st.booleans()), unordered=data.draw(st.booleans()), iterated=data.draw(st.booleans())
    )
    assert agrees(told(value), told(value), relation)


@settings(deadline=None)
@given(data=st.data())
def test_a_part_that_is_opaque_spoils_any_value(data, values):
    """There is no way around it by nesting."""
    value = [told(data.draw(values)), Opaque("m.X", "an object")]
    assert not agrees(value, value, Relation())


@settings(deadline=None)
@given(
    expected=st.floats() | st.integers(),
    off=st.floats(-1, 1) | st.just(0.0),
    rel=st.sampled_from([1e-9, 1e-3, 0.0]),
    absolute=st.sampled_from([1e-12, 0.5, 0.0]),
)
def test_floats_agree_exactly_where_approx_says_so(expected, off, rel, absolute):
    """pytest.approx is what the rendered file uses; an expected int is exact in both."""
    try:
        actual = expected + off * max(rel * abs(expected), absolute) * 1.5
    except OverflowError:
        return
    relation = Relation(tolerance=Tolerance(rel=rel, abs=absolute))
    if isinstance(expected, int):
        assert agrees(expected, actual, relation) == (actual == expected)
    elif math.isfinite(actual) or not math.isfinite(expected):
        assert agrees(expected, actual, relation) == (
            actual == pytest.approx(expected, rel=rel, abs=absolute, nan_ok=True)
        )


def spec(annotation: str, *, unordered: bool = False) -> FunctionSpec:
    return FunctionSpec(name="f", purpose="", returns=Returns(type=annotation, unordered=unordered))


@pytest.mark.parametrize(
    "annotation",
    ["int", "list[int]", "dict[str, list[int]]", "int | None", "Optional[int]", "typing.List[int]", "'list[int]'",
     "Literal[1, 2]", "tuple[int, ...]", "Iterator[tuple[str, int]]", "list['int']"],
)  # fmt: skip
def test_ints_are_exact_where_only_ints_are_promised(annotation):
    """At any depth, in unions, in quotes and in Literals."""
    assert relation_for(spec(annotation)).exact_int


@pytest.mark.parametrize(
    "annotation",
    ["float", "int | float", "dict[int, float]", "list[Any]", "object", "tuple[int, Decimal]", "complex", "str", "None",
     "list[Point]", "dict[int, Point]", "Union[int, Fraction]", "list[T]", "Literal['int']", "", "not an annotation("],
)  # fmt: skip
def test_ints_and_floats_are_interchangeable_elsewhere(annotation):
    """A declared type may hold floats, which its name doesn't show."""
    assert not relation_for(spec(annotation)).exact_int


@pytest.mark.parametrize(
    ("annotation", "iterated"),
    [
        ("Iterator[int]", True),
        ("collections.abc.Generator[int, None, None]", True),
        ("Iterable[str] | None", True),
        ("Optional[Iterable[str]]", True),
        ("'AsyncIterator[int]'", True),
        ("list[Iterator[int]]", False),
        ("list[int]", False),
        ("Sequence[int]", False),
    ],
)
def test_results_are_iterated_where_the_outermost_type_is_an_iterator(annotation, iterated):
    """Not where one is merely inside."""
    assert relation_for(spec(annotation)).iterated is iterated


def test_the_case_sets_the_tolerance_and_the_spec_the_order():
    """Each where it belongs."""
    relation = relation_for(spec("list[float]", unordered=True), Tolerance(rel=0.1))
    assert (relation.tolerance.rel, relation.unordered) == (0.1, True)


@pytest.mark.parametrize(
    ("call", "plain"), [("", True), ("f(1)", True), ("module.f(2)", True), ("list(f(1))", False), ("f(1)(2)", False)]
)
def test_an_expression_around_the_call_has_a_type_of_its_own(call, plain):
    """Only what the function itself returns is held to its annotation; a free order stays free."""
    case = Case(name="c", function="f", call=call, expectation=Value(source="1", tolerance=Tolerance(abs=1.0)))
    relation = relation_of_case(case, spec("Iterator[int]", unordered=True))
    assert (relation.exact_int, relation.iterated) == (plain, plain)
    assert (relation.tolerance.abs, relation.unordered) == (1.0, True)


def test_a_methods_result_is_compared_by_the_methods_annotation():
    """An int that it promises is no float; what it yields is compared item by item."""
    methods = (Method(signature="def size(self) -> int"), Method(signature="def names(self) -> Iterator[str]"))
    queue = class_spec("Queue", ClassInterface(methods=methods))

    def case(call):
        return Case(name="one", function="Queue", setup="q = Queue()", call=call, expectation=Value(source="1"))

    assert relation_of_case(case("q.size()"), queue).exact_int
    assert relation_of_case(case("q.names()"), queue).iterated
    assert relation_of_case(case("q.other()"), queue) == Relation()
