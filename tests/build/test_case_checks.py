"""Calls are settled once: what a case of the suite says already is not asked again.

Whether two who worked a call out demand the same.

What a user may answer to an open question, and the pinned that comes of it.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tdgen.build.case_checks import QUOTE, demand_the_same, pinned_by_answer, query_calls, read_answer
from tdgen.build.draft import Draft
from tdgen.judge import Oracle
from tdgen.languages.python import Python
from tdgen.prompts.context import PromptContext
from tdgen.settings import Settings
from tdgen.testgen.queries import Query, QueryResult
from tdgen.types import (
    After,
    Call,
    Case,
    Check,
    ExpectedException,
    FunctionSpec,
    Parameter,
    Plan,
    Question,
    Returns,
    Value,
    World,
)


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
        return QueryResult({0: there[0]}, open=frozenset({1}))

    monkeypatch.setattr("tdgen.build.case_checks.query_expectations", answer)
    monkeypatch.setattr("tdgen.build.case_checks.CaseChecks", lambda *_: None)
    context = PromptContext(spec=spec, plan=Plan(module="kit", functions=(spec,)))
    tools, draft = SimpleNamespace(model=None), SimpleNamespace()
    settled = query_calls(tools, draft, context, calls, Query(there=there))
    assert put == [["f([5])", "f([6])"]]
    assert (settled.cases.keys(), settled.open, settled.covered) == ({1}, frozenset({4}), frozenset({0, 2, 3}))
    assert query_calls(tools, draft, context, calls[:1], Query(there=there)).covered == frozenset({0})
    assert len(put) == 1


def test_a_call_that_never_comes_to_the_function_is_put_to_nobody(monkeypatch, shared_sandboxes):
    """As where what it does before raises, or it takes another way: no case can be made of it."""
    words = ["f([datetime.date(2025, 2, 31)])", "len([1])", "str(f([1]))", "[g for g in () if f(g)]"]
    put = []

    def answer(model, context, calls, **_):
        put.extend(call.call for call in calls)
        return QueryResult({}, open=frozenset({0}))

    monkeypatch.setattr("tdgen.build.case_checks.query_expectations", answer)
    plan = Plan(module="kit", functions=(SPEC,))
    tools = SimpleNamespace(
        model=None, sandbox=shared_sandboxes[0], language=Python(), settings=Settings(), oracle=None
    )
    calls = [Call(function="f", call=expression) for expression in words]
    settled = query_calls(tools, Draft(None, plan), PromptContext(spec=SPEC, plan=plan), calls, Query())
    assert (put, settled) == (["str(f([1]))"], QueryResult({}, open=frozenset({2})))


SPEC = FunctionSpec(name="f", purpose="Counts on.", returns=Returns(type="int"))


def case(expectation=Value(source="10"), **more) -> Case:  # noqa: B008 - immutable
    return Case(name="f_3", function="f", arguments=("3",), expectation=expectation, **more)


LOOKING = case(after=(After(expression="x", source="[1, 2]"),), stdout="--\n")
SAME = {
    "two ways to write a value": (case(), case(Value(source="2 * 5"))),
    "two names of a class": (
        case(ExpectedException(type="ValueError")),
        case(ExpectedException(type="builtins.ValueError")),
    ),
    "two ways to write what is looked at": (
        LOOKING,
        LOOKING.model_copy(update={"after": (After(expression="x", source="[1] + [2]"),)}),
    ),
    "one check": (case(Check(source="result > 1")), case(Check(source="result > 1"))),
}
OTHER = {
    "values": (case(), case(Value(source="11"))),
    "True and 1": (case(Value(source="True")), case(Value(source="1"))),
    "a value and an exception": (case(), case(ExpectedException(type="ValueError"))),
    "a value and a check that holds for it": (case(), case(Check(source="result == 10"))),
    "patterns": (
        case(ExpectedException(type="ValueError", match="a")),
        case(ExpectedException(type="ValueError", match="b")),
    ),
    "what is printed": (LOOKING, LOOKING.model_copy(update={"stdout": "-\n"})),
    "what is looked at": (LOOKING, LOOKING.model_copy(update={"after": (After(expression="x", source="[1]"),)})),
    "what can't be evaluated": (case(Value(source="ten")), case(Value(source="ten_()"))),
}


@pytest.fixture
def demands_alike(shared_sandboxes):
    """Whether two cases demand the same, whichever comes first."""
    oracle = Oracle(shared_sandboxes[1], "kit", "")

    def both(one: Case, other: Case) -> bool:
        found = demand_the_same(one, other, SPEC, oracle)
        assert demand_the_same(other, one, SPEC, oracle) == found
        return found

    return both


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME)
def test_the_same_however_it_is_written(demands_alike, pair):
    """Sources are evaluated before they are compared."""
    assert demands_alike(*pair)


@pytest.mark.parametrize("pair", OTHER.values(), ids=OTHER)
def test_something_else(demands_alike, pair):
    """A case is changed only where two say the same of all that is observed."""
    assert not demands_alike(*pair)


QUESTION = Question(
    question="`slugify('')`: '' or ValueError?",
    assumption="it returned ''",
    function="slugify",
    call="slugify('')",
    options=("returned ''", "raised ValueError: nothing is left"),
)
CALL = Call(function="slugify", arguments=("''",), setup="x = 1", world=World(seed=1))


@pytest.mark.parametrize(
    ("text", "expect", "value"),
    [
        ("1", "value", "''"),
        (" 2 \n", "raises", "ValueError"),
        ("'none'", "value", "'none'"),
        ("returns 'none'", "value", "'none'"),
        ("gives None", "value", "None"),
        ("raises KeyError", "raises", "KeyError"),
        ("raise json.JSONDecodeError", "raises", "json.JSONDecodeError"),
        ("[1,\n 2]", "value", "[1,\n 2]"),
        ("3", "value", "3"),
    ],
)
def test_an_answer_is_an_option_an_exception_or_a_value(text, expect, value):
    """A number that is no option is a value."""
    answer = read_answer(QUESTION, text)
    assert (answer.expect, answer.value) == (expect, value)
    assert (answer.function, answer.call, answer.quote) == ("slugify", "slugify('')", QUOTE)


@pytest.mark.parametrize("text", ["", "  ", "no idea", "raises hell!", "1 +", "1; 2", ")(", "x = 1"])
def test_what_can_not_be_read_answers_nothing(text):
    """The assumption stands."""
    assert read_answer(QUESTION, text) is None


def test_an_answer_is_law():
    """The case does what the call does, and is never held out or tried."""
    case = pinned_by_answer(CALL, read_answer(QUESTION, "1"), ())
    assert case.is_pinned
    assert case.done == CALL
    assert case.expectation == Value(source="''")


def test_an_exception_may_be_the_answer():
    """It is a case of that kind."""
    case = pinned_by_answer(CALL, read_answer(QUESTION, "2"), ())
    assert case.kind == "error"
    assert case.expectation == ExpectedException(type="ValueError")


def test_its_name_is_its_own():
    """Whatever is there already."""
    first = pinned_by_answer(CALL, read_answer(QUESTION, "1"), ())
    there = (Case(name=first.name, function="slugify", expectation=Value(source="1")),)
    assert pinned_by_answer(CALL, read_answer(QUESTION, "1"), there).name != first.name
