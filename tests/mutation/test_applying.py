"""Edits applied to the text: what changes is written anew, all around it stays as it is."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdgen.mutation import mutants, repairs


def _function(body):
    return "def f(xs, n, k):\n" + "".join(f"    {line}\n" for line in body.split("\n"))


def test_all_lines_but_those_of_the_statement_keep_their_text(busy):
    """A statement over several lines (from 27 on) may become one; from 36 on two share a line."""
    for mutant in mutants(busy, "f"):
        first = 27 if mutant.line in range(27, 33) else min(mutant.line, 36)
        old, new = busy.splitlines(), mutant.source.splitlines()
        assert new[: first - 1] == old[: first - 1], mutant
        assert len(new) == len(old) or first in {27, 36}, mutant


@pytest.mark.parametrize(
    ("source", "there"),
    [
        ("return(x)or y", "return x and y"),
        ("return [a for a in xs if a]or x", "return [a for a in xs] or x"),
        ("return x.strip()if y else xs", "return x if y else xs"),
        ("return sum(a for a in xs if a)", "return sum((a for a in xs))"),
        ("return (x or y) * 2", "return (x and y) * 2"),
        ("return abs(x + y) * 2", "return (x + y) * 2"),
        ("return 'ä' + xs[1]", "return 'ä' + xs[2]"),
        ("return f'{x!r:>{y}}' + 'é' * (x - 1)", "return f'{x!r:>{y}}' + 'é' * (x + 1)"),
        ("return not (x and y)", "return x and y"),
        ("return lambda: x + 1", "return lambda: x + 2"),
        ("return xs[x:y, 1]", "return xs[x:y, 2]"),
        ("x = 1; y = 2", "x = 1; y = 3"),
        ("if x: return 1", "if x: return 2"),
        ("return -x ** 2", "return x ** 2"),
    ],
)
def test_the_text_is_edited_in_place(source, there):
    """Precedence, words that touch, and bytes that are no characters are minded."""
    assert there in {m.source.splitlines()[-1].strip() for m in mutants(f"def f(x, y, xs):\n    {source}\n", "f")}


def test_what_is_added_below_a_last_line_that_nothing_ends_has_a_line_of_its_own():
    """Answers come without a line end at their end."""
    added = [
        m.source
        for m in repairs("def f(n):\n    n = 3\n    n += 1", "f", suspicion={})
        if m.operator == "statement added"
    ]
    assert added
    for source in added:
        ast.parse(source)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_and_form_feeds_do_not_shift_the_edit(newline):
    """Python's lines are not those of `str.splitlines`."""
    source = newline.join(["def f(x):", "    '''a\x0cb\u2028c'''", "    return x + 1", ""])
    assert source.replace("1", "2") in {mutant.source for mutant in mutants(source, "f")}


def test_comments_around_an_edit_stay(busy):
    """The repaired code is shown to people: only the comments inside of the changed statement may go."""
    comments = [line.partition("#")[2] for line in busy.splitlines() if "#" in line]
    alone = [m for m in repairs(busy, "f", suspicion={}, most=600) if "; n -= 1" not in busy.splitlines()[m.line - 1]]
    whole = [mutant for mutant in alone if all(comment in mutant.source for comment in comments)]
    assert len(whole) > 0.9 * len(alone)


@pytest.mark.parametrize(
    ("faulty", "right"),
    [
        ("if n: return k\nreturn xs", "if n: return xs\nreturn xs"),
        ("n = 1; k = 2", "n = 1"),
        ("if n:\n    pass\nelif k:\n    n = 1", "if n:\n    pass\nelif not k:\n    n = 1"),
    ],
)
def test_statements_may_share_a_line(faulty, right):
    """Whole lines go and come; where statements share a line, the statement around them is written anew."""
    texts = {mutant.source for mutant in repairs(_function(faulty), "f", suspicion={})}
    assert _function(right) in texts


_ATOMS = st.sampled_from(["x", "y", "0", "1", "'é'", "xs[0]", "f(x)", "[x, y]", "True", "f'{x}{y + 1}'", "x.y"])


def _larger(inner):
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(" + ".join), pair.map(" < ".join), pair.map("({0[0]} and {0[1]})".format),
        pair.map("({0[0]}) * ({0[1]})".format),
        pair.map("({0[0]} if ({0[1]}) else x)".format), inner.map("(not {})".format), inner.map("sorted({})".format),
        inner.map("xs[{}:]".format), inner.map("[a for a in xs if {}]".format), inner.map("(  # why\n {}\n)".format),
        inner.map("(lambda: {})".format), inner.map("sum(a for a in ({}))".format),
    )  # fmt: skip


@given(st.recursive(_ATOMS, _larger, max_leaves=8), st.sampled_from(["return {}", "x = {}; y = 1", "if {}: pass"]))
@settings(deadline=None, max_examples=80)
def test_whatever_the_expression_mutants_are_other_trees_and_leave_the_lines_around_alone(expression, statement):
    """They parse, differ from the source and each other, and the comments around the statement stay."""
    source = (
        f"def f(x, y, xs):\n    # before é\n    {statement.format(expression)}  # behind\n    # after\n    return x\n"
    )
    made = mutants(source, "f")
    dumps = {ast.dump(ast.parse(mutant.source)) for mutant in made} | {ast.dump(ast.parse(source))}
    assert len(dumps) == len(made) + 1
    for mutant in made:
        assert mutant.source.startswith("def f(x, y, xs):\n    # before é\n    ")
        assert "    # after\n    return " in mutant.source
