"""Calls are settled once: what a case of the suite says already is not asked again."""

from __future__ import annotations

from types import SimpleNamespace

from tdgen.build.case_checks import settle_calls
from tdgen.prompts.context import PromptContext
from tdgen.testgen.queries import Query, Settled
from tdgen.types import Call, Case, FunctionSpec, Parameter, Plan, Returns, Value


def test_a_call_that_a_case_makes_is_not_put_to_the_author_again(monkeypatch):
    """In whatever words; the answers on the others keep their places."""
    spec = FunctionSpec(
        name="f",
        purpose="Adds.",
        parameters=(Parameter(name="x", type="list[int]"), Parameter(name="y", type="int", default="0")),
        returns=Returns(type="int"),
    )
    there = (
        Case(name="one", function="f", arguments=("[1,2]",), expectation=Value(source="3")),
        Case(name="two", function="f", call="str(f([3], 1))", expectation=Value(source="'4'")),
    )
    words = ["f([1, 2])", "f([5])", "f(x=[1, 2], y=0)", "str(f(y=1, x=[3]))", "f([6])"]
    calls = [Call(function="f", call=expression) for expression in words]
    put = []

    def answer(model, context, calls, **_):
        put.append([call.call for call in calls])
        return Settled({0: there[0]}, open=frozenset({1}))

    monkeypatch.setattr("tdgen.build.case_checks.settle", answer)
    monkeypatch.setattr("tdgen.build.case_checks.CaseChecks", lambda *_: None)
    context = PromptContext(spec=spec, plan=Plan(module="kit", functions=(spec,)))
    tools, draft = SimpleNamespace(model=None), SimpleNamespace()
    settled = settle_calls(tools, draft, context, calls, Query(there=there))
    assert put == [["f([5])", "f([6])"]]
    assert (settled.cases.keys(), settled.open, settled.covered) == ({1}, frozenset({4}), frozenset({0, 2, 3}))
    assert settle_calls(tools, draft, context, calls[:1], Query(there=there)).covered == frozenset({0})
    assert len(put) == 1
