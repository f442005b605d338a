"""Examples as pinned cases: what is quoted must be in the instruction, and what is expected must be in the quote."""

from __future__ import annotations

import ast
import re

from tdgen.briefs import folded, is_quoted
from tdgen.source.syntax import expression
from tdgen.types import Example


def quote_problem(example: Example, text: str) -> str | None:
    """Why the example's quote is none, or None: its words are not the user's."""
    if not example.quote.strip():
        return "it quotes nothing: copy the words of the instruction that give it"
    if not is_quoted(example.quote, text):
        return f"its quote {example.quote!r} is not in the instruction: copy the user's words exactly"
    return None


def unsaid(example: Example) -> str | int | float | None:
    """A part of the expected value, or the exception, that the quote does not say; None where it says all of it.

    Such an example ("eight hours" for 480, "is an error" for ValueError) is the model's reading of the user's words,
    and not pinned. Of what is printed or written each line must be there as it is; that a script ends well need not be.
    """
    texts = (example.stdout, example.stderr, *example.files.values())
    lines = [line.strip() for text in texts for line in (text or "").splitlines() if line.strip()]
    if missing := next((line for line in lines if line not in example.quote), None):
        return missing
    if example.expect == "exits" and example.value.strip() == "0":
        return None
    if example.expect == "raises":
        return None if _names(example.quote, example.value) else example.value
    return next((literal for literal in _literals(example.value) if not _holds(example.quote, literal)), None)


def _names(quote: str, exception: str) -> bool:
    """Whether a quote names an exception: `ValueError`, a value error, for Exception any error."""
    name = exception.strip().rpartition(".")[2]
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold()
    return name.casefold() in folded(quote) or words in folded(quote) or (name == "Exception" and "error" in quote)


def _literals(source: str) -> list[str | int | float]:
    """The strings and numbers that a value's source spells out; truth values and None are said in many ways."""
    try:
        nodes = list(ast.walk(expression(source)))
    except SyntaxError:
        return []
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return [v for v in values if isinstance(v, str | int | float) and not isinstance(v, bool) and v != ""]


_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+")
_GROUPED = re.compile(r"\d{1,3}(?:[,_ ]\d{3})+(?:\.\d+)?")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def _holds(quote: str, literal: str | int | float) -> bool:
    if isinstance(literal, str):
        escaped = literal.encode("unicode_escape").decode("ascii")
        said = folded(literal)
        return (said in folded(quote) if said else literal in quote) or escaped in quote
    if literal in _spoken(quote):
        return True
    grouped = [re.sub("[,_ ]", "", found) for found in _GROUPED.findall(quote)]
    return any(_number(found) == literal for found in [*_NUMBER.findall(quote), *grouped])


def _spoken(quote: str) -> set[int]:
    words = set(re.findall("[a-z]+", quote.casefold()))
    return {number for number, word in enumerate(_WORDS) if word in words}


def _number(text: str) -> float | int:
    return int(text) if text.isdigit() and len(text) < 4000 else float(text)
