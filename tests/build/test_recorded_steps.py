"""What falsifies a property of a class: the steps with its objects as calls that a case makes."""

from __future__ import annotations

import pytest

from tdgen.build.property_check import PropertyRunner
from tdgen.build.recorded_steps import Steps
from tdgen.testgen.watched_steps import WatchedStep
from tdgen.types import (
    Attribute,
    ClassInterface,
    FunctionSpec,
    Method,
    Plan,
    Property,
    Raises,
    Returns,
)

TILL = FunctionSpec(
    name="Till",
    purpose="A till with a balance.",
    returns=Returns(type="Till"),
    interface=ClassInterface(
        attributes=(Attribute(name="limit", type="int"),),
        methods=(
            Method(signature="def __init__(self, balance: int = 0) -> None"),
            Method(signature="def balance(self) -> int", kind="property"),
            Method(signature="def pay_in(self, cents: int) -> int"),
            Method(
                signature="def take(self, cents: int) -> int",
                raises=(Raises(type="ValueError", when="there is not so much"),),
            ),
            Method(signature="def of(cls, notes: list[int]) -> 'Till'", kind="class"),
            Method(signature="def __add__(self, other: 'Till') -> 'Till'"),
            Method(signature="def __len__(self) -> int"),
            Method(signature="async def close(self) -> int"),
        ),
    ),
)
PLAN = Plan(module="tills", functions=(TILL,))
RIGHT = """
class Till:
    def __init__(self, balance=0):
        self._balance, self._times, self.limit = 0, 0, 9999
        if balance:
            self.pay_in(balance)

    @property
    def balance(self):
        return self._balance

    def pay_in(self, cents):
        self._balance += cents
        self._times += 1
        return self.balance

    def take(self, cents):
        if cents > self._balance:
            raise ValueError("not enough")
        return self.pay_in(-cents)

    @classmethod
    def of(cls, notes):
        return cls(sum(notes))

    def __add__(self, other):
        return Till(self.balance + other.balance)

    def __len__(self):
        return self._times

    async def close(self):
        return self.take(self.balance)
"""
STATE = "[till.limit, till.balance, len(till)]"
MACHINE = """class TillMachine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.till = Till()
        self.balance = 0

    @rule(cents=st.integers(1, 9))
    def pay_in(self, cents):
        self.balance += cents
        assert self.till.pay_in(cents) == self.balance

    @rule(cents=st.integers(1, 9))
    def take(self, cents):
        if cents > self.balance:
            with pytest.raises(ValueError):
                self.till.take(cents)
        else:
            self.till.take(cents)
            self.balance -= cents

    @invariant()
    def the_balance_is_what_is_left(self):
        assert self.till.balance == self.balance

    @invariant()
    def counts(self):
        assert len(self.till) >= 0

    def teardown(self):
        self.till.pay_in(1)
"""


@pytest.fixture
def trier(shared_sandboxes):
    """Runs properties about tills."""
    return PropertyRunner(shared_sandboxes[0], TILL, PLAN)


def machine(source: str = MACHINE) -> Property:
    return Property(name="TillMachine", source=source)


def of(body: str) -> Property:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return Property(name="test_it", source=f"@given(st.integers(1, 9))\ndef test_it(n):\n{lines}")


def asked(run) -> list[list[str]]:
    """The calls, each as its lines."""
    return [[*call.setup.splitlines(), call.expression] for call in run.calls]


def test_a_machine_that_holds_holds(trier):
    """In both runs, of which each draws other steps."""
    assert trier.tried(machine(), RIGHT).ending == "held"


def test_the_shortest_run_is_told_as_calls(trier):
    """The last step, and the state after it: what invariants asked before, and what a teardown does, are no steps."""
    wrong = RIGHT.replace("self._times += 1", "self._times += 1\n        self._balance += self._times == 3")
    run = trier.tried(machine(), wrong)
    assert run.ending == "falsified"
    steps = ["till = Till()", *["till.pay_in(1)"] * 3]
    assert run.example == "; ".join(steps)
    assert asked(run) == [steps, [*steps, STATE]]


def test_what_an_invariant_asks_is_observed_after_all_steps(trier):
    """Where it is the state that is wrong."""
    wrong = RIGHT.replace("return self._times", "return -1 if self._balance else self._times")
    run = trier.tried(machine(), wrong)
    assert asked(run)[-1] == ["till = Till()", "till.pay_in(1)", "len(till)"]


def test_a_step_that_raises_is_guarded_by_the_contract_s_exception(trier):
    """What an error leaves behind is looked at."""
    wrong = RIGHT.replace("raise ValueError", "self._balance += 1\n            raise ValueError")
    run = trier.tried(machine(), wrong)
    assert run.example == "till = Till(); till.take(1)"
    guard = ["with contextlib.suppress(ValueError):", "    till.take(1)"]
    assert asked(run)[:2] == [
        ["till = Till()", "till.take(1)"],
        ["till = Till()", *guard, STATE],
    ]


def test_an_exception_that_should_have_come_is_shrunk_as_others_are(trier):
    """`pytest.raises` in a rule."""
    run = trier.tried(machine(), RIGHT.replace("cents > self._balance", "cents > self._balance + 1"))
    assert run.example == "till = Till(); till.take(1)"


def test_a_call_that_never_ends_is_a_step_too(trier):
    """It is found by processor time."""
    run = trier.tried(machine(), RIGHT.replace("self._times += 1", "while self._balance == 3: pass"))
    assert run.ending == "falsified"
    assert asked(run)[0][-1].startswith("till.")


@pytest.mark.parametrize(
    ("body", "steps"),
    [
        ("assert (Till(n) + Till(2)).balance < n", ["till = Till(1)", "till_2 = Till(2)", "till + till_2"]),
        ("assert Till.of([n, 2]).take(1) > 9", ["till = Till.of([1, 2])", "till.take(1)"]),
        (
            "till = Till()\ntill.limit = n\nassert till.pay_in(n) > 9",
            ["till = Till()", "till.limit = 1", "till.pay_in(1)"],
        ),
        ("assert asyncio.run(Till(n).close()) > 9", ["till = Till(1)", "asyncio.run(till.close())"]),
        ("assert Till(balance=n).pay_in(cents=2) > 9", ["till = Till(balance=1)", "till.pay_in(cents=2)"]),
        ("assert len(Till(n)) > 9", ["till = Till(1)", "len(till)"]),
        ("Till(n)._balance = 7\nassert Till(n).take(1) > 1", ["till = Till(1)", "till_2 = Till(1)", "till_2.take(1)"]),
    ],
    ids=["an operator", "a class method", "an attribute", "a coroutine", "by name", "a function of Python", "private"],
)
def test_steps_are_written_as_people_write_them(trier, body, steps):
    """In a plain property of a class, too; what a method does with others is no step."""
    run = trier.once(of(body), RIGHT)
    assert (run.ending, run.example) == ("falsified", "n=1")
    assert asked(run)[0] == steps


def test_members_of_an_enum_are_told_by_their_names(shared_sandboxes):
    """They are objects that nobody makes."""
    above = Method(signature="def above(self, other: 'Level') -> bool")
    level = TILL.model_copy(update={"name": "Level", "interface": ClassInterface(bases=("Enum",), methods=(above,))})
    trier = PropertyRunner(shared_sandboxes[0], level, Plan(module="kit", functions=(level,)))
    body = "    LOW = 1\n    HIGH = 2\n\n    def above(self, other):\n        return True\n"
    never = "@given(st.sampled_from(list(Level)))\ndef test_it(one):\n    assert not one.above(Level.HIGH)\n"
    module = f"from enum import Enum\n\nclass Level(Enum):\n{body}"
    run = trier.once(Property(name="test_it", source=never), module)
    assert asked(run) == [["Level.LOW.above(Level.HIGH)"]]


@pytest.mark.parametrize("given", ["object()", "lambda: 1", "'x' * 5000"])
def test_what_can_not_be_spelled_out_is_no_call(trier, given):
    """The property is falsified all the same."""
    run = trier.once(of(f"till = Till()\ntill.limit = {given}\nassert till.pay_in(n) > 9"), RIGHT)
    assert (run.ending, run.calls) == ("falsified", ())


def test_code_that_a_candidate_slips_in_is_no_call(trier):
    """Only values and names of the plan get through."""
    forged = "class N(int):\n    def __repr__(self):\n        return '__import__(\"os\").getcwd()'\n"
    module = forged + RIGHT.replace("return self.balance\n", "return N(self.balance)\n", 1)
    run = trier.once(of("till = Till()\nassert till.pay_in(till.pay_in(n)) > 99"), module)
    assert (run.ending, run.calls) == ("falsified", ())


FORGED = {
    "no method of the plan": {"name": "__class__"},
    "no name": {"name": "pay_in(1) or till.take"},
    "no class of the plan": {"kind": "os"},
    "no object": {"object": 7},
    "a subclass's object": {"object": -1},
    "code": {"args": ["__import__('os').getcwd()"]},
    "code by name": {"kwargs": {"cents": "print()"}},
    "a private attribute": {"name": "__setattr__", "args": ["'_balance'", "3"]},
}


@pytest.mark.parametrize("changes", FORGED.values(), ids=FORGED)
def test_a_forged_step_is_none(changes):
    """What a candidate wrote beside the test is taken only as far as the plan knows it."""
    made = {"kind": "Till", "object": 1, "kwargs": {}, "gave": 0, "raised": "", "looked": False}
    begin = WatchedStep(name="__init__", args=[], **made)
    sound = WatchedStep(name="pay_in", args=["3"], **made)
    assert Steps([begin, sound], ["Till"], TILL, PLAN).text == "till = Till(); till.pay_in(3)"
    forged = Steps([begin, sound.model_copy(update=changes)], ["Till"], TILL, PLAN)
    assert (forged.text, list(forged.calls())) == ("", [])
