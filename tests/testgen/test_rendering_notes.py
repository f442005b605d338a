"""What a test file says of cases that were revised, promoted or set aside."""

from __future__ import annotations

import ast

import pytest

from tdgen.testgen.rendering import render_suite
from tdgen.testgen.rendering.notes import notes_on, set_aside
from tdgen.types import Case, Revision, Value


@pytest.fixture
def made(scenario):
    """`rounded(x)` with three cases."""
    cases = [
        {"name": "half", "arguments": ("0.5",), "expectation": Value(source="0"), "why": "Halves go to even."},
        {"name": "more", "arguments": ("1.5",), "expectation": Value(source="2")},
        {"name": "in_a_list", "call": "[rounded(2.5)]", "expectation": Value(source="[2]")},
    ]
    return scenario("rounded", {"x": "float"}, "int", cases, source="def rounded(x):\n    return round(x)\n")


REVISIONS = (
    Revision(
        function="rounded",
        case="half",
        action="revised",
        reason="the contract names the rule",
        quote="Halves go to even.",
        before="rounded(0.5) gives 1",
        after="rounded(0.5) gives 0",
    ),
    Revision(function="rounded", case="more", action="promoted", reason="attempt 1 failed this held-out case"),
    Revision(
        function="rounded",
        case="in_a_list",
        action="revised",
        reason="it was worked out wrongly",
        quote="to the nearest even",
        before="[rounded(2.5)] gives [3]",
        after="[rounded(2.5)] gives [2]",
    ),
    Revision(
        function="rounded",
        case="of_nothing",
        action="quarantined",
        reason="the contract does not settle it",
        quote="of a number",
        before="rounded(None) raises TypeError",
    ),
    Revision(function="rounded", case="a\nb", action="quarantined", reason='"""\nimport os\n' + "too long " * 50),
)


def render(made, revisions):
    notes, end = notes_on(made.suite, revisions), set_aside(made.suite, revisions)
    return render_suite(made.suite, made.spec, made.plan, notes, end)


def test_a_file_tells_what_became_of_its_cases(made, golden):
    """Beside a case what it was before and on whose word, and at the end those that are gone."""
    golden("revised", render(made, REVISIONS))


def test_whatever_is_said_stays_a_comment(made):
    """Words of a model's change nothing but comments."""
    assert ast.dump(ast.parse(render(made, REVISIONS))) == ast.dump(ast.parse(render(made, ())))


def test_a_quote_that_is_the_cases_reason_is_said_once(made):
    """A revised case takes the deciding words for its own."""
    assert render(made, REVISIONS).count("Halves go to even.") == 1


def test_a_case_that_is_there_again_is_not_called_gone(made):
    """One that was set aside and written anew under its name is tested."""
    again = Case(name="of_nothing", function="rounded", arguments=("None",), expectation=Value(source="0"))
    suite = made.suite.model_copy(update={"cases": (*made.suite.cases, again)})
    assert not any("of_nothing" in line for line in set_aside(suite, REVISIONS))


def test_where_nothing_was_changed_nothing_is_said(made):
    """No heading stands over nothing."""
    assert render(made, ()) == made.rendered
