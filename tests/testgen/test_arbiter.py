"""A trial: what it is shown and what not, which words count as proof, and what nonsense comes to."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import pytest

from tdgen.errors import ModelError
from tdgen.models.scripted import ScriptedModel
from tdgen.prompts.context import PromptContext
from tdgen.testgen.arbiter import Ruling, RulingReply, ask_arbiter
from tdgen.types import (
    After,
    Case,
    Check,
    Effects,
    Exits,
    ExpectedException,
    FunctionSpec,
    Parameter,
    Plan,
    Returns,
    Target,
    Tolerance,
    Value,
    World,
)

SPEC = FunctionSpec(
    name="f",
    purpose="Twice the number.",
    parameters=(Parameter(name="number", type="int"),),
    returns=Returns(type="int"),
)
PINNED = Case(
    name="example_1", function="f", provenance="instruction", arguments=("9",), expectation=Value(source="18")
)
CONTEXT = PromptContext(
    spec=SPEC,
    plan=Plan(module="kit", functions=(SPEC,)),
    instruction="Write `f`, which doubles — even “negative” numbers.",
    types="class Point: ...\n",
    pinned=(PINNED,),
)


def case(name: str = "three", expects: str = "7") -> Case:
    return Case(name=name, function="f", arguments=("3",), expectation=Value(source=expects))


def said(verdict: str, *, of: str = "three", quote: str = "Twice the number.", **more: Any) -> dict[str, Any]:
    return {"case": of, "verdict": verdict, "quote": quote, **more}


def to(value: str, **more: Any) -> dict[str, Any]:
    return said("revised", value=value, **more)


class Court:
    """A trial that answers what it is told to, and what came of asking it."""

    def __init__(self, *answers: Any, evaluate=lambda cases: {}) -> None:
        texts = [answer if isinstance(answer, str) else json.dumps({"rulings": answer}) for answer in answers]
        told = [{"purpose": "trial", "subject": "f", "attempt": n, "text": text} for n, text in enumerate(texts, 1)]
        self.model = ScriptedModel.from_dict({"answers": told})
        self._evaluate = evaluate

    def rulings(self, *cases: Case, context: PromptContext = CONTEXT) -> dict[str, Ruling]:
        return ask_arbiter(self.model, context, cases or (case(),), evaluate=self._evaluate)

    @property
    def prompt(self) -> str:
        return "\n".join(message.content for message in self.model.asked[-1].messages)


class TestWhatItSees:
    """All that a judge needs, and nothing of anybody's code."""

    def test_the_instruction_the_contract_and_the_cases(self):
        """With the user's examples, and the types that the contract speaks of."""
        court = Court([said("upheld")])
        court.rulings()
        for part in (
            "<instruction>\nWrite `f`, which doubles",
            "<contract>\n`def f(number: int) -> int`\n\nTwice the number.",
            "<users_examples>\n- example_1: `f(9)` returns `18`",
            "<shared_types>\nclass Point: ...",
            "<cases_in_doubt>\n- three: `f(3)`\n  A: returns `7`\n</cases_in_doubt>",
        ):
            assert part in court.prompt

    def test_votes_are_asked_for_under_numbers_of_their_own(self):
        """So that a vote is not the answer of the one before."""
        told = {"purpose": "trial", "subject": "f", "variant": "confirm", "sample": 2}
        model = ScriptedModel.from_dict({"answers": [told | {"text": json.dumps({"rulings": [said("upheld")]})}]})
        assert ask_arbiter(model, CONTEXT, [case()], evaluate=lambda cases: {}, variant="confirm", sample=2)


class TestOutcomes:
    """What may be right stands under letters, and nothing tells which of them the case expects."""

    OUTCOMES: ClassVar = {"three": ["returns `7`", "returns `6`", "returns `5`"]}

    def asked(self, *rulings: Any, of: Case | None = None, sample: int = 0) -> tuple[dict[str, Ruling], ScriptedModel]:
        answers = [
            {"purpose": "trial", "subject": "f", "attempt": n, "sample": sample, "text": json.dumps({"rulings": [one]})}
            for n, one in enumerate(rulings, 1)
        ]
        model = ScriptedModel.from_dict({"answers": answers})
        cases = [of or case()]
        outcomes = self.OUTCOMES
        return ask_arbiter(model, CONTEXT, cases, evaluate=lambda cases: {}, outcomes=outcomes, sample=sample), model

    @pytest.mark.parametrize(("sample", "order"), [(0, "765"), (1, "567"), (2, "765")])
    def test_each_vote_has_them_in_the_other_order(self, sample: int, order: str):
        """So that a liking for the first decides no two votes alike."""
        _, model = self.asked(said("B", value="6"), sample=sample)
        told = "".join(f"\n  {letter}: returns `{value}`" for letter, value in zip("ABC", order, strict=True))
        assert f"- three: `f(3)`{told}\n</cases_in_doubt>" in model.asked[0].messages[-1].content

    @pytest.mark.parametrize(("sample", "letter"), [(0, "A"), (1, "C")])
    def test_the_letter_of_what_the_case_expects_upholds_it(self, sample: int, letter: str):
        """Wherever it stands."""
        rulings, _ = self.asked(said(letter, value="7"), sample=sample)
        assert rulings["three"].verdict == "upheld"

    def test_another_letter_revises_it_to_what_is_said_beside(self):
        """What was seen is told in words; its source is the arbiter's."""
        rulings, _ = self.asked(said("B", value="6"))
        assert rulings["three"].effects == Effects(expectation=Value(source="6"))

    @pytest.mark.parametrize(
        ("wrong", "why"),
        [
            (said("B"), "it does not say what is right"),
            (said("B", value="7"), "what it calls right is not outcome B"),
            (said("D", value="6"), "there is no outcome D"),
        ],
        ids=["no value", "the value that the case expects", "no such letter"],
    )
    def test_a_letter_that_says_nothing_goes_back(self, wrong: dict[str, Any], why: str):
        """The second answer counts."""
        rulings, model = self.asked(wrong, said("B", value="6"))
        assert rulings["three"].verdict == "revised"
        assert why in model.asked[-1].messages[-1].content

    def test_the_word_of_before_is_known(self):
        """Arbiters of recorded runs said it; none is told to."""
        rulings, model = self.asked(said("upheld"))
        assert rulings["three"].verdict == "upheld"
        assert '"upheld"' not in json.dumps(model.asked[0].json_schema)


class TestRulings:
    """What is said of a case, as data."""

    def test_upheld(self):
        """The case is right; the working is kept as the reason."""
        (ruling,) = Court([said("upheld", working="2 * 3\n is  6")]).rulings().values()
        assert (ruling.verdict, ruling.reason, ruling.quote) == ("upheld", "2 * 3 is 6", "Twice the number.")
        assert ruling.effects is None

    @pytest.mark.parametrize(
        ("reply", "expectation"),
        [
            (to("6"), Value(source="6")),
            (to("ValueError", expect="raises", match="odd"), ExpectedException(type="ValueError", match="odd")),
            (to("result > 5", expect="check"), Check(source="result > 5")),
        ],
    )
    def test_revised(self, reply: dict[str, str], expectation: object):
        """To a value, an exception or a check."""
        (ruling,) = Court([reply]).rulings().values()
        assert (ruling.verdict, ruling.effects) == ("revised", Effects(expectation=expectation))

    def test_a_revision_keeps_how_far_off_a_float_may_be(self):
        """That was not in doubt."""
        near = Value(source="0.3", tolerance=Tolerance(rel=0.01))
        (ruling,) = Court([to("0.4")]).rulings(case().model_copy(update={"expectation": near})).values()
        assert ruling.effects.expectation == Value(source="0.4", tolerance=Tolerance(rel=0.01))

    def test_that_corrects_what_is_printed_leaves_the_result(self):
        """A case may be wrong about any part of what it observes."""
        printing = case().model_copy(update={"stdout": "--\n", "after": (After(expression="x", source="1"),)})
        observe = {"stdout": "---\n", "files": [], "after": [{"expression": "x", "value": "2"}]}
        ruling = Court([to("", observe=observe)]).rulings(printing)["three"]
        expected = Effects(expectation=printing.expectation, stdout="---\n", after=(After(expression="x", source="2"),))
        assert ruling.effects == expected

    def test_what_an_observe_leaves_out_stays(self):
        """Who corrects what is printed says nothing of files and of what is left behind."""
        printing = case().model_copy(update={"stdout": "--\n", "after": (After(expression="x", source="1"),)})
        ruling = Court([to("", observe={"stdout": "---\n"})]).rulings(printing)["three"]
        assert ruling.effects == printing.effects.model_copy(update={"stdout": "---\n"})

    def test_that_corrects_the_result_leaves_what_is_printed(self):
        """A missing `observe` says that the rest is right."""
        printing = case().model_copy(update={"stdout": "--\n"})
        ruling = Court([to("6")]).rulings(printing)["three"]
        assert ruling.effects == Effects(expectation=Value(source="6"), stdout="--\n")

    def test_that_revises_to_nothing_goes_back(self):
        """It must say what is right."""
        court = Court([to("")], [to("6")])
        assert court.rulings()["three"].effects.expectation == Value(source="6")
        assert "it does not say what is right" in court.prompt

    def test_a_revision_to_what_the_case_expects_upholds_it(self):
        """Whatever it is called."""
        (ruling,) = Court([to("7")]).rulings().values()
        assert (ruling.verdict, ruling.effects) == ("upheld", None)

    def test_unsettled_needs_no_words(self):
        """There are none that settle it."""
        (ruling,) = Court([said("unsettled", quote="")]).rulings().values()
        assert ruling.verdict == "unsettled"

    def test_a_reason_of_any_length_is_cut(self):
        """It stands in a comment later."""
        (ruling,) = Court([said("upheld", working="and so on " * 5000)]).rulings().values()
        assert len(ruling.reason) <= 600


class TestProof:
    """A ruling counts only by words that are there."""

    @pytest.mark.parametrize(
        "quote",
        [
            "Twice the number.",
            "which doubles",
            "WHICH  DOUBLES",
            'even "negative" numbers',
            "- `f(9)` returns `18`",
            "class Point",
        ],
    )
    def test_words_of_the_user_the_contract_or_the_law(self, quote: str):
        """But for what a copyist changes: quotation marks, capitals, line ends."""
        assert Court([said("upheld", quote=quote)]).rulings()

    @pytest.mark.parametrize("quote", ["", "Twice the number, rounded up.", "`f(3)` returns `7`"])
    def test_other_words_go_back_once(self, quote: str):
        """Among them those of the case itself: it can't be its own witness."""
        court = Court([to("6", quote=quote)], [to("6")])
        assert court.rulings()["three"].effects.expectation == Value(source="6")
        assert "- the ruling on 'three': " in court.prompt
        assert "copy the words" in court.prompt

    def test_of_code_that_exists_the_docs_alone_prove_anything(self):
        """The prompt says so, as the check has it: a contract was made from them."""
        target = Target(module="kit", path="kit.py", source="def f(number): ...", existing={"f": "def f(number): ..."})
        context = CONTEXT.model_copy(update={"plan": CONTEXT.plan.model_copy(update={"target": target})})
        court = Court([said("upheld")], [said("upheld", quote="which doubles")])
        assert court.rulings(context=context)
        assert "copied exactly from the instruction, which holds the docs." in court.prompt
        assert "of what exists" not in court.prompt
        assert "is not in the instruction, and the contract's words prove nothing: copy those" in court.prompt

    def test_what_a_project_says_of_what_exists_settles_a_case(self):
        """The docs of a function that the new code calls often say what the user's words leave to it."""
        target = Target(module="kit", path="kit.py", source="def f(number): ...")
        plan = CONTEXT.plan.model_copy(update={"target": target})
        context = CONTEXT.model_copy(update={"plan": plan, "types": 'def twice(n):\n    """Twice n, never less."""'})
        court = Court([said("upheld", quote="Twice n, never less.")])
        assert court.rulings(context=context)["three"].quote == "Twice n, never less."
        assert "what `<project>` says of what exists" in court.prompt

    @pytest.mark.parametrize("verdict", ["upheld", "revised"])
    def test_who_can_not_prove_it_is_not_heard(self, verdict: str):
        """Neither for the case nor against it."""
        answer = [said(verdict, quote="I know it.", value="6")]
        assert Court(answer, answer).rulings() == {}

    def test_a_revision_that_can_not_be_tried_is_none(self):
        """It is evaluated as any new case is, and what is wrong with it goes back."""
        broken = {"three": "its value can't be evaluated: NameError: name 'six' is not defined"}
        court = Court(
            [to("six")], [to("6")], evaluate=lambda cases: broken if cases[0].expectation.source == "six" else {}
        )
        assert court.rulings()["three"].effects.expectation == Value(source="6")
        assert "- the ruling on 'three': its value can't be evaluated: NameError" in court.prompt


class TestNonsense:
    """A trial that answers nonsense says nothing, and nobody comes to harm."""

    @pytest.mark.parametrize(
        "answer",
        [
            "",
            "The code is wrong.",
            "[]",
            '{"rulings": 3}',
            '{"rulings": []}',
            '{"rulings": [{"case": "three", "verdict": "guilty"}]}',
            json.dumps({"rulings": [said("upheld", of="nobody")]}),
        ],
    )
    def test_no_usable_word(self, answer: str):
        """Twice: there is no ruling, and no error."""
        court = Court(answer, answer)
        assert court.rulings() == {}
        assert len(court.model.asked) == 2

    def test_silence_on_one_of_two(self):
        """Is told, and the better of two answers counts."""
        court = Court([said("upheld")], "I said so already.")
        assert court.rulings(case(), case("four")).keys() == {"three"}
        assert "- there is no ruling on the case 'four'" in court.prompt

    def test_a_second_answer_never_takes_a_ruling_back(self):
        """Of two answers, the one with more that can be used."""
        court = Court([said("upheld"), said("upheld", of="four", quote="")], [said("upheld", of="four", quote="no")])
        assert court.rulings(case(), case("four")).keys() == {"three"}

    def test_two_rulings_on_one_case(self):
        """The first one counts."""
        (ruling,) = Court([to("6"), to("8")]).rulings().values()
        assert ruling.effects.expectation == Value(source="6")

    def test_a_refusal_is_not_asked_twice(self):
        """It says nothing of the case."""
        told = {"purpose": "trial", "subject": "f", "text": "I can't.", "finish_reason": "refusal"}
        model = ScriptedModel.from_dict({"answers": [told]})
        assert ask_arbiter(model, CONTEXT, [case()], evaluate=lambda cases: {}) == {}
        assert len(model.asked) == 1

    def test_a_model_that_is_not_there_is_told(self):
        """That is no ruling, and not for the trial to hide."""
        with pytest.raises(ModelError):
            Court().rulings()


def test_what_is_right_of_a_script_is_an_exit_code():
    """Also where the arbiter calls it a value; what is no code is no exit, and is found by trying the case."""
    run = Case(name="run", function="main", call="main()", world=World(script=()), expectation=Exits(code=0))
    revised = RulingReply(case="run", verdict="revised", expect="value", value="3").effects(run)
    assert revised.expectation == Exits(code=3)
