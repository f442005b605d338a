"""What happens, in plain lines: one an event that matters."""

import pytest

from tdgen.events import (
    AttemptStarted,
    BudgetTold,
    FunctionEnded,
    ModelAnswered,
    ModelAsked,
    ModelWrote,
    Noted,
    PlanMade,
    RedSeen,
    StageFinished,
    StageStarted,
)
from tdgen.specs.interfaces import class_spec
from tdgen.terminal.progress_lines import attempt_line, lines_of
from tdgen.types import Attempt, ClassInterface, Method, Plan, Usage, Verdict


def verdict(name: str, *, passed: bool) -> Verdict:
    return Verdict(function="f", case=name, passed=passed, status="returned")


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (RedSeen(function="f", red=2, cases=3), "red       f: 2 of 3 cases fail while nothing is written"),
        (FunctionEnded(function="f", outcome="green"), "developer f: green"),
        (FunctionEnded(function="f", outcome="green", reused=True), "developer f: green (as it was kept)"),
        (FunctionEnded(function="f", outcome="red", reason="why\nnot"), "developer f: red: why not"),
        (Noted(text="\x1b[31mred"), "note      \\x1b[31mred"),
        (ModelAsked(purpose="plan", subject="", attempt=1), "planner   asked for the plan"),
    ],
)
def test_a_line(event, line: str):
    """Who, what, and nothing that commands a terminal."""
    assert [told.text for told in lines_of(event)] == [line]


def test_the_plan_s_line_has_the_order_of_work_and_a_class_s_methods():
    """So that one sees where a method is written: with its class, which is one unit of work."""
    signatures = ["__init__(self)", *(f"step_{n}(self)" for n in range(9)), "_own(self)"]
    methods = tuple(Method(signature=f"def {one} -> int") for one in signatures)
    till = class_spec("Till", ClassInterface(methods=methods[:3]))
    large = class_spec("Large", ClassInterface(methods=methods))
    event = PlanMade(plan=Plan(module="kit", functions=(till, large)), generations=(("Till",), ("Large",)))
    shown = ", ".join(f"step_{n}" for n in range(8))
    (line,) = lines_of(event)
    assert line.text == f"planner   kit: 2 classes: Till (step_0, step_1) → Large ({shown} and 1 more)"


@pytest.mark.parametrize(
    "event",
    [
        StageStarted(stage="plan"),
        StageFinished(stage="plan", seconds=1.0),
        AttemptStarted(function="f", number=1),
        BudgetTold(usage=Usage(calls=1)),
        ModelWrote(purpose="plan", subject="", characters=40),
        ModelAsked(purpose="cases", subject="f", attempt=1),
        ModelAsked(purpose="plan", subject="f", attempt=1),
    ],
)
def test_what_is_no_line(event):
    """What only a live picture shows."""
    assert list(lines_of(event)) == []


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (StageFinished(stage="plan", seconds=1.25), "plan      done in 1.2 s"),
        (ModelAsked(purpose="cases", subject="f", attempt=2), "model     asked for cases of f, attempt 2"),
        (
            ModelAnswered(
                purpose="plan",
                subject="",
                attempt=1,
                usage=Usage(calls=1, prompt_tokens=1200, completion_tokens=34),
                seconds=2.0,
            ),
            "model     answered plan, attempt 1: 1,200 + 34 tokens, 2.0 s",
        ),
        (
            ModelAnswered(
                purpose="plan", subject="", attempt=1, usage=Usage(calls=1, prompt_tokens=1, cost=0.5), seconds=2.0
            ),
            "model     answered plan, attempt 1: 1 + 0 tokens, $0.5000, 2.0 s",
        ),
    ],
)
def test_verbose_lines(event, line: str):
    """What who wants to know more is told besides."""
    assert [told.text for told in lines_of(event, verbose=True)] == [line]


@pytest.mark.parametrize(
    ("attempt", "told"),
    [
        (Attempt(function="f", number=1, source="", verdicts=(verdict("a", passed=True),)), "its case passes"),
        (
            Attempt(
                function="f", number=1, source="", verdicts=(verdict("a", passed=True), verdict("b", passed=False))
            ),
            "1 of 2 cases pass",
        ),
        (Attempt(function="f", number=1, source="", findings=("no code",)), "not run: no code"),
        (
            Attempt(function="f", number=1, source="", verdicts=(verdict("a", passed=True),) * 2, vetoes=("no",)),
            "2 cases pass, but no",
        ),
    ],
)
def test_how_an_attempt_fared(attempt: Attempt, told: str):
    """What was not run, and what was taken away after it passed, is told apart."""
    assert attempt_line(attempt) == told
