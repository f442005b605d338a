"""A conversation: words that change what is there, questions, commands, and a clear line for what is wrong."""

from __future__ import annotations

import pytest

from tdgen.chat import Conversation
from tdgen.errors import BudgetSpent, Contradicted, InputError


@pytest.fixture(scope="module")
def solution(one_studio, double):
    """What came of words."""
    return one_studio.solve(double(), text="Double it.").solution


@pytest.fixture
def red(solution):
    """The same, not all green."""
    (result,) = solution.results
    return solution.model_copy(update={"results": (result.model_copy(update={"outcome": "red"}),)})


class Solver:
    """Gives solutions in turn, or raises; `asked` are the words and what they follow."""

    def __init__(self, *given):
        self.given = list(given)
        self.asked = []

    def __call__(self, words, handed):
        self.asked.append((words, handed.follow))
        one = self.given.pop(0)
        if isinstance(one, Exception):
            raise one
        return one


def said(conversation, line):
    """What a line comes to, as one text."""
    return "\n".join(one.text for one in conversation.say(line))


def test_further_words_follow_what_is_green(solution):
    """And nothing is asked of a model for a question or an empty line."""
    solve = Solver(solution, solution)
    talk = Conversation(solve)
    assert "all green: 1 function" in said(talk, "double(n)")
    assert said(talk, "  ") == ""
    assert said(talk, "Why double?").startswith("double: green")
    assert "untouched double" in said(talk, "and more").replace("  ", " ")
    assert solve.asked == [("double(n)", ""), ("and more", solution)]


def test_words_that_came_to_nothing_green_go_before_the_next(solution, red):
    """What is red can be asked about; more words are said to it, until all is green."""
    solve = Solver(solution, red, BudgetSpent("that is all"), solution)
    talk = Conversation(solve)
    said(talk, "double(n)")
    assert "not all green: say more, ask why, or /undo" in said(talk, "of floats")
    assert not talk.is_green
    assert "double: red" in said(talk, "why double?")
    with pytest.raises(BudgetSpent):
        said(talk, "rounded")
    said(talk, "half up")
    assert talk.is_green
    assert solve.asked[-1] == ("of floats\n\nrounded\n\nhalf up", solution)


def test_words_that_contradict_each_other(solution):
    """Are kept, so that a word more may settle it; the way out is told."""
    talk = Conversation(Solver(Contradicted("f(2) is 4 and 5"), solution))
    with pytest.raises(Contradicted, match=r"is 4 and 5\. Say it anew after /undo"):
        said(talk, "f(2) == 4 and f(2) == 5")
    said(talk, "/undo")
    said(talk, "f(2) == 4")
    assert talk.is_green


def test_undo(solution, red):
    """Forgets words first, then goes back by one change, to the beginning."""
    talk = Conversation(Solver(solution, red))
    said(talk, "double(n)")
    said(talk, "of floats")
    assert said(talk, "/undo").startswith("forgotten")
    assert talk.solution is solution
    assert said(talk, "/undo").startswith("back at the beginning")
    assert talk.solution is None
    with pytest.raises(InputError, match="nothing to undo"):
        said(talk, "/undo")


def test_undo_keeps_what_the_conversation_began_with(solution):
    """A solution that was opened is no change."""
    talk = Conversation(Solver(solution), solution)
    with pytest.raises(InputError, match="nothing to undo"):
        said(talk, "/undo")
    said(talk, "of floats")
    assert said(talk, "/undo").startswith("back at double")
    with pytest.raises(InputError, match="nothing to undo"):
        said(talk, "/undo")
    assert talk.solution is solution


def test_show_and_save(solution, red, tmp_path):
    """The module, one function, and files of what is green alone."""
    talk = Conversation(Solver(red), solution)
    assert "def double" in said(talk, "/show")
    assert said(talk, "/show double").startswith("def double")
    assert said(talk, f"/save {tmp_path / 'out'}").startswith("written to")
    assert (tmp_path / "out" / "kit.py").exists()
    said(talk, "of floats")
    with pytest.raises(InputError, match="not all is green"):
        said(talk, f"/save {tmp_path / 'other'}")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/shwo", r"there is no /shwo \(did you mean /show\?\): /help shows"),
        ("/", "there is no /"),
        ("/why", "/why of what"),
        ("/save", "/save of what"),
        ("/show half", "there is no half: there is double"),
        ("why half?", "it has double"),
    ],
)
def test_what_can_not_be_done(solution, line, told):
    """Is said in a line, and the conversation goes on."""
    talk = Conversation(Solver(), solution)
    with pytest.raises(InputError, match=told):
        said(talk, line)
    assert "/undo" in said(talk, "/help")
    said(talk, "/quit")
    assert talk.has_ended


@pytest.mark.parametrize("line", ["why double?", "/show", "/why double", "/save out"])
def test_before_anything_is_said(line):
    """There is nothing to ask about, and no model is asked."""
    with pytest.raises(InputError, match="say what is needed first"):
        said(Conversation(Solver()), line)
