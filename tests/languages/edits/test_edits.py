"""Single edits of code in languages that tree-sitter reads."""

from __future__ import annotations

import pytest

from tdgen.languages.edits import mutants


def edited(source: str, grammar: str = "javascript", most: int = 200) -> set[tuple[str, str]]:
    """What stood there, and what stands there now, of each mutant."""
    return {(one.before, one.after) for one in mutants(source, grammar, most=most)}


@pytest.mark.parametrize(
    ("source", "made"),
    [
        ("function f(a) { return a < 3; }", {("<", "<="), ("<", ">="), ("3", "4"), ("3", "2")}),
        ("function f(a) { return a + 1; }", {("+", "-"), ("1", "2"), ("1", "0")}),
        ("function f(a) { return !a; }", {("!a", " a")}),
        ("function f(a, b) { return a && b; }", {("&&", "||"), ("a && b", "a"), ("a && b", "b")}),
        (
            "function f(a) { if (a) return g(a); return true; }",
            {("a", "false"), ("a", "true"), ("a", "!(a)"), ("true", "false")},
        ),
        ("function f(a) { return Math.max(a, b); }", {("max", "min")}),
        ("function f(a) { return a.trim(); }", {("a.trim()", "(a)")}),
        ("function f(a) { a.push(b); }", {("a.push(b);", ";"), ("push", "unshift")}),
    ],
)
def test_each_is_a_fault_that_people_make(source, made):
    """Bounds, operators, constants, halves of conditions, guards, steps, and functions that are named alike."""
    assert edited(source) == made


@pytest.mark.parametrize(
    ("grammar", "source"),
    [
        ("javascript", 'function f(a) { throw new ValueError("of " + 3); }'),
        ("typescript", "function f(a: Array<1 | 2>): 3 { return a; }"),
        ("c", 'int64_t f(failure *error) { return fail(error, ValueError, "%d", 3); }'),
        ("c", "#include <math.h>\nstruct f_pair { int items[3]; };\n"),
        ("cpp", "std::array<int, 3> f() { throw ValueError(3 + 4); }"),
        ("javascript", "while (a) { a = b; }"),
        ("c", "int64_t f("),
    ],
)
def test_what_no_case_sees_is_left_as_it_is(grammar, source):
    """So are types, a failure's words, what a loop goes by, and code that can't be read."""
    assert edited(source, grammar) == set()


def test_few_are_taken_from_all_over():
    """Of the first lines not more than of the last."""
    source = "function f(a) {\n" + "  a += 1;\n" * 40 + "}\n"
    lines = [one.line for one in mutants(source, "javascript", most=10)]
    assert len(lines) == 10
    assert min(lines) < 10
    assert max(lines) > 30
