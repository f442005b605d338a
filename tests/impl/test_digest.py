"""Earlier attempts in a line each, without their code and without what is held out."""

from __future__ import annotations

import pytest

from tdgen.impl.digest import MOST_ATTEMPTS, approach, digest, failed_approaches
from tdgen.types import Attempt


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def f(x):\n    return x\n", "straight-line code"),
        ("def f(x):\n    return f(x - 1) if x else 0\n", "recursion"),
        ("def f(xs):\n    for x in xs:\n        while x:\n            x -= 1\n", "2 nested loops"),
        (
            "import re\n\n\ndef f(x):\n    return sorted({y for y in re.findall('a', x)})\n",
            "comprehensions, with re, calling sorted",
        ),
        ("", "no code"),
        ("def f(:", "code that does not parse"),
    ],
)
def test_an_approach_is_told_by_its_means(source, told):
    """Loops, recursion, imports, calls: nothing that could be copied."""
    assert approach(source) == told


def test_an_attempt_is_told_by_its_rung_and_its_smallest_failure(tell):
    """And by how far it came."""
    suite = tell.suite(tell.case("long", "10000"), tell.case("short", "0"), tell.case("right", "5"))
    verdicts = (tell.verdict("long", "7"), tell.verdict("short", "2"), tell.verdict("right"))
    attempt = Attempt(function="f", number=2, source="x", rung="trace", verdicts=verdicts)
    assert digest(attempt, suite) == (
        "attempt 2 (repair from a trace): passes 1 of the 3 shown cases; `f(0)` gave 2, expected 1"
    )


def test_what_is_held_out_is_not_in_it(tell):
    """Neither counted nor named."""
    suite = tell.suite(tell.case("open", "0"), tell.case("secret", "4242"), held_out=("secret",))
    attempt = Attempt(function="f", number=1, source="x", verdicts=(tell.verdict("open"), tell.verdict("secret", "77")))
    for told in (digest(attempt, suite), failed_approaches([attempt], suite)):
        assert "passes 1 of the 1 shown cases" in told
        assert "4242" not in told
        assert "77" not in told


def test_an_attempt_that_was_never_run_is_told_by_what_was_found(tell):
    """Its first finding."""
    attempt = Attempt(function="f", number=1, source="", findings=("the answer is empty", "and more"))
    assert digest(attempt, tell.suite()) == "attempt 1 (first attempt): could not be used: the answer is empty"


def test_failed_approaches_are_told_once_each_and_only_the_last(tell):
    """The same code again is the same approach; what is green did not fail."""
    suite = tell.suite(tell.case("a", "0"))
    wrong = tuple(
        Attempt(function="f", number=n, source=f"def f(x): return {n}", verdicts=(tell.verdict("a", str(n)),))
        for n in range(2, 12)
    )
    again = wrong[-1].model_copy(update={"number": 12})
    green = Attempt(function="f", number=13, source="def f(x): return 1", verdicts=(tell.verdict("a"),))
    told = failed_approaches([*wrong, again, green], suite).splitlines()
    assert len(told) == MOST_ATTEMPTS
    assert told[-1] == "- straight-line code: passes 0 of the 1 shown cases; `f(0)` gave 11, expected 1"
    assert failed_approaches([green], suite) == "(none that could be read)"


def test_it_is_short_whatever_the_values_are(tell):
    """A line is a line."""
    huge = "x\ny" * 500_000
    suite = tell.suite(*(tell.case(f"c{n}", f"'{huge}'") for n in range(5)))
    verdicts = tuple(tell.verdict(f"c{n}", huge, huge) for n in range(5))
    attempts = [
        Attempt(function="f", number=1, source="pass", verdicts=verdicts, vetoes=(huge,)),
        Attempt(function="f", number=2, source="", findings=(huge,)),
    ]
    assert len(failed_approaches(attempts, suite)) < 2_500
