"""What the user answers to an open question, read: an option's number, a value, or an exception to be raised."""

from __future__ import annotations

import ast

from tdgen.source.syntax import parse, parses
from tdgen.testgen.pinned import named_apart
from tdgen.testgen.reply import slug
from tdgen.types import Call, Case, Example, ExpectedException, Question, Value

QUOTE = "the user's answer"
_RAISES = ("raises ", "raised ", "raise ")
_GIVES = ("returns ", "returned ", "gives ")


def read_answer(question: Question, text: str) -> Example | None:
    """The answer as an example; None where the assumption may stand, or nothing was said that can be read.

    `2` is the second option, `raises ValueError` an exception, and all else the Python source of a value, with or
    without `returns` before it.
    """
    said = text.strip()
    if said.isdecimal() and 1 <= int(said) <= len(question.options):
        said = question.options[int(said) - 1]
    for word in _RAISES:
        if said.startswith(word):
            name = said.removeprefix(word).partition(":")[0].strip()
            return _example(question, "raises", name) if name.replace(".", "").isidentifier() else None
    for word in _GIVES:
        said = said.removeprefix(word)
    return _example(question, "value", said) if _is_expression(said.strip()) else None


def pinned_by_answer(call: Call, answer: Example, there: tuple[Case, ...]) -> Case:
    """The case that an answer pins, under a name that none of `there` has."""
    expectation = Value(source=answer.value) if answer.expect == "value" else ExpectedException(type=answer.value)
    case = Case(
        name=slug(call.expression),
        function=call.function,
        kind="edge" if answer.expect == "value" else "error",
        provenance="instruction",
        setup=call.setup,
        arguments=call.arguments,
        call=call.call,
        world=call.world,
        expectation=expectation,
        why=answer.quote,
    )
    return named_apart([case], there)[0]


def _is_expression(source: str) -> bool:
    """Whether a text is one Python expression."""
    body = parse(source).body if parses(source) else []
    return len(body) == 1 and isinstance(body[0], ast.Expr)


def _example(question: Question, expect: str, value: str) -> Example:
    return Example.model_validate(
        {"function": question.function, "quote": QUOTE, "call": question.call, "expect": expect, "value": value.strip()}
    )
