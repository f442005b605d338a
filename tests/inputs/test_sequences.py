"""Random sequences of calls on a class: of what its cases do, each time the same, and going on after errors."""

from __future__ import annotations

import ast

import pytest

from tdgen.inputs import generated_inputs
from tdgen.inputs.sequences import FEWEST_STEPS, MOST_STEPS, beside_another, call_sequences
from tdgen.specs.interfaces import class_spec
from tdgen.types import After, Case, ClassInterface, Method, Raises, Value, World

INTERFACE = ClassInterface(
    methods=(
        Method(signature="def __init__(self, limit: int) -> None"),
        Method(signature="def put(self, item: str) -> int", raises=(Raises(type="ValueError", when="full"),)),
        Method(signature="def take(self) -> str"),
        Method(signature="def __len__(self) -> int"),
        Method(signature="def full(self) -> bool", kind="property"),
    )
)
SPEC = class_spec("Queue", INTERFACE)


def case(call, setup="q = Queue(2)", value="1", **more):
    return Case(name=call, function="Queue", setup=setup, call=call, expectation=Value(source=value), **more)


CASES = [
    case("q.put('a')"),
    case("q.take()", "q = Queue(3)\nq.put('a')\nq.put('b')"),
    case("queue.full", "queue = Queue(1)\ngot = queue.put('c')", after=(After(expression="len(queue)", source="1"),)),
]


@pytest.fixture(scope="module")
def made():
    """Many sequences of one seed."""
    return call_sequences(SPEC, CASES, most=200)


def test_each_begins_with_an_object_and_ends_in_something_observed(made):
    """Under the name that most cases give it; in between are the steps of any of the cases."""
    assert len(made) == 200
    for call in made:
        body = ast.parse(call.setup).body
        assert ast.unparse(body[0]) in {f"q = Queue({n})" for n in range(5)}
        assert FEWEST_STEPS <= len(body) <= MOST_STEPS
    ends = {call.call for call in made}
    assert {"[q.full, len(q)]", "q.take()", "q.put('b')"} <= ends
    assert not any("queue" in call.setup for call in made)


def test_a_sequence_goes_on_after_an_error_of_the_contract(made):
    """The step is guarded against what its method may raise; one without such an exception is not."""
    text = "\n".join(call.setup for call in made)
    assert "with contextlib.suppress(ValueError):\n    q.put('c')" in text
    assert "\nq.take()" in text


def test_no_two_are_alike_and_a_seed_gives_the_same(made):
    """So that a killed run resumes with the questions that it asked."""
    assert len({call.call_key for call in made}) == len(made)
    assert call_sequences(SPEC, CASES, most=200) == made
    assert call_sequences(SPEC, CASES, most=200, seed=1) != made


def test_what_cases_set_up_beside_the_object_is_left_out():
    """A step that reads a name of its own setup could not run elsewhere; nor could one in a world of its own."""
    own = "log = []\nq = Queue(2)\nq.put(log)\nclass Own(Queue): ...\nother = Own(3)\nother.put('z')"
    odd = [case("q.put(log)", own), case("q.put('far')", world=World(stdin="x")), case("q.put('far')", kind="limit")]
    text = "\n".join(f"{one.setup}\n{one.call}" for one in call_sequences(SPEC, [*CASES, *odd], most=100))
    assert not any(word in text for word in ("log", "Own", "other", "far"))


@pytest.mark.parametrize("begin", ["Queue(datetime.MAXYEAR)", "Queue(max([1, 2], key=lambda n: -n))"])
def test_what_a_setup_imports_and_a_lambda_takes_are_no_names_of_the_setup(begin):
    """Well-known modules are there in each call: a class whose cases all import one has sequences too."""
    made = call_sequences(SPEC, [case("q.take()", f"import datetime\nq = {begin}\nq.put('a')")], most=20)
    assert {call.setup.partition("\n")[0] for call in made} == {f"q = {begin}"}


def test_where_no_case_begins_with_an_object_alone_it_is_made_of_others_and_entered():
    """What it is made of is spelled out in the place of its name; what is done in its block are steps too."""
    hold = class_spec(
        "Hold", ClassInterface(methods=(*INTERFACE.methods, Method(signature="def __enter__(self) -> Self")))
    )
    setup = "stock = Stock(['a'])\nq = Hold(stock)\nwith q:\n    try: q.put('a')\n    except ValueError: pass"
    inner = "stock = Stock(['b'])\ndef run():\n    with Hold(stock) as q:\n        q.put('b')\n        q.take()"
    cases = [case("q.full", setup), case("run()", inner)]
    made = call_sequences(hold, [one.model_copy(update={"function": "Hold"}) for one in cases], most=100)
    begins = {call.setup.partition("\n")[0] for call in made}
    assert begins == {
        "q = contextlib.ExitStack().enter_context(Hold(Stock(['a'])))",
        "q = contextlib.ExitStack().enter_context(Hold(Stock(['b'])))",
    }
    assert any("q.put('b')" in call.setup and call.call == "q.take()" for call in made)


def test_of_a_function_there_are_none():
    """And none of a class of whose objects no case shows a beginning."""
    assert call_sequences(SPEC.model_copy(update={"interface": None}), CASES, most=9) == ()
    assert call_sequences(SPEC, [case("Queue(2).full", "")], most=9) == ()


def test_every_second_likely_input_of_a_class_is_a_sequence():
    """So mutants, other implementations and readings are compared on them too."""
    inputs = generated_inputs(SPEC, CASES, most=40)
    calls = {call.call_key for call in call_sequences(SPEC, CASES, most=20)}
    assert len(inputs) <= 40
    assert sum(one.call.call_key in calls for one in inputs) >= 16
    assert all(one.keeps for one in inputs if one.call.call_key in calls)


def test_an_object_is_looked_at_alone_and_beside_another():
    """Nothing is done with it: what it shows can differ only where instances share state."""
    pairs = beside_another(SPEC, CASES, most=4)
    assert pairs
    for alone, beside in pairs:
        assert alone.setup == "q_before = Queue(2)"
        assert beside.setup.startswith("q_before = Queue(2)\nq = Queue(2)\n")
        assert alone.call == beside.call == "[q_before.full, len(q_before)]"
        assert "q.take()" in beside.setup
    without = SPEC.model_copy(update={"interface": ClassInterface(methods=INTERFACE.methods[:3])})
    assert beside_another(without, CASES, most=4) == ()
