"""The patch benchmark on a problem made up here, whose shown tests a wrong patch fits."""

import json

import pytest
from bench_patches import main, report
from patches.arms import ARMS, Answering, Arm, solve
from patches.problems import Faulty, of_quixbugs, shown_of

from tdgen.protocols import Message, Request
from tdgen.types import Case, FunctionSpec, Parameter, Returns, Value

SPEC = FunctionSpec(
    name="larger",
    purpose="The larger of two numbers.",
    parameters=(Parameter(name="a", type="int"), Parameter(name="b", type="int")),
    returns=Returns(type="int"),
)
FAULTY = "def larger(a: int, b: int) -> int:\n    return a\n"
REFERENCE = FAULTY.replace("return a", "return max(a, b)")
LONG = 30.0  # seconds of a search, which ends when it has found something
TESTS = tuple(
    Case(name=f"test_{n}", function="larger", arguments=(str(a), str(b)), expectation=Value(source=str(max(a, b))))
    for n, (a, b) in enumerate(((1, 2), (3, 5), (4, 0), (2, 2), (9, 7)), 1)
)


@pytest.fixture
def larger():
    """Shown are tests that `return b` passes too."""
    return Faulty("larger", SPEC, FAULTY, REFERENCE, TESTS[:2], TESTS)


def test_few_tests_are_shown_and_the_code_fails_one_of_them(bench):
    """Two or three, the same ones each time; none where the code fails nothing."""
    shown = shown_of("larger", FAULTY, SPEC, TESTS, bench)
    assert 2 <= len(shown) <= 3
    assert shown == shown_of("larger", FAULTY, SPEC, TESTS, bench)
    assert set(map(id, TESTS[:2])) & set(map(id, shown))
    assert shown_of("larger", REFERENCE, SPEC, TESTS, bench) == ()


def test_a_patch_that_nobody_confirmed_is_not_green(larger, bench):
    """It passes all that is shown, and a hidden test fails."""
    ended = solve(larger, ARMS[0], bench, LONG)
    assert (ended.outcome, ended.right, ended.calls) == ("undecided", False, 1)
    assert "became `b`" in ended.change


def test_who_confirms_every_patch_makes_a_wrong_one_green(larger, bench):
    """So the benchmark can tell: the most that overfitting can do is measured, not assumed."""
    ended = solve(larger, ARMS[1], bench, LONG)
    assert (ended.outcome, ended.right) == ("green", False)


def test_who_knows_what_the_patch_is_worth_writes_what_is_right(larger, bench):
    """In place of the wrong edit."""
    ended = solve(larger, Arm("sure", "quick", knows=1.0, has_author=False), bench, LONG)
    assert (ended.outcome, ended.right) == ("green", True)


def test_the_shown_tests_are_upheld_and_given_again(larger, bench):
    """They are right: what speaks against them is the code's fault."""
    answering = Answering(larger, ARMS[3], bench)

    def asked(purpose, tag):
        text = f"<{tag}>\n- test_1: `larger(1, 2)`\n  A: returns `2`\n</{tag}>"
        return json.loads(answering.ask(Request(purpose=purpose, messages=(Message(role="user", content=text),))).text)

    assert [ruling["verdict"] for ruling in asked("trial", "cases_in_doubt")["rulings"]] == ["upheld"]
    returned = asked("cases", "cases_that_can_not_be_observed")["cases"]
    assert [(case["name"], case["arguments"], case["value"]) for case in returned] == [("test_1", ["1", "2"], "2")]
    assert asked("cases", "cases_that_exist") == {"cases": []}


def test_the_table_names_what_is_green_and_wrong(larger, bench, capsys):
    """With what was changed."""
    report("Patches", [(ARMS[1], [solve(larger, ARMS[1], bench, LONG)])])
    printed = capsys.readouterr().out
    assert "larger is green and wrong: line 2" in printed


def test_data_that_is_not_there_is_left_out_with_the_reason(monkeypatch, capsys):
    """No traceback, and nothing is called measured."""
    monkeypatch.delenv("BENCHMARK_DATA", raising=False)
    monkeypatch.setattr("sys.argv", ["bench_patches.py"])
    assert main() == 0
    printed = capsys.readouterr().out
    assert "QuixBugs is left out: no data set is given" in printed
    assert "Mutants of HumanEval are left out" in printed


def test_a_program_comes_with_all_its_tests_hidden(bench, tmp_path):
    """The shown ones are among them."""
    tests = "\n".join(f"assert twice({n}) == {2 * n}" for n in range(6))
    row = {"name": "twice", "buggy_program": "def twice(n):\n    return n + n + 1\n"}
    row |= {"solution": "def twice(n):\n    return n + n\n", "docstring": "Twice.", "tests": tests}
    path = tmp_path / "quixbugs_python.jsonl"
    path.write_text(json.dumps(row))
    (problem,) = of_quixbugs(path, bench)
    assert len(problem.hidden) == 6
    assert all(case in problem.hidden for case in problem.shown)
