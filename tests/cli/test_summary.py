"""What a solution came to, in few lines, and what stands behind it, in more."""

from __future__ import annotations

import pytest

from tdgen.cli.summary import detail_lines, summary
from tdgen.solution import Solution
from tdgen.solution.package import readme_text
from tdgen.types import (
    Attempt,
    Case,
    FunctionResult,
    FunctionSpec,
    Plan,
    Question,
    Returns,
    Revision,
    Strength,
    Suite,
    Survivor,
    Value,
    Verdict,
)

pytestmark = pytest.mark.usefixtures("warm")

CASES = (
    Case(name="one", function="f", arguments=("1",), expectation=Value(source="2"), confirmed=("trial", "agreement")),
    Case(name="two", function="f", arguments=("2",), expectation=Value(source="3")),
)


def verdicts(*passed: bool) -> tuple[Verdict, ...]:
    told = zip(("one", "two"), passed, strict=True)
    return tuple(Verdict(function="f", case=name, passed=right, status="returned") for name, right in told)


@pytest.fixture
def solution() -> Solution:
    """One function, green at its second attempt, with all that can be said of it."""
    history = (
        Attempt(function="f", number=1, source="-", verdicts=verdicts(True, False), mended=("a fence was taken away",)),
        Attempt(function="f", number=2, source="-", rung="trace", verdicts=verdicts(True, True)),
    )
    strength = Strength(
        mutants=31,
        killed=26,
        equivalent=2,
        open=1,
        survivors=(Survivor(line=3, operator="compare", before="x < 1", after="x <= 1"),),
        lines=1.0,
        branches=0.875,
    )
    result = FunctionResult(
        function="f",
        outcome="green",
        suite=Suite(function="f", cases=CASES),
        best=history[-1],
        history=history,
        strength=strength,
    )
    spec = FunctionSpec(name="f", purpose="Counts on.", returns=Returns(type="int"))
    return Solution(
        key="sha256:" + "0" * 64,
        instruction="Count on.",
        plan=Plan(module="m", functions=(spec,)),
        results=(result,),
        module_source="",
        test_files={},
        revisions=(
            Revision(
                function="f",
                case="one",
                action="revised",
                reason="it was miscounted",
                quote="the next number",
                before="f(1) gives 3",
                after="f(1) gives 2",
            ),
        ),
        questions=(
            Question(question="Of floats?", assumption="No."),
            Question(question="Of None?", assumption="TypeError", answered=True),
        ),
        notes=("a body that returns its argument passes some cases",),
    )


def texts(lines) -> list[str]:
    return [line.text for line in lines]


def test_the_summary_says_how_sure_one_may_be(solution):
    """In a line a function; then what was changed, and what was open with what was taken for it."""
    told = texts(summary(solution))
    assert told[:4] == [
        "green     f  2 cases, 2 attempts, 93% of 28 mutants killed",
        'f: the case one was revised: f(1) gives 3 → f(1) gives 2: it was miscounted ("the next number")',
        "unclear: Of floats? Assumed: No.",
        "unclear: Of None? You answered: TypeError",
    ]
    assert len(told) == 6


def test_the_details_say_how_it_came_about(solution):
    """Each attempt with its rung, what survived, what the cases reach, and on whose word they stand."""
    assert texts(detail_lines(solution)) == [
        "f:",
        "    attempt 1 (first): 1 of 2 cases; put right without asking: a fence was taken away",
        "    attempt 2 (trace): 2 of 2 cases",
        "    strength: 93% of 28 mutants killed",
        "    coverage: 100% of its lines and 88% of its branches",
        "    survived: line 3: `x < 1` as `x <= 1`",
        "    confirmed: one by trial, agreement",
        "note: a body that returns its argument passes some cases",
    ]


def test_the_details_are_in_the_summary_for_who_wants_to_know_more(solution):
    """`--verbose` asks for them."""
    assert set(texts(detail_lines(solution))) <= set(texts(summary(solution, verbose=True)))


def test_what_was_not_measured_is_not_said(solution):
    """No share of nothing."""
    bare = solution.results[0].model_copy(update={"strength": Strength(mutants=2, equivalent=2), "history": ()})
    told = texts(detail_lines(solution.model_copy(update={"results": (bare,), "notes": ()})))
    assert told == ["f:", "    strength: no mutant could be told apart", "    confirmed: one by trial, agreement"]
    without = solution.model_copy(update={"results": (bare.model_copy(update={"strength": None}),)})
    assert texts(summary(without))[0] == "green     f  2 cases, 0 attempts"


def test_the_readme_says_the_same(solution):
    """For who finds the package later."""
    said = readme_text(solution)
    assert "(green, 2 cases, 2 attempts, 93% of 28 mutants killed)" in said
    assert "- Of floats? No.\n- Of None? TypeError (your answer)\n" in said
    assert '`f` / `one`: revised: f(1) gives 3 → f(1) gives 2: it was miscounted ("the next number")' in said


def test_the_contract_tells_each_attempt_whole(solution):
    """Its rung, its line of thought, and what was mended in it."""
    first, second = solution.to_dict()["attempts"]["f"]
    assert (first["rung"], first["line"], first["mended"]) == ("first", 0, ["a fence was taken away"])
    assert (second["rung"], second["advice"]) == ("trace", [])
