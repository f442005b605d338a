"""The ways out of a solution: plain data, a package of files, and the files on the disk.

What `print` shows of a solution.
"""

from __future__ import annotations

import pytest

from tdgen.errors import InputError
from tdgen.outputs.places import recorded_solution
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


def test_saving_does_not_overwrite_what_others_wrote(solution, tmp_path):
    """Beside it is written where that is asked for."""
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other files"):
        solution.save(tmp_path)
    assert [path.name for path in tmp_path.glob("*.*")] == ["notes.txt"]
    solution.save(tmp_path, force=True)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "kit.py").exists()


@pytest.mark.parametrize("layout", ["package", "flat", "src"])
def test_what_was_saved_runs_with_plain_pytest(solution, studio, layout):
    """In the sandbox, from the files alone, wherever the folder is put."""
    files = {f"put/there/kit/{name}": text for name, text in solution.files(layout).items()}
    tests = tuple(name for name in files if name.endswith("test_double.py"))
    report = studio.sandbox.run_files(FileJob(files=files, tests=tests))
    assert report.passed, report.log
    assert len(report.outcomes) == 4


def test_odd_text_can_be_saved(studio, write, tmp_path):
    """A terminal's escapes, and what is no valid Unicode, are told in a form that any file can hold."""
    function = write.function(
        "odd() -> str",
        cases=[write.returns("odd()", "chr(0xdc80)")],
        tries=["def odd() -> str:\n    print(chr(27) + '[31m')\n    return chr(0xdc80) + chr(0xdc80)"],
    )
    solution = studio.solve(function, settings={"budget": "iterations=1"}).solution
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
def solved(studio, double):
    """A solution of one function."""
    return lambda *tries, **settings: studio.solve(double(*tries), settings=settings).solution


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
