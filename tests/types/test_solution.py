"""The ways out of a solution: plain data, a package of files, and the files on the disk."""

from __future__ import annotations

import pytest

from tdgen.errors import InputError
from tdgen.types import FileJob, Solution


@pytest.fixture(scope="module")
def solution(one_studio, double):
    return one_studio.solve(double()).solution


def test_its_files(solution):
    """The module, its tests, a README, and the record to verify it by."""
    assert sorted(solution.files()) == ["README.md", "kit.py", "tdgen.json", "test_double.py"]


def test_the_record_is_the_whole_solution(solution):
    """Read back, nothing is lost."""
    assert Solution.model_validate_json(solution.files()["tdgen.json"]) == solution


def test_saving_writes_a_package(solution, tmp_path):
    """Each file as it is, and nothing beside it."""
    folder = solution.save(tmp_path / "out")
    assert {path.name: path.read_text() for path in folder.iterdir()} == solution.files()


def test_saving_does_not_overwrite_what_others_wrote(solution, tmp_path):
    """Unless that is asked for."""
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other files"):
        solution.save(tmp_path)
    assert [path.name for path in tmp_path.glob("*.*")] == ["notes.txt"]
    solution.save(tmp_path, force=True)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "kit.py").exists()


def test_what_was_saved_runs_with_plain_pytest(solution, studio):
    """In the sandbox, from the files alone."""
    files = {name: text for name, text in solution.files().items() if name.endswith(".py")}
    report = studio.sandbox.run_files(FileJob(files=files, tests=("test_double.py",)))
    assert report.passed
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
    text = (solution.save(tmp_path / "out") / "tdgen.json").read_text()
    assert Solution.model_validate_json(text) == solution
