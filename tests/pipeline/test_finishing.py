"""The module and its tests as a whole, and what is kept of them.

A solution tried again offline: the judge on the stored suites, and pytest on the files as they are.
"""

from __future__ import annotations

import re

import pytest

from tdgen.client import Handed
from tdgen.errors import StoreError
from tdgen.events import FunctionEnded, Noted
from tdgen.protocols import suite_files


def test_functions_that_get_in_each_others_way_are_undecided(solver, write):
    """Each passes in a module of its own; together one spoils what the other relies on."""
    shouting = write.function(
        "shout(text: str) -> str",
        cases=[write.returns("shout('a')", "'A'")],
        tries=["import string\n\n\ndef shout(text: str) -> str:\n    string.digits = ''\n    return text.upper()"],
    )
    digits = write.function(
        "digits() -> str",
        cases=[write.returns("digits()", "'0123456789'")],
        tries=["import string\n\n\ndef digits() -> str:\n    return string.digits"],
    )
    solved = solver.solve(shouting, digits)
    assert {r.function: r.outcome for r in solved.solution.results} == {"shout": "green", "digits": "undecided"}
    assert "not in the finished module" in solved["digits"].reason
    assert solved.happened(FunctionEnded)[-1].outcome == "undecided"
    assert not solved.solution.all_tests_passed


def test_the_users_whole_file_has_the_last_word(solver, double, write):
    """What nobody can read out of it is run on the finished module."""
    tests = (
        "import kit\n\n\ndef test_sum():\n    for n in [2]: assert kit.double(n) + getattr(kit, 'ha' + 'lf')(n) == 6\n"
    )
    half = write.function(
        "half(number: int) -> int",
        cases=[write.returns("half(4)", "2")],
        tries=["def half(number: int) -> int:\n    return number // 2"],
    )
    solved = solver.solve(double(), half, handed=Handed(tests=tests))
    assert (solved["double"].outcome, solved["half"].outcome) == ("undecided", "green")
    assert "assert (4 + 1) == 6" in solved["double"].reason


def test_a_red_solution_still_has_its_files(solver, double):
    """With the best there is, and the tests that it fails."""
    solution = solver.solve(
        double("def double(number: int) -> int:\n    return 1"), settings={"budget": "iterations=1"}
    ).solution
    assert "return 1" in solution.module_source
    assert "def test_double" in solution.test_files["test_double.py"]


def test_a_script_whose_entry_was_never_written_does_not_call_it(solver, write):
    """The module can be imported and run all the same."""
    main = write.function(
        "main(argv: list[str]) -> int", cases=[write.returns("main([])", "0")], tries=[write.said("No.")]
    )
    solution = solver.solve(main, entry_function="main", settings={"budget": "iterations=1"}).solution
    assert "__main__" not in solution.module_source


def test_what_has_no_code_is_written_as_a_stub(solver, double, write):
    """The module says so in its first line, and what is tried again names what is missing."""
    half = write.function("half(number: int) -> int", cases=[write.returns("half(4)", "2")], tries=[write.said("No.")])
    solution = solver.solve(double(), half, settings={"budget": "iterations=1"}).solution
    module = solution.files()["kit.py"]
    assert module.startswith("# Not all of this is right: half is red.\n")
    assert 'raise NotImplementedError("half is not written yet")' in module
    verification = solver.generator().verify(solution, solution.files())
    assert (verification.missing, verification.passed) == (("half",), False)
    assert all(verdict.passed for verdict in verification.verdicts["double"])


STORING = """import sqlite3


def remember(word: str) -> int:
    with sqlite3.connect("words.db") as connection:
        connection.execute("create table if not exists words (word text)")
        connection.execute("insert into words values (?)", (word,))
        return int(connection.execute("select count(*) from words").fetchone()[0])
"""
WANDERING = """import os


def settle(place: str) -> str:
    os.mkdir(place)
    os.chdir(place)
    open("found.txt", "w").close()
    return os.path.basename(os.getcwd())
"""


@pytest.mark.parametrize(
    ("signature", "calls", "source"),
    [
        ("remember(word: str) -> int", {"remember('a')": "1", "remember('b')": "1"}, STORING),
        (
            "settle(place: str) -> str",
            {"settle('a')": "'a'", "settle('b')": "'b'", "settle('b' * 2)": "'bb'"},
            WANDERING,
        ),
    ],
)
def test_code_that_writes_is_tested_in_a_folder_of_its_own(solver, write, signature, calls, source):
    """No test finds what another left, nor does the user's folder keep it; the first attempt is green."""
    cases = [write.returns(call, value) for call, value in calls.items()]
    solved = solver.solve(write.function(signature, cases=cases, tries=[source]))
    (result,) = solved.solution.results
    assert (result.outcome, len(result.history), result.writes) == ("green", 1, True)
    (file,) = solved.solution.test_files.values()
    assert "monkeypatch.chdir(tmp_path)" in file


def test_code_that_writes_nothing_has_no_fixture(solver, double):
    """Nothing stands in a file that nothing needs."""
    assert "fixture" not in solver.solve(double()).solution.test_files["test_double.py"]


def test_what_only_the_file_fails_is_its_own_fault(solver, double, monkeypatch):
    """The developer isn't asked again, and the reason does not blame the code; of many cases it names two."""
    render = suite_files().render_suite
    wrong = lambda *args, **more: render(*args, **more).replace("assert double", "assert 1 + double")  # noqa: E731
    monkeypatch.setattr(suite_files(), "render_suite", wrong)
    solved = solver.solve(double())
    assert len(solved.prompts("implement")) == 1
    assert solved["double"].outcome == "undecided"
    assert solved["double"].reason.startswith("a fault of its test file, not of the code")
    assert re.search(r"passes \w+, \w+ and \d more, and the file does not: ", solved["double"].reason)


class Full:
    """A store that takes no functions."""

    def get(self, key):
        return None

    def put(self, key, result):
        raise StoreError("the disk is full")


def test_functions_that_cannot_be_kept_are_there_all_the_same(solver, double, monkeypatch):
    """It is noted, and costs nothing but the next run's time."""
    monkeypatch.setattr("tdgen.runtime.Functions", lambda store: Full())
    solved = solver.solve(double())
    assert solved.solution.all_tests_passed
    assert "not all functions were kept: the disk is full" in [note.text for note in solved.happened(Noted)]


@pytest.mark.parametrize("outcome", ["green", "red"])
def test_only_green_functions_are_kept(solver, double, outcome):
    """A red one is asked for again by whoever wants it."""
    tries = {"green": (), "red": ("def double(number: int) -> int:\n    return 1",)}[outcome]
    solver.solve(double(*tries), settings={"budget": "iterations=1"})
    again = solver.solve(double(), text="The same function in another instruction.")
    assert bool(again.prompts("implement")) == (outcome == "red")


@pytest.fixture(scope="module")
def solution(one_studio, double):
    return one_studio.solve(double()).solution


def test_a_kept_solution_passes(solver, solution):
    """Without any model: nobody could answer."""
    verification = solver.generator().verify(solution)
    assert verification.passed
    assert [verdict.case for verdict in verification.verdicts["double"]] == [
        case.name for case in solution.results[0].suite.cases
    ]
    assert len(verification.report.outcomes) == 4


def test_a_changed_module_fails(solver, solution):
    """In the judge's eyes, and in pytest's."""
    files = solution.files() | {"kit.py": "def double(number: int) -> int:\n    return 3 * number\n"}
    verification = solver.generator().verify(solution, files)
    assert not verification.passed
    assert [verdict.passed for verdict in verification.verdicts["double"]].count(False) == 3
    assert not verification.report.passed


def test_a_module_that_only_fools_pytest_fails(solver, solution):
    """A result that says it equals everything is no right result."""
    fooling = (
        "class Anything(int):\n    def __eq__(self, other):\n        return True\n\n    __hash__ = int.__hash__\n\n\n"
        "def double(number: int) -> int:\n    return Anything(3)\n"
    )
    verification = solver.generator().verify(solution, solution.files() | {"kit.py": fooling})
    assert verification.report.passed
    assert not verification.passed


def test_a_test_that_the_user_added_counts(solver, solution):
    """Every file named test_… is run."""
    added = {"test_mine.py": "from kit import double\n\n\ndef test_mine():\n    assert double(2) == 5\n"}
    verification = solver.generator().verify(solution, solution.files() | added)
    assert all(verdict.passed for verdict in verification.verdicts["double"])
    assert not verification.passed


def test_a_module_that_is_gone_fails(solver, solution):
    """There is nothing to pass."""
    files = {name: text for name, text in solution.files().items() if name != "kit.py"}
    assert not solver.generator().verify(solution, files).passed
