"""Implementations that look the shown cases up, and those that only look like it."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tdgen.impl.findings import memorized
from tdgen.types import Case, ExpectedException, Value


def case(call: str, expected: str, name: str = "") -> Case:
    arguments = tuple(part.strip() for part in call.split(" / "))
    raises = expected[:1].isupper() and expected.endswith("Error")
    return Case(
        name=name or call,
        function="f",
        arguments=arguments,
        expectation=ExpectedException(type=expected) if raises else Value(source=expected),
    )


WORDS = [case("'banana'", "3"), case("'kiwi'", "2"), case("'fig'", "1"), case("''", "0"), case("'a'", "1")]
LISTS = [case("[3, 1, 2]", "6"), case("[10, 20]", "30"), case("[]", "0"), case("[5]", "5")]
PAIRS = [case("2 / 10", "1024"), case("3 / 4", "81"), case("7 / 2", "49"), case("0 / 0", "1")]
ERRORS = [case("'12x'", "ValueError"), case("'42'", "42")]


def found(body: str, cases: list[Case]) -> int:
    return len(memorized(dedent(body), "f", cases))


LOOKED_UP = {
    "a chain of ifs": (WORDS, 3, """
        def f(text):
            if text == 'banana':
                return 3
            elif text == 'kiwi':
                return 2
            elif 'fig' == text:
                return 1
            return 0
        """),
    "ifs before a right algorithm": (WORDS, 1, """
        def f(text):
            if text == 'banana':
                return 3
            return sum(letter in 'aeiou' for letter in text)
        """),
    "a table": (WORDS, 3, "TABLE = {'banana': 3, 'kiwi': 2, 'fig': 1}\ndef f(text): return TABLE[text]"),
    "a table with a default": (WORDS, 2, "def f(text): return {'banana': 3, 'kiwi': 2, '': 0}.get(text, len(text))"),
    "a table in the parameters": (WORDS, 2, "def f(text, _known={'banana': 3, 'kiwi': 2}): return _known.get(text, 0)"),
    "a conditional expression": (WORDS, 2, "def f(t): return 3 if t == 'banana' else 2 if t == 'kiwi' else len(t)"),
    "a helper": (WORDS, 1, "def _known(s):\n    if s == 'kiwi':\n        return 2\ndef f(text): return _known(text)"),
    "a list as a tuple": (LISTS, 2, "def f(a): return {(3, 1, 2): 6, (10, 20): 30}.get(tuple(a), sum(a))"),
    "a list of one": ([case("['kiwi']", "4")], 1, "def f(a):\n    if a == ['kiwi']:\n        return 4\n    return 0"),
    "all arguments": (PAIRS, 2, "def f(*args):\n    if args == (2, 10): return 1024\n    if args == (7, 2): return 49"),
    "arguments in a tuple": (PAIRS, 2, "def f(a, b): return {(2, 10): 1024, (3, 4): 81}.get((a, b))"),
    "one after the other": (PAIRS, 1, "def f(a, b):\n    if a == 3 and b == 4:\n        return 81\n    return a ** b"),
    "an error": (ERRORS, 1, "def f(t):\n    if t == '12x':\n        raise ValueError('no number')\n    return int(t)"),
}  # fmt: skip


@pytest.mark.parametrize(("cases", "count", "body"), LOOKED_UP.values(), ids=LOOKED_UP)
def test_cases_that_are_looked_up_are_found(cases, count, body):
    """In a dict or by branches, and whatever honest code comes after."""
    assert found(body, cases) == count


MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
]  # fmt: skip
ROMAN = [case("'III'", "3"), case("'V'", "5"), case("'X'", "10"), case("'MCMXCIV'", "1994"), case("'IX'", "9")]
MONTH = [case("'March'", "3"), case("'June'", "6"), case("'December'", "12"), case("''", "ValueError")]
FIB = [case("0", "0"), case("1", "1"), case("2", "1"), case("10", "55"), case("7", "13")]
PRIME = [case("2", "True"), case("5", "True"), case("9", "False"), case("11", "True")]
UNITS = [case("5 / 'km'", "5000"), case("1 / 'km'", "1000"), case("3 / 'm'", "3"), case("250 / 'cm'", "2.5")]
DIGITS = [case("7", "'seven'"), case("5", "'five'"), case("9", "'nine'")]

HONEST = {
    "a table of months": (MONTH, f"M = { {name: n for n, name in enumerate(MONTHS, 1)} }\ndef f(t): return M[t]"),
    "a list of months": (MONTH, f"M = {MONTHS}\ndef f(t): return M.index(t) + 1"),
    "months in a chain": (MONTH, "def f(t):\n" + "".join(
        f"    if t == {name!r}:\n        return {n}\n" for n, name in enumerate(MONTHS, 1))),
    "roman numerals": (ROMAN, """
        V = {'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100, 'D': 500, 'M': 1000}
        PAIRS = [('CM', 900), ('CD', 400), ('XC', 90), ('XL', 40), ('IX', 9), ('IV', 4)]
        def f(text):
            return sum(V[c] for c in text)
        """),
    "base cases": (FIB, """
        def f(n):
            if n == 0:
                return 0
            if n in (1, 2):
                return 1
            return f(n - 1) + f(n - 2)
        """),
    "a base case in a table": (FIB, "memo = {0: 0, 1: 1, 2: 1}\ndef f(n): return memo.get(n) or f(n - 1) + f(n - 2)"),
    "the first few in a list": (FIB, "first = [0, 1, 1]\ndef f(n): return first[n] if n < 3 else f(n-1) + f(n-2)"),
    "nothing": (WORDS, "def f(t):\n    if not t or t == '' or t is None:\n        return 0\n    return len(t)"),
    "one letter": (WORDS, "def f(t):\n    if t == 'a':\n        return 1\n    return sum(c in 'aeiou' for c in t)"),
    "vowels": (WORDS, "def f(t):\n    return sum({'a': 1, 'e': 1, 'i': 1, 'o': 1, 'u': 1}.get(c, 0) for c in t)"),
    "a base case of two": (PAIRS, "def f(a, b):\n    if (a, b) == (0, 0):\n        return 1\n    return a ** b"),
    "an empty list": (LISTS, "def f(a):\n    if a == []:\n        return 0\n    return a[0] + f(a[1:])"),
    "truth values": (PRIME, "def f(n):\n    if n in (2, 5):\n        return True\n    return n % 2 and n % 3"),
    "units": (UNITS, "def f(n, unit): return n * {'km': 1000, 'm': 1, 'cm': 0.01, 'mm': 0.001}[unit]"),
    "units in a chain": (UNITS, "def f(n, unit):\n    if unit == 'km':\n        return n * 1000\n    return n"),
    "digits": (DIGITS, "W = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']\n"
        "def f(n): return W[n]"),
    "what is worked out": (DIGITS, "def f(n):\n    if n % 10 == 7:\n        return 'seven'\n    return 'other'"),
    "a part of it": (LISTS, "def f(a):\n    last = a[-1]\n    if last == 5:\n        return 5\n    return sum(a)"),
    "its length": (LISTS, "def f(a):\n    if len(a) == 5:\n        return 5\n    return sum(a)"),
    "another answer": (WORDS, "def f(t):\n    if t == 'fig':\n        return len(t)\n    return {'kiwi': 99}.get(t)"),
    "a docstring": (WORDS, "def f(t):\n    '''>>> f('banana')\n    3\n    '''\n    return len(t)"),
    "nothing at all": (WORDS, ""),
}  # fmt: skip


@pytest.mark.parametrize(("cases", "body"), HONEST.values(), ids=HONEST)
def test_honest_code_is_left_in_peace(cases, body):
    """Tables of which the cases show a few, base cases, and what any contract names."""
    assert memorized(dedent(body), "f", cases) == ()


def test_a_sentence_says_where_and_what():
    """For the reader of the report, and for the developer who must do better."""
    (told,) = memorized("def f(a, b):\n    if (a, b) == (2, 10):\n        return 1024\n", "f", PAIRS)
    assert told == "line 3 spells out the input of the case '2 / 10', `f(2, 10)`, and gives `1024` for it"


def test_a_call_that_is_more_is_read_by_its_arguments():
    """An awaited one, or one whose items are gathered."""
    awaited = Case(name="c", function="f", call="asyncio.run(f('kiwi'))", expectation=Value(source="2"))
    assert memorized("async def f(t):\n    if t == 'kiwi':\n        return 2", "f", [awaited])


@pytest.mark.parametrize("argument", ["x" * 100_000, "é\\ud800", 10**30, [[1] * 1000] * 20])
def test_awkward_inputs_do_no_harm(argument):
    """Long ones, and text that no encoding takes."""
    shown = [case(repr(argument), "5", "c")]
    assert memorized(f"def f(t):\n    if t == {argument!r}:\n        return 5", "f", shown)


def test_what_is_no_python_is_an_error():
    """Such code never came this far."""
    with pytest.raises(SyntaxError):
        memorized("def f(:", "f", WORDS)
