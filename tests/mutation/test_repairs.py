"""Repairs to try, the likeliest first."""

import ast
from itertools import islice

import pytest

from tdgen.mutation import repairs


def _rank(faulty, right, **options):
    """The place of the first candidate that is the right source as a tree, from 1."""
    wanted = ast.dump(ast.parse(right))
    options.setdefault("suspicion", {})
    for rank, mutant in enumerate(repairs(faulty, "f", **options), 1):
        if ast.dump(ast.parse(mutant.source)) == wanted:
            return rank
    return None


def _function(body):
    return "def f(xs, n, k):\n" + "".join(f"    {line}\n" for line in body.split("\n"))


@pytest.mark.parametrize(
    ("faulty", "right"),
    [
        ("return n < k", "return n <= k"),
        ("return n < k", "return n > k"),
        ("return n + k", "return n - k"),
        ("return n - k", "return k - n"),
        ("return n / k", "return n // k"),
        ("return n + 1", "return n + 2"),
        ("return n and k", "return n or k"),
        ("return n", "return k"),
        ("return f(xs, k, n)", "return f(xs, n, k)"),
        ("return f(xs, n, k)", "return f(xs[1:], n, k)"),
        ("return f(xs, n, k)", "return f(xs, n - 1, k)"),
        ("return f(xs, n, k)", "return 1 + f(xs, n, k)"),
        ("return f(xs, n, k)", "return [n] + f(xs, n, k)"),
        ("return f(xs, n)", "return f(xs, n, k)"),
        ("return xs[n]", "return xs[n - 1]"),
        ("return xs", "return xs[n:]"),
        ("return max(xs)", "return min(xs)"),
        ("return all(xs)", "return any(xs)"),
        ("return n", "return max(n, k)"),
        ("return sum(xs)", "return sum(xs) + k"),
        ("return xs.left.left", "return xs.left"),
        ("return xs.left or k.right", "return xs.left or xs.right"),
        ("return xs", "return xs[n]"),
        ("n += k", "n -= k"),
        ("n = k", "n += k"),
        ("n = k", "n = max(n, k)"),
        ("n, k = k, n % k", "n, k = n % k, k"),
        ("found = []", "found = [[]]"),
        ("found = []", "found = set()"),
        ("for i in range(n):\n    k += i", "for i in range(n + 1):\n    k += i"),
        ("for i in xs:\n    if i:\n        break", "for i in xs:\n    if i:\n        continue"),
        ("while True:\n    n = xs.pop()", "while xs:\n    n = xs.pop()"),
        ("while n:\n    n = n.next", "while n and n.next:\n    n = n.next"),
        ("if n:\n    return k", "if not n:\n    return k"),
        ("if n:\n    return k", "if n and xs:\n    return k"),
        ("n = k\nk = 1\nreturn n", "n = k\nreturn n"),
        ("if n:\n    k = 1", "if n:\n    k = 1\nreturn k"),
        ("n = []\nfor x in xs:\n    k(x)", "n = []\nfor x in xs:\n    k(x)\n    n.append(x)"),
    ],
)
def test_one_edit_repairs(faulty, right):
    """Each operator finds its way back from the fault it is made for."""
    rank = _rank(_function(faulty), _function(right))
    assert rank is not None
    assert rank <= 500


def test_off_by_one_comes_before_what_is_rare():
    """The prior of an operator orders what lines don't."""
    source = _function("for i in range(n):\n    if xs[i] < k:\n        return i\nreturn -1")
    likely = _rank(source, source.replace("<", "<="))
    rare = _rank(source, source.replace("    return -1", "    if n < k:\n        return -1"), most=10**6)
    assert likely <= 10
    assert rare is None or rare > 100


def test_suspicious_lines_come_first():
    """The same edit on the line that failing cases run comes before that on another."""
    source = _function("a = n + 1\nb = k + 1\nreturn a, b")
    first = [_rank(source, source.replace(f"{name} + 1", f"{name} + 2"), suspicion={2: 0.1, 3: 0.9}) for name in "nk"]
    assert first[1] < first[0]


def test_lines_that_no_failing_case_ran_are_not_edited():
    """An edit there can't repair, unless it adds something next to what ran."""
    source = _function("if n:\n    return k + 1\nreturn k + 2")
    made = list(repairs(source, "f", suspicion={2: 1.0, 4: 1.0}))
    assert {mutant.operator for mutant in made if mutant.line == 3} == {"statement added"}
    assert {mutant.line for mutant in made} == {2, 3, 4}


def test_what_stands_outside_of_functions_can_be_at_fault():
    """No run tells of it: lines are watched inside functions."""
    source = "LIMIT = 9\n\ndef f(n):\n    return n < LIMIT\n"
    assert _rank(source, source.replace("9", "10"), suspicion={4: 1.0}) is not None


def test_functions_at_hand_may_be_what_was_meant():
    """Those of the source."""
    source = "def helper(x):\n    return x\n\ndef f(x):\n    return wrong(x)\n"
    assert _rank(source, source.replace("wrong", "helper")) is not None


def test_all_candidates_are_other_trees_that_parse(busy):
    """None twice, none like the source, and no more than asked for."""
    made = [mutant.source for mutant in repairs(busy, "f", suspicion={}, most=600)]
    dumps = {ast.dump(ast.parse(source)) for source in [busy, *made]}
    assert 500 < len(made) <= 600
    assert len(dumps) == len(made) + 1


def test_candidates_come_lazily_and_always_in_the_same_order(busy):
    """A search takes as many as it has time for."""
    one, other = (list(islice(repairs(busy, "f", suspicion={9: 0.5, 27: 1.0}), 50)) for _ in range(2))
    assert one == other


@pytest.mark.usefixtures("usual_depth")
@pytest.mark.parametrize("source", ["def f(:", "x = '\x00'", "x = " + "+".join(["x"] * 9000)])
def test_what_does_not_parse_is_a_syntax_error(source):
    """Search is for sources that run."""
    with pytest.raises(SyntaxError):
        next(repairs(source, "f", suspicion={}))


@pytest.mark.parametrize("source", ["", "# nothing\n", "def f(): ...", "class f: pass", "def f():\n\treturn"])
def test_sources_with_little_in_them(source):
    """Little to edit is no fault."""
    assert all(ast.parse(mutant.source) for mutant in repairs(source, "f", suspicion={}))


def test_of_many_variables_those_used_near_are_tried():
    """A long function would else have more candidates than can be tried."""
    lines = [f"a{n} = {n}" for n in range(40)]
    source = _function("\n".join([*lines, "return a38"]))
    found = {m.after for m in repairs(source, "f", suspicion={42: 1.0}) if m.operator == "variable"}
    assert "a39" in found
    assert len(found) <= 12
