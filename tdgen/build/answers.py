"""What a user answers to an open question, and whether two answers to one call agree.

Whether two who worked a call out, and know nothing of each other, came to the same.

What the user answers to an open question, read: an option's number, a value, or an exception to be raised.
"""

from __future__ import annotations

import ast

from tdgen.judge import Expected, Oracle
from tdgen.judge.compare import differences
from tdgen.source.syntax import parse, parses
from tdgen.testgen.pinned import named_apart
from tdgen.testgen.problems import same
from tdgen.testgen.reply import slug
from tdgen.types import Call, Case, Example, ExpectedException, FunctionSpec, Question, Value
from tdgen.values.readers import Unreadable
from tdgen.values.relation import relation_of_case


def say_the_same(case: Case, expected: Expected, other: Case, second: Expected, spec: FunctionSpec) -> bool:
    """Whether two workings of one call came to the same. A predicate bears out whatever is no exception."""
    forms = {case.expectation.form, other.expectation.form}
    if "check" in forms:
        return "raises" not in forms
    if isinstance(case.expectation, Value) and isinstance(other.expectation, Value):
        try:
            return not differences(expected.value, second.value, relation_of_case(case, spec))
        except Unreadable:
            return False
    return same(case.expectation, other.expectation) or (forms == {"raises"} and expected.exception == second.exception)


def demand_the_same(case: Case, other: Case, spec: FunctionSpec, oracle: Oracle) -> bool:
    """Whether two cases of one call demand the same of all that is observed, their sources evaluated.

    `2 * 5` and `10` are the same, as are `ValueError` and `builtins.ValueError`; two predicates, or two patterns of a
    message, only where they read alike.
    """
    if case.effects == other.effects:
        return True
    beside = {"expectation": case.expectation, "after": case.after}
    looked_at = [[after.expression for after in one.after] for one in (case, other)]
    if looked_at[0] != looked_at[1] or case.effects != other.effects.model_copy(update=beside):
        return False
    match case.expectation, other.expectation:
        case (Value(), Value()):
            pass
        case (ExpectedException(match=one), ExpectedException(match=another)) if one == another:
            pass
        case _:
            if not same(case.expectation, other.expectation):
                return False
    expected, second = (oracle.expectations([one])[one.name] for one in (case, other))
    if expected.problem or second.problem or repr(expected.after) != repr(second.after):
        return False
    return say_the_same(case, expected, other, second, spec)


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
