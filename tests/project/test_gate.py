"""The project's own tests as a gate."""

from tdgen.project.gate import check_edit
from tdgen.project.own_tests import OwnTests

EDIT = {"a": "new"}


class Runs:
    """Runs that give what they were told, in their order, and take some seconds each."""

    def __init__(self, *given, took=1.0):
        self.given, self.took, self.now, self.asked = list(given), took, 0.0, []

    def __call__(self, files, edit, seconds):
        self.asked.append((tuple(files), dict(edit)))
        self.now += self.took
        return self.given.pop(0)

    def check(self, tests, seconds=60.0):
        return check_edit(tests, EDIT, self, seconds=seconds, clock=lambda: self.now)


NEAR = OwnTests(("t/near.py",), (), ())


def test_what_passed_before_must_pass_after():
    """What failed before is not the edit's."""
    before = {"t/near.py::a": "passed", "t/near.py::b": "failed", "t/near.py::c": "passed"}
    runs = Runs(before, {"t/near.py::a": "failed", "t/near.py::b": "failed"}, {"t/near.py::a": "failed"})
    report = runs.check(NEAR)
    assert report.broken == ("t/near.py::a", "t/near.py::c")
    assert (report.failing, report.flaky, report.ran, report.holds) == (("t/near.py::b",), (), 3, False)
    assert runs.asked == [(("t/near.py",), {}), (("t/near.py",), EDIT), (("t/near.py",), EDIT)]


def test_what_fails_before_and_after_is_told():
    """Also what could not be collected before: it may be the stub's own tests."""
    before = {"t/near.py::a": "failed", "t/near.py::b": "failed"}
    after = {"t/near.py::a": "passed", "t/near.py::b": "failed", "t/near.py::c": "error", "t/near.py::d": "passed"}
    report = Runs(before, after).check(NEAR)
    assert report.unmet == ("t/near.py::b", "t/near.py::c")
    assert (len(report.failing), report.ran, report.holds) == (4, 4, True)


def test_what_passes_in_a_second_run_is_flaky():
    """And stops nothing."""
    report = Runs({"t/near.py::a": "passed"}, {"t/near.py::a": "error"}, {"t/near.py::a": "passed"}).check(NEAR)
    assert (report.flaky, report.broken, report.holds) == (("t/near.py::a",), (), True)


def test_the_others_run_while_there_is_time():
    """The near ones first."""
    tests = OwnTests(("t/near.py",), ("t/through.py",), ("t/far.py",))
    fine = {"t/near.py::a": "passed"}
    assert Runs(fine, fine, took=30.0).check(tests).left_out == ("t/far.py",)
    runs = Runs(fine, fine, {}, {})
    assert runs.check(tests).left_out == ()
    assert [files for files, _ in runs.asked] == [("t/near.py", "t/through.py")] * 2 + [("t/far.py",)] * 2


def test_a_project_without_tests_has_nothing_to_break():
    """Nothing is run."""
    assert Runs().check(OwnTests((), (), ())).ran == 0
