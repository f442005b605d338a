"""Which tests fail, found by running them."""

import pytest

from tdgen.errors import InputError
from tdgen.fixing.problem import named_tests
from tdgen.types import FileReport
from tests.fixing.conftest import FAILING, FILE, LINES, OUTCOMES, PATH, PRICES, failure, report


def test_what_fails_twice_is_the_problem(find):
    """All are traced once; those that failed run again as they are."""
    problem, asked = find(report(ran=LINES), report())
    assert (problem.failing, problem.flaky, problem.hung) == (FAILING, (), ())
    assert asked == [((), {}, True), (FAILING, {}, False)]
    assert problem.suspects[0].id == "src/shop/prices.py::rounded"


def test_what_passes_in_a_second_run_is_flaky(find):
    """It is told, and nothing else is done about it."""
    problem, _ = find(report(ran=LINES), report({**OUTCOMES, FAILING[0]: "passed"}))
    assert (problem.failing, problem.flaky) == (FAILING[1:], FAILING[:1])


def test_nothing_fails(find):
    """There is nothing to run again."""
    problem, asked = find(report({f"{FILE}::test_a": "passed"}))
    assert (problem.failing, problem.suspects, len(asked)) == ((), (), 1)


def test_named_tests_are_traced_with_those_around(find):
    """What passes beside them tells where the fault is not; what fails there is no part of the problem."""
    alone = report({FAILING[0]: "failed"}, ran={FAILING[0]: LINES[FAILING[0]]})
    problem, asked = find(alone, alone, report(ran=LINES), tests=FAILING[:1])
    assert problem.failing == FAILING[:1]
    assert asked == [(FAILING[:1], {}, True), (FAILING[:1], {}, False), ((FILE,), {}, True)]


def test_a_test_that_does_not_end_is_passed_over(find):
    """What stands behind it is run without it."""
    names = [f"{FILE}::test_{name}" for name in "abc"]
    cut = FileReport(collected=tuple(names), outcomes={names[0]: "passed"}, log="no end within 9 s")
    problem, asked = find(cut, report({names[2]: "failed"}), report({names[2]: "failed"}))
    assert (problem.hung, problem.failing) == ((names[1],), (names[2],))
    assert asked[1][0] == (names[2],)


def test_a_file_that_can_not_be_collected_stands_for_its_tests(find):
    """It is met when it can be collected again."""
    error = {"tests/test_more.py": failure("no name", "ImportError")}
    problem, _ = find(report({f"{FILE}::test_a": "passed"}, **error), report({}, **error))
    assert problem.failing == ("tests/test_more.py",)


def test_tests_that_end_in_a_stub_wait_for_its_body(find, project):
    """There is nothing to fix for them; what else fails is the problem."""
    (project.root / PATH).write_text(PRICES.replace("    return int(cents)\n", "    raise NotImplementedError\n"))
    ends = failure("", "NotImplementedError", ("gross", 13), ("rounded", 8))
    first = report(ran=LINES, **{FAILING[0]: ends})
    problem, _ = find(first, report())
    assert {test: one.id for test, one in problem.waiting.items()} == {FAILING[0]: f"{PATH}::rounded"}
    assert problem.failing == FAILING[1:]


def test_many_are_run_again_by_their_files(find):
    """A command line has an end."""
    outcomes = {f"{FILE}::test_n[{n}]": "failed" for n in range(500)}
    problem, asked = find(report(outcomes), report(outcomes))
    assert (len(problem.failing), asked[1][0]) == (500, (FILE,))


@pytest.mark.parametrize(
    ("log", "told"),
    [
        ("ERROR: not found: /p/tests/test_a.py::test_none\n(no match)", "test_none: there is no such test"),
        ("no tests ran in 0.01s", "the project has no tests that pytest finds"),
        ("ImportError while loading conftest\nE   ZeroDivisionError: by zero", "in the sandbox: ImportError while"),
    ],
)
def test_what_can_not_be_run_is_one_line(find, log, told):
    """Each with its reason."""
    with pytest.raises(InputError, match=told):
        find(FileReport(log=log))


def test_links_out_of_the_project_are_told_where_no_test_is_found(find, project, tmp_path_factory):
    """Nothing behind them is seen: that is why."""
    (project.root / "more").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    with pytest.raises(InputError, match="no tests that pytest finds; more: a link out of the project"):
        find(FileReport(log="no tests ran in 0.01s"))


def test_addresses_are_left_out(find):
    """They differ from run to run, and the same prompt is to find the same answer."""
    told = {FAILING[0]: failure("<object at 0x7f12ab34cd56>")}
    problem, _ = find(report(ran=LINES, **told), report())
    assert problem.failures[FAILING[0]].message == "<object at 0x…>"


def test_names_are_read_from_here_and_from_the_root(project):
    """As pytest calls them."""
    tests = project.root / "tests"
    assert named_tests(project, ["test_prices.py::a", "tests/test_prices.py"], tests) == (f"{FILE}::a", FILE)
    with pytest.raises(InputError, match=r"none\.py: there is no such file of tests"):
        named_tests(project, ["none.py"], tests)
    with pytest.raises(InputError, match="lies outside of the project"):
        named_tests(project, ["/etc/hostname"], tests)
