"""The live picture on a terminal, also on a narrow one, and what stays of it."""

import re

import pytest
from rich.console import Console

from tdgen.events import (
    AttemptStarted,
    BudgetTold,
    FunctionDivided,
    FunctionEnded,
    HelpersDropped,
    ModelWrote,
    Noted,
    PlanMade,
    StageStarted,
    SuiteWritten,
)
from tdgen.terminal.progress_picture import Picture, State
from tdgen.types import FunctionSpec, Plan, Returns, Suite, Usage


def plan_made(*names: str) -> PlanMade:
    functions = tuple(FunctionSpec(name=name, purpose="", returns=Returns(type="int")) for name in names)
    return PlanMade(plan=Plan(module="m", functions=functions), generations=tuple((name,) for name in names))


SPECS = plan_made("f", "g").plan.functions


@pytest.fixture
def drawn():
    """Draw a run's state once, on a terminal of some size; the text."""

    def draw(*events, width: int = 60, height: int = 20) -> str:
        console = Console(width=width, height=height, force_terminal=True, color_system=None, legacy_windows=False)
        picture = Picture(console)
        for event in events:
            picture._state.take(event)
        with console.capture() as capture:
            console.print(picture._drawn())
        return capture.get()

    return draw


class TestState:
    """How far a run is."""

    def test_functions_go_their_way(self):
        """Waiting, tested, worked on, ended."""
        state = State()
        state.take(plan_made("f"))
        assert state.rows["f"].state == "waiting"
        state.take(SuiteWritten(suite=Suite(function="f", cases=())))
        assert (state.rows["f"].state, state.rows["f"].text) == ("tests", "0 cases")
        state.take(AttemptStarted(function="f", number=2))
        assert (state.rows["f"].state, state.rows["f"].doing) == ("work", "attempt 2")
        state.take(ModelWrote(purpose="repair", subject="f", characters=80))
        assert state.rows["f"].doing == "the model writes: 80 characters"
        state.take(FunctionEnded(function="f", outcome="green"))
        assert (state.rows["f"].state, state.rows["f"].doing) == ("green", "")

    def test_helpers_stand_before_what_they_help(self):
        """From the moment on that a function is divided; those that are not kept go again."""
        state = State()
        state.take(plan_made("f", "g", "h"))
        helpers = tuple(spec.model_copy(update={"name": name}) for spec, name in zip(SPECS, ("_a", "_b"), strict=True))
        state.take(FunctionDivided(spec=SPECS[1], helpers=helpers))
        assert list(state.rows) == ["f", "_a", "_b", "g", "h"]
        assert (state.rows["_a"].text, state.rows["g"].doing) == ("helper of g", "divided into helpers")
        state.take(HelpersDropped(spec=SPECS[1], helpers=("_b",)))
        assert list(state.rows) == ["f", "_a", "g", "h"]

    def test_what_is_spent_adds_up(self):
        """Each event knows all that was spent so far."""
        state = State()
        usage = Usage(calls=1, prompt_tokens=10, completion_tokens=5, cost=0.25)
        for spent in (usage, usage + usage):
            state.take(BudgetTold(usage=spent))
        assert state.spent == usage + usage


class TestPicture:
    """What is seen."""

    def test_stage_functions_and_cost(self, drawn):
        """Each function on a line of its own."""
        text = drawn(StageStarted(stage="build"), plan_made("f", "g"), FunctionEnded(function="f", outcome="green"))
        assert "developer" in text
        assert "✓ f" in text
        assert "· g" in text
        assert "0 calls, 0 tokens" in text

    def test_money_where_it_is_known(self, drawn):
        """Beside the tokens."""
        assert "2 calls, 9 tokens, $0.0123" in drawn(BudgetTold(usage=Usage(calls=2, prompt_tokens=9, cost=0.0123)))

    def test_a_narrow_terminal(self, drawn):
        """No line is wider than it."""
        events = (plan_made("a_function_with_a_long_name", "g"), FunctionEnded(function="g", outcome="green"))
        lines = drawn(*events, width=20).splitlines()
        assert all(len(line.rstrip()) <= 20 for line in lines)
        assert any(line.startswith("· a_functio…") for line in lines), "its mark and its name are seen"
        assert any(line.startswith("✓ g ") for line in lines)

    def test_more_functions_than_lines(self, drawn):
        """What is being worked on is seen, the rest is counted."""
        names = [f"f{number}" for number in range(100)]
        text = drawn(plan_made(*names), AttemptStarted(function="f77", number=1), height=15)
        assert "f77" in text
        assert "100 functions in all, 0 green" in text
        assert len(text.splitlines()) <= 15

    def test_markup_is_none(self, drawn):
        """What a model writes is text."""
        text = drawn(plan_made("f"), AttemptStarted(function="f", number=1), Noted(text="[red]x[/red]"))
        assert "[red]" not in text

    def test_notes_stay(self):
        """Above the picture, when it is gone."""
        console = Console(width=60, force_terminal=True, color_system=None, legacy_windows=False)
        with console.capture() as capture, Picture(console) as picture:
            picture.take(Noted(text="[b]a thing to know[/b]"))
        assert "note      [b]a thing to know[/b]" in capture.get()

    def test_what_is_asked_and_answered_stays(self):
        """The picture goes on below it."""
        console = Console(width=60, force_terminal=True, color_system=None, legacy_windows=False)
        with console.capture() as capture, Picture(console) as picture:
            picture.take(plan_made("f", "g"))
            with picture.aside():
                console.print("waiting for you: question 1 of 2")
                console.print("> the answer")
            picture.take(AttemptStarted(function="f", number=1))
        assert screen(capture.get())[:2] == ["waiting for you: question 1 of 2", "> the answer"]


def screen(written: str) -> list[str]:
    """What a terminal shows in the end, where nothing but lines, and going up and erasing them, was written."""
    lines, at = [""], 0
    for piece in re.findall(r"\x1b\[\d*[A-Za-z]|\x1b\[\?\d+[hl]|\r|\n|[^\x1b\r\n]+", written):
        if piece == "\n":
            at += 1
            lines += [""] * (at == len(lines))
        elif piece == "\x1b[2K":
            lines[at] = ""
        elif piece.startswith("\x1b[") and piece.endswith("A"):
            at = max(0, at - int(piece[2:-1] or 1))
        elif not piece.startswith("\x1b") and piece != "\r":
            lines[at] = lines[at] + piece if lines[at].isspace() else piece
    return [line.rstrip() for line in lines]
