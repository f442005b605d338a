"""Trivial bodies: what they are for a suite."""

import ast

from tdgen.pipeline.adequacy import trivial_bodies
from tdgen.specs.interfaces import class_spec
from tdgen.types import (
    Attribute,
    Case,
    Check,
    ClassInterface,
    ExpectedException,
    FunctionSpec,
    Job,
    Method,
    Parameter,
    Probe,
    Returns,
    Value,
)

SPEC = FunctionSpec(
    name="f",
    purpose="-",
    parameters=(Parameter(name="text", type="str"), Parameter(name="limit", type="int", default="3")),
    returns=Returns(type="str"),
)
CASES = (
    Case(name="a", function="f", arguments=("'x'",), expectation=Value(source="'x!'")),
    Case(name="b", function="f", arguments=("'y'", "limit=2"), expectation=Value(source="'y!'")),
    Case(name="c", function="f", arguments=("''",), expectation=ExpectedException(type="ValueError")),
    Case(name="d", function="f", call="f('z').upper()", expectation=Value(source="Decimal('1')")),
    Case(name="e", function="f", arguments=("'w'",), expectation=Check(source="result")),
)


def told():
    return [trivial.description for trivial in trivial_bodies(SPEC, CASES, CASES)]


def test_constants_exceptions_arguments_and_a_table_are_tried():
    """Each constant once; what is computed is no constant."""
    assert told() == [
        "always returns None",
        "always returns 'x!'",
        "always returns 'y!'",
        "always raises ValueError",
        "returns its argument text",
        "returns its argument limit",
        "looks 3 of the shown cases up in a table",
    ]


def test_each_body_is_python_that_defines_the_function():
    """With the imports that its sources need."""
    for trivial in trivial_bodies(SPEC, CASES, CASES):
        names = [node.name for node in ast.parse(trivial.source).body if isinstance(node, ast.FunctionDef)]
        assert "f" in names


def test_the_table_knows_shown_cases_alone():
    """A held-out case is not in it."""
    table = trivial_bodies(SPEC, CASES, CASES[:1])[-1]
    assert table.description == "looks 1 of the shown cases up in a table"
    assert "'y'" not in table.source


def test_an_async_function_gets_async_bodies():
    """They are awaited like the real one."""
    spec = SPEC.model_copy(update={"is_async": True})
    assert all("async def f(" in trivial.source for trivial in trivial_bodies(spec, CASES, CASES))


def test_the_table_knows_arrays_by_what_they_show(array_sandbox):
    """`==` on arrays is an array, which is neither true nor false; of another shape, or empty, it raises."""
    spec = FunctionSpec(
        name="f", purpose="-", parameters=(Parameter(name="x", type="np.ndarray"),), returns=Returns(type="int")
    )
    arguments = ("np.array([1, 2])", "np.array([2, 1])", "np.array([])", "np.eye(2)", "pd.DataFrame({'a': [1]})", "7")
    cases = [
        Case(name=str(number), function="f", arguments=(argument,), expectation=Value(source=str(number)))
        for number, argument in enumerate(arguments)
    ]
    table = trivial_bodies(spec, cases, cases)[-1]
    probes = tuple(Probe(name=case.name, function="f", arguments=case.arguments) for case in cases)
    report = array_sandbox.run(Job(module="m", source=table.source, probes=probes))
    assert [observation.value for observation in report.observations] == list(range(len(cases)))


def test_a_class_is_trivial_where_all_its_methods_give_one_thing():
    """Or raise one exception; its constructor takes whatever is given."""
    methods = (
        Method(signature="def __init__(self, limit: int) -> None"),
        Method(signature="def size(self) -> int", kind="property"),
        Method(signature="def size(self, value: int) -> None", kind="setter"),
        Method(signature="def of(cls, items: list[int]) -> Queue", kind="class"),
        Method(signature="async def flush(self) -> int"),
    )
    interface = ClassInterface(attributes=(Attribute(name="limit", type="int"),), methods=methods)
    cases = [
        Case(name="a", function="Queue", call="Queue(1).size", expectation=Value(source="7")),
        Case(name="b", function="Queue", arguments=("0",), expectation=ExpectedException(type="ValueError")),
    ]
    bodies = trivial_bodies(class_spec("Queue", interface), cases, cases)
    assert [body.description for body in bodies] == [
        "gives None whatever is done",
        "gives 7 whatever is done",
        "always raises ValueError",
    ]
    found: dict = {}
    exec(bodies[1].source, found)
    queue = found["Queue"](3)
    assert [queue.size, queue.limit, found["Queue"].of([1])] == [7, 7, 7]
