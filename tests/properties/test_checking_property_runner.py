"""What comes of a property that is tried: it holds, it is falsified by calls that can be told, or it is none at all."""

from __future__ import annotations

from functools import partial

import pytest

from tdgen.properties import checking
from tdgen.properties.checking import LIMITS, PropertyRunner, can_try
from tdgen.properties.watched import Watching
from tdgen.types import Field, FileReport, FunctionSpec, Parameter, Plan, Property, Resources, Returns, SharedType

SPEC = FunctionSpec(
    name="double", purpose="Twice.", parameters=(Parameter(name="n", type="int"),), returns=Returns(type="int")
)
POINT = SharedType(name="Point", kind="dataclass", fields=(Field(name="x", type="int"),))
PLAN = Plan(module="kit", functions=(SPEC,), types=(POINT,))
TYPES = "from dataclasses import dataclass\n\n\n@dataclass\nclass Point:\n    x: int\n\n\n"
RIGHT = "def double(n):\n    return 2 * n\n"


def prop(body: str, drawn: str = "st.integers(-9999, 9999)") -> Property:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return Property(name="test_it", source=f"@given({drawn})\ndef test_it(n):\n{lines}")


@pytest.fixture
def trier(shared_sandboxes):
    """Each property has one second: one that never ends takes all that it is given."""
    return PropertyRunner(shared_sandboxes[0], SPEC, PLAN, seconds=1)


def test_properties_can_be_tried_here(shared_sandboxes):
    """Hypothesis is lent to the sandbox."""
    assert can_try(shared_sandboxes[0]) == ""


def test_where_hypothesis_is_not_there_it_is_said():
    """Another Python inside, for which this machine's has no compiled part."""

    class Elsewhere:
        def run_files(self, job):
            return FileReport(log="E   ModuleNotFoundError: No module named 'hypothesis'\n1 error in 0.1s\n")

    assert can_try(Elsewhere()) == (
        "hypothesis does not load in the sandbox: ModuleNotFoundError: No module named 'hypothesis'"
    )


def test_what_holds_holds(trier):
    """It is tried twice, with different examples."""
    assert trier.tried(prop("assert double(n) == n + n"), RIGHT).ending == "held"


def test_a_falsifying_example_is_told_by_its_calls(trier):
    """The smallest there is, each call once, in their order."""
    tried = trier.tried(prop("double(n)\ndouble(n)\nassert double(n=n + 1) < 1000"), RIGHT)
    assert tried.ending == "falsified"
    assert tried.example == "n=499"
    assert [call.expression for call in tried.calls] == ["double(499)", "double(n=500)"]


def test_an_argument_is_told_as_it_was_before_the_call(trier):
    """Also where the function changes it in place."""
    changes = "def double(n):\n    n.clear()\n    return n\n"
    tried = trier.tried(prop("assert double([n]) == [2 * n]"), changes)
    assert [call.arguments for call in tried.calls] == [("[0]",)]


@pytest.mark.parametrize(
    ("body", "argument"),
    [
        ("assert double(Point(n)) is None", "Point(x=0)"),
        ("assert double(datetime.date(2024, 1, 1)) is None", "datetime.date(2024, 1, 1)"),
        ("assert double(Decimal(n)) is None", "decimal.Decimal('0')"),
        ("assert double([float('nan')]) is None", "[float('nan')]"),
        ("assert double({n: (n, {n})}) is None", "{0: (0, {0})}"),
    ],
)
def test_values_that_can_be_spelled_out_are_arguments(trier, body, argument):
    """Literals, well-known constructors and the plan's own types."""
    tried = trier.once(prop(body), TYPES + "def double(n):\n    return 1\n")
    assert [call.arguments for call in tried.calls] == [(argument,)]


@pytest.mark.parametrize("argument", ["lambda: n", "object()", "'x' * 5000"])
def test_what_can_not_be_spelled_out_is_no_call(trier, argument):
    """The property is falsified all the same."""
    tried = trier.once(prop(f"assert double({argument}) is None"), "def double(n):\n    return 1\n")
    assert (tried.ending, tried.calls, tried.example) == ("falsified", (), "n=0")


def test_code_that_a_candidate_slips_in_is_no_call(trier):
    """What is told of arguments is read, and written anew: only values get through."""
    forged = "class N(int):\n    def __repr__(self):\n        return '__import__(\"os\").getcwd()'\n"
    tried = trier.once(prop("assert double(double(n)) is None"), forged + "def double(n):\n    return N(n)\n")
    assert [call.expression for call in tried.calls] == ["double(0)"]


def test_a_call_of_a_coroutine_or_a_stream_is_made_as_a_case_makes_it(shared_sandboxes):
    """`asyncio.run` and `list` around it."""
    made = {"is_async": True}, {"returns": Returns(type="Iterator[int]")}
    plain = "async def double(n):\n    return n\n", "def double(n):\n    yield n\n"
    bodies = "assert asyncio.run(double(n)) is None", "assert list(double(n)) is None"
    told = []
    for changes, module, body in zip(made, plain, bodies, strict=True):
        spec = SPEC.model_copy(update=changes)
        trier = PropertyRunner(shared_sandboxes[0], spec, PLAN.model_copy(update={"functions": (spec,)}))
        told += [call.expression for call in trier.once(prop(body), module).calls]
    assert told == ["asyncio.run(double(0))", "list(double(0))"]


@pytest.mark.parametrize(
    ("found", "ending", "reason"),
    [
        (
            prop("test_it.n = getattr(test_it, 'n', 0) + 1\nassert test_it.n % 7 and double(n) == 2 * n"),
            "flaky",
            "same",
        ),
        (prop("while double(n) > 3: pass"), "endless", "it does not end within 1 s"),
        (prop("assert double(n)", "st.integers().filter(lambda n: False)"), "broken", "filtering out a lot"),
        (prop("assert double(n)", "st.integers(least=1)"), "broken", "unexpected keyword argument 'least'"),
        (prop("assert double(n)", "st.integers(9, 1)"), "broken", "InvalidArgument"),
    ],
    ids=["flaky", "endless", "nothing drawn", "no strategy", "no such numbers"],
)
def test_what_is_no_finding_is_told_apart(trier, found, ending, reason):
    """None of it says anything of the implementation."""
    tried = trier.tried(found, RIGHT)
    assert tried.ending == ending
    assert reason in tried.reason
    assert not tried.calls


def test_an_implementation_that_ends_the_process_proves_nothing(trier):
    """Its property did not hold, and was not falsified either."""
    assert (
        trier.once(prop("assert double(n) == n + n"), "import os\ndef double(n):\n    os._exit(0)\n").ending == "broken"
    )


def test_a_call_that_never_ends_is_a_falsifying_one(trier, monkeypatch):
    """Found by processor time, so that a busy machine does not matter."""
    monkeypatch.setattr(checking, "Watching", partial(Watching, seconds=0.03))
    tried = trier.once(prop("assert double(n) == n + n"), "def double(n):\n    while n > 100: pass\n    return 2 * n\n")
    assert tried.ending == "falsified"
    assert int(tried.calls[0].arguments[0]) > 100


def test_where_the_smallest_example_takes_too_long_any_will_do():
    """A run that was cut off is made once more, without shrinking."""
    conftests = []

    class Slow:
        def run_files(self, job):
            conftests.append(job.files["conftest.py"])
            return FileReport(log="no end", resources=Resources(wall_s=LIMITS.wall_s))

    assert PropertyRunner(Slow(), SPEC, PLAN).once(prop("assert double(n)"), RIGHT).ending == "endless"
    assert conftests == [Watching("double").conftest(), Watching("double", shrink=False).conftest()]
