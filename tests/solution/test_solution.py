"""The ways out of a solution: plain data, a package of files, and the files on the disk.

What `print` shows of a solution.

The result as plain data: the shape that programs rely on.
"""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from tdgen.errors import InputError
from tdgen.outputs.places import recorded_solution
from tdgen.solution import plain
from tdgen.types import FileJob


@pytest.fixture(scope="module")
def solution(one_studio, double):
    return one_studio.solve(double()).solution


def test_its_files(solution):
    """The module, its tests, and what makes a package of their folder; a README where one is wanted."""
    assert sorted(solution.files()) == ["__init__.py", "kit.py", "test_double.py"]
    assert sorted(solution.files("single", readme=True)) == ["README.md", "kit.py"]


def test_saving_writes_a_package(solution, tmp_path):
    """Each file as it is, and a record beside them from which nothing of the solution is lost."""
    folder = solution.save(tmp_path / "out")
    assert {path.name: path.read_text() for path in folder.glob("*.*") if path.is_file()} == solution.files()
    read = recorded_solution(folder)
    assert read.to_dict() == solution.to_dict()
    assert [result.suite for result in read.results] == [result.suite for result in solution.results]


def test_what_other_packages_make_of_it(solution, register):
    """By the entry point group tdgen.exports; for a name that nobody registered, the names that there are."""
    counting = SimpleNamespace(name="count", load=lambda: lambda one: f"{len(one.results)} function")
    register(tdgen_exports=[counting])
    assert solution.export("count") == "1 function"
    with pytest.raises(InputError, match=r"there is no export 'pdf': it is count"):
        solution.export("pdf")


def test_saving_does_not_overwrite_what_others_wrote(solution, tmp_path):
    """Beside it is written where that is asked for."""
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other files"):
        solution.save(tmp_path)
    assert [path.name for path in tmp_path.glob("*.*")] == ["notes.txt"]
    solution.save(tmp_path, force=True)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "kit.py").exists()


def test_a_function_by_its_name(solution):
    """Its code, its cases with what each of them found, and how it ended."""
    double = solution["double"]
    assert double.source.startswith("def double(")
    assert [case.name for case in double.cases] == [verdict.case for verdict in double.verdicts]
    assert double.outcome == "green"
    assert list(solution) == ["double"]
    assert "double" in solution
    assert "halve" not in solution


def test_a_name_that_the_solution_has_not(solution):
    """The error says which names there are."""
    with pytest.raises(KeyError, match="the solution has no 'halve': it has double"):
        _ = solution["halve"]


@pytest.mark.parametrize("layout", ["package", "flat", "src"])
def test_what_was_saved_runs_with_plain_pytest(solution, solver, layout):
    """In the sandbox, from the files alone, wherever the folder is put."""
    files = {f"put/there/kit/{name}": text for name, text in solution.files(layout).items()}
    tests = tuple(name for name in files if name.endswith("test_double.py"))
    report = solver.sandbox.run_files(FileJob(files=files, tests=tests))
    assert report.passed, report.log
    assert len(report.outcomes) == 4


def test_odd_text_can_be_saved(solver, write, tmp_path):
    """A terminal's escapes, and what is no valid Unicode, are told in a form that any file can hold."""
    function = write.function(
        "odd() -> str",
        cases=[write.returns("odd()", "chr(0xdc80)")],
        tries=["def odd() -> str:\n    print(chr(27) + '[31m')\n    return chr(0xdc80) + chr(0xdc80)"],
    )
    solution = solver.solve(function, settings={"budget": "iterations=1"}).solution
    assert not solution.all_tests_passed
    assert recorded_solution(solution.save(tmp_path / "out")).to_dict() == solution.to_dict()


def test_a_layout_that_there_is_not_is_refused(solution, tmp_path):
    """Nothing is written, and no other layout is taken in its place."""
    with pytest.raises(InputError, match="no layout sideways"):
        solution.save(tmp_path / "out", layout="sideways")
    with pytest.raises(InputError, match="no layout sideways"):
        solution.files("sideways")
    assert not (tmp_path / "out").exists()


@pytest.fixture
def solved(solver, double):
    """A solution of one function."""
    return lambda *tries, **settings: solver.solve(double(*tries), settings=settings).solution


def test_three_lines(solved):
    """How it ended, what it cost, and the key."""
    solution = solved()
    first, second, third = str(solution).splitlines()
    assert first == "kit: all green (green: double)"
    assert second.startswith("4 cases, 3 model calls, ")
    assert second.endswith(" s, quick, script")
    assert third == f"key {solution.key}"


def test_what_is_not_green(solved):
    """Says so first."""
    wrong = "def double(number: int) -> int:\n    return 1"
    assert str(solved(wrong, budget="iterations=1")).startswith("kit: not all green (red: double)\n4 cases")


def test_many_functions_are_three_lines_too(solved):
    """The first are named, the others counted."""
    solution = solved()
    (result,) = solution.results
    many = [result.model_copy(update={"function": f"f{number}"}) for number in range(9)]
    told = str(solution.model_copy(update={"results": tuple(many)}))
    assert told.splitlines()[0] == "kit: all green (green: f0, f1, f2, f3, f4, f5 and 3 more)"
    assert told.count("\n") == 2


@pytest.fixture(scope="module")
def told(one_studio, write):
    """A solution with a value, an error, a check, a printed line and a wrong attempt, as plain data."""
    function = write.function(
        "halve(number: float, digits: int = 2) -> float",
        "Half of it, rounded.",
        cases=[
            write.returns("halve(3.0)", "1.5", tolerance=0.01, why="half"),
            write.returns("halve(5.0, 0)", "2.0", observe={"stdout": ""}),
            write.raises("halve('x')", "TypeError", setup="unused = 1"),
            write.holds("halve(7.0)", "result > 3"),
        ],
        tries=[
            "def halve(number: float, digits: int = 2) -> float:\n    return 0.0",
            "def halve(number: float, digits: int = 2) -> float:\n    return round(number / 2, digits)",
        ],
        raises=["TypeError"],
        complexity="medium",
        returns_description="rounded",
    )
    question = {"question": "How is it rounded?", "assumption": "Half to even."}
    return one_studio.solve(function, text="Halve a number.", questions=[question]).solution.to_dict()


def test_it_has_at_least_these_keys(told):
    """The documentation promises them."""
    assert told.keys() >= {
        "instruction",
        "function_specs",
        "implementations",
        "tests",
        "test_results",
        "all_tests_passed",
        "questions",
        "revisions",
        "strength",
        "usage",
        "spent",
        "cached",
        "trust",
    }


def test_it_is_json(told):
    """Nothing in it is changed by the way through JSON."""
    assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_a_function_spec(told):
    """Names, types and descriptions, dependencies and complexity."""
    (spec,) = told["function_specs"]
    assert spec["name"] == "halve"
    assert spec["purpose"] == "Half of it, rounded."
    assert spec["inputs"] == [
        {"name": "number", "type": "float", "default": None},
        {"name": "digits", "type": "int", "default": "2"},
    ]
    assert spec["outputs"] == {"type": "float", "description": "rounded"}
    assert spec["dependencies"] == []
    assert spec["complexity"] == "medium"


def test_the_implementation_is_the_best_attempts(told):
    """By the function's name."""
    assert "round(number / 2, digits)" in told["implementations"]["halve"]


def test_a_test_with_a_value(told):
    """Its source, and the value itself where JSON can hold it; what is not usual stands beside."""
    first, second, *_ = told["tests"]["halve"]
    assert (first["inputs"], first["inputs_source"]) == ([3.0], ["3.0"])
    assert (first["expected_output"], first["expected_source"]) == (1.5, "1.5")
    assert first["tolerance"]["rel"] == 0.01
    assert (first["kind"], first["provenance"], first["why"]) == ("normal", "model", "half")
    assert second["stdout"] == ""
    assert "tolerance" not in second
    assert "stdout" not in first


def test_a_test_with_an_exception_and_one_with_a_check(told):
    """Each test says exactly one of the three."""
    *_, error, check = told["tests"]["halve"]
    assert (error["raises"], error["match"]) == ("TypeError", "")
    assert (error["setup"], error["call"]) == ("unused = 1", "halve('x')")
    assert check["check"] == "result > 3"
    for test in told["tests"]["halve"]:
        assert len(test.keys() & {"expected_output", "raises", "check"}) == 1


def test_which_cases_were_held_out_is_told(told):
    """One of the four."""
    assert [test["held_out"] for test in told["tests"]["halve"]].count(True) == 1


def test_the_results_are_those_of_the_best_attempt(told):
    """One for each test, with what came out."""
    assert [result["test"] for result in told["test_results"]] == [test["name"] for test in told["tests"]["halve"]]
    assert told["test_results"][0]["actual_output"] == 1.5
    assert told["test_results"][0]["actual"] == "returned 1.5"
    assert all(result["passed"] and result["function"] == "halve" for result in told["test_results"])


def test_a_long_value_is_told_whole(solver, write):
    """Neither cut in the middle, as the line for people is, nor null; that one is too large is said."""
    counts = (0, 9, 100)
    function = write.function(
        "letters(count: int) -> list[str]",
        cases=[write.returns(f"letters({count})", f"['x' * 300] * {count}") for count in counts],
        tries=["def letters(count: int) -> list[str]:\n    return ['x' * 300] * count"],
    )
    empty, long, too_long = solver.solve(function).solution.to_dict()["test_results"]
    assert (empty["actual_output"], empty["actual_output_cut"]) == ([], False)
    assert (long["actual_output"], long["actual_output_cut"]) == (["x" * 300] * 9, False)
    assert "…" in long["actual"]
    assert (too_long["actual_output"], too_long["actual_output_cut"]) == (None, True)


def test_what_was_spent_where(told):
    """The parts add up to the whole; money is null where no price is known."""
    parts = {(part["purpose"], part["function"]): part for part in told["spent"]}
    assert list(parts) == [("plan", ""), ("cases", "halve"), ("implement", "halve"), ("repair", "halve")]
    for what in ("calls", "prompt_tokens", "completion_tokens"):
        assert sum(part[what] for part in told["spent"]) == told["usage"][what]
    assert told["usage"]["cost"] is None


def test_attempts_are_counted(told):
    """The wrong one too."""
    assert [(a["number"], a["passed"], a["cases"]) for a in told["attempts"]["halve"]] == [(1, 0, 4), (2, 4, 4)]


def test_a_failed_result_says_how_it_differs(solver, double):
    """Where, what was expected, what was there."""
    wrong = double("def double(number: int) -> int:\n    return 1")
    told = solver.solve(wrong, settings={"budget": "iterations=1"}).solution.to_dict()
    assert told["all_tests_passed"] is False
    assert told["outcomes"]["double"] == {"outcome": "red", "reason": "not right after 1 attempt"}
    assert told["test_results"][0]["difference"] == [{"where": "", "expected": "0", "actual": "1"}]


@pytest.mark.parametrize(
    ("source", "value"),
    [("1", 1), ("-2.5", -2.5), ("'a'", "a"), ("None", None), ("[1, [True]]", [1, [True]]), ("{'a': 1}", {"a": 1})],
)
def test_literals_that_survive_json(source, value):
    """They are there as they are."""
    assert plain(source) == (True, value)


@pytest.mark.parametrize(
    "source",
    [
        "(1, 2)",
        "{1: 2}",
        "{1, 2}",
        "b'a'",
        "1j",
        "1e999",
        "float('nan')",
        "Point(1)",
        "[(1,)]",
        "x +",
        "[" * 500,
        "...",
    ],
)
def test_what_json_would_change_stays_source(source):
    """A tuple would come back as a list, a key as text."""
    assert plain(source) == (False, None)
