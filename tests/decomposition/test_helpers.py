"""A decomposition is held to the rules of a plan, and to its own: whose helpers they are, and what they may call."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tdgen.decomposition.helpers import HelpersReply, decompose, decomposition_problems, using
from tdgen.errors import ReplyError
from tdgen.models.scripted import Script, ScriptedAnswer, ScriptedModel
from tdgen.prompts.context import PromptContext
from tdgen.specs.planner import Decomposition
from tdgen.types import Example, FunctionSpec, Parameter, Plan, Returns


def spec(name: str, *uses: str, takes: str = "str", returns: str = "int") -> FunctionSpec:
    return FunctionSpec(
        name=name,
        purpose=f"what {name} does",
        parameters=(Parameter(name="text", type=takes),),
        returns=Returns(type=returns),
        dependencies=uses,
    )


PLAN = Plan(
    module="kit",
    functions=(spec("low"), spec("other"), spec("parse", "low"), spec("parse_line"), spec("high", "parse")),
    examples=(Example(function="parse", quote="not looked for again", call="parse('')", value="0"),),
)


def decomposition(*helpers: FunctionSpec) -> Decomposition:
    names = tuple(helper.name for helper in helpers)
    parse = PLAN.spec("parse")
    return Decomposition(parse.model_copy(update={"dependencies": (*parse.dependencies, *names)}), helpers)


def problems(*helpers: FunctionSpec, most: int = 3) -> list[str]:
    return decomposition_problems(decomposition(*helpers), PLAN, most=most, packages=frozenset())


def test_a_sound_division_has_no_problem():
    """Helpers may call each other, in a circle too, and what the function may call; their names may be public."""
    assert problems(spec("_parse_left", "low", "parse_right"), spec("parse_right", "_parse_left")) == []
    assert problems(spec("_parse_number", takes="list[str]")) == []


@pytest.mark.parametrize(
    ("helper", "told"),
    [
        (spec("_number"), "the names of the helpers of 'parse' begin with '_parse_'"),
        (spec("_parser"), "the names of the helpers of 'parse' begin with '_parse_'"),
        (spec("_parse_line_end"), "as if it were one of 'parse_line'"),
        (spec("parse_line"), "is given to 2 things"),
        (spec("parse"), "is given to 2 things"),
        (spec("__parse_it"), "Python's own"),
        (spec("_parse_a b"), "not a Python identifier"),
        (spec("_parse_it", "parse"), "depends on 'parse', which is to be made of it"),
        (spec("_parse_it", "high"), "depends on 'high', which 'parse' may not call"),
        (spec("_parse_it", "other"), "depends on 'other', which 'parse' may not call"),
        (spec("_parse_it", "nobody"), "not among the functions"),
        (spec("_parse_it", takes="Token"), "names Token"),
        (spec("_parse_it"), "alone it divides nothing"),
    ],
)
def test_what_breaks_a_rule_is_told(helper, told):
    """Each in words that the planner can act on."""
    assert any(told in problem for problem in problems(helper))


def test_two_helpers_of_one_name_are_refused():
    """As in a plan."""
    assert any("is given to 2 things" in told for told in problems(spec("_parse_a"), spec("_parse_a")))


def test_there_must_be_a_helper_and_not_too_many():
    """The fewest that do it, and never more than can be paid for."""
    assert problems() == ["there is no helper: plan at least one"]
    (told,) = problems(*(spec(f"_parse_{letter}") for letter in "abcd"))
    assert "at most 3 are allowed" in told


def test_helpers_come_before_the_function_in_the_plan():
    """All else stays in its place."""
    names = [one.name for one in decomposition(spec("_parse_a"), spec("_parse_b")).within(PLAN).functions]
    assert names == ["low", "other", "_parse_a", "_parse_b", "parse", "parse_line", "high"]


def test_what_is_not_used_can_be_left_out():
    """What a used helper depends on stays; what the function depended on before does too."""
    made = decomposition(spec("_parse_a", "_parse_b"), spec("_parse_b", "_parse_a", "low"), spec("_parse_c"))
    used = using(made, {"_parse_a", "low", "len"})
    assert used.names == ("_parse_a", "_parse_b")
    assert used.spec.dependencies == ("low", "_parse_a", "_parse_b")
    assert using(made, set()) == Decomposition(PLAN.spec("parse"), ())


def reply(*names: str, **changed: Any) -> str:
    functions = [{"name": name, "purpose": "-", "returns": "str", "parameters": [], **changed} for name in names]
    return json.dumps({"functions": functions})


def asked(*texts: str) -> tuple[ScriptedModel, Decomposition | ReplyError]:
    answers = [
        ScriptedAnswer(purpose="plan", subject="parse", attempt=n, text=text) for n, text in enumerate(texts, start=1)
    ]
    model = ScriptedModel(Script(answers=tuple(answers)))
    try:
        made = decompose(
            model,
            PromptContext(spec=PLAN.spec("parse"), plan=PLAN, types="class Token: ..."),
            failed="- a loop: passes 1 of the 3 shown cases",
            most=2,
            packages=frozenset(),
        )
    except ReplyError as error:
        return model, error
    return model, made


def test_the_planner_sees_contract_types_what_may_be_called_and_what_failed():
    """And nothing of functions that the function knows nothing of."""
    model, made = asked(reply("_parse_a"))
    (prompt,) = ["\n".join(message.content for message in request.messages) for request in model.asked]
    for told in ("what parse does", "class Token", "what low does", "passes 1 of the 3", "Plan 1 to 2 helpers"):
        assert told in prompt
    assert "what high does" not in prompt
    assert isinstance(made, Decomposition)
    assert made.spec.dependencies == ("low", "_parse_a")


def test_what_is_wrong_goes_back_once():
    """With every reason; the second answer is taken where it is sound."""
    model, made = asked(reply("_number", "parse_line"), reply("_parse_number"))
    assert isinstance(made, Decomposition)
    assert made.names == ("_parse_number",)
    told = model.asked[1].messages[-1].content
    assert "a helper is named '_number'" in told
    assert "'parse_line' is given to 2 things" in told


@pytest.mark.parametrize(
    "text", ["", "Let me think.", "[]", '{"functions": 3}', '{"functions": []}', reply("_parse_a", complexity="hard")]
)
def test_an_answer_that_stays_unusable_is_refused(text):
    """In one line."""
    _, error = asked(text, text)
    assert isinstance(error, ReplyError)
    assert "\n" not in str(error)


def test_a_helper_is_not_asked_for_numbers_of_passages():
    """The prompt shows none, so the schema asks for none."""
    assert "sentences" not in json.dumps(HelpersReply.model_json_schema())
