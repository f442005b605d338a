"""What is told to the one who mends: the smallest failing cases first, never what is held out, never too much."""

from typing import Any

from tdgen.impl.feedback import MOST_CHARACTERS, feedback
from tdgen.types import Attempt, Case, Difference, Frame, Raised, Suite, Value, Verdict


def case(name: str, argument: str) -> Case:
    return Case(name=name, function="f", arguments=(argument,), expectation=Value(source="1"))


def verdict(name: str, **changes: Any) -> Verdict:
    return Verdict(function="f", case=name, passed=changes.pop("passed", False), status="returned", **changes)


def test_the_smallest_failing_case_comes_first_with_expected_and_actual():
    """A small example says most."""
    suite = Suite(function="f", cases=(case("long", "'a' * 1000"), case("short", "''")))
    difference = Difference(where="[0]", expected="1", actual="2")
    attempt = Attempt(
        function="f",
        number=1,
        source="def f(x): ...",
        verdicts=(verdict("long"), verdict("short", differences=(difference,))),
    )
    told = feedback(attempt, suite)
    assert told.index("short") < told.index("long")
    assert "at [0]: 2, expected 1" in told
    assert "0 of the 2 shown cases pass." in told


def test_a_held_out_case_is_never_told():
    """Neither its name nor its values."""
    suite = Suite(function="f", cases=(case("open", "1"), case("secret", "4242")), held_out=frozenset({"secret"}))
    attempt = Attempt(function="f", number=1, source="x", verdicts=(verdict("open", passed=True), verdict("secret")))
    told = feedback(attempt, suite)
    assert "secret" not in told
    assert "4242" not in told


def test_an_exception_is_told_with_its_lines_and_their_values():
    """The frame's locals say what the input turned into."""
    raised = Raised(
        types=("builtins.KeyError",),
        message="'x'",
        frames=(Frame(function="f", line=3, text="return d[k]", locals={"k": "'x'"}),),
    )
    suite = Suite(function="f", cases=(case("one", "1"),))
    told = feedback(Attempt(function="f", number=1, source="x", verdicts=(verdict("one", raised=raised),)), suite)
    assert "builtins.KeyError: 'x'" in told
    assert "in f, `return d[k]` with k='x'" in told


def test_it_is_bounded_whatever_the_values_are():
    """A hundred megabytes of output don't reach a prompt."""
    huge = "x" * 1_000_000
    cases = tuple(case(f"c{i}", f"'{huge}'") for i in range(8))
    verdicts = tuple(
        verdict(c.name, detail=huge, differences=(Difference(where=huge, expected=huge, actual=huge),)) for c in cases
    )
    attempt = Attempt(function="f", number=1, source="x", verdicts=verdicts, findings=(huge,), vetoes=(huge,))
    assert len(feedback(attempt, Suite(function="f", cases=cases))) <= MOST_CHARACTERS + 10


def test_advice_is_told_where_the_attempt_fails():
    """What a linter says of failing code may be the cause."""
    attempt = Attempt(function="f", number=1, source="x", advice=("line 1: a mutable default",))
    assert "Perhaps: line 1: a mutable default" in feedback(attempt, Suite(function="f", cases=()))


def test_repeating_oneself_is_told():
    """The same code again can't do better."""
    attempt = Attempt(function="f", number=2, source="same", findings=("no",))
    earlier = Attempt(function="f", number=1, source="same")
    assert "the same as an earlier attempt's" in feedback(attempt, Suite(function="f", cases=()), [earlier])
