"""What reading tells of a class's cases: public state alone, each method used, sequences among them."""

from __future__ import annotations

import pytest

from tdgen.specs.interfaces import class_spec
from tdgen.testgen.class_problems import suite_lacks, unused_methods, without_methods
from tdgen.testgen.problems import broken
from tdgen.types import After, Case, ClassInterface, ExpectedException, Method, Raises, Value

INTERFACE = ClassInterface(
    methods=(
        Method(signature="def __init__(self, limit: int) -> None"),
        Method(signature="def put(self, item: str) -> int"),
        Method(signature="def take(self) -> str"),
        Method(signature="def __len__(self) -> int"),
        Method(signature="def full(self) -> bool", kind="property"),
    )
)
SPEC = class_spec("Queue", INTERFACE)


def case(call, setup="q = Queue(2)", value="1", name="one"):
    return Case(name=name, function="Queue", setup=setup, call=call, expectation=Value(source=value))


def test_private_methods_of_the_contract_are_used():
    """They are there for other planned classes, and nobody else would try them."""
    method = Method(signature="def _drop(self) -> None", purpose="For Hall: forgets all.")
    spec = class_spec("Queue", INTERFACE.model_copy(update={"methods": (*INTERFACE.methods, method)}))
    assert list(broken(case("len(q)", "q = Queue(2)\nq._drop()"), spec)) == []
    assert "_drop" in unused_methods(spec, [case("len(q)")])


PRIVATE = ["q._items", "vars(q)", "getattr(q, '_items')", "q.__dict__", "len(q._Queue__items)"]


@pytest.mark.parametrize("call", PRIVATE)
def test_private_state_is_never_looked_at(call):
    """By whatever way: right classes differ in all that is private."""
    assert any("which is private" in problem for problem in broken(case(call), SPEC))


@pytest.mark.parametrize(
    "setup",
    [
        "class Own(Queue):\n    def put(self, item):\n        self._seen = item\nq = Own(2)",
        "q = Queue(2)\nq.__init__(3)",
    ],
)
def test_a_subclass_of_the_case_may_have_private_state_of_its_own(setup):
    """And special methods may be called."""
    assert list(broken(case("len(q)", setup), SPEC)) == []


def test_an_instance_is_no_value():
    """What it shows of itself is observed in its place."""
    assert "and `value` is none" in next(broken(case("Queue(2)", ""), SPEC))
    assert list(broken(case("Queue(2)", "", "Queue(full=False)"), SPEC)) == []


@pytest.mark.parametrize(
    ("call", "is_refused"),
    [("q.full == 3", True), ("q.put('a') == 1", True), ("q == Queue(2)", False), ("q.full == q.full", False)],
)
def test_what_is_observed_is_compared_outside(call, is_refused):
    """Code that lies about equality would pass where the call itself compares."""
    assert any("compared outside" in problem for problem in broken(case(call, value="True"), SPEC)) is is_refused


def test_methods_that_no_case_uses_are_named():
    """Special ones are used by operators and builtins."""
    assert unused_methods(SPEC, [case("q.put('a')")]) == ["take", "__len__", "full"]
    assert unused_methods(SPEC, [case("[len(q), q.full]"), case("q.take()", "q = Queue(1)\nq.put('a')")]) == []


def test_a_set_of_objects_uses_their_hash():
    """Whether it is displayed or made."""
    hashed = class_spec("Slot", ClassInterface(methods=(Method(signature="def __hash__(self) -> int"),)))
    assert unused_methods(hashed, [case("str(Slot())")]) == ["__hash__"]
    assert unused_methods(hashed, [case("len({Slot(), Slot()})")]) == unused_methods(hashed, [case("set(x)")]) == []


def test_some_of_the_cases_are_sequences():
    """Of three calls or more, wherever they stand."""
    short = [case("[len(q), q.full]"), case("q.take()", "q = Queue(1)\nq.put('a')"), case("q.put('b')")]
    assert any("0 of your 3 cases do 3 or more things" in lack for lack in suite_lacks(SPEC, short))
    long = case("q.take()", "q = Queue(1)\nq.put('a')\nq.put('b')")
    assert suite_lacks(SPEC, [*short, *short[1:], long]) == []
    pinned = [one.model_copy(update={"provenance": "instruction"}) for one in short]
    assert suite_lacks(SPEC, [*short, *pinned, long]) == []
    stateless = SPEC.model_copy(update={"purpose": "A stateless helper."})
    assert suite_lacks(stateless, short) == []


@pytest.mark.parametrize(
    "words", ["the queue is full; it stays as it was", "full, and nothing is changed", "unchanged"]
)
def test_an_error_that_leaves_the_object_as_it_was_is_looked_at(words):
    """Where the contract says so; a case of an error without a look after it shows only that it is raised."""
    put = Method(signature="def put(self, item: str) -> int", raises=(Raises(type="ValueError", when=words),))
    spec = class_spec("Queue", INTERFACE.model_copy(update={"methods": (*INTERFACE.methods[:1], put)}))
    error = case("q.put('b')", "q = Queue(0)").model_copy(update={"expectation": ExpectedException(type="ValueError")})
    assert any("by the contract an error leaves the object as it was" in lack for lack in suite_lacks(spec, [error]))
    looked = error.model_copy(update={"after": (After(expression="len(q)", source="0"),)})
    caught = case("len(q)", "q = Queue(0)\ntry:\n    q.put('a')\nexcept ValueError:\n    pass")
    assert suite_lacks(spec, [looked]) == suite_lacks(spec, [caught]) == []
    silent = put.model_copy(update={"raises": (Raises(type="ValueError", when="the queue is full"),)})
    free = spec.model_copy(update={"interface": INTERFACE.model_copy(update={"methods": (silent,)})})
    assert suite_lacks(free, [error]) == []


def test_cases_without_a_method_are_told_apart():
    """By operators and builtins too, where those use it."""
    cases = [case("q.take()"), case("q.put('a')"), case("len(q)")]
    assert without_methods(cases, ["take", "__len__"]) == (cases[1],)


def test_an_object_may_come_from_elsewhere():
    """Of two classes that need each other one may make the other's objects; what uses nothing of it is no case."""
    assert list(broken(case("q.take()", "q = open_hall().queue"), SPEC)) == []
    assert "it never calls 'Queue'" in list(broken(case("len(q)", "q = [1, 2]"), SPEC))


def test_an_operator_uses_what_a_function_made():
    """As `bag([1]) + bag([2])` does where a project's function makes the objects; a list has operators of its own."""
    add = Method(signature="def __add__(self, other: Bag) -> Bag")
    spec = class_spec("Bag", ClassInterface(methods=(add,)))
    assert list(broken(case("sorted(bag([1]) + bag([2]))", ""), spec)) == []
    assert "it never calls 'Bag'" in list(broken(case("sorted(bag([1]))", ""), spec))
    assert "it never calls 'Bag'" in list(broken(case("sorted([1] + [2])", ""), spec))


def test_a_private_stub_is_used_through_what_its_class_has():
    """Of a class that is there `_part` alone is written: cases call what calls it, as users do."""
    method = Method(signature="def _part(self) -> int", purpose="A part.")
    assert unused_methods(SPEC.model_copy(update={"interface": ClassInterface(methods=(method,))}), []) == []
