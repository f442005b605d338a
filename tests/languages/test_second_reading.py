"""A second reading in another language: what the plan lost is found by who read the user's own words."""

from __future__ import annotations

import pytest

from tdgen.build import second_reading
from tdgen.errors import ReplyError
from tdgen.impl.reading import read_again
from tdgen.language import Language
from tdgen.languages.c import C
from tdgen.languages.javascript import JavaScript
from tdgen.protocols import Answer, Request
from tdgen.types import FunctionSpec, Parameter, Plan, Returns
from tests.build.conftest import Knowing

STANDARD = {"trust": "standard"}
HALVE = "Write halve(n: int) -> int: half of n, rounded half up. n is never negative."
EVEN = {
    "js": "function halve(n) { const half = Math.floor(n / 2); return n % 2 && half % 2 ? half + 1 : half; }",
    "c": "int64_t halve(int64_t n) { int64_t half = n / 2; return n % 2 && half % 2 ? half + 1 : half; }",
}
UP = {
    "js": "function halve(n) { return Math.floor((n + 1) / 2); }",
    "c": "int64_t halve(int64_t n) { return (n + 1) / 2; }",
}
NAMES = {"js": "javascript", "c": "c"}


@pytest.fixture(autouse=True)
def no_second_reading():
    """There is one here."""


@pytest.fixture(autouse=True)
def no_time(change_policy, monkeypatch):
    """Few calls are looked at."""
    change_policy("standard", seconds=0.0)
    # a machine that is busy is slow at what is timed, and would compare fewer
    monkeypatch.setattr(second_reading, "SLOW_AT_ONCE", second_reading.AT_ONCE)


@pytest.fixture(params=["js", "c"])
def halve(request, solver, write):
    """Solves `halve(n)` by a plan that lost "half up", with an author of tests who knows of it when asked."""
    said = request.getfixturevalue(request.param)
    solve = request.getfixturevalue(f"in_{NAMES[request.param]}")

    def solved(*tries, reading, numbers):
        cases = [write.returns(f"halve({n})", str(round(n / 2)), name=f"of_{n}") for n in numbers]
        sources = [said(source[request.param]) for source in tries]
        function = write.function("halve(n: int) -> int", "Half of n, rounded.", cases=cases, tries=sources)
        model = Knowing(solver.model(function, readings=[said(reading[request.param])]), lambda n: (n + 1) // 2)
        return solve(text=HALVE, model=model, settings=STANDARD)

    return solved


@pytest.mark.slow
def test_calls_on_which_it_parts_from_green_code_are_asked_about(halve):
    """Cases that say nothing of such halves pass code that rounds to even; what is answered is held against it."""
    solved = halve(EVEN, UP, reading=UP, numbers=(4, 6, 8, 3))
    result = solved["halve"]
    assert (result.outcome, len(result.history)) == ("green", 2)
    assert "halve(5)" in [case.expression for case in result.suite.cases]
    assert "second reading: agrees on 4 of 4 calls" in solved.solution.notes


@pytest.mark.slow
@pytest.mark.parametrize("halve", ["js"], indirect=True)
def test_its_code_is_taken_where_none_can_be_made_green(halve):
    """It is judged by all cases, those held out too."""
    solved = halve(EVEN, EVEN, EVEN, reading=UP, numbers=(4, 3, 7, 8))
    result = solved["halve"]
    assert (result.outcome, result.best.rung) == ("green", "reading")


class Told:
    """A model that says one text, and keeps what it was asked."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked: list[Request] = []

    def ask(self, request: Request) -> Answer:
        self.asked.append(request)
        return Answer(text=self.text)


def plan_of(*names: str) -> Plan:
    """Functions from an int to an int."""
    ints = {"parameters": (Parameter(name="n", type="int"),), "returns": Returns(type="int")}
    return Plan(
        module="kit", functions=tuple(FunctionSpec(name=name, purpose=f"About {name}.", **ints) for name in names)
    )


def read(language: Language, text: str, *names: str):
    """The reading of an answer, and what was asked."""
    model = Told(text)
    return read_again(model, "Write halve and twice.", plan_of(*names), "", language), model


BOTH = "```js\nfunction halve(n) { return n / 2; }\n```\nand\n```js\nfunction twice(n) { return 2 * n; }\n```"


def test_it_comes_in_a_block_for_each_function():
    """So that one of them can be tried in the place of another's code."""
    reading, _ = read(JavaScript(), BOTH, "halve", "twice")
    assert reading.functions == {"halve", "twice"}
    assert reading.source_of("twice").strip() == "function twice(n) { return 2 * n; }"


def test_what_is_missing_or_may_not_be_is_a_stub():
    """A part that a developer could not have given is no part; where none is left there is no reading."""
    js = JavaScript()
    reading, _ = read(js, BOTH.replace("2 * n", "eval(n)"), "halve", "twice", "thrice")
    assert reading.functions == {"halve"}
    assert reading.parts["twice"] == js.stub(plan_of("twice").functions[0])
    with pytest.raises(ReplyError, match="there is no code of halve"):
        read(js, "I can't.", "halve")


def test_its_author_is_told_what_holds_of_all_once():
    """The language's rules, each function's head in it, and no contract of what the words name."""
    _, model = read(C(), "```c\nint64_t halve(int64_t n) { return n / 2; }\n```", "halve", "twice")
    told = "\n".join(message.content for message in model.asked[0].messages)
    assert told.startswith("You write C from a user's instruction.")
    assert told.count("Tests run under AddressSanitizer") == 1
    assert "int64_t halve(int64_t n) { … }" in told
    assert "int64_t twice(int64_t n) { … }" in told
    assert "whose length and places count bytes" in told
    assert "About halve." not in told
