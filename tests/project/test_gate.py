"""The project's own tests as a gate."""

import pytest

from tdgen.errors import InputError
from tdgen.project.gate import Edit, check_edit, new_functions, unrunnable, why_none_ran
from tdgen.project.own_tests import OwnTests
from tdgen.types import Failure, FileReport, Place

EDIT = Edit({"shop.a": "new"}, frozenset({"src/a.py"}), frozenset({"gross"}))
NEAR = OwnTests(("t/near.py",), (), ())


def failure(kind="AssertionError", message="", *places):
    """An exception that went by the test and these places."""
    own = [Place(path="t/near.py", line=1, function="test_a"), *(Place(path=p, line=1, function=f) for p, f in places)]
    return Failure(type=kind, message=message, places=tuple(own))


def gave(outcomes=None, pending=(), **failures):
    """A run's report; `failures` are those of `t/near.py::name`, and of the file itself as `file`."""
    outcomes = {f"t/near.py::{name}": outcome for name, outcome in (outcomes or {}).items()}
    named = {"t/near.py" if name == "file" else f"t/near.py::{name}": one for name, one in failures.items()}
    collected = (*outcomes, *(f"t/near.py::{name}" for name in pending))
    return FileReport(outcomes=outcomes, failures=named, collected=collected, complete=not pending)


class Runs:
    """Runs that give what they were told, in their order, and take some seconds each."""

    def __init__(self, *given, took=1.0):
        self.given, self.took, self.now, self.asked = list(given), took, 0.0, []

    def __call__(self, files, edit, seconds):
        self.asked.append((tuple(files), dict(edit)))
        self.now += self.took
        return self.given.pop(0)

    def check(self, tests=NEAR, seconds=60.0):
        return check_edit(tests, EDIT, self, seconds=seconds, clock=lambda: self.now)


def test_what_passed_before_must_pass_after():
    """What failed before is not the edit's. What fails again with the edit is tried without it, three times."""
    before = gave({"a": "passed", "b": "failed", "c": "passed"})
    again = [gave({"a": "failed"}), gave({"a": "passed"})] * 3
    runs = Runs(before, gave({"a": "failed", "b": "failed"}), *again)
    report = runs.check()
    assert report.broken == ("t/near.py::a", "t/near.py::c")
    assert (report.failing, report.flaky, report.ran, report.holds) == (("t/near.py::b",), (), 3, False)
    near, single = ("t/near.py",), ("t/near.py::a", "t/near.py::c")
    assert runs.asked == [
        (near, {}),
        (near, EDIT.texts),
        (near, EDIT.texts),
        *[(single, {}), (single, EDIT.texts)] * 2,
        (single, {}),
    ]


def test_what_passes_in_a_second_run_is_flaky():
    """And stops nothing."""
    report = Runs(gave({"a": "passed"}), gave({"a": "error"}), gave({"a": "passed"})).check()
    assert (report.flaky, report.broken, report.holds) == (("t/near.py::a",), (), True)


def test_what_comes_out_otherwise_in_a_later_round_is_flaky():
    """A test by the toss of a coin fails with the edit and passes without it once, and hardly three times."""
    rounds = [gave({"a": "failed"}), gave({"a": "passed"}), gave({"a": "failed"}), gave({"a": "failed"})]
    report = Runs(gave({"a": "passed"}), gave({"a": "failed"}), *rounds).check()
    assert (report.flaky, report.broken, report.holds) == (("t/near.py::a",), (), True)


def test_without_time_or_where_many_break_one_round_is_enough():
    """Nobody waits longer for a suite that hangs, or is broken as a whole."""
    once = [gave({"a": "failed"}), gave({"a": "passed"})]
    assert Runs(gave({"a": "passed"}), gave({"a": "failed"}), *once, took=10.0).check(seconds=60.0).broken
    every = {f"a{number}": "passed" for number in range(11)}
    broken = gave(dict.fromkeys(every, "failed"))
    assert len(Runs(gave(every), broken, broken, gave(every)).check().broken) == 11


def test_what_fails_without_the_edit_too_is_flaky():
    """It only passed at first."""
    report = Runs(gave({"a": "passed"}), *[gave({"a": "failed"})] * 3).check()
    assert (report.flaky, report.broken, report.holds) == (("t/near.py::a",), (), True)


def test_what_fails_before_and_after_is_told():
    """Its reason may lie anywhere."""
    elsewhere = failure("KeyError", "", ("src/b.py", "load"))
    before = gave({"a": "failed", "b": "failed"}, a=failure(), b=elsewhere)
    after = gave({"a": "passed", "b": "failed", "c": "error", "d": "passed"}, b=elsewhere, c=elsewhere)
    report = Runs(before, after).check()
    assert report.unmet == ("t/near.py::b", "t/near.py::c")
    assert (report.refusing, len(report.failing), report.ran, report.holds) == ((), 4, 4, True)


@pytest.mark.parametrize(
    ("before", "after", "refuses"),
    [
        # it waited for the stub, and finds the code wrong
        (failure("NotImplementedError", "", ("src/a.py", "gross")), failure(), True),
        # it waits for another stub now
        (
            failure("NotImplementedError", "", ("src/a.py", "gross")),
            failure("NotImplementedError", "", ("src/a.py", "net")),
            False,
        ),
        # the new code raises, whatever was before
        (failure(), failure("TypeError", "", ("src/a.py", "gross"), ("/usr/lib/x.py", "call")), True),
        # the new code calls what raises elsewhere, as it did before
        (failure("KeyError", "", ("src/b.py", "load")), failure("KeyError", "", ("src/b.py", "load")), False),
        # another function of the edited module was at fault, and still is
        (failure("KeyError", "", ("src/a.py", "load")), failure("KeyError", "", ("src/a.py", "load")), False),
    ],
)
def test_what_waited_for_the_code_and_does_not_pass_refuses_it(before, after, refuses):
    """So does what fails within it: no green comes of either."""
    report = Runs(gave({"a": "failed"}, a=before), gave({"a": "failed"}, a=after)).check()
    assert (report.refusing == ("t/near.py::a",), report.holds) == (refuses, not refuses)


LACKS = failure("ImportError", "cannot import name 'gross' from 'shop.a' (/p/src/a.py)")
LACKS_NEXT = failure("ImportError", "cannot import name 'net' from 'shop.a' (/p/src/a.py)")


@pytest.mark.parametrize(
    ("before", "after", "refuses"),
    [
        (LACKS, gave({"a": "failed"}, a=failure()), True),
        (failure("SyntaxError", "", ("src/a.py", "<module>")), gave({"a": "failed"}, a=failure()), True),
        (LACKS, gave(file=LACKS_NEXT), False),
        (LACKS, gave(file=LACKS), True),
        (LACKS, gave(file=failure("NameError", "", ("src/a.py", "<module>"))), True),
        (LACKS, gave({"a": "passed"}), False),
        (failure("ImportError", "no module named numpy"), gave({"a": "failed"}, a=failure()), False),
    ],
)
def test_a_file_that_could_not_be_imported_without_the_code(before, after, refuses):
    """Nothing of it passed before: its tests waited for the code, unless something else is missing there."""
    assert Runs(gave(file=before), after).check().holds is not refuses


def test_tests_that_cant_be_run_at_all_are_an_error():
    """It is no matter of time, and no test speaks for the edit."""
    log = "ImportError while loading conftest '/p/conftest.py'.\nconftest.py:1: in <module>\nE   No module named 'x'\n"
    with pytest.raises(InputError, match=r"can't run the tests in the sandbox: ImportError while .* No module named"):
        Runs(FileReport(log=log)).check()
    assert unrunnable(FileReport(log="collecting ...")) == ""
    usage = "ERROR: usage: pytest.main() [options]\npytest.main(): error: unrecognized arguments: --nope\n"
    assert unrunnable(FileReport(log=usage)).endswith("sandbox: pytest.main(): error: unrecognized arguments: --nope")


def test_a_module_that_exits_as_it_is_imported_ends_pytest():
    """It is named: pytest itself says then that no tests ran, as if there were none."""
    lines = ["Traceback", '  File "/p/src/a.py", line 14, in <module>', "    sys.exit(3)", "SystemExit: 3"]
    log = (
        "collected 0 items\n" + "".join(f"INTERNALERROR> {line}\n" for line in lines) + "==== no tests ran in 0.2s ===="
    )
    told = 'pytest can\'t run the tests in the sandbox: SystemExit: 3 (File "/p/src/a.py", line 14, in <module>)'
    assert why_none_ran(FileReport(log=log), ()) == told
    with pytest.raises(InputError, match="SystemExit: 3"):
        Runs(FileReport(log=log)).check()
    assert why_none_ran(FileReport(log="no tests ran in 0.2s"), ()) == "the project has no tests that pytest finds"


def test_the_others_run_while_there_is_time():
    """The near ones first."""
    tests = OwnTests(("t/near.py",), ("t/through.py",), ("t/far.py",))
    fine = gave({"a": "passed"})
    assert Runs(fine, fine, took=30.0).check(tests).left_out == ("t/far.py",)
    runs = Runs(fine, fine, fine, fine)
    assert runs.check(tests).left_out == ()
    assert [files for files, _ in runs.asked] == [("t/near.py", "t/through.py")] * 2 + [("t/far.py",)] * 2


def test_what_is_cut_off_is_told():
    """Without the edit nothing can be said of the tests behind; with it the one that hangs is broken, no other."""
    before = Runs(
        gave({"a": "passed"}, pending=("b", "c")), gave({"a": "passed", "b": "passed", "c": "passed"})
    ).check()
    assert (before.left_out, before.holds) == (("t/near.py",), True)
    runs = Runs(
        gave({"a": "passed", "b": "passed", "c": "passed"}),
        gave({"a": "passed"}, pending=("b", "c")),
        *[gave(pending=("b",)), gave({"b": "passed"})] * 3,
    )
    after = runs.check()
    assert (after.broken, after.left_out) == (("t/near.py::b",), ("t/near.py",))


def test_what_never_ends_is_no_failure():
    """Nobody knows what a test would give that had no time, without the edit and with it."""
    report = Runs(gave({"a": "passed"}, ["slow"]), gave({"a": "passed"}, ["slow"])).check()
    assert (report.failing, report.unmet, report.left_out) == ((), (), ("t/near.py",))


def test_a_project_without_tests_has_nothing_to_break():
    """Nothing is run."""
    assert Runs().check(OwnTests((), (), ())).ran == 0


def test_new_functions_are_those_whose_code_differs():
    """By their bare names, helpers and methods too; what only moved is no other."""
    before = "def a():\n    return 1\n\n\nclass B:\n    def c(self): ...\n    def d(self):\n        return 2\n"
    after = (
        "def _h():\n    pass\n\n\n# moved\ndef a():\n    return 1\n\n\nclass B:\n    def c(self):\n        return 1\n"
    )
    assert new_functions(before, after) == {"_h", "c"}
