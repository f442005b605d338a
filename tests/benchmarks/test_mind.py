"""Which stage asks about which problem is told from the prompt alone; what is answered keeps the law."""

import json

import pytest
from simulated.mind import UNKNOWN, SimulatedModel
from simulated.prompts import minimal, read

from tdgen.replies import find_code

WRONG = (
    "def widest_gap(numbers: list) -> int:\n    return max((b - a for a, b in zip(numbers, numbers[1:])), default=0)\n"
)
NAMED = "- call_4: `widest_gap([5, 1])` returns `4`\n  -4, expected 4"


def asking(text, schema=""):
    """The body of a chat completion."""
    wanted = {"type": "json_schema", "json_schema": {"name": schema, "schema": {}}} if schema else None
    return {"messages": [{"role": "user", "content": text}], "response_format": wanted}


def repairing(problem, code, feedback):
    """A question for a repair."""
    return asking(
        f"<contract>\n{problem.spec.signature}\n{problem.prose}\n</contract>\n<your_code>\n{code}\n</your_code>\n"
        f"<observed>\n{feedback}\n</observed>\n\nAnswer with the code."
    )


@pytest.fixture
def simulated(problems, bench):
    """The model with seed 1."""
    return SimulatedModel(problems, bench, seed=1)


def test_a_plan_holds_the_function_and_the_examples(simulated, gap):
    """Quoted from the instruction."""
    plan = json.loads(simulated.reply(asking(gap.instruction, "plan")))
    assert [function["name"] for function in plan["functions"]] == ["widest_gap"]
    assert plan["examples"][0]["value"] == "3"


def test_a_disputed_example_is_a_question(simulated, problems):
    """And no example."""
    plan = json.loads(simulated.reply(asking(problems[1].instruction, "plan")))
    assert plan["examples"] == []
    assert len(plan["questions"]) == 1


def test_cases_are_the_testers_share_less_what_the_examples_show(simulated, gap):
    """Of three calls one is the user's own example."""
    cases = json.loads(simulated.reply(asking(gap.instruction, "cases")))["cases"]
    assert [case["arguments"] for case in cases] == [["[]"], ["[2, 2, 9]"]]


def test_calls_are_settled_and_tried_by_the_reference(simulated, gap):
    """What it raises on is open; a case that expects another value is revised."""
    calls = f"{gap.instruction}\n<calls>\n1. `widest_gap([1, 9])`\n2. `widest_gap(None)`\n</calls>"
    answers = json.loads(simulated.reply(asking(calls, "settle")))["answers"]
    assert [(answer["expect"], answer["value"]) for answer in answers] == [("value", "8"), ("open", "")]
    doubtful = (
        "- a: `widest_gap([1, 9])`\n  A: returns `9`\n  B: returns `8`\n- b: `widest_gap([1, 9])`\n  A: returns `9`"
    )
    text = f"{gap.instruction}\n<cases_in_doubt>\n{doubtful}\n</cases_in_doubt>"
    rulings = json.loads(simulated.reply(asking(text, "trial")))["rulings"]
    assert [(ruling["verdict"], ruling["value"]) for ruling in rulings] == [("B", "8"), ("revised", "8")]


def test_two_models_with_one_seed_give_the_same_first_answers(problems, bench, gap):
    """Whatever was asked between; with other seeds some differ."""
    one, other = (SimulatedModel(problems, bench, seed=5) for _ in range(2))
    other.reply(asking(problems[2].instruction))
    asked = asking(gap.instruction)
    assert [one.reply(asked) for _ in range(4)] == [other.reply(asked) for _ in range(4)]


def test_a_repair_without_the_fault_named_is_no_repair(problems, bench, gap):
    """The same code again, or another fault: never the reference."""
    for seed in range(12):
        model = SimulatedModel(problems, bench, seed)
        code = find_code(model.reply(repairing(gap, WRONG, "2 of 6 tests fail.")))
        assert any(not verdict.passed for verdict in bench.on_problem(gap, code))


def test_a_repair_with_the_fault_named_mostly_mends(problems, bench, gap):
    """In nine of ten, over forty seeds at least thirty."""
    mended = 0
    for seed in range(40):
        code = find_code(SimulatedModel(problems, bench, seed).reply(repairing(gap, WRONG, NAMED)))
        mended += all(verdict.passed for verdict in bench.on_problem(gap, code))
    assert 30 <= mended < 40


def test_a_strange_question_gets_a_polite_answer(simulated):
    """No error, as a model would."""
    assert simulated.reply(asking("What is the weather?")) == UNKNOWN
    assert simulated.reply({"messages": []}) == UNKNOWN
    assert simulated.reply({"messages": [{"role": "user", "content": [{"type": "text", "text": "Hm"}]}]}) == UNKNOWN


def test_the_contract_and_the_shown_tests_are_no_feedback(gap):
    """They are there whatever was observed."""
    asked = read(repairing(gap, WRONG, "it fails"))
    assert asked.code == WRONG
    assert gap.prose not in asked.feedback
    assert "it fails" in asked.feedback


def test_feedback_that_names_a_shown_test_says_what_it_says(gap):
    """The name stands for the call and the value, which the prompt shows once."""
    tests = "<some_of_the_tests>\n- call_4: `widest_gap([5, 1])` returns `4`\n</some_of_the_tests>\n"
    body = repairing(gap, WRONG, "- call_4 fails:\n  -4, expected 4\n- call_9 fails:\n  0, expected 1")
    body["messages"][0]["content"] = tests + body["messages"][0]["content"]
    feedback = read(body).feedback
    assert "- call_4: `widest_gap([5, 1])` returns `4` fails:\n  -4, expected 4" in feedback
    assert "- call_9 fails:" in feedback


def test_numbered_passages_are_the_users_words_with_marks(simulated, gap):
    """The problem is told without them; the plan and the cases name them, so that none asks for more cases."""
    text = gap.instruction.replace("The widest", "⟦2⟧ The widest")
    plan = json.loads(simulated.reply(asking(f"<instruction>\n⟦1⟧ {text}\n</instruction>", "plan")))
    assert plan["functions"][0]["sentences"] == [1, 2]
    cases = json.loads(simulated.reply(asking(f"<instruction>\n⟦1⟧ {text}\n</instruction>", "cases")))["cases"]
    assert all(case["passages"] == [1, 2] for case in cases)


def test_a_second_reading_is_drawn_apart_from_the_first_answer(problems, bench, gap):
    """Asked for before or not, the developer's first answer is the same; over many seeds some readings are wrong."""
    question = asking(f"<instruction>\n{gap.instruction}\n</instruction>\n<functions>\nwidest_gap\n</functions>")
    wrong = 0
    for seed in range(12):
        one, other = (SimulatedModel(problems, bench, seed) for _ in range(2))
        reading = find_code(other.reply(question))
        assert one.reply(asking(gap.instruction)) == other.reply(asking(gap.instruction))
        wrong += not all(verdict.passed for verdict in bench.on_problem(gap, reading))
    assert 0 < wrong < 12


def test_a_case_that_comes_back_is_given_again(simulated, gap):
    """It is right: the code is at fault."""
    returned = "- call_3: `widest_gap([1, 4, 5])` returns `3`\n  its call could not be read"
    section = f"<cases_that_can_not_be_observed>\n{returned}\n</cases_that_can_not_be_observed>"
    cases = json.loads(simulated.reply(asking(f"{gap.instruction}\n{section}", "cases")))["cases"]
    assert [(case["name"], case["arguments"], case["value"]) for case in cases] == [("call_3", ["[1, 4, 5]"], "3")]


def test_an_unknown_form_gets_the_least_that_fits():
    """Empty lists, empty texts, the first of what may be chosen."""
    schema = {
        "type": "object",
        "properties": {"a": {"type": "array"}, "b": {"$ref": "#/$defs/B"}, "c": {"anyOf": [{"type": "null"}]}},
        "$defs": {"B": {"enum": ["x", "y"]}},
    }
    assert minimal(schema) == {"a": [], "b": "x", "c": None}
