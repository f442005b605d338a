"""Nothing that comes from a model or from generated code commands a terminal.

What was spent, in words: money only where a price is known.
"""

from __future__ import annotations

import pytest

from tdgen.terminal.output import (
    Line,
    asked_lines,
    count,
    dollars,
    give_json,
    give_lines,
    one_line,
    say,
    spending,
    spent_lines,
)
from tdgen.text import safe
from tdgen.types import Spent, Usage


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees what this machine's terminal is asked for."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain größe 文", "plain größe 文"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("\x9b31m", "\\x9b31m"),
        ("abc\u202ecba", "abc\\u202ecba"),
        ("\ud800", "\\ud800"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
    ],
)
def test_what_could_command_a_terminal_is_escaped(text: str, shown: str):
    """Escape sequences, reordering marks, lone surrogates, line ends; letters of any script stay."""
    assert safe(text) == shown


def test_what_is_kept_is_kept():
    """A listing needs its line ends."""
    assert safe("a\n\tb\x1b", keep="\n\t") == "a\n\tb\\x1b"


def test_one_line_of_anything():
    """Line ends become spaces, and a long one is cut; blanks within a line are what a literal in it may be about."""
    assert one_line("a\n  b\x07") == "a b\\x07"
    assert one_line("f('a  b')\tis") == "f('a  b') is"
    assert one_line("x" * 50, 10) == "x" * 9 + "…"


@pytest.mark.parametrize(("number", "said"), [(0, "0 cases"), (1, "1 case"), (1204, "1,204 cases")])
def test_numbers_and_their_nouns(number: int, said: str):
    """One is one."""
    assert count(number, "case") == said


def test_json_is_ascii(capsys: pytest.CaptureFixture[str]):
    """So that no terminal, pipe or reader stumbles over it."""
    give_json({"ß": "\x1b\u202e\ud800"})
    assert capsys.readouterr().out == '{\n "\\u00df": "\\u001b\\u202e\\ud800"\n}\n'


@pytest.mark.parametrize(
    ("variables", "is_painted"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": ""}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
    ids=str,
)
def test_colours_can_be_forced(capsys, monkeypatch: pytest.MonkeyPatch, variables, is_painted: bool):
    """In a pipe there are none unless FORCE_COLOR asks for them; NO_COLOR has the last word."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    say("fine", "good")
    assert capsys.readouterr().err == ("\x1b[32mfine\x1b[0m\n" if is_painted else "fine\n")


def test_where_nobody_listens_nothing_is_said(monkeypatch: pytest.MonkeyPatch):
    """A closed stderr is no reason to fail."""
    monkeypatch.setattr("sys.stderr", None)
    say("hello")


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of twenty columns, without colours."""
    monkeypatch.setattr("tdgen.terminal.output.is_terminal", lambda stream: True)
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.mark.usefixtures("narrow")
def test_what_is_too_wide_for_a_terminal_is_broken_at_words(capsys: pytest.CaptureFixture[str]):
    """Code is not, nor a word that is too long by itself: both are copied."""
    give_lines(
        [Line("one two three four five"), Line("    code = that_is_wide"), Line("a https://a.example/bcdefghijkl")]
    )
    assert capsys.readouterr().out.splitlines() == [
        "one two three four",
        "  five",
        "    code = that_is_wide",
        "a",
        "  https://a.example/bcdefghijkl",
    ]
    say("key 77fa975eb2fb and so on")
    assert capsys.readouterr().err == "key 77fa975eb2fb and\n  so on\n"


@pytest.mark.usefixtures("narrow")
def test_what_was_asked_keeps_its_indentation():
    """A list's items stay behind their marks."""
    told = [line.text for line in asked_lines("Do this:\n  - one two three four\n")]
    assert told == ["asked:", "    Do this:", "      - one two", "      three four", ""]


def test_what_is_no_terminal_gets_lines_as_they_are(capsys: pytest.CaptureFixture[str], monkeypatch):
    """Whatever its width is said to be."""
    monkeypatch.setenv("COLUMNS", "20")
    give_lines([Line("one two three four five")])
    assert capsys.readouterr().out == "one two three four five\n"


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "$0"),
        (0.00001, "under $0.0001"),
        (0.0001, "$0.0001"),
        (0.01234, "$0.0123"),
        (0.5, "$0.5000"),
        (1.005, "$1.00"),
        (1234.5, "$1,234.50"),
    ],
)
def test_an_amount(amount, text):
    """As exact as it matters."""
    assert dollars(amount) == text


@pytest.mark.parametrize(
    ("usage", "text"),
    [
        (Usage(), "0 calls, 0 tokens"),
        (Usage(calls=1, prompt_tokens=1200, completion_tokens=4), "1 call, 1,204 tokens"),
        (Usage(calls=1, prompt_tokens=1, cost=0.25), "1 call, 1 token, $0.2500"),
        (Usage(calls=1, prompt_tokens=1, cost=0.0), "1 call, 1 token, $0"),
        (
            Usage(calls=2, prompt_tokens=9, cost=2.0, unpriced=5),
            "2 calls, 9 tokens, $2.00 and 5 tokens of unknown price",
        ),
    ],
)
def test_what_was_used(usage, text):
    """What has no price is told in tokens."""
    assert spending(usage) == text


def test_what_was_spent_where():
    """A line for each purpose and function."""
    one = Usage(calls=1, prompt_tokens=10, seconds=1.25)
    lines = spent_lines([Spent(purpose="plan", usage=one), Spent(purpose="implement", function="f", usage=one)])
    assert [line.text for line in lines] == [
        "spent on plan: 1 call, 10 tokens, 1.2 s",
        "spent on implement f: 1 call, 10 tokens, 1.2 s",
    ]
