"""The tasks for other languages, and the model that answers them without one: from each prompt alone."""

from __future__ import annotations

import json

import pytest
from language_tasks.model import SimulatedModel
from language_tasks.tasks import LANGUAGES, read_tasks

from tdgen.errors import InputError
from tdgen.protocols import Message, Request
from tdgen.source.syntax import parses

TASKS = {task.name: task for task in read_tasks()}
SHARE = TASKS["share_out"]


class TaskJudge:
    """What the reference is known to give, and nothing is run."""

    language = "c"

    def outcomes(self, task, calls):
        """By a task's cases; None for other calls."""
        known = {call.replace(" ", ""): wanted for call, wanted, *_ in task.cases}
        return [known.get(call.replace(" ", "")) for call in calls]


def asked(model, text, schema=""):
    """The model's answer to a prompt."""
    form = {"schema_name": schema, "json_schema": {}} if schema else {}
    form = form | {"json_schema": {"type": "object"}} if schema else form
    message = Message(role="user", content=text)
    return model.ask(Request(purpose="implement", messages=(message,), **form)).text


@pytest.fixture
def model():
    """The model for code in C; nothing is run."""
    return SimulatedModel(tuple(TASKS.values()), TaskJudge())


def test_there_are_sixty_and_twelve_were_solved_live():
    """In each language."""
    assert len(TASKS) == 60
    assert sum(task.live for task in TASKS.values()) == 12


@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_whole(name):
    """Its words name the function, its cases are Python, and each language has a reference and two other bodies."""
    task = TASKS[name]
    assert f"{name}(" in task.instruction
    for call, wanted, *_ in task.cases:
        assert call.startswith(f"{name}(")
        assert parses(call)
        assert parses(wanted.removeprefix("raises "))
    for language in LANGUAGES:
        assert len({task.source(language, fault) for fault in (0, 1, 2)}) == 3
        assert LANGUAGES[language]().defined(task.source(language), [name]) == [name]


def test_cases_are_for_languages():
    """Numbers that JavaScript does not hold are asked of the others alone."""
    task = TASKS["divide_half_even"]
    assert len(task.problem("c").cases) > len(task.problem("javascript").cases)


def test_what_is_wrong_with_a_task_is_told(tmp_path):
    """With the file's name, in a line."""
    (tmp_path / "odd.toml").write_text("instruction = 3")
    with pytest.raises(InputError, match=r"the task odd.toml can't be used") as caught:
        read_tasks(tmp_path)
    assert "\n" not in str(caught.value)


def test_the_tester_writes_every_second_case_down(model):
    """And no hidden one is in the plan or the code."""
    cases = json.loads(asked(model, SHARE.instruction, "cases"))["cases"]
    assert [case["call"] for case in cases] == [case[0] for case in SHARE.cases[::2]][: len(cases)]
    assert SHARE.cases[1][0] not in asked(model, SHARE.instruction, "plan") + asked(model, SHARE.instruction)


def test_code_repeats_itself_and_is_sometimes_wrong():
    """Two models with a seed draw alike; a third of the first answers have a fault."""
    firsts = []
    for _ in range(2):
        model = SimulatedModel(tuple(TASKS.values()), TaskJudge())
        firsts.append([asked(model, task.instruction) for task in TASKS.values()])
    assert firsts[0] == firsts[1]
    wrong = [text for text, task in zip(firsts[0], TASKS.values(), strict=True) if task.source("c") not in text]
    assert 10 <= len(wrong) <= 30


def test_calls_are_settled_by_the_reference(model):
    """A call for which it gives nothing is open."""
    calls = f"{SHARE.instruction}\n<calls>\n1. `share_out(7, [1,1])`\n2. `share_out(1, [9])`\n</calls>"
    answers = json.loads(asked(model, calls, "settle"))["answers"]
    assert [(one["expect"], one["value"]) for one in answers] == [("value", "[4, 3]"), ("open", "")]


def test_a_case_in_doubt_is_ruled_on_by_the_reference(model):
    """The letter whose outcome is right, with words of the instruction."""
    doubt = "- odd: `share_out(7, [1, 1])`\n  A: returns `[3, 4]`\n  B: returns `[4, 3]`\n"
    (ruling,) = json.loads(asked(model, f"{SHARE.instruction}\n<cases_in_doubt>\n{doubt}</cases_in_doubt>", "trial"))[
        "rulings"
    ]
    assert ruling["verdict"] == "B"
    assert ruling["quote"] in SHARE.instruction
