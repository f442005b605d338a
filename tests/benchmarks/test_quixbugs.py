"""How the benchmark of faulty programs reads their tests and deals them out."""

import json

from repair.healing import heal
from repair.quixbugs import cases_of, load

TESTS = """class Node:
    def __init__(self, value):
        self.value = value

def test1():
    '''A test that is a function'''
    node = Node(3)
    result = twice(node.value)
    assert result == 6
    assert not twice(0)
"""
FAULTY = "def twice(n):\n    return n + n + 1\n"
RIGHT = "def twice(n):\n    return n + n\n"


def test_an_assert_on_a_spread_list_is_a_plain_call():
    """`f(*[1, 2])` is `f(1, 2)`."""
    case = cases_of("assert twice(*[[1, 2]]) == [1, 2, 1, 2]", "twice")[0]
    assert case.arguments == ("[1, 2]",)
    assert case.expectation.source == "[1, 2, 1, 2]"


def test_any_other_assert_is_a_truth():
    """Of the whole expression."""
    case = cases_of("assert abs(twice(*[2]) - 4) <= 0.1", "twice")[0]
    assert (case.call, case.expectation.source) == ("bool(abs(twice(2) - 4) <= 0.1)", "True")


def test_a_test_that_is_a_function_gives_back_what_it_looks_at():
    """Every assert's value, in order, with what the file has before it."""
    case = cases_of(TESTS, "twice")[0]
    assert case.call == "test1()"
    assert case.expectation.source == "[6, True]"
    assert case.setup.startswith("class Node")


def test_failing_tests_are_dealt_first(bench, tmp_path):
    """So that the fault shows in what is visible, and in what is hidden where two tests show it."""
    tests = "\n".join(f"assert twice({n}) == {2 * n}" for n in range(4)) + "\nassert twice('a') == 'aa'"
    row = {"name": "twice", "buggy_program": FAULTY, "solution": RIGHT, "docstring": '"""Twice."""', "tests": tests}
    path = tmp_path / "quixbugs_python.jsonl"
    path.write_text(json.dumps(row))
    program = load(path, bench)[0]
    assert [case.name for case in program.visible] == ["test_1", "test_4"]
    assert [case.name for case in program.hidden] == ["test_2", "test_5"]
    assert [case.name for case in program.held_out] == ["test_3"]
    assert program.shows_in_hidden
    assert program.taken == "return n + n + 1 → return n + n"


def test_the_patch_of_a_fault_in_one_line_is_found_without_a_second_call(bench, tmp_path):
    """The whole way, on a program made up here."""
    tests = "\n".join(f"assert twice({n}) == {2 * n}" for n in range(9))
    row = {"name": "twice", "buggy_program": FAULTY, "solution": RIGHT, "docstring": "Twice.", "tests": tests}
    path = tmp_path / "quixbugs_python.jsonl"
    path.write_text(json.dumps(row))
    healing = heal(load(path, bench)[0], bench)
    assert healing.patched
    assert not healing.green
    assert healing.right
