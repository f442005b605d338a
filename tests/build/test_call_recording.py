"""What a call asks of other functions, heard while it runs."""

from __future__ import annotations

import pytest

from tdgen.build.call_recording import LONGEST_CALL, MOST_HEARD, recorded_calls
from tdgen.types import Case, Limits, Value


@pytest.fixture
def heard(studio):
    """The calls of `f` that a body of `g(x)` makes, as they are written."""

    def hear(body: str, call: str = "g(1)", f: str = "return a", functions=("f",)):
        module = f"def f(a=0, b=0):\n    {f}\n\n\ndef h(x):\n    return f(x)\n\n\ndef g(x):\n    {body}\n"
        case = Case(name="one", function="g", call=call, expectation=Value(source="0"))
        found = recorded_calls(studio.sandbox, "kit", module, case, functions, Limits(wall_s=2.0))
        return {name: [one.expression for one in calls] for name, calls in found.items()}

    return hear


def test_calls_are_told_in_their_order_each_once(heard):
    """With positional arguments and named ones."""
    assert heard("return f(2) + f([1, 'a'][0], b={'k': x}) + f(2)") == {"f": ["f(2)", "f(1, b={'k': 1})"]}


def test_arguments_are_told_as_they_were_before_the_call(heard):
    """A function may change them."""
    assert heard("items = [3]\n    return f(items)", f="a.clear()") == {"f": ["f([3])"]}


def test_a_call_that_raises_is_told_too(heard):
    """And so are those of a function that raises itself."""
    assert heard("f(7)", f="raise KeyError(a)") == {"f": ["f(7)"]}


def test_calls_within_a_call_are_its_own_matter(heard):
    """Recursion, and what one dependency asks of another."""
    body = "return h(x) + f(5)"
    assert heard(body, f="return a if a > 2 else f(a + 1)", functions=("f", "h")) == {"f": ["f(5)"], "h": ["h(1)"]}


@pytest.mark.parametrize(
    "argument", ["object()", "lambda: 0", "float('nan')", "float('inf')", "(lambda it: it.append(it) or it)([])"]
)
def test_what_can_not_be_written_down_is_left_out(heard, argument):
    """The other calls are told."""
    assert heard(f"f({argument})\n    return f(1)") == {"f": ["f(1)"]}


def test_it_is_bounded(heard):
    """In number and in length; an endless repr, or one that raises, tells nothing."""
    (calls,) = heard("return sum(f(n) for n in range(1000))").values()
    assert len(calls) == MOST_HEARD
    assert heard(f"return f('x' * {LONGEST_CALL})") == {"f": []}
    bad = "class Bad:\n        def __repr__(self):\n            {}\n    f(Bad())\n    return f(1)"
    assert heard(bad.format("raise ValueError")) == {"f": ["f(1)"]}
    assert heard(bad.format("while True: pass")) == {"f": []}


def test_what_does_not_run_tells_nothing(heard):
    """Nor does a candidate that puts something else in the listener's place."""
    assert heard("return f(1)", call="g(") == {"f": []}
    assert heard("f(1)\n    import sys\n    sys.modules['kit']._heard_[:] = [3, ['f', 'a b'], ['e'], [1]]") == {"f": []}
