"""Examples as pinned cases: quoted word for word, and saying what they are quoted for."""

import pytest

from tdgen.specs.pinning import quote_problem, unsaid
from tdgen.types import Example

TEXT = 'slugify("Hello World") -> "hello-world". f(2) gives four, and total([100,200]) is 300. g(-1.5) is 1,234.5.'


def example(quote: str, value: str) -> Example:
    return Example(function="f", quote=quote, call="f(2)", value=value)


@pytest.mark.parametrize(
    ("quote", "value"),
    [
        ('slugify("Hello World") -> "hello-world"', "'hello-world'"),
        ("f(2) gives four", "4"),
        ("total([100,200]) is 300", "300"),
        ("total([100,200]) is 300", "[100, 200]"),
        ("g(-1.5) is 1,234.5", "1234.5"),
        ('SLUGIFY("Hello   World")  ->\n"hello-world"', "'hello-world'"),
        ("f(2) gives […] is 300", "300"),
        ("f(2) gives four", "True"),
    ],
)
def test_a_quote_that_says_the_value_stands(quote, value):
    """Numbers may be words or grouped, truth values are said in many ways, wrapping and case don't matter.

    What stands between input and result may be left out.
    """
    assert quote_problem(example(quote, value), TEXT) is None
    assert unsaid(example(quote, value)) is None


@pytest.mark.parametrize(
    ("quote", "is_said"),
    [
        ("f(2) writes b'\\x89PNG' as 4", True),
        ("f(2) writes 89 50 4E 47, 4 bytes", True),
        ("f(2) writes 4 bytes", False),
    ],
)
def test_bytes_are_said_as_python_spells_them_or_in_hex(quote, is_said):
    """A quote that does neither leaves them to the planner's reading."""
    told = example(quote, "4").model_copy(update={"files": {"a.png": b"\x89PNG"}})
    assert unsaid(told) == (None if is_said else "b'\\x89PNG'")


def test_words_that_the_user_did_not_write_are_no_quote():
    """A model can't make pinned."""
    assert "is not in the instruction" in str(quote_problem(example("f(3) gives nine", "9"), TEXT))
    assert "is not in the instruction" in str(quote_problem(example("f(2) gives [...] nine", "9"), TEXT))


@pytest.mark.parametrize("quote", ["[…]", "[...] . […]", "is 300 […] f(2) gives", "four […] four"])
def test_what_is_left_out_is_no_quote_nor_are_words_in_another_order(quote):
    """Nothing is in every instruction; and words picked from here and there can say anything."""
    assert "is not in the instruction" in str(quote_problem(example(quote, "True"), TEXT))


FORMS = {
    "a table's row": ("| Hello World   | hello-world |", "| Hello World | hello-world |", "'hello-world'"),
    "a row without its bars": ("| Hello World   | hello-world |", "Hello World|hello-world", "'hello-world'"),
    "a doctest over two lines": ("  >>> f(2)\n  4\n", ">>> f(2)\n4", "4"),
    "a doctest without its prompt": ("  >>> f(2)\n  4\n", "f(2) 4", "4"),
    "code marked as such": ("`f(2)` gives **4**", "f(2) gives 4", "4"),
    "typographers' signs": ("f(“a”) → ‘b’", "f(\"a\") -> 'b'", "'b'"),
    "a negative number": ("f(2) is −4", "f(2) is -4", "-4"),
}


@pytest.mark.parametrize(("text", "quote", "value"), FORMS.values(), ids=FORMS)
def test_whatever_form_the_user_wrote_it_in(text, quote, value):
    """What is lost in copying does not matter: wrapping, case, Markdown's marks, the sort of quotation marks."""
    assert quote_problem(example(quote, value), text) is None
    assert unsaid(example(quote, value)) is None


@pytest.mark.parametrize(
    ("quote", "exception", "is_said"),
    [
        ("f(-1) raises ValueError", "ValueError", True),
        ("f(-1) raises a value error", "ValueError", True),
        ("| f(-1) | json.JSONDecodeError |", "json.JSONDecodeError", True),
        ("f(-1) is an error", "Exception", True),
        ("f(-1) is an error", "ValueError", False),
        ("f(-1) raises KeyError", "ValueError", False),
    ],
)
def test_an_exception_must_be_said_too(quote, exception, is_said):
    """Which one "an error" is, is the model's reading."""
    raised = Example(function="f", quote=quote, call="f(-1)", expect="raises", value=exception)
    assert (unsaid(raised) is None) == is_said


def test_a_value_that_the_quote_does_not_say_is_not_law():
    """What is quoted must hold what is claimed."""
    assert unsaid(example("f(2) gives four", "5")) == 5


def test_an_empty_quote_proves_nothing():
    """An empty text is in every instruction."""
    assert "quotes nothing" in str(quote_problem(example(" ", "4"), TEXT))


def test_what_is_printed_must_be_in_the_quote_line_by_line():
    """With the blanks within a line; those around it, and that a script ends well, need not be there."""
    quote = "$ kit a\n    one   1\n    two   2"
    shown = Example(function="main", quote=quote, call="['a']", expect="exits", value="0", stdout="one   1\ntwo   2\n")
    assert unsaid(shown) is None
    assert unsaid(shown.model_copy(update={"stdout": "one 1\ntwo   2\n"})) == "one 1"
    assert unsaid(shown.model_copy(update={"value": "3"})) == 3
