"""How many calls the search for what parts code from other code makes at a time, and when it ends."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tdgen.build import second_reading
from tdgen.build.versions import RUNS_EACH_SECOND, SearchLimit
from tdgen.inputs import Generated
from tdgen.types import Call, FunctionSpec, Observation, Raised, Raises, Returns, Suite
from tdgen.values.encode import encode


class Compared:
    """In place of a comparison: how many calls were taken at a time."""

    def __init__(self, runner, state, versions):
        self.versions, self.taken = versions, []

    def take(self, generated):
        self.taken.append(len(generated))

    def divergences(self):
        return iter([self.taken])


@pytest.mark.parametrize(
    ("is_counted", "taken"),
    [
        (True, [second_reading.AT_ONCE] * 3),
        (False, [second_reading.SLOW_AT_ONCE]),
    ],
    ids=["quick calls", "slow calls, and no time"],
)
def test_calls_are_taken_until_the_search_is_over(monkeypatch, is_counted, taken):
    """Runs of both versions count; slow calls are few at a time."""
    seconds = 2 * 2.5 * second_reading.AT_ONCE / RUNS_EACH_SECOND if is_counted else 0.0
    limit = SearchLimit(seconds, is_counted=is_counted)
    monkeypatch.setattr(second_reading, "search_limit", lambda *given, **named: limit)
    monkeypatch.setattr(second_reading, "searched", lambda *given, **named: iter(range(10**4)))
    monkeypatch.setattr(second_reading, "_Comparison", Compared)
    state = SimpleNamespace(name="f", spec=SimpleNamespace(interface=None), suite=SimpleNamespace(cases=()))
    runner = SimpleNamespace(runner=lambda *given, **named: None)
    build = SimpleNamespace(
        evaluators={"f": runner},
        around=lambda state: {},
        plan=SimpleNamespace(types=()),
        tools=SimpleNamespace(policy=SimpleNamespace(seconds=seconds)),
    )
    assert second_reading._divergences(build, state, "", [""]) == [taken]


def test_calls_whose_result_is_long_come_after_all_others():
    """Nobody works hundreds of rows out."""
    gave = {"short": ([1], [2]), "long": (list(range(500)), [])}
    calls = {name: Call(function="f", call=f"f({name!r})") for name in gave}

    def observed(value):
        return Observation(name="f", status="returned", value=encode(value))

    class Runner:
        def likely(self, versions, calls, *, channels):
            return range(len(calls))

        def rows(self, versions, calls, *, logs):
            return [[observed(gave[eval(call.call[2:-1])][place]) for call in calls] for place in (1, 0)]

        def observed(self, calls, *, logs):
            return [observed(gave[eval(one.call.call[2:-1])][place]) for place, one in zip((1, 0), calls, strict=True)]

        def same(self, one, other, call):
            return one.value == other.value

    spec = FunctionSpec(name="f", purpose="Counts.", returns=Returns(type="list[int]"))
    state = SimpleNamespace(spec=spec, suite=Suite(function="f", cases=()))
    comparison = second_reading._Comparison(Runner(), state, ["ours", "theirs"])
    comparison.take([Generated(calls["long"], keeps=True), Generated(calls["short"], keeps=False)])
    assert [one.call for one in comparison.divergences()] == [calls["short"], calls["long"]]


@pytest.mark.parametrize(("theirs", "is_asked"), [(("KeyError", "LookupError"), False), (("ValueError",), True)])
def test_a_subclass_of_a_named_exception_counts_as_that_one(theirs, is_asked):
    """A case takes either, so no call asks which of the two it is to be."""
    spec = FunctionSpec(
        name="f", purpose="", returns=Returns(type="int"), raises=(Raises(type="LookupError", when="it lacks it"),)
    )
    state = SimpleNamespace(spec=spec, suite=Suite(function="f", cases=()))
    runner = SimpleNamespace(same=lambda one, other, call: one.raised == other.raised)
    comparison = second_reading._Comparison(runner, state, ["ours", "theirs"])
    seen = [
        Observation(name="f", status="raised", raised=Raised(types=types, message=""))
        for types in (("LookupError",), theirs)
    ]
    assert comparison._part(*seen, Call(function="f", call="f(1)")) is is_asked
