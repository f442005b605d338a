"""Functions ranked by what tests run."""

from tdgen.fixing.localizing import lines_in, localize
from tests.fixing.conftest import FAILING, FILE, LINES, PATH, failure, report


def ranked(project, told, failing=FAILING):
    return [suspect.unit.name for suspect in localize(project, told, failing)]


def test_what_failing_tests_run_and_passing_ones_do_not(project):
    """By lines: a function's most suspicious line counts."""
    assert ranked(project, report(ran=LINES)) == ["rounded", "gross", "Basket.total", "Basket.__init__"]
    assert ranked(project, report(ran=LINES), FAILING[1:])[0] == "Basket.total"
    branch = {**LINES, FAILING[0]: {PATH: "7,13"}, FAILING[1]: {PATH: "7,13"}}
    assert ranked(project, report(ran=branch))[0] == "rounded"


def test_what_exceptions_went_through_comes_first(project):
    """The innermost before its callers."""
    raised = failure("no", "KeyError", ("gross", 13), ("rounded", 8))
    other = failure("no", "KeyError", ("total", 24), ("gross", 13))
    assert ranked(project, report(ran=LINES, **{FAILING[0]: raised, FAILING[1]: raised}))[:2] == ["rounded", "gross"]
    assert ranked(project, report(ran=LINES, **{FAILING[0]: other, FAILING[1]: other}))[0] == "gross"


def test_what_fails_while_it_is_imported_is_run_by_no_test(project):
    """The traceback tells."""
    told = report({}, **{FILE: failure("no", "KeyError", ("<module>", 30), ("rounded", 8))})
    assert ranked(project, told, (FILE,)) == ["rounded"]


def test_files_that_can_not_be_read_are_left_out(project):
    """As one that is written while tests run."""
    told = report(ran=LINES).model_copy(update={"modules": {"src/none.py": "none"}})
    assert ranked(project, told) == []


def test_ranges_of_lines_end_where_the_file_does():
    """A sandbox may say anything."""
    assert list(lines_in("3-5,9,11-99999999", 12)) == [3, 4, 5, 9, 11, 12]
