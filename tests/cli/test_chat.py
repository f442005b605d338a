"""`tdgen chat`: lines from a pipe, each answered; what is wrong with one is a line, and the next is heard."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest


@pytest.fixture
def talk(tdgen, said, monkeypatch):
    """Talk in lines, or bytes."""

    def call(*lines, given=()):
        said.green()
        piped = lines[0] if isinstance(lines[0], bytes) else "".join(f"{line}\n" for line in lines).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(piped), encoding="utf-8"))
        return tdgen("chat", *given, "--script", said.path, "--trust", "quick")

    return call


@pytest.mark.slow
def test_a_conversation_is_gone_on_with(talk, instruction):
    """What is needed, why, and into a folder; from which the next one goes on."""
    ran = talk(instruction, "why does double(4) expect 8?", "/nothing", "/save out", "/quit", "not heard")
    assert "all green: 2 functions" in ran.out
    assert "you wrote: “double(4) is 8”" in ran.out
    assert "tdgen: there is no /nothing: /help shows what there is" in ran.err
    assert ran.last.startswith("`tdgen chat --follow ")
    assert ran.code == 2
    assert (Path("out") / "doubling.py").exists()
    again = talk("why quadruple?", "and\\", "halves", given=["out", "-q"])
    assert again.code == 0
    assert "quadruple: green" in again.out
    assert "untouched double, quadruple: contract, cases and code as before" in again.out
    key = ran.last.split()[3].strip("`")
    assert talk("/show double", given=["--follow", key]).code == 0


@pytest.mark.slow
def test_who_interrupts_is_told_how_it_goes_on(tdgen, said, monkeypatch, instruction):
    """By the key of what is green."""

    class Typed(io.StringIO):
        def readline(self, *_):
            raise KeyboardInterrupt

    said.green()
    monkeypatch.setattr(sys, "stdin", Typed())
    ran = tdgen("chat", instruction, "--script", said.path, "--trust", "quick")
    assert ran.code == 130
    assert "`tdgen chat --follow " in ran.err
    assert ran.last == "tdgen: interrupted: the same words, said again, go on from here"


@pytest.mark.slow
def test_the_guide_shows_what_comes(tdgen, monkeypatch):
    """Of the tutorial's solution."""
    docs = Path(__file__).parents[2] / "docs"
    block = (docs / "chat.md").read_text("utf-8").partition("```console\n")[2].partition("```")[0]
    command, _, shown = block.partition("\n")
    settings = ("--script", docs / "tutorial" / "slugs.json", "--trust", "quick")
    assert tdgen("solve", docs / "tutorial" / "slugs.txt", "-o", "slugs", *settings).code == 0
    question = command.partition("'")[2].rpartition("'")[0]
    monkeypatch.setattr(sys, "stdin", io.StringIO(question))
    ran = tdgen("chat", "slugs", "-q", *settings)
    assert (ran.code, ran.out) == (0, shown)


@pytest.mark.parametrize(
    ("given", "line", "told"),
    [
        ([], b"\xff\xfe", "the standard input is not UTF-8 text"),
        ([], b"x" * 100_001, "a line has more than 100,000 characters"),
        (["."], b"", "holds no solution of tdgen's"),
        (["none.md"], b"", "there is no folder none.md"),
        (["nowhere"], b"", "there is no folder nowhere (what is needed is a sentence or more: put it in quotes)"),
        ([".", "--follow", "abc"], b"", "give one solution to go on from"),
        (["--follow", "abcd"], b"", "no kept solution's key starts with abcd"),
        ([], b"why anything?\n", "say what is needed first"),
    ],
)
def test_what_can_not_be_talked_about(talk, given, line, told):
    """Is said in one line, with exit code 2; no input at all is no mistake."""
    ran = talk(line, given=given)
    assert ran.code == 2
    assert told in ran.last
    assert talk(b"").code == 0
