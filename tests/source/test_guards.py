"""How functions begin with their arguments."""

from __future__ import annotations

from tdgen.source.guards import guards_beside

NUMBERS = '''
import math


def word(value, digits=1):
    """In words."""
    try:
        if not math.isfinite(float(value)):
            return "none"
        value = int(value)
    except (TypeError, ValueError):
        return str(value)
    return "many"


def comma(value):
    """With commas."""
    sep = ","
    if value is None:
        return ""
    return f"{value:{sep}}"


def ordinal(value):
    """With its ending."""
    raise NotImplementedError


def other(text):
    if text is None:
        return ""
    return text


class Bag:
    def __add__(self, other):
        """All of both."""
        raise NotImplementedError

    def __sub__(self, other):
        if not isinstance(other, Bag):
            return NotImplemented
        return Bag()

    def clear(self, value):
        if value is None:
            self.items = []
'''


def test_a_beginning_is_shown_of_functions_that_take_the_same_argument():
    """Conditions and attempts that end the call or convert; what only names a value before them is passed by."""
    assert guards_beside(NUMBERS, {"ordinal"}) == (
        '# comma begins:\nif value is None:\n    return ""\n\n'
        "# word begins:\ntry:\n    if not math.isfinite(float(value)):\n"
        '        return "none"\n    value = int(value)\nexcept (TypeError, ValueError):\n    return str(value)'
    )


def test_a_method_is_held_beside_those_of_its_class():
    """A function of the module that takes an argument of that name is another matter."""
    assert guards_beside(NUMBERS, {"Bag.__add__"}) == (
        "# Bag.__sub__ begins:\nif not isinstance(other, Bag):\n    return NotImplemented"
    )


def test_what_changes_state_is_no_guard():
    """It is the work of the method."""
    assert "clear" not in guards_beside(NUMBERS.replace("other", "value"), {"Bag.__add__"})
    logged = "    return value\n    finally:\n        log(value)\n    return value\n"
    assert "log" not in guards_beside(f"def one(value): ...\n\n\ndef two(value):\n    try:\n    {logged}", {"one"})


def test_a_function_that_is_shown_whole_is_left_out():
    """So are the units themselves, and a beginning that was shown already."""
    assert "comma" not in guards_beside(NUMBERS, {"ordinal"}, {"comma"})
    assert guards_beside(NUMBERS, {"ordinal", "comma", "word"}) == ""
    twice = NUMBERS + '\n\ndef short(value):\n    if value is None:\n        return ""\n    return value\n'
    assert "short" not in guards_beside(twice, {"ordinal"})
