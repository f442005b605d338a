"""What a function's contract says of how its results are compared."""

from __future__ import annotations

import pytest

from tdgen.specs.interfaces import class_spec
from tdgen.types import Case, ClassInterface, FunctionSpec, Method, Returns, Tolerance, Value
from tdgen.values.relation import Relation, relation_for, relation_of_case


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
