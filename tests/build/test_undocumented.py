"""What an implementation does that its contract does not speak of."""

from __future__ import annotations

import pytest

from tdgen.build.undocumented import is_documented, shared_state, steps_that_raise, undocumented
from tdgen.specs.interfaces import class_spec
from tdgen.types import Call, ClassInterface, FunctionSpec, Method, Observation, Raised, Raises, Returns

SPEC = FunctionSpec(
    name="f", purpose="", returns=Returns(type="int"), raises=(Raises(type="ValueError", when="it is odd"),)
)
CALLS = tuple(Call(function="f", arguments=(str(n),)) for n in range(6))


def raised(*types: str) -> Observation:
    return Observation(name="call", status="raised", raised=Raised(types=types))


def seen(**by_place: Observation) -> dict[str, Observation]:
    """What was seen at some of the calls: `at_2=...`; all others return."""
    fine = {call.call_key: Observation(name="call", status="returned") for call in CALLS}
    return fine | {CALLS[int(place[3:])].call_key: one for place, one in by_place.items()}


def told(by_situation: dict[str, Observation]) -> list[str]:
    return [call.arguments[0] for call in undocumented(CALLS, by_situation, SPEC)]


@pytest.mark.parametrize(
    ("observation", "is_spoken_of"),
    [
        (Observation(name="call", status="returned"), True),
        (raised("builtins.ValueError", "builtins.Exception"), True),
        (raised("builtins.UnicodeDecodeError", "builtins.ValueError"), True),
        (raised("builtins.KeyError", "builtins.LookupError"), False),
        (Observation(name="call", status="timeout"), False),
        (Observation(name="call", status="died"), False),
    ],
    ids=["a result", "an exception it names", "a subclass of one", "another", "no end", "a death"],
)
def test_what_a_contract_speaks_of(observation, is_spoken_of):
    """Results, and the exceptions that it names."""
    assert is_documented(observation, SPEC) is is_spoken_of


def test_calls_that_crash_or_never_end_are_told_in_their_order():
    """What they return is for cases to say, and an exception that is named is right where the cases say so."""
    late = Observation(name="call", status="timeout")
    assert told(seen(at_1=raised("builtins.ValueError"), at_2=raised("builtins.KeyError"), at_4=late)) == ["2", "4"]


def test_few_of_one_kind_are_enough():
    """Two that raise the same, and three in all."""
    alike = {f"at_{place}": raised("builtins.KeyError") for place in (0, 1, 2)}
    assert told(seen(**alike)) == ["0", "1"]
    more = {f"at_{place}": raised("builtins.IndexError") for place in (3, 4)}
    assert told(seen(**alike, **more)) == ["0", "1", "3"]


def test_what_was_not_run_says_nothing():
    """There may have been no time for it."""
    left = Observation(name="call", status="not_run")
    assert told({CALLS[0].call_key: left}) == []
    assert told({}) == []


def test_what_is_done_with_a_result_may_raise_by_itself():
    """`f(0)[0]` of an empty list says nothing of `f`."""
    call = Call(function="f", call="f(0)[0].name")
    assert undocumented([call], {call.call_key: raised("builtins.IndexError")}, SPEC) == []


CLASS = class_spec("Till", ClassInterface(methods=(Method(signature="def pay_in(self, cents: int) -> int"),)))
SEQUENCE = Call(
    function="Till",
    setup="till = Till(1)\nwith contextlib.suppress(ValueError):\n    till.pay_in(5)\ntill.limit = 3\ntill.pay_in(2)",
    call="till.balance",
)


def test_a_property_that_raises_is_the_class_s_own():
    """To read it is the whole call; what is done with a function's result may raise by itself."""
    assert undocumented([SEQUENCE], {SEQUENCE.call_key: raised("builtins.KeyError")}, CLASS) == [SEQUENCE]


def test_a_method_that_the_contract_does_not_have_is_not_asked_about():
    """A project's class has others, and bases have theirs."""
    call = SEQUENCE.model_copy(update={"call": "till.count_all()"})
    assert undocumented([call], {call.call_key: raised("builtins.KeyError")}, CLASS) == []


def test_the_steps_of_a_sequence_that_broke_off_are_looked_at():
    """Each after those before it, so that the one which raises is the call."""
    broke = raised("builtins.KeyError").model_copy(update={"status": "not_run"})
    steps = steps_that_raise([SEQUENCE], {SEQUENCE.call_key: broke}, CLASS)
    assert [step.call for step in steps] == ["till.pay_in(5)", "till.pay_in(2)"]
    assert steps[0].setup == "till = Till(1)"
    assert steps[1].setup == SEQUENCE.setup.rpartition("\n")[0]


def test_one_sequence_for_each_exception_is_enough():
    """And none for what ended well, or was not run for want of time."""
    other = SEQUENCE.model_copy(update={"call": "till.pay_in(1)"})
    broke = raised("builtins.KeyError").model_copy(update={"status": "not_run"})
    assert (
        len(steps_that_raise([SEQUENCE, other], dict.fromkeys((SEQUENCE.call_key, other.call_key), broke), CLASS)) == 2
    )
    left = Observation(name="call", status="not_run")
    assert steps_that_raise([SEQUENCE], {SEQUENCE.call_key: left}, CLASS) == []


def returned(value):
    return Observation(name="call", status="returned", value=value)


def test_an_object_that_changes_beside_another_one_is_told_by_few_steps():
    """Only the objects and the step that changes one stay; where nothing is shared there is nothing to ask."""
    alone = Call(function="Till", setup="one = Till(1)", call="one.balance")
    beside = alone.model_copy(update={"setup": "one = Till(1)\ntill = Till(2)\ntill.take(1)\ntill.pay_in(5)"})

    def observe(calls):
        return [returned(6 if "pay_in" in call.setup else 1) for call in calls]

    def same(one, other, call):
        return one.value == other.value

    (told,) = shared_state([(alone, beside)], observe, same)
    assert (told.setup, told.call) == ("one = Till(1)\ntill = Till(2)\ntill.pay_in(5)", "one.balance")
    assert shared_state([(alone, alone)], observe, same) == []
