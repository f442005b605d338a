"""Mutants in other languages: what cases let through is asked about, and told as the suite's score."""

from __future__ import annotations

import pytest

from tdgen.languages.c import C
from tdgen.languages.cpp import Cpp
from tdgen.languages.javascript import JavaScript
from tdgen.languages.typescript import TypeScript
from tdgen.types import FunctionSpec, Parameter, Plan, Returns
from tests.build.conftest import Knowing, be_patient
from tests.languages.conftest import outcomes

SIGNATURE = "grade(points: int, most: int) -> int"
HEADS = {
    "js": "function grade(points, most)",
    "ts": "function grade(points: number, most: number): number",
    "c": "int64_t grade(int64_t points, int64_t most)",
    "cpp": "std::int64_t grade(std::int64_t points, std::int64_t most)",
}
NAMES = {"js": "javascript", "ts": "typescript", "c": "c", "cpp": "cpp"}
BODY = "{{ if (2 * points {} most) return 1; return 0; }}"


@pytest.fixture(params=["js", "c"])
def graded(request, solver, write, monkeypatch):
    """Solves `grade`, with cases that are far from the bound, and an author who knows the bound when asked."""
    be_patient(monkeypatch)
    said, solve = request.getfixturevalue(request.param), request.getfixturevalue(f"in_{NAMES[request.param]}")

    def solved(*signs):
        cases = [write.returns(f"grade({n}, 100)", str(int(n >= 50))) for n in (10, 20, 80, 90)]
        tries = [said(f"{HEADS[request.param]} {BODY.format(sign)}") for sign in signs]
        function = write.function(SIGNATURE, "1 from half of the points on, else 0.", cases=cases, tries=tries)
        model = Knowing(solver.model(function), lambda points, most: int(2 * points >= most))
        return solve(model=model, settings={"trust": "standard"})

    return solved


@pytest.mark.slow
def test_survivors_ask_for_the_cases_that_are_missing(graded):
    """Code that is off by one passes the cases, and so does a mutant: the call on which the two part is asked about."""
    solved = graded(">", ">=")
    result = solved["grade"]
    assert (result.outcome, len(result.history)) == ("green", 2)
    assert result.strength.mutants > 5
    assert result.strength.score > result.strength.score_before


PLAN = Plan(
    module="kit",
    functions=(
        FunctionSpec(
            name="grade",
            purpose="",
            parameters=(Parameter(name="points", type="int"), Parameter(name="most", type="int")),
            returns=Returns(type="int"),
        ),
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "kind", "box"),
    [(JavaScript(), "js", "node"), (TypeScript(), "ts", "typed"), (C(), "c", "gcc"), (Cpp(), "cpp", "gpp")],
    ids=list(HEADS),
)
def test_versions_are_tried_beside_each_other(request, language, kind, box):
    """Each does its own; one that can't be compiled is no obstacle to the others."""
    sources = [f"{HEADS[kind]} {BODY.format(sign)}\n" for sign in (">=", ">", "= <")]
    sandbox = request.getfixturevalue(f"{box}_sandbox")
    right, other, broken = language.modules(PLAN, {}, "grade", sources, "")
    assert outcomes(sandbox, right, ["grade(1, 2)"], wall_s=30, cpu_s=60, memory_mb=2048) == ["returned 1"]
    assert outcomes(sandbox, other, ["grade(1, 2)"], wall_s=30, cpu_s=60, memory_mb=2048) == ["returned 0"]
    assert "Error" in outcomes(sandbox, broken, ["grade(1, 2)"], wall_s=30, cpu_s=60, memory_mb=2048)[0]
