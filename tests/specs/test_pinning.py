"""Which examples are pinned: quoted ones that the quote says, and those that the planner overlooked."""

from __future__ import annotations

from tdgen.specs.pinning import lawful
from tdgen.types import Example, FunctionSpec, Parameter, Plan, Returns, World


def plan(*examples: Example, returns: str = "int", is_async: bool = False) -> Plan:
    spec = FunctionSpec(
        name="f",
        purpose="-",
        parameters=(Parameter(name="n", type="int"),),
        returns=Returns(type=returns),
        is_async=is_async,
    )
    return Plan(module="kit", functions=(spec,), examples=examples)


def example(call: str, value: str, quote: str, **more) -> Example:
    return Example(function="f", quote=quote, call=call, value=value, **more)


def told(made: Plan, text: str) -> list[tuple[str, str]]:
    return [(e.call, e.value) for e in lawful(made, text).examples]


def test_an_overlooked_example_is_added():
    """With the user's words, and nothing is paid for it."""
    (added,) = lawful(plan(), "Squares, e.g. f(2) -> 4.").examples
    assert added == example("f(2)", "4", "f(2) -> 4")


def test_a_bare_name_with_parentheses_is_no_example():
    """`f() returns None` in a docstring speaks of the function: it takes arguments."""
    assert told(plan(), "If it can't be read f() will return None. See f() -> 4.") == []
    without = FunctionSpec(name="f", purpose="-", returns=Returns(type="int"))
    assert told(Plan(module="kit", functions=(without,)), "f() -> 4.") == [("f()", "4")]


def test_one_that_was_quoted_is_not_added_again():
    """In whatever spelling; and what the text does not spell out as code is the planner's to quote."""
    quoted = [example("f( 2 )", "4.0", "f(2) -> 4"), example("f(3)", "9", "three squared is 9 (f of 3)")]
    text = "f(2) -> 4, and three squared is 9 (f of 3)"
    assert told(plan(*quoted), text) == [("f( 2 )", "4.0"), ("f(3)", "9")]


def test_one_that_was_quoted_with_its_files_is_not_added_without_them():
    """In the same words; another place of the text is an example of its own."""
    text = "f(2) -> 4 (a.txt holds 7)."
    whole = example("f(2)", "4", text, world=World(files={"a.txt": "7"}))
    assert lawful(plan(whole), text).examples == (whole,)
    assert told(plan(whole), f"{text} No: f(2) -> 5.") == [("f(2)", "4"), ("f(2)", "5")]


def test_a_misread_example_gives_way_to_what_is_written():
    """The quote says 9 too, but not of f(2)."""
    quote = "f(2) -> 4, f(3) -> 9"
    assert told(plan(example("f(2)", "9", quote)), quote) == [("f(2)", "4"), ("f(3)", "9")]


def test_a_contradiction_stays_the_users():
    """Both are pinned, for the user to choose."""
    made = plan(example("f(2)", "4", "f(2) -> 4"))
    assert told(made, "f(2) -> 4. No: f(2) -> 5.") == [("f(2)", "4"), ("f(2)", "5")]


def test_examples_of_what_is_not_planned_are_no_law():
    """Nor of a function whose result comes piece by piece, nor an exception that the contract doesn't know."""
    assert told(plan(), "g(2) -> 4") == []
    assert told(plan(returns="Iterator[int]"), "f(2) -> [1, 2]") == []
    assert told(plan(), "f(2) raises OtherError, f(3) raises KeyError") == [("f(3)", "KeyError")]


def test_one_call_in_another_is_law_where_both_are_planned():
    """What is around a planned function's call must be one too, or Python's own within it."""
    both = plan()
    both = both.model_copy(update={"functions": (*both.functions, both.spec("f").model_copy(update={"name": "g"}))})
    text = "f(g(2)) -> 4, f(h(2)) -> 4, len(f(2)) -> 4, f(max(2, 3)) -> 4"
    assert told(both, text) == [("f(g(2))", "4"), ("f(max(2, 3))", "4")]


def test_an_async_function_is_awaited():
    """Whether the planner wrote it so or the text was read."""
    assert told(plan(is_async=True), "f(2) -> 4") == [("asyncio.run(f(2))", "4")]
    quoted = example("asyncio.run(f(2))", "4", "f(2) -> 4")
    assert told(plan(quoted, is_async=True), "f(2) -> 4") == [("asyncio.run(f(2))", "4")]


def test_an_example_of_another_place_stays():
    """Two places that spell out two results of one call are both the user's: which holds is not decided here."""
    text = "f(2) -> 4. That was wrong: f(2) -> 5."
    assert told(plan(example("f(2)", "5", "f(2) -> 5")), text) == [("f(2)", "5"), ("f(2)", "4")]


def test_what_the_quote_does_not_say_is_no_law():
    """Neither a value nor an exception's class."""
    made = plan(
        example("f(8)", "480", "eight hours of f"),
        example("f(-1)", "ValueError", "f of -1 is refused", expect="raises"),
        example("f(-2)", "ValueError", "f of -2 is a value error", expect="raises"),
    )
    text = "eight hours of f; f of -1 is refused; f of -2 is a value error"
    assert told(made, text) == [("f(-2)", "ValueError")]
    assert [read.call for read in lawful(made, text).read_examples] == ["f(8)", "f(-1)"]
