"""A package's README: what was asked, what is there, and how sure one may be of it."""

from __future__ import annotations

from tdgen.solution.package import readme_text


def test_of_a_green_solution(solver, double):
    """The instruction in the user's words, and each function with what it took."""
    text = "Double a number.\n\nWith care."
    solution = solver.solve(double(), text=text, summary="Numbers made larger.").solution
    assert readme_text(solution) == (
        "# kit\n\nNumbers made larger.\n\n"
        "## What was asked\n\n> Double a number.\n>\n> With care.\n\n"
        "## What is here\n\n`kit.py` holds what was asked for; run their tests with `pytest`.\n\n"
        "- `def double(number: int) -> int`: Twice the number (green, 4 cases, 1 attempt)\n\n"
        "Made by tdgen at trust level quick; `tdgen verify` runs the tests again in the sandbox.\n"
    )


def test_what_is_not_right_is_said_first(solver, double):
    """With the cases that fail."""
    wrong = double("def double(number: int) -> int:\n    return 2 * number if number < 7 else 0")
    lines = readme_text(solver.solve(wrong, settings={"budget": "iterations=1"}).solution).splitlines()
    assert "**Not all of this is right: see the outcomes below.**" in lines[:6]
    assert "  - **red**: not right after 1 attempt" in lines
    assert "  - failing: `double_7`" in lines


def test_assumptions_are_told(solver, double):
    """The user reads them here first."""
    question = {"question": "Of floats too?", "assumption": "No."}
    assert "## What was assumed\n\n- Of floats too? No.\n" in readme_text(
        solver.solve(double(), questions=[question]).solution
    )


def test_tests_that_were_set_aside_are_told(solver, double, write):
    """Nothing disappears in silence."""
    cases = [write.returns("double(1)", "2"), write.returns("double(2)", "1 / 0", name="broken")]
    said = readme_text(solver.solve(double(cases=cases, mended_cases=cases)).solution)
    assert (
        "## What became of some tests\n\n- `double` / `broken`: quarantined: `double(2)` returns `1 / 0`: what it exp"
        in said
    )
