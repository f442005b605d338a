"""An open question put to whoever sits at the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tdgen.cli.speaking import ask_line, is_terminal, say
from tdgen.errors import InputError

if TYPE_CHECKING:
    from tdgen.cli.progress import Teller
    from tdgen.protocols import Ask
    from tdgen.types import Asked


def asking(teller: Teller) -> Ask:
    """What asks at the terminal; InputError where there is none."""
    if not (is_terminal(sys.stdin) and is_terminal(sys.stderr)):
        raise InputError("--ask needs a terminal to ask at: use --assume, or say in the instruction what is open")

    def ask(question: Asked) -> str:
        with teller.silent():
            return _answer(question)

    return ask


def _answer(question: Asked) -> str:
    about = f" about {question.function}" if question.function else ""
    say(f"waiting for you: {question.told_place}{about} that the instruction leaves open", "strong")
    say(f"  {question.question}")
    for number, option in enumerate(question.options, start=1):
        say(f"  {number}  {option}")
    if question.options:
        say("  a number, a value, `raises SomeError`, or nothing to let it be as the first")
    else:
        say(f"  Say how it is meant, or nothing for: {question.assumption}")
    return ask_line("> ")
