"""A module is imported with its warnings as errors, and an entry's calls are made as the script makes them.

The user's own test files as a gate: run where what they need is there, and never against right code.
"""

from __future__ import annotations

import pytest

from tdgen.build.module_checks import as_script, import_fault
from tdgen.client import Handed
from tdgen.errors import InputError
from tdgen.types import Case, Exits, ExpectedException, FunctionSpec, Limits, Parameter, Returns, Value


def spec(*parameters: str) -> FunctionSpec:
    """The contract of a `main` with these parameters, each as `name: type`."""
    pairs = [parameter.split(": ") for parameter in parameters]
    return FunctionSpec(
        name="main",
        purpose="",
        parameters=tuple(Parameter(name=name, type=kind) for name, kind in pairs),
        returns=Returns(type="int"),
    )


def case(call: str, expectation=Value(source="2"), **more) -> Case:  # noqa: B008 - immutable
    return Case(name="one", function="main", call=call, expectation=expectation, **more)


RUNS = {
    "a list": (spec("argv: list[str]"), case("main(['a', '-x'])"), ("a", "-x")),
    "words": (spec("*argv: str"), case("main('a', 'b')"), ("a", "b")),
    "nothing": (spec(), case("main()"), ()),
}


@pytest.mark.parametrize(("contract", "called", "words"), RUNS.values(), ids=RUNS)
def test_a_call_of_the_entry_has_a_script_that_does_the_same(contract, called, words):
    """With the words that the script makes the arguments of; what is printed is asked of both."""
    run = as_script(called.model_copy(update={"stdout": "x"}), contract)
    assert run is not None
    assert (run.world.script, run.expectation, run.stdout) == (words, Exits(code=2), "x")


OTHERS = {
    "no command line": (spec("argv: list[str]"), case("main([1])")),
    "none given": (spec("argv: list[str]"), case("main()")),
    "not the entry's call alone": (spec(), case("main() or 3")),
    "no exit code": (spec(), case("main()", Value(source="'text'"))),
    "an exception": (spec(), case("main()", ExpectedException(type="ValueError"))),
    "a setup": (spec(), case("main()", setup="x = 1")),
}


@pytest.mark.parametrize(("contract", "called"), OTHERS.values(), ids=OTHERS)
def test_other_calls_have_none(contract, called):
    """They say nothing of the script."""
    assert as_script(called, contract) is None


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import re\nX = re.compile(r'\\d')\n", ""),
        ("X = '\\d'\n", "invalid escape"),
        ("import warnings\nwarnings.warn('old', DeprecationWarning)\n", "DeprecationWarning: old"),
        ("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n", ""),
        ("X = 1 / 0\n", "ZeroDivisionError"),
    ],
)
def test_a_module_is_imported_without_a_warning(shared_sandboxes, source, said):
    """One of its own fails it, told with its class."""
    fault = import_fault(shared_sandboxes[0], "kit", source, Limits())
    assert said in fault
    assert bool(said) == bool(fault)


ONCE = {"budget": "iterations=1"}


@pytest.fixture
def half(write):
    def make(code: str = "def half(number: int) -> int:\n    return number // 2", *more: str, **options):
        cases = [write.returns(f"half({n})", str(n // 2)) for n in (0, 7, 10, -8)]
        return write.function("half(number: int) -> int", cases=cases, tries=[code, *more], **options)

    return make


RIGHT = {
    "one of two imports is not used": (
        "from kit import double, half\n\ndef test_a():\n    for n in [2]: assert double(n) == 4\n"
    ),
    "a fixture": (
        "import pytest\nfrom kit import double, half\n\n@pytest.fixture\ndef four():\n    return double(2)\n\n"
        "def test_a(four):\n    assert half(four) == 2\n"
    ),
    "patched by its path": (
        "import kit\n\ndef test_a(monkeypatch):\n    monkeypatch.setattr('kit.half', lambda n: 7)\n"
        "    assert kit.half(1) == 7\n    assert kit.double(2) == 4\n"
    ),
    "patched as an attribute": (
        "import kit\n\ndef test_a(monkeypatch):\n    monkeypatch.setattr(kit, 'half', lambda n: 7)\n"
        "    assert kit.double(2) == 4\n"
    ),
    "mock.patch": (
        "from unittest import mock\nimport kit\n\n@mock.patch('kit.half', return_value=7)\ndef test_a(half):\n"
        "    assert kit.double(2) == 4 and kit.half(9) == 7\n"
    ),
    "a class": (
        "from kit import double, half\n\nclass TestBoth:\n    def setup_method(self):\n        self.n = double(2)\n\n"
        "    def test_a(self):\n        assert half(self.n) == 2\n"
    ),
    "a table that calls": (
        "import pytest\nfrom kit import double, half\n\n@pytest.mark.parametrize('n', [double(1), double(3)])\n"
        "def test_a(n, tmp_path):\n    assert half(n) * 2 == n\n"
    ),
    "a skip and an expected failure": (
        "import pytest\nfrom kit import double, half\n\n@pytest.mark.skip\ndef test_a():\n    assert double(1) == 7\n\n"
        "@pytest.mark.xfail\ndef test_b():\n    assert half(1) == 7\n"
    ),
    "each in its own test": (
        "from kit import double, half\n\ndef test_a():\n    for n in [2]: assert double(n) == 4\n\n"
        "def test_b():\n    for n in [2]: assert half(n) == 1\n"
    ),
}


@pytest.mark.parametrize(
    ("form", "trust"),
    [*((form, "quick") for form in RIGHT), ("each in its own test", "standard"), ("a fixture", "standard")],
)
def test_right_code_is_green(solver, double, half, form, trust):
    """Of two functions that don't know of each other, at the first attempt; whatever else a trust level tries."""
    tests = RIGHT[form]
    solved = solver.solve(double(), half(), handed=Handed(tests=tests), settings={"trust": trust})
    assert solved.solution.all_tests_passed
    assert [len(result.history) for result in solved.solution.results] == [1, 1]


class TestWrongCode:
    """Each test is held against the function that it is about."""

    WRONG = "def half(number: int) -> int:\n    return number // 2 if number < 50 else 0"
    RIGHT = "def half(number: int) -> int:\n    return number // 2"

    def test_the_one_that_a_test_is_about_is_repaired(self, solver, double, half):
        """The other, imported beside it, is let be; what is told is the assertion."""
        tests = RIGHT["each in its own test"].replace("half(n) == 1", "half(50 * n) == 50")
        solved = solver.solve(half(self.WRONG, self.RIGHT), double(), handed=Handed(tests=tests))
        assert solved.solution.all_tests_passed
        assert [len(solved[name].history) for name in ("double", "half")] == [1, 2]
        (veto,) = solved["half"].history[0].vetoes
        assert veto.startswith("the user's own tests do not pass:\ntest_b: ")
        assert "assert 0 == 50" in veto
        assert "test session starts" not in veto
        assert "assert 0 == 50" in solved.prompts("repair", "half")[0]

    def test_a_test_of_several_is_held_against_the_last_of_them(self, solver, double, half):
        """Which waits for the others, so that it is repaired before all is over."""
        tests = RIGHT["a fixture"].replace("double(2)", "double(50)").replace("== 2", "== 50")
        solved = solver.solve(double(), half(self.WRONG, self.RIGHT), handed=Handed(tests=tests))
        assert solved.solution.all_tests_passed
        assert [attempt.rung for attempt in solved["half"].history] == ["first", "repair"]

    def test_what_a_candidate_skips_is_not_passed(self, solver, half):
        """A file that speaks of no skip has none."""
        code = (
            "import unittest\n\n\ndef half(number: int) -> int:\n    if number > 50:\n"
            "        raise unittest.SkipTest\n    return number // 2"
        )
        tests = "from kit import half\n\ndef test_a():\n    for n in [100]: assert half(n) == 50\n"
        solved = solver.solve(half(code), handed=Handed(tests=tests), settings=ONCE)
        assert solved["half"].outcome == "red"


HOPELESS = {
    "an import of its own": (
        "import nowhere_to_be_found\n",
        "ModuleNotFoundError: No module named 'nowhere_to_be_found'",
    ),
    "a name that is nobody's": ("LIMIT = unknown + 1\n", "NameError: name 'unknown' is not defined"),
    "a constant of the module": (
        "import kit\nLIMIT = kit.LIMIT\n",
        "AttributeError: module 'kit' has no attribute 'LIMIT'",
    ),
}


class TestItsOwnFaults:
    """A file that no code can pass is the user's to mend, before any case is paid for."""

    FILE = "from kit import double\n\n\ndef test_a(tmp_path):\n    assert double(2) == 4\n"

    @pytest.mark.parametrize(("line", "reason"), HOPELESS.values(), ids=HOPELESS)
    def test_it_can_not_be_imported(self, solver, double, line, reason):
        """The real reason is told, in a line."""
        model = solver.model(double())
        with pytest.raises(InputError, match="your test file can't be imported, whatever is written: ") as caught:
            solver.solve(model=model, handed=Handed(tests=line + self.FILE))
        assert reason in str(caught.value)
        assert "\n" not in str(caught.value)
        assert [request.purpose for request in model.asked] == ["plan"]

    def test_a_fixture_that_is_nowhere(self, solver, double):
        """It may be in a conftest.py that nobody handed in."""
        tests = self.FILE.replace("tmp_path", "database")
        with pytest.raises(InputError, match="test_a can't be run, whatever is written: fixture 'database' not found"):
            solver.solve(double(), handed=Handed(tests=tests))


class TestSeveral:
    """More than one file."""

    ONE = "from kit import double\n\n\ndef test_a():\n    assert double(50) == 100\n"
    TWO = "from kit import half\n\n\ndef test_a():\n    for n in [8]: assert half(n) == 4\n"

    def test_all_are_law(self, solver, double, half):
        """The same test's name in both is no matter; both are among the solution's files, and travel with it."""
        solved = solver.solve(double(), half(), handed=Handed(tests=[self.ONE, self.TWO]))
        assert solved.solution.all_tests_passed
        assert [case.name for case in solved["double"].suite.cases if case.is_pinned] == ["a"]
        files = solved.solution.test_files
        assert (files["test_by_the_user.py"], files["test_by_the_user_2.py"]) == (self.ONE, self.TWO)
        again = solver.solve(double(), half(), text="More.", handed=Handed(follow=solved.solution.key))
        assert again.solution.test_files["test_by_the_user_2.py"] == self.TWO

    def test_the_second_counts_as_the_first(self, solver, double, half):
        """It takes green away."""
        solved = solver.solve(
            double(), half(), handed=Handed(tests=[self.ONE, self.TWO.replace("== 4", "== 5")]), settings=ONCE
        )
        assert solved["half"].outcome == "red"

    def test_a_contradiction_is_the_users(self, solver, double):
        """Between two files as within one."""
        with pytest.raises(InputError, match="two of your examples contradict each other"):
            solver.solve(double(), handed=Handed(tests=[self.ONE, self.ONE.replace("100", "101")]))

    def test_two_modules_are_one_too_many(self, solver, double, half):
        """Said before a model is asked."""
        model = solver.model(double(), half())
        with pytest.raises(InputError, match="your test files import from 'kit' and 'tools'"):
            solver.solve(model=model, handed=Handed(tests=[self.ONE, self.TWO.replace("kit", "tools")]))
        assert not model.asked

    def test_one_file_alone_has_the_key_that_it_had(self, solver, double):
        """As a string or as a list of one."""
        one = solver.solve(double(), handed=Handed(tests=self.ONE)).solution
        assert solver.solve(double(), handed=Handed(tests=[self.ONE])).solution.key == one.key
