"""Calls settled by the test author: what it is shown, how its answers become cases, and what stays open."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tdgen.errors import ModelError
from tdgen.models.scripted import ScriptedModel
from tdgen.prompts.context import PromptContext
from tdgen.testgen.queries import Query, QueryResult, query_expectations
from tdgen.types import (
    After,
    Call,
    Case,
    Check,
    ExpectedException,
    FunctionSpec,
    Parameter,
    Plan,
    Returns,
    Value,
    World,
)

LOW = FunctionSpec(name="low", purpose="The least.", returns=Returns(type="int"))
SPEC = FunctionSpec(
    name="f",
    purpose="Counts up.",
    parameters=(Parameter(name="x", type="int"),),
    returns=Returns(type="int"),
    dependencies=("low",),
)
PLAN = Plan(module="kit", functions=(LOW, SPEC))
PINNED = Case(
    name="example_1", function="f", provenance="instruction", arguments=("9",), expectation=Value(source="10")
)
ONE, TWO = Call(function="f", arguments=("1",)), Call(function="f", arguments=("2",))


def gives(number: int, value: str, expect: str = "value", **more: Any) -> dict[str, Any]:
    return {"number": number, "expect": expect, "value": value, **more}


def is_open(number: int) -> dict[str, Any]:
    return {"number": number, "expect": "open"}


class Author:
    """A test author who answers what it is told to, and what came of asking it."""

    def __init__(self, *answers: Any, evaluate=lambda cases: {}, **asking: Any) -> None:
        texts = [answer if isinstance(answer, str) else json.dumps({"answers": answer}) for answer in answers]
        self._asking = Query(**asking)
        begun = {"purpose": "settle", "subject": "f", "variant": self._asking.variant, "ordinal": self._asking.ordinal}
        told = [begun | {"attempt": n, "text": text} for n, text in enumerate(texts, 1)]
        self.model = ScriptedModel.from_dict({"answers": told})
        self._evaluate = evaluate

    def settled(self, *calls: Call, spec: FunctionSpec = SPEC) -> QueryResult:
        context = PromptContext(spec=spec, plan=PLAN, types="class Point: ...\n", pinned=(PINNED,))
        return query_expectations(
            self.model, context, calls or (ONE, TWO), evaluate=self._evaluate, asking=self._asking
        )

    @property
    def prompt(self) -> str:
        return "\n".join(message.content for message in self.model.asked[-1].messages)


class TestTheQuestion:
    """The contract and the calls, and nobody's answer to them."""

    def test_it_holds_contract_types_law_and_what_is_called(self):
        """And the calls by number, each with its situation."""
        author = Author([gives(1, "2"), is_open(2)])
        author.settled(ONE, Call(function="f", call="f(len(text))", setup="text = 'ab'", world=World(seed=3)))
        for part in (
            "<contract>\n`def f(x: int) -> int`\n\nCounts up.",
            "<shared_types>\nclass Point: ...",
            "<functions_it_calls>\n`def low() -> int`",
            "<users_examples>\n- example_1: `f(9)` returns `10`",
            "<calls>\n1. `f(1)`\n2. `f(len(text))`\n  after setup: `text = 'ab'`\n  with random.seed(3)\n</calls>",
        ):
            assert part in author.prompt

    def test_each_asking_has_numbers_of_its_own(self):
        """So that no answer is taken for another's."""
        assert Author([gives(1, "2"), gives(2, "3")], ordinal=3, variant="rivals").settled().cases.keys() == {0, 1}


class TestTheAnswer:
    """Calls as cases, by their place among those asked."""

    def test_what_a_call_must_give(self):
        """A value, an exception or a check, as a case that does what the call does."""
        answers = [gives(1, "2"), gives(2, "ValueError", "raises", match="two"), gives(3, "result > 3", "check")]
        three = Call(function="f", call="f(n)", setup="n = 3", world=World(stdin="x"))
        cases = Author(answers).settled(ONE, TWO, three).cases
        assert [cases[place].expectation for place in (0, 1, 2)] == [
            Value(source="2"),
            ExpectedException(type="ValueError", match="two"),
            Check(source="result > 3"),
        ]
        assert [cases[place].done for place in (0, 1, 2)] == [ONE, TWO, three]
        assert [cases[place].kind for place in (0, 1, 2)] == ["edge", "error", "edge"]

    def test_where_cases_come_from_is_told(self):
        """With the words of the contract beside it."""
        (case,) = Author([gives(1, "2", name="First one", why="It  counts\nup.")]).settled(ONE).cases.values()
        assert (case.name, case.provenance, case.why) == ("first_one", "survivor", "It counts up.")
        (case,) = Author([gives(1, "2")], provenance="model").settled(ONE).cases.values()
        assert case.provenance == "model"

    def test_names_are_told_apart(self):
        """From each other, and from the cases that are there."""
        there = (Case(name="one", function="f", arguments=("7",), expectation=Value(source="8")),)
        cases = Author([gives(1, "2", name="one"), gives(2, "3", name="one")], there=there).settled().cases
        names = [case.name for case in cases.values()]
        assert len({*names, "one"}) == 3

    def test_what_the_contract_leaves_open_is_no_case(self):
        """It is known to be open."""
        result = Author([gives(1, "2"), is_open(2)]).settled()
        assert result.cases.keys() == {0}
        assert result.open == {1}

    def test_a_call_that_the_words_forbid_is_no_case_and_not_open(self):
        """Nobody is asked what it should give."""
        result = Author([gives(1, "2"), {"number": 2, "expect": "not_allowed"}]).settled()
        assert result.cases.keys() == {0}
        assert (result.open, result.forbidden) == (frozenset(), {1})

    @pytest.mark.parametrize(
        ("call", "words", "is_case"),
        [
            ("[f(1), f(2).there]", "It counts.", False),
            ("", "It counts.", True),
            ("setattr(f(1), 'x', 3)", "To set an attribute is an `AttributeError`.", True),
        ],
    )
    def test_what_a_call_slips_on_after_the_function_is_no_case(self, call, words, is_case):
        """A None has no attributes: that says nothing of the function, unless the words say so; it may raise itself."""
        drawn = Call(function="f", call=call) if call else ONE
        spec = SPEC.model_copy(update={"passages": (words,)})
        result = Author([gives(1, "AttributeError", "raises")]).settled(drawn, spec=spec)
        assert (result.cases.keys(), result.forbidden) == (({0}, frozenset()) if is_case else (set(), {0}))

    def test_what_contradicts_the_law_goes_back(self):
        """The user's word wins."""
        author = Author([gives(1, "11")], [gives(1, "10")], there=(PINNED,))
        result = author.settled(Call(function="f", arguments=("9",)))
        assert result.cases[0].expectation == Value(source="10")
        assert "- call 1: it contradicts the user's own example" in author.prompt

    def test_what_can_not_be_tried_goes_back(self):
        """By the call's number, and what is sound in the second answer is taken."""
        told = []

        def evaluate(cases):
            told.append([case.expectation.source for case in cases])
            return {case.name: "it can't be evaluated" for case in cases if case.expectation.source == "nowhere"}

        author = Author([gives(1, "4 +"), gives(2, "nowhere")], [gives(1, "2"), gives(2, "nowhere")], evaluate=evaluate)
        assert author.settled().cases.keys() == {0}
        assert "- call 1: the value '4 +' is not a Python expression" in author.prompt
        assert "- call 2: it can't be evaluated" in author.prompt
        assert told[0] == ["nowhere"]


class TestNonsense:
    """What nobody can use settles nothing, and stops nobody."""

    @pytest.mark.parametrize(
        "answer",
        [
            "",
            "It counts up.",
            '{"answers": 2}',
            '{"answers": []}',
            '{"answers": [{"number": 1, "expect": "perhaps"}]}',
            json.dumps({"answers": [gives(0, "2"), gives(3, "2"), gives(-1, "2")]}),
        ],
    )
    def test_no_usable_word(self, answer: str):
        """Twice: no call is settled, and none is said to be open."""
        author = Author(answer, answer)
        assert author.settled() == QueryResult({}, frozenset())
        assert len(author.model.asked) == 2

    def test_of_two_answers_the_one_that_settles_more_counts(self):
        """A second answer never takes back what the first one gave."""
        author = Author([gives(1, "2")], "I have said so.")
        assert author.settled().cases.keys() == {0}
        assert "- call 2 has no answer" in author.prompt

    def test_two_answers_to_one_call(self):
        """The first one counts."""
        assert Author([gives(1, "2"), gives(1, "3")]).settled(ONE).cases[0].expectation == Value(source="2")

    def test_a_model_that_is_not_there_is_told(self):
        """Whoever asked decides what becomes of it."""
        with pytest.raises(ModelError):
            Author().settled()


def test_an_answer_may_say_what_is_printed_written_and_left_behind():
    """A call whose point is no result has a case all the same."""
    observe = {
        "stdout": "1\n",
        "files": [{"name": "a.txt", "text": "1"}],
        "after": [{"expression": "x", "value": "[]"}],
    }
    author = Author([gives(1, "None", observe=observe), is_open(2)])
    (case,) = author.settled().in_order
    assert (case.stdout, case.files) == ("1\n", {"a.txt": "1"})
    assert case.after == (After(expression="x", source="[]"),)
