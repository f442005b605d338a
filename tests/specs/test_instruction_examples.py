"""Examples that an instruction spells out as code, read without a model."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tdgen.specs.instruction import examples_in
from tdgen.specs.pinning import quote_problem, unsaid
from tdgen.types import Example

READ = {
    "arrow": ("f(2) -> 4", ["f(2) = 4"]),
    "fat arrow": ("so f(2) => 4.", ["f(2) = 4"]),
    "typographer's arrow": ("`f(2)` → `4`", ["f(2) = 4"]),
    "equation": ("assert f(2) == 4  # as you see", ["f(2) = 4"]),
    "one equals sign": ("f(2) = -4.5, and so on", ["f(2) = -4.5"]),
    "gives": ("For example f(2) gives 4", ["f(2) = 4"]),
    "is": ("double(3) is 6. double(4) is 8!", ["double(3) = 6", "double(4) = 8"]),
    "should return": ("f('a', key=[1, 2]) should return {'a': 1}", ["f('a', key=[1, 2]) = {'a': 1}"]),
    "several": ("f(1) -> 1, f(2) -> 4; f(3) -> 9 and f(4) -> 16", [f"f({n}) = {n * n}" for n in (1, 2, 3, 4)]),
    "strings": ('slug("Hello (World), it\'s") -> "hello-world"', ["slug(\"Hello (World), it's\") = \"hello-world\""]),
    "a bullet": ("- f(2) -> 4\n* f(3) -> 9\n1. f(4) -> 16", ["f(2) = 4", "f(3) = 9", "f(4) = 16"]),
    "one call in another": ("g(f(4), k=h(2)) == 5", ["g(f(4), k=h(2)) = 5"]),
    "bold": ("**f(2)** -> **4**", ["f(2) = 4"]),
    "in parentheses": ("Squares (f(2) -> 4) are meant", ["f(2) = 4"]),
    "raises": ("f(-1) raises a `ValueError`, f(0) throws KeyError", ["f(-1) ! ValueError", "f(0) ! KeyError"]),
    "doctest": (">>> f(2)\n4\n>>> f('a')\n'b'\n\nAnd more.", ["f(2) = 4", "f('a') = 'b'"]),
    "doctest over lines": ("    >>> f([1,\n    ...    2])\n    [1,\n     4]\n", ["f([1, 2]) = [1, 4]"]),
    "doctest of an error": (
        ">>> f(-1)\nTraceback (most recent call last):\n    ...\njson.JSONDecodeError: no",
        ["f(-1) ! json.JSONDecodeError"],
    ),
    "doctest and prose": (">>> f(2)\n4\nAnd f(3) -> 9.", ["f(3) = 9"]),
    "table": ("| f | result |\n|--|--|\n| `f(2)` | 4 |\n| f(0) | raises KeyError |", ["f(2) = 4", "f(0) ! KeyError"]),
    "said twice": ("f(2) -> 4 and f( 2 ) == 4", ["f(2) = 4"]),
    "contradicting": ("f(2) -> 4. f(2) -> 5.", ["f(2) = 4", "f(2) = 5"]),
}  # fmt: skip


def told(text: str) -> list[str]:
    return [f"{e.call} {'=' if e.expect == 'value' else '!'} {e.value}" for e in examples_in(text)]


@pytest.mark.parametrize(("text", "expected"), READ.values(), ids=READ)
def test_examples_are_read_in_whatever_form(text, expected):
    """Each with the words that say so, which pass for a quote of the instruction."""
    assert told(text) == expected
    for found in examples_in(text):
        example = Example(**found._asdict())
        assert quote_problem(example, text) is None
        assert unsaid(example) is None


LEFT = {
    "a denial": "f(2) is not 4, never f(3) -> 3, and it isn't f(4) -> 4",
    "a condition": "With strict off or when rounding, f(2) -> 4. If so f(3) -> 9",
    "a condition after it": "f(2) -> 4 if x is set; f(3) -> 9 otherwise",
    "what is wrong today": "Currently f(2) -> 5",
    "words after it": "f(2) gives 4 results, f(3) is 9 times as large",
    "a choice": "f(2) -> 4 or 5",
    "two values": "f(2) -> 4, 5",
    "a computation": "f(2) == 2 * 2, f(3) = 3 ** 2",
    "variables": "f(x) -> x * x, f(n) == 4, f(2) -> four",
    "a part of more": "2 * f(2) == 8, g(h * f(4)) == 5, m.f(5) -> 6, f(6)[0] == 7, f(7).x == 8",
    "a name that is bound": ">>> x = 3\n>>> f(x)\n9",
    "no result": ">>> f(2)\n\n>>> f(3)\n<object at 0x7f>\n",
    "a signature": "f(a: int, b: int = 2) -> int",
    "a table of inputs": "| n | result |\n|---|---|\n| 2 | 4 |",
    "a table of something else": "| call | seconds |\n|---|---|\n| f(2) | 4 |",
    "a test that changes something": "def test_a():\n    setattr(shop, 'RATE', 5)\n    assert f(2) == 4",
    "a test that takes something": "class TestF:\n    def test_a(self, rate):\n        assert f(2) == 4\n",
    "a test of either": "def test_a():\n    assert f(2) == 4 or f(2) == 5\n",
    "nothing": "",
    "half a call": "f( -> 4, f(2 -> 4, ((((((((((",
    "dots": "f(2) ... 4, f(...) -> 4, f(2) -> ...",
}


def test_tests_that_only_assert_are_examples():
    """With a docstring and comments between; what stands below a test is none of it."""
    text = 'def test_a():\n    """Two."""\n\n    # three\n    assert f(2) == 4\nf(3) == 9\n'
    assert told(text) == ["f(2) = 4", "f(3) = 9"]


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_what_may_mean_something_else_is_left_to_the_planner(text):
    """Rather one too few: what is read are pinned."""
    assert told(text) == []


@pytest.mark.parametrize("text", ["f(" * 5000 + ")" * 5000, "f(2) -> " + "[" * 5000, "x = " + "f(1)" * 2000])
def test_hostile_texts_are_read_to_their_end(text):
    """Parentheses without end, and lines without end."""
    assert told(text) == []


def test_the_time_grows_with_the_text():
    """Thousands of calls in a line are read within some seconds of a processor: by its square it would be minutes."""
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_CPU, (30, 30))\n"
        "from tdgen.specs.instruction import examples_in\n"
        "assert not examples_in('x = ' + 'f(1)' * 8000)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
