"""What is asked of a properties' author, and which of its answers are taken, as far as reading tells."""

from __future__ import annotations

import json

import pytest

from tdgen.errors import ModelError
from tdgen.models.scripted import Script, ScriptedAnswer, ScriptedModel
from tdgen.prompts.context import PromptContext
from tdgen.properties.author import functions_in, write_properties
from tdgen.types import Case, FunctionSpec, Parameter, Plan, Property, Returns, Value

ENCODE = FunctionSpec(
    name="encode",
    purpose="The text with its runs counted. `decode` undoes it.",
    parameters=(Parameter(name="text", type="str"),),
    returns=Returns(type="str"),
)
DECODE = ENCODE.model_copy(update={"name": "decode", "purpose": "The text whose runs were counted."})
PLAN = Plan(module="runs", functions=(ENCODE, DECODE))
CONTEXT = PromptContext(spec=ENCODE, plan=PLAN)
ROUND_TRIP = "@given(st.text(max_size=20))\ndef test_round_trip(text):\n    assert decode(encode(text)) == text\n"


def scripted(*answers: list[dict[str, str]]) -> ScriptedModel:
    """A model that answers with these properties, one list after the other."""
    return ScriptedModel(
        Script(
            answers=tuple(
                ScriptedAnswer(
                    purpose="properties", subject="encode", attempt=n, text=json.dumps({"properties": properties})
                )
                for n, properties in enumerate(answers, start=1)
            )
        )
    )


def written(model: ScriptedModel, **more):
    return write_properties(model, CONTEXT, cases=(), **more)


def of(*sources: str) -> list[dict[str, str]]:
    return [{"name": "", "source": source, "why": "as the contract says"} for source in sources]


def test_the_author_sees_the_contract_and_never_code():
    """Beside it the other functions' contracts, and the cases that exist."""
    model = scripted([])
    case = Case(name="runs", function="encode", arguments=("'aa'",), expectation=Value(source="'2a'"))
    assert not write_properties(model, CONTEXT, cases=(case,)).properties
    (request,) = model.asked
    told = "\n".join(message.content for message in request.messages)
    assert (request.purpose, request.subject) == ("properties", "encode")
    for part in ("The text with its runs counted", "def decode(text: str) -> str", "encode('aa')"):
        assert part in told


def test_a_sound_property_is_taken_as_it_was_written():
    """Imports of what is there anyway are left out, its comments stay."""
    source = "from hypothesis import given, strategies as st\nimport math\n\n" + ROUND_TRIP.replace(
        "    assert", "    # there and back\n    assert"
    )
    found = written(scripted(of(source)))
    (one,) = found.properties
    assert one == Property(
        name="test_round_trip",
        source=ROUND_TRIP.replace("    assert", "    # there and back\n    assert"),
        why="as the contract says",
    )
    assert not found.set_aside


def test_settings_of_its_own_are_taken_away():
    """How many examples are drawn, and for how long, is not for the author to say."""
    (one,) = written(scripted(of("@settings(max_examples=10**9, deadline=None)\n" + ROUND_TRIP))).properties
    assert "settings" not in one.source
    assert "@given(st.text(max_size=20))" in one.source


GIVEN = "@given(st.text())\n"


def test_a_function_may_be_handed_to_what_calls_it():
    """Whether it is really called is seen on a stub, where the property must fail."""
    mapped = GIVEN + "def test_x(t):\n    assert len(set(map(encode, [t, t]))) == 1\n"
    assert [one.name for one in written(scripted(of(mapped))).properties] == ["test_x"]


UNSOUND = {
    "no Python": ("def test_x(:\n", "it is no Python"),
    "two functions": (ROUND_TRIP + "\n" + ROUND_TRIP, "one function"),
    "an expression": ("print(1)\n", "one function"),
    "a class": ("class TestX:\n    pass\n", "one function"),
    "another name": (GIVEN + "def check(t):\n    assert encode(t)\n", "must be called test_"),
    "nothing drawn": ("def test_x():\n    assert encode('')\n", "one @given"),
    "an empty given": ("@given()\ndef test_x():\n    assert encode('')\n", "one @given"),
    "another decorator": ("@pytest.mark.skip\n" + ROUND_TRIP, "given and example alone"),
    "no call": (GIVEN + "def test_x(t):\n    assert len(t) >= 0\n", "never names 'encode'"),
    "a name of its own": (GIVEN + "def test_x(t):\n    encode = str\n    assert encode(t) == t\n", "gives the name"),
    "no assert": (GIVEN + "def test_x(t):\n    encode(t)\n", "asserts nothing"),
    "a constant": (GIVEN + "def test_x(t):\n    encode(t)\n    assert True\n", "asserts a constant"),
    "a package": ("import numpy\n" + ROUND_TRIP, "nothing but hypothesis and the standard library"),
    "an import inside": (GIVEN + "def test_x(t):\n    import os\n    assert encode(t)\n", "must not import"),
    "an unknown name": (GIVEN + "def test_x(t):\n    assert encode(t) == fold(t)\n", "nobody knows the name fold"),
    "no end": (GIVEN + "def test_x(t):\n    assert encode(t)\n" + "    #\n" * 2000, "longer than"),
}


@pytest.mark.parametrize(("source", "told"), UNSOUND.values(), ids=UNSOUND)
def test_what_is_no_property_goes_back_once_and_is_set_aside(source, told):
    """The author hears why; what is still wrong then is left out, with its reason, and the sound ones stay."""
    model = scripted(of(source, ROUND_TRIP.replace("round", "second")), of(source))
    found = written(model)
    assert [one.name for one in found.properties] == ["test_second_trip"]
    (reason,) = found.set_aside.values()
    assert told in reason
    assert told in model.asked[1].messages[-1].content


def test_what_running_finds_wrong_goes_back_too():
    """`evaluate` runs them where nothing is written."""

    def evaluate(properties):
        return {one.name: "it never calls the function" for one in properties if "second" in one.name}

    model = scripted(of(ROUND_TRIP.replace("round", "second")), of(ROUND_TRIP))
    assert [one.name for one in written(model, evaluate=evaluate).properties] == ["test_round_trip"]
    assert "it never calls the function" in model.asked[1].messages[-1].content


def test_there_is_a_bound_on_their_number_and_names_are_their_own():
    """The first few count, and of two with one name the first."""
    many = [ROUND_TRIP.replace("round", f"number_{n}") for n in range(5)]
    assert len(written(scripted(of(*many)), most=3).properties) == 3
    twice = written(scripted(of(ROUND_TRIP, ROUND_TRIP), of(ROUND_TRIP, ROUND_TRIP)))
    assert len(twice.properties) == 1
    assert list(twice.set_aside.values()) == ["there is another one of that name"]


def test_an_answer_that_is_none_is_no_property():
    """Nothing is raised for nonsense; where nobody answers, that is said."""
    model = ScriptedModel(
        Script(
            answers=tuple(
                ScriptedAnswer(purpose="properties", subject="encode", attempt=n, text="I know none.") for n in (1, 2)
            )
        )
    )
    assert not written(model).properties
    with pytest.raises(ModelError):
        written(ScriptedModel(Script(answers=())))


def test_the_functions_that_a_property_speaks_of():
    """By their names, wherever they stand."""
    assert functions_in(ROUND_TRIP, PLAN) == {"encode", "decode"}
